"""Whether a file system in elastic or provisioned throughput would do with burst credits again: its last day, lived
through once more on what it would start with.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate

from efs_monitor.efs.credits import (
    SECONDS_PER_MINUTE,
    baseline_bytes_per_second,
    earned_bytes_per_second,
    full_bucket_bytes,
    is_no_faster,
)
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.incidents.recurring_load import ENOUGH_MINUTES
from efs_monitor.incidents.situation import DAY, STEP, Work

# With less of a day, that the rest was idle is not known.
FEWEST_STEPS = timedelta(hours=23) // STEP
# A day that ended longer ago is not the last one.
LATEST = timedelta(hours=1)
# A rate is never kept to the last byte: what was moved faster by less than this was not moved faster.
FASTER = 1.02
# Whoever takes so much of what is permitted may have wanted more.
ALL_THAT_IS_PERMITTED = 0.95


@dataclass(frozen=True, kw_only=True)
class DayOnCredits:
    """The newest 24 hours that are known as they would have been on credits, from `opening_bytes` on.

    `gone` is when they would have ended, in the first minutes where `gone_at_once`, None where they would have lasted;
    `lowest_bytes` is the least that would have been left, and `lowest_time` when. A second day like it would end with
    `lost_bytes` less than the first, or end them at the time of day of `gone_the_next_day`. It would leave
    `lowest_the_next_day_bytes` at the least, at `lowest_the_next_day_time`: less where the first day began amid a load,
    with more than that load finds. In `faster_minutes` more was moved than the `reference_bytes_per_second` that are
    permitted with credits; without them it is `baseline_bytes_per_second`. In `held_minutes` clients took all that was
    permitted, from `least_held_bytes_per_second` to `held_bytes_per_second` and less than with credits: what they
    wanted is not known, and nor is what credits would have been spent on it.
    `enough_bytes` are an hour's worth, and `moved_bytes` is what clients moved in all, as metered.
    """

    reference_bytes_per_second: int
    baseline_bytes_per_second: int
    opening_bytes: float
    lowest_bytes: float
    lowest_time: datetime
    gone: datetime | None
    lost_bytes: float
    gone_the_next_day: datetime | None
    lowest_the_next_day_bytes: float
    lowest_the_next_day_time: datetime
    enough_bytes: float
    faster_minutes: int
    moved_bytes: float
    held_minutes: int = 0
    held_bytes_per_second: float = 0.0
    least_held_bytes_per_second: float = 0.0
    gone_at_once: bool = False

    @property
    def is_idle(self) -> bool:
        """Whether no load was measured, or no more than a minute's worth, as a benchmark moves: such a day would have
        lasted on any balance, and shows nothing.
        """
        return self.moved_bytes * ENOUGH_MINUTES < self.enough_bytes

    @property
    def is_limited_at_once(self) -> bool:
        """Whether it begins with less than a minute's worth, so that clients are limited from its beginning on."""
        is_limited = not is_no_faster(self.reference_bytes_per_second, self.baseline_bytes_per_second)
        return is_limited and self.opening_bytes < SECONDS_PER_MINUTE * self.reference_bytes_per_second

    @property
    def suffices(self) -> bool:
        """Whether clients would have noticed nothing, and would not if every day were like this one.

        An hour's worth must be left at the least, or as much as there was: one day that ends a minute before zero is no
        reason to go back. Nor is one in which clients may have wanted more than they got, nor one without credits to
        begin with: any load that is faster would be limited.
        """
        return self.would_suffice and not self.held_minutes and not self.is_limited_at_once

    @property
    def would_suffice(self) -> bool:
        """Whether credits would have lasted for what was moved, if clients wanted no more."""
        lasts = self.gone is None and self.faster_minutes == 0 and not self.is_idle
        return lasts and not self.lost_bytes and not self.leaves_little

    @property
    def leaves_little(self) -> bool:
        """Whether less than an hour's worth would be left at the least, and less than there was."""
        least_bytes = min(self.lowest_bytes, self.lowest_the_next_day_bytes)
        return least_bytes < min(self.opening_bytes, self.enough_bytes)


