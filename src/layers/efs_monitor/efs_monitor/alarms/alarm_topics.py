"""The three topics that a stack tells, its own or given ones, which alarm tells which, and which can be reached."""

from collections.abc import Mapping
from enum import StrEnum

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.errors import KeyRefused, TopicRefused


class Topic(StrEnum):
    """A topic by the end of the name that it has where the stack makes it."""

    WARNING = "warning"
    CRITICAL = "critical"
    ADVICE = "advice"

    @property
    def resource(self) -> str:
        """Its logical id in the template."""
        return f"{self.capitalize()}Topic"

    @property
    def parameter(self) -> str:
        """The parameter that names a topic to be told in its place."""
        return f"{self.resource}Arn"

    @property
    def variable(self) -> str:
        """The variable by which a function knows its ARN."""
        return f"{self.upper()}_TOPIC_ARN"


TOLD_ON = {
    AlarmKind.WARNING: Topic.WARNING,
    AlarmKind.DRAINING: Topic.WARNING,
    AlarmKind.CRITICAL: Topic.CRITICAL,
    AlarmKind.EXHAUSTED: Topic.CRITICAL,
}
"""The topic that each alarm about credits tells: that of Critical is for what shall wake somebody."""


def require_topics_within_reach(topic_arns: Mapping[str, str], region: str) -> None:
    """TopicRefused for one of another Region, which no alarm reaches; each by the parameter that names it."""
    for parameter, arn in topic_arns.items():
        other = arn.split(":")[3]
        if other != region:
            raise TopicRefused(
                f"{parameter} is {arn}, a topic in {other}, but alarms reach only topics of their own Region, "
                f"{region}: give one of {region}, or none"
            )


def require_key_within_reach(key_arn: str, region: str) -> None:
    """KeyRefused for a key of another Region, which encrypts no topic of this one, also where it is a copy of a key
    that is here; nothing where none is given.
    """
    # What is no ARN the parameter's pattern refuses; a request of somebody's own may have it.
    other = next(iter(key_arn.split(":")[3:]), "no Region") if key_arn else region
    if other != region:
        raise KeyRefused(
            f"EncryptionKeyArn is {key_arn}, a key in {other}, but topics are encrypted with keys of their own Region, "
            f"{region}: give one of {region}, or none"
        )
