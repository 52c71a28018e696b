"""Check topics: whether the topics that the stack was given let it publish, as far as SNS lets that be read."""

from collections.abc import Iterable, Mapping

from efs_monitor.aws import sns
from efs_monitor.aws.custom_resource import Answer, Request, patiently
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.errors import AwsDenied
from efs_monitor.notify.given_topics import (
    GivenTopic,
    StackIdentity,
    TopicAttributes,
    given_topics,
    judged,
    require_not_made_here,
    require_region,
)


def check_topics(clients: Clients, request: Request) -> Answer:
    """What CloudFormation is answered, with what could be read of the topics' policies, and what they need."""
    stack = StackIdentity.of(request.stack_id)
    topics = given_topics(request.properties)
    require_region(topics, stack)
    require_not_made_here(topics, stack)
    read = _read(clients, topics)
    words = judged(read, str(request.properties.get("EncryptionKeyArn", "")), stack)
    unread = [topic.arn for topic, attributes in read.items() if attributes is None]
    logger.info("checked topics", extra={"cause": request.kind, "topics": words, "unread": unread})
    return Answer(succeeded=True, data={"Policies": words})


def _read(clients: Clients, topics: Iterable[GivenTopic]) -> Mapping[GivenTopic, TopicAttributes | None]:
    """What SNS tells of each; None where it may not be read, as of another account's.

    A role made seconds ago may not be known everywhere yet: wait a little before believing a refusal.
    """
    try:
        return patiently(lambda: {topic: sns.attributes(clients.sns, topic.arn) for topic in topics})
    except AwsDenied:
        return {topic: _readable(clients, topic) for topic in topics}


def _readable(clients: Clients, topic: GivenTopic) -> TopicAttributes | None:
    try:
        return sns.attributes(clients.sns, topic.arn)
    except AwsDenied:
        return None
