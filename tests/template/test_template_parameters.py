"""What both templates let through as a parameter, and the sentence it refuses the rest with."""

from typing import Any

import pytest
import yaml
from efs_monitor.benchmarks.profiles import PROFILES
from moto.core.exceptions import ServiceException

from localaws.cloudformation.parameters import Given, texts
from operate.template_files import FLEET_TEMPLATE, TEMPLATE, as_written
from tests.template.parameter_values import FLEET_PARAMETERS, Values
from tests.template.parameter_values import PARAMETERS as VALUES
from tests.template.template_documents import with_includes

PARAMETERS = with_includes()["Parameters"]
FLEET = as_written(FLEET_TEMPLATE)["Parameters"]
# Of both templates.
OF_BOTH = [
    *((PARAMETERS[name], name, values) for name, values in VALUES.items()),
    *((FLEET[name], name, values) for name, values in FLEET_PARAMETERS.items()),
]


def accepted(definition: dict[str, Any], name: str, value: str) -> str:
    """The value as CloudFormation takes it."""
    return texts({name: definition}, [Given(name, value)], {})[name]


def refusal(definition: dict[str, Any], name: str, value: str) -> str:
    """The sentence CloudFormation refuses it with."""
    with pytest.raises(ServiceException) as refused:
        accepted(definition, name, value)
    return str(refused.value.message)


@pytest.mark.parametrize(("definition", "name", "values"), OF_BOTH)
def test_values_at_the_bounds_are_taken(definition: dict[str, Any], name: str, values: Values) -> None:
    assert [accepted(definition, name, value) for value in values.taken] == list(values.taken)


@pytest.mark.parametrize(
    ("definition", "name", "value"),
    [(definition, name, value) for definition, name, values in OF_BOTH for value in values.refused],
)
def test_values_just_beyond_are_refused_with_the_sentence_of_the_parameter(
    definition: dict[str, Any], name: str, value: str
) -> None:
    sentence = definition["ConstraintDescription"]
    assert refusal(definition, name, value) == f"Parameter {name} failed to satisfy constraint: {sentence}"


def test_every_parameter_has_values_that_it_takes_and_refuses() -> None:
    assert (list(VALUES), list(FLEET_PARAMETERS)) == (list(PARAMETERS), list(FLEET))
    assert [name for _, name, values in OF_BOTH if not values.taken or not values.refused] == []


def test_a_path_of_the_stack_is_one_that_the_document_takes() -> None:
    document = yaml.safe_load((TEMPLATE.parent / "src" / "documents" / "benchmark.yaml").read_text())
    pattern = document["parameters"]["MountPath"]["allowedPattern"]
    assert PARAMETERS["BenchmarkPath"]["AllowedPattern"] == f"^$|{pattern}"


def test_the_profiles_are_those_of_the_catalogue() -> None:
    assert PARAMETERS["BenchmarkProfile"]["AllowedValues"] == list(PROFILES)


def test_only_the_file_system_has_no_default() -> None:
    assert [name for name, definition in PARAMETERS.items() if "Default" not in definition] == ["FileSystemId"]


@pytest.mark.parametrize("name", [name for name in PARAMETERS if name != "FileSystemId"])
def test_every_default_keeps_to_its_own_constraint(name: str) -> None:
    assert texts({name: PARAMETERS[name]}, [], {})


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_parameter_is_described_constrained_and_grouped_once(name: str) -> None:
    definition = PARAMETERS[name]
    assert definition["Description"].strip()
    assert name in definition["ConstraintDescription"]
    assert {"AllowedPattern", "AllowedValues"} & definition.keys()
    groups = with_includes()["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    assert [group["Label"]["default"] != "" for group in groups if name in group["Parameters"]] == [True]


def test_only_a_list_of_numbers_is_a_number_which_may_have_a_fraction() -> None:
    numbers = {name: definition for name, definition in PARAMETERS.items() if definition["Type"] == "Number"}
    assert [name for name, definition in numbers.items() if "AllowedValues" not in definition] == []
