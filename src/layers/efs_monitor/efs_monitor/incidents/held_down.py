"""Loads that went on without credits, or at a rate below what credits permit by now: a provisioned one, or that of a
smaller size. The balance stays at zero then, comes back, or falls by less, and says nothing of all that they wanted.

How much more they wanted than they got is in no metric.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from math import inf
from typing import NamedTuple

from efs_monitor.efs.credits import (
    is_no_faster,
    is_nothing,
)
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.changed_earning import changed_earning
from efs_monitor.incidents.falls import PAUSE, Fall, comes_again, falls_of_the_day
from efs_monitor.incidents.mode_steps import is_of_no_size, steps_at_a_provisioned_rate, steps_of_another_mode
from efs_monitor.incidents.needed_throughput import AT_THE_LIMIT
from efs_monitor.incidents.situation import DAY, STEP, Situation, once
from efs_monitor.incidents.times_at_zero import times_at_zero
from efs_monitor.incidents.unlimited_load import loads_of_another_mode

# Who is held down takes all that is there, but for a little that no clock keeps.
ALL_THAT_IS_THERE = 0.95
# What takes it for less time is the breathing of a file system at work.
SHORTEST = timedelta(minutes=15)


class HeldDown(NamedTuple):
    """A time in which clients took all that is there without credits, to five minutes. It `is_whole` where it had not
    begun when the day began that is known. The load `took_credits_before` where they were gone by a fall that was under
    way when the coming hours began a day ago; it was there `since` then, where another throughput mode had let it
    through.
    """

    began: datetime
    ended: datetime
    is_whole: bool = True
    took_credits_before: bool = False
    since: datetime | None = None

    @property
    def spends_from(self) -> datetime:
        """When it begins to spend credits, if it comes again at its time of day."""
        return (self.since or self.began) + DAY

    @property
    def comes_at_any_hour(self) -> bool:
        """Whether the load had begun more than a day ago, so that its time of day is not known."""
        return self.took_credits_before or not self.is_whole


class HeldByRate(NamedTuple):
    """The minutes of the last day, between two times, in which clients took all of a rate that is lower than what
    credits permit; the least and the highest, where it was several. It `is_provisioned`, or is what credits permitted a
    smaller size.
    """

    began: datetime
    ended: datetime
    minutes: int
    least_bytes_per_second: float
    bytes_per_second: float
    is_provisioned: bool = True


def held_by_rate(situation: Situation) -> HeldByRate | None:
    """What clients wanted at such a rate is not known, nor what it would take of the credits.

    No size is permitted less than 100 MiB/s while it has credits: a lower rate is provisioned.
    """
    limits = _limits_on_credits(situation)
    provisioned = _held_by(_of_no_size(limits, situation) | steps_at_a_provisioned_rate(situation), situation)
    # Where a Region may permit less than the size gives, a lower limit may have been the Region's.
    if provisioned is not None or situation.may_be_capped:
        return provisioned
    of_a_smaller_size = _held_by(limits, situation)
    return None if of_a_smaller_size is None else of_a_smaller_size._replace(is_provisioned=False)


def _of_no_size(limits: Mapping[datetime, float], situation: Situation) -> dict[datetime, float]:
    """The limits that no size has while it has comfortable credits."""
    balances = {one.time: one.balance_bytes for one in situation.balances_of_the_day}
    return {time: rate for time, rate in limits.items() if is_of_no_size(rate, balances[time], situation)}


def _limits_on_credits(situation: Situation) -> dict[datetime, float]:
    """What was permitted in each five minutes of the last day in which credits were left, in bytes per second."""
    other_mode = steps_of_another_mode(situation)
    balances = {one.time: one.balance_bytes for one in situation.balances_of_the_day}
    return {
        time: rate
        for time, rate in situation.permitted_of_the_day
        if time not in other_mode and balances.get(time, 0.0) >= rate * MINUTE.total_seconds()
    }


def _held_by(rates: Mapping[datetime, float], situation: Situation) -> HeldByRate | None:
    # Who wants a twentieth less than credits permit, or a provisioned rate, gets it: held down is who is at the limit.
    held = [
        work.time
        for work in situation.last_day
        if (rate := rates.get(work.time, inf)) < ALL_THAT_IS_THERE * situation.reference_bytes_per_second
        and work.metered_bytes >= AT_THE_LIMIT * rate * STEP.total_seconds()
    ]
    if len(held) * STEP < SHORTEST or _went_on_below_its_limit(held[-1], situation):
        return None
    return HeldByRate(
        began=held[0],
        ended=held[-1] + STEP,
        minutes=len(held) * STEP // MINUTE,
        least_bytes_per_second=min(rates[time] for time in held),
        bytes_per_second=max(rates[time] for time in held),
    )


def _went_on_below_its_limit(last: datetime, situation: Situation) -> bool:
    """Whether clients moved as much right after the `last` five minutes of a limit, as long as they are held down at
    the least, while more was permitted: so much they wanted before, too, and the balance shows what it takes.
    """
    permitted, moved = dict(situation.permitted_of_the_day), {one.time: one.metered_bytes for one in situation.last_day}
    after = [last + number * STEP for number in range(1, 1 + SHORTEST // STEP)]
    limits_bytes = [permitted.get(step, 0.0) * STEP.total_seconds() for step in after]
    return all(
        AT_THE_LIMIT * moved[last] <= moved.get(step, 0.0) < AT_THE_LIMIT * limit_bytes
        for step, limit_bytes in zip(after, limits_bytes, strict=True)
    )


@once
def held_down(situation: Situation) -> tuple[HeldDown, ...]:
    """The times of the last 24 hours in which a load was held down without credits, oldest first; the last may go on.

    A load that takes what is earned, and no more, leaves the balance where it is: while there is some, and more is
    permitted, nothing holds it down. Nor does in the minutes of another throughput mode, which end it.
    """
    times = times_at_zero(situation, lookback=2 * DAY)
    permitted = dict(situation.permitted_of_the_day)
    other_mode = steps_of_another_mode(situation)
    at_zero = {
        one.time
        for one in situation.balances_of_the_day
        if one.balance_bytes < situation.minute_bytes
        and one.time not in other_mode
        and any(time.began <= one.time < time.ended for time in times)
        and (
            is_nothing(one.balance_bytes, situation.minute_bytes)
            or is_no_faster(permitted.get(one.time, 0.0), situation.baseline_bytes_per_second)
        )
    }
    found: list[HeldDown] = []
    for work in situation.last_day:
        # One that grew since had less then, and one that shrank is held down to less by now.
        there = min(situation.baseline_bytes_per_second, permitted.get(work.time, inf))
        if work.time not in at_zero or work.metered_bytes < ALL_THAT_IS_THERE * there * STEP.total_seconds():
            continue
        began, is_whole = work.time, work.time - STEP >= situation.time - DAY
        goes_on = bool(found) and began - found[-1].ended < PAUSE
        if goes_on and not any(found[-1].ended <= step < began for step in other_mode):
            before = found.pop()
            began, is_whole = before.began, before.is_whole
        found.append(HeldDown(began=began, ended=work.time + STEP, is_whole=is_whole))
    return tuple(found)


def was_there_bytes_per_second(held: HeldDown, situation: Situation) -> tuple[float, float]:
    """The least and the most that was permitted without credits then: a file system that grew earned less of them
    before, and one that shrank more. What it is now, where nothing is known of then.
    """
    changed, baseline = changed_earning(situation), situation.baseline_bytes_per_second
    limits = [
        rate
        for time, rate in situation.permitted_of_the_day
        if held.began <= time < held.ended
        and is_no_faster(rate, max(baseline, changed.earned_then(time) if changed.times else baseline))
    ] or [baseline]
    return min(limits), max(limits)


@once
def hidden_load(situation: Situation) -> HeldDown | None:
    """The next of them to come again at its time of day that no fall tells of: it began without credits, or with less
    than makes a fall, which it took, for however short a time.
    """
    at_zero = [fall for fall in falls_of_the_day(situation) if fall.gone is not None]
    shown = [fall for fall in at_zero if comes_again(fall, situation)]
    under_way = [fall for fall in at_zero if not comes_again(fall, situation)]
    return next(
        (
            one._replace(
                took_credits_before=one.is_whole and _goes_on_after(under_way, one),
                since=_since_another_mode(one, situation),
            )
            for one in held_down(situation)
            if (one.ended - one.began >= SHORTEST or _ended_the_credits(one, situation))
            and one.began + DAY >= situation.time
            and not _goes_on_after(shown, one)
        ),
        None,
    )


def _ended_the_credits(held: HeldDown, situation: Situation) -> bool:
    """Whether some were left in the five minutes before it: less than a minute's worth may have come back by then."""
    return any(
        one.time == held.began - STEP and not is_nothing(one.balance_bytes, situation.minute_bytes)
        for one in situation.balances_of_the_day
    )


def _since_another_mode(held: HeldDown, situation: Situation) -> datetime | None:
    """When the load began that another throughput mode let through until it was held down; None where none did, or that
    time of day is over.
    """
    loads = loads_of_another_mode(situation)
    began = [one.began for one in loads if one.began < held.began and held.began - one.ended < PAUSE]
    return next((one for one in began if one + DAY >= situation.time), None)


def _goes_on_after(ended_the_credits: Sequence[Fall], held: HeldDown) -> bool:
    """Whether one of the falls that ended the credits is of the load that is held down."""
    return any(fall.start.time <= held.began <= fall.limited_until for fall in ended_the_credits)
