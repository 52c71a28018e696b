"""Months of file systems, each from a seed: batches that empty the bucket, growth, mode switches, late metrics.

What clients do follows from the balance: a batch goes on until the credits are gone, and some time longer.
"""

import math
import random
from dataclasses import dataclass, field, replace

from simulation.burst_credits import (
    GIB,
    MIB,
    TIB,
    baseline_bytes_per_second,
    burst_bytes_per_second,
    earned_bytes_per_second,
)
from simulation.file_system import Bursting, Elastic, Provisioned, ThroughputMode

DAY_MINUTES = 1440
HOUR_MINUTES = 60
MONTH_DAYS = 30
SIZES_GIB = (20, 100, 100, 256, 700, 1024, 3072, 12_000)
LATE_SIZES_GIB = (700, 1024, 3072)
LATE_MINUTES = (1, 3, 5)
# One batch in so many ends before the credits do, whatever it had in mind.
ENDS_EARLY = 0.08
LONGEST_BATCH_MINUTES = 900
# A full bucket lasts so long at the permitted rate, at any size below the Region's cap.
FULL_MINUTES = 367
# Months whose batches rest for most of the time: so many minutes of work in so many, with the same work to do.
RESTING = ((3, 10), (5, 15), (6, 20))
# How a batch asks for its throughput: evenly, unevenly, with a pause after every five minutes, or ever more.
STEADY, UNEVEN, PAUSING, GROWING = range(4)


@dataclass(frozen=True, slots=True)
class LateTime:
    """Minutes of the month in which datapoints come so much later."""

    start: int
    end: int
    minutes: int


@dataclass(frozen=True, slots=True)
class MonthPlan:
    """What a month brings, but for what follows from the balance; times are minutes since its beginning.

    `bursts` are minutes in which somebody asks for a share of the baseline besides, `modes` switches of the throughput
    mode, `grows` when the size is multiplied by what, `works` for how many minutes of how many each batch does
    something, None where these differ.
    """

    seed: int
    days: int
    size_bytes: int
    cap_bytes_per_second: float
    opening_share: float
    late_minutes: int
    growth_a_month: float
    background_share: float
    written_share: float
    batches: frozenset[int]
    bursts: dict[int, float]
    modes: dict[int, ThroughputMode]
    grows: dict[int, float]
    late_times: tuple[LateTime, ...] = ()
    works: tuple[int, int] | None = None


