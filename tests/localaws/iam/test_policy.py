"""How statements are read: wildcards, conditions, an explicit deny, and no guessing."""

from typing import Any

import pytest

from localaws.iam.policy import Ask, PolicyVerdict, judged

READ = Ask(action="ssm:GetParameter", resource="arn:aws:ssm:us-east-1:123456789012:parameter/a/b")
ALLOW: dict[str, Any] = {"Effect": "Allow", "Action": "ssm:GetParameter", "Resource": "*"}


@pytest.mark.parametrize("action", ["ssm:GetParameter", "SSM:getparameter", "ssm:Get*", "ssm:GetParamete?", "*"])
def test_an_action_is_matched_without_case_and_with_wildcards(action: str) -> None:
    assert judged([ALLOW | {"Action": action}], READ) is PolicyVerdict.ALLOWED


@pytest.mark.parametrize("action", ["ssm:GetParameters", "ssm:GetParameter?", "ssm:Put*", "[s]sm:GetParameter"])
def test_another_action_is_not_allowed(action: str) -> None:
    assert judged([ALLOW | {"Action": action}], READ) is PolicyVerdict.NOT_ALLOWED


@pytest.mark.parametrize(
    ("resource", "verdict"),
    [
        ("arn:aws:ssm:us-east-1:123456789012:parameter/a/b", PolicyVerdict.ALLOWED),
        ("arn:aws:ssm:*:*:parameter/a/*", PolicyVerdict.ALLOWED),
        (["arn:aws:ssm:us-east-1:123456789012:parameter/c", READ.resource], PolicyVerdict.ALLOWED),
        ("arn:aws:ssm:us-east-1:123456789012:parameter/A/b", PolicyVerdict.NOT_ALLOWED),
        ("arn:aws:ssm:us-east-1:123456789012:parameter/a", PolicyVerdict.NOT_ALLOWED),
    ],
)
def test_a_resource_is_matched_with_case_and_wildcards(resource: Any, verdict: PolicyVerdict) -> None:
    assert judged([ALLOW | {"Resource": resource}], READ) is verdict


def test_a_deny_beats_every_allow() -> None:
    deny = {"Effect": "Deny", "Action": "ssm:*", "Resource": "*"}
    assert judged([ALLOW, deny], READ) is PolicyVerdict.DENIED


def test_a_condition_must_hold_and_its_key_must_be_there() -> None:
    ask = Ask(action=READ.action, resource=READ.resource, context={"aws:principalaccount": "123456789012"})
    mine = ALLOW | {"Condition": {"StringEquals": {"aws:PrincipalAccount": "123456789012"}}}
    other = ALLOW | {"Condition": {"StringEquals": {"aws:PrincipalAccount": "999999999999"}}}
    absent = ALLOW | {"Condition": {"StringLike": {"aws:SourceArn": "*"}}}
    assert [judged([one], ask) for one in (mine, other, absent)] == [
        PolicyVerdict.ALLOWED,
        PolicyVerdict.NOT_ALLOWED,
        PolicyVerdict.NOT_ALLOWED,
    ]


@pytest.mark.parametrize(
    ("actions", "for_all", "for_any"),
    [
        (("arn:aws:sns:a", "arn:aws:lambda:b"), True, True),
        (("arn:aws:sns:a", "arn:aws:automate:c"), False, True),
        (("arn:aws:automate:c",), False, False),
        # AWS: true of a key that the request does not have, and false.
        ((), True, False),
        (None, True, False),
    ],
)
def test_of_a_key_with_several_values_all_must_match_or_any(
    actions: tuple[str, ...] | None, *, for_all: bool, for_any: bool
) -> None:
    context = {} if actions is None else {"cloudwatch:alarmactions": actions}
    ask = Ask(action=READ.action, resource=READ.resource, context=context)
    wanted = {"cloudwatch:AlarmActions": ["arn:aws:sns:*", "arn:aws:lambda:*"]}
    for quantifier, allowed in (("ForAllValues", for_all), ("ForAnyValue", for_any)):
        one = ALLOW | {"Condition": {f"{quantifier}:StringLike": wanted}}
        assert (judged([one], ask) is PolicyVerdict.ALLOWED) is allowed


def test_a_key_with_several_values_is_not_judged_as_if_it_had_one() -> None:
    ask = Ask(action=READ.action, resource=READ.resource, context={"cloudwatch:alarmactions": ("arn:aws:sns:a",)})
    with pytest.raises(ValueError, match="which has several values"):
        judged([ALLOW | {"Condition": {"StringLike": {"cloudwatch:AlarmActions": "*"}}}], ask)


@pytest.mark.parametrize(
    "statement",
    [
        {"Effect": "Allow", "NotAction": "ssm:PutParameter", "Resource": "*"},
        {"Effect": "Allow", "Action": "*", "NotResource": "*"},
        ALLOW | {"Resource": "arn:aws:ssm:us-east-1:123456789012:parameter/${aws:username}"},
        ALLOW | {"Condition": {"NumericLessThan": {"aws:MultiFactorAuthAge": "3600"}}},
        ALLOW | {"Condition": {"ForAllValues:NumericLessThan": {"aws:MultiFactorAuthAge": "3600"}}},
    ],
)
def test_what_cannot_be_judged_is_not_guessed(statement: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="the sandbox cannot judge"):
        judged([statement], READ)
