"""The Advice mails about a balance that falls fast: a first time, or again while Critical is still on."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.alarms.draining import POINTS_TO_ALARM
from efs_monitor.efs.credits import SECONDS_PER_MINUTE, minutes_left
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.credit_figures import facts
from efs_monitor.mail.layout import Message, compose, titled, wrapped
from efs_monitor.mail.limit_mails import no_longer_matters, short_left
from efs_monitor.mail.links import links
from efs_monitor.mail.numbers import clock, duration, past_span, rate
from efs_monitor.mail.outlook import Trend, direction, minutes_in_words
from efs_monitor.mail.remedies import remedies
from efs_monitor.mail.stack_context import StackContext

HEAD = "DRAINING"
# What the alarm judges by: a quarter of an hour would still hold the calm before a load that has just begun.
PACE = timedelta(minutes=POINTS_TO_ALARM)


def draining(critical_minutes: int, situation: Situation, stack: StackContext, time: datetime) -> Message:
    """The Draining alarm went off: when the credits end at the pace of the minutes that set it off."""
    file_system = situation.file_system
    file_system_id = file_system.file_system_id
    if not file_system.lives_on_credits:
        return no_longer_matters(HEAD, AlarmKind.DRAINING, situation, stack)
    fall = _fall(situation)
    outcome = _outcome(situation, fall, time)
    return compose(
        subject=f"{HEAD}: {outcome}, {file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(f"{minutes_in_words(situation)} on {titled(file_system)}. {_sentence(fall, time)}"),
            wrapped(
                f"When they end, everything on it slows from {rate(situation.reference_bytes_per_second)} to "
                f"{rate(situation.baseline_bytes_per_second)}: every read, write and listing of every client."
            ),
            facts(AlarmKind.CRITICAL, critical_minutes, situation, time),
            *(remedies(file_system_id, situation, stack) if fall else ()),
            *_links(stack, file_system_id),
        ],
        short=f"{HEAD} {file_system_id}: {outcome}.",
    )


def draining_unreadable(
    file_system_id: str, state_reason: str, problem: str, stack: StackContext, time: datetime
) -> Message:
    """The same when the figures could not be read: CloudWatch's reason, and what needs no figures."""
    return compose(
        subject=f"{HEAD}: burst credits fall fast, no figures, {file_system_id}",
        about="",
        paragraphs=[
            wrapped(
                f"The burst credits of {file_system_id} fall fast: its Draining alarm is on. When they end could not "
                f"be read."
            ),
            wrapped(
                "When they end, everything on it slows to what its size earns (50 MiB/s per TiB stored, at least "
                "1 MiB/s): every read, write and listing of every client."
            ),
            f"CloudWatch's reason for the alarm ({clock(time, time)}):\n{wrapped(state_reason, '   ')}",
            f"Why there are no figures here:\n{wrapped(problem, '   ')}",
            *remedies(file_system_id, None, stack),
            *_links(stack, file_system_id),
        ],
        short=f"{HEAD} {file_system_id}: burst credits fall fast, figures could not be read.",
    )


@dataclass(frozen=True, kw_only=True)
class _Fall:
    """How fast the balance falls, over which minutes, and when it is at zero if that goes on."""

    bytes_per_second: float
    minutes: float
    end: datetime


def _fall(situation: Situation) -> _Fall | None:
    """None where it does not fall any more."""
    newest = situation.balances[-1]
    start = next(
        (point for point in reversed(situation.balances) if point.time <= newest.time - PACE), situation.balances[0]
    )
    minutes = (newest.time - start.time).total_seconds() / SECONDS_PER_MINUTE
    drain = (start.balance_bytes - newest.balance_bytes) / (minutes * SECONDS_PER_MINUTE) if minutes else None
    if drain is None or direction(drain) is not Trend.FALLING:
        return None
    end = newest.time + timedelta(minutes=minutes_left(newest.balance_bytes, drain))
    return _Fall(bytes_per_second=drain, minutes=minutes, end=end)


def _outcome(situation: Situation, fall: _Fall | None, time: datetime) -> str:
    if fall is None:
        return f"{short_left(situation)}, no longer falling"
    if fall.end <= time:
        return "burst credits may be gone by now"
    return f"burst credits gone at {clock(fall.end, time)}, in {duration(_minutes_from(time, fall))}"


def _sentence(fall: _Fall | None, time: datetime) -> str:
    if fall is None:
        return "They fell fast in some of the last minutes, and do not any more."
    pace = f"They fell by {rate(fall.bytes_per_second)} in {past_span(fall.minutes)}"
    if fall.end <= time:
        return f"{pace}: if that went on, they are gone."
    left = duration(_minutes_from(time, fall))
    return f"{pace}: if that goes on, they are gone at {clock(fall.end, time)}, {left} from now."


def _minutes_from(time: datetime, fall: _Fall) -> float:
    return (fall.end - time).total_seconds() / SECONDS_PER_MINUTE


def _links(stack: StackContext, file_system_id: str) -> list[str]:
    return links(stack, "draining", file_system_id, alarm_name(stack.stack_name, AlarmKind.DRAINING))
