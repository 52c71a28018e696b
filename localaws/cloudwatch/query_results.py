"""What the queries of a GetMetricData request come to."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from localaws.cloudwatch.metric_stat import MetricStat
from localaws.cloudwatch.metrics import MINUTE_SECONDS, STATISTICS, MetricStore
from localaws.cloudwatch.queries import Calculator, Query, StatQuery
from simulation.metric_math import Points, Timeline


@dataclass(frozen=True, slots=True)
class QueryResult:
    """One time series: seconds since 1970 and value of each datapoint, oldest first."""

    id: str
    label: str
    points: tuple[tuple[int, float], ...]

    def reversed(self) -> "QueryResult":
        """The newest point first."""
        return QueryResult(self.id, self.label, self.points[::-1])


def queried(
    queries: Sequence[Query], store: MetricStore, start: datetime, end: datetime, now: datetime
) -> Iterator[QueryResult]:
    """The results of every query that returns data, seen at `now`, of [start, end).

    Filled values end with the range, or now: AWS does not say what it does with the future.
    """
    calculator = Calculator(
        queries,
        lambda period: _timeline(start, min(end, now), period),
        lambda stat, timeline: _aligned(dict(_points(stat, store, start, end, now)), timeline),
    )
    for query in queries:
        if not query.returned:
            continue
        if isinstance(query, StatQuery):
            yield QueryResult(query.id, query.shown_label, tuple(_points(query.stat, store, start, end, now)))
            continue
        timeline, series = calculator.result(query)
        points = zip(timeline.starts, series.points, strict=True)
        yield QueryResult(query.id, query.shown_label, tuple((at, value) for at, value in points if value is not None))


def _points(
    stat: MetricStat, store: MetricStore, start: datetime, end: datetime, now: datetime
) -> Iterator[tuple[int, float]]:
    read = STATISTICS[stat.statistic]
    for point in store.datapoints(stat.metric, start, end, stat.period_seconds, now=now, unit=stat.unit):
        yield point.start, read(point)


def _timeline(start: datetime, end: datetime, period_seconds: int) -> Timeline:
    """Periods begin at the start's own minute, as those of the metrics do."""
    first = int(start.timestamp()) // MINUTE_SECONDS * MINUTE_SECONDS
    return Timeline(first, period_seconds, max(0, ceil((end.timestamp() - first) / period_seconds)))


def _aligned(values: dict[int, float], timeline: Timeline) -> Points:
    return tuple(values.get(start) for start in timeline.starts)
