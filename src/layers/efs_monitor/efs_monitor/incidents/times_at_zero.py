"""When the credits were gone in the last day: how often a night's story has come to its end already."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from efs_monitor.efs.credits import SECONDS_PER_MINUTE
from efs_monitor.incidents.comeback import STEP
from efs_monitor.incidents.situation import DAY, Situation

# The Exhausted alarm looks at so many minutes: what comes back for less has not come back.
ABOVE = timedelta(minutes=15)


@dataclass(frozen=True, kw_only=True)
class TimeAtZero:
    """A time in which less than a minute's worth was left, to five minutes."""

    began: datetime
    ended: datetime


def times_at_zero(situation: Situation) -> tuple[TimeAtZero, ...]:
    """Those of the last 24 hours, oldest first, by the lowest balance of each five minutes; the last may go on."""
    found: list[TimeAtZero] = []
    minute_bytes = SECONDS_PER_MINUTE * situation.reference_bytes_per_second
    oldest = situation.time - DAY
    for point in situation.balances_of_the_day:
        if point.balance_bytes >= minute_bytes or point.time < oldest:
            continue
        began = point.time
        if found and point.time - found[-1].ended < ABOVE:
            began = found.pop().began
        found.append(TimeAtZero(began=began, ended=point.time + STEP))
    return tuple(found)


def earlier_times_at_zero(situation: Situation) -> tuple[TimeAtZero, ...]:
    """Of a limit that has just come: those that were over before it, not one that goes on or has just ended."""
    newest = situation.balances[-1].time
    return tuple(one for one in times_at_zero(situation) if newest - one.ended >= ABOVE)
