"""Properties are held against their type's schema, however deep they lie, at creations and at updates.

The limits here are in CloudFormation's own schemas: of those that only cfn-lint's edition adds, AWS has other words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.localaws.cloudformation.conftest import EmulatedStack

SCHEDULE: dict[str, Any] = {
    "ScheduleExpression": "rate(1 hour)",
    "FlexibleTimeWindow": {"Mode": "OFF"},
    "Target": {
        "Arn": "arn:aws:lambda:us-east-1:123456789012:function:f",
        "RoleArn": "arn:aws:iam::123456789012:role/r",
    },
}
FUNCTION: dict[str, Any] = {"Code": {"ZipFile": "pass"}, "Role": "arn:aws:iam::123456789012:role/for-functions"}


def keyword(name: str) -> str:
    return f"failed validation constraint for keyword [{name}]"


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("Logs::LogGroup", {"RetentionInDays": 2}, f"#/RetentionInDays: {keyword('enum')}"),
    ("Logs::LogGroup", {"RetentionInDays": "2"}, f"#/RetentionInDays: {keyword('enum')}"),
    ("Lambda::Function", FUNCTION | {"Timeout": 0}, f"#/Timeout: {keyword('minimum')}"),
    (
        "Lambda::Function",
        FUNCTION | {"Environment": {"Variable": {"A": "b"}}},
        "#/Environment: extraneous key [Variable] is not permitted",
    ),
    (
        "Lambda::Function",
        FUNCTION | {"Architectures": ["arm64", "x86_64"]},
        "#/Architectures: expected maximum item count: 1, found: 2",
    ),
    ("Lambda::Function", FUNCTION | {"Architectures": ["arm"]}, f"#/Architectures/0: {keyword('enum')}"),
    (
        "Scheduler::Schedule",
        SCHEDULE | {"FlexibleTimeWindow": {}},
        "#/FlexibleTimeWindow: required key [Mode] not found",
    ),
    (
        "Scheduler::Schedule",
        SCHEDULE | {"Target": SCHEDULE["Target"] | {"RetryPolicy": {"MaximumRetryAttempts": 186}}},
        f"#/Target/RetryPolicy/MaximumRetryAttempts: {keyword('maximum')}",
    ),
    (
        "Scheduler::Schedule",
        SCHEDULE | {"Target": SCHEDULE["Target"] | {"DeadLetterConfig": {"Arn": "arn:aws:sqs:us-east-1:1:q.fifo"}}},
        f"#/Target/DeadLetterConfig/Arn: {keyword('pattern')}",
    ),
    (
        "Scheduler::Schedule",
        SCHEDULE | {"Target": SCHEDULE["Target"] | {"KinesisParameters": {"PartitionKey": "k" * 257}}},
        "#/Target/KinesisParameters/PartitionKey: expected maxLength: 256, actual: 257",
    ),
    ("SNS::Topic", {"Tags": [{"Key": "a"}]}, "#/Tags/0: required key [Value] not found"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "properties", "problem"), WRONG)
def test_what_a_schema_does_not_allow_is_told_where_it_stands(
    stack: EmulatedStack, kind: str, properties: dict[str, Any], problem: str
) -> None:
    template = {"Resources": {"It": {"Type": f"AWS::{kind}", "Properties": properties}}}
    assert stack.create(template, OnFailure="DO_NOTHING") == "CREATE_FAILED"
    assert stack.reasons("It").splitlines() == [
        *("Properties validation failed for resource It with message:", problem)
    ]


@pytest.mark.parametrize(
    ("kind", "properties"),
    [
        ("SNS::Topic", {"Tags": [{"Key": "AWS:team", "Value": "a"}]}),
        ("SSM::Parameter", {"Type": "String", "Value": "a", "Tags": {"aws:team": "a"}}),
    ],
)
def test_a_tag_that_begins_as_aws_own_is_refused(stack: EmulatedStack, kind: str, properties: dict[str, Any]) -> None:
    template = {"Resources": {"It": {"Type": f"AWS::{kind}", "Properties": properties}}}
    assert stack.create(template, OnFailure="DO_NOTHING") == "CREATE_FAILED"
    assert "begins with aws:, which is reserved by AWS" in stack.reasons("It")


def test_an_update_is_held_against_it_too(stack: EmulatedStack) -> None:
    def template(days: int) -> dict[str, Any]:
        return {"Resources": {"It": {"Type": "AWS::Logs::LogGroup", "Properties": {"RetentionInDays": days}}}}

    stack.create(template(1))
    assert stack.update(template(2)) == "UPDATE_ROLLBACK_COMPLETE"
    assert f"#/RetentionInDays: {keyword('enum')}" in stack.reasons("It")
