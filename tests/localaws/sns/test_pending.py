"""What CloudFormation makes of a subscription that nobody has confirmed."""

import json
from typing import Any

import pytest

from localaws.sandbox import Sandbox

TYPED, MEANT = "tpyo@example.com", "right@example.com"


def template(endpoint: str) -> str:
    properties: dict[str, Any] = {"TopicArn": {"Ref": "Topic"}, "Protocol": "email", "Endpoint": endpoint}
    return json.dumps(
        {
            "Resources": {
                "Topic": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": "told"}},
                "Mail": {"Type": "AWS::SNS::Subscription", "Properties": properties},
            }
        }
    )


@pytest.mark.parametrize("confirms", [True, False])
def test_a_subscription_that_nobody_has_confirmed_stays_and_goes_with_its_topic(
    sandbox: Sandbox, confirms: bool
) -> None:
    """SNS lets nobody delete it (https://docs.aws.amazon.com/sns/latest/dg/sns-delete-subscription-topic.html)."""
    cloudformation, sns = sandbox.client("cloudformation"), sandbox.client("sns")
    if not confirms:
        sandbox.subscribers.unconfirmed.add(TYPED)
    cloudformation.create_stack(StackName="told", TemplateBody=template(TYPED))
    cloudformation.update_stack(StackName="told", TemplateBody=template(MEANT))
    (topic,) = [one["TopicArn"] for one in sns.list_topics()["Topics"] if one["TopicArn"].endswith(":told")]
    subscribed = {one["Endpoint"] for one in sns.list_subscriptions_by_topic(TopicArn=topic)["Subscriptions"]}
    assert subscribed == ({MEANT} if confirms else {TYPED, MEANT})
    cloudformation.delete_stack(StackName="told")
    assert "told" not in {one["StackName"] for one in cloudformation.describe_stacks()["Stacks"]}
    assert not any(one["TopicArn"] == topic for one in sns.list_topics()["Topics"])
