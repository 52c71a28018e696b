"""Topics that a stack was given instead of making its own: whether what it says will get there."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from efs_monitor.alarms.alarm_topics import TOLD_ON, Topic
from efs_monitor.errors import EventRefused, TopicRefused
from efs_monitor.notify.resource_policy import Publisher, Says, alarm_publisher, role_publisher, says
from efs_monitor.stack_identity import StackIdentity

PUBLISH = "sns:Publish"
# Its policy does not let CloudWatch in, and cannot be changed.
AWS_MANAGED_KEY = "alias/aws/sns"
# Of the names that CloudFormation makes up for roles, the stack's comes first, without two hyphens in a row, and may be
# cut (IdentifierUtils of its cloudformation-cli-java-plugin).
LONGEST_STACK_NAME_IN_ROLES = 20
# What all stacks of a fleet, and no other of its account, begin with: one statement lets in those to come, too.
STACK_OF_A_FLEET = re.compile(r"(.+-fs-)[0-9a-f]{8,40}")
# The parts of ARNs that are looked at here.
_TOPIC = r"arn:[^:]+:sns:[^:]+:[^:]+:[^:]+"
_ROLE = r"arn:[^:]+:iam::[^:]+:role/.+"


@dataclass(frozen=True, kw_only=True)
class GivenTopic:
    """A topic that a parameter names, the alarms of the stack that tell it, and the roles that publish to it."""

    parameter: str
    arn: str
    alarms: tuple[str, ...]
    role_arns: tuple[str, ...]

    def is_of(self, stack: StackIdentity) -> bool:
        """Whether it belongs to the stack's own account."""
        return self.arn.split(":")[4] == stack.account_id


@dataclass(frozen=True, kw_only=True)
class TopicAttributes:
    """What SNS tells of a topic; `key` is empty for one that is not encrypted with a key."""

    policy: str
    key: str


def require_not_made_here(topics: Iterable[GivenTopic], stack: StackIdentity) -> None:
    """TopicRefused for one with the name of a topic that the stack itself makes: given one, CloudFormation deletes that
    after the update.
    """
    made = {stack.own_topic_arn(end) for end in Topic}
    for topic in topics:
        if topic.arn in made:
            raise TopicRefused(
                f"{topic.parameter} is {topic.arn}, a topic that this stack makes itself, and deletes when it is given "
                f"one: leave {topic.parameter} empty"
            )


@dataclass(frozen=True, kw_only=True)
class Publishing:
    """Who tells the topics: a stack, and in words `who`, where that stands for several; `reader_arn` is a role that
    looks at the policies besides those that publish, empty without one.
    """

    stack: StackIdentity
    who: str = "this stack"
    reader_arn: str = ""


def judged(read: Mapping[GivenTopic, TopicAttributes | None], key_arn: str, publishing: Publishing) -> str:
    """What is to be said of topics of which SNS told something, or nothing; TopicRefused where nobody would be told."""
    for topic, attributes in read.items():
        if attributes is not None:
            _require_key(topic, attributes.key, key_arn)
    _require_let_in(read, publishing)
    unclear = [topic for topic, attributes in read.items() if not _surely_lets_in(topic, attributes, publishing.stack)]
    # By the parameter, and not by an ARN of hundreds of characters: an answer to CloudFormation has 4,096 bytes in all.
    words = [f"{topic.parameter}: {_words(topic, attributes, publishing)}" for topic, attributes in read.items()]
    return " ".join([*words, *([f"Such as: {statements(unclear[0], publishing)}"] if unclear else [])])


def doubt(topic: GivenTopic, attributes: TopicAttributes | None, stack: StackIdentity) -> str:
    """Why a topic of which SNS told something, or nothing, may tell nobody; empty where nothing says so."""
    if attributes is None:
        return "its policy may not be read from here, so whether it lets the alarms in is not known"
    return "its policy keeps the alarms or the functions out" if _kept_out(topic, attributes.policy, stack) else ""


