"""Which of the recorded datapoints cannot be what CloudWatch told: they are left out, with a remark."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import isfinite

from efs_monitor.efs.credits import GIB, MIB

from operate.history.recorded import PERMITTED, STANDARD_SIZE, HistoryRefused, RecordedPoint

HOUR_SECONDS = 3600
# What no file system has: a thousand times the largest bucket that any customer could fill, and a clock that is ahead.
HIGHEST_VALUE = 1e18
AHEAD = timedelta(hours=1)
# The least that a balance of bytes ever shows above zero over hours, and the least that EFS permits at all: what stays
# below is another unit (GiB, MiB/s) under the name of the metric.
SMALLEST_BALANCE_BYTES, SMALLEST_PERMITTED = MIB, MIB / 2
# Twice what elastic throughput reads at most (EFS quotas).
HIGHEST_PERMITTED = 120 * GIB
# What EFS meters of a file system in which nothing lies.
SMALLEST_SIZE_BYTES = 6 * 1024
# A rate is kept to only about. So few sizes in a row, of a quarter of an hour each, are no size that stays.
MUCH_FASTER, FEW_SIZES = 1.5, 8


@dataclass(kw_only=True)
class OutOfTime:
    """The times at which nothing can have been recorded, of all metrics of a source: one clock or one unit makes them
    wrong in each, and they are told once.
    """

    now: datetime
    future: list[float] = field(default_factory=list)
    before_1970: list[float] = field(default_factory=list)

    @property
    def latest(self) -> float:
        """What is later, in seconds since 1970, is of the future."""
        return (self.now + AHEAD).timestamp()

    @property
    def remarks(self) -> list[str]:
        """A sentence for each of the two kinds that there is."""
        found = []
        if self.future:
            found.append(
                f"{counted_points(len(self.future))} left out: of the future ({self._first_and_now(min(self.future))})"
            )
        if self.before_1970:
            found.append(
                f"{counted_points(len(self.before_1970))} left out: of before 1970 (the first "
                f"{_shown_time(min(self.before_1970))})"
            )
        return found

    def refuse_if_all_is_to_come(self, points: Mapping[tuple[str, str], Iterable[RecordedPoint]], source: str) -> None:
        """HistoryRefused where no datapoint has a time that has been."""
        latest = self.latest
        if any(not point.seconds > latest for found in points.values() for point in found):
            return
        first = min((point.seconds for found in points.values() for point in found), default=None)
        if first is not None:
            raise HistoryRefused(
                f"All times of {source} are in the future ({self._first_and_now(first)}): give an export of what has "
                "been, or set the clock right"
            )

    def _first_and_now(self, first: float) -> str:
        return f"the first {_shown_time(first)}; it is now {_shown_time(self.now.timestamp())}"


def plausible(
    key: tuple[str, str], found: Iterable[RecordedPoint], out_of_time: OutOfTime, remarks: list[str]
) -> list[RecordedPoint]:
    """The points that a metric can have, a period once, in order; for the rest one remark, or in `out_of_time`."""
    kept: dict[int, RecordedPoint] = {}
    absurd = twice = 0
    latest = out_of_time.latest
    for point in found:
        seconds, value, _ = point
        if 0 <= value <= HIGHEST_VALUE and 0 <= seconds <= latest:
            minute = int(seconds // 60)
            before = kept.get(minute)
            if before is not None and before.value != value:
                twice += 1
                # The lower balance warns, and of a counter nothing is counted twice.
                point = min(before, point, key=lambda one: one.value)  # noqa: PLW2901 - of two points of a minute one is kept
            kept[minute] = point
        elif not 0 <= value <= HIGHEST_VALUE or not isfinite(seconds):
            absurd += 1
        elif seconds > latest:
            out_of_time.future.append(seconds)
        else:
            out_of_time.before_1970.append(seconds)
    metric = f"{key[0]} ({key[1]})"
    if absurd:
        remarks.append(f"{counted_points(absurd)} of {metric} left out: no amount that a metric can have")
    if twice:
        remarks.append(f"{counted_points(twice)} of {metric} came twice with different values: the lower one counts")
    return [kept[minute] for minute in sorted(kept)]


def drop_impossible_rates(
    balances: list[RecordedPoint], points: dict[tuple[str, str], list[RecordedPoint]], remarks: list[str]
) -> None:
    """Leave out rates that EFS never gives, with a remark for each kind.

    HistoryRefused where the balances are not in bytes: of those nothing can be said.
    """
    highest = max((point.value for point in balances), default=0.0)
    if 0 < highest < SMALLEST_BALANCE_BYTES:
        raise HistoryRefused(
            f"BurstCreditBalance is never above {highest:,.0f}: that is no balance in bytes, which CloudWatch tells. "
            "Export it in bytes"
        )
    permitted = [point for point in points.get(PERMITTED, []) if point.value]
    if PERMITTED in points and len(permitted) < len(points[PERMITTED]):
        remarks.append(
            f"{counted_points(len(points[PERMITTED]) - len(permitted))} of PermittedThroughput left out: 0, which EFS "
            "never permits"
        )
        points[PERMITTED] = permitted
    possible = [point for point in permitted if point.value <= HIGHEST_PERMITTED]
    if len(possible) < len(permitted):
        remarks.append(
            f"{counted_points(len(permitted) - len(possible))} of PermittedThroughput left out: more than the "
            f"{HIGHEST_PERMITTED / GIB:,.0f} GiB/s that EFS gives in any mode"
        )
        points[PERMITTED] = permitted = possible
    if permitted and max(point.value for point in permitted) < SMALLEST_PERMITTED:
        remarks.append(
            f"PermittedThroughput is never above {max(point.value for point in permitted):,.0f}: that is no rate in "
            "bytes per second, so it is left out"
        )
        points[PERMITTED] = []


def drop_impossible_sizes(points: dict[tuple[str, str], list[RecordedPoint]], remarks: list[str]) -> None:
    """Leave out sizes that are not in bytes, or that nobody can have written, with a remark."""
    highest = max((point.value for point in points.get(STANDARD_SIZE, [])), default=SMALLEST_SIZE_BYTES)
    if highest < SMALLEST_SIZE_BYTES:
        remarks.append(
            f"StorageBytes is never above {highest:,.0f}: that is no size in bytes, which CloudWatch tells, so it is "
            "left out"
        )
        del points[STANDARD_SIZE]
        return
    sizes = points.get(STANDARD_SIZE, [])
    kept = _grown(sizes, max((point.value for point in points.get(PERMITTED, [])), default=HIGHEST_PERMITTED))
    if len(kept) < len(sizes):
        remarks.append(
            f"{counted_points(len(sizes) - len(kept))} of StorageBytes left out: less than EFS meters of any file "
            "system, or more than could have been written since the one before"
        )
        points[STANDARD_SIZE] = kept


def _grown(sizes: list[RecordedPoint], permitted: float) -> list[RecordedPoint]:
    """The sizes without those to which nothing can have been written, at the highest rate there was; one that stays is
    believed.
    """
    possible = [point for point in sizes if point.value >= SMALLEST_SIZE_BYTES]

    def fits(before: RecordedPoint, after: RecordedPoint) -> bool:
        seconds = after.seconds - before.seconds + HOUR_SECONDS
        return after.value - before.value <= MUCH_FASTER * permitted * seconds

    kept = possible[:1]
    for number, point in enumerate(possible[1:], 1):
        following = possible[number + 1 : number + 1 + FEW_SIZES]
        stays = len(following) == FEW_SIZES and not any(fits(kept[-1], later) for later in following)
        if fits(kept[-1], point) or stays:
            kept.append(point)
    # The first may be the wrong one: nothing else falls so far at once, and never comes back.
    while len(kept) > FEW_SIZES and not fits(kept[1], kept[0]):
        kept.pop(0)
    return kept


def _shown_time(seconds: float) -> str:
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC"
    except (OverflowError, OSError, ValueError):
        # No calendar has it.
        return f"{abs(seconds):g} seconds {'after' if seconds > 0 else 'before'} 1970"


def counted_points(number: int) -> str:
    """How many datapoints, in words."""
    return f"{number:,} {'datapoint' if number == 1 else 'datapoints'}"
