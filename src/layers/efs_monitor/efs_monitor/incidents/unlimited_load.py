"""Loads of another throughput mode: they took no credits, so that no fall of the balance shows them.

MeteredIOBytes does, and all that they wanted, because nothing limited them. What they moved faster than credits permit
takes as much of these, only longer.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from efs_monitor.efs.credits import earned_bytes_per_second, full_bucket_bytes
from efs_monitor.incidents.falls import PAUSE, SMALLEST_FALL_MINUTES
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.recurring_load import ENOUGH_MINUTES
from efs_monitor.incidents.situation import DAY, STEP, Situation, Work


class UnlimitedLoad(NamedTuple):
    """A load of the last day that no credits limited, and what it leaves of the balance if it comes again at its time
    of day.

    `time` is when the credits are gone then, or else when least of them is left. It `is_whole` where it had not begun
    when the day began that is known, and `follows_others` where those before it come again, too. It `is_faster` than
    credits permit, or one of those before it.
    """

    began: datetime
    ended: datetime
    metered_bytes_per_second: float
    time: datetime
    left_bytes: float
    gone: bool
    is_whole: bool
    follows_others: bool
    is_faster: bool


def unlimited_load(situation: Situation, enough_minutes: int = ENOUGH_MINUTES) -> UnlimitedLoad | None:
    """The first that ends the credits, or else the first that leaves less than enough of them, in minutes at full
    speed; None where none does.
    """
    earned_bytes = earned_bytes_per_second(situation.file_system.standard_bytes)
    full_bytes = full_bucket_bytes(situation.file_system.standard_bytes)
    left, until = situation.balance_bytes, situation.balances[-1].time
    first: UnlimitedLoad | None = None
    waiting_bytes, is_faster = 0.0, False
    for number, load in enumerate(loads := loads_of_another_mode(situation)):
        is_whole = load.began > min(time for time, _ in situation.permitted_of_the_day)
        # A file system that is younger may have had no load before the first that is known.
        is_at_the_edge = load.began + DAY - until <= situation.time - until + 2 * STEP
        if number == 0 and not is_whole and is_at_the_edge:
            left = max(0.0, left - _taken_before(load, situation, earned_bytes, until))
        else:
            left = min(full_bytes, left + _gained_bytes(situation, earned_bytes, until, load.began + DAY))
        before, ends_them = left, False
        no_later = loads[number + 1].began if number + 1 < len(loads) else situation.balances[-1].time
        for step in _on_credits(load, situation, waiting_bytes, no_later):
            until, waiting_bytes = step.time + STEP + DAY, step.waiting_bytes
            is_faster = is_faster or waiting_bytes > 0
            taken_bytes = step.moved_bytes - earned_bytes * STEP.total_seconds()
            left = min(full_bytes, left - taken_bytes)
            # Of a slow load a minute's worth is half an hour.
            ends_them = left < min(situation.minute_bytes, taken_bytes)
            if ends_them:
                break
        is_small = before - left < SMALLEST_FALL_MINUTES * situation.minute_bytes
        if not ends_them and (is_small or left >= enough_minutes * situation.minute_bytes):
            continue
        found = UnlimitedLoad(
            began=load.began,
            ended=load.ended,
            metered_bytes_per_second=load.metered_bytes / (load.ended - load.began).total_seconds(),
            time=until,
            left_bytes=max(0.0, left),
            gone=ends_them,
            is_whole=is_whole,
            follows_others=number > 0,
            is_faster=is_faster,
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


def _taken_before(
    load: "LoadOfAnotherMode", situation: Situation, earned_bytes_per_second: float, newest: datetime
) -> float:
    """What a load takes of credits that was under way when the day began that is known, from the newest balance until
    that time of day: where metrics are late those are many minutes.
    """
    rate = min(load.steps[0].metered_bytes / STEP.total_seconds(), situation.reference_bytes_per_second)
    return max(0.0, rate - earned_bytes_per_second) * max(0.0, (load.began + DAY - newest).total_seconds())


class LoadOfAnotherMode(NamedTuple):
    """What was moved in another mode from one moment to another, in steps of which each has something."""

    began: datetime
    ended: datetime
    steps: Sequence[Work]

    @property
    def metered_bytes(self) -> float:
        """All of it, as metered."""
        return sum(one.metered_bytes for one in self.steps)


class _StepOnCredits(NamedTuple):
    """What a load would move in five minutes on credits, and what it would have moved by then, were it not limited."""

    time: datetime
    moved_bytes: float
    waiting_bytes: float


def loads_of_another_mode(situation: Situation) -> list[LoadOfAnotherMode]:
    """What was moved in another mode faster than credits are earned, oldest first; a pause of minutes ends no load."""
    earned_bytes = earned_bytes_per_second(situation.file_system.standard_bytes) * STEP.total_seconds()
    unlimited = steps_of_another_mode(situation)
    found: list[list[datetime]] = []
    for work in situation.last_day:
        if work.time not in unlimited or work.metered_bytes <= earned_bytes:
            continue
        if found and work.time - found[-1][-1] < PAUSE:
            found[-1].append(work.time)
        else:
            found.append([work.time])
    return [
        LoadOfAnotherMode(first, last + STEP, [one for one in situation.last_day if first <= one.time <= last])
        for first, *_, last in ([*times[:1], *times] for times in found)
    ]


def _on_credits(
    load: LoadOfAnotherMode, situation: Situation, waiting_bytes: float, no_later: datetime
) -> Iterator[_StepOnCredits]:
    """What a load of another mode would take in each five minutes on credits: in its own, and in those after them until
    all that waits is moved, `waiting_bytes` from the start, or another moment has come.
    """
    most_bytes = situation.reference_bytes_per_second * STEP.total_seconds()
    metered = {one.time: one.metered_bytes for one in load.steps}
    time = load.began
    while time < load.ended or (waiting_bytes > 0 and time < no_later):
        waiting_bytes += metered.get(time, 0.0)
        moved_bytes = min(waiting_bytes, most_bytes)
        waiting_bytes -= moved_bytes
        yield _StepOnCredits(time, moved_bytes, waiting_bytes)
        time += STEP
