"""The README's table of parameters says what the template says."""

import re
import tomllib
from typing import Any

import pytest

from tests.unit.docs.pages import CODE_SPAN, PROJECT, table
from tools.fingerprint import template

PARAMETERS: dict[str, dict[str, Any]] = template()["Parameters"]
ROWS = {row[0].strip("`"): row[1:] for row in table("README.md", "Parameter")}


def test_every_parameter_is_listed_in_the_order_of_the_template() -> None:
    assert list(ROWS) == list(PARAMETERS)


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_default_is_the_one_listed(name: str) -> None:
    default = PARAMETERS[name].get("Default", "required")

    assert ROWS[name][1].strip("`") == ("empty" if default == "" else str(default))


@pytest.mark.parametrize("name", [name for name in PARAMETERS if "MinValue" in PARAMETERS[name]])
def test_the_bounds_of_a_number_are_the_ones_listed(name: str) -> None:
    assert ROWS[name][2] == f"{PARAMETERS[name]['MinValue']} to {PARAMETERS[name]['MaxValue']}"


@pytest.mark.parametrize("name", [name for name in PARAMETERS if "AllowedValues" in PARAMETERS[name]])
def test_the_values_to_choose_from_are_the_ones_listed(name: str) -> None:
    assert ROWS[name][2] == ", ".join(map(str, PARAMETERS[name]["AllowedValues"]))


@pytest.mark.parametrize("name", [name for name in PARAMETERS if "MaxLength" in PARAMETERS[name]])
def test_the_longest_text_is_the_one_listed(name: str) -> None:
    assert f"at most {PARAMETERS[name]['MaxLength']} characters" in ROWS[name][2]


@pytest.mark.parametrize("name", [name for name in PARAMETERS if "AllowedPattern" in PARAMETERS[name]])
def test_every_example_of_a_text_is_one_that_the_template_takes(name: str) -> None:
    examples = [example for example in CODE_SPAN.findall(ROWS[name][2]) if len(example) > len("fs-")]

    assert examples
    assert all(re.fullmatch(PARAMETERS[name]["AllowedPattern"], example) for example in examples)


@pytest.mark.parametrize("name", [name for name in PARAMETERS if "AllowedPattern" in PARAMETERS[name]])
def test_a_text_that_may_be_empty_is_listed_as_such(name: str) -> None:
    may_be_empty = re.fullmatch(PARAMETERS[name]["AllowedPattern"], "") is not None

    assert ROWS[name][2].startswith("empty, or ") == may_be_empty


def test_every_parameter_has_some_bounds() -> None:
    kinds = {"MinValue", "AllowedValues", "AllowedPattern"}

    assert [name for name, parameter in PARAMETERS.items() if not kinds & parameter.keys()] == []


def test_the_example_environment_sets_what_the_template_takes_its_comments_included() -> None:
    text = (PROJECT / "samconfig.toml").read_text().replace('    # "', '    "')
    overrides = tomllib.loads(text)["example"]["deploy"]["parameters"]["parameter_overrides"]
    values = dict(override.split("=", 1) for override in overrides)

    assert {"FileSystemId", "BenchmarkPath", "BenchmarkSchedule"} <= values.keys() <= PARAMETERS.keys()
    for name, value in values.items():
        pattern = PARAMETERS[name].get("AllowedPattern", "[0-9]+")
        assert re.fullmatch(pattern, value.strip('"')), f"{name}={value}"
