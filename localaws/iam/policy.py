"""The language of policies, as far as it is used here: does a statement fit a request, and what do all of them say?

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
"""

import functools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

type Statement = Mapping[str, Any]
# What a request has of a condition key: one value, or any number of them.
type KeyValue = str | tuple[str, ...]

UNJUDGED = ("NotAction", "NotResource", "NotPrincipal")
# `all` holds of a key that the request does not have, and `any` does not.
SET_OPERATORS = {"ForAllValues": all, "ForAnyValue": any}


@dataclass(frozen=True, kw_only=True)
class Ask:
    """One action on one resource; `context` holds condition keys, in lower case, some with several values."""

    action: str
    resource: str
    context: Mapping[str, KeyValue] = field(default_factory=dict)


class PolicyVerdict(Enum):
    """What a set of statements says about a request."""

    ALLOWED = "allowed"
    NOT_ALLOWED = "no statement allows it"
    DENIED = "a statement denies it"


def judged(statements: Iterable[Statement], ask: Ask) -> PolicyVerdict:
    """Allowed where a statement allows it and none denies it.

    Raises ValueError for what it cannot judge, rather than guessing.
    """
    effects = {statement.get("Effect", "Allow") for statement in statements if fits(statement, ask)}
    if "Deny" in effects:
        return PolicyVerdict.DENIED
    return PolicyVerdict.ALLOWED if "Allow" in effects else PolicyVerdict.NOT_ALLOWED


def statements_of(document: Mapping[str, Any]) -> list[Statement]:
    """The statements of a policy, which may write one for a list of one."""
    statements = document["Statement"]
    return statements if isinstance(statements, list) else [statements]


def require_judged(statement: Statement) -> None:
    """Raise ValueError for a statement that cannot be judged, whatever is asked of it."""
    _require_known_keys(statement)
    for pattern in (*listed(statement.get("Action")), *listed(statement.get("Resource"))):
        _compiled(pattern)
    for operator, wanted in (statement.get("Condition") or {}).items():
        for key in wanted:
            _holds(operator, None, [], key)


def _require_known_keys(statement: Statement) -> None:
    if unjudged := [key for key in UNJUDGED if key in statement]:
        message = f"the sandbox cannot judge a policy statement with {', '.join(unjudged)}"
        raise ValueError(message)


def fits(statement: Statement, ask: Ask) -> bool:
    """Whether action, resource and conditions of a statement cover the request; its principal is not looked at."""
    _require_known_keys(statement)
    return (
        any(matches(pattern.lower(), ask.action.lower()) for pattern in listed(statement.get("Action")))
        and any(matches(pattern, ask.resource) for pattern in listed(statement.get("Resource", "*")))
        and all(
            _holds(operator, ask.context.get(key.lower()), listed(expected), key)
            for operator, wanted in (statement.get("Condition") or {}).items()
            for key, expected in wanted.items()
        )
    )


def matches(pattern: str, text: str) -> bool:
    """IAM's wildcards: `*` for any characters, `?` for one; brackets mean themselves."""
    return _compiled(pattern).fullmatch(text) is not None


def _arn_matches(pattern: str, arn: str) -> bool:
    """What conditions on ARNs have: each of the six parts between colons is looked at by itself.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
    """
    wanted, parts = pattern.split(":", 5), arn.split(":", 5)
    return len(wanted) == len(parts) and all(map(matches, wanted, parts))


def listed(value: Any) -> list[str]:
    """A policy may write one thing for a list of one."""
    if value is None:
        return []
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


@functools.cache
def _compiled(pattern: str) -> re.Pattern[str]:
    if "${" in pattern:
        message = f"the sandbox cannot judge a policy variable: {pattern}"
        raise ValueError(message)
    return re.compile(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), re.DOTALL)


def _holds(operator: str, actual: KeyValue | None, expected: list[str], key: str) -> bool:
    """Whether a condition holds. A key of several values is asked for by a set operator, and one by any other.

    https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-single-vs-multi-valued-context-keys.html
    """
    quantifier, _, of_each = operator.rpartition(":")
    if quantifier in SET_OPERATORS:
        values = () if actual is None else (actual,) if isinstance(actual, str) else actual
        # Judged without a value, too, so that an operator which is not known here is refused.
        _holds(of_each, None, expected, key)
        return SET_OPERATORS[quantifier](_holds(of_each, one, expected, key) for one in values)
    if isinstance(actual, tuple):
        message = f"the sandbox cannot judge the policy condition {operator} {key}, which has several values"
        raise ValueError(message)
    match operator:
        case "StringEquals":
            return actual in expected
        case "StringLike":
            return actual is not None and any(matches(pattern, actual) for pattern in expected)
        case "ArnLike" | "ArnEquals":
            return actual is not None and any(_arn_matches(pattern, actual) for pattern in expected)
        case "Null":
            return expected == [str(actual is None).lower()]
        case "Bool":
            return actual is not None and actual in [one.lower() for one in expected]
    message = f"the sandbox cannot judge the policy condition {operator} {key}"
    raise ValueError(message)
