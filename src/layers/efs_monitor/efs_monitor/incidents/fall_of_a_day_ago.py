"""The one fall that began at this time of day a day ago, was as fast as the one under way, and ended before the credits
did.

Most loads that come at an hour come at it every day. The pace says when the credits are gone if such a load goes on;
this says how long it went on the last time. One fall is enough, because it is that of the same hour: that another one
of the day went on for longer, many hours later, does not matter to it.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from efs_monitor.efs.credits import earned_bytes_per_second
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.changed_earning import changed_earning, earns_another_rate_than
from efs_monitor.incidents.falls import SHOWS_AFTER, Fall, fall_under_way, falls
from efs_monitor.incidents.falls_alike import AS_FAST, top_of_the_fall
from efs_monitor.incidents.mode_lock import resumed_lately
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.pace_of_a_fall import PACE_OF_A_FALL
from efs_monitor.incidents.recurring_load import worst_recurring_load
from efs_monitor.incidents.situation import DAY, STEP, Situation

# A timer is exact, and what waits for other work is not.
SAME_TIME_OF_DAY = timedelta(minutes=20)
# What comes so soon after the fall is of the same night: the second stage of a job, after a pause.
SAME_NIGHT = timedelta(hours=6)
# A change of the throughput mode so soon after the end of a fall may be what ended it.
CHANGED_SINCE = timedelta(hours=1)


class FallOfADayAgo(NamedTuple):
    """From when to when the balance fell, to five minutes, and what that took at the most; `left_bytes` is what is left
    at the least if the fall under way takes no more.
    """

    began: datetime
    ended: datetime
    most_bytes: float
    left_bytes: float


def fall_of_a_day_ago(situation: Situation) -> FallOfADayAgo | None:
    """The one fall that began within twenty minutes of the time of day of that under way.

    None where it may have ended by a change of the throughput mode, was not seen whole, or would end the credits again;
    where the one under way is faster than it was at the same age, or has taken more or lasted longer already; where a
    load that came within hours after it would end them; and where the size earned another rate then, with which what
    falls as fast is another load.
    """
    under_way = _top(situation)
    # Another mode that no metric shows may have been on at any time of the day, and a larger size may hide a base load.
    is_as_then = resumed_lately(situation) is None and not changed_earning(situation).earns_less
    if under_way is None or not is_as_then or _is_followed(situation):
        return None
    then, points = under_way.time + MINUTE - DAY, situation.balances_of_the_day_and_the_night_before
    # More than one in so short a time are pulses, of which the next one may come.
    near = [one for one in falls(points, situation.minute_bytes) if abs(one.began - then) <= SAME_TIME_OF_DAY + STEP]
    if len(near) != 1 or not _ended_by_itself(near[0], situation) or not _is_alike(near[0], under_way, situation):
        return None
    earlier = near[0]
    if earns_another_rate_than(earlier.began, situation):
        return None
    # A point is the lowest of its five minutes: what was earned in those before a fall and in its first counts too.
    earned_bytes = earned_bytes_per_second(situation.file_system.standard_bytes) * 2 * STEP.total_seconds()
    most_bytes = earlier.lost_bytes + earned_bytes
    left_bytes = under_way.balance_bytes - most_bytes
    if left_bytes < situation.minute_bytes or situation.balance_bytes_by_now < left_bytes:
        return None
    return FallOfADayAgo(began=earlier.began, ended=earlier.ended, most_bytes=most_bytes, left_bytes=left_bytes)


def _top(situation: Situation) -> BalancePoint | None:
    """The last point before the fall under way, and what was left then; None where it does not fall, or nobody knows.

    One that is too small by now to count as a fall has its top among the minutes of the last hour.
    """
    fall = fall_under_way(situation)
    if fall is not None:
        return BalancePoint(time=fall.began - MINUTE, balance_bytes=fall.start.balance_bytes) if fall.is_whole else None
    return top_of_the_fall(situation)


def _is_followed(situation: Situation) -> bool:
    """Whether a load of an earlier day, which came within hours after this time of day, ends the credits as well."""
    recurring = worst_recurring_load(situation)
    return recurring is not None and recurring.gone and recurring.time - situation.time <= SAME_NIGHT


def _ended_by_itself(fall: Fall, situation: Situation) -> bool:
    """Whether it was seen whole, with ten minutes after it, left a minute's worth, and no other throughput mode was on
    within an hour after it: what was permitted is known of 24 hours, and its end is older than that at times.
    """
    points = situation.balances_of_the_day_and_the_night_before
    steps, known = _steps(fall, points), {one.time for one in points}
    is_seen = known.issuperset((fall.end.time + STEP, fall.end.time + 2 * STEP)) and all(
        later.time - before.time == STEP for before, later in pairwise(steps)
    )
    other_mode = steps_of_another_mode(situation)
    was_changed = any(fall.start.time <= step < fall.ended + CHANGED_SINCE for step in other_mode)
    return fall.is_whole and is_seen and not was_changed and fall.gone is None


def _is_alike(fall: Fall, under_way: BalancePoint, situation: Situation) -> bool:
    """Whether the fall under way is not faster by more than a quarter than the earlier one at the same age, and has not
    taken as much more: a load that slowed down after minutes says nothing of one that goes on as it began.
    """
    drain = replace(situation, pace=PACE_OF_A_FALL).drain_bytes_per_second or 0.0
    newest = situation.balances[-1]
    steps = _steps(fall, situation.balances_of_the_day_and_the_night_before)
    age = newest.time - under_way.time
    # Both ends of it are known to five minutes.
    if drain <= 0 or age > fall.ended - fall.began + 2 * STEP:
        return False
    at_this_age = fall.began + age
    by_then = min(one.balance_bytes for one in steps if one.time <= at_this_age + STEP)
    around = [
        before.balance_bytes - after.balance_bytes
        for before, after in pairwise(steps)
        if at_this_age - SHOWS_AFTER - STEP <= after.time <= at_this_age + SHOWS_AFTER
    ]
    taken_then = fall.start.balance_bytes - by_then
    is_as_fast = drain <= AS_FAST * max(around, default=0.0) / STEP.total_seconds()
    return is_as_fast and under_way.balance_bytes - newest.balance_bytes <= AS_FAST * taken_then


def _steps(fall: Fall, points: Sequence[BalancePoint]) -> list[BalancePoint]:
    """The points from the last before it to its lowest."""
    return [one for one in points if fall.start.time <= one.time <= fall.end.time]
