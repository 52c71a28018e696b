"""What an alarm watches when it is not one metric: a query of several, mostly an expression over the others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from localaws.cloudwatch.metric_stat import MetricStat
from localaws.cloudwatch.metrics import MetricStore
from localaws.cloudwatch.queries import Calculator, MathQuery, Query, StatQuery, requested_queries
from localaws.service_error import ServiceError
from simulation.metric_math import Points, Timeline

MAXIMUM_METRICS = 10


@dataclass(frozen=True, slots=True)
class WatchedQueries:
    """The queries of `Metrics`, the one that is watched, and the period of what it comes to."""

    queries: tuple[Query, ...]
    returned: Query
    period_seconds: int

    @classmethod
    def asked(cls, asked: Sequence[Mapping[str, Any]]) -> Self:
        """From PutMetricAlarm's `Metrics`; ServiceError (ValidationError) says what is wrong with it."""
        queries = requested_queries(asked)
        metrics = sum(isinstance(query, StatQuery) for query in queries)
        if metrics > MAXIMUM_METRICS:
            raise ServiceError(
                "ValidationError", f"{metrics} metrics in an alarm's Metrics; at most {MAXIMUM_METRICS} are allowed."
            )
        returned = [query for query in queries if query.returned]
        if len(returned) != 1:
            raise ServiceError("ValidationError", "Exactly one element of the metrics list should return data.")
        (watched,) = returned
        if isinstance(watched, StatQuery):
            return cls(queries, watched, watched.stat.period_seconds)
        # Nothing is known of the metrics yet, but every mistake in an expression shows over empty ones too.
        empty = Calculator(
            queries, lambda period: Timeline(0, period, 1), lambda _, timeline: (None,) * timeline.periods
        )
        timeline, _ = empty.result(watched)
        return cls(queries, watched, timeline.period_seconds)

    def values(self, store: MetricStore, *, last_period_start: int, periods: int, now_seconds: float) -> Points:
        """The newest periods up to one, oldest first, as an alarm sees them now."""

        def points(stat: MetricStat, _: Timeline) -> Points:
            return stat.values(store, last_period_start=last_period_start, periods=periods, now_seconds=now_seconds)

        first = last_period_start - (periods - 1) * self.period_seconds
        if isinstance(self.returned, StatQuery):
            return points(self.returned.stat, Timeline(first, self.period_seconds, periods))
        calculator = Calculator(self.queries, lambda period: Timeline(first, period, periods), points)
        _, series = calculator.result(self.returned)
        return series.points


def described_query(query: Query) -> dict[str, Any]:
    """A query in the API's own words; what was never set is absent."""
    told: dict[str, Any] = {"Id": query.id}
    match query:
        case StatQuery(stat=stat):
            metric = {
                "Namespace": stat.metric.namespace,
                "MetricName": stat.metric.name,
                "Dimensions": [{"Name": name, "Value": value} for name, value in stat.dimensions],
            }
            unit = {} if stat.unit is None else {"Unit": stat.unit}
            told["MetricStat"] = {"Metric": metric, "Period": stat.period_seconds, "Stat": stat.statistic, **unit}
        case MathQuery(expression=expression, period_seconds=period_seconds):
            told["Expression"] = expression
            if period_seconds is not None:
                told["Period"] = period_seconds
    if query.label is not None:
        told["Label"] = query.label
    return {**told, "ReturnData": query.returned}
