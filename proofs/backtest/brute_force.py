"""What is recommended, found once more by trying everything; of the rules, only published numbers are shared.

Sources: AWS's list prices (`proofs/list_prices.py`) and the EFS user guide, "Throughput modes" and "Amazon EFS quotas".
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from proofs.backtest.months_of_metrics import METADATA_OPERATION_BYTES, Month
from proofs.list_prices import (
    ELASTIC_READ_DOLLARS_A_GIB,
    ELASTIC_WRITTEN_DOLLARS_A_GIB,
    HOURS_A_MONTH,
    PROVISIONED_DOLLARS_A_MIB_SECOND,
)

GIB, MIB, KIB = 2**30, 2**20, 2**10
SMALLEST_BILLED_BYTES = 32 * KIB
# A client reads and writes at most this much at once.
LARGEST_OPERATION_BYTES = 1024 * KIB
MOST_PROVISIONED_MIB = 3414
MONTH_MINUTES = HOURS_A_MONTH * 60
# Rates are floating-point numbers; what is short by less is not.
WHOLE = 1 - 1e-6
LEAST_LEAD, LONGEST_LEAD = 20, 360
# A warning that is useful leaves so long; one that is older than a day was about another one.
USEFUL_WARNING, USEFUL_CRITICAL, OLDEST = 60, 20, 1440
# An alarm looks at 15 datapoints, the newest of which is three minutes old; it can exist after half an hour.
DATAPOINTS, OLD, FIRST_MINUTE = 15, 3, 30


@dataclass(frozen=True, kw_only=True)
class ModePrice:
    """A mode, with the rate where one is provisioned: dollars a month, and minutes in which it had been slower."""

    mode: str
    mib_per_second: int | None
    dollars: float
    slower_minutes: int


def elastic_dollars(month: Month) -> float:
    """By the minute and by the operation: what is read and written is billed in operations of 32 KiB at least."""
    billed_share = sum(share * max(1.0, SMALLEST_BILLED_BYTES / size) for size, share in month.operation_bytes)
    dollars = 0.0
    for read, written, operations in zip(month.read_bytes, month.written_bytes, month.metadata_operations, strict=True):
        dollars += (read * billed_share + operations * METADATA_OPERATION_BYTES) / GIB * ELASTIC_READ_DOLLARS_A_GIB
        dollars += written * billed_share / GIB * ELASTIC_WRITTEN_DOLLARS_A_GIB
    return dollars * MONTH_MINUTES / len(month.written_bytes)


def elastic_bounds(month: Month) -> tuple[float, float]:
    """The least and the most that it can cost by what CloudWatch has: how many operations there were, and their bytes.

    Every mix of two sizes that has as many bytes to an operation is tried, which is enough: more sizes lie between.
    """
    data = _billed_shares(1 / month.operations_a_byte)
    metadata = _billed_shares(METADATA_OPERATION_BYTES, smallest_billed=METADATA_OPERATION_BYTES)
    read, written = sum(month.read_bytes), sum(month.written_bytes)
    of_metadata = sum(month.metadata_operations) * METADATA_OPERATION_BYTES
    months = MONTH_MINUTES / len(month.written_bytes)
    least, most = (
        (
            (read * of_data + of_metadata * of_metadata_share) * ELASTIC_READ_DOLLARS_A_GIB
            + written * of_data * ELASTIC_WRITTEN_DOLLARS_A_GIB
        )
        / GIB
        * months
        for of_data, of_metadata_share in zip(data, metadata, strict=True)
    )
    return least, most


def _billed_shares(mean_bytes: float, smallest_billed: int = SMALLEST_BILLED_BYTES) -> tuple[float, float]:
    """The least and the most that is billed for a byte of operations that have `mean_bytes` on average."""
    sizes = [1.0, *(float(kib * KIB) for kib in range(1, LARGEST_OPERATION_BYTES // KIB + 1))]
    shares = [max(mean_bytes, smallest_billed) / mean_bytes]
    for small in (one for one in sizes if one < mean_bytes):
        for large in (one for one in sizes if one > mean_bytes):
            of_large = (mean_bytes - small) / (large - small)
            billed = of_large * max(large, smallest_billed) + (1 - of_large) * max(small, smallest_billed)
            shares.append(billed / mean_bytes)
    return min(shares), max(shares)


def provisioned_dollars(month: Month, mib_per_second: int) -> float:
    """What is above the 50 KiB/s that each GiB earns."""
    return max(0.0, mib_per_second - month.size_bytes / GIB * 50 / KIB) * PROVISIONED_DOLLARS_A_MIB_SECOND


def slower_in_bursting(month: Month, moved: Sequence[float]) -> int:
    """Minutes in which credits, from a full bucket on, had served less than what was moved."""
    tebibytes = month.size_bytes / 2**40
    bucket = max(1.0, tebibytes) * 2.1 * 2**40
    earned, burst, floor = tebibytes * 50 * MIB * 60, max(100.0, tebibytes * 100) * MIB * 60, 1.0 * MIB * 60
    balance, slower = bucket, 0
    for bytes_ in moved:
        spent = bytes_ - earned
        # What is left lets through as much; the baseline, at least 1 MiB/s, comes on top where it is higher.
        most = min(burst, max(balance + earned, floor))
        slower += bytes_ * WHOLE > most
        balance = min(bucket, max(0.0, balance - spent))
    return slower


def every_mode(month: Month) -> Iterator[ModePrice]:
    """Bursting, elastic, and each MiB/s that can be provisioned."""
    moved = month.metered_bytes
    most = sorted(moved)
    yield ModePrice(mode="bursting", mib_per_second=None, dollars=0.0, slower_minutes=slower_in_bursting(month, moved))
    yield ModePrice(mode="elastic", mib_per_second=None, dollars=elastic_dollars(month), slower_minutes=0)
    number = 0
    for rate in range(1, MOST_PROVISIONED_MIB + 1):
        while number < len(most) and most[number] * WHOLE <= rate * MIB * 60:
            number += 1
        yield ModePrice(
            mode="provisioned",
            mib_per_second=rate,
            dollars=provisioned_dollars(month, rate),
            slower_minutes=len(most) - number,
        )


def best_dollars(prices: Sequence[ModePrice]) -> float:
    """The least that a month costs in which nothing had been slower."""
    return min((one.dollars for one in prices if not one.slower_minutes), default=inf)


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Two lead times: how many zeros each had told of in useful time, and the messages of both."""

    warning_minutes: int
    critical_minutes: int
    warned: int
    messages: int


