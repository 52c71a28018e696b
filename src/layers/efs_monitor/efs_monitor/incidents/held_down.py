"""Loads that went on without credits. The balance stays at zero then and says nothing of them: MeteredIOBytes does.

How much more they wanted than they got is in no metric.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from efs_monitor.efs.credits import SECONDS_PER_MINUTE
from efs_monitor.incidents.comeback import PAUSE, STEP, falls
from efs_monitor.incidents.situation import DAY, Situation
from efs_monitor.incidents.times_at_zero import times_at_zero

# Who is held down takes all that is there, but for a little that no clock keeps.
ALL_THAT_IS_THERE = 0.95
# What takes it for less time is the breathing of a file system at work.
SHORTEST = timedelta(minutes=15)


@dataclass(frozen=True, kw_only=True)
class HeldDown:
    """A time in which clients took all that is there without credits, to five minutes."""

    began: datetime
    ended: datetime


def held_down(situation: Situation) -> tuple[HeldDown, ...]:
    """Those of the last 24 hours, oldest first; the last may go on."""
    minute_bytes = SECONDS_PER_MINUTE * situation.reference_bytes_per_second
    times = times_at_zero(situation, lookback=2 * DAY)
    at_zero = {
        one.time
        for one in situation.balances_of_the_day
        if one.balance_bytes < minute_bytes and any(time.began <= one.time < time.ended for time in times)
    }
    least_bytes = ALL_THAT_IS_THERE * situation.baseline_bytes_per_second * STEP.total_seconds()
    found: list[HeldDown] = []
    for work in situation.last_day:
        if work.time not in at_zero or work.metered_bytes < least_bytes:
            continue
        began = work.time
        if found and began - found[-1].ended < PAUSE:
            began = found.pop().began
        found.append(HeldDown(began=began, ended=work.time + STEP))
    return tuple(found)


def hidden_load(situation: Situation) -> HeldDown | None:
    """The next of them to come again at its time of day that began without credits, so that no fall tells of it."""
    minute_bytes = SECONDS_PER_MINUTE * situation.reference_bytes_per_second
    shown = [
        (fall.start.time, fall.limited_until)
        for fall in falls(situation.balances_of_the_day, minute_bytes)
        if fall.gone is not None
    ]
    return next(
        (
            one
            for one in held_down(situation)
            if one.ended - one.began >= SHORTEST
            and one.began + DAY >= situation.time
            and not any(start <= one.began <= end for start, end in shown)
        ),
        None,
    )
