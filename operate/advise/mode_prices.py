"""The three throughput modes, priced for the load that was there, and what each would have cut off of it.

What clients were refused is in no metric: where they were slowed down, their load is known from below only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from efs_monitor.aws.past_days import WORK, works
from efs_monitor.costs import prices
from efs_monitor.costs.mode_costs import elastic_dollars
from efs_monitor.efs.credits import GIB, HIGHEST_REGIONAL_CAP_BYTES_PER_SECOND, MIB, earned_bytes_per_second
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.efs.metering import DATA_OPERATION_BYTES, LARGEST_WRITE_BYTES, OPERATION_BYTES, READS_METERED_AT
from efs_monitor.incidents.needed_throughput import (
    covering_mib_per_second,
    highest_elastic_mib_per_second,
    highest_provisioned_mib_per_second,
)
from efs_monitor.incidents.situation import Work

from operate.history.file_system_history import History
from operate.history.recorded import BALANCE, METERED, PERMITTED
from simulation.burst_credits import bucket_bytes, flow

STEP_MINUTES = 5
STEP_SECONDS = STEP_MINUTES * 60
MONTH_MINUTES = prices.HOURS_PER_MONTH * 60
DAY_MINUTES, MONTH_DAYS = 1440, 30
# Rates are never kept to the last byte: what is less short than this is barely short, and within a millionth it is
# what floating-point numbers are.
SHORT, BARELY_SHORT = 0.98, 1 - 1e-6
# No client moves more at once than it writes at once. Counts that come to larger operations by more are not whole.
COUNTED_SHARE = 0.99
# What is metered beyond all that was recorded of reads, writes and metadata, by less than this, is rounding.
EXPLAINED = 1.01
# A price that may be higher by less is one price.
SAME_PRICE = 0.01


@dataclass(frozen=True, kw_only=True)
class PricedMode:
    """A throughput mode over the window: what it costs besides storage, in dollars of a month of such days, and in how
    many minutes less would have been permitted than what was moved, by 2 % or more and, barely, by less than that.
    `slowed_minutes` are those of the `short_minutes` in which it was the mode, and clients were slowed down.
    `mib_per_second` is what is provisioned.

    `credits_last_days` is how long a full bucket lasts at this pace, None where that is a month or more.
    `further_dollars` is how much more than `dollars_a_month` it may cost, infinite where nobody can tell: how large
    each operation was is in no metric, only how many there were and what they moved together.
    """

    mode: ThroughputMode
    dollars_a_month: float
    short_minutes: int
    barely_short_minutes: int = 0
    slowed_minutes: int = 0
    mib_per_second: int | None = None
    credits_last_days: int | None = None
    further_dollars: float = 0.0

    @property
    def most_dollars_a_month(self) -> float:
        """What it costs at most."""
        return self.dollars_a_month + self.further_dollars

    @property
    def is_priced_exactly(self) -> bool:
        """Whether what it may cost more makes no difference to anybody."""
        return self.further_dollars <= SAME_PRICE * max(self.dollars_a_month, 1.0)


def works_of(history: History) -> tuple[Work, ...]:
    """What clients did, in steps of five minutes; an idle step has no part of it."""
    metrics = history.metrics
    metrics.newest = history.minutes - 1
    read = [metrics.read(*key, STEP_MINUTES, 0, history.minutes) for key in WORK]
    metered, *by_kind = [dict(zip(map(history.time, steps), values, strict=True)) for steps, values in read]
    # An export may lack MeteredIOBytes of a step in which something was moved.
    known = dict.fromkeys(set().union(*by_kind), 0.0)
    return tuple(works(known | metered, *by_kind))


def known_minutes(history: History) -> int:
    """How many minutes CloudWatch has anything of: a gap is no idle time, and neither is what cannot have been."""
    values = history.metrics.values
    gauges = zip(values[BALANCE], values[PERMITTED], values[METERED], strict=True)
    known = (number for number, minute in enumerate(gauges) if minute != (None, None, None))
    return sum(1 for number in known if number not in history.unpriced)


@dataclass(frozen=True, kw_only=True)
class Unexplained:
    """What was metered in all, and what of it comes from the recorded reads, writes and metadata, in bytes."""

    metered_bytes: float
    recorded_bytes: float


def unexplained(history: History, works: Iterable[Work]) -> Unexplained | None:
    """What is left to explain where MeteredIOBytes is more than what was recorded comes to, and not all operations were
    counted: small ones, or a metric that is missing, not whole or in another unit. None where nothing is.

    Where all of them were counted, small ones explain it, or the metrics contradict each other, which is told before.
    """
    if history.knows_operations:
        return None
    works = tuple(works)
    found = Unexplained(
        metered_bytes=sum(one.metered_bytes for one in works),
        recorded_bytes=sum(one.written_bytes + one.read_bytes / READS_METERED_AT + one.metadata_bytes for one in works),
    )
    return found if found.metered_bytes > EXPLAINED * found.recorded_bytes else None


def elastic(history: History, works: tuple[Work, ...]) -> PricedMode:
    """By what was read and written, each operation as large as it is billed at least. Nothing is cut off, but in One
    Zone, where elastic throughput ends at a rate that credits may exceed. What is metered and not recorded as read,
    written or metadata may cost any amount.
    """
    months = MONTH_MINUTES / known_minutes(history)
    least = elastic_dollars(works)
    most = most_elastic_dollars(works) if unexplained(history, works) is None else inf
    highest = highest_elastic_mib_per_second(history.described(history.minutes))
    return PricedMode(
        mode=ThroughputMode.ELASTIC,
        dollars_a_month=least * months,
        short_minutes=0 if highest is None else _minutes_above(history, highest),
        further_dollars=max(0.0, most - least) * months,
    )


def most_elastic_dollars(works: Iterable[Work]) -> float:
    """What so much work costs at most in elastic mode: as if each operation were as large as any, or next to nothing.

    Then what is rounded up is the most that it can be with so many operations and bytes. Infinite where there are too
    few operations for the bytes, or neither beside what was metered: then not all of them are known.
    """
    works = tuple(works)
    if any(one.metered_bytes for one in works) and not any(
        one.read_bytes or one.written_bytes or one.metadata_bytes for one in works
    ):
        return inf
    return sum(
        (
            (_most_billed(one.read_bytes, one.reads) + one.metadata_bytes + OPERATION_BYTES * one.metadata_operations)
            * prices.ELASTIC_READ.dollars
            + _most_billed(one.written_bytes, one.writes) * prices.ELASTIC_WRITTEN.dollars
        )
        / GIB
        for one in works
    )


def _most_billed(moved_bytes: float, operations: float) -> float:
    largest = moved_bytes / LARGEST_WRITE_BYTES
    if operations < COUNTED_SHARE * largest:
        return inf
    return moved_bytes + DATA_OPERATION_BYTES * max(0.0, operations - largest)


def provisioned(history: History, mib_per_second: int) -> PricedMode:
    """A fixed rate, paid for as far as it is above what the size earns."""
    earned = earned_bytes_per_second(history.described(history.minutes).standard_bytes) / MIB
    return PricedMode(
        mode=ThroughputMode.PROVISIONED,
        mib_per_second=mib_per_second,
        dollars_a_month=max(0.0, mib_per_second - earned) * prices.PROVISIONED.dollars,
        short_minutes=_minutes_above(history, mib_per_second),
    )


def _minutes_above(history: History, mib_per_second: int) -> int:
    """In how many minutes more was moved, as metered, than such a rate permits."""
    limit_bytes = mib_per_second * MIB * 60
    return sum(
        1 for moved in history.metrics.values[METERED] if moved is not None and moved * BARELY_SHORT > limit_bytes
    )


def least_provisioned(history: History) -> PricedMode | None:
    """The lowest rate that cuts nothing off; None where the load needs more than can be provisioned in the Region, or
    anywhere where that is not known.
    """
    busiest_bytes = max((one for one in history.metrics.values[METERED] if one is not None), default=0.0)
    mib_per_second = max(1, covering_mib_per_second(busiest_bytes / 60))
    highest = highest_provisioned_mib_per_second(history.described(history.minutes), history.region)
    return provisioned(history, mib_per_second) if mib_per_second <= highest else None


def bursting(history: History, slowed_minutes: int) -> PricedMode:
    """Free. Where it did burst, it was short in the minutes in which it was seen to be; where it did not, the same load
    is lived through by the model of credits, from a full bucket on. A window may be too short to see the end of it: the
    pace of all those minutes tells how long a full one lasts.
    """
    short, barely_short = slowed_minutes, 0
    minutes, spent_bytes = 0, 0.0
    metered = history.metrics.values[METERED]
    balance: float | None = None
    changes = dict(history.file_systems)
    now = history.file_systems[0][1]
    for minute, moved in enumerate(metered):
        now = changes.get(minute, now)
        if now.lives_on_credits:
            known = history.metrics.values[BALANCE][minute]
            balance = balance if known is None else known
            continue
        held = float(bucket_bytes(now.standard_bytes)) if balance is None else balance
        # A lower cap of the Region shows in the rates of a bursting history.
        went = flow(held, now.standard_bytes, moved or 0.0, HIGHEST_REGIONAL_CAP_BYTES_PER_SECOND)
        balance = went.closing_bytes
        if moved is not None or history.metrics.values[PERMITTED][minute] is not None:
            minutes += 1
            spent_bytes += (moved or 0.0) - 60 * earned_bytes_per_second(now.standard_bytes)
        if went.served_bytes < (moved or 0.0) * SHORT:
            short += 1
        elif went.served_bytes < (moved or 0.0) * BARELY_SHORT:
            barely_short += 1
    days = bucket_bytes(now.standard_bytes) * minutes / spent_bytes / DAY_MINUTES if spent_bytes > 0 else MONTH_DAYS
    return PricedMode(
        mode=ThroughputMode.BURSTING,
        dollars_a_month=0.0,
        short_minutes=short,
        barely_short_minutes=barely_short,
        slowed_minutes=slowed_minutes,
        credits_last_days=int(days) if days < MONTH_DAYS else None,
    )


def as_it_is(history: History, works: tuple[Work, ...], slowed_minutes: int) -> PricedMode:
    """The mode that the file system has at the end of the window, as if it had had it throughout."""
    now = history.described(history.minutes)
    if now.lives_on_credits:
        return bursting(history, slowed_minutes)
    if now.mode is ThroughputMode.ELASTIC:
        return elastic(history, works)
    return provisioned(history, round(now.provisioned_bytes_per_second / MIB))
