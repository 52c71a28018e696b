"""The load that took credits at this time of day a day ago and is not there today: it may be late.

What is laid upon the balance of now, a day later, is what comes at its time of day. Of a load that had begun by then,
and rests now, it has nothing; but a batch that waits for another one comes an hour later on some days.
"""

from datetime import datetime
from typing import NamedTuple

from efs_monitor.incidents.loads_of_the_day import under_way
from efs_monitor.incidents.situation import DAY, STEP, Situation, once


class AbsentLoad(NamedTuple):
    """Until when it took credits on that day, to five minutes, or went on without any; and what it leaves of the
    credits if it comes later, and takes as much as it took after this time of that day: below zero where that is more
    than there is, and nothing where it ended them.
    """

    until: datetime
    left_bytes: float


def is_absent(situation: Situation) -> bool:
    """Whether what was under way at this time of an earlier day is not there today: the balance does not fall. With a
    pace that nobody knows it may be there.
    """
    drain = situation.drain_bytes_per_second
    return drain is not None and drain <= 0


@once
def absent_load(situation: Situation) -> AbsentLoad | None:
    """The load that took credits a day ago, where it is absent now; None where there was none."""
    if not is_absent(situation):
        return None
    points, now = situation.balances_of_the_day, situation.balances[-1].time - DAY
    fall = under_way(points, situation, now)
    if fall is None:
        return None
    *_, at_this_time = (one for one in points if one.time <= now)
    taken_bytes = at_this_time.balance_bytes - fall.end.balance_bytes
    left_bytes = situation.balance_bytes - taken_bytes if fall.gone is None else 0.0
    return AbsentLoad(until=fall.limited_until + STEP, left_bytes=left_bytes)
