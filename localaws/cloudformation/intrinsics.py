"""Intrinsic functions, resolved against a scope; a function that is not known fails loudly."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from localaws.cloudformation.error_codes import validation_error

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

VARIABLE = re.compile(r"\$\{([^}]*)\}")


class _NoValue:
    """What `AWS::NoValue` leaves: the key or list item disappears."""


NO_VALUE = _NoValue()


class Hidden(str):
    """Text that an output must not show: the data of a custom resource that answered with NoEcho."""

    __slots__ = ()


@dataclass(frozen=True)
class Scope:
    """Everything a value of a template can refer to.

    `ref` and `get_att` answer for resources; both raise when the resource is not there yet.
    """

    values: Mapping[str, Any]
    conditions: Mapping[str, bool] = field(default_factory=dict)
    ref: Callable[[str], Any] | None = None
    get_att: Callable[[str, str], Any] | None = None


def as_text(value: Any) -> str:
    """A scalar as CloudFormation writes it: booleans in lower case, whole numbers without a fraction."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def single_function(value: Any) -> tuple[str, Any] | None:
    """(name, argument) when the value is one intrinsic function call."""
    if isinstance(value, dict) and len(value) == 1:
        name, argument = next(iter(value.items()))
        if name == "Ref" or (isinstance(name, str) and name.startswith("Fn::")):
            return name, argument
    return None


def resolve(value: Any, scope: Scope) -> Any:
    """The value with every function replaced by its result; raises ValidationError where that is impossible."""
    call = single_function(value)
    if call is not None:
        name, argument = call
        function = FUNCTIONS.get(name)
        if function is None:
            message = f"Template error: the sandbox does not know the function {name}"
            raise validation_error(message)
        return function(argument, scope)
    if isinstance(value, dict):
        resolved = {str(key): resolve(item, scope) for key, item in value.items()}
        return {key: item for key, item in resolved.items() if item is not NO_VALUE}
    if isinstance(value, list):
        return [item for item in (resolve(item, scope) for item in value) if item is not NO_VALUE]
    if isinstance(value, str) and "{{resolve:" in value:
        message = f"Template error: the sandbox does not know dynamic references: {value}"
        raise validation_error(message)
    return value


def named_condition(name: str, scope: Scope) -> bool:
    if name not in scope.conditions:
        message = f"Template error: unresolved condition dependency {name} in the Conditions block of the template"
        raise validation_error(message)
    return scope.conditions[name]


def _ref(name: Any, scope: Scope) -> Any:
    if name == "AWS::NoValue":
        return NO_VALUE
    if name in scope.values:
        return scope.values[name]
    if scope.ref is None or not isinstance(name, str) or name.startswith("AWS::"):
        message = f"Template error: unresolved reference {name} (the sandbox knows no such parameter or resource)"
        raise validation_error(message)
    return scope.ref(name)


def _get_att(argument: Any, scope: Scope) -> Any:
    logical_id, attribute = get_att_parts(argument, scope)
    if scope.get_att is None:
        message = f"Template error: Fn::GetAtt {logical_id}.{attribute} cannot be used here"
        raise validation_error(message)
    return scope.get_att(logical_id, attribute)


def get_att_parts(argument: Any, scope: Scope) -> tuple[str, str]:
    parts = argument.split(".", 1) if isinstance(argument, str) else argument
    if not isinstance(parts, list) or len(parts) != 2:
        message = (
            "Template error: every Fn::GetAtt object requires two non-empty parameters, the resource name and "
            "the resource attribute"
        )
        raise validation_error(message)
    return str(parts[0]), str(resolve(parts[1], scope))


def _sub(argument: Any, scope: Scope) -> str:
    text, extra = argument if isinstance(argument, list) else (argument, {})
    variables = {name: resolve(value, scope) for name, value in extra.items()}

    def replacement(match: re.Match[str]) -> str:
        name = match.group(1).strip()
        if name.startswith("!"):
            return "${" + name[1:] + "}"
        if name in variables:
            return _joinable(variables[name])
        if "." in name and name not in scope.values:
            return _joinable(_get_att(name, scope))
        return _joinable(_ref(name, scope))

    return VARIABLE.sub(replacement, text)


def _joinable(value: Any) -> str:
    if isinstance(value, list | dict) or value is NO_VALUE:
        message = f"Template error: only text and numbers can become part of a string, not {value}"
        raise validation_error(message)
    return as_text(value)


def _join(argument: Any, scope: Scope) -> str:
    delimiter, parts = argument
    return str(delimiter).join(_joinable(part) for part in _list("Fn::Join", parts, scope))


def _select(argument: Any, scope: Scope) -> Any:
    index, options = argument
    number = int(resolve(index, scope))
    values = _list("Fn::Select", options, scope)
    if not 0 <= number < len(values):
        message = f"Template error: Fn::Select cannot select nonexistent value at index {number}"
        raise validation_error(message)
    return values[number]


def _list(function: str, value: Any, scope: Scope) -> list[Any]:
    resolved = resolve(value, scope)
    if not isinstance(resolved, list):
        message = f"Template error: {function} needs a list, not {resolved}"
        raise validation_error(message)
    return resolved


def _split(argument: Any, scope: Scope) -> list[str]:
    delimiter, source = argument
    return _joinable(resolve(source, scope)).split(delimiter)


def _if(argument: Any, scope: Scope) -> Any:
    name, then, otherwise = argument
    return resolve(then if named_condition(name, scope) else otherwise, scope)


FUNCTIONS: dict[str, Callable[[Any, Scope], Any]] = {
    "Ref": _ref,
    "Fn::GetAtt": _get_att,
    "Fn::If": _if,
    "Fn::Join": _join,
    "Fn::Select": _select,
    "Fn::Split": _split,
    "Fn::Sub": _sub,
}
