"""The falls of the last day, at whatever hour, that were as fast as the one under way and ended before the credits did.

A batch of ten minutes every hour falls each time at a pace that would empty the bucket, and each time it ends before.
The pace alone says when the credits are gone if it goes on; these say how long it went on so far.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from efs_monitor.efs.credits import earned_bytes_per_second
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.changed_earning import earns_another_rate_than
from efs_monitor.incidents.falling_since import falling_since
from efs_monitor.incidents.pace_of_a_fall import PACE_OF_A_FALL
from efs_monitor.incidents.situation import BEFORE, DAY, STEP, Situation, once

# What falls faster than earlier falls by more than a quarter is another load.
AS_FAST = 1.25
# One alone may have been anything.
FEWEST = 2
# One that took more than twice as much as any other is apart from them where these are so many: a job of each hour has
# its own length, however long another one of the day was.
FAR_DEEPER, FEWEST_BESIDE_ONE_APART = 2, 10


class FallsAlike(NamedTuple):
    """How often the balance fell as fast, for how long at the longest, and what no fall took more than.

    `left_bytes` is what is left at the least if the fall under way takes no more than that. `spares_as_much` is whether
    it may take twice as much before the credits are gone, as far as is known by now. `apart` is one as fast that is not
    counted, because it took far more than all the others.
    """

    times: int
    longest: timedelta
    most_bytes: float
    left_bytes: float
    spares_as_much: bool
    apart: "FallApart | None" = None


class FallApart(NamedTuple):
    """From when on it fell, to five minutes, and about how much that took."""

    began: datetime
    lost_bytes: float


class _Descent(NamedTuple):
    """Five minutes after five minutes in which the balance fell, without a pause.

    It `is_whole` where none are missing in it, before it and after it: it may have gone on unseen else, to zero even.
    One with which what is known begins is not.
    """

    points: Sequence[BalancePoint]
    is_whole: bool

    @property
    def began(self) -> datetime:
        return self.points[0].time + STEP

    @property
    def ended(self) -> datetime:
        return self.points[-1].time + STEP

    @property
    def lost_bytes(self) -> float:
        return self.points[0].balance_bytes - self.points[-1].balance_bytes

    @property
    def fastest_bytes_per_second(self) -> float:
        """The pace of its fastest five minutes: the first and the last are half of something else. Of what fell while
        metrics are missing it is the fastest that this can have been.
        """
        return max(a.balance_bytes - b.balance_bytes for a, b in pairwise(self.points)) / STEP.total_seconds()


@once
def falls_alike(situation: Situation) -> FallsAlike | None:
    """The falls that ended in the last 24 hours before the one under way, and were as fast as it.

    None where there were not enough of them, where one of them was not seen whole, or where this one has taken more or
    lasted longer already, or has taken more with one of them from which only a pause divides it; where the size earned
    another rate at one of them, with which what falls as fast is another load; and where one of them, or one that ended
    an hour or two earlier, ended the credits or took more: the batch of yesterday may be late today. One among many
    that took far more, at another time of the day, is apart from them.
    """
    of_the_fall = replace(situation, pace=PACE_OF_A_FALL)
    drain, top = of_the_fall.drain_bytes_per_second or 0.0, top_of_the_fall(situation)
    if top is None or drain <= 0:
        return None
    known = [
        one
        for one in _descents(situation.balances_of_the_day)
        if one.ended <= top.time + STEP and drain <= AS_FAST * one.fastest_bytes_per_second
        if not _is_under_way(one, top, situation)
    ]
    alike = [one for one in known if one.ended >= situation.balances[-1].time - DAY]
    is_known = all(one.is_whole and not earns_another_rate_than(one.began, situation) for one in alike)
    if len(alike) < FEWEST or not is_known:
        return None
    apart = _apart(alike, situation)
    alike = [one for one in alike if one is not apart]
    deepest_bytes = max(one.lost_bytes for one in alike)
    if any(
        one.points[-1].balance_bytes < situation.minute_bytes or (one.lost_bytes > deepest_bytes and one is not apart)
        for one in known
    ):
        return None
    # A point is the lowest of its five minutes: what was earned in those before a descent and in its first counts too.
    earned_bytes = earned_bytes_per_second(situation.file_system.standard_bytes) * 2 * STEP.total_seconds()
    most_bytes = deepest_bytes + earned_bytes
    left_bytes = top.balance_bytes - most_bytes
    has_taken_more = situation.balance_bytes < left_bytes or _has_taken_more_with_one_of_them(
        alike, most_bytes, situation
    )
    if left_bytes < situation.minute_bytes or has_taken_more:
        return None
    longest = max(one.ended - one.began for one in alike)
    # Of those that ended both ends are known to five minutes.
    if situation.balances[-1].time - top.time > longest + 2 * STEP:
        return None
    twice_bytes = left_bytes - most_bytes
    return FallsAlike(
        times=len(alike),
        longest=longest,
        most_bytes=most_bytes,
        left_bytes=left_bytes,
        spares_as_much=twice_bytes >= situation.minute_bytes and of_the_fall.balance_bytes_by_now >= twice_bytes,
        apart=None if apart is None else FallApart(began=apart.began, lost_bytes=apart.lost_bytes),
    )


def _apart(alike: Sequence[_Descent], situation: Situation) -> _Descent | None:
    """The one that took far more than many others, unless it came about this time of the day: it may come again now."""
    if len(alike) <= FEWEST_BESIDE_ONE_APART:
        return None
    *_, second, deepest = sorted(alike, key=lambda one: one.lost_bytes)
    about_now = deepest.began <= situation.balances[-1].time - DAY + BEFORE
    return deepest if deepest.lost_bytes > FAR_DEEPER * second.lost_bytes and not about_now else None


def _is_under_way(descent: _Descent, top: BalancePoint, situation: Situation) -> bool:
    """Whether a descent is that of the fall since `top`: in the five minutes of its end, its lowest is after that."""
    last = descent.points[-1]
    return any(
        top.time < one.time < last.time + STEP and one.balance_bytes <= last.balance_bytes for one in situation.balances
    )


def _has_taken_more_with_one_of_them(alike: Sequence[_Descent], most_bytes: float, situation: Situation) -> bool:
    """Whether the fall under way, as a mail tells it, has taken more already than any of them: from before its last
    pause of five minutes, so that one of them is a part of it. Where more are, it comes again and again.
    """
    since = falling_since(situation)
    if since is None or sum(one.ended > since.began for one in alike) != 1:
        return False
    return since.start.balance_bytes - situation.balance_bytes > most_bytes


def top_of_the_fall(situation: Situation) -> BalancePoint | None:
    """The minute from which the balance has been falling without a pause of five; None where that is not known."""
    top = situation.balances[-1]
    for point in reversed(situation.balances):
        if point.balance_bytes >= top.balance_bytes:
            top = point
        elif top.time - point.time >= STEP:
            return top
    return None


def _descents(balances: Sequence[BalancePoint]) -> Iterator[_Descent]:
    """Each run of falling points."""
    points, is_whole = list(balances[:1]), False
    for before, after in pairwise(balances):
        is_next = after.time - before.time == STEP
        if after.balance_bytes < before.balance_bytes:
            points.append(after)
            is_whole = is_whole and is_next
            continue
        if len(points) > 1:
            yield _Descent(points=tuple(points), is_whole=is_whole and is_next)
        points, is_whole = [after], is_next
    if len(points) > 1:
        yield _Descent(points=tuple(points), is_whole=is_whole)
