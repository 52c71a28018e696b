"""The Advice mails about a balance that falls fast: a first time, or again while Critical is still on."""

from dataclasses import replace
from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.incidents.falls_alike import PACE_OF_A_FALL, FallsAlike, falls_alike
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.cap_mails import credits_change_nothing
from efs_monitor.mail.chat import chat
from efs_monitor.mail.credit_figures import facts
from efs_monitor.mail.falls_that_ended import fell_as_fast, unless_it_ends
from efs_monitor.mail.layout import Message, compose, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.mode_mails import limited_no_more
from efs_monitor.mail.mode_refusals import why_locked
from efs_monitor.mail.numbers import clock, duration, past_span, rate
from efs_monitor.mail.outlook import (
    TO_EVERYBODY,
    Trend,
    end_in_pulses,
    left_in_short,
    may_end_sooner,
    minutes_at_full_speed,
    minutes_in_words,
    trend,
    what_follows,
)
from efs_monitor.mail.remedies import remedies, steps
from efs_monitor.mail.stack_context import StackContext
from efs_monitor.notify.same_story import next_fall_needs_no_mail

HEAD = "DRAINING"


def draining(critical_minutes: int, situation: Situation, stack: StackContext) -> Message:
    """The Draining alarm went off: when the credits end at the pace of the minutes that set it off."""
    file_system = situation.file_system
    file_system_id = file_system.file_system_id
    if not file_system.lives_on_credits:
        return limited_no_more(HEAD, AlarmKind.DRAINING, situation, stack)
    if situation.credits_change_nothing:
        return credits_change_nothing(HEAD, AlarmKind.DRAINING, critical_minutes, situation, stack)
    whole, situation = situation, replace(situation, pace=PACE_OF_A_FALL)
    # Of pulses of minutes the pace of this mail is that of whole ones already.
    in_pulses = wrapped(end_in_pulses(whole)) if situation.pulses is None else ""
    is_falling = trend(situation) is Trend.FALLING
    alike = falls_alike(situation) if situation.ran_out is None else None
    outcome, before = _outcome(situation, alike), _alike(alike, situation)
    return compose(
        subject=f"{HEAD}: {outcome}, {file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(_lead(situation)),
            *map(wrapped, before),
            *filter(None, [in_pulses]),
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
                *before[:1],
                f"{what_follows(situation)}.",
                why_locked(situation) if is_falling else "",
            ],
            steps(file_system_id, situation, stack) if is_falling else (),
            alarm_name(stack.stack_name, AlarmKind.DRAINING),
        ),
    )


def _outcome(situation: Situation, alike: FallsAlike | None) -> str:
    if trend(situation) is not Trend.FALLING:
        return f"{minutes_at_full_speed(situation)}, no longer falling"
    return f"{left_in_short(situation)}{unless_it_ends(alike)}"


def _alike(alike: FallsAlike | None, situation: Situation) -> list[str]:
    """How falls as fast ended so far, and what is left if this one does so; and who tells of the next."""
    if alike is None:
        return []
    told = fell_as_fast(alike, situation)
    rest = (
        "While there is twice as much as such a fall takes, the next ones are told by CloudWatch's own ALARM message "
        "alone, on the Warning topic. A fall that is faster has a mail like this one, and so has the end of the "
        "credits."
    )
    return [told, rest] if next_fall_needs_no_mail(alike) else [told]


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
    told = f"{fall}. If that goes on, they are gone at {at}, {duration(left)} from now."
    return f"{told} {may_end_sooner(situation)}".rstrip()


def _end(situation: Situation, minutes: float) -> datetime:
    return situation.time + timedelta(minutes=minutes)