def every_pair(balances: Sequence[float], reference: float) -> list[Pair]:
    """Each pair of whole minutes that can be chosen, on alarms that go by the lowest datapoint that they see."""
    lowest = _lowest_seen(balances)
    zeros = _zeros(balances, reference * 60)
    leads = range(LEAST_LEAD, LONGEST_LEAD + 1)
    alarms = {minutes: _alarm(lowest, minutes * 60 * reference) for minutes in leads}
    as_warning = {minutes: _warned(alarms[minutes], zeros, USEFUL_WARNING) for minutes in leads}
    as_critical = {minutes: _warned(alarms[minutes], zeros, USEFUL_CRITICAL) for minutes in leads}
    return [
        Pair(
            warning_minutes=warning,
            critical_minutes=critical,
            warned=as_warning[warning] + as_critical[critical],
            messages=len(alarms[warning]) + len(alarms[critical]),
        )
        for warning in leads
        for critical in leads
        if critical <= warning - LEAST_LEAD
    ]


def _lowest_seen(balances: Sequence[float]) -> list[float]:
    """What an alarm sees at worst in each minute, from the first in which it exists to the one after the last."""
    return [
        min(balances[max(0, minute - OLD - DATAPOINTS + 1) : minute - OLD + 1])
        for minute in range(FIRST_MINUTE, len(balances) + 1)
    ]


def _alarm(lowest: Sequence[float], threshold: float) -> list[tuple[int, bool]]:
    """Each change with its minute: whether it is on from then on. That it is not on at first is told as well."""
    changes: list[tuple[int, bool]] = []
    for minute, low in enumerate(lowest, FIRST_MINUTE):
        if not changes or (low < threshold) is not changes[-1][1]:
            changes.append((minute, low < threshold))
    return changes


def _zeros(balances: Sequence[float], minute_bytes: float) -> list[tuple[int, int]]:
    """When less than a minute's worth was left, and until when: over after a quarter of an hour above it."""
    zeros: list[tuple[int, int]] = []
    for minute in range(FIRST_MINUTE, len(balances)):
        if balances[minute] < minute_bytes:
            if zeros and minute - zeros[-1][1] < DATAPOINTS:
                zeros[-1] = (zeros[-1][0], minute + 1)
            else:
                zeros.append((minute, minute + 1))
    return zeros


def _warned(changes: Sequence[tuple[int, bool]], zeros: Sequence[tuple[int, int]], useful_minutes: int) -> int:
    """How many zeros an alarm had told of so long before, with a message of this fall, and was still on by then."""
    told = 0
    last_end = -1
    for begin, end in zeros:
        before = [(minute, is_on) for minute, is_on in changes if minute < begin]
        if before and before[-1][1]:
            minute = before[-1][0]
            told += minute > last_end and minute > begin - OLDEST and begin - minute >= useful_minutes
        last_end = end
    return told
