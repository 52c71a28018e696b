"""What the policy of a topic or key says to an alarm and to a role, and when that is not clear."""

import json
from typing import Any

import pytest
from efs_monitor.notify.resource_policy import Publisher, Says, alarm_publisher, key_user, role_publisher, says

TOPIC = "arn:aws:sns:us-east-1:111122223333:shared"
ALARM = alarm_publisher("arn:aws:cloudwatch:us-east-1:123456789012:alarm:home-warning")
ROLE = role_publisher("arn:aws:iam::123456789012:role/home-ExplainRole-1A2B3C")
ALLOW: dict[str, Any] = {
    "Effect": "Allow",
    "Principal": {"Service": "cloudwatch.amazonaws.com", "AWS": "123456789012"},
    "Action": "SNS:Publish",
    "Resource": TOPIC,
}
BOTH = pytest.mark.parametrize("publisher", [ALARM, ROLE], ids=["alarm", "role"])


def answer(publisher: Publisher, *statements: dict[str, Any]) -> Says:
    return says(json.dumps({"Version": "2012-10-17", "Statement": list(statements)}), "sns:Publish", TOPIC, publisher)


def where(operator: str, key: str, value: Any) -> dict[str, Any]:
    return {**ALLOW, "Condition": {operator: {key: value}}}


@BOTH
@pytest.mark.parametrize(
    "statement",
    [
        ALLOW,
        {**ALLOW, "Principal": "*"},
        {**ALLOW, "Principal": {"AWS": ["*"]}},
        {**ALLOW, "Action": ["sns:GetTopicAttributes", "sns:Pub*"]},
        {**ALLOW, "Resource": "arn:aws:sns:*:111122223333:share?"},
        where("StringEquals", "AWS:SourceOwner", ["210987654321", "123456789012"]),
        where("StringNotEquals", "aws:SourceOwner", "210987654321"),
        where("Bool", "aws:SecureTransport", "true"),
        where("StringLikeIfExists", "aws:SourceOwner", "1234*"),
        where("StringNotLike", "aws:SourceOwner", "2*"),
    ],
)
def test_a_statement_that_fits_lets_both_publish(publisher: Publisher, statement: dict[str, Any]) -> None:
    assert answer(publisher, statement) is Says.YES


@BOTH
@pytest.mark.parametrize(
    "statement",
    [
        {**ALLOW, "Principal": {"Service": "events.amazonaws.com", "AWS": "210987654321"}},
        {**ALLOW, "Principal": {"Federated": "cognito"}},
        {**ALLOW, "Action": "sns:Subscribe"},
        {**ALLOW, "Resource": f"{TOPIC}-2"},
        where("StringEquals", "aws:SourceOwner", "111122223333"),
        where("Bool", "aws:SecureTransport", "false"),
        where("StringNotLike", "aws:SourceOwner", "1*"),
    ],
)
def test_a_statement_that_does_not_fit_lets_nobody_publish(publisher: Publisher, statement: dict[str, Any]) -> None:
    assert answer(publisher, statement) is Says.NO
    assert answer(publisher) is Says.NO


@BOTH
@pytest.mark.parametrize(
    "statement",
    [
        where("StringEquals", "aws:ResourceOrgID", "o-1"),
        where("IpAddress", "aws:SourceOwner", "10.0.0.0/8"),
        where("StringEquals", "aws:SourceOwner", "${aws:PrincipalAccount}"),
        {key: value for key, value in ALLOW.items() if key != "Principal"} | {"NotPrincipal": {"AWS": "210987654321"}},
        {key: value for key, value in ALLOW.items() if key != "Action"} | {"NotAction": "sns:Subscribe"},
    ],
)
def test_what_cannot_be_known_here_is_unclear_and_not_guessed(publisher: Publisher, statement: dict[str, Any]) -> None:
    assert answer(publisher, statement) is Says.UNCLEAR
    # Whether it lets somebody in matters only where nothing else does for sure.
    assert answer(publisher, ALLOW, statement) is answer(publisher, statement, ALLOW) is Says.YES
    assert answer(publisher, ALLOW, {**statement, "Effect": "Deny"}) is Says.UNCLEAR


@BOTH
def test_what_does_not_matter_is_not_unclear(publisher: Publisher) -> None:
    unknown = where("StringEquals", "aws:ResourceOrgID", "o-1")
    assert answer(publisher, {**unknown, "Action": "sns:Subscribe"}) is Says.NO
    assert answer(publisher, ALLOW, {**unknown, "Effect": "Deny", "Resource": f"{TOPIC}-2"}) is Says.YES


