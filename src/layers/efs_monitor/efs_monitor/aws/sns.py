"""The Advice topic: one message, worded for each protocol."""

import json
from typing import TYPE_CHECKING

from efs_monitor.aws.calls import named
from efs_monitor.mail import Message

if TYPE_CHECKING:
    from mypy_boto3_sns import SNSClient


def send(sns: "SNSClient", topic_arn: str, message: Message) -> None:
    """Publish to every subscriber of the topic: the body by mail and the rest, the short form as a text message."""
    with named("sns:Publish", topic_arn):
        sns.publish(
            TopicArn=topic_arn,
            Subject=message.subject,
            MessageStructure="json",
            Message=json.dumps({"default": message.body, "email": message.body, "sms": message.short}),
        )
