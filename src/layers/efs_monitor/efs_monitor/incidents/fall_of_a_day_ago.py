"""The fall that began at this time of day a day ago, was as fast as the one under way, and ended before the credits
did.

Most loads that come at an hour come at it every day. The pace says when the credits are gone if such a load goes on;
this says how long it went on the last time. One fall is enough, because it is that of the same hour; where others of
the day went on for longer does not matter to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise

from efs_monitor.efs.credits import earned_bytes_per_second
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.changed_earning import changed_earning
from efs_monitor.incidents.falls import Fall, fall_under_way, falls
from efs_monitor.incidents.falls_alike import AS_FAST, PACE_OF_A_FALL
from efs_monitor.incidents.situation import DAY, STEP, Situation

# A timer is exact, and what waits for other work is not.
SAME_TIME_OF_DAY = timedelta(minutes=20)


@dataclass(frozen=True, kw_only=True)
class FallOfADayAgo:
    """From when to when the balance fell, to five minutes, and what that took at the most; `left_bytes` is what is left
    at the least if the fall under way takes no more.
    """

    began: datetime
    ended: datetime
    most_bytes: float
    left_bytes: float


def fall_of_a_day_ago(situation: Situation) -> FallOfADayAgo | None:
    """The one fall that began within twenty minutes of the time of day of that under way.

    None where it was slower or not seen whole, where it would end the credits this time, or where the one under way has
    taken more or lasted longer already; and where the size earned more then, with which the same load took less.
    """
    drain = replace(situation, pace=PACE_OF_A_FALL).drain_bytes_per_second or 0.0
    under_way = fall_under_way(situation)
    if drain <= 0 or under_way is None or not under_way.is_whole or changed_earning(situation).earns_less:
        return None
    points = situation.balances_of_the_day
    then = under_way.began - DAY
    # More than one in so short a time are pulses, of which the next one may come.
    near = [one for one in falls(points, situation.minute_bytes) if abs(one.began - then) <= SAME_TIME_OF_DAY + STEP]
    if len(near) != 1 or not _ended_by_itself(near[0], points, situation):
        return None
    earlier = near[0]
    if drain > AS_FAST * _fastest_bytes_per_second(earlier, points):
        return None
    # A point is the lowest of its five minutes: what was earned in those before a fall and in its first counts too.
    most_bytes = (
        earlier.lost_bytes + earned_bytes_per_second(situation.file_system.standard_bytes) * 2 * STEP.total_seconds()
    )
    left_bytes = under_way.start.balance_bytes - most_bytes
    lasts = situation.balances[-1].time - under_way.began
    if left_bytes < situation.minute_bytes or situation.balance_bytes_by_now < left_bytes:
        return None
    if lasts > earlier.ended - earlier.began + 2 * STEP:
        return None
    return FallOfADayAgo(began=earlier.began, ended=earlier.ended, most_bytes=most_bytes, left_bytes=left_bytes)


def _ended_by_itself(fall: Fall, points: Sequence[BalancePoint], situation: Situation) -> bool:
    """Whether it was seen whole, with the five minutes after it, and left a minute's worth."""
    of_it = [one.time for one in points if fall.start.time <= one.time <= fall.end.time + STEP]
    is_seen = of_it[-1] > fall.end.time and all(later - before == STEP for before, later in pairwise(of_it))
    return fall.is_whole and is_seen and fall.gone is None and fall.end.balance_bytes >= situation.minute_bytes


def _fastest_bytes_per_second(fall: Fall, points: Sequence[BalancePoint]) -> float:
    """The pace of its fastest five minutes: the first and the last are half of something else."""
    of_it = [one.balance_bytes for one in points if fall.start.time <= one.time <= fall.end.time]
    return max(before - after for before, after in pairwise(of_it)) / STEP.total_seconds()
