"""Amazon SNS: who is subscribed to a topic."""

from typing import TYPE_CHECKING

from efs_monitor.aws.calls import named
from efs_monitor.notify.health import Subscription

if TYPE_CHECKING:
    from mypy_boto3_sns import SNSClient

# SNS writes these in place of an ARN; a deleted subscription is listed for a while.
PENDING, DELETED = "PendingConfirmation", "Deleted"


def subscriptions(sns: "SNSClient", topic_arn: str) -> tuple[Subscription, ...]:
    """Everybody who gets the topic's messages, or would after confirming."""
    with named("sns:ListSubscriptionsByTopic", topic_arn):
        pages = sns.get_paginator("list_subscriptions_by_topic").paginate(TopicArn=topic_arn)
        return tuple(
            Subscription(
                protocol=found["Protocol"],
                endpoint=found["Endpoint"],
                confirmed=found["SubscriptionArn"] != PENDING,
            )
            for page in pages
            for found in page["Subscriptions"]
            if found["SubscriptionArn"] != DELETED
        )
