"""Check topics: whether those that the stack was given, and the key, let it publish, as far as that can be read."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from efs_monitor.alarms.alarm_topics import require_key_within_reach, require_topics_within_reach
from efs_monitor.aws import kms, sns
from efs_monitor.aws.calls import patiently
from efs_monitor.aws.custom_resource import Answer, Request
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.errors import AwsDenied, TopicGone, TopicRefused
from efs_monitor.notify.given_key import is_readable, judged_key
from efs_monitor.notify.given_topics import (
    GivenTopic,
    TopicAttributes,
    alarms_of_encrypted_topics,
    given_topics,
    judged,
    require_not_made_here,
)
from efs_monitor.stack_identity import StackIdentity
from efs_monitor.usecases import rollback


def check_topics(clients: Clients, request: Request) -> Answer:
    """What CloudFormation is answered, with what could be read of the policies, and what they need."""
    return rollback.answer(
        clients,
        request,
        deploy=lambda clients: _checked(clients, request),
        keep=lambda: {"Policies": rollback.NOT_CHECKED},
    )


def _checked(clients: Clients, request: Request) -> Answer:
    stack = StackIdentity.of(request.stack_id)
    topics = given_topics(request.properties)
    require_topics_within_reach({topic.parameter: topic.arn for topic in topics}, stack.region)
    require_not_made_here(topics, stack)
    key_arn = str(request.properties.get("EncryptionKeyArn", ""))
    require_key_within_reach(key_arn, stack.region)
    read, key_policy = _read(clients, topics, key_arn if is_readable(key_arn, stack) else "")
    said = [judged(read, key_arn, stack)] if topics else []
    if key_arn:
        alarms = alarms_of_encrypted_topics(request.properties, read)
        said.append(judged_key(key_arn, key_policy, alarms, stack))
    words = " ".join(said)
    unread = [topic.arn for topic, attributes in read.items() if attributes is None]
    logger.info("checked topics", extra={"cause": request.kind, "topics": words, "unread": unread})
    return Answer(succeeded=True, data={"Policies": words})


def _read(
    clients: Clients, topics: Sequence[GivenTopic], key_arn: str
) -> tuple[Mapping[GivenTopic, TopicAttributes | None], str | None]:
    """What SNS tells of each topic and KMS of the key, if one is named; None where that may not be read, as of another
    account's.

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
