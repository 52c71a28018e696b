"""A key may be named by its ID or its ARN, in its own Region and account, and is used while it is enabled."""

import json
from collections.abc import Callable

import pytest
from botocore.exceptions import ClientError

from localaws.sandbox import Sandbox

LETS_ALARMS_IN = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Principal": {"Service": "cloudwatch.amazonaws.com"},
                "Action": ["kms:Decrypt", "kms:GenerateDataKey*"],
                "Resource": "*",
            }
        ],
    }
)


@pytest.mark.parametrize("named_by", ["KeyId", "Arn"])
def test_a_key_is_disabled_and_enabled_and_its_deletion_planned_and_not(sandbox: Sandbox, named_by: str) -> None:
    keys = sandbox.client("kms")
    key = keys.create_key()["KeyMetadata"]

    def state() -> str:
        return str(keys.describe_key(KeyId=key["KeyId"])["KeyMetadata"]["KeyState"])

    keys.disable_key(KeyId=key[named_by])
    assert state() == "Disabled"
    keys.enable_key(KeyId=key[named_by])
    assert state() == "Enabled"
    keys.schedule_key_deletion(KeyId=key[named_by], PendingWindowInDays=7)
    assert state() == "PendingDeletion"
    keys.cancel_key_deletion(KeyId=key[named_by])
    assert state() == "Disabled"


@pytest.mark.parametrize(
    "arn",
    [
        "arn:aws:kms:us-east-1:123456789012:key/{other}",
        "arn:aws:kms:eu-west-1:123456789012:key/{id}",
        "arn:aws:kms:us-east-1:111122223333:key/{id}",
    ],
    ids=["another key", "another Region", "another account"],
)
def test_a_key_that_is_not_here_is_refused(sandbox: Sandbox, arn: str) -> None:
    keys = sandbox.client("kms")
    here = keys.create_key()["KeyMetadata"]["KeyId"]
    with pytest.raises(keys.exceptions.NotFoundException):
        keys.disable_key(KeyId=arn.format(id=here, other="6f1e0a70-0000-4000-8000-000000000000"))


@pytest.mark.parametrize(
    ("change", "code"),
    [("disable_key", "KMSDisabled"), ("schedule_key_deletion", "KMSInvalidState")],
)
def test_no_message_is_taken_for_a_topic_whose_key_cannot_be_used(
    sandbox: Sandbox, put_alarm: Callable[..., None], change: str, code: str
) -> None:
    keys, sns = sandbox.client("kms"), sandbox.client("sns")
    key = keys.create_key(Policy=LETS_ALARMS_IN)["KeyMetadata"]["Arn"]
    topic = sns.create_topic(Name="low", Attributes={"KmsMasterKeyId": key})["TopicArn"]
    sns.publish(TopicArn=topic, Message="before")
    getattr(keys, change)(KeyId=key)
    with pytest.raises(ClientError) as refused:
        sns.publish(TopicArn=topic, Message="after")
    assert refused.value.response["Error"]["Code"] == code
    put_alarm("low", AlarmActions=[topic])
    sandbox.client("cloudwatch").set_alarm_state(AlarmName="low", StateValue="ALARM", StateReason="a test")
    history = sandbox.client("cloudwatch").describe_alarm_history(AlarmName="low", HistoryItemType="Action")
    (action,) = history["AlarmHistoryItems"]
    assert action["HistorySummary"].startswith("Failed to execute action")
    assert key in action["HistoryData"]
    assert [one.message for one in sandbox.mailbox.publications] == ["before"]
