"""The Rules section: assertions about parameters, checked before anything is touched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from localaws.cloudformation.conditions import check_number
from localaws.cloudformation.error_codes import validation_error
from localaws.cloudformation.intrinsics import Scope, as_text, resolve

if TYPE_CHECKING:
    from collections.abc import Mapping


def check(rules: Mapping[str, Mapping[str, Any]], scope: Scope) -> None:
    """Raises ValidationError with the description of the first assertion that does not hold."""
    for name, rule in rules.items():
        if "RuleCondition" in rule and not _holds(rule["RuleCondition"], scope):
            continue
        for assertion in rule["Assertions"]:
            if not _holds(assertion["Assert"], scope):
                description = assertion.get("AssertDescription", assertion["Assert"])
                message = f"Template validation error: rule {name} failed: {description}"
                raise validation_error(message)


def _holds(expression: Any, scope: Scope) -> bool:
    if isinstance(expression, dict) and len(expression) == 1:
        name, argument = next(iter(expression.items()))
        check_number(name, argument)
        if name in ("Fn::And", "Fn::Or"):
            combine = all if name == "Fn::And" else any
            return combine(_holds(part, scope) for part in argument)
        if name == "Fn::Not":
            return not _holds(argument[0], scope)
        if name == "Fn::Equals":
            left, right = (_value(part, scope) for part in argument)
            return bool(left == right)
        if name == "Fn::Contains":
            return _value(argument[1], scope) in _values(argument[0], scope)
    message = f"Template error: the sandbox does not know the rule function in {expression}"
    raise validation_error(message)


def _value(expression: Any, scope: Scope) -> Any:
    """A parameter or what is written: AWS's page has no other function of texts within rules.

    https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference-rules.html
    """
    if isinstance(expression, dict) and "Ref" not in expression:
        message = f"Template error: a rule may not have {', '.join(expression)}"
        raise validation_error(message)
    resolved = resolve(expression, scope)
    return resolved if isinstance(resolved, list | dict) else as_text(resolved)


def _values(expression: Any, scope: Scope) -> list[str]:
    resolved = resolve(expression, scope)
    if not isinstance(resolved, list):
        message = f"Template error: a rule function needs a list, not {resolved}"
        raise validation_error(message)
    return [as_text(item) for item in resolved]
