"""The CloudWatch calls about metrics: put, and the two ways to read."""

from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

from moto.core.responses import ActionResult

from localaws.cloudwatch.metrics import STATISTICS, Datapoint, MetricId, MetricStore, Sample, at
from localaws.cloudwatch.queries import requested_queries
from localaws.cloudwatch.query_results import queried
from localaws.pagination import page
from localaws.quotas import LATELY
from localaws.service_error import ServiceError

MAXIMUM_DATA = 1_000
LARGEST_VALUE = 2.0**360
"""https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_MetricDatum.html"""
MAXIMUM_QUERIES = 500
MAXIMUM_DATAPOINTS = 100_800
MAXIMUM_STATISTICS_DATAPOINTS = 1_440
OLDEST_PUT = timedelta(days=14)
NEWEST_PUT = timedelta(hours=2)


class MetricApi:
    """A part of the CloudWatch endpoint; `metrics` and `now` come with the class that is put together."""

    metrics: MetricStore
    params: dict[str, Any]

    def put_metric_data(self) -> ActionResult:
        if self.params.get("EntityMetricData"):
            raise ServiceError("ValidationError", "The sandbox's CloudWatch does not do EntityMetricData.")
        namespace, now = self.params["Namespace"], _now()
        if namespace.startswith("AWS/"):
            raise ServiceError("InvalidParameterValue", f"The namespace {namespace!r} is reserved: AWS/ is AWS's own.")
        data = self.params.get("MetricData") or ()
        if len(data) > MAXIMUM_DATA:
            told = f"The collection MetricData must not have a size greater than {MAXIMUM_DATA}."
            raise ServiceError("InvalidParameterValue", told)
        for number, datum in enumerate(data, start=1):
            _check_value(datum.get("Value"), f"MetricData.member.{number}.Value")
            when = _utc(datum["Timestamp"]) if datum.get("Timestamp") else now
            if not now - OLDEST_PUT <= when <= now + NEWEST_PUT:
                raise ServiceError(
                    "InvalidParameterValue",
                    f"The Timestamp {when.isoformat()} of {datum['MetricName']!r} must be within the last two weeks "
                    f"and at most two hours ahead of now, {now.isoformat()}.",
                )
            metric = MetricId(namespace, datum["MetricName"], _dimensions(datum))
            self.metrics.record_sample(metric, when, _sample(datum, now))
        return ActionResult({})

    def estimated_datapoints(self) -> int:
        """What a GetMetricData call counts as: a datapoint a period of each metric, whether there are any or not."""
        start, end = self._range()
        stats = [one["MetricStat"] for one in self.params.get("MetricDataQueries") or [] if one.get("MetricStat")]
        return sum(ceil((end - start).total_seconds() / _period(one["Period"])) for one in stats)

    def begins_lately(self) -> bool:
        """Whether a GetMetricData call asks for no more than the last hours, of which an account has fewer."""
        start, _ = self._range()
        return start >= _now() - LATELY

    def get_metric_data(self) -> ActionResult:
        """Results come in pages of at most MaxDatapoints: a caller has to join them by Id."""
        start, end = self._range()
        newest_first = (self.params.get("ScanBy") or "TimestampDescending") == "TimestampDescending"
        asked = self.params.get("MetricDataQueries") or []
        if len(asked) > MAXIMUM_QUERIES:
            raise ServiceError("ValidationError", f"{len(asked)} queries; at most {MAXIMUM_QUERIES} are allowed.")
        if (wanted := self.params.get("MaxDatapoints") or MAXIMUM_DATAPOINTS) > MAXIMUM_DATAPOINTS:
            raise ServiceError(
                "ValidationError", f"MaxDatapoints is {wanted}; at most {MAXIMUM_DATAPOINTS} are allowed."
            )
        found = list(queried(requested_queries(asked), self.metrics, start, end, _now()))
        if newest_first:
            found = [result.reversed() for result in found]
        flat = [(index, point) for index, result in enumerate(found) for point in result.points]
        on_page, token = page(flat, wanted, self.params.get("NextToken"))
        last_index = on_page[-1][0] if token and on_page else len(found)
        shown_of: dict[int, list[tuple[int, float]]] = {}
        for index, point in on_page:
            shown_of.setdefault(index, []).append(point)
        results = []
        for index, result in enumerate(found):
            shown = shown_of.get(index, [])
            if not shown and result.points:
                continue
            complete = index < last_index or (bool(shown) and shown[-1] == result.points[-1])
            results.append(
                {
                    "Id": result.id,
                    "Label": result.label,
                    "Timestamps": [at(seconds) for seconds, _ in shown],
                    "Values": [value for _, value in shown],
                    "StatusCode": "Complete" if complete else "PartialData",
                }
            )
        return ActionResult({"MetricDataResults": results, "NextToken": token, "Messages": []})

    def get_metric_statistics(self) -> ActionResult:
        start, end = self._range()
        period = _period(self.params["Period"])
        wanted = self.params.get("Statistics") or []
        if not wanted or self.params.get("ExtendedStatistics"):
            raise ServiceError(
                "InvalidParameterCombination",
                f"Statistics must name one or more of {', '.join(STATISTICS)}; the sandbox does no percentiles.",
            )
        requested = (end - start) // timedelta(seconds=period)
        if requested > MAXIMUM_STATISTICS_DATAPOINTS:
            raise ServiceError(
                "InvalidParameterCombination",
                f"You have requested up to {requested:,} datapoints, which exceeds the limit of "
                f"{MAXIMUM_STATISTICS_DATAPOINTS:,}. You may reduce the datapoints requested by increasing Period, "
                "or decreasing the time range.",
            )
        metric = MetricId(self.params["Namespace"], self.params["MetricName"], _dimensions(self.params))
        unit = self.params.get("Unit")
        points = self.metrics.datapoints(metric, start, end, period, now=_now(), unit=unit)
        # Without any order, like AWS: a caller that forgets to sort must notice here.
        points.sort(key=lambda point: point.start * 2_654_435_761 % 4_294_967_291)
        return ActionResult(
            {
                "Label": metric.name,
                "Datapoints": [
                    {"Timestamp": at(point.start), "Unit": point.unit}
                    | {statistic: _statistic(point, statistic) for statistic in wanted}
                    for point in points
                ],
            }
        )

    def _range(self) -> tuple[datetime, datetime]:
        start, end = _utc(self.params["StartTime"]), _utc(self.params["EndTime"])
        if start >= end:
            raise ServiceError(
                "ValidationError", f"StartTime {start.isoformat()} must be before EndTime {end.isoformat()}."
            )
        return start, end


