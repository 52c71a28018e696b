"""The metrics of one file system, a value a minute, as CloudWatch has them some minutes later."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import cast

MINUTE = timedelta(minutes=1)

type Values = list[float | None]

FOLDS: dict[str, Callable[[Sequence[float]], float]] = {
    "Minimum": min,
    "Maximum": max,
    "Sum": sum,
    "SampleCount": sum,
}
# What is kept of each metric: all that the monitor asks for. EFS has more statistics.
KEPT = (
    ("BurstCreditBalance", "Minimum"),
    ("PermittedThroughput", "Minimum"),
    ("PermittedThroughput", "Maximum"),
    ("MeteredIOBytes", "Sum"),
    ("DataReadIOBytes", "Sum"),
    ("DataWriteIOBytes", "Sum"),
    ("MetadataIOBytes", "Sum"),
    ("DataReadIOBytes", "SampleCount"),
    ("DataWriteIOBytes", "SampleCount"),
    ("MetadataIOBytes", "SampleCount"),
)


@dataclass(slots=True)
class Metrics:
    """Every minute since `start`. `newest` is the index of the last minute that can be seen by now, -1 for none."""

    start: datetime
    values: dict[tuple[str, str], Values] = field(default_factory=lambda: {key: [] for key in KEPT})
    newest: int = -1
    _bins: dict[tuple[str, str, int], Values] = field(default_factory=dict)
    _times: list[datetime] = field(default_factory=list)

    def index(self, time: datetime) -> int:
        """The minute that begins then, or in which it lies."""
        return (time - self.start) // MINUTE

    def time(self, index: int) -> datetime:
        """When the minute begins."""
        if index < 0:
            return self.start + index * MINUTE
        while len(self._times) <= index:
            self._times.append(self.start + len(self._times) * MINUTE)
        return self._times[index]

    def times(self, indexes: Sequence[int]) -> list[datetime]:
        """When each of these minutes begins, none of which is before the first; they are in their order."""
        if not indexes:
            return []
        self.time(indexes[-1])
        times = self._times
        if isinstance(indexes, range):
            return times[indexes.start : indexes.stop : indexes.step]
        return [times[index] for index in indexes]

    def read(
        self, metric: str, statistic: str, period: int, first: int, end: int
    ) -> tuple[Sequence[int], Sequence[float]]:
        """What can be seen of the minutes from `first` to before `end`, in bins of `period` minutes from `first` on: in
        which minute each begins, and its value.

        Raises LookupError for a statistic that is not kept.
        """
        minutes = self.values[metric, statistic]
        last = min(end, self.newest + 1)
        if first % period:
            raise LookupError(f"bins of {period} minutes that begin at minute {first} are not CloudWatch's own")
        begin, until = max(first, 0), last // period * period
        if period == 1:
            values = minutes[begin:until]
        else:
            values = self._whole_bins(metric, statistic, period)[begin // period : until // period]
            rest = [one for one in minutes[max(until, begin) : last] if one is not None]
            if rest:
                values.append(FOLDS[statistic](rest))
        starts = range(begin, begin + len(values) * period, period)
        if None not in values:
            return starts, cast("list[float]", values)
        known = [start for start, one in zip(starts, values, strict=True) if one is not None]
        return known, [one for one in values if one is not None]

    def _whole_bins(self, metric: str, statistic: str, period: int) -> Values:
        bins = self._bins.setdefault((metric, statistic, period), [])
        minutes, fold = self.values[metric, statistic], FOLDS[statistic]
        while (len(bins) + 1) * period <= self.newest + 1:
            there = [one for one in minutes[len(bins) * period : (len(bins) + 1) * period] if one is not None]
            bins.append(fold(there) if there else None)
        return bins
