"""The Advice mails about the limit itself: the burst credits are gone, and they are back."""

from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.alarms.thresholds import EXHAUSTED_MINUTES
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.credit_figures import facts
from efs_monitor.mail.credit_mails import MOST_MINUTES
from efs_monitor.mail.descriptions import why_credits_mean_nothing
from efs_monitor.mail.layout import Message, compose, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.numbers import clock, past_span, rate
from efs_monitor.mail.outlook import (
    credits_are_gone,
    end_at_net_rate,
    end_at_permitted_rate,
    minutes_in_words,
    way_out_of_zero,
    what_comes_back,
    whole_minutes_left,
)
from efs_monitor.mail.remedies import remedies
from efs_monitor.mail.stack_context import StackContext

ON, OFF = "GONE", "LIMIT LIFTED"
SUSPENDED_SOON = "No action is needed. The alarm is suspended by itself within the hour."


def limited(situation: Situation, stack: StackContext, time: datetime) -> Message:
    """The Exhausted alarm went off: clients are slowed down, or will be within the minute."""
    file_system = situation.file_system
    file_system_id = file_system.file_system_id
    if not file_system.lives_on_credits:
        return no_longer_matters(ON, AlarmKind.EXHAUSTED, situation, stack)
    limit = rate(situation.baseline_bytes_per_second)
    ran_out = None if credits_are_gone(situation) else _ran_out(situation, time)
    gone = credits_are_gone(situation) or ran_out is not None
    when = "no burst credits left," if gone else f"{short_left(situation)}, then"
    outcome = f"{when} limited to {limit}"
    return compose(
        subject=f"{ON}: {outcome}, {file_system_id}",
        about=file_system.name,
        paragraphs=[
            *(_when_gone(situation, ran_out, time) if gone else _when_nearly_gone(situation, time)),
            facts(AlarmKind.EXHAUSTED, EXHAUSTED_MINUTES, situation, time),
            *remedies(file_system_id, situation, stack),
            *_links(stack, "exhausted", file_system_id),
        ],
        short=f"{ON} {file_system_id}: {outcome}. Fastest way out: elastic throughput.",
    )


def limited_unreadable(
    file_system_id: str, state_reason: str, problem: str, stack: StackContext, time: datetime
) -> Message:
    """The same when the figures could not be read: CloudWatch's reason, and what needs no figures."""
    return compose(
        subject=f"{ON}: burst credits used up, no figures, {file_system_id}",
        about="",
        paragraphs=[
            wrapped(
                f"The burst credits of {file_system_id} are gone: its Exhausted alarm is on. What it is limited to "
                f"could not be read."
            ),
            wrapped(
                "Without them everything on it is limited to what its size earns (50 MiB/s per TiB stored, at least "
                "1 MiB/s): every read, write and listing of every client."
            ),
            f"CloudWatch's reason for the alarm ({clock(time, time)}):\n{wrapped(state_reason, '   ')}",
            f"Why there are no figures here:\n{wrapped(problem, '   ')}",
            *remedies(file_system_id, None, stack),
            *_links(stack, "exhausted", file_system_id),
        ],
        short=f"{ON} {file_system_id}: burst credits used up, figures could not be read. "
        f"Fastest way out: elastic throughput.",
    )


def limit_lifted(critical_minutes: int, situation: Situation, stack: StackContext, time: datetime) -> Message:
    """The Exhausted alarm is over: clients may burst again, for as long as the few credits last."""
    file_system = situation.file_system
    if not file_system.lives_on_credits:
        return no_longer_matters(OFF, AlarmKind.EXHAUSTED, situation, stack)
    left = short_left(situation)
    comes_back = what_comes_back(situation, critical_minutes, time)
    rest = " The Critical alarm ends later, at its own, higher threshold."
    return compose(
        subject=f"{OFF}: {left}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(f"The limit on {titled(file_system)} is lifted. {minutes_in_words(situation)}."),
            wrapped(
                f"It may be driven at {rate(situation.reference_bytes_per_second)} again until they end, and is "
                f"limited again after that.{rest if whole_minutes_left(situation) < critical_minutes else ''}"
            ),
            *([wrapped(comes_back)] if comes_back else []),
            _sentences(end_at_permitted_rate(situation, time), end_at_net_rate(situation, EXHAUSTED_MINUTES, time)),
            facts(AlarmKind.EXHAUSTED, EXHAUSTED_MINUTES, situation, time),
            *_links(stack, "limit-lifted", file_system.file_system_id),
        ],
        short=f"{OFF} {file_system.file_system_id}: {left}.",
    )


