"""Check topics: whether those that the stack was given, and the key, let it publish, as far as that can be read."""

from efs_monitor.alarms.alarm_topics import require_key_within_reach, require_topics_within_reach
from efs_monitor.aws.custom_resource import Answer, Request
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.notify.given_key import is_readable, judged_key
from efs_monitor.notify.given_topics import (
    Publishing,
    alarms_of_encrypted_topics,
    given_topics,
    judged,
    require_not_made_here,
)
from efs_monitor.stack_identity import StackIdentity
from efs_monitor.usecases import rollback
from efs_monitor.usecases.read_policies import read_policies


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
    read, key_policy = read_policies(clients, topics, key_arn if is_readable(key_arn, stack) else "")
    said = [judged(read, key_arn, Publishing(stack=stack))] if topics else []
    if key_arn:
        alarms = alarms_of_encrypted_topics(request.properties, read)
        said.append(judged_key(key_arn, key_policy, alarms, stack))
    words = " ".join(said)
    unread = [topic.arn for topic, attributes in read.items() if attributes is None]
    logger.info("checked topics", extra={"cause": request.kind, "topics": words, "unread": unread})
    return Answer(succeeded=True, data={"Policies": words})
