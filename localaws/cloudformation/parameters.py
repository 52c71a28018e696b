"""Parameter values: defaults, previous values, and the constraints of the template, refused in AWS's words.

Words for a value that is too large, which nobody reports, are the sandbox's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from localaws.cloudformation.error_codes import validation_error
from localaws.cloudformation.intrinsics import as_text
from localaws.cloudformation.regular_expressions import refused_by_java
from localaws.cloudformation.template_limits import LARGEST_PARAMETER_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

TYPES = {"String", "Number", "CommaDelimitedList", "List<Number>"}
KEYS = {
    "AllowedPattern",
    "AllowedValues",
    "ConstraintDescription",
    "Default",
    "Description",
    "MaxLength",
    "MaxValue",
    "MinLength",
    "MinValue",
    "NoEcho",
    "Type",
}
HIDDEN = "****"
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)")


@dataclass(frozen=True)
class Given:
    """One parameter as the caller passed it: a value, or the wish to keep the previous one."""

    name: str
    value: str | None
    use_previous: bool = False


def texts(
    declared: Mapping[str, Mapping[str, Any]], given: Iterable[Given], previous: Mapping[str, str]
) -> dict[str, str]:
    """The text of every declared parameter, checked against its constraints.

    Raises ValidationError for unknown names, missing values and broken constraints.
    """
    by_name = {item.name: item for item in given}
    if strangers := sorted(set(by_name) - set(declared)):
        message = f"Parameters: [{', '.join(strangers)}] do not exist in the template"
        raise validation_error(message)
    found: dict[str, str] = {}
    missing: list[str] = []
    for name, definition in declared.items():
        _check_definition(name, definition)
        item = by_name.get(name)
        if item is not None and item.use_previous:
            if name not in previous:
                message = (
                    f"Invalid input for parameter key {name}. Cannot specify usePreviousValue as true "
                    "for a parameter key not in the previous template"
                )
                raise validation_error(message)
            found[name] = previous[name]
        elif item is not None and item.value is not None:
            found[name] = item.value
        elif "Default" in definition:
            found[name] = _default_text(definition["Default"])
        else:
            missing.append(name)
    if missing:
        message = f"Parameters: [{', '.join(missing)}] must have values"
        raise validation_error(message)
    for name, text in found.items():
        _check(name, text, declared[name])
    return found


def typed(declared: Mapping[str, Mapping[str, Any]], values: Mapping[str, str]) -> dict[str, str | list[str]]:
    """What `Ref` gives: lists for the list types, text for the rest (numbers too)."""
    return {name: items(text) if _is_list(declared[name]) else text for name, text in values.items()}


def items(text: str) -> list[str]:
    return [part.strip() for part in text.split(",")] if text else []


def is_hidden(definition: Mapping[str, Any]) -> bool:
    return str(definition.get("NoEcho", False)).lower() == "true"


def _is_list(definition: Mapping[str, Any]) -> bool:
    return definition["Type"] in ("CommaDelimitedList", "List<Number>")


def _default_text(default: Any) -> str:
    if isinstance(default, list):
        return ",".join(as_text(part) for part in default)
    return as_text(default)


def _check_definition(name: str, definition: Mapping[str, Any]) -> None:
    if unknown := sorted(set(definition) - KEYS):
        message = f"Invalid template parameter property '{unknown[0]}'"
        raise validation_error(message)
    if definition.get("Type") not in TYPES:
        message = (
            f"Template format error: Unrecognized parameter type: {definition.get('Type')} of {name}; "
            f"the sandbox knows {', '.join(sorted(TYPES))}"
        )
        raise validation_error(message)
    if "AllowedPattern" in definition:
        _check_pattern(name, definition)


def _check_pattern(name: str, definition: Mapping[str, Any]) -> None:
    """CloudFormation refuses a template for one pattern that Java does not compile; AWS documents no words for it."""
    pattern = str(definition["AllowedPattern"])
    if definition["Type"] in ("Number", "List<Number>"):
        message = f"Template format error: AllowedPattern of {name} is not for parameters of type {definition['Type']}"
        raise validation_error(message)
    if refused := refused_by_java(pattern):
        message = (
            f"Template format error: AllowedPattern '{pattern}' of parameter {name} is not a valid regular expression: "
            f"{refused[0]}"
        )
        raise validation_error(message)
    try:
        re.compile(pattern)
    except re.error as error:
        message = f"The sandbox matches by Python, which cannot read AllowedPattern '{pattern}' of {name}: {error}"
        raise validation_error(message) from error


def _check(name: str, text: str, definition: Mapping[str, Any]) -> None:
    if len(text.encode()) > LARGEST_PARAMETER_BYTES:
        message = f"Parameter '{name}' must contain at most {LARGEST_PARAMETER_BYTES} bytes"
        raise validation_error(message)
    values = items(text) if _is_list(definition) else [text]
    for problem in (_problem(name, value, definition) for value in values):
        if problem is None:
            continue
        description = definition.get("ConstraintDescription")
        raise validation_error(
            f"Parameter {name} failed to satisfy constraint: {description}" if description else problem
        )


def _problem(name: str, value: str, definition: Mapping[str, Any]) -> str | None:
    if definition["Type"] in ("Number", "List<Number>"):
        problem = _number_problem(name, value, definition)
    else:
        problem = _length_problem(name, value, definition)
    if problem is not None:
        return problem
    allowed = definition.get("AllowedValues")
    if allowed is not None and value not in [as_text(one) for one in allowed]:
        return f"Parameter '{name}' must be one of AllowedValues"
    pattern = definition.get("AllowedPattern")
    if pattern is not None and not re.fullmatch(pattern, value):
        return f"Parameter '{name}' must match pattern {pattern}"
    return None


def _number_problem(name: str, value: str, definition: Mapping[str, Any]) -> str | None:
    if not NUMBER.fullmatch(value):
        return f"Parameter '{name}' must be a number."
    number = float(value)
    if "MinValue" in definition and number < float(definition["MinValue"]):
        return f"Parameter '{name}' must be a number not less than {definition['MinValue']}"
    if "MaxValue" in definition and number > float(definition["MaxValue"]):
        return f"Parameter '{name}' must be a number not greater than {definition['MaxValue']}"
    return None


def _length_problem(name: str, value: str, definition: Mapping[str, Any]) -> str | None:
    if "MinLength" in definition and len(value) < int(definition["MinLength"]):
        return f"Parameter '{name}' must contain at least {definition['MinLength']} characters"
    if "MaxLength" in definition and len(value) > int(definition["MaxLength"]):
        return f"Parameter '{name}' must contain at most {definition['MaxLength']} characters"
    return None
