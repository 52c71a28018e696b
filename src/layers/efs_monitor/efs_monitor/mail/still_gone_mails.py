"""The Advice mail about Warning or Critical that comes again while nothing is left: shorter than those before it.

It says what is so by now, and has each command that works now with its price, for whoever has only this mail. What
else there is to know of the remedies stands in the mail about the end of the credits.
"""

from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.efs.credits import LOWEST_BURST_BYTES_PER_SECOND, SAME_RATE, is_no_faster
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.mode_lock import LOCK
from efs_monitor.incidents.needed_throughput import busiest_bytes_per_second, takes_less_than_is_there
from efs_monitor.incidents.situation import DAY, STEP, Situation
from efs_monitor.incidents.times_at_zero import gone_since
from efs_monitor.incidents.unknown_times import is_the_first_known, unknown_before_in_the_last_day
from efs_monitor.mail.chat import chat
from efs_monitor.mail.incident_so_far import so_far
from efs_monitor.mail.known_day import known_span
from efs_monitor.mail.layout import Message, compose, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.low_credits_mails import are_gone, head_of
from efs_monitor.mail.mode_refusals import why_locked
from efs_monitor.mail.numbers import clock, duration, rate
from efs_monitor.mail.outlook import (
    Trend,
    driver,
    limit_in_subject,
    trend,
    what_ends_the_limit,
    what_is_so,
    with_credits,
)
from efs_monitor.mail.remedies import in_short, remedies, steps, way_out_of_zero, ways_out
from efs_monitor.mail.stack_context import StackContext
from efs_monitor.notify.repeats import FORETOLD, Repeat

# From so many times another limit on, a limit of the time without credits is told beside that of now: the size moved.
ANOTHER_LIMIT = 1.1


def mail_with_all_remedies(situation: Situation, last_mail: datetime) -> datetime | None:
    """When the mail about the end of the credits went out, with all that there is to know of the remedies, where the
    `last_mail` about the alarm has told of this time without credits. None where a whole mail has to come: nobody was
    told yet, credits come back, or the mode was locked then, so that the remedies were left out.
    """
    exhausted, gone = dict(situation.alarms_on).get(AlarmKind.EXHAUSTED), gone_since(situation)
    if exhausted is None or gone is None or not situation.credits_are_gone or trend(situation) is Trend.RISING:
        return None
    is_told = exhausted <= last_mail and gone - FORETOLD <= last_mail
    was_locked = situation.changed_seen is not None and exhausted < situation.changed_seen + LOCK
    return exhausted if is_told and not was_locked else None


def still_gone(
    repeat: Repeat,
    lead_minutes: int,
    situation: Situation,
    stack: StackContext,
    *,
    lasting: timedelta,
    whole_mail: datetime,
) -> Message:
    """The alarm has been on for `lasting`, and the last mail told of the same zero. The `whole_mail` has all that this
    `repeat` leaves out.
    """
    severity = repeat.alarm
    file_system_id = situation.file_system.file_system_id
    left, head = f"burst credits gone, {limit_in_subject(situation)}", head_of(severity, lasting)
    gone, moved, story = _gone(situation), _moved_since(repeat.last, situation), so_far(severity, situation)
    driven, in_order = _driven(situation), ways_out(file_system_id, situation, stack)
    hours = repeat.pause // timedelta(hours=1)
    again = (
        f"The mail of {clock(whole_mail, situation.time)} says more about each of these. The next mail like this one "
        f"comes in about {f'{hours} hours' if hours > 1 else 'an hour'}, if it is so then."
    )
    return compose(
        subject=f"{head}: {left}, {file_system_id}",
        about=situation.file_system.name,
        paragraphs=[
            wrapped(gone),
            *([wrapped(moved)] if moved else []),
            wrapped(way_out_of_zero(situation, lead_minutes, stack.region)),
            *([wrapped(story)] if story else []),
            *([wrapped(driven)] if driven else []),
            *remedies(in_order, situation, stack, in_brief=True),
            wrapped(again),
            *links(stack, severity, file_system_id, alarm_name(stack.stack_name, severity)),
        ],
        short=in_short(f"{head} {file_system_id}: {left}", "", situation, stack.region),
        chat=chat(
            stack,
            file_system_id,
            severity,
            [gone, moved, what_ends_the_limit(situation, lead_minutes), why_locked(situation)],
            steps(in_order),
            alarm_name(stack.stack_name, severity),
        ),
    )


