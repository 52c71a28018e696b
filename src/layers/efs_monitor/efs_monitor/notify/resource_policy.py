"""What the policy of a topic, or of its key, says to somebody who publishes: CloudWatch in an alarm's name, or a role.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html. A policy of somebody else's
may ask for what is not known here, such as the organisation of a role: then it is unclear what it says, and nothing is
guessed.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum, auto

# A condition on what these say can be judged; every other operator is unclear.
_EQUAL = {"stringequals": True, "stringnotequals": False}
_LIKE = {"stringlike": True, "stringnotlike": False}
_ARN_LIKE = {"arnlike": True, "arnequals": True, "arnnotlike": False, "arnnotequals": False}
_PARTS_OF_AN_ARN = 6

# How condition keys begin that a request surely has not: neither a service nor a function outside of a VPC comes by an
# endpoint of one; a service is no member of an organisation and has no tags; and what tells for whom a service acts
# comes with its own requests alone. From "Availability" of each:
# https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html
_OF_A_VPC = ("aws:sourcevpc", "aws:vpcsourceip")
_NONE_OF_A_SERVICE = (*_OF_A_VPC, "aws:principalorg", "aws:principaltag/")
_NONE_OF_A_ROLE = (*_OF_A_VPC, "aws:sourcearn", "aws:sourceaccount", "aws:sourceorg", "aws:principalservicename")


class Says(Enum):
    """A policy's answer to a publisher; `NO` is that it has nothing for it, `DENIES` that it says so."""

    YES = auto()
    NO = auto()
    DENIES = auto()
    UNCLEAR = auto()


@dataclass(frozen=True, kw_only=True)
class Publisher:
    """Who publishes: the kind of principal it is, its names in policies, the condition keys that it comes with, and how
    those begin that it surely comes without.
    """

    kind: str
    names: frozenset[str]
    context: Mapping[str, str]
    lacks: tuple[str, ...]


def alarm_publisher(alarm_arn: str) -> Publisher:
    """CloudWatch, in the name of an alarm."""
    account_id = alarm_arn.split(":")[4]
    service = "cloudwatch.amazonaws.com"
    context = {
        "aws:sourcearn": alarm_arn,
        "aws:sourceaccount": account_id,
        "aws:sourceowner": account_id,
        "aws:principalisawsservice": "true",
        "aws:principalservicename": service,
    }
    return Publisher(kind="Service", names=frozenset({service}), context=context, lacks=_NONE_OF_A_SERVICE)


def key_user(alarm_arn: str) -> Publisher:
    """CloudWatch, in the name of an alarm, before the key of a topic: without what SNS alone knows of it."""
    publisher = alarm_publisher(alarm_arn)
    context = {key: value for key, value in publisher.context.items() if key != "aws:sourceowner"}
    return replace(publisher, context=context)


def role_publisher(role_arn: str) -> Publisher:
    """A function, by its role."""
    _, partition, _, _, account_id, *_ = role_arn.split(":")
    return Publisher(
        kind="AWS",
        names=frozenset({role_arn, account_id, f"arn:{partition}:iam::{account_id}:root"}),
        context={
            "aws:principalarn": role_arn,
            "aws:principalaccount": account_id,
            "aws:sourceowner": account_id,
            "aws:principalisawsservice": "false",
        },
        lacks=_NONE_OF_A_ROLE,
    )


def says(policy: str, action: str, resource_arn: str, publisher: Publisher) -> Says:
    """What the policy of a topic or key, as its service has it, says to a publisher about an action.

    What may allow it matters only where nothing does for sure, what may deny it always.
    """
    statements = json.loads(policy).get("Statement", [])
    found = {
        (statement["Effect"], _fits(statement, action, resource_arn, publisher))
        for statement in (statements if isinstance(statements, list) else [statements])
    }
    if ("Deny", True) in found:
        return Says.DENIES
    if ("Deny", None) in found:
        return Says.UNCLEAR
    if ("Allow", True) in found:
        return Says.YES
    return Says.UNCLEAR if ("Allow", None) in found else Says.NO


def _fits(statement: Mapping[str, object], action: str, resource_arn: str, publisher: Publisher) -> bool | None:
    """Whether a statement is about this; None where that is not known."""
    if {"NotAction", "NotResource", "NotPrincipal"} & statement.keys():
        return None
    return _all(
        [
            _names(statement.get("Principal"), publisher),
            any(_matches(pattern.lower(), action.lower()) for pattern in _listed(statement.get("Action"))),
            any(_matches(pattern, resource_arn) for pattern in _listed(statement.get("Resource", "*"))),
            *_conditions(statement.get("Condition"), publisher),
        ]
    )


def _names(principal: object, publisher: Publisher) -> bool:
    if not isinstance(principal, Mapping):
        return "*" in _listed(principal)
    named = set(_listed(principal.get(publisher.kind)))
    return bool(publisher.names & named) or "*" in _listed(principal.get("AWS"))


def _conditions(condition: object, publisher: Publisher) -> Iterable[bool | None]:
    context = {**publisher.context, "aws:securetransport": "true"}
    for operator, keys in condition.items() if isinstance(condition, Mapping) else ():
        for key, wanted in keys.items():
            actual = context.get(key.lower())
            if actual is not None:
                yield _holds(operator.lower().removesuffix("ifexists"), actual, _listed(wanted))
            elif key.lower().startswith(publisher.lacks):
                yield _holds_without(operator.lower(), _listed(wanted))
            else:
                # What is not known may be there all the same, or not.
                yield None


def _holds_without(operator: str, wanted: list[str]) -> bool:
    """Whether a condition holds on a key that a request has not: one that asks for something else than a value does,
    and one on all of several values, of which there is none.
    """
    if operator == "null":
        return "true" in {one.lower() for one in wanted}
    if operator.endswith("ifexists") or operator.startswith("forallvalues:"):
        return True
    return "not" in operator and not operator.startswith("foranyvalue:")


def _holds(operator: str, actual: str, wanted: list[str]) -> bool | None:
    if any("${" in one for one in wanted):
        return None
    if operator in _EQUAL:
        return (actual in wanted) is _EQUAL[operator]
    if operator in _LIKE:
        return any(_matches(pattern, actual) for pattern in wanted) is _LIKE[operator]
    if operator in _ARN_LIKE and all(len(_parts(pattern)) == _PARTS_OF_AN_ARN for pattern in wanted):
        return any(all(map(_matches, _parts(pattern), _parts(actual))) for pattern in wanted) is _ARN_LIKE[operator]
    if operator in {"bool", "null"}:
        return (actual if operator == "bool" else "false") in {one.lower() for one in wanted}
    return None


def _all(parts: Iterable[bool | None]) -> bool | None:
    """True where all are; what is not known matters only where nothing is false."""
    parts = list(parts)
    return False if False in parts else None if None in parts else True


def _parts(arn: str) -> list[str]:
    """The parts between the colons of an ARN, which conditions look at one by one: the last may have colons itself."""
    return arn.split(":", _PARTS_OF_AN_ARN - 1)


def _matches(pattern: str, text: str) -> bool:
    """IAM's wildcards: `*` for any characters, `?` for one."""
    return re.fullmatch(re.escape(pattern).replace(r"\*", ".*").replace(r"\?", "."), text, re.DOTALL) is not None


def _listed(value: object) -> list[str]:
    """A policy may write one thing for a list of one."""
    return [str(one) for one in value] if isinstance(value, list) else [] if value is None else [str(value)]