IN_ORGANISATION = where("StringEquals", "aws:PrincipalOrgID", "o-1")
OUTSIDE = {**where("StringNotEquals", "aws:PrincipalOrgID", "o-1"), "Effect": "Deny"}
SERVICES_MAY = {"Bool": {"aws:PrincipalIsAWSService": "false"}}


@pytest.mark.parametrize(
    ("statements", "of_alarm", "of_role"),
    [
        # CloudWatch is in no organisation; whether the account of a role is in one is not known here.
        ([IN_ORGANISATION], Says.NO, Says.UNCLEAR),
        ([where("ForAnyValue:StringLike", "aws:PrincipalOrgPaths", "o-1/*")], Says.NO, Says.UNCLEAR),
        ([where("ForAnyValue:StringNotLike", "aws:PrincipalOrgPaths", "o-1/*")], Says.NO, Says.UNCLEAR),
        ([where("ForAllValues:StringLike", "aws:PrincipalOrgPaths", "o-1/*")], Says.YES, Says.UNCLEAR),
        ([where("StringEqualsIfExists", "aws:PrincipalOrgID", "o-1")], Says.YES, Says.UNCLEAR),
        ([where("StringEquals", "aws:PrincipalTag/team", "storage")], Says.NO, Says.UNCLEAR),
        ([ALLOW, OUTSIDE], Says.DENIES, Says.UNCLEAR),
        ([ALLOW, {**OUTSIDE, "Condition": {**OUTSIDE["Condition"], **SERVICES_MAY}}], Says.YES, Says.UNCLEAR),
        ([{**ALLOW, "Condition": SERVICES_MAY}], Says.NO, Says.YES),
        ([where("Bool", "aws:PrincipalIsAWSService", "true")], Says.YES, Says.NO),
        ([where("StringEquals", "aws:PrincipalServiceName", "cloudwatch.amazonaws.com")], Says.YES, Says.NO),
        # What tells for whom a service acts comes with a service's requests alone.
        ([where("StringEquals", "aws:SourceAccount", "123456789012")], Says.YES, Says.NO),
        ([where("ArnLike", "aws:SourceArn", "arn:aws:cloudwatch:*:123456789012:alarm:*")], Says.YES, Says.NO),
        ([where("StringEquals", "aws:SourceOrgID", "o-1")], Says.UNCLEAR, Says.NO),
        ([where("Null", "aws:SourceAccount", "false")], Says.YES, Says.NO),
        ([where("Null", "aws:SourceAccount", "true")], Says.NO, Says.YES),
        # Neither comes by way of an endpoint in somebody's VPC.
        ([where("StringEquals", "aws:SourceVpce", "vpce-1")], Says.NO, Says.NO),
        ([ALLOW, {**where("StringNotEquals", "aws:SourceVpc", "vpc-1"), "Effect": "Deny"}], Says.DENIES, Says.DENIES),
        ([where("NotIpAddress", "aws:VpcSourceIp", "10.0.0.0/8")], Says.YES, Says.YES),
    ],
)
def test_what_a_request_surely_comes_without_holds_only_where_nothing_or_something_else_is_asked_for(
    statements: list[dict[str, Any]], of_alarm: Says, of_role: Says
) -> None:
    assert (answer(ALARM, *statements), answer(ROLE, *statements)) == (of_alarm, of_role)


@BOTH
def test_a_denial_wins(publisher: Publisher) -> None:
    assert answer(publisher, ALLOW, {**ALLOW, "Effect": "Deny"}) is Says.DENIES


def test_an_alarm_is_known_by_its_arn_and_account_and_a_role_by_its_own() -> None:
    of_alarm = where("ArnLike", "aws:SourceArn", "arn:aws:cloudwatch:*:123456789012:alarm:home-*")
    assert answer(ALARM, of_alarm) is Says.YES
    assert answer(ALARM, where("ArnEquals", "aws:SourceArn", "arn:aws:cloudwatch:*:*:alarm:work-*")) is Says.NO
    assert answer(ALARM, where("StringEquals", "aws:SourceAccount", "123456789012")) is Says.YES
    of_role = where("ArnLike", "aws:PrincipalArn", "arn:aws:iam::123456789012:role/home*")
    assert answer(ROLE, of_role) is Says.YES
    assert answer(ROLE, where("StringEquals", "aws:PrincipalAccount", "123456789012")) is Says.YES
    root = {**ALLOW, "Principal": {"AWS": "arn:aws:iam::123456789012:root"}}
    by_name = {**ALLOW, "Principal": {"AWS": "arn:aws:iam::123456789012:role/home-ExplainRole-1A2B3C"}}
    assert [answer(ROLE, one) for one in (root, by_name)] == [Says.YES, Says.YES]
    assert [answer(ALARM, one) for one in (root, by_name)] == [Says.NO, Says.NO]


