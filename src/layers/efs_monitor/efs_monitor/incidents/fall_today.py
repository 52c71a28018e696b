"""What a fall of an earlier day takes today: with what the size earns now, and had it gone on with credits."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.changed_earning import ChangedEarning
from efs_monitor.incidents.falls import Fall
from efs_monitor.incidents.situation import STEP


def as_earned_now(fall: Fall, changed: ChangedEarning, permitted_bytes_per_second: float) -> Fall:
    """The fall of the same load with what the size earns now. Whatever is estimated of it, nothing takes credits faster
    than clients may be, less what was earned meanwhile.
    """
    fastest_bytes_per_second = permitted_bytes_per_second - changed.earned_then(fall.before_the_end.time)
    ending_bytes_per_second = max(
        fall.at_least_bytes_per_second, min(fall.ending_bytes_per_second, fastest_bytes_per_second)
    )
    limited = fall.limited - _back_again(fall, changed)
    fall = replace(fall, ending_bytes_per_second=ending_bytes_per_second, limited=limited)
    if not changed.times:
        return fall
    more_bytes = changed.more_bytes(fall.start.time, fall.end.time)
    seconds = (fall.end.time - fall.start.time).total_seconds()
    more_at_last = changed.more_bytes_per_second(fall.before_the_end.time)
    return replace(
        fall,
        end=fall.end._replace(balance_bytes=fall.end.balance_bytes + more_bytes),
        bytes_per_second=fall.bytes_per_second - more_bytes / seconds,
        ending_bytes_per_second=fall.ending_bytes_per_second - more_at_last,
    )


def is_taken_for_the_fastest(fall: Fall, changed: ChangedEarning, permitted_bytes_per_second: float) -> bool:
    """Whether the load took all so soon that it may have been as fast as clients may be, and is taken for that: it
    takes no more.
    """
    fastest_bytes_per_second = permitted_bytes_per_second - changed.earned_then(fall.before_the_end.time)
    return fall.at_least_bytes_per_second < fastest_bytes_per_second <= fall.ending_bytes_per_second


def _back_again(fall: Fall, changed: ChangedEarning) -> timedelta:
    """How much of the five minutes in which credits came back passed since, at the least, where a single point follows:
    no balance rises faster than is earned.
    """
    seen, last = fall.first_again, fall.limited_until
    if seen is None or seen.time - last > STEP or not fall.limited:
        return timedelta(0)
    earned = changed.earned_then(last)
    return min(STEP, fall.limited, timedelta(seconds=seen.balance_bytes / earned)) if earned > 0 else timedelta(0)


def taken_at(points: Sequence[BalancePoint], fall: Fall, left_bytes: float, changed: ChangedEarning) -> datetime:
    """When the fall, and no later one, had taken so much, or nearly so.

    The lowest of five minutes is that of their end, so the moment is within them, and not where they begin. Where it
    took less because it was limited, as it would have been had it gone on as it was when the credits ended. Where
    metrics are missing, as though it had gone on as it was before: until they were there again it may have rested.
    """
    taken_before = 0.0
    of_it = [one for one in points if fall.start.time <= one.time <= fall.end.time]
    for earlier, point in pairwise(of_it):
        more_bytes = changed.more_bytes(fall.start.time, point.time)
        taken_bytes = fall.start.balance_bytes - point.balance_bytes - more_bytes
        if taken_bytes >= left_bytes and taken_bytes > taken_before:
            rest_bytes = left_bytes - taken_before
            rest = rest_bytes / (taken_bytes - taken_before) * (point.time - earlier.time)
            if point.time - earlier.time > STEP and taken_before > 0:
                rest = min(rest, rest_bytes / taken_before * (earlier.time - fall.start.time))
            return earlier.time + STEP + rest
        taken_before = taken_bytes
    if fall.gone is None:
        return fall.ended
    last = fall.before_the_end
    more_bytes = changed.more_bytes(fall.start.time, last.time)
    rest_bytes = left_bytes - (fall.start.balance_bytes - last.balance_bytes - more_bytes)
    rest = timedelta(seconds=rest_bytes / fall.ending_bytes_per_second)
    ended = last.time + STEP
    for time in times_without_credits(fall, points, changed):
        ended = time.ended
        rest += timedelta(seconds=time.earned_bytes / fall.ending_bytes_per_second)
        if rest <= time.ended - time.began:
            return time.began + rest
        rest -= time.ended - time.began
    return ended + rest


class TimeWithoutCredits(NamedTuple):
    """A time in which a load took all there was, and what is earned now while it rests before that."""

    began: datetime
    ended: datetime
    earned_bytes: float


def times_without_credits(
    fall: Fall, points: Sequence[BalancePoint], changed: ChangedEarning
) -> Iterator[TimeWithoutCredits]:
    """In order, and none where the credits never ended. A load in pulses takes nothing while it rests; where nothing is
    known of the time between, it did not rest.
    """
    ended = fall.before_the_end.time + STEP
    for index, step in enumerate(fall.took_all_in):
        rested = [one.balance_bytes for one in points if ended <= one.time < step] if index else []
        earned_bytes = max(rested) + changed.more_bytes(ended, step) if rested else 0.0
        yield TimeWithoutCredits(step if rested else ended, step + STEP, earned_bytes)
        ended = step + STEP
