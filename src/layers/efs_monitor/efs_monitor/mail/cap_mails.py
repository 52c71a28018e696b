"""The Advice mail about an alarm where credits change nothing: a Region's cap is below what the size earns."""

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.efs.credits import earned_bytes_per_second
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.chat import chat
from efs_monitor.mail.credit_figures import facts
from efs_monitor.mail.layout import Message, compose, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.numbers import rate
from efs_monitor.mail.stack_context import StackContext

ANCHOR = "credits-change-nothing"
NO_ACTION = (
    "No action is needed, when this alarm goes off and when it ends: CloudWatch's own messages about it ask for "
    "nothing either."
)


def credits_change_nothing(
    head: str, kind: AlarmKind, lead_minutes: int, situation: Situation, stack: StackContext
) -> Message:
    """An alarm about credits went off, or lasts: nobody is slowed down when they end."""
    return _message(head, "", "is on, but", kind, lead_minutes, situation, stack)


def credits_changed_nothing(
    head: str, kind: AlarmKind, lead_minutes: int, situation: Situation, stack: StackContext
) -> Message:
    """An alarm about credits is over: nobody was slowed down while it was on."""
    what = "" if kind is AlarmKind.EXHAUSTED else f"{kind.capitalize()} is over, "
    return _message(head, what, "is over, and", kind, lead_minutes, situation, stack)


def _message(
    head: str, what: str, state: str, kind: AlarmKind, lead_minutes: int, situation: Situation, stack: StackContext
) -> Message:
    file_system = situation.file_system
    name = alarm_name(stack.stack_name, kind)
    outcome = f"{what}credits change nothing at its size"
    why = (
        f"The {kind.capitalize()} alarm of {titled(file_system)} {state} burst credits change nothing there: "
        f"{_rates(situation)}"
    )
    return compose(
        subject=f"{head}: {outcome}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(why),
            wrapped(NO_ACTION),
            # Draining has no threshold of its own: it looks as far ahead as Critical.
            facts(AlarmKind.CRITICAL if kind is AlarmKind.DRAINING else kind, lead_minutes, situation),
            *links(stack, ANCHOR, file_system.file_system_id, name),
        ],
        short=f"{head} {file_system.file_system_id}: {outcome}.",
        chat=chat(stack, file_system.file_system_id, ANCHOR, [why, NO_ACTION], alarm_name=name),
    )


def _rates(situation: Situation) -> str:
    with_credits = situation.reference_bytes_per_second
    earned = earned_bytes_per_second(situation.file_system.standard_bytes)
    if earned < with_credits:
        return (
            f"without them {rate(situation.baseline_bytes_per_second)} are permitted, and with them less than 1 % more."
        )
    return (
        f"{rate(with_credits)} are permitted with them and without. That is its Region's limit, and its size earns "
        f"{rate(earned)}."
    )
