"""In which throughput mode a file system was, by its metrics: CloudWatch keeps no mode, but each shows its rates."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from efs_monitor.efs.credits import (
    GIB,
    LOWEST_REGIONAL_CAP_BYTES_PER_SECOND,
    baseline_bytes_per_second,
    burst_bytes_per_second,
)
from efs_monitor.efs.file_system import FileSystem, ThroughputMode

# A rate that is just being changed tells of no mode.
SHORTEST_MINUTES = 30
# EFS meters a size about hourly, and the rate follows: for so long a rate may be that of another size.
METERED_WITHIN_MINUTES = 90
TOLERANCE = 0.02
LOWEST_ELASTIC_BYTES_PER_SECOND = 1 * GIB
# A file system that grows shows the rate of its size some time later, or earlier.
GROWTH = 1.25


@dataclass(frozen=True, kw_only=True)
class ModeSpan:
    """Minutes from `begin` to before `end` in which the file system did not burst."""

    begin: int
    end: int
    mode: ThroughputMode
    bytes_per_second: int


def other_modes(
    balances: Sequence[float | None],
    permitted: Sequence[float | None],
    sizes: Sequence[tuple[int, FileSystem]],
) -> list[ModeSpan]:
    """Where bursting cannot have shown these rates, for half an hour or more.

    Without a balance it is elastic; with one, provisioned at the rate that is permitted. Provisioned at a rate that
    bursting shows as well is taken for bursting: nothing tells them apart. Neither does a balance that is missing at a
    rate that there is with a balance, too: it was lost. Only a file system that is told to be elastic now has been so
    since its last balance, whatever the rate.
    """
    found: list[ModeSpan] = []
    begin: int | None = None
    absent = 0
    judged: dict[tuple[float, tuple[int, ...]], bool] = {}
    starts = [minute for minute, _ in sizes]
    is_elastic = _elastic_minutes(balances, permitted, sizes)
    for minute, rate in enumerate(permitted):
        if rate is None:
            continue
        absent = absent + 1 if is_elastic[minute] else 0
        key = rate, _sizes_about(sizes, starts, minute)
        if key not in judged:
            judged[key] = not any(bursts(rate, size) for size in key[1])
        if judged[key] or absent >= SHORTEST_MINUTES:
            if begin is None:
                begin = minute - max(absent - 1, 0) if absent >= SHORTEST_MINUTES else minute
        elif begin is not None:
            if minute - begin >= SHORTEST_MINUTES:
                found += _spans(is_elastic, permitted, begin, minute)
            begin = None
    if begin is not None and len(permitted) - begin >= SHORTEST_MINUTES:
        found += _spans(is_elastic, permitted, begin, len(permitted))
    return found


def provisioned_since(permitted: Sequence[float | None], bytes_per_second: int) -> int | None:
    """The minute since which nothing but the rate that is provisioned now was permitted; None within half an hour.

    It need not be since then that it is provisioned: bursting may show the same rate.
    """
    since, known = len(permitted), 0
    for minute in reversed(range(len(permitted))):
        rate = permitted[minute]
        if rate is None:
            continue
        if not is_about(rate, bytes_per_second):
            break
        since, known = minute, known + 1
    return since if known >= SHORTEST_MINUTES else None


def is_about(rate: float, bytes_per_second: float) -> bool:
    """Whether a rate is this one, but for what is rounded."""
    return abs(rate - bytes_per_second) <= TOLERANCE * bytes_per_second


def bursts(rate: float, standard_bytes: int) -> bool:
    """Whether bursting can show this rate: the burst rate of about this size, a Region's cap on it, or the baseline."""
    smaller, larger = round(standard_bytes / GROWTH), round(standard_bytes * GROWTH)
    low, high = 1 - TOLERANCE, 1 + TOLERANCE
    most = burst_bytes_per_second(larger) * high
    return (
        burst_bytes_per_second(smaller) * low <= rate <= most
        or baseline_bytes_per_second(smaller) * low <= rate <= baseline_bytes_per_second(larger) * high
        or LOWEST_REGIONAL_CAP_BYTES_PER_SECOND * low <= rate <= most
    )


