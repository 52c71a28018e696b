"""The tables of parameters say what the template says."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from efs_monitor.alarms.thresholds import LONGEST_LEAD_MINUTES, NEWS_MINUTES

from operate.template_files import template
from tests.unit.docs.pages import CODE_SPAN, PROJECT, table

PARAMETERS: dict[str, dict[str, Any]] = template()["Parameters"]
ROWS = {row[0].strip("`"): row[1:] for row in table("docs/parameters.md", "Parameter")}
NUMBERS = [
    name
    for name, parameter in PARAMETERS.items()
    if "AllowedPattern" in parameter and parameter.get("Default", "").isdigit()
]
TEXTS = [name for name, parameter in PARAMETERS.items() if "AllowedPattern" in parameter and name not in NUMBERS]


FIRST_ROWS = {row[0].strip("`"): row[1:] for row in table("README.md", "Parameter")}


@cache
def whole_numbers(pattern: str) -> tuple[str, ...]:
    """The whole numbers that a pattern lets through, as spans in words."""
    return tuple(_spans(re.compile(pattern)))


def _spans(pattern: re.Pattern[str]) -> Iterator[str]:
    taken = {number for number in range(200_000) if pattern.fullmatch(str(number))}
    # A span begins where the number before is not taken, and ends where the next is not.
    firsts = sorted(number for number in taken if number - 1 not in taken)
    lasts = sorted(number for number in taken if number + 1 not in taken)
    for first, last in zip(firsts, lasts, strict=True):
        yield str(first) if first == last else f"{first} to {last}"


def test_every_parameter_is_listed_in_the_order_of_the_template() -> None:
    assert list(ROWS) == list(PARAMETERS)


def test_the_readme_lists_some_of_them_with_the_same_bounds_and_defaults() -> None:
    assert FIRST_ROWS
    assert all(ROWS[name][1:] == row[1:] for name, row in FIRST_ROWS.items())


@pytest.mark.parametrize("name", PARAMETERS)
def test_the_default_is_the_one_listed(name: str) -> None:
    default = PARAMETERS[name].get("Default", "required")

    assert ROWS[name][1].strip("`") == ("empty" if default == "" else str(default))


@pytest.mark.parametrize("name", NUMBERS)
def test_the_bounds_of_a_number_are_the_ones_listed(name: str) -> None:
    assert ROWS[name][2] == ", or ".join(whole_numbers(PARAMETERS[name]["AllowedPattern"]))


@pytest.mark.parametrize("name", NUMBERS)
def test_the_bounds_of_a_number_are_those_of_the_sentence_that_refuses_it(name: str) -> None:
    sentence = PARAMETERS[name]["ConstraintDescription"]

    for span in whole_numbers(PARAMETERS[name]["AllowedPattern"]):
        assert re.search(rf"\b{span.replace(' to ', r'( \([^)]*\))? to ')}\b", sentence)


def test_lead_times_are_listed_with_the_distance_that_is_required() -> None:
    assert f"{NEWS_MINUTES} or more below WarningMinutes" in ROWS["CriticalMinutes"][0]
    assert ROWS["CriticalMinutes"][2] == f"{NEWS_MINUTES} to {LONGEST_LEAD_MINUTES - NEWS_MINUTES}"
    assert ROWS["WarningMinutes"][2] == f"{2 * NEWS_MINUTES} to {LONGEST_LEAD_MINUTES}"


@pytest.mark.parametrize("name", [name for name in PARAMETERS if "AllowedValues" in PARAMETERS[name]])
def test_the_values_to_choose_from_are_the_ones_listed(name: str) -> None:
    assert ROWS[name][2] == ", ".join(map(str, PARAMETERS[name]["AllowedValues"]))


@pytest.mark.parametrize("name", [name for name in PARAMETERS if "MaxLength" in PARAMETERS[name]])
def test_the_longest_text_is_the_one_listed(name: str) -> None:
    assert f"at most {PARAMETERS[name]['MaxLength']} characters" in ROWS[name][2]


@pytest.mark.parametrize("name", TEXTS)
def test_every_example_of_a_text_is_one_that_the_template_takes(name: str) -> None:
    examples = [example for example in CODE_SPAN.findall(ROWS[name][2]) if len(example) > len("fs-")]

    assert examples
    assert all(re.fullmatch(PARAMETERS[name]["AllowedPattern"], example) for example in examples)


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_that_may_be_empty_is_listed_as_such(name: str) -> None:
    may_be_empty = re.fullmatch(PARAMETERS[name]["AllowedPattern"], "") is not None

    assert ROWS[name][2].startswith("empty, or ") == may_be_empty


def test_every_parameter_has_some_bounds() -> None:
    kinds = {"AllowedValues", "AllowedPattern"}

    assert [name for name, parameter in PARAMETERS.items() if not kinds & parameter.keys()] == []


def test_the_example_environment_sets_what_the_template_takes_its_comments_included() -> None:
    text = (PROJECT / "samconfig.toml").read_text().replace('    # "', '    "')
    overrides = tomllib.loads(text)["example"]["deploy"]["parameters"]["parameter_overrides"]
    values = dict(override.split("=", 1) for override in overrides)

    assert {"FileSystemId", "BenchmarkPath", "BenchmarkSchedule"} <= values.keys() <= PARAMETERS.keys()
    for name, value in values.items():
        pattern = PARAMETERS[name].get("AllowedPattern", "[0-9]+")
        assert re.fullmatch(pattern, value.strip('"')), f"{name}={value}"