def day_on_credits(
    file_system: FileSystem,
    reference_bytes_per_second: int,
    opening_bytes: float | None,
    work: Sequence[Work],
    permitted: Sequence[tuple[datetime, float]],
    now: datetime,
) -> DayOnCredits | None:
    """Live through the newest whole day before `now` in steps of five minutes: each earns what the size earns, up to a
    full bucket, and spends what was metered, reads as a third.

    It ends where the newest step begins that is known, which may be under way: with what was moved in a part of it, and
    all that it earns, and without the minutes that are on their way, it would be a day that nobody lived.

    The reference is what would be permitted with credits, a Region's cap included. None where the balance to begin with
    is not known, or too little of the day: a step of which nobody knows what was `permitted` may be one of work that
    CloudWatch does not have.
    """
    ended_at = max((step for step, _ in permitted if step < now), default=now)
    rates = {step: rate for step, rate in permitted if ended_at - DAY <= step < ended_at}
    day = list(rates)
    if opening_bytes is None or len(day) < FEWEST_STEPS or now - ended_at > LATEST:
        return None
    seconds = STEP.total_seconds()
    minute_bytes = SECONDS_PER_MINUTE * reference_bytes_per_second
    earned_bytes = earned_bytes_per_second(file_system.standard_bytes) * seconds
    fastest_bytes = FASTER * reference_bytes_per_second * seconds
    full_bytes = full_bucket_bytes(file_system.standard_bytes)
    metered = {one.time: one.metered_bytes for one in work}
    spent = [metered.get(step, 0.0) for step in day]
    opening_bytes = min(opening_bytes, full_bytes)
    first = _lived_day(opening_bytes, spent, earned_bytes, full_bytes)
    second = _lived_day(first.closing_bytes, spent, earned_bytes, full_bytes)
    falls = first.lowest_bytes < opening_bytes
    # Of the steps in which clients took all that was permitted, which was less than with credits.
    limiting_rates = [
        rates[step]
        for step, spend in zip(day, spent, strict=True)
        if rates[step] * FASTER * seconds < fastest_bytes and 0 < ALL_THAT_IS_PERMITTED * rates[step] * seconds <= spend
    ]
    lost_bytes = first.closing_bytes - second.closing_bytes
    return DayOnCredits(
        reference_bytes_per_second=reference_bytes_per_second,
        baseline_bytes_per_second=min(
            reference_bytes_per_second, baseline_bytes_per_second(file_system.standard_bytes)
        ),
        opening_bytes=opening_bytes,
        lowest_bytes=first.lowest_bytes if falls else opening_bytes,
        lowest_time=day[first.lowest] + STEP if falls else day[0],
        gone=None if first.dry is None else day[first.dry],
        gone_at_once=first.dry == 0,
        lost_bytes=lost_bytes if lost_bytes >= minute_bytes else 0.0,
        gone_the_next_day=None if second.dry is None else day[second.dry] + DAY,
        lowest_the_next_day_bytes=second.lowest_bytes,
        lowest_the_next_day_time=day[second.lowest] + STEP + DAY,
        enough_bytes=ENOUGH_MINUTES * minute_bytes,
        faster_minutes=sum(one > fastest_bytes for one in spent) * round(seconds / SECONDS_PER_MINUTE),
        moved_bytes=sum(spent),
        held_minutes=len(limiting_rates) * round(seconds / SECONDS_PER_MINUTE),
        held_bytes_per_second=max(limiting_rates, default=0.0),
        least_held_bytes_per_second=min(limiting_rates, default=0.0),
    )


@dataclass(frozen=True, kw_only=True)
class _LivedDay:
    """What was left after each step of a day, the least that may have been left in it, and which one was the first to
    want more than there was, if any did.
    """

    balances: Sequence[float]
    least: Sequence[float]
    dry: int | None

    @property
    def closing_bytes(self) -> float:
        return self.balances[-1]

    @property
    def lowest(self) -> int:
        """The step in which least may have been left; of several in which nothing may, that with least at its end."""
        return min(range(len(self.least)), key=lambda step: (self.least[step], self.balances[step]))

    @property
    def lowest_bytes(self) -> float:
        return self.least[self.lowest]


def _lived_day(opening_bytes: float, spent: Sequence[float], earned_bytes: float, full_bytes: float) -> _LivedDay:
    """Each step earns as much; zero where more is spent than there is.

    What a step spends may be spent in its first minutes, and what it earns come after it: of one that spends more than
    it earns the least is what is left without that.
    """
    before, *after = accumulate(
        spent,
        lambda balance_bytes, spent_bytes: min(full_bytes, max(0.0, balance_bytes + earned_bytes - spent_bytes)),
        initial=opening_bytes,
    )
    short = (step for step, have in enumerate([before, *after[:-1]]) if have + earned_bytes < spent[step])
    least = [
        max(0.0, have - spent_bytes) if spent_bytes > earned_bytes else left
        for have, spent_bytes, left in zip([before, *after], spent, after, strict=False)
    ]
    return _LivedDay(balances=after, least=least, dry=next(short, None))
