"""The load that took credits at this time of day a day ago and is not there today: it may be late.

What is laid upon the balance of now, a day later, is what comes at its time of day. Of a load that had begun by then,
and rests now, it has nothing; but a batch that waits for another one comes an hour later on some days. Nor has it
anything of one that ended the credits, beside which what takes them now is slow.
"""

from datetime import datetime
from typing import NamedTuple

from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.falls import Fall
from efs_monitor.incidents.loads_of_the_day import under_way
from efs_monitor.incidents.pace import FAR_FASTER
from efs_monitor.incidents.situation import DAY, STEP, Situation, once


class AbsentLoad(NamedTuple):
    """Until when it took credits on that day, to five minutes, or went on without any; and what it leaves of the
    credits if it comes later, and takes as much as it took after this time of that day: below zero where that is more
    than there is, and nothing where it ended them. A `slower_one_is_there` where the balance falls by now all the same.
    """

    until: datetime
    left_bytes: float
    slower_one_is_there: bool = False


def is_absent(situation: Situation) -> bool:
    """Whether what was under way at this time of an earlier day is not there today: the balance does not fall. With a
    pace that nobody knows it may be there.
    """
    drain = situation.drain_bytes_per_second
    return drain is not None and drain <= 0


@once
def absent_load(situation: Situation) -> AbsentLoad | None:
    """The load that took credits a day ago, where it is absent now; None where there was none. Where the balance falls,
    only one that ended them: the rest of another is reckoned with.
    """
    drain = situation.drain_bytes_per_second
    points, now = situation.balances_of_the_day, situation.balances[-1].time - DAY
    fall = None if drain is None else under_way(points, situation, now)
    if drain is None or fall is None:
        return None
    *_, at_this_time = (one for one in points if one.time <= now)
    until = fall.limited_until + STEP
    if not is_absent(situation):
        is_far_faster = _rest_bytes_per_second(fall, at_this_time) > FAR_FASTER * drain
        return AbsentLoad(until, left_bytes=0.0, slower_one_is_there=True) if is_far_faster else None
    taken_bytes = at_this_time.balance_bytes - fall.end.balance_bytes
    return AbsentLoad(until, left_bytes=situation.balance_bytes - taken_bytes if fall.gone is None else 0.0)


def _rest_bytes_per_second(fall: Fall, at_this_time: BalancePoint) -> float:
    """How fast a fall ended the credits from this time of its day on; 0 of one that did not, or had done so by then."""
    if fall.gone is None or fall.gone <= at_this_time.time:
        return 0.0
    return at_this_time.balance_bytes / (fall.gone + STEP - at_this_time.time).total_seconds()
