"""The Advice mails of Warning and Critical: credits run low, are not low after all, or recover while the alarm lasts.

`lasting` is how long the alarm has been on, for a mail that repeats an earlier one.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.alarms.thresholds import EXHAUSTED_MINUTES
from efs_monitor.efs.credits import SECONDS_PER_MINUTE, full_bucket_bytes
from efs_monitor.incidents.fall_of_a_day_ago import FallOfADayAgo
from efs_monitor.incidents.falls_alike import AS_FAST, FallsAlike
from efs_monitor.incidents.pace_of_a_fall import PACE_OF_A_FALL
from efs_monitor.incidents.recovering_balance import NEARLY_FULL
from efs_monitor.incidents.situation import DAY, Situation
from efs_monitor.incidents.times_at_zero import gone_since, times_at_zero
from efs_monitor.incidents.unknown_times import is_the_first_known, unknown_before_in_the_last_day
from efs_monitor.mail.cap_mails import credits_change_nothing
from efs_monitor.mail.chat import chat
from efs_monitor.mail.coming_day import (
    began_before_the_last_day,
    coming_and_time_to_act,
    is_told_what_comes,
    needs_no_action,
    remedy_of_before,
    what_comes_back,
)
from efs_monitor.mail.credit_figures import facts
from efs_monitor.mail.falls_that_ended import falls_that_ended, fell_as_fast, unless_it_ends
from efs_monitor.mail.goes_on import if_a_load_has_come_since
from efs_monitor.mail.hovering_mails import dips_before, nearly_gone_before, rose_before
from efs_monitor.mail.incident_so_far import so_far
from efs_monitor.mail.layout import Message, compose, sentences, titled, wrapped
from efs_monitor.mail.links import links, runbook_link, sender
from efs_monitor.mail.mode_refusals import why_locked
from efs_monitor.mail.numbers import clock, counted, duration, rate, size, some_time
from efs_monitor.mail.outlook import (
    TO_EVERYBODY,
    Trend,
    both_ends,
    end_at_net_rate,
    end_at_permitted_rate,
    ends_soon,
    if_the_load_went_on,
    left_in_short,
    left_in_subject,
    limit_in_subject,
    minutes_at_full_speed,
    minutes_in_words,
    minutes_until_the_told_end,
    nothing_holds_them_down,
    slows_nobody_down,
    trend,
    what_ends_the_limit,
    what_follows,
    what_is_so,
    with_credits,
)
from efs_monitor.mail.remedies import in_short, lock_without_remedies, remedies, steps, way_out_of_zero, ways_out
from efs_monitor.mail.smaller_size import earns_far_less
from efs_monitor.mail.stack_context import StackContext

# A time without credits that began so long before the last one, with minutes of full speed between them.
LONG_BEFORE = timedelta(minutes=30)


def credits_low(
    severity: AlarmKind,
    lead_minutes: int,
    situation: Situation,
    stack: StackContext,
    lasting: timedelta | None = None,
) -> Message:
    """Warning or Critical, with everything a person needs to act: `lead_minutes` is what the alarm stands for."""
    file_system = situation.file_system
    if not file_system.lives_on_credits:
        from efs_monitor.mail.overtaken_alarm_mails import overtaken_by_mode  # noqa: PLC0415 - a cold start on credits does not pay for it

        sentence = f"The {severity.capitalize()} alarm of {titled(file_system)} is on, but no longer matters"
        return overtaken_by_mode(head_of(severity, lasting), "no longer matters", sentence, severity, situation, stack)
    if situation.credits_change_nothing:
        return credits_change_nothing(head_of(severity, lasting), severity, lead_minutes, situation, stack)
    gone = situation.credits_are_gone
    lead = _lead_when_gone(situation, lead_minutes, stack.region) if gone else _lead(situation, lead_minutes, lasting)
    limit = rate(situation.baseline_bytes_per_second)
    left = f"burst credits gone, {limit_in_subject(situation)}" if gone else left_in_short(situation)
    in_subject = left if gone else left_in_subject(situation)
    before, below_minutes = _rises_before(severity, lead_minutes, situation, lasting)
    ended = None if gone or before else _falls_that_ended(situation)
    ends = rose_before(below_minutes, situation) if before else unless_it_ends(ended)
    earlier = [fell_as_fast(ended, situation)] if ended is not None else before
    story = so_far(severity, situation, lead_minutes if lasting is None else None)
    file_system_id, head = file_system.file_system_id, head_of(severity, lasting)
    in_order = ways_out(file_system_id, situation, stack)
    return compose(
        subject=f"{head}: {in_subject}{ends}, {file_system_id}",
        about=file_system.name,
        paragraphs=[
            *lead[:2],
            *map(wrapped, earlier),
            *lead[2:],
            *([wrapped(story)] if story else []),
            facts(severity, lead_minutes, situation),
            *remedies(in_order, situation, stack),
            *links(stack, severity, file_system_id, alarm_name(stack.stack_name, severity)),
        ],
        short=in_short(f"{head} {file_system_id}: {left}", "" if gone else f", then {limit}", situation, stack.region),
        chat=chat(
            stack,
            file_system.file_system_id,
            severity,
            [
                *(_lines_when_gone(situation, lead_minutes) if gone else _lines(situation, lead_minutes, lasting)),
                *earlier[:1],
                story,
            ],
            steps(in_order),
            alarm_name(stack.stack_name, severity),
        ),
    )


def _rises_before(
    severity: AlarmKind, lead_minutes: int, situation: Situation, lasting: timedelta | None
) -> tuple[list[str], int]:
    """How often the balance rose again before, by sentences, and after it had been below how many minutes' worth: of an
    alarm that stays on, those of the last one.
    """
    if situation.credits_are_gone:
        return [], lead_minutes
    if lasting is None:
        return dips_before(severity, lead_minutes, situation), lead_minutes
    return nearly_gone_before(situation)[:1], EXHAUSTED_MINUTES


def not_low(
    severity: AlarmKind, lead_minutes: int, went_off_below_bytes: float, situation: Situation, stack: StackContext
) -> Message:
    """Warning or Critical went off by a threshold of before, which is too high by now and still to be lowered: nothing
    is low, and there is nothing to do. The subject is that of any other, for what it says of the credits is so.
    """
    file_system, word = situation.file_system, severity.capitalize()
    file_system_id, name = file_system.file_system_id, alarm_name(stack.stack_name, severity)
    threshold = size(situation.threshold_bytes(lead_minutes))
    told = (
        f"The {word} alarm of {titled(file_system)} went off below {size(went_off_below_bytes)}, its threshold of "
        f"before. It is permitted less by now, {with_credits(situation)} with credits: {counted(lead_minutes)} at that "
        f"need {threshold}, and no balance of the last hour was below. Nothing is low by that."
    )
    lowers = (
        f"There is nothing to do about the alarm: the next hourly run lowers its threshold to {threshold}, which ends "
        f"it unless less is left by then."
    )
    head = head_of(severity, None)
    return compose(
        subject=f"{head}: {left_in_subject(situation)}, {file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(told),
            wrapped(lowers),
            wrapped(_left(situation)),
            *coming_and_time_to_act(situation, lead_minutes, "a remedy from the runbook"),
            sentences(*both_ends(situation, lead_minutes)),
            facts(severity, lead_minutes, situation),
            *links(stack, severity, file_system_id, name),
        ],
        short=f"{head} {file_system_id}: {left_in_short(situation)}. Not low: an old threshold set it off.",
        chat=chat(
            stack,
            file_system_id,
            severity,
            [told, lowers, end_at_net_rate(situation, lead_minutes)],
            alarm_name=name,
        ),
    )


def _falls_that_ended(situation: Situation) -> FallsAlike | FallOfADayAgo | None:
    """The falls before this one, where the credits end at the pace of the mail, and that is the pace of this fall: of
    pulses it is that of their rests, too.
    """
    if situation.ran_out is not None or minutes_until_the_told_end(situation) is None:
        return None
    of_the_fall = replace(situation, pace=PACE_OF_A_FALL).drain_bytes_per_second or 0.0
    is_of_the_fall = of_the_fall <= AS_FAST * (situation.drain_bytes_per_second or 0.0)
    return falls_that_ended(situation) if is_of_the_fall else None


def credits_recovering(
    severity: AlarmKind,
    lead_minutes: int,
    situation: Situation,
    stack: StackContext,
    lasting: timedelta,
    every: timedelta,
) -> Message:
    """The mail about an alarm that lasts while its balance comes back: how it stands, what comes next, nothing to do,
    and that it comes again after `every`.

    The whole mail where the balance falls after all.
    """
    file_system = situation.file_system
    is_another_mail = not file_system.lives_on_credits or situation.credits_change_nothing
    if is_another_mail or trend(situation) in {Trend.FALLING, Trend.UNKNOWN}:
        return credits_low(severity, lead_minutes, situation, stack, lasting)
    left, lock = minutes_at_full_speed(situation), lock_without_remedies(situation)
    story, since = so_far(severity, situation), if_a_load_has_come_since(situation)
    return compose(
        subject=f"{head_of(severity, lasting)}: {left}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(
                f"{minutes_in_words(situation)} on {titled(file_system)}. "
                f"{_pace_and_end(situation, lead_minutes)} {_no_action(situation, lasting)}".rstrip()
            ),
            *([wrapped(since)] if since else []),
            *coming_and_time_to_act(situation, lead_minutes, remedy_of_before(situation)),
            *([wrapped(lock)] if lock else []),
            *([wrapped(story)] if story else []),
            wrapped(_until_it_falls(every, may_be_full=_may_be_nearly_full(situation, lead_minutes))),
            *runbook_link(stack, severity),
            sender(stack),
        ],
        short=f"{head_of(severity, lasting)} {file_system.file_system_id}: {left}, not falling.",
        chat=chat(
            stack,
            file_system.file_system_id,
            severity,
            [
                f"{minutes_in_words(situation)} on {titled(file_system)}.",
                _pace_and_end(situation, lead_minutes),
                _no_action(situation, lasting),
                since,
                what_comes_back(situation, lead_minutes),
                lock,
                story,
            ],
            alarm_name=alarm_name(stack.stack_name, severity),
        ),
    )


def _may_be_nearly_full(situation: Situation, lead_minutes: int) -> bool:
    """Whether the alarm may be on with a bucket that is nearly full."""
    full_bytes = full_bucket_bytes(situation.file_system.standard_bytes)
    return situation.threshold_bytes(lead_minutes) > NEARLY_FULL * full_bytes


def _until_it_falls(every: timedelta, *, may_be_full: bool) -> str:
    """How often the brief mail comes, and the whole one where somebody wants that no more than once a day either; and
    that none comes of a bucket that is nearly full, where the alarm may be on with one.
    """
    how_often, again = "once a day", "again"
    if every > DAY:
        how_often, again = f"every {every // timedelta(hours=1)} hours", "as often"
    below = " and is below three quarters of a full bucket" if may_be_full else ""
    return (
        f"This mail comes {how_often} while the balance does not fall{below}. When it falls, or is at zero, the whole "
        f"one comes {again}, with what to do."
    )


def head_of(severity: AlarmKind, lasting: timedelta | None) -> str:
    """What a subject begins with, and for how long the alarm has been on where the mail repeats an earlier one."""
    if lasting is None:
        return severity.upper()
    minutes = lasting.total_seconds() / SECONDS_PER_MINUTE
    # Short, because the subject must hold the file system's id too.
    return f"STILL {severity.upper()} for {duration(minutes) if minutes >= 1 else 'under 1 min'}"


def _no_action(situation: Situation, lasting: timedelta | None) -> str:
    """That nobody has to do anything, of an alarm that has been on for so long; empty where somebody may have to, by a
    load that has come since the newest datapoint, too.
    """
    is_in_time = not if_a_load_has_come_since(situation)
    rests = needs_no_action(situation) and not began_before_the_last_day(lasting) and is_in_time
    return "If that goes on, no action is needed." if rests else ""


def _lead(situation: Situation, lead_minutes: int, lasting: timedelta | None) -> list[str]:
    """How long they last comes first, in the order of the subject: the pace where it falls, else full speed."""
    coming = _coming(situation, lead_minutes)
    # What comes back may be told with it.
    smaller = "" if any("The size earned" in one for one in coming) else earns_far_less(situation)
    return [
        wrapped(_left(situation)),
        sentences(
            *both_ends(situation, lead_minutes),
            ends_soon(situation, lead_minutes),
            _no_action(situation, lasting),
        ),
        wrapped(f"{what_follows(situation)}: {TO_EVERYBODY} {slows_nobody_down(situation)}".rstrip()),
        *([wrapped(smaller)] if smaller else []),
        *coming,
    ]


def _pace_and_end(situation: Situation, lead_minutes: int) -> str:
    """Where the balance goes, and whether the alarm ends soon."""
    return f"{end_at_net_rate(situation, lead_minutes)} {ends_soon(situation, lead_minutes)}".rstrip()


def _left(situation: Situation) -> str:
    return f"{minutes_in_words(situation)} on {titled(situation.file_system)}."


def _coming(situation: Situation, lead_minutes: int) -> list[str]:
    return coming_and_time_to_act(situation, lead_minutes, "a remedy below")


def are_gone(situation: Situation) -> str:
    """The sentence that they are, and since when."""
    name = titled(situation.file_system)
    return f"The burst credits of {name} {_since_when(situation)}{if_the_load_went_on(situation)}."


def _since_when(situation: Situation) -> str:
    """Since when, by the lowest balance of each five minutes of the last day, where they show it yet."""
    since = gone_since(situation)
    if since is None:
        return "are gone"
    if situation.time - since >= DAY:
        return "have been gone for more than a day"
    unknown_since = unknown_before_in_the_last_day(since, situation)
    if unknown_since is not None:
        return f"are gone since {some_time(clock(unknown_since, situation.time), clock(since, situation.time))}"
    if is_the_first_known(since, situation):
        return f"are gone since {clock(since, situation.time)} or before"
    return f"are gone since about {clock(since, situation.time)}{_on_and_off(since, situation)}"


def _on_and_off(since: datetime, situation: Situation) -> str:
    """From when on they were gone before, with next to nothing and full speed for minutes in between: a load in pulses
    takes what the rests between them earn. Empty where it is the first of such times.
    """
    first = times_at_zero(situation)[-1].began
    is_known = unknown_before_in_the_last_day(first, situation) is None and not is_the_first_known(first, situation)
    if since - first < LONG_BEFORE or not is_known:
        return ""
    return f", and were so on and off from about {clock(first, situation.time)} on"


def _lines(situation: Situation, lead_minutes: int, lasting: timedelta | None) -> list[str]:
    """What a chat says first: what is left, until when, and what follows."""
    return [
        _left(situation),
        end_at_permitted_rate(situation) if trend(situation) is Trend.UNKNOWN else "",
        _pace_and_end(situation, lead_minutes),
        _no_action(situation, lasting),
        f"{what_follows(situation)}.",
        what_comes_back(situation, lead_minutes) if is_told_what_comes(situation, lead_minutes) else "",
        why_locked(situation),
    ]


def _lines_when_gone(situation: Situation, lead_minutes: int) -> list[str]:
    return [
        are_gone(situation),
        f"{what_is_so(situation)}.",
        what_ends_the_limit(situation, lead_minutes),
        what_comes_back(situation, lead_minutes) if trend(situation) is Trend.RISING else "",
        why_locked(situation),
    ]


def _lead_when_gone(situation: Situation, lead_minutes: int, region: str) -> list[str]:
    return [
        wrapped(are_gone(situation)),
        wrapped(f"{what_is_so(situation)}: {TO_EVERYBODY} {nothing_holds_them_down(situation)}".rstrip()),
        wrapped(way_out_of_zero(situation, lead_minutes, region)),
        *(
            coming_and_time_to_act(situation, lead_minutes, "a remedy below")
            if trend(situation) is Trend.RISING
            else []
        ),
    ]
