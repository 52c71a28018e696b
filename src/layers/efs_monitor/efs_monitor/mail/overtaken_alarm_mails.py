"""The Advice mail about an alarm that another throughput mode has overtaken.

The alarm and the change cross paths: datapoints come some minutes after the switch, and the alarm is suspended within
the hour.
"""

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.efs.credits import is_no_faster
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.incidents.held_down import ALL_THAT_IS_THERE
from efs_monitor.incidents.situation import STEP, Situation
from efs_monitor.mail.chat import chat
from efs_monitor.mail.descriptions import why_credits_mean_nothing
from efs_monitor.mail.known_day import known_span
from efs_monitor.mail.layout import Message, compose, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.numbers import rate
from efs_monitor.mail.stack_context import StackContext


def limited_no_more(head: str, kind: AlarmKind, situation: Situation, stack: StackContext) -> Message:
    """An alarm about the limit at zero, or about the way there, went off after the mode had been changed."""
    sentence = f"Credits do not limit {titled(situation.file_system)} any more"
    return overtaken_by_mode(head, "no longer matters", sentence, kind, situation, stack)


def overtaken_by_mode(
    head: str, what: str, sentence: str, kind: AlarmKind, situation: Situation, stack: StackContext
) -> Message:
    """How long credits last means nothing any more: `what` is so for the subject, and in a `sentence` without its end.

    The end of the sentence says what the mode means.
    """
    file_system = situation.file_system
    outcome = f"{what}, {file_system.mode} throughput"
    because = f"{sentence}: it {why_credits_mean_nothing(file_system)}."
    suspended = "The alarm is suspended by itself within the hour."
    limited = _was_above_its_limit(situation) or _at_its_limit(situation)
    no_action = f"{limited or 'No action is needed.'} {suspended}"
    name = alarm_name(stack.stack_name, kind)
    return compose(
        subject=f"{head}: {outcome}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(because),
            wrapped(no_action),
            *links(stack, "suspended", file_system.file_system_id, name),
        ],
        short=f"{head} {file_system.file_system_id}: {outcome}.",
        chat=chat(stack, file_system.file_system_id, "suspended", [because, no_action], alarm_name=name),
    )


def _was_above_its_limit(situation: Situation) -> str:
    """The sentence that clients took more in the last day than is provisioned; empty where they did not, or nobody
    knows.
    """
    busiest_bytes = max((one.metered_bytes for one in situation.last_day), default=0.0)
    known_minutes = situation.known_minutes_of_the_day
    return took_more_than_provisioned(situation.file_system, busiest_bytes / STEP.total_seconds(), known_minutes)


def _at_its_limit(situation: Situation) -> str:
    """The sentence that clients took all that is provisioned in the last quarter of an hour; empty where they did not,
    or nobody knows.
    """
    activity = situation.activity
    lately = None if activity is None else activity.lately or activity
    return "" if lately is None else takes_all_provisioned(situation.file_system, lately.busiest_bytes_per_second)


def took_more_than_provisioned(file_system: FileSystem, busiest_bytes_per_second: float, known_minutes: int) -> str:
    """The sentence that clients took more before, in the `known_minutes` of the last day, than is provisioned since;
    empty where they did not. What they take since may not be known yet.
    """
    if file_system.mode is not ThroughputMode.PROVISIONED:
        return ""
    if is_no_faster(busiest_bytes_per_second, file_system.provisioned_bytes_per_second):
        return ""
    return (
        f"In the busiest five minutes of {known_span(known_minutes)} clients took {rate(busiest_bytes_per_second)} as "
        f"metered, which is more: such a load is limited, and no mail tells of it. Provision more: no lock keeps "
        f"you from that."
    )


def takes_all_provisioned(file_system: FileSystem, lately_bytes_per_second: float) -> str:
    """The sentence that what clients took `lately` is all that is provisioned, but for a twentieth; empty where it is
    not.
    """
    provisioned_bytes = file_system.provisioned_bytes_per_second
    if file_system.mode is not ThroughputMode.PROVISIONED:
        return ""
    if lately_bytes_per_second < ALL_THAT_IS_THERE * provisioned_bytes:
        return ""
    return (
        f"Clients take all or nearly all of the {rate(provisioned_bytes)} that are provisioned, and may want more: "
        f"provision more, which no lock keeps you from."
    )
