"""Loads of another throughput mode: they took no credits, so that no fall of the balance shows them.

MeteredIOBytes does, and all that they wanted, because nothing limited them.
"""

from dataclasses import dataclass
from datetime import datetime

from efs_monitor.efs.credits import earned_bytes_per_second, full_bucket_bytes
from efs_monitor.incidents.comeback import ENOUGH_MINUTES
from efs_monitor.incidents.falls import PAUSE, SMALLEST_FALL_MINUTES
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.situation import DAY, STEP, Situation, Work


@dataclass(frozen=True, kw_only=True)
class UnlimitedLoad:
    """A load of the last day that no credits limited, and what it leaves of the balance if it comes again at its time
    of day.

    `time` is when the credits are gone then, or else when least of them is left. It `is_whole` where it had not begun
    when the day began that is known, and `follows_others` where those before it come again, too.
    """

    began: datetime
    ended: datetime
    metered_bytes_per_second: float
    time: datetime
    left_bytes: float
    gone: bool
    is_whole: bool = True
    follows_others: bool = False


def unlimited_load(situation: Situation) -> UnlimitedLoad | None:
    """The first that ends the credits, or else the first that leaves too little of them; None where none does."""
    earned_bytes = earned_bytes_per_second(situation.file_system.standard_bytes)
    full_bytes = full_bucket_bytes(situation.file_system.standard_bytes)
    left, until = situation.balance_bytes, situation.balances[-1].time
    first: UnlimitedLoad | None = None
    for number, load in enumerate(_loads(situation, earned_bytes)):
        began, metered_bytes = load[0].time + DAY, sum(one.metered_bytes for one in load)
        left = min(full_bytes, left + _gained_bytes(situation, earned_bytes, until, began))
        before, ends_them = left, False
        for step in load:
            until = step.time + STEP + DAY
            taken_bytes = step.metered_bytes - earned_bytes * STEP.total_seconds()
            left -= taken_bytes
            # Of a slow load a minute's worth is half an hour.
            ends_them = left < min(situation.minute_bytes, taken_bytes)
            if ends_them:
                break
        is_small = before - left < SMALLEST_FALL_MINUTES * situation.minute_bytes
        if not ends_them and (is_small or left >= ENOUGH_MINUTES * situation.minute_bytes):
            continue
        found = UnlimitedLoad(
            began=load[0].time,
            ended=load[-1].time + STEP,
            metered_bytes_per_second=metered_bytes / (len(load) * STEP.total_seconds()),
            time=until,
            left_bytes=max(0.0, left),
            gone=ends_them,
            is_whole=load[0].time > min(time for time, _ in situation.permitted_of_the_day),
            follows_others=number > 0,
        )
        if found.gone:
            return found
        first = first or found
    return first


def _gained_bytes(situation: Situation, earned_bytes_per_second: float, start: datetime, end: datetime) -> float:
    """What is gained from start to end, if clients take what they took a day before, of what is earned: a load that
    took more than that is one by itself, or shows in the balance.
    """
    step_bytes = earned_bytes_per_second * STEP.total_seconds()
    taken = (min(one.metered_bytes, step_bytes) for one in situation.last_day if start <= one.time + DAY < end)
    return max(0.0, earned_bytes_per_second * (end - start).total_seconds() - sum(taken))


def _loads(situation: Situation, earned_bytes_per_second: float) -> list[list[Work]]:
    """What was moved in another mode faster than credits are earned, oldest first; a pause of minutes ends no load."""
    unlimited = steps_of_another_mode(situation)
    found: list[list[Work]] = []
    for work in situation.last_day:
        if work.time not in unlimited or work.metered_bytes <= earned_bytes_per_second * STEP.total_seconds():
            continue
        if found and work.time - found[-1][-1].time < PAUSE:
            found[-1].append(work)
        else:
            found.append([work])
    return found
