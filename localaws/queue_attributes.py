"""The numbers of a queue, each within what SQS takes.

https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_SetQueueAttributes.html
"""

from collections.abc import Callable, Mapping
from typing import Any

from moto.sqs.exceptions import InvalidAttributeValue
from moto.sqs.models import Queue, SQSBackend

RANGES: Mapping[str, tuple[int, int]] = {
    "DelaySeconds": (0, 900),
    "KmsDataKeyReusePeriodSeconds": (60, 86_400),
    "MaximumMessageSize": (1_024, 1_048_576),
    "MessageRetentionPeriod": (60, 1_209_600),
    "ReceiveMessageWaitTimeSeconds": (0, 20),
    "VisibilityTimeout": (0, 43_200),
}


def created_with(theirs: Callable[..., Queue]) -> Callable[..., Queue]:
    """`SQSBackend.create_queue`."""

    def create(backend: SQSBackend, name: str, tags: dict[str, str] | None = None, **attributes: Any) -> Queue:
        _check(attributes)
        return theirs(backend, name, tags, **attributes)

    return create


def set_with(theirs: Callable[..., Queue]) -> Callable[..., Queue]:
    """`SQSBackend.set_queue_attributes`."""

    def set_attributes(backend: SQSBackend, queue_name: str, attributes: dict[str, Any]) -> Queue:
        _check(attributes)
        return theirs(backend, queue_name, attributes)

    return set_attributes


def _check(attributes: Mapping[str, Any]) -> None:
    for name in attributes.keys() & RANGES.keys():
        lowest, highest = RANGES[name]
        try:
            is_within = lowest <= int(attributes[name]) <= highest
        except ValueError:
            is_within = False
        if not is_within:
            raise InvalidAttributeValue(name)
