"""Whether a load comes in pulses: minutes of it and rests in turn, as of a job that starts every ten minutes.

A quarter of an hour holds one of them or two, and three minutes in a row nothing else. Neither tells how fast the
balance falls: that takes a whole number of pulses and of rests.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from math import ceil
from statistics import median
from typing import NamedTuple

from efs_monitor.efs.credits import SECONDS_PER_MINUTE
from efs_monitor.efs.observations import MINUTE, BalancePoint

# Fewer may be two loads.
FEWEST_PULSES = 3
# A fall that takes less than so much of the deepest is the breathing of a file system at work.
AS_DEEP = 0.5
# What comes now and then comes at no pace.
AS_REGULAR = 1.5
# It rests for half of the time, or for ten minutes each time, at the least; or for five that are a quarter of the time:
# one quarter of an hour has more of such a load than the next. What pauses for a minute between two files is one load.
RESTS, RESTS_FOR = 0.5, timedelta(minutes=10)
SHORT_RESTS, SHORT_RESTS_FOR = 0.25, timedelta(minutes=5)


class Pulses(NamedTuple):
    """Pulses that are alike: the points at which the first and the last one ended, how many there are, and what one of
    them takes, in bytes, and how long: the middle one, as the first may be known in part. And when the one after them
    has begun, or may at the earliest.
    """

    first_end: BalancePoint
    last_end: BalancePoint
    number: int
    depth_bytes: float
    length: timedelta
    next_begins: datetime

    @property
    def span(self) -> timedelta:
        """The time of all whole pulses and rests that are known: so long before now it was in the same part of one."""
        return self.last_end.time - self.first_end.time

    @property
    def every(self) -> timedelta:
        """How long it is from the end of one to that of the next."""
        return self.span / (self.number - 1)

    @property
    def drain_bytes_per_second(self) -> float:
        """How fast the balance falls from the end of one to that of another, net of what the rests earn."""
        return (self.first_end.balance_bytes - self.last_end.balance_bytes) / self.span.total_seconds()

    @property
    def credits_end(self) -> datetime | None:
        """When one of those that come takes the last of the credits; None where the rests earn as much as each takes.

        The balance at their ends falls by as much each time. It is above that in the rests: a line through where it is
        now tells the end too late by a whole rest.
        """
        falls = self.number - 1
        net_bytes = (self.first_end.balance_bytes - self.last_end.balance_bytes) / falls
        if net_bytes <= 0:
            return None
        ahead = ceil(self.last_end.balance_bytes / net_bytes)
        beyond_bytes = ahead * net_bytes - self.last_end.balance_bytes
        until_then = (ahead - 1) * self.every + (1 - beyond_bytes / self.depth_bytes) * self.length
        return self.next_begins + until_then


class PulseToCome(NamedTuple):
    """The pulse after the one that took the last of the credits: when it is due, how far apart they came, and what one
    of them took while there were credits, in bytes.
    """

    begins: datetime
    every: timedelta
    depth_bytes: float


def pulses_in(points: Sequence[BalancePoint], minute_bytes: float) -> Pulses | None:
    """The pulses of a load, by a balance minute by minute. None where it does not come in pulses, or no more.

    Only what came since less than a minute's worth was left, `minute_bytes`: at zero a pulse takes what the rest before
    it has earned. Or since nothing was, where pulses that are smaller than that take it, each a part.
    """
    since = _since_more_than(minute_bytes, points)
    found = _pulses(since)
    if found is not None or len(since) == len(points):
        return found
    small = _pulses(_since_more_than(minute_bytes / SECONDS_PER_MINUTE, points))
    is_small = small is not None and small.depth_bytes < minute_bytes and small.credits_end is not None
    return small if is_small else None


def _since_more_than(left_bytes: float, points: Sequence[BalancePoint]) -> Sequence[BalancePoint]:
    low = [index for index, one in enumerate(points) if one.balance_bytes < left_bytes]
    return points[low[-1] + 1 :] if low else points


def _pulses(points: Sequence[BalancePoint]) -> Pulses | None:
    """The pulses of these points. One that is deeper than all others, or that may end what is left, has a pace of its
    own.
    """
    falls = _falls(points)
    is_under_way = bool(falls) and falls[-1][1] is points[-1]
    over = falls[:-1] if is_under_way else falls
    deepest = max((_lost(one) for one in over), default=0.0)
    found = [one for one in over if _lost(one) >= AS_DEEP * deepest]
    if len(found) < FEWEST_PULSES:
        return None
    spans = [later[1].time - one[1].time for one, later in pairwise(found)]
    longest = max(end.time - start.time for start, end in found)
    # What goes on for longer than a pulse is another load.
    is_longer = is_under_way and points[-1].time - falls[-1][0].time > longest + MINUTE
    is_deeper = is_under_way and _lost(falls[-1]) > AS_REGULAR * deepest
    may_end_them = is_under_way and falls[-1][0].balance_bytes <= deepest
    goes_on = points[-1].time - found[-1][1].time <= max(spans) + MINUTE
    rests = min(spans) - longest
    least = min(RESTS * min(spans), RESTS_FOR, max(SHORT_RESTS * min(spans), SHORT_RESTS_FOR))
    is_regular = max(spans) <= AS_REGULAR * min(spans) and rests >= least
    if is_longer or is_deeper or may_end_them or not goes_on or not is_regular:
        return None
    first_end, last_end = found[0][1], found[-1][1]
    depth_bytes = median(map(_lost, found))
    if is_under_way:
        # It begins as much lower as the others ended; one that begins far lower had a shorter rest than they.
        net_bytes = (first_end.balance_bytes - last_end.balance_bytes) / (len(found) - 1)
        lower_bytes = found[-1][0].balance_bytes - falls[-1][0].balance_bytes - net_bytes
        if lower_bytes > AS_DEEP * depth_bytes:
            return None
    length = median((end.time - start.time) / MINUTE for start, end in found) * MINUTE
    expected = last_end.time + (last_end.time - first_end.time) / (len(found) - 1) - length
    return Pulses(
        first_end=first_end,
        last_end=last_end,
        number=len(found),
        depth_bytes=depth_bytes,
        length=length,
        next_begins=falls[-1][0].time if is_under_way else max(expected, points[-1].time),
    )


def pulse_after_the_end(points: Sequence[BalancePoint], minute_bytes: float) -> PulseToCome | None:
    """The next pulse of a load whose last one took all but less than a minute's worth, `minute_bytes`, by a balance
    minute by minute; None where it came in none, where the next is overdue or under way, or would leave some.

    The one that takes the last is cut short by that, so that the others tell what one takes.
    """
    gone = [index for index, one in enumerate(points) if one.balance_bytes < minute_bytes]
    if not gone or len(points) < 2 or points[-1].balance_bytes < points[-2].balance_bytes:
        return None
    began = gone[-1]
    while began > 0 and (points[began - 1].balance_bytes < minute_bytes or _falls_after(points, began - 1)):
        began -= 1
    found = _pulses(_since_more_than(minute_bytes, points[: began + 1]))
    if found is None:
        return None
    was_due = found.last_end.time + found.every - found.length
    begins = points[began].time + found.every
    lowest = min(reversed(points[began:]), key=lambda one: one.balance_bytes)
    rest_seconds = (points[-1].time - lowest.time).total_seconds()
    came_back = points[-1].balance_bytes - lowest.balance_bytes
    is_next = abs(points[began].time - was_due) <= (AS_REGULAR - 1) * found.every
    if not is_next or begins <= points[-1].time or rest_seconds <= 0:
        return None
    by_then = points[-1].balance_bytes + came_back / rest_seconds * (begins - points[-1].time).total_seconds()
    if by_then > found.depth_bytes:
        return None
    return PulseToCome(begins=begins, every=found.every, depth_bytes=found.depth_bytes)


def _falls_after(points: Sequence[BalancePoint], index: int) -> bool:
    return points[index].balance_bytes > points[index + 1].balance_bytes


def falls_each_lower(points: Sequence[BalancePoint]) -> list[BalancePoint]:
    """Where the last falls that are about as deep as the deepest ended, if there are two or more and the last of them
    ended lower than the one before; else none.
    """
    falls = _falls(points)
    deepest = max(map(_lost, falls), default=0.0)
    ends = [end for start, end in falls if _lost((start, end)) >= AS_DEEP * deepest]
    return ends if len(ends) > 1 and ends[-1].balance_bytes < ends[-2].balance_bytes else []


def _falls(points: Sequence[BalancePoint]) -> list[tuple[BalancePoint, BalancePoint]]:
    """The first and the last point of each time in which every minute had less than the one before."""
    by_direction = groupby(pairwise(points), key=lambda pair: pair[1].balance_bytes < pair[0].balance_bytes)
    falling = [list(minutes) for is_falling, minutes in by_direction if is_falling]
    return [(minutes[0][0], minutes[-1][1]) for minutes in falling]


def _lost(fall: tuple[BalancePoint, BalancePoint]) -> float:
    return fall[0].balance_bytes - fall[1].balance_bytes