def _gone(situation: Situation) -> str:
    """Since when, and for how long clients have been limited, where that is known to five minutes; to what meanwhile,
    where the size moved.
    """
    since = gone_since(situation)
    if since is None or not _is_known(since, situation):
        return f"{are_gone(situation)} {what_is_so(situation)}."
    limits = [*_permitted_since(since, situation).values(), situation.baseline_bytes_per_second]
    lowest, highest, now = min(limits), max(limits), rate(limits[-1])
    limit, with_credits_then = now, ""
    if highest > ANOTHER_LIMIT * lowest:
        if SAME_RATE * highest >= LOWEST_BURST_BYTES_PER_SECOND:
            # What a larger size earned looks like what a smaller one is permitted with credits.
            return f"{are_gone(situation)} {what_is_so(situation)}."
        limit, with_credits_then = (
            f"{rate(lowest).removesuffix(' MiB/s')} to {rate(highest)}, {now} by now,",
            " with credits",
        )
    has_been = "has had no more than" if takes_less_than_is_there(situation) else "has been limited to"
    return (
        f"{are_gone(situation)} For {duration((situation.time - since) / MINUTE)} everything on it {has_been} "
        f"{limit} instead of {with_credits(situation)}{with_credits_then}."
    )


def _is_known(since: datetime, situation: Situation) -> bool:
    """Whether it is known to five minutes that something began then."""
    is_of_the_day = situation.time - since < DAY and not is_the_first_known(since, situation)
    return is_of_the_day and unknown_before_in_the_last_day(since, situation) is None


def _permitted_since(moment: datetime, situation: Situation) -> dict[datetime, float]:
    """The most that was permitted in each whole five minutes of the clock since then, but for the first: credits may
    have ended in them. Those of which some minutes are missing are not whole, as far as each minute is known.
    """
    known = {one.time for one in (*situation.earlier_balances, *situation.balances)}
    first, newest = min(known), situation.balances[-1].time + MINUTE
    return {
        time: most
        for time, most in situation.permitted_of_the_day
        if moment + STEP <= time <= newest - STEP
        and (time < first or all(time + minute * MINUTE in known for minute in range(STEP // MINUTE)))
    }


def _moved_since(last_mail: datetime, situation: Situation) -> str:
    """What clients got since the mail before, of what is there, and how much longer it takes them than it did: what
    waiting costs. Empty where CloudWatch has nothing of it.
    """
    # The mail may have told of the end some minutes before it.
    known = _permitted_since(last_mail, situation)
    if not known:
        return ""
    moved_bytes = sum(one.metered_bytes for one in situation.last_day if one.time in known)
    average, limit = moved_bytes / len(known) / STEP.total_seconds(), situation.baseline_bytes_per_second
    was_as_now = all(limit / SAME_RATE <= one <= SAME_RATE * limit for one in known.values())
    of_it = f", of the {rate(limit)} that are permitted" if was_as_now else f"; {rate(limit)} are permitted now"
    since = clock(last_mail, situation.time)
    moved = f"Since the mail before, of {since}, clients moved {rate(average)} on average as metered{of_it}."
    busiest_bytes = busiest_bytes_per_second(situation)
    if busiest_bytes is None or is_no_faster(busiest_bytes, limit):
        return moved
    return (
        f"{moved} What takes an hour at the rate of the busiest five minutes of "
        f"{known_span(situation.known_minutes_of_the_day)} ({rate(busiest_bytes)}) takes "
        f"{duration(60 * busiest_bytes / limit)} now."
    )


def _driven(situation: Situation) -> str:
    """Which kind of work takes what there is, for whoever looks for it; empty where nobody does, or it is not known."""
    activity = situation.activity
    is_known = activity is not None and activity.observed_minutes > 0 and activity.shares() is not None
    return f"Who drives it: {driver(activity)}." if activity is not None and is_known else ""