def limit_lifted_unreadable(
    file_system_id: str, state_reason: str, problem: str, stack: StackContext, time: datetime
) -> Message:
    """The same when the figures could not be read: CloudWatch's reason, and why."""
    return compose(
        subject=f"{OFF}: no figures, {file_system_id}",
        about="",
        paragraphs=[
            wrapped(
                f"The limit on {file_system_id} is lifted: its Exhausted alarm is over. How many minutes are left "
                f"could not be read."
            ),
            f"CloudWatch's reason for its end ({clock(time, time)}):\n{wrapped(state_reason, '   ')}",
            f"Why there are no figures here:\n{wrapped(problem, '   ')}",
            *_links(stack, "limit-lifted", file_system_id),
        ],
        short=f"{OFF} {file_system_id}: figures could not be read.",
    )


def _ran_out(situation: Situation, time: datetime) -> datetime | None:
    """When the last minute of credits ended at its pace, if it has by now: the newest datapoint is minutes old."""
    left = situation.minutes_left_at_net
    if left is None or whole_minutes_left(situation) > 0:
        return None
    end = situation.balances[-1].time + timedelta(minutes=left)
    return end if end <= time else None


def _when_gone(situation: Situation, ran_out: datetime | None, time: datetime) -> list[str]:
    name = titled(situation.file_system)
    pace = past_span(situation.pace_minutes)
    return [
        wrapped(
            f"The burst credits of {name} are gone."
            if ran_out is None
            else f"The burst credits of {name} are gone: at the pace of {pace} they ran out at {clock(ran_out, time)}."
        ),
        wrapped(
            f"Everything on it is now limited to {rate(situation.baseline_bytes_per_second)} instead of "
            f"{rate(situation.reference_bytes_per_second)}: every read, write and listing of every client."
        ),
        wrapped(way_out_of_zero(situation, EXHAUSTED_MINUTES, time)),
    ]


def _when_nearly_gone(situation: Situation, time: datetime) -> list[str]:
    """The newest datapoint is some minutes old, and may be above what set off the alarm."""
    return [
        wrapped(f"{minutes_in_words(situation)} on {titled(situation.file_system)}."),
        wrapped(
            f"When they end, everything on it slows from {rate(situation.reference_bytes_per_second)} to "
            f"{rate(situation.baseline_bytes_per_second)}: every read, write and listing of every client."
        ),
        _sentences(end_at_permitted_rate(situation, time), end_at_net_rate(situation, EXHAUSTED_MINUTES, time)),
    ]


def no_longer_matters(head: str, kind: AlarmKind, situation: Situation, stack: StackContext) -> Message:
    """The alarm and another throughput mode crossed paths: datapoints come some minutes after the switch."""
    file_system = situation.file_system
    return compose(
        subject=f"{head}: no longer matters, {file_system.mode} throughput, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(
                f"Credits do not limit {titled(file_system)} any more: it {why_credits_mean_nothing(file_system)}."
            ),
            SUSPENDED_SOON,
            *links(stack, "suspended", file_system.file_system_id, alarm_name(stack.stack_name, kind)),
        ],
        short=f"{head} {file_system.file_system_id}: no longer matters, {file_system.mode} throughput.",
    )


def _links(stack: StackContext, anchor: str, file_system_id: str) -> list[str]:
    return links(stack, anchor, file_system_id, alarm_name(stack.stack_name, AlarmKind.EXHAUSTED))


def short_left(situation: Situation) -> str:
    """How much is left at the permitted rate, for a subject."""
    minutes = whole_minutes_left(situation)
    if minutes > MOST_MINUTES:
        return f"over {MOST_MINUTES:,} min of burst credits left"
    return f"{minutes:,} min of burst credits left" if minutes else "under 1 min of burst credits left"


def _sentences(*texts: str) -> str:
    return "\n".join(wrapped(text) for text in texts)