def statements(topic: GivenTopic, publishing: Publishing) -> str:
    """What the topic's policy needs, to be pasted among its statements; on one line, for CloudFormation keeps none.

    Those for a stack of a fleet are for all stacks of it. No other stack, of whatever account, has their names: SNS
    takes no two statements of one name.
    """
    stack = publishing.stack
    of_a_fleet = STACK_OF_A_FLEET.fullmatch(stack.stack_name)
    names = of_a_fleet[1] if of_a_fleet else f"{stack.stack_name}-"
    sid = stack.account_id + "".join(word[:1].upper() + word[1:] for word in names.split("-"))
    cloudwatch = {
        "Sid": f"EfsMonitorAlarms{sid}",
        "Effect": "Allow",
        "Principal": {"Service": "cloudwatch.amazonaws.com"},
        "Action": "sns:Publish",
        "Resource": topic.arn,
        "Condition": {
            "StringEquals": {"aws:SourceAccount": stack.account_id},
            "ArnLike": {"aws:SourceArn": replace(stack, stack_name=names[:-1]).alarm_arn("*")},
        },
    }
    if topic.is_of(stack):
        return json.dumps(cloudwatch)
    in_roles = names if of_a_fleet else stack.stack_name
    name = re.sub("-{2,}", "-", in_roles)[:LONGEST_STACK_NAME_IN_ROLES]
    roles = [f"arn:{stack.partition}:iam::{stack.account_id}:role/{name}*", publishing.reader_arn]
    functions = {
        "Sid": f"EfsMonitorFunctions{sid}",
        "Effect": "Allow",
        "Principal": {"AWS": f"arn:{stack.partition}:iam::{stack.account_id}:root"},
        "Action": ["sns:Publish", "sns:GetTopicAttributes", "sns:ListSubscriptionsByTopic"],
        "Resource": topic.arn,
        "Condition": {"ArnLike": {"aws:PrincipalArn": roles if publishing.reader_arn else roles[0]}},
    }
    return f"{json.dumps(cloudwatch)}, {json.dumps(functions)}"


def _require_key(topic: GivenTopic, key: str, key_arn: str) -> None:
    if key.endswith(AWS_MANAGED_KEY):
        raise TopicRefused(
            f"{topic.parameter} is {topic.arn}, which is encrypted with {AWS_MANAGED_KEY}: that key lets no alarm in, "
            "and cannot be made to; encrypt the topic with a customer managed key"
        )
    if key and not key_arn:
        raise TopicRefused(
            f"{topic.parameter} is {topic.arn}, which is encrypted with the key {key}, and EncryptionKeyArn is empty: "
            "give the ARN of that key, so that the functions may use it; it must be that of a customer managed key, "
            f"not of AWS's own ({AWS_MANAGED_KEY})"
        )
    if _named_by_id(key) and _key_id(key) != _key_id(key_arn):
        raise TopicRefused(
            f"{topic.parameter} is {topic.arn}, which is encrypted with the key {key}, and EncryptionKeyArn is "
            f"{key_arn}: give the ARN of that key, so that the functions may use it"
        )


def _require_let_in(read: Mapping[GivenTopic, TopicAttributes | None], publishing: Publishing) -> None:
    shut = {
        topic: says_no
        for topic, attributes in read.items()
        if attributes is not None and (says_no := _kept_out(topic, attributes.policy, publishing.stack))
    }
    if not shut:
        return
    first = next(iter(shut))
    names = ", ".join(f"{topic.arn} ({topic.parameter})" for topic in shut)
    if Says.DENIES in shut[first]:
        raise TopicRefused(
            f"The policy of {names} has a statement that denies {publishing.who} to publish: change that"
        )
    raise TopicRefused(
        f"The policy of {names} does not let {publishing.who} publish: add to the statements of each, with its own "
        f"ARN, {statements(first, publishing)}"
    )


def _kept_out(topic: GivenTopic, policy: str, stack: StackIdentity) -> set[Says]:
    """Why somebody could not publish; empty where everybody may be able to."""
    answers = {one for _, one in _answers(topic, policy, stack)}
    return answers & {Says.NO, Says.DENIES}


def _answers(topic: GivenTopic, policy: str, stack: StackIdentity) -> Iterable[tuple[Publisher, Says]]:
    for end in topic.alarms:
        publisher = alarm_publisher(stack.alarm_arn(end))
        yield publisher, says(policy, PUBLISH, topic.arn, publisher)
    for role_arn in topic.role_arns:
        publisher = role_publisher(role_arn)
        answer = says(policy, PUBLISH, topic.arn, publisher)
        # In its own account a role publishes by what itself is allowed, unless the topic denies it.
        yield publisher, Says.YES if answer is Says.NO and topic.is_of(stack) else answer