@pytest.mark.parametrize(
    ("pattern", "like", "not_like"),
    [
        ("arn:aws:cloudwatch:*:*:*", Says.YES, Says.NO),
        # The account would be called alarm.
        ("arn:aws:cloudwatch:*:alarm:*", Says.NO, Says.YES),
        ("arn:aws:cloudwatch:us-*:123456789012:alarm", Says.NO, Says.YES),
        # What IAM makes of fewer parts than an ARN has, it does not say.
        ("arn:aws:cloudwatch:*", Says.UNCLEAR, Says.UNCLEAR),
        ("*", Says.UNCLEAR, Says.UNCLEAR),
    ],
)
def test_a_condition_on_an_arn_looks_at_each_part_between_colons_by_itself(
    pattern: str, like: Says, not_like: Says
) -> None:
    for operators, expected in ((("ArnLike", "ArnEquals"), like), (("ArnNotLike", "ArnNotEquals"), not_like)):
        assert {answer(ALARM, where(one, "aws:SourceArn", pattern)) for one in operators} == {expected}
    whole = "arn:aws:cloudwatch:*:alarm:*"
    assert answer(ALARM, where("StringLike", "aws:SourceArn", whole)) is Says.YES


def test_one_statement_may_stand_without_a_list() -> None:
    assert says(json.dumps({"Statement": ALLOW}), "sns:Publish", TOPIC, ROLE) is Says.YES


def test_before_a_key_nothing_is_known_that_only_sns_tells() -> None:
    arn = "arn:aws:kms:us-east-1:111122223333:key/1234abcd"
    statement = {"Effect": "Allow", "Principal": "*", "Action": "kms:GenerateDataKey*", "Resource": "*"}
    user = key_user("arn:aws:cloudwatch:us-east-1:123456789012:alarm:home-warning")

    def said(**condition: str) -> Says:
        policy = json.dumps({"Statement": {**statement, "Condition": {"StringEquals": condition}}})
        return says(policy, "kms:GenerateDataKey", arn, user)

    assert said() is said(**{"aws:SourceAccount": "123456789012"}) is Says.YES
    assert said(**{"aws:SourceAccount": "111122223333"}) is Says.NO
    assert said(**{"aws:SourceOwner": "123456789012"}) is Says.UNCLEAR
    assert says(json.dumps({"Statement": statement}), "kms:Decrypt", arn, user) is Says.NO


WITHOUT_RESOURCE = {name: one for name, one in ALLOW.items() if name != "Resource"}


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        # Without any it is about the topic that has the policy.
        (WITHOUT_RESOURCE, Says.YES),
        ({**ALLOW, "Resource": [f"{TOPIC}-2", TOPIC]}, Says.YES),
        ({**WITHOUT_RESOURCE, "NotResource": f"{TOPIC}-2"}, Says.UNCLEAR),
        (where("StringLike", "aws:SourceAccount", ["9*", "1234*"]), Says.YES),
        (where("StringNotLike", "aws:SourceAccount", ["9*", "1234*"]), Says.NO),
        # A variable among others may be anything, and what is no ARN among those that are.
        (where("StringEquals", "aws:SourceAccount", ["${aws:x}", "123456789012"]), Says.UNCLEAR),
        (where("ArnLike", "aws:SourceArn", ["*", "arn:aws:cloudwatch:*:*:alarm:*"]), Says.UNCLEAR),
        (where("ArnLike", "aws:SourceArn", ["arn:aws:s3:*:*:x", "arn:aws:cloudwatch:*:*:alarm:*"]), Says.YES),
    ],
)
def test_one_of_several_that_fits_is_enough_and_one_that_is_not_clear_leaves_it_open(
    statement: dict[str, Any], said: Says
) -> None:
    assert answer(ALARM, statement) is said
