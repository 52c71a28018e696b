"""How much more the size earns now than it did in the last day: one that grew or shrank since lives through the same
load with other credits.

AWS tells nobody what the size was. The balance does, beside what was metered: it rises by what is earned, and falls by
what is metered beyond that.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median

from efs_monitor.efs.credits import earned_bytes_per_second
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.situation import STEP, Situation, once

# A size is metered about once an hour, and what is moved within five minutes is spread over them in any way: the middle
# of so many estimates around a moment tells it, where there are enough of them.
AROUND = timedelta(hours=1)
FEWEST = 3
# What differs by less makes no other day.
DIFFERS = 0.1


@dataclass(frozen=True, kw_only=True)
class ChangedEarning:
    """What was earned in each of the five minutes at `times`, in order, and is earned now, in bytes per second; nothing
    where no more and no less is earned now.
    """

    times: Sequence[datetime] = ()
    then_bytes_per_second: Sequence[float] = ()
    now_bytes_per_second: float = 0.0

    @property
    def earns_less(self) -> bool:
        """Whether at any time of that day more was earned than is now."""
        return any(one > self.now_bytes_per_second for one in self.then_bytes_per_second)

    def more_bytes(self, since: datetime, until: datetime) -> float:
        """How much more than then is earned now between two moments of that day; less is below zero."""
        first = max(0, bisect_right(self.times, since) - 1)
        found = 0.0
        for index in range(first, bisect_left(self.times, until)):
            begin, end = max(self.times[index], since), min(self.times[index] + STEP, until)
            more = self.now_bytes_per_second - self.then_bytes_per_second[index]
            found += more * max(0.0, (end - begin).total_seconds())
        return found

    def earned_then(self, moment: datetime) -> float:
        """What was earned then, in bytes per second; what is earned now where that is not known to be another rate."""
        index = bisect_right(self.times, moment) - 1
        return self.then_bytes_per_second[max(index, 0)] if self.times else self.now_bytes_per_second


@once
def changed_earning(situation: Situation) -> ChangedEarning:
    """Of the last day; nothing where what was metered in it is not known, or its balance tells too little."""
    now_bytes = earned_bytes_per_second(situation.file_system.standard_bytes)
    estimates = _estimates(situation)
    then = [_around(one.time, estimates) for one in situation.balances_of_the_day]
    known = [one for one in then if one is not None]
    if not any(abs(one - now_bytes) > DIFFERS * now_bytes for one in known):
        return ChangedEarning(now_bytes_per_second=now_bytes)
    # Nothing tells it at zero, nor of a full bucket: it is what it was before, or was next.
    last = known[0]
    filled: list[float] = []
    for one in then:
        last = last if one is None else one
        filled.append(last if abs(last - now_bytes) > DIFFERS * now_bytes else now_bytes)
    return ChangedEarning(
        times=[one.time for one in situation.balances_of_the_day],
        then_bytes_per_second=filled,
        now_bytes_per_second=now_bytes,
    )


def _estimates(situation: Situation) -> list[tuple[datetime, float]]:
    """What was earned between the lowest of five minutes and that of the next, by what changed and what was moved."""
    if not situation.last_day:
        return []
    metered = {one.time: one.metered_bytes for one in situation.last_day}
    other_mode = steps_of_another_mode(situation)
    found = []
    for before, after in pairwise(situation.balances_of_the_day):
        changed = after.balance_bytes - before.balance_bytes
        is_on_credits = before.time not in other_mode and after.time not in other_mode
        is_above_zero = min(before.balance_bytes, after.balance_bytes) >= situation.minute_bytes
        # A balance that stands still is that of a full bucket. The lowest of a rise is that of its beginning.
        if after.time - before.time == STEP and is_on_credits and is_above_zero and changed:
            earned = changed + metered.get((after if changed < 0 else before).time, 0.0)
            found += [(before.time, earned / STEP.total_seconds())] if earned >= 0 else []
    return found


def _around(time: datetime, estimates: Sequence[tuple[datetime, float]]) -> float | None:
    first = bisect_left(estimates, (time - AROUND, 0.0))
    last = bisect_left(estimates, (time + AROUND, 0.0))
    near = [earned for _, earned in estimates[first:last]]
    return median(near) if len(near) >= FEWEST else None
