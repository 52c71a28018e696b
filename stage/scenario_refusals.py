"""A scenario's file as its tables; and a sentence about each value in it that they may not hold."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from difflib import get_close_matches
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from stage.scenario_tables import (
    REFUSED,
    Change,
    Deployment,
    ExpectTable,
    FileSystemTable,
    ScenarioError,
    ScenarioFile,
    ScenarioInstance,
    ScenarioLoad,
    Table,
)

NOT_BELOW_ZERO = "give a number that is not below zero"
# By pydantic's names of what is wrong: https://docs.pydantic.dev/latest/errors/validation_errors/
WANTED = {
    "value_error": "{error}",
    "literal_error": "give {expected}",
    "string_type": "give a text, in quotation marks",
    "bool_type": "give true or false",
    "list_type": "give a list of texts, in [ and ]",
    "dict_type": "give a table of names and values",
    "int_type": "give a whole number that is not below zero",
    "less_than_equal": "give a number that is not above {le:g}",
    "greater_than": "give a number above zero",
    "float_type": NOT_BELOW_ZERO,
    "greater_than_equal": NOT_BELOW_ZERO,
    "finite_number": NOT_BELOW_ZERO,
}

NUMBERS = frozenset({"float_type", "int_type"})


def tables_of(document: Mapping[str, Any]) -> ScenarioFile:
    """The tables of a file that was read; ScenarioError says all that is wrong in them, a line each."""
    try:
        return ScenarioFile.model_validate(document)
    except ValidationError as refused:
        raise ScenarioError("\n".join(_sentence(error["loc"], error) for error in refused.errors())) from refused


def _sentence(path: Sequence[str | int], error: ErrorDetails) -> str:
    """What is wrong with a value, with what it is, where, and what to give instead."""
    kind, value, wanted = error["type"], _written(error["input"]), _wanted(error)
    match path:
        case [str(name)] | [str(name), int()] if kind == ("list_type" if len(path) == 1 else "model_type"):
            said = f"{name} must be headed [[{name}]], once for each"
        case [str(name)] if kind == "model_type":
            said = f"{name} must be headed [{name}], with its keys below"
        case [*table, "parameters", str(name), "[key]"]:
            said = f"nobody knows the parameter {name!r}{_of(table)}: {wanted}"
        case [*table, "parameters"] if kind == REFUSED:
            said = f"{error['ctx']['name']} is {error['ctx']['value']}{_of(table)}: {wanted}"
        case [*table, str(key), int(index)] if table:
            said = f"entry {index + 1} of {key} is {value}{_of(table)}: {wanted}"
        case [str()] | [str(), int()] if kind == "value_error":
            said = f"{_of(path).removeprefix(' in ')}: {wanted}"
        case [*table, str(key)] if kind == "missing":
            said = f"{key!r} is missing{_of(table)}"
        case [*table, str(key)] if kind == "extra_forbidden":
            near = get_close_matches(key, _keys(table), n=1)
            said = f"nobody knows what {key!r} means{_of(table)}{f': the nearest is {near[0]}' if near else ''}"
        case [*table, key]:
            said = f"{key} is {value}{_of(table)}: {wanted}"
    return said


def _written(value: object) -> str:
    """A value as a file of TOML has it, near enough to be found there."""
    return str(value) if isinstance(value, date | datetime | time) else repr(value)


def _of(table: Sequence[str | int]) -> str:
    """In which table of the file that is, as one would look for it."""
    match table:
        case [str(name), int(index), *_]:
            return f" in [[{name}]] number {index + 1}"
        case [str(name), *_]:
            return f" in [{name}]"
    return ""


def _keys(table: Sequence[str | int]) -> Iterable[str]:
    """The keys that a table may have."""
    kinds: dict[str, type[Table]] = {
        "load": ScenarioLoad,
        "change": Change,
        "deploy": Deployment,
        "instance": ScenarioInstance,
        "file_system": FileSystemTable,
        "expect": ExpectTable,
    }
    fields = (kinds[str(table[0])] if table else ScenarioFile).model_fields
    return [field.alias or name for name, field in fields.items()]


def _wanted(error: ErrorDetails) -> str:
    """What to give instead; pydantic's own words where ours have none."""
    wanted = WANTED.get(error["type"])
    if error["type"] in NUMBERS and _is_a_number(error["input"]):
        return "give it without quotation marks"
    return error["msg"] if wanted is None else wanted.format(**error.get("ctx", {}))


def _is_a_number(value: object) -> bool:
    """Whether a text is one."""
    return isinstance(value, str) and re.fullmatch(r"\d+(\.\d+)?", value.strip()) is not None
