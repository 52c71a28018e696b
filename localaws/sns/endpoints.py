"""What subscribes by http or https: each message is posted to it as SNS does, over real HTTP, signed by moto.

Only what listens on this machine is posted to: at the address that `Subscribers.listening` has for an endpoint, or at
the endpoint itself where that is on the loopback interface. Whoever else subscribes takes every message, and nothing
leaves the machine. SNS tries a failed delivery again for an hour; here it is given up at once.
"""

import json
from collections.abc import Callable, Mapping
from http.client import HTTPException
from typing import Any
from urllib.request import Request, urlopen

from moto.sns.models import Subscription

PROTOCOLS = frozenset({"http", "https"})
ON_THIS_MACHINE = ("http://127.0.0.1:", "http://localhost:")
# SNS waits so long for an answer.
SECONDS = 15


def post(
    subscription: Subscription,
    message_id: str,
    subject: str | None,
    text: str,
    message_attributes: dict[str, Any] | None,
    listening: Mapping[str, str],
) -> bool:
    """Deliver a message in its envelope, or alone where the subscription asks for it; whether it was taken."""
    address = listening.get(subscription.endpoint, subscription.endpoint)
    if not address.startswith(ON_THIS_MACHINE):
        return True
    raw = str(subscription.attributes.get("RawMessageDelivery")).lower() == "true"
    envelope = subscription.get_post_data(text, message_id, subject, message_attributes)
    headers = {
        "Content-Type": "text/plain; charset=UTF-8",
        "User-Agent": "Amazon Simple Notification Service Agent",
        "x-amz-sns-message-type": "Notification",
        "x-amz-sns-message-id": message_id,
        "x-amz-sns-topic-arn": subscription.topic.arn,
        "x-amz-sns-subscription-arn": subscription.arn,
        **({"x-amz-sns-rawdelivery": "true"} if raw else {}),
    }
    body = text if raw else json.dumps(envelope, indent=2)
    try:
        # What answers with an error raises one. The address is one of this machine's.
        urlopen(Request(address, data=body.encode(), headers=headers), timeout=SECONDS).close()  # noqa: S310 - said above
    except (OSError, HTTPException):
        return False
    return True


def publishing_with(theirs: Callable[..., None]) -> Callable[..., None]:
    """A replacement for `Subscription.publish`, which leaves endpoints to `post`: moto would call any address that
    somebody subscribes.
    """

    def publish(subscription: Subscription, *arguments: object, **named: object) -> None:
        if subscription.protocol not in PROTOCOLS:
            theirs(subscription, *arguments, **named)

    return publish