def _sizes_about(sizes: Sequence[tuple[int, FileSystem]], starts: Sequence[int], minute: int) -> tuple[int, ...]:
    """The sizes, in bytes, of which one may be metered at a minute; `starts` is since when each of them is known."""
    first = bisect_right(starts, minute - METERED_WITHIN_MINUTES) - 1
    last = bisect_right(starts, minute + METERED_WITHIN_MINUTES)
    return tuple(dict.fromkeys(one.standard_bytes for _, one in sizes[max(first, 0) : last]))


def _elastic_minutes(
    balances: Sequence[float | None],
    permitted: Sequence[float | None],
    sizes: Sequence[tuple[int, FileSystem]],
) -> list[bool]:
    """In which minutes the balance is missing because there was none, and not because it was lost."""
    starts = [minute for minute, _ in sizes]
    with_balance = sorted(
        {rate for balance, rate in zip(balances, permitted, strict=True) if balance is not None and rate is not None}
    )
    told_since = len(balances)
    if sizes[-1][1].mode is ThroughputMode.ELASTIC:
        while told_since and balances[told_since - 1] is None:
            told_since -= 1
    judged: dict[tuple[float, tuple[int, ...]], bool] = {}
    found = []
    for minute, (balance, rate) in enumerate(zip(balances, permitted, strict=True)):
        if balance is not None or rate is None or minute >= told_since:
            found.append(balance is None and rate is not None)
            continue
        key = rate, _sizes_about(sizes, starts, minute)
        if key not in judged:
            judged[key] = not _is_there_with_balance(rate, key[1], with_balance)
        found.append(judged[key])
    return found


def _is_there_with_balance(rate: float, sizes: Sequence[int], with_balance: Sequence[float]) -> bool:
    """Whether a rate is one that came with a balance, or would in bursting mode at one of these sizes.

    Elastic permits 1 GiB/s and more: from there on, only the burst rate and the baseline themselves are bursting's.
    """
    nearest = bisect_right(with_balance, rate)
    if any(is_about(rate, one) for one in with_balance[max(nearest - 1, 0) : nearest + 1]):
        return True
    if rate < LOWEST_ELASTIC_BYTES_PER_SECOND * (1 - TOLERANCE):
        return any(bursts(rate, size) for size in sizes)
    return any(
        is_about(rate, one(size)) for size in sizes for one in (burst_bytes_per_second, baseline_bytes_per_second)
    )


def _spans(is_elastic: Sequence[bool], permitted: Sequence[float | None], begin: int, end: int) -> Iterator[ModeSpan]:
    """The spans of one mode and rate each, in order: a balance that comes or goes for good divides two, and so does
    another provisioned rate. Minutes of which nothing is known belong to the span that they lie in.
    """
    shown = [
        (minute, "elastic" if is_elastic[minute] else permitted[minute])
        for minute in range(begin, end)
        if permitted[minute] is not None
    ]
    since, last = begin, None
    for what, run in groupby(shown, key=lambda one: one[1]):
        minutes = [minute for minute, _ in run]
        if len(minutes) < SHORTEST_MINUTES or what == last:
            continue
        if last is not None:
            yield _span(is_elastic, permitted, since, minutes[0])
            since = minutes[0]
        last = what
    yield _span(is_elastic, permitted, since, end)


def _span(is_elastic: Sequence[bool], permitted: Sequence[float | None], begin: int, end: int) -> ModeSpan:
    rates = sorted(rate for rate in permitted[begin:end] if rate is not None)
    elastic = sum(is_elastic[begin:end]) > len(rates) / 2
    return ModeSpan(
        begin=begin,
        end=end,
        mode=ThroughputMode.ELASTIC if elastic else ThroughputMode.PROVISIONED,
        bytes_per_second=0 if elastic else round(rates[len(rates) // 2]),
    )
