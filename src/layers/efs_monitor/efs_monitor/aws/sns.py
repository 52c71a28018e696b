"""Amazon SNS: a message to a topic, worded for each protocol, who is subscribed to one, and how it is set up."""

import json
from typing import TYPE_CHECKING, Protocol

from botocore.exceptions import ClientError

from efs_monitor.aws.calls import error_code, named
from efs_monitor.aws.chat_notification import ChatMessage, custom_notification
from efs_monitor.errors import TopicGone

if TYPE_CHECKING:
    from mypy_boto3_sns import SNSClient

    from efs_monitor.notify.given_topics import TopicAttributes
    from efs_monitor.notify.health_observations import Subscription

# SNS writes these in place of an ARN; a deleted subscription is listed for a while.
PENDING, DELETED = "PendingConfirmation", "Deleted"
# Of all that is published at once, for every protocol together.
MAXIMUM_MESSAGE_BYTES = 256 * 1024


class TopicMessage(Protocol):
    """What a topic takes: a mail's subject and body, `short` for a phone, and what a chat shows."""

    @property
    def subject(self) -> str:
        """One line, fewer than 100 characters."""

    @property
    def body(self) -> str:
        """What a mail says."""

    @property
    def short(self) -> str:
        """What a text message says."""

    @property
    def chat(self) -> ChatMessage:
        """What a chat shows."""


def publish(sns: "SNSClient", topic_arn: str, message: TopicMessage, *, to_chat: bool) -> None:
    """Send to every subscriber of the topic: the body by mail and the rest, the short form as a text message.

    Where the topic is shown in a chat, `to_chat`, what subscribes by https gets the chat's form instead.
    """
    texts = {"default": message.body, "email": message.body, "sms": message.short}
    with named("sns:Publish", topic_arn):
        sns.publish(
            TopicArn=topic_arn,
            Subject=message.subject,
            MessageStructure="json",
            Message=json.dumps(_with_chat(texts, message.chat) if to_chat else texts),
        )


def _with_chat(texts: dict[str, str], chat: ChatMessage) -> dict[str, str]:
    """A mail that leaves no room for the chat's form goes without: SNS would refuse both."""
    more = texts | {"https": json.dumps(custom_notification(chat))}
    return more if len(json.dumps(more)) <= MAXIMUM_MESSAGE_BYTES else texts


def subscriptions(sns: "SNSClient", topic_arn: str) -> "tuple[Subscription, ...]":
    """Everybody who gets the topic's messages, or would after confirming; TopicGone where there is no such topic."""
    from efs_monitor.notify.health_observations import Subscription  # noqa: PLC0415 - a cold start of whoever only sends does not pay for what judges topics

    with named("sns:ListSubscriptionsByTopic", topic_arn):
        pages = sns.get_paginator("list_subscriptions_by_topic").paginate(TopicArn=topic_arn)
        try:
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
        except ClientError as error:
            if _is_not_found(error):
                raise TopicGone(f"There is no topic {topic_arn} any more") from error
            raise


def attributes(sns: "SNSClient", topic_arn: str) -> "TopicAttributes":
    """Policy and key of a topic; TopicGone where there is none."""
    from efs_monitor.notify.given_topics import TopicAttributes  # noqa: PLC0415 - only a deployment asks, and no other cold start pays for it

    with named("sns:GetTopicAttributes", topic_arn):
        try:
            found = sns.get_topic_attributes(TopicArn=topic_arn)["Attributes"]
        except ClientError as error:
            if _is_not_found(error):
                raise TopicGone(f"There is no topic {topic_arn}") from error
            raise
        return TopicAttributes(policy=found["Policy"], key=found.get("KmsMasterKeyId", ""))


def _is_not_found(error: ClientError) -> bool:
    return error_code(error) == "NotFound"