def _surely_lets_in(topic: GivenTopic, attributes: TopicAttributes | None, stack: StackIdentity) -> bool:
    if attributes is None:
        return False
    return {answer for _, answer in _answers(topic, attributes.policy, stack)} <= {Says.YES}


def _words(topic: GivenTopic, attributes: TopicAttributes | None, publishing: Publishing) -> str:
    who = publishing.who
    if attributes is None:
        return f"its policy may not be read from here, and must let {who} publish; so must its key, if it has one."
    lets_in = (
        f"its policy lets {who} publish"
        if _surely_lets_in(topic, attributes, publishing.stack)
        else f"whether its policy lets {who} publish is not clear from here"
    )
    if not attributes.key:
        return f"{lets_in}."
    return (
        f"{lets_in}. It is encrypted with {attributes.key}, whose own policy must let cloudwatch.amazonaws.com and the "
        "functions use kms:Decrypt and kms:GenerateDataKey*."
    )


def _named_by_id(key: str) -> bool:
    """Whether a key is named by its id or ARN, and not by an alias, which only KMS could resolve."""
    return bool(key) and not re.search(r"(^|:)alias/", key)


def _key_id(key: str) -> str:
    return key.rpartition("/")[2]


def given_topics(properties: Mapping[str, object]) -> Sequence[GivenTopic]:
    """The topics among the properties of CloudFormation's request: a parameter that is empty names none.

    TopicRefused for what is no topic, EventRefused for roles that are none: the template gives no such.
    """
    topics = tuple(
        GivenTopic(parameter=parameter, arn=str(properties[parameter]), alarms=alarms, role_arns=role_arns)
        for parameter, (alarms, role_arns) in _told_by(properties).items()
        if properties.get(parameter)
    )
    for topic in topics:
        if re.fullmatch(_TOPIC, topic.arn) is None:
            raise TopicRefused(f"{topic.parameter} is {topic.arn!r}: give the ARN of a topic, or nothing")
        for role_arn in topic.role_arns:
            if re.fullmatch(_ROLE, role_arn) is None:
                raise EventRefused(
                    f"Among the roles that publish to {topic.parameter} is {role_arn!r}, not a role's ARN; deploy the "
                    "template as it is"
                )
    return topics


def topics_of_a_fleet(parameters: Mapping[str, str], fleet: StackIdentity) -> Sequence[GivenTopic]:
    """The topics that a fleet's parameters name in place of its own, as told by any of its stacks."""
    stack = any_stack_of(fleet)
    role = f"arn:{stack.partition}:iam::{stack.account_id}:role/{stack.stack_name[:LONGEST_STACK_NAME_IN_ROLES]}-Role"
    own = {fleet.own_topic_arn(end) for end in Topic}
    properties = {one.parameter: arn for one in Topic if (arn := parameters.get(one.parameter)) not in own}
    return given_topics(properties | {"ReporterRoleArn": role, "AdviceRoleArns": [role]})


def any_stack_of(fleet: StackIdentity) -> StackIdentity:
    """One that stands for all stacks of a fleet, and those to come."""
    return replace(fleet, stack_name=f"{fleet.stack_name}-fs-{'0' * 17}")


def alarms_of_encrypted_topics(
    properties: Mapping[str, object], read: Mapping[GivenTopic, TopicAttributes | None]
) -> Sequence[str]:
    """By the ends of their names, those that tell a topic which the stack makes with its key, or a given one that is
    encrypted, or may be.
    """
    unencrypted = {topic.parameter for topic, attributes in read.items() if attributes and not attributes.key}
    return [
        end for parameter, (alarms, _) in _told_by(properties).items() if parameter not in unencrypted for end in alarms
    ]


def _told_by(properties: Mapping[str, object]) -> Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """The alarms and the roles that tell each topic, by the parameter that may name it."""
    reporter = str(properties.get("ReporterRoleArn"))
    return {
        Topic.WARNING.parameter: (_alarms_of(Topic.WARNING), (reporter,)),
        Topic.CRITICAL.parameter: (_alarms_of(Topic.CRITICAL), (reporter,)),
        Topic.ADVICE.parameter: (_texts(properties.get("AdviceAlarms")), _texts(properties.get("AdviceRoleArns"))),
    }


def _alarms_of(topic: Topic) -> tuple[str, ...]:
    return tuple(kind for kind, told in TOLD_ON.items() if told is topic)


def _texts(value: object) -> tuple[str, ...]:
    return tuple(str(one) for one in value) if isinstance(value, list) else ()
