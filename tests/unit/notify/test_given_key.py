"""What a stack asks of the policy of its topics' key, and in which words it refuses."""

import json
from typing import Any

import pytest
from efs_monitor.errors import KeyRefused
from efs_monitor.notify.given_key import STATEMENT, is_readable, judged_key
from efs_monitor.notify.given_topics import GivenTopic, TopicAttributes, alarms_of_encrypted_topics
from efs_monitor.stack_identity import StackIdentity

from tests.unit.docs.pages import blocks

STACK = StackIdentity(partition="aws", region="us-east-1", account_id="123456789012", stack_name="home")
KEY = "arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab"
ALARMS = ("warning", "draining")
# What KMS gives a key that nobody gave a policy.
ROOT = {
    "Effect": "Allow",
    "Principal": {"AWS": "arn:aws:iam::123456789012:root"},
    "Action": "kms:*",
    "Resource": "*",
}
CLOUDWATCH: dict[str, Any] = json.loads(STATEMENT)
LETS_IN = "EncryptionKeyArn: its policy lets CloudWatch use it."


def said(*statements: dict[str, Any], alarms: tuple[str, ...] = ALARMS) -> str:
    return judged_key(KEY, json.dumps({"Version": "2012-10-17", "Statement": list(statements)}), alarms, STACK)


def test_what_is_printed_to_be_pasted_lets_every_alarm_in() -> None:
    assert said(ROOT, CLOUDWATCH) == LETS_IN


@pytest.mark.parametrize(
    "statement",
    [
        ROOT,
        {**CLOUDWATCH, "Action": "kms:Decrypt"},
        {**CLOUDWATCH, "Action": "kms:GenerateDataKey*"},
        {**CLOUDWATCH, "Principal": {"Service": "events.amazonaws.com"}},
        {**CLOUDWATCH, "Condition": {"StringEquals": {"aws:SourceAccount": "111122223333"}}},
        {**CLOUDWATCH, "Condition": {"ArnLike": {"aws:SourceArn": "arn:aws:cloudwatch:*:*:alarm:home-warning"}}},
    ],
)
def test_a_policy_that_keeps_an_alarm_out_is_refused_with_the_statement_that_it_lacks(
    statement: dict[str, Any],
) -> None:
    with pytest.raises(KeyRefused) as refused:
        said(ROOT, statement)
    assert str(refused.value) == (
        f"The policy of {KEY} (EncryptionKeyArn) does not let CloudWatch use it with kms:Decrypt and "
        "kms:GenerateDataKey*: no alarm would reach an encrypted topic; add to its statements " + STATEMENT
    )


def test_a_statement_that_denies_it_is_refused_as_such() -> None:
    with pytest.raises(KeyRefused) as refused:
        said(CLOUDWATCH, {**CLOUDWATCH, "Effect": "Deny"})
    assert str(refused.value) == (
        f"The policy of {KEY} (EncryptionKeyArn) has a statement that denies CloudWatch to use it: no alarm would "
        "reach an encrypted topic; change that"
    )


def test_conditions_that_the_alarms_fulfil_let_them_in() -> None:
    condition = {
        "StringEquals": {"aws:SourceAccount": "123456789012"},
        "ArnLike": {"aws:SourceArn": "arn:aws:cloudwatch:us-east-1:123456789012:alarm:*"},
    }
    assert said({**CLOUDWATCH, "Condition": condition}) == LETS_IN


def test_what_is_not_clear_or_may_not_be_read_is_taken_and_said_with_what_it_needs() -> None:
    condition = {"StringEquals": {"kms:ViaService": "sns.us-east-1.amazonaws.com"}}
    assert said({**CLOUDWATCH, "Condition": condition}) == (
        f"EncryptionKeyArn: whether its policy lets CloudWatch use it is not clear from here. Such as: {STATEMENT}"
    )
    assert judged_key(KEY, None, ALARMS, STACK) == (
        "EncryptionKeyArn: its policy may not be read from here, and must let CloudWatch use it. Such as: " + STATEMENT
    )


def test_where_no_alarm_tells_an_encrypted_topic_none_must_be_let_in() -> None:
    assert said(ROOT, alarms=()) == LETS_IN


def test_only_of_a_key_of_the_own_account_a_policy_can_be_read() -> None:
    assert is_readable(KEY, STACK)
    assert not is_readable(KEY.replace("123456789012", "111122223333"), STACK)
    assert not is_readable("", STACK)


def test_alarms_need_the_key_for_topics_that_the_stack_makes_and_for_given_ones_that_may_be_encrypted() -> None:
    def topic(parameter: str) -> GivenTopic:
        return GivenTopic(parameter=parameter, arn="arn:aws:sns:us-east-1:1:x", alarms=(), role_arns=())

    properties = {"AdviceAlarms": ["percent-io-limit"]}
    every = ["warning", "draining", "critical", "exhausted", "percent-io-limit"]
    assert alarms_of_encrypted_topics(properties, {}) == every
    warning, critical = topic("WarningTopicArn"), topic("CriticalTopicArn")
    encrypted, plain = (TopicAttributes(policy="{}", key=key) for key in (KEY, ""))
    assert alarms_of_encrypted_topics(properties, {warning: encrypted, critical: None}) == every
    assert alarms_of_encrypted_topics(properties, {warning: plain, critical: encrypted}) == every[2:]


def test_the_page_shows_the_statement_that_a_deployment_prints() -> None:
    shown = [json.loads(block.text) for block in blocks("docs/integrations.md", "json")]
    (policy,) = [one for one in shown if isinstance(one, dict) and "Version" in one]
    assert policy["Statement"] == [{"Sid": "PoliciesOfThisAccountCount", **ROOT}, CLOUDWATCH]
