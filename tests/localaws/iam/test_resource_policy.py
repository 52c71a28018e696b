"""Which policies let a service in."""

from typing import Any

import pytest

from localaws.iam.resource_policy import ServiceRequest, allows

TOPIC = "arn:aws:sns:us-east-1:123456789012:warning"
REQUEST = ServiceRequest(
    service="cloudwatch.amazonaws.com",
    action="SNS:Publish",
    resource=TOPIC,
    source_arn="arn:aws:cloudwatch:us-east-1:123456789012:alarm:low",
    source_account="123456789012",
)
ALLOW: dict[str, Any] = {
    "Effect": "Allow",
    "Principal": {"Service": "cloudwatch.amazonaws.com"},
    "Action": "sns:Publish",
    "Resource": TOPIC,
}


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"Principal": "*"},
        {"Principal": {"AWS": "*"}},
        {"Principal": {"Service": ["events.amazonaws.com", "cloudwatch.amazonaws.com"]}},
        {"Action": ["sns:Subscribe", "SNS:Publish"]},
        {"Action": "sns:*"},
        {"Resource": "arn:aws:sns:*:123456789012:*"},
        {"Condition": {"StringEquals": {"aws:SourceAccount": "123456789012"}}},
        {"Condition": {"StringEquals": {"AWS:SourceOwner": ["210987654321", "123456789012"]}}},
        {"Condition": {"ArnLike": {"AWS:SourceArn": "arn:aws:cloudwatch:*:123456789012:alarm:*"}}},
        {"Condition": {"ArnEquals": {"aws:SourceArn": REQUEST.source_arn}}},
        {"Condition": {"Bool": {"aws:SecureTransport": "true"}}},
    ],
)
def test_a_statement_that_fits_lets_the_service_in(change: dict[str, Any]) -> None:
    assert allows([{**ALLOW, **change}], REQUEST)


@pytest.mark.parametrize(
    "change",
    [
        {"Principal": {"Service": "events.amazonaws.com"}},
        {"Principal": {"AWS": "arn:aws:iam::123456789012:root"}},
        {"Action": "sns:Subscribe"},
        {"Resource": f"{TOPIC}-2"},
        {"Condition": {"StringEquals": {"aws:SourceAccount": "210987654321"}}},
        {"Condition": {"StringEquals": {"aws:PrincipalOrgID": "o-1"}}},
        # Each part between colons by itself: the account would be called alarm.
        {"Condition": {"ArnLike": {"aws:SourceArn": "arn:aws:cloudwatch:*:alarm:*"}}},
        {"Condition": {"ArnEquals": {"aws:SourceArn": "*"}}},
        {
            "Condition": {
                "StringEquals": {"aws:SourceAccount": "123456789012"},
                "ArnLike": {"aws:SourceArn": "arn:aws:cloudwatch:us-east-1:123456789012:alarm:high"},
            }
        },
    ],
)
def test_a_statement_that_does_not_fit_lets_nobody_in(change: dict[str, Any]) -> None:
    assert not allows([{**ALLOW, **change}], REQUEST)


def test_without_a_statement_nobody_gets_in() -> None:
    assert not allows([], REQUEST)


def test_a_denial_wins() -> None:
    assert not allows([ALLOW, {**ALLOW, "Effect": "Deny"}], REQUEST)


def test_a_condition_the_sandbox_cannot_judge_is_named() -> None:
    unknown = {**ALLOW, "Condition": {"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}}}
    with pytest.raises(ValueError, match="cannot judge the policy condition IpAddress aws:SourceIp"):
        allows([unknown], REQUEST)
