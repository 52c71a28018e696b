"""The Advice mails about a balance that falls fast: a first time, or again while Critical is still on."""

from dataclasses import replace
from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.alarms.draining import POINTS_TO_ALARM
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.chat import chat
from efs_monitor.mail.credit_figures import facts
from efs_monitor.mail.layout import Message, compose, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.mode_mails import limited_no_more
from efs_monitor.mail.numbers import clock, duration, past_span, rate
from efs_monitor.mail.outlook import (
    TO_EVERYBODY,
    Trend,
    left_in_short,
    minutes_at_full_speed,
    minutes_in_words,
    trend,
    what_follows,
)
from efs_monitor.mail.remedies import remedies, steps, why_locked
from efs_monitor.mail.stack_context import StackContext

HEAD = "DRAINING"
# What the alarm judges by: a quarter of an hour would still hold the calm before a load that has just begun.
PACE = timedelta(minutes=POINTS_TO_ALARM)


def draining(critical_minutes: int, situation: Situation, stack: StackContext) -> Message:
    """The Draining alarm went off: when the credits end at the pace of the minutes that set it off."""
    file_system = situation.file_system
    file_system_id = file_system.file_system_id
    if not file_system.lives_on_credits:
        return limited_no_more(HEAD, AlarmKind.DRAINING, situation, stack)
    situation = replace(situation, pace=PACE)
    outcome = _outcome(situation)
    is_falling = trend(situation) is Trend.FALLING
    return compose(
        subject=f"{HEAD}: {outcome}, {file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(_lead(situation)),
            wrapped(f"{what_follows(situation)}: {TO_EVERYBODY}"),
            facts(AlarmKind.CRITICAL, critical_minutes, situation),
            *(remedies(file_system_id, situation, stack) if is_falling else ()),
            *links(stack, "draining", file_system_id, alarm_name(stack.stack_name, AlarmKind.DRAINING)),
        ],
        short=f"{HEAD} {file_system_id}: {outcome}.",
        chat=chat(
            stack,
            file_system_id,
            "draining",
            [
                _lead(situation),
                f"{what_follows(situation)}.",
                why_locked(situation) if is_falling else "",
            ],
            steps(file_system_id, situation, stack) if is_falling else (),
            alarm_name(stack.stack_name, AlarmKind.DRAINING),
        ),
    )


def _outcome(situation: Situation) -> str:
    if trend(situation) is not Trend.FALLING:
        return f"{minutes_at_full_speed(situation)}, no longer falling"
    return left_in_short(situation)


def _lead(situation: Situation) -> str:
    """When they are gone; not how long they would last at the permitted rate, which is a second figure to weigh."""
    name = titled(situation.file_system)
    if trend(situation) is not Trend.FALLING:
        no_more = "They fell fast in some of the last minutes, and do not any more."
        return f"{minutes_in_words(situation)} on {name}. {no_more}"
    pace = rate(situation.drain_bytes_per_second or 0.0)
    fall = f"The burst credits of {name} fall by {pace}: that was the pace of {past_span(situation.pace_minutes)}"
    if situation.ran_out is not None:
        return f"{fall}. If that went on, they have been gone since {clock(situation.ran_out, situation.time)}."
    left = situation.minutes_left_at_net or 0.0
    at = clock(_end(situation, left), situation.time)
    return f"{fall}. If that goes on, they are gone at {at}, {duration(left)} from now."


def _end(situation: Situation, minutes: float) -> datetime:
    return situation.time + timedelta(minutes=minutes)
