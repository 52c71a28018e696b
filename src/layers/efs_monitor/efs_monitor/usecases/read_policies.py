"""Read policies: those of the topics and the key that a stack or a fleet was given, as far as it may."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from efs_monitor.aws import kms, sns
from efs_monitor.aws.calls import patiently
from efs_monitor.aws.runtime import Clients
from efs_monitor.errors import AwsDenied, TopicGone, TopicRefused
from efs_monitor.notify.given_topics import GivenTopic, TopicAttributes


def read_policies(
    clients: Clients, topics: Sequence[GivenTopic], key_arn: str
) -> tuple[Mapping[GivenTopic, TopicAttributes | None], str | None]:
    """What SNS tells of each topic and KMS of the key, if one is named; None where that may not be read, as of another
    account's. TopicRefused for a topic that is not there.

    A role made seconds ago may not be known everywhere yet: wait a little before believing a refusal.
    """

    ask_topics = {topic: partial(_attributes, clients, topic) for topic in topics}

    def key_policy() -> str | None:
        return kms.key_policy(clients.kms, key_arn) if key_arn else None

    try:
        return patiently(lambda: ({topic: ask() for topic, ask in ask_topics.items()}, key_policy()))
    except AwsDenied:
        return {topic: _if_allowed(ask) for topic, ask in ask_topics.items()}, _if_allowed(key_policy)


def _attributes(clients: Clients, topic: GivenTopic) -> TopicAttributes:
    try:
        return sns.attributes(clients.sns, topic.arn)
    except TopicGone as gone:
        raise TopicRefused(
            f"{topic.parameter} is {topic.arn}, and there is no such topic: make it first, or leave the parameter empty"
        ) from gone


def _if_allowed[Value](read: Callable[[], Value]) -> Value | None:
    try:
        return read()
    except AwsDenied:
        return None
