"""One metric seen through one statistic, as queries ask for it and alarms watch it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from localaws.cloudwatch.metrics import STATISTICS, MetricId, MetricStore
from localaws.service_error import ServiceError


@dataclass(frozen=True, slots=True)
class MetricStat:
    """A metric, its statistic and the period; `dimensions` keeps the order they were given in."""

    metric: MetricId
    dimensions: tuple[tuple[str, str], ...]
    statistic: str
    period_seconds: int
    unit: str | None = None

    @classmethod
    def asked(cls, stat: Mapping[str, Any]) -> Self:
        """From what the API calls a MetricStat; ServiceError for a statistic or period the sandbox does not do."""
        metric, period = stat["Metric"], int(stat["Period"])
        if period < 60 or period % 60:
            raise ServiceError(
                "ValidationError", f"Period is {period}; the sandbox's CloudWatch does multiples of 60 seconds."
            )
        if stat["Stat"] not in STATISTICS:
            raise ServiceError(
                "ValidationError", f"Stat is {stat['Stat']!r}; the sandbox's CloudWatch does {', '.join(STATISTICS)}."
            )
        dimensions = tuple((one["Name"], one["Value"]) for one in metric.get("Dimensions") or ())
        identity = MetricId(metric["Namespace"], metric["MetricName"], frozenset(dimensions))
        return cls(identity, dimensions, stat["Stat"], period, stat.get("Unit"))

    def values(
        self, store: MetricStore, *, last_period_start: int, periods: int, now_seconds: float
    ) -> tuple[float | None, ...]:
        """The newest periods up to one, oldest first, as an alarm sees them now."""
        return store.values(
            self.metric,
            self.statistic,
            self.unit,
            last_period_start=last_period_start,
            period_seconds=self.period_seconds,
            periods=periods,
            now_seconds=now_seconds,
        )
