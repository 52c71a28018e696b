"""What the template lets through as a parameter, and the sentence it refuses the rest with."""

import pytest
import yaml
from efs_monitor.benchmarks.profiles import PROFILES
from moto.core.exceptions import ServiceException

from localaws.cloudformation.parameters import Given, texts
from operate.template_files import TEMPLATE
from tests.template.documents import as_written
from tests.template.parameter_values import PARAMETERS as VALUES

PARAMETERS = as_written()["Parameters"]


def accepted(name: str, value: str) -> str:
    """The value as CloudFormation takes it."""
    return texts({name: PARAMETERS[name]}, [Given(name, value)], {})[name]


def refusal(name: str, value: str) -> str:
    """The sentence CloudFormation refuses it with."""
    with pytest.raises(ServiceException) as refused:
        accepted(name, value)
    return str(refused.value.message)


@pytest.mark.parametrize("name", VALUES)
def test_values_at_the_bounds_are_taken(name: str) -> None:
    assert [accepted(name, value) for value in VALUES[name].taken] == list(VALUES[name].taken)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in VALUES for value in VALUES[name].refused])
def test_values_just_beyond_are_refused_with_the_sentence_of_the_parameter(name: str, value: str) -> None:
    sentence = PARAMETERS[name]["ConstraintDescription"]
    assert refusal(name, value) == f"Parameter {name} failed to satisfy constraint: {sentence}"


def test_every_parameter_has_values_that_it_takes_and_refuses() -> None:
    assert list(VALUES) == list(PARAMETERS)
    assert [name for name, values in VALUES.items() if not values.taken or not values.refused] == []


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
    groups = as_written()["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    assert [group["Label"]["default"] != "" for group in groups if name in group["Parameters"]] == [True]


def test_only_a_list_of_numbers_is_a_number_which_may_have_a_fraction() -> None:
    numbers = {name: definition for name, definition in PARAMETERS.items() if definition["Type"] == "Number"}
    assert [name for name, definition in numbers.items() if "AllowedValues" not in definition] == []
