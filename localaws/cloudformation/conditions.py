"""The Conditions section: named truths about parameters, which may use each other."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from localaws.cloudformation.dependencies import creation_order
from localaws.cloudformation.error_codes import validation_error
from localaws.cloudformation.intrinsics import Scope, as_text, named_condition, resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


FEWEST_COMBINED, MOST_COMBINED = 2, 10


def evaluate(declared: Mapping[str, Any], scope: Scope) -> dict[str, bool]:
    """Every named condition's truth; raises ValidationError for a cycle or an unknown function."""
    needs = {name: set(_names_in(body)) & declared.keys() for name, body in declared.items()}
    known: dict[str, bool] = {}
    for name in creation_order(needs, kind="conditions"):
        known[name] = _holds(declared[name], replace(scope, conditions=known))
    return known


def _holds(value: Any, scope: Scope) -> bool:
    if isinstance(value, dict) and len(value) == 1:
        name, argument = next(iter(value.items()))
        if name == "Condition":
            return named_condition(argument, scope)
        check_number(name, argument)
        if name == "Fn::And":
            return all(_holds(part, scope) for part in argument)
        if name == "Fn::Or":
            return any(_holds(part, scope) for part in argument)
        if name == "Fn::Not":
            return not _holds(argument[0], scope)
        if name == "Fn::Equals":
            left, right = (resolve(part, scope) for part in argument)
            return bool(_comparable(left) == _comparable(right))
    message = f"Template error: every condition must be one of And, Or, Not, Equals or Condition, not {value}"
    raise validation_error(message)


def check_number(function: str, argument: Any) -> None:
    """Raise ValidationError for a function that combines too few conditions, or too many; of every other nothing is
    said. The words are CloudFormation's: https://github.com/aws/aws-cdk/issues/8257.
    """
    if function in {"Fn::And", "Fn::Or"} and not (
        isinstance(argument, list) and FEWEST_COMBINED <= len(argument) <= MOST_COMBINED
    ):
        message = (
            f"Template error: every {function} object requires a list of at least {FEWEST_COMBINED} and at most "
            f"{MOST_COMBINED} boolean parameters."
        )
        raise validation_error(message)


def _comparable(value: Any) -> Any:
    return value if isinstance(value, list | dict) else as_text(value)


def _names_in(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "Condition" and isinstance(item, str):
                yield item
            else:
                yield from _names_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names_in(item)
