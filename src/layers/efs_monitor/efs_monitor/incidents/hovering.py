"""Whether the balance hovers about the threshold of an alarm: below it and above it again by itself, again and again.

Each time the alarm goes off, and its mail says when the credits are gone at their pace: these say how often they rose
again before. All of it is read off the lowest balances of five minutes each.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from efs_monitor.alarms.late_metrics import are_late
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.falls_alike import AS_FAST
from efs_monitor.incidents.one_size import last_step_of_another
from efs_monitor.incidents.pace_of_a_fall import PACE_OF_A_FALL
from efs_monitor.incidents.situation import STEP, Situation

# Less than a day: a nightly batch is told each night, whenever in it the balance is low.
SAME_STORY = timedelta(hours=20)
# What is above the threshold for the minutes that the alarm looks at has ended it; for five less, which is how coarse
# they are known, it may have.
ENDS_IT, MAY_END_IT = timedelta(minutes=15), timedelta(minutes=10)
# What fell longer before it was below the threshold is another load.
INTO_IT = timedelta(minutes=30)
# What rises above the threshold by more than half of it has recovered, and what comes then is another story: but for
# that of the last minute's worth, of which half a minute more is next to nothing.
CLEAR_OF_IT, CLEAR_OF_THE_END_MINUTES = 1.5, 5


def midnight_before(time: datetime) -> datetime:
    """When the day in UTC began: once a day a mail tells of such a dip nevertheless."""
    return time.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


class Dip(NamedTuple):
    """A time below the threshold that ended by itself; as fast as the fastest five minutes of the fall into it.

    It `set_it_off` where the alarm had ended before it for sure, and may have been on still where not.
    """

    began: datetime
    ended: datetime
    lowest_bytes: float
    bytes_per_second: float
    set_it_off: bool


class Hovering(NamedTuple):
    """How often the balance was below the threshold before, after falls as fast as this one, and what was left then at
    the least. This one is like those while `bound_bytes` are left: twice as far below the threshold.

    It `was_told` where there were so many since midnight UTC that the mail about one of them has said so.
    """

    times: int
    lowest_bytes: float
    bound_bytes: float
    was_told: bool


def dips(
    situation: Situation, threshold_bytes: float, since: datetime | None = None, *, over_after: timedelta = MAY_END_IT
) -> list[Dip]:
    """The times below the threshold that are over, of the last 20 hours and `since` then, oldest first: after the last
    recovery, after the last gap, for nobody knows what was left in that, and since the size is that of now, for it had
    another threshold before. The newest is over once the balance was above for so long.
    """
    points = situation.balances_of_the_day
    clear_bytes = max(CLEAR_OF_IT * threshold_bytes, CLEAR_OF_THE_END_MINUTES * situation.minute_bytes)
    ends = [
        index
        for index, (one, later) in enumerate(pairwise(points), 1)
        if later.time - one.time > STEP or one.balance_bytes > clear_bytes
    ]
    another = last_step_of_another(situation)
    oldest = max(filter(None, (situation.time - SAME_STORY, since, another and another + STEP)))
    known = points[ends[-1] if ends else 0 :]
    return [one for one in _dips(known, threshold_bytes, over_after) if one.began >= oldest]


def hovering(situation: Situation, threshold_bytes: float, since: datetime | None = None) -> Hovering | None:
    """How the fall that has just set off an alarm compares with those before it; None where there was none as fast,
    where this one is deeper already, where twice as deep a one would end the credits, where it may have done so by now,
    or where the balance is late.
    """
    drain = replace(situation, pace=PACE_OF_A_FALL).drain_bytes_per_second
    end = situation.end_as_in_the_newest_minute
    if drain is None or are_late(situation.balances, situation.time) or (end is not None and end <= situation.time):
        return None
    before = dips(situation, threshold_bytes, since)
    if not before:
        return None
    # Where it is low for hours, and its rises end no alarm, the newest balance says nothing of how deep it was.
    of_this_time = [one for one in situation.balances_of_the_day if one.time >= before[-1].ended]
    lowest_bytes = min(one.balance_bytes for one in (*of_this_time, situation.balances[-1]))
    return _hovering(situation, threshold_bytes, before, drain, lowest_bytes)


def ended_alike(situation: Situation, threshold_bytes: float, since: datetime) -> bool:
    """Whether the alarm that was on `since` then, and has just ended, was about a dip like those before it."""
    before: list[Dip] = []
    own: list[Dip] = []
    # Where metrics are late, the alarm ends by fewer minutes: that it has ended is known.
    for one in dips(situation, threshold_bytes, over_after=timedelta(0)):
        (before if one.ended <= since - MAY_END_IT else own).append(one)
    if not own:
        return False
    drain, lowest = max(one.bytes_per_second for one in own), min(one.lowest_bytes for one in own)
    return _hovering(situation, threshold_bytes, before, drain, lowest) is not None


def _hovering(
    situation: Situation, threshold_bytes: float, before: Sequence[Dip], drain: float, lowest_bytes: float
) -> Hovering | None:
    alike = [one for one in before if drain <= AS_FAST * one.bytes_per_second]
    if not alike:
        return None
    least_bytes = min(one.lowest_bytes for one in alike)
    bound_bytes = threshold_bytes - 2 * (threshold_bytes - least_bytes)
    # The credits are as good as gone with the last minute's worth, and gone with the last second's.
    end_bytes = situation.minute_bytes if threshold_bytes > situation.minute_bytes else situation.nothing_bytes
    if bound_bytes < end_bytes or lowest_bytes < bound_bytes:
        return None
    midnight = midnight_before(situation.time)
    # The mail about one that took all within the minutes that metrics are late has not said so: it may have ended them.
    late_seconds = (situation.time - situation.balances[-1].time).total_seconds()
    was_told = any(
        one.set_it_off
        and one.began >= midnight
        and one.bytes_per_second * late_seconds < threshold_bytes
        and any(one.bytes_per_second <= AS_FAST * two.bytes_per_second for two in before[:index])
        for index, one in enumerate(before)
    )
    return Hovering(times=len(alike), lowest_bytes=least_bytes, bound_bytes=bound_bytes, was_told=was_told)


def _dips(points: Sequence[BalancePoint], threshold_bytes: float, over_after: timedelta) -> Iterator[Dip]:
    """Each from the first low point to the last, where it was above for long enough before it, and after it."""
    low = [index for index, one in enumerate(points) if one.balance_bytes < threshold_bytes]
    spells: list[list[int]] = []
    for index in low:
        if spells and points[index].time - points[spells[-1][-1]].time - STEP < MAY_END_IT:
            spells[-1].append(index)
        else:
            spells.append([index])
    before = 0
    for first, *_, last in ([*spell, spell[-1]] for spell in spells):
        rested = points[first].time - points[before].time - STEP
        fall = [one for one in points[before : last + 1] if points[first].time - one.time <= INTO_IT]
        before = last
        if first > 0 and points[-1].time - points[last].time >= over_after + STEP:
            yield Dip(
                began=points[first].time,
                ended=points[last].time + STEP,
                lowest_bytes=min(one.balance_bytes for one in points[first : last + 1]),
                set_it_off=rested >= ENDS_IT,
                bytes_per_second=max(a.balance_bytes - b.balance_bytes for a, b in pairwise(fall))
                / STEP.total_seconds(),
            )
