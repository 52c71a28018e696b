"""The queries of GetMetricData and of metric-math alarms: metrics, and expressions over them."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from localaws.cloudwatch.metric_stat import MetricStat
from localaws.service_error import ServiceError
from simulation.metric_math import Evaluator, MetricMathError, Points, Series, Timeline, names

_ID = re.compile(r"[a-z][a-zA-Z0-9_]*")


@dataclass(frozen=True, slots=True)
class StatQuery:
    id: str
    stat: MetricStat
    label: str | None
    returned: bool

    @property
    def shown_label(self) -> str:
        return self.label or self.stat.metric.name


@dataclass(frozen=True, slots=True)
class MathQuery:
    """`period_seconds` is told again as it was given: an expression has the period of its metrics."""

    id: str
    expression: str
    label: str | None
    returned: bool
    period_seconds: int | None

    @property
    def shown_label(self) -> str:
        return self.label or self.id


type Query = StatQuery | MathQuery


def requested_queries(asked: Sequence[Mapping[str, Any]]) -> tuple[Query, ...]:
    """The queries of a request; ServiceError (ValidationError) names the one that is wrong, and why."""
    found = tuple(_requested(one) for one in asked)
    ids = [query.id for query in found]
    for one in ids:
        if ids.count(one) > 1:
            raise ServiceError("ValidationError", f"The Id {one!r} is given to more than one query.")
    return found


def _requested(asked: Mapping[str, Any]) -> Query:
    name, expression, stat = asked["Id"], asked.get("Expression"), asked.get("MetricStat")
    if not _ID.fullmatch(name):
        raise ServiceError(
            "ValidationError",
            f"The Id {name!r} must begin with a lowercase letter and have letters, digits and underscores only.",
        )
    if (expression is None) == (stat is None):
        raise ServiceError("ValidationError", f"The query {name!r} must have either MetricStat or Expression.")
    label, returned = asked.get("Label"), asked.get("ReturnData") is not False
    if stat is not None:
        return StatQuery(name, MetricStat.asked(stat), label, returned)
    return MathQuery(name, str(expression), label, returned, asked.get("Period"))


class Calculator:
    """Works out the expressions of one request.

    Differs from AWS: the metrics of one expression must have one period.
    """

    def __init__(
        self,
        queries: Sequence[Query],
        timeline_of: Callable[[int], Timeline],
        points_of: Callable[[MetricStat, Timeline], Points],
    ) -> None:
        self._queries = {query.id: query for query in queries}
        self._timeline_of = timeline_of
        self._points_of = points_of
        self._evaluators: dict[int, tuple[Timeline, Evaluator]] = {}

    def result(self, query: MathQuery) -> tuple[Timeline, Series]:
        """The time series that an expression comes to; ServiceError (ValidationError) says what is wrong with it."""
        try:
            timeline, evaluator = self._evaluator(self._period_seconds(query))
            return timeline, evaluator.result(query.id)
        except MetricMathError as error:
            raise ServiceError("ValidationError", f"Error in expression {query.id!r}: {error}") from error

    def _period_seconds(self, query: MathQuery) -> int:
        periods = {metric.stat.period_seconds for metric in self._metrics_behind(query, set())}
        if len(periods) > 1:
            listed = " and ".join(map(str, sorted(periods)))
            raise MetricMathError(f"the sandbox's CloudWatch does metrics of one period in an expression, not {listed}")
        # Without a metric it comes to no time series, whatever the period, and is refused for that.
        return next(iter(periods), 60)

    def _metrics_behind(self, query: MathQuery, seen: set[str]) -> Iterator[StatQuery]:
        for name in names(query.expression):
            match self._queries.get(name):
                case StatQuery() as metric:
                    yield metric
                case MathQuery() as other if name not in seen:
                    seen.add(name)
                    yield from self._metrics_behind(other, seen)

    def _evaluator(self, period_seconds: int) -> tuple[Timeline, Evaluator]:
        if period_seconds not in self._evaluators:
            timeline = self._timeline_of(period_seconds)
            metrics = {
                one.id: Series(self._points_of(one.stat, timeline))
                for one in self._queries.values()
                if isinstance(one, StatQuery) and one.stat.period_seconds == period_seconds
            }
            expressions = {one.id: one.expression for one in self._queries.values() if isinstance(one, MathQuery)}
            self._evaluators[period_seconds] = timeline, Evaluator(timeline, metrics, expressions)
        return self._evaluators[period_seconds]