def plan(seed: int, days: int = MONTH_DAYS, *, late: bool = False) -> MonthPlan:
    """What happens in the month of a seed; `late` with times in which metrics are 15 to 60 minutes late."""
    draw = random.Random(f"month {seed}")  # noqa: S311 - no secret, a life that can be lived again
    minutes = days * DAY_MINUTES
    size = draw.choice(LATE_SIZES_GIB if late else SIZES_GIB) * GIB
    # Where it takes long to come back, Warning and Critical are hardly ever crossed again.
    a_day = 1 if late else draw.randint(1, 5)
    batches = []
    for number in range(days * a_day):
        middle = (number + 0.5) / a_day * DAY_MINUTES
        batches.append(int(middle + draw.uniform(-0.4, 0.4) * DAY_MINUTES / a_day))
    bursts = dict[int, float]()
    for _ in range(draw.randint(0, 4) * days):
        start, share = draw.randrange(minutes), draw.uniform(0.3, 2)
        bursts |= dict.fromkeys(range(start, start + draw.randint(2, 20)), share)
    modes = dict[int, ThroughputMode]()
    if draw.random() < 0.3:
        away = draw.randrange(minutes // 2)
        modes[away] = Elastic() if draw.random() < 0.7 else Provisioned(max(200 * MIB, size / TIB * 100 * MIB))
        modes[away + draw.randint(25, 120) * HOUR_MINUTES] = Bursting()
    grows = {draw.randrange(minutes): draw.uniform(1.2, 1.8)} if draw.random() < 0.2 else {}
    late_times = tuple(_late_times(draw, minutes)) if late else ()
    return MonthPlan(
        seed=seed,
        days=days,
        size_bytes=size,
        cap_bytes_per_second=draw.choice((1, 3)) * GIB,
        opening_share=draw.uniform(0.05, 1),
        late_minutes=LATE_MINUTES[seed % len(LATE_MINUTES)],
        growth_a_month=draw.choice((0, 0, 0.1, 0.6)),
        background_share=draw.uniform(0, 0.5),
        written_share=draw.uniform(0, 1),
        batches=frozenset(batches),
        bursts=bursts,
        modes=modes,
        grows=grows,
        late_times=late_times,
    )


def resting(seed: int, days: int = MONTH_DAYS) -> MonthPlan:
    """What happens in the month of a seed where every batch rests for most of the time."""
    return replace(plan(seed, days), works=RESTING[seed % len(RESTING)])


def hovering(seed: int, days: int = MONTH_DAYS) -> MonthPlan:
    """What happens where the balance begins at the threshold of Warning or Critical, and clients take about as much as
    is earned: it crosses again and again, while it grows or not.
    """
    draw = random.Random(f"hovering {seed}")  # noqa: S311 - no secret, a life that can be lived again
    calm = plan(seed, days)
    bursts = dict[int, float]()
    for _ in range(draw.randint(2, 12) * days):
        start, share = draw.randrange(days * DAY_MINUTES), draw.uniform(-0.5, 0.5)
        bursts |= dict.fromkeys(range(start, start + draw.randint(10, 90)), share)
    return replace(
        calm,
        size_bytes=draw.choice((1024, 1500, 3072)) * GIB,
        opening_share=draw.choice((60, 180)) / FULL_MINUTES,
        background_share=draw.uniform(0.9, 1.05),
        batches=frozenset(),
        bursts=bursts,
        modes={},
        grows={},
    )


def _late_times(draw: random.Random, minutes: int) -> list[LateTime]:
    """Every second day or so, for three to ten hours."""
    found, start = [], draw.randrange(DAY_MINUTES // 2)
    while start < minutes:
        end = start + draw.randint(3, 10) * HOUR_MINUTES
        found.append(LateTime(start, end, draw.randint(15, 60)))
        start = end + draw.randint(6, 40) * HOUR_MINUTES
    return found


@dataclass(slots=True)
class _Batch:
    start: int
    bytes_per_second: float
    kind: int
    end: int | None


@dataclass(slots=True)
class DrivingClients:
    """Who drives the file system of a plan: asked each minute what they want, given what there is.

    `steady_since` is the minute from which a batch has been asking for the same, None while there is none.
    """

    plan: MonthPlan
    _draw: random.Random = field(init=False)
    _batch: _Batch | None = None

    def __post_init__(self) -> None:
        self._draw = random.Random(f"clients {self.plan.seed}")  # noqa: S311 - no secret

    @property
    def steady_since(self) -> int | None:
        """When the batch that is running began, if it asks for the same each minute."""
        is_steady = self._batch is not None and self._batch.kind == STEADY and self.plan.works is None
        return self._batch.start if self._batch is not None and is_steady else None

    def demand(self, minute: int, balance_bytes: float, size_bytes: int, *, credits_matter: bool) -> float:
        """Metered bytes a second that they ask for in this minute."""
        plan, draw = self.plan, self._draw
        cap = plan.cap_bytes_per_second
        earned = earned_bytes_per_second(size_bytes)
        if not credits_matter:
            self._batch = None
        elif self._batch is None and minute in plan.batches:
            # As fast as empties the bucket in ten minutes to five hours.
            seconds = math.exp(draw.uniform(math.log(10), math.log(300))) * 60
            most = burst_bytes_per_second(size_bytes, cap) * 1.2
            rate = min(most, max(1.3 * baseline_bytes_per_second(size_bytes, cap), earned + balance_bytes / seconds))
            early = draw.random() < ENDS_EARLY
            end = minute + int(seconds / 60 * draw.uniform(0.2, 0.9)) if early else None
            self._batch = _Batch(minute, rate, draw.randrange(4), end)
        asked = (plan.background_share * draw.uniform(0.9, 1.1) + plan.bursts.get(minute, 0.0)) * earned
        batch = self._batch
        if batch is None:
            return asked
        since = minute - batch.start
        if batch.end is None and balance_bytes <= 0 and since:
            # It does not know that the credits are gone, and goes on with what is left to do.
            batch.end = minute + draw.choice((0, 5, 20, 60, 120))
        if (batch.end is not None and minute >= batch.end) or since > LONGEST_BATCH_MINUTES:
            self._batch = None
            return asked
        share = 1.0
        if plan.works is not None:
            minutes, of_minutes = plan.works
            share = of_minutes / minutes if since % of_minutes < minutes else 0.0
        elif batch.kind == UNEVEN:
            share = draw.uniform(0.4, 1.6)
        elif batch.kind == PAUSING:
            share = 0.0 if since % 7 in {5, 6} else 1.4
        elif batch.kind == GROWING:
            share = min(1.5, 0.3 + since / 60)
        return asked + batch.bytes_per_second * share