def _check_value(value: float | None, path: str) -> None:
    """Infinity and what is no number are beyond it, too."""
    if value is not None and not abs(value) <= LARGEST_VALUE:
        raise ServiceError("InvalidParameterValue", f"The value {value} for parameter {path} is invalid.")


def _now() -> datetime:
    return datetime.now(UTC)


def _utc(moment: datetime) -> datetime:
    """moto's request parser drops the time zone of what it has turned into UTC."""
    return moment.replace(tzinfo=UTC)


def _period(seconds: Any) -> int:
    period = int(seconds)
    if period < 60 or period % 60:
        raise ServiceError(
            "ValidationError", f"Period is {period}; the sandbox's CloudWatch does multiples of 60 seconds."
        )
    return period


def _statistic(point: Datapoint, name: str) -> float:
    if name not in STATISTICS:
        raise ServiceError(
            "ValidationError", f"Stat is {name!r}; the sandbox's CloudWatch does {', '.join(STATISTICS)}."
        )
    return STATISTICS[name](point)


def _dimensions(holder: dict[str, Any]) -> frozenset[tuple[str, str]]:
    return frozenset((one["Name"], one["Value"]) for one in holder.get("Dimensions") or ())


def _sample(datum: dict[str, Any], now: datetime) -> Sample:
    if datum.get("Value") is None:
        raise ServiceError("ValidationError", "The sandbox's CloudWatch does one Value for each MetricDatum.")
    value = datum["Value"]
    return Sample(value, value, value, 1, datum.get("Unit") or "None", now.timestamp())
