"""How fast a load takes credits that has just set off the alarm about a fall."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from efs_monitor.alarms.draining import POINTS_TO_ALARM, RANGE, falls_fast
from efs_monitor.incidents.situation import Situation

# What the alarm needs to go off: a quarter of an hour would still hold the calm before a load that has just begun.
PACE_OF_A_FALL = timedelta(minutes=POINTS_TO_ALARM)


def at_the_pace_of_the_fall(situation: Situation, threshold_minutes: float) -> Situation:
    """The situation at the pace of the newest minutes that the alarm needs; where these hold a rest, at that of all
    since the first fast one that it looks at, if that is faster: a minute or two of a load beside its rest tell little.
    """
    of_the_fall = replace(situation, pace=PACE_OF_A_FALL)
    newest = situation.balances[-1]
    minutes = [(before, point) for before, point in pairwise(situation.balances) if newest.time - point.time < RANGE]
    lately = [(before, point) for before, point in minutes if newest.time - point.time < PACE_OF_A_FALL]
    first = next((before for before, point in minutes if falls_fast(before, point, threshold_minutes)), None)
    if first is None or all(point.balance_bytes < before.balance_bytes for before, point in lately):
        return of_the_fall
    with_rests = replace(situation, pace=newest.time - first.time)
    is_faster = (with_rests.drain_bytes_per_second or 0.0) > (of_the_fall.drain_bytes_per_second or 0.0)
    return with_rests if is_faster else of_the_fall
