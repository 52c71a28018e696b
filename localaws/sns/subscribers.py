"""Who subscribes: those who never confirm, mailboxes that take nothing, and where an endpoint listens."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from moto.core.responses import ActionResult
from moto.sns.exceptions import SNSInvalidParameter
from moto.sns.models import SNSBackend, Subscription, Topic
from moto.sns.responses import SNSResponse

from localaws.sns.endpoints import PROTOCOLS

PENDING = "PendingConfirmation"
# https://docs.aws.amazon.com/sns/latest/api/API_Subscribe.html
SUPPORTED = {"http", "https", "email", "email-json", "sms", "sqs", "application", "lambda", "firehose"}
# What SNS holds against it is not known; without a mailbox and a domain of two parts it is no address at all.
MAIL_ADDRESS = re.compile(r"[^\s@]+@[^\s@.]+(\.[^\s@.]+)+")


class Subscribers:
    """Everybody confirms at once and takes every message, unless an address is named here.

    `listening` has the address on this machine of an endpoint that subscribes by https: no certificate is needed.
    """

    def __init__(self) -> None:
        self.unconfirmed: set[str] = set()
        self.bouncing: set[str] = set()
        self.listening: dict[str, str] = {}

    def of(self, topic: Topic) -> Iterator[Subscription]:
        """The confirmed subscriptions of a topic by mail, http and https."""
        for subscription in subscriptions_of(topic.sns_backend, topic):
            if subscription.protocol in {"email", *PROTOCOLS} and subscription.endpoint not in self.unconfirmed:
                yield subscription


def subscribing_with(theirs: Callable[..., Subscription]) -> Callable[..., Subscription]:
    """`SNSBackend.subscribe`, which refuses what is no protocol and no address."""

    def subscribe(backend: SNSBackend, topic_arn: str, endpoint: str, protocol: str) -> Subscription:
        if protocol not in SUPPORTED:
            raise SNSInvalidParameter(
                f"Invalid parameter: Amazon SNS does not support this protocol string: {protocol}"
            )
        if protocol.startswith("email") and MAIL_ADDRESS.fullmatch(endpoint) is None:
            raise SNSInvalidParameter("Invalid parameter: Email address")
        return theirs(backend, topic_arn, endpoint, protocol)

    return subscribe


def subscriptions_of(backend: SNSBackend, topic: Topic) -> list[Subscription]:
    """All of a topic, which the account that has the topic knows, whichever account's `backend` is asked."""
    del backend
    return [one for one in topic.sns_backend.subscriptions.values() if one.topic == topic]


def listing_with(
    subscribers: Subscribers, theirs: Callable[[SNSResponse], ActionResult]
) -> Callable[[SNSResponse], ActionResult]:
    """ListSubscriptions and ListSubscriptionsByTopic, with PendingConfirmation for an ARN where SNS has that."""

    def listed(response: SNSResponse) -> ActionResult:
        answer = theirs(response)
        return ActionResult(
            {
                **answer.result,
                "Subscriptions": [_described(one, subscribers) for one in answer.result["Subscriptions"]],
            }
        )

    return listed


def _described(subscription: Subscription, subscribers: Subscribers) -> dict[str, Any]:
    return {
        "SubscriptionArn": PENDING if subscription.endpoint in subscribers.unconfirmed else subscription.arn,
        "Owner": subscription.owner,
        "Protocol": subscription.protocol,
        "Endpoint": subscription.endpoint,
        "TopicArn": subscription.topic_arn,
    }
