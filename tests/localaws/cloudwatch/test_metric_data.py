"""Metrics in, metrics out, over the API."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.clock import START
from localaws.cloudwatch.metrics import MetricId
from localaws.sandbox import Sandbox

NOON = START.replace(hour=12)
METRIC = {"Namespace": "Custom", "MetricName": "Rate", "Dimensions": [{"Name": "FileSystemId", "Value": "fs-1"}]}


def query(stat: str = "Average", period: int = 60, **changes: Any) -> dict[str, Any]:
    return {"Id": "q", "MetricStat": {"Metric": {**METRIC, **changes}, "Period": period, "Stat": stat}}


def read(sandbox: Sandbox, *queries: dict[str, Any], **settings: Any) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = sandbox.client("cloudwatch").get_metric_data(
        **{"MetricDataQueries": queries, "StartTime": START, "EndTime": NOON, **settings}
    )["MetricDataResults"]
    return results


@pytest.fixture
def rate(sandbox: Sandbox) -> MetricId:
    """A metric with the values 0 to 9 in the ten minutes before noon."""
    sandbox.clock.move_to(NOON)
    metric = MetricId.of("Custom", "Rate", FileSystemId="fs-1")
    for minute in range(10):
        sandbox.metrics.record(metric, NOON - timedelta(minutes=10 - minute), minute, unit="Bytes/Second")
    return metric


@pytest.mark.parametrize(
    ("stat", "value"), [("Minimum", 0), ("Maximum", 4), ("Average", 2), ("Sum", 10), ("SampleCount", 5)]
)
def test_statistics_are_computed_over_the_period(sandbox: Sandbox, rate: MetricId, stat: str, value: float) -> None:
    (result,) = read(sandbox, query(stat, 300), ScanBy="TimestampAscending")
    assert result["Values"][0] == value
    assert result["Timestamps"] == [NOON - timedelta(minutes=10), NOON - timedelta(minutes=5)]


def test_results_come_newest_first_unless_asked_otherwise(sandbox: Sandbox, rate: MetricId) -> None:
    assert read(sandbox, query())[0]["Values"] == [9, 8, 7, 6, 5, 4, 3, 2, 1, 0]
    assert read(sandbox, query(), ScanBy="TimestampAscending")[0]["Values"] == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_the_end_of_the_range_is_not_part_of_it(sandbox: Sandbox, rate: MetricId) -> None:
    end = NOON - timedelta(minutes=5)
    assert read(sandbox, query(), StartTime=end - timedelta(minutes=2), EndTime=end)[0]["Values"] == [4, 3]


def test_points_that_are_late_are_not_there_yet(sandbox: Sandbox, rate: MetricId) -> None:
    sandbox.metrics.record(rate, NOON, 10, late=timedelta(minutes=3))
    until = {"EndTime": NOON + timedelta(minutes=5)}
    assert read(sandbox, query(), **until)[0]["Values"][0] == 9
    sandbox.clock.move_to(NOON + timedelta(minutes=3))
    assert read(sandbox, query(), **until)[0]["Values"][0] == 10


@pytest.mark.parametrize("change", [{"Namespace": "Other"}, {"MetricName": "Other"}, {"Dimensions": []}])
def test_another_namespace_name_or_set_of_dimensions_is_another_metric(
    sandbox: Sandbox, rate: MetricId, change: dict[str, Any]
) -> None:
    (result,) = read(sandbox, query(**change))
    assert (result["Values"], result["StatusCode"]) == ([], "Complete")


def test_a_query_that_returns_no_data_is_left_out(sandbox: Sandbox, rate: MetricId) -> None:
    assert [one["Id"] for one in read(sandbox, {**query(), "ReturnData": False}, {**query(), "Id": "shown"})] == [
        "shown"
    ]


def test_datapoints_come_in_pages_that_have_to_be_joined(sandbox: Sandbox, rate: MetricId) -> None:
    pages = list(
        sandbox.client("cloudwatch")
        .get_paginator("get_metric_data")
        .paginate(
            MetricDataQueries=[{**query(), "Id": "a"}, {**query("Maximum"), "Id": "b"}],
            StartTime=START,
            EndTime=NOON,
            PaginationConfig={"PageSize": 8},
        )
    )
    shown = [
        [(one["Id"], len(one["Values"]), one["StatusCode"]) for one in page["MetricDataResults"]] for page in pages
    ]
    assert shown == [
        [("a", 8, "PartialData")],
        [("a", 2, "Complete"), ("b", 6, "PartialData")],
        [("b", 4, "Complete")],
    ]


def test_one_minute_points_are_gone_after_fifteen_days(sandbox: Sandbox, rate: MetricId) -> None:
    sandbox.clock.move_to(NOON + timedelta(days=16))
    assert read(sandbox, query(period=60))[0]["Values"] == []
    assert len(read(sandbox, query(period=300))[0]["Values"]) == 2


@pytest.mark.parametrize(("stat", "period"), [("p99", 60), ("Average", 10)])
def test_percentiles_and_short_periods_are_refused(sandbox: Sandbox, rate: MetricId, stat: str, period: int) -> None:
    with pytest.raises(ClientError, match="the sandbox's CloudWatch does"):
        read(sandbox, query(stat, period))


def test_what_is_put_over_the_api_can_be_read_at_once(sandbox: Sandbox) -> None:
    sandbox.clock.move_to(NOON)
    datum = {"MetricName": "Rate", "Dimensions": METRIC["Dimensions"], "Timestamp": NOON - timedelta(minutes=1)}
    sandbox.client("cloudwatch").put_metric_data(
        Namespace="Custom", MetricData=[{**datum, "Value": 0.5}, {**datum, "Value": 9.0}]
    )
    results = [read(sandbox, query(stat))[0]["Values"] for stat in ("Minimum", "Maximum", "Sum", "SampleCount")]
    assert results == [[0.5], [9.0], [9.5], [2.0]]


@pytest.mark.parametrize(
    "several", [{"Values": [2.0, 3.0]}, {"StatisticValues": {"Minimum": 1, "Maximum": 2, "Sum": 3, "SampleCount": 2}}]
)
def test_several_values_in_one_are_refused(sandbox: Sandbox, several: dict[str, Any]) -> None:
    with pytest.raises(ClientError, match="does one Value for each MetricDatum"):
        sandbox.client("cloudwatch").put_metric_data(Namespace="Custom", MetricData=[{"MetricName": "Rate", **several}])


@pytest.mark.parametrize(
    ("namespace", "when", "sentence"),
    [
        ("AWS/EFS", NOON, "reserved"),
        ("Custom", NOON - timedelta(days=15), "within the last two weeks"),
        ("Custom", NOON + timedelta(hours=3), "at most two hours ahead"),
    ],
)
def test_reserved_namespaces_and_times_out_of_range_are_refused(
    sandbox: Sandbox, namespace: str, when: datetime, sentence: str
) -> None:
    sandbox.clock.move_to(NOON)
    with pytest.raises(ClientError, match=sentence):
        sandbox.client("cloudwatch").put_metric_data(
            Namespace=namespace, MetricData=[{"MetricName": "Rate", "Value": 1.0, "Timestamp": when}]
        )


def test_statistics_come_in_no_order(sandbox: Sandbox, rate: MetricId) -> None:
    answer = sandbox.client("cloudwatch").get_metric_statistics(
        **METRIC,
        StartTime=NOON - timedelta(minutes=10),
        EndTime=NOON,
        Period=60,
        Statistics=["Minimum", "SampleCount"],
    )
    points = answer["Datapoints"]
    minimums = [point["Minimum"] for point in points]
    assert sorted(minimums) == list(range(10))
    assert minimums not in (sorted(minimums), sorted(minimums, reverse=True))
    assert all(point["SampleCount"] == 1 and point["Unit"] == "Bytes/Second" for point in points)


def test_more_than_1440_statistics_are_refused(sandbox: Sandbox) -> None:
    with pytest.raises(ClientError, match="up to 1,441 datapoints, which exceeds the limit of 1,440"):
        sandbox.client("cloudwatch").get_metric_statistics(
            **METRIC, StartTime=NOON - timedelta(minutes=1441), EndTime=NOON, Period=60, Statistics=["Sum"]
        )


def test_a_region_the_sandbox_does_not_have_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(ClientError, match="This sandbox is us-east-1; it has no eu-west-1"):
        sandbox.client("cloudwatch", region="eu-west-1").describe_alarms()


def test_minutes_without_data_are_no_points(sandbox: Sandbox) -> None:
    metric = MetricId.of("Custom", "Rate")
    for minute in range(0, 21_600, 7):
        sandbox.metrics.record(metric, START + timedelta(minutes=minute), minute)
    end = START + timedelta(days=15)
    points = sandbox.metrics.datapoints(metric, START, end, 60, now=datetime(2030, 1, 22, tzinfo=UTC))
    assert [point.sum for point in points] == list(range(0, 21_600, 7))
