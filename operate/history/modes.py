"""In which throughput mode a file system was, by its metrics: CloudWatch keeps no mode, but each shows its rates."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from efs_monitor.efs.credits import (
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
# A file system that grows shows the rate of its size some time later, or earlier.
GROWTH = 1.25


@dataclass(frozen=True, kw_only=True)
class OtherMode:
    """Minutes from `begin` to before `end` in which the file system did not burst."""

    begin: int
    end: int
    mode: ThroughputMode
    bytes_per_second: int


def other_modes(
    balances: Sequence[float | None],
    permitted: Sequence[float | None],
    sizes: Sequence[tuple[int, FileSystem]],
) -> list[OtherMode]:
    """Where bursting cannot have shown these rates, for half an hour or more.

    Without a balance it is elastic; with one, provisioned at the rate that is permitted. Provisioned at a rate that
    bursting shows as well is taken for bursting: nothing tells them apart.
    """
    found: list[OtherMode] = []
    begin: int | None = None
    absent = 0
    judged: dict[tuple[float, tuple[int, ...]], bool] = {}
    starts = [minute for minute, _ in sizes]
    for minute, rate in enumerate(permitted):
        if rate is None:
            continue
        absent = absent + 1 if balances[minute] is None else 0
        first = bisect_right(starts, minute - METERED_WITHIN_MINUTES) - 1
        last = bisect_right(starts, minute + METERED_WITHIN_MINUTES)
        key = rate, tuple(dict.fromkeys(one.standard_bytes for _, one in sizes[max(first, 0) : last]))
        if key not in judged:
            judged[key] = not any(_bursts(rate, size) for size in key[1])
        if judged[key] or absent >= SHORTEST_MINUTES:
            if begin is None:
                begin = minute - max(absent - 1, 0) if absent >= SHORTEST_MINUTES else minute
        elif begin is not None:
            if minute - begin >= SHORTEST_MINUTES:
                found += _spans(balances, permitted, begin, minute)
            begin = None
    if begin is not None and len(permitted) - begin >= SHORTEST_MINUTES:
        found += _spans(balances, permitted, begin, len(permitted))
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


def _bursts(rate: float, standard_bytes: int) -> bool:
    """Whether bursting can show this rate: the burst rate of about this size, a Region's cap on it, or the baseline."""
    smaller, larger = round(standard_bytes / GROWTH), round(standard_bytes * GROWTH)
    low, high = 1 - TOLERANCE, 1 + TOLERANCE
    most = burst_bytes_per_second(larger) * high
    return (
        burst_bytes_per_second(smaller) * low <= rate <= most
        or baseline_bytes_per_second(smaller) * low <= rate <= baseline_bytes_per_second(larger) * high
        or LOWEST_REGIONAL_CAP_BYTES_PER_SECOND * low <= rate <= most
    )


def _spans(
    balances: Sequence[float | None], permitted: Sequence[float | None], begin: int, end: int
) -> Iterator[OtherMode]:
    """One mode may follow another: a balance comes or goes for good between them, or the rate that is provisioned
    changes. What nothing is known of belongs to what it lies in.
    """
    shown = [
        (minute, "elastic" if balances[minute] is None else permitted[minute])
        for minute in range(begin, end)
        if permitted[minute] is not None
    ]
    since, last = begin, None
    for what, run in groupby(shown, key=lambda one: one[1]):
        minutes = [minute for minute, _ in run]
        if len(minutes) < SHORTEST_MINUTES or what == last:
            continue
        if last is not None:
            yield _span(balances, permitted, since, minutes[0])
            since = minutes[0]
        last = what
    yield _span(balances, permitted, since, end)


def _span(balances: Sequence[float | None], permitted: Sequence[float | None], begin: int, end: int) -> OtherMode:
    rates = sorted(rate for rate in permitted[begin:end] if rate is not None)
    known = sum(1 for one in balances[begin:end] if one is not None)
    elastic = known < len(rates) / 2
    return OtherMode(
        begin=begin,
        end=end,
        mode=ThroughputMode.ELASTIC if elastic else ThroughputMode.PROVISIONED,
        bytes_per_second=0 if elastic else round(rates[len(rates) // 2]),
    )
