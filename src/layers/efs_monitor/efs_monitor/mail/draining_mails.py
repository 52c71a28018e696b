"""The Advice mails about a balance that falls fast: a first time, or again while Critical is still on."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.alarms.draining import REST_MINUTES, last_fast_minute
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.fall_of_a_day_ago import FallOfADayAgo
from efs_monitor.incidents.falling_since import goes_on_since
from efs_monitor.incidents.falls import fall_under_way, is_exact_to_the_minute
from efs_monitor.incidents.falls_alike import FallsAlike
from efs_monitor.incidents.pace_of_a_fall import PACE_OF_A_FALL, at_the_pace_of_the_fall
from efs_monitor.incidents.situation import DAY, Situation
from efs_monitor.mail.cap_mails import credits_change_nothing
from efs_monitor.mail.chat import chat
from efs_monitor.mail.credit_figures import facts
from efs_monitor.mail.falls_that_ended import falls_that_ended, fell_as_fast, unless_it_ends
from efs_monitor.mail.incident_so_far import so_far
from efs_monitor.mail.layout import Message, compose, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.mode_refusals import why_locked
from efs_monitor.mail.numbers import clock, duration, past_span
from efs_monitor.mail.outlook import (
    TO_EVERYBODY,
    Trend,
    beginning_of_a_fall,
    end_at_net_rate,
    end_in_pulses,
    falling_by,
    late_newest,
    left_in_short,
    may_end_sooner,
    minutes_at_full_speed,
    minutes_in_words,
    minutes_until_the_told_end,
    newest_minute,
    pulses_take_more,
    trend,
    was_far_slower,
    what_follows,
)
from efs_monitor.mail.overtaken_alarm_mails import limited_no_more
from efs_monitor.mail.remedies import remedies, steps, ways_out
from efs_monitor.mail.stack_context import StackContext
from efs_monitor.notify.same_story import next_fall_needs_no_mail, pulses_end_soon

HEAD = "DRAINING"
# What is later by less need not stand beside it.
MUCH_LATER = timedelta(minutes=15)


def draining(critical_minutes: int, situation: Situation, stack: StackContext) -> Message:
    """The Draining alarm went off: when the credits end at the pace of the minutes that set it off."""
    file_system = situation.file_system
    file_system_id = file_system.file_system_id
    if not file_system.lives_on_credits:
        return limited_no_more(HEAD, AlarmKind.DRAINING, situation, stack)
    if situation.credits_change_nothing:
        return credits_change_nothing(HEAD, AlarmKind.DRAINING, critical_minutes, situation, stack)
    is_there = _is_there(situation, critical_minutes)
    whole = situation
    # Of a load that may be over nobody knows with which rests it would go on.
    situation = at_the_pace_of_the_fall(whole, critical_minutes) if is_there else replace(whole, pace=PACE_OF_A_FALL)
    # Of pulses of minutes the pace of this mail is that of whole ones already.
    in_pulses = _in_pulses(whole) if situation.pulses is None else pulses_take_more(situation)
    may_fall = trend(situation) in {Trend.FALLING, Trend.UNKNOWN}
    in_order = ways_out(file_system_id, situation, stack) if may_fall else []
    earlier = falls_that_ended(situation)
    outcome, before = _outcome(situation, whole, earlier, is_there=is_there), _earlier(earlier, situation, whole)
    lead, story = _lead(situation, critical_minutes, is_there=is_there), so_far(AlarmKind.DRAINING, situation)
    return compose(
        subject=f"{HEAD}: {outcome}, {file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(lead),
            *map(wrapped, before),
            *map(wrapped, filter(None, [in_pulses])),
            wrapped(f"{what_follows(situation)}: {TO_EVERYBODY}"),
            *([wrapped(story)] if story else []),
            facts(AlarmKind.CRITICAL, critical_minutes, situation),
            *(remedies(in_order, situation, stack) if may_fall else ()),
            *links(stack, "draining", file_system_id, alarm_name(stack.stack_name, AlarmKind.DRAINING)),
        ],
        short=f"{HEAD} {file_system_id}: {outcome}.",
        chat=chat(
            stack,
            file_system_id,
            "draining",
            [
                lead,
                *before[:1],
                story,
                f"{what_follows(situation)}.",
                why_locked(situation) if may_fall else "",
            ],
            steps(in_order),
            alarm_name(stack.stack_name, AlarmKind.DRAINING),
        ),
    )


def _is_there(situation: Situation, critical_minutes: int) -> bool:
    """Whether a load is at work, but for a pause of a minute or two: no longer than the newest datapoint is old."""
    last = last_fast_minute(situation.balances, critical_minutes)
    return last is not None and situation.balances[-1].time - last < REST_MINUTES * MINUTE


def _outcome(
    situation: Situation, whole: Situation, earlier: FallsAlike | FallOfADayAgo | None, *, is_there: bool
) -> str:
    if trend(situation) is Trend.UNKNOWN:
        return f"{minutes_at_full_speed(situation)}, fell fast lately"
    if trend(situation) is not Trend.FALLING:
        return f"{minutes_at_full_speed(situation)}, {'falling on and off' if is_there else 'at rest for now'}"
    return f"{left_in_short(situation)}{_or_in_pulses(situation, whole)}{unless_it_ends(earlier)}"


def _or_in_pulses(situation: Situation, whole: Situation) -> str:
    """The later end that pulses have together, of which this fall seems to be one: each of them ended by itself. More
    than a day away it has no time, for a subject has no date. Empty where there are none.
    """
    pulses, minutes = whole.pulses, minutes_until_the_told_end(situation)
    if situation.pulses is not None or pulses is None or pulses.credits_end is None or not minutes:
        return ""
    at_the_pace = situation.time + timedelta(minutes=minutes)
    if at_the_pace + MUCH_LATER >= pulses.credits_end:
        return ""
    if pulses.credits_end >= situation.time + DAY:
        return ", or after a day in pulses"
    return f", or at {pulses.credits_end.astimezone(UTC):%H:%M} UTC in pulses"


def _in_pulses(whole: Situation) -> str:
    """When pulses, of which this fall seems to be one, end the credits together; and who tells of the next."""
    told = end_in_pulses(whole)
    if not told or not pulses_end_soon(whole):
        return told
    return (
        f"{told} The next ones are told by CloudWatch's own ALARM message alone, on the Warning topic, unless that end "
        "comes much earlier by then. The end of the credits has a mail like this one."
    )


def _earlier(earlier: FallsAlike | FallOfADayAgo | None, situation: Situation, whole: Situation) -> list[str]:
    """How falls as fast ended so far, and what is left if this one does so; and who tells of the next, unless pulses
    end the credits together: that is said with their end.
    """
    if earlier is None:
        return []
    told = fell_as_fast(earlier, situation)
    rest = (
        "While there is twice as much as such a fall takes, the next ones are told by CloudWatch's own ALARM message "
        "alone, on the Warning topic. A fall that is faster has a mail like this one, and so has the end of the "
        "credits."
    )
    is_like_others = isinstance(earlier, FallsAlike) and next_fall_needs_no_mail(earlier)
    return [told, rest] if is_like_others and not pulses_end_soon(whole) else [told]


def _lead(situation: Situation, critical_minutes: int, *, is_there: bool) -> str:
    """When they are gone; not how long they would last at the permitted rate, which is a second figure to weigh."""
    name = titled(situation.file_system)
    if trend(situation) is Trend.UNKNOWN:
        told = f"{minutes_in_words(situation)} on {name}. They fell fast in some of the last minutes"
        return f"{told}. {end_at_net_rate(situation, critical_minutes)}"
    if trend(situation) is not Trend.FALLING:
        told = f"{minutes_in_words(situation)} on {name}. They fell fast in some of the last minutes"
        return f"{told}{_on_and_off(situation, critical_minutes, is_there=is_there)}"
    late = late_newest(situation)
    last = f"{past_span(situation.pace_minutes)}{f' up to the newest datapoint, of {late}' if late else ''}"
    fall = f"The burst credits of {name} fall by {falling_by(situation)}: that was the pace of {last}"
    if situation.ran_out is not None:
        return f"{fall}. If that went on, they have been gone since {clock(situation.ran_out, situation.time)}."
    left = situation.minutes_left_at_net or 0.0
    at = clock(_end(situation, left), situation.time)
    told = f"{fall}. If that goes on, they are gone at {at}, {duration(left)} from now."
    return " ".join(filter(None, [told, _began(situation), may_end_sooner(situation)]))


def _began(situation: Situation) -> str:
    """When the fall began that set off the alarm, be it one pulse of many, and since when it goes on if it paused: the
    load of now may be another. Empty where nobody knows, in a day, or where most of it was far slower: its beginning is
    that of another load.
    """
    fall = fall_under_way(situation)
    if fall is None or situation.time - fall.began >= DAY or was_far_slower(fall.start, situation):
        return ""
    is_exact = is_exact_to_the_minute(fall, situation.balances)
    began = beginning_of_a_fall(fall.began, situation, is_exact=is_exact)
    after_a_pause = goes_on_since(fall.began, situation.balances)
    goes_on = f", and goes on after a pause since {clock(after_a_pause, situation.time)}" if after_a_pause else ""
    return f"This fall began {began if began.startswith('some time') else f'at {began}'}{goes_on}."


def _on_and_off(situation: Situation, critical_minutes: int, *, is_there: bool) -> str:
    """What the newest minutes tell of a load whose pace with its pauses is no fall: that it comes and goes, or that it
    rests. Whether it is over they do not tell.
    """
    last = last_fast_minute(situation.balances, critical_minutes)
    if last is None:
        return f", and not by the newest datapoint, of {clock(situation.balances[-1].time, situation.time)}."
    at = clock(last, situation.time)
    if is_there:
        goes_on = f" {newest_minute(situation)}".rstrip()
        return f", the last time at {at}, and rose between: a load that comes and goes takes them.{goes_on}"
    return (
        f", the last time at {at}, and not since, up to {clock(situation.balances[-1].time, situation.time)}: the load "
        f"rests, or is over."
    )


def _end(situation: Situation, minutes: float) -> datetime:
    return situation.time + timedelta(minutes=minutes)
