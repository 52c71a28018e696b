"""SNS Publish as the service judges it, and the way of a message from a topic into the mailbox and to endpoints."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from moto.sns.exceptions import SNSInvalidParameter
from moto.sns.models import SNSBackend, Subscription, Topic

from localaws.account import ACCOUNT_ID
from localaws.cloudwatch.metrics import MetricId, MetricStore
from localaws.encryption_keys import require_usable_key
from localaws.iam.owned import stored_topic
from localaws.sns.endpoints import PROTOCOLS, post
from localaws.sns.mailbox import Mailbox
from localaws.sns.subscribers import Subscribers

MAXIMUM_MESSAGE_BYTES = 256 * 1024
Publish = Callable[..., str]


@dataclass(frozen=True, kw_only=True, slots=True)
class PublishedMessage:
    """A message as it was published: the text for each protocol, and what goes with it."""

    message_id: str
    subject: str | None
    texts: dict[str, str]
    attributes: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Sending:
    """Where mails go, who takes them, and where AWS/SNS counts them."""

    mailbox: Mailbox
    subscribers: Subscribers
    metrics: MetricStore

    def count(self, topic_arn: str, metric: str) -> None:
        """Add one to a metric of the topic, in its own account; a delivery fails or is given up at once here."""
        if topic_arn.split(":")[4] != ACCOUNT_ID:
            return
        identity = MetricId.of("AWS/SNS", metric, TopicName=topic_arn.rpartition(":")[2])
        self.metrics.record(identity, self.mailbox.now(), 1, unit="Count")


def publish_with(sending: Sending, moto_publish: Publish) -> Publish:
    """A replacement for `SNSBackend.publish`: the service's own checks, moto's delivery, then mails and endpoints."""

    def publish(  # noqa: PLR0917 - moto's own signature
        backend: SNSBackend,
        message: str,
        arn: str | None,
        phone_number: str | None = None,
        subject: str | None = None,
        message_attributes: dict[str, Any] | None = None,
        group_id: str | None = None,
        deduplication_id: str | None = None,
        message_structure: str | None = None,
    ) -> str:
        texts = _checked(message, subject, message_structure)
        topic = stored_topic(arn) if arn is not None else None
        if topic is not None:
            require_usable_key(topic)
        message_id = moto_publish(
            backend,
            message,
            arn,
            phone_number,
            subject,
            message_attributes,
            group_id,
            deduplication_id,
            message_structure,
        )
        if topic is not None:
            sending.mailbox.published(topic.arn, subject, texts["default"])
            sending.count(topic.arn, "NumberOfMessagesPublished")
            published = PublishedMessage(
                message_id=message_id, subject=subject, texts=texts, attributes=message_attributes
            )
            _deliver(topic, sending, published)
        return message_id

    return publish


def _checked(message: str, subject: str | None, message_structure: str | None) -> dict[str, str]:
    """The text for each protocol; raises SNSInvalidParameter in the service's words."""
    if not message:
        raise SNSInvalidParameter("Invalid parameter: Empty message")
    size_bytes = len(message.encode())
    if size_bytes > MAXIMUM_MESSAGE_BYTES:
        raise SNSInvalidParameter(
            f"Invalid parameter: Message too long ({size_bytes} bytes; at most {MAXIMUM_MESSAGE_BYTES})"
        )
    if subject is not None:
        _check_subject(subject)
    if message_structure != "json":
        return {"default": message}
    try:
        texts = json.loads(message)
    except ValueError as error:
        raise SNSInvalidParameter(
            f"Invalid parameter: Message Structure - JSON message body failed to parse: {error}"
        ) from error
    if not isinstance(texts, dict):
        raise SNSInvalidParameter("Invalid parameter: Message Structure - JSON message body failed to parse")
    # "Non-string values will cause the key to be ignored" (Publish), also that of the default.
    texts = {protocol: text for protocol, text in texts.items() if isinstance(text, str)}
    if "default" not in texts:
        raise SNSInvalidParameter("Invalid parameter: Message Structure - No default entry in JSON message body")
    return texts


def _check_subject(subject: str) -> None:
    if not subject or len(subject) >= 100:
        raise SNSInvalidParameter(
            f"Invalid parameter: Subject (it has {len(subject)} characters; 1 to 99 are allowed): {subject!r}"
        )
    if not subject.isascii() or not subject.isprintable():
        raise SNSInvalidParameter(
            f"Invalid parameter: Subject (only printable ASCII characters and no line breaks): {subject!r}"
        )


def _deliver(topic: Topic, sending: Sending, message: PublishedMessage) -> None:
    for subscription in sending.subscribers.of(topic):
        wanted = subscription._filter_policy_matcher
        if wanted is not None and not wanted.matches(message.attributes, message.texts["default"]):
            continue
        taken = _is_taken(subscription, topic, sending, message)
        sending.count(topic.arn, "NumberOfNotificationsDelivered" if taken else "NumberOfNotificationsFailed")


def _is_taken(subscription: Subscription, topic: Topic, sending: Sending, message: PublishedMessage) -> bool:
    subscribers, text = sending.subscribers, message.texts.get(subscription.protocol, message.texts["default"])
    if subscription.endpoint in subscribers.bouncing:
        return False
    if subscription.protocol in PROTOCOLS:
        return post(subscription, message.message_id, message.subject, text, message.attributes, subscribers.listening)
    sending.mailbox.receive(
        topic_arn=topic.arn,
        subscription_arn=subscription.arn,
        sender_name=topic.display_name or "AWS Notifications",
        to=subscription.endpoint,
        subject=message.subject,
        text=text,
    )
    return True
