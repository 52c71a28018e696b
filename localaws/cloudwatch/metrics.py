"""CloudWatch's metric store: one-minute bins, and points that become visible later than they were measured."""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import NamedTuple, Self

MINUTE_SECONDS = 60

ONE_MINUTE_RETENTION = timedelta(days=15)
"""After 15 days CloudWatch has only five-minute points left: periods under 300 s then find nothing."""


@dataclass(frozen=True, slots=True)
class MetricId:
    """What makes a metric one metric: a further dimension makes it a different one."""

    namespace: str
    name: str
    dimensions: frozenset[tuple[str, str]] = frozenset()

    @classmethod
    def of(cls, namespace: str, name: str, **dimensions: str) -> Self:
        return cls(namespace, name, frozenset(dimensions.items()))


class Sample(NamedTuple):
    """What was reported for one minute, in the metric's own unit; `visible_at` is in seconds since 1970."""

    minimum: float
    maximum: float
    sum: float
    sample_count: float
    unit: str
    visible_at: float


class Datapoint(NamedTuple):
    """One period's worth of samples; `start` is in seconds since 1970."""

    start: int
    minimum: float
    maximum: float
    sum: float
    sample_count: float
    unit: str


STATISTICS: dict[str, Callable[[Sample | Datapoint], float]] = {
    "Minimum": lambda one: one.minimum,
    "Maximum": lambda one: one.maximum,
    "Average": lambda one: one.sum / one.sample_count,
    "Sum": lambda one: one.sum,
    "SampleCount": lambda one: one.sample_count,
}


class MetricStore:
    """Every metric of the account, written by simulators, by PutMetricData and by metrics embedded in logs."""

    def __init__(self) -> None:
        self._minutes_of: dict[MetricId, dict[int, tuple[Sample, ...]]] = {}
        self._lock = threading.Lock()

    def record(
        self,
        metric: MetricId,
        when: datetime,
        value: float,
        *,
        unit: str = "None",
        late: timedelta = timedelta(),
    ) -> None:
        """Report one value, which nobody can see before `when` + `late`."""
        seconds = when.timestamp()
        visible_at = seconds + late.total_seconds()
        self.record_sample(metric, when, Sample(value, value, value, 1.0, unit, visible_at))

    def record_sample(self, metric: MetricId, when: datetime, sample: Sample) -> None:
        """Report a whole statistic set for the minute that contains `when`."""
        minute = int(when.timestamp()) // MINUTE_SECONDS
        with self._lock:
            minutes = self._minutes_of.setdefault(metric, {})
            earlier = minutes.get(minute)
            minutes[minute] = (sample,) if earlier is None else (*earlier, sample)

    def datapoints(
        self,
        metric: MetricId,
        start: datetime,
        end: datetime,
        period_seconds: int,
        *,
        now: datetime,
        unit: str | None = None,
    ) -> list[Datapoint]:
        """What a query at `now` sees of [start, end), oldest first; periods begin at `start`'s own minute."""
        minutes = self._minutes_of.get(metric)
        if not minutes:
            return []
        now_seconds = now.timestamp()
        first_minute = int(start.timestamp()) // MINUTE_SECONDS
        end_minute = ceil(end.timestamp() / MINUTE_SECONDS)
        oldest_minute = (now_seconds - ONE_MINUTE_RETENTION.total_seconds()) / MINUTE_SECONDS
        period_minutes = period_seconds // MINUTE_SECONDS
        found: list[Datapoint] = []
        for period_start in _period_starts(minutes, first_minute, end_minute, period_minutes):
            if period_seconds < 300 and period_start < oldest_minute:
                continue
            samples = [
                sample
                for minute in range(period_start, min(period_start + period_minutes, end_minute))
                for sample in minutes.get(minute, ())
                if sample.visible_at <= now_seconds and (unit is None or sample.unit == unit)
            ]
            if samples:
                found.append(_merged(period_start * MINUTE_SECONDS, samples))
        return found

    def values(
        self,
        metric: MetricId,
        statistic: str,
        unit: str | None,
        *,
        last_period_start: int,
        period_seconds: int,
        periods: int,
        now_seconds: float,
    ) -> tuple[float | None, ...]:
        """The newest `periods` values, oldest first, None where nothing is visible: an alarm's view.

        Times are in seconds since 1970; `last_period_start` is a multiple of the period.
        """
        minutes = self._minutes_of.get(metric)
        if not minutes:
            return (None,) * periods
        read = STATISTICS[statistic]
        period_minutes = period_seconds // MINUTE_SECONDS
        last = last_period_start // MINUTE_SECONDS
        found: list[float | None] = []
        for start in range(last - (periods - 1) * period_minutes, last + 1, period_minutes):
            samples = [
                sample
                for minute in range(start, start + period_minutes)
                for sample in minutes.get(minute, ())
                if sample.visible_at <= now_seconds and (unit is None or sample.unit == unit)
            ]
            # One sample a period is the common case, for every alarm and every minute.
            found.append(read(samples[0] if len(samples) == 1 else _merged(start, samples)) if samples else None)
        return tuple(found)

    def clear(self) -> None:
        """Forget every metric, as in a new account."""
        with self._lock:
            self._minutes_of.clear()

    def visible_metrics(self, now: datetime) -> Iterator[MetricId]:
        """Every metric with at least one point that can be seen by now, in a fixed order."""
        now_seconds = now.timestamp()
        for metric in sorted(self._minutes_of, key=lambda one: (one.namespace, one.name, sorted(one.dimensions))):
            samples = (sample for minute in list(self._minutes_of[metric].values()) for sample in minute)
            if any(sample.visible_at <= now_seconds for sample in samples):
                yield metric


def _period_starts(minutes: dict[int, tuple[Sample, ...]], first: int, end: int, period_minutes: int) -> Iterable[int]:
    """Every period of the range, or only those that hold data where the range is mostly empty."""
    wanted = range(first, end, period_minutes)
    if len(wanted) * period_minutes <= 2 * len(minutes):
        return wanted
    occupied = {
        first + (minute - first) // period_minutes * period_minutes for minute in list(minutes) if first <= minute < end
    }
    return sorted(occupied)


def _merged(start: int, samples: list[Sample]) -> Datapoint:
    if len(samples) == 1:
        only = samples[0]
        return Datapoint(start, only.minimum, only.maximum, only.sum, only.sample_count, only.unit)
    minima, maxima, sums, counts, units, _ = zip(*samples, strict=True)
    return Datapoint(start, min(minima), max(maxima), sum(sums), sum(counts), units[0])


def at(seconds: float) -> datetime:
    """The datetime of seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC)
