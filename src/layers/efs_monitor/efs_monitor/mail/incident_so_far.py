"""Where in an incident a mail stands: which other alarms are on and since when, whether this one was over for minutes
only, and whether its threshold has moved meanwhile, and how often the credits were gone in the last day.

Whoever is woken by the fourth mail of a night may not have read the first three.
"""

from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.moved_thresholds import (
    has_not_fallen_below_it,
    has_risen,
    is_of_a_size,
    threshold_before_it_was_over,
)
from efs_monitor.incidents.situation import DAY, Situation
from efs_monitor.incidents.times_at_zero import ABOVE, earlier_limited_times, was_on_and_off
from efs_monitor.incidents.unknown_times import (
    may_have_ended_unseen,
    unknown_after_in_the_last_day,
    unknown_before_in_the_last_day,
)
from efs_monitor.incidents.unseen_end import unseen_end
from efs_monitor.mail.known_day import counted_span
from efs_monitor.mail.numbers import clock, duration, size, some_time

# What was over for longer is another incident's, and the next mail about it tells of itself.
OVER_FOR_A_WHILE = timedelta(hours=2)


def so_far(
    kind: AlarmKind, situation: Situation, lead_minutes: int | None = None, *, is_of_the_last: bool = False
) -> str:
    """What happened before this mail, which is about the alarm `kind`; empty where nothing did. `lead_minutes` where
    that alarm has just gone off, for it may have been over for a while only. It `is_of_the_last` time without credits
    where it tells that this is over.
    """
    told = [
        _others_on(kind, situation),
        "" if lead_minutes is None else _was_over(kind, lead_minutes, situation),
        _times_gone(situation, is_of_the_last=is_of_the_last, are_there=_are_there(kind, situation)),
        _may_have_been_gone(situation),
    ]
    return " ".join(filter(None, told))


def _others_on(kind: AlarmKind, situation: Situation) -> str:
    """The other alarms that are on, the mildest first, each since when."""
    others = [(one, since) for one, since in situation.alarms_on if one is not kind]
    if not others:
        return ""
    first, *rest = [(one.capitalize(), clock(since, situation.time)) for one, since in others]
    return (
        f"The {first[0]} alarm has been on since {', '.join([first[1], *(f'{one} since {at}' for one, at in rest)])}."
    )


def _was_over(kind: AlarmKind, lead_minutes: int, situation: Situation) -> str:
    """That the alarm which has just gone off was over for a while only: the balance was below its threshold before."""
    off_since = situation.off_since
    if off_since is None or situation.time - off_since >= OVER_FOR_A_WHILE:
        return ""
    before = (*situation.balances_of_the_day, *situation.balances)
    threshold_bytes = situation.threshold_bytes(lead_minutes)
    lowered_from_bytes = threshold_before_it_was_over(lead_minutes, situation)
    was_low = any(one.time < off_since and one.balance_bytes < threshold_bytes for one in before)
    if not was_low and lowered_from_bytes is None:
        return ""
    pause = (situation.time - off_since) / MINUTE
    was_over = f"{kind.capitalize()} had been over since {clock(off_since, situation.time)}, for {duration(pause)}"
    return f"{was_over}{_was_lowered(lowered_from_bytes, situation)}.{_has_risen(lead_minutes, situation)}"


def _was_lowered(from_bytes: float | None, situation: Situation) -> str:
    """Why it was over, as a clause, where no more had come back than it was on by before."""
    if from_bytes is None or situation.off_above_bytes is None:
        return ""
    return (
        f": its threshold had been lowered with the size, from about {size(from_bytes)} to "
        f"{size(situation.off_above_bytes)}"
    )


def _has_risen(lead_minutes: int, situation: Situation) -> str:
    """The sentence that the threshold has risen meanwhile, and whether that alone has set the alarm off."""
    before_bytes = situation.off_above_bytes
    if before_bytes is None or not has_risen(lead_minutes, situation):
        return ""
    with_the_size = " with the size" if is_of_a_size(before_bytes, lead_minutes, situation) else ""
    alone = ": the balance has not fallen below the one of before" if has_not_fallen_below_it(situation) else ""
    return (
        f" Its threshold has risen{with_the_size} since then, from {size(before_bytes)} to "
        f"{size(situation.threshold_bytes(lead_minutes))}{alone}."
    )


def _are_there(kind: AlarmKind, situation: Situation) -> bool:
    """Whether the mail says that credits are there: then a time without them that has just ended is one of before."""
    return kind is not AlarmKind.EXHAUSTED and not situation.credits_are_gone and situation.ran_out is None


def _times_gone(situation: Situation, *, is_of_the_last: bool, are_there: bool) -> str:
    """How often the credits were gone in the last day, and when the last time was: a load that comes back is no
    accident. Empty where they were not. A limit that has just come is none of before; one that has just ended is the
    last in a mail that `is_of_the_last`, or that says that they `are_there`.
    """
    over_for = timedelta(0) if is_of_the_last or are_there else ABOVE
    earlier = earlier_limited_times(situation, over_for=over_for)
    if not earlier:
        return ""
    last = "the last time " if len(earlier) > 1 else ""
    since = situation.time - DAY
    least = ""
    if may_have_ended_unseen(situation, [one for one in situation.balances_of_the_day if one.time >= since]):
        # They may have been gone from one end of what is missing to the other.
        earlier = earlier_limited_times(situation, unknown=DAY, over_for=over_for)
        if not earlier:
            # It may be the one that goes on.
            return ""
        least, last = "at least ", "the last time that is known "
    before = "" if is_of_the_last else " before"
    times = " " + least + {1: "once", 2: "twice"}.get(len(earlier), f"{len(earlier)} times")
    on_and_off = ""
    if was_on_and_off(earlier[-1], situation):
        # "Once" would be wrong of pulses.
        times, on_and_off = times if last else "", "on and off "
    ended = end(earlier[-1].ended, situation)
    if earlier[-1].is_whole:
        span = f"from {beginning(earlier[-1].began, situation)} to {ended}"
    else:
        span = f"until {ended}" if ended.startswith("some time") else f"until about {ended}"
    return f"Credits were gone{times}{before} in {counted_span(situation)}, {last}{on_and_off}{span}."


def _may_have_been_gone(situation: Situation) -> str:
    """That they may have ended, and come back, while nobody could see it; empty where they cannot have, at the pace of
    before.
    """
    unseen = unseen_end(situation)
    if unseen is None:
        return ""
    since, until, gone = (clock(one, situation.time) for one in (unseen.since, unseen.until, unseen.gone))
    about = "" if unseen.to_the_minute else "about "
    return (
        f"CloudWatch has no balance from {about}{since} to {about}{until}: credits may have been gone in that time, "
        f"from about {gone} on if they went on falling as before."
    )


def beginning(moment: datetime, situation: Situation) -> str:
    """When a time at zero began, to five minutes; or between which two moments, where metrics are missing before it."""
    began, since = clock(moment, situation.time), unknown_before_in_the_last_day(moment, situation)
    return f"about {began}" if since is None else some_time(clock(since, situation.time), began)


def end(moment: datetime, situation: Situation) -> str:
    """When a time at zero ended, to five minutes; or between which two moments, where metrics are missing after it."""
    ended, until = clock(moment, situation.time), unknown_after_in_the_last_day(moment, situation)
    return ended if until is None else some_time(ended, clock(until, situation.time))
