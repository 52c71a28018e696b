"""Expressions over the API: in GetMetricData, and in alarms."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.clock import START
from localaws.cloudwatch.metrics import MetricId
from localaws.sandbox import Sandbox

MINUTE = timedelta(minutes=1)
IO = MetricId.of("AWS/EFS", "MeteredIOBytes", FileSystemId="fs-1")
PERMITTED = MetricId.of("AWS/EFS", "PermittedThroughput", FileSystemId="fs-1")
ECHO = "def handler(event, context):\n    return event\n"


def stat(name: str, metric: MetricId, statistic: str, period: int = 60, **settings: Any) -> dict[str, Any]:
    dimensions = [{"Name": key, "Value": value} for key, value in sorted(metric.dimensions)]
    identity = {"Namespace": metric.namespace, "MetricName": metric.name, "Dimensions": dimensions}
    return {"Id": name, "MetricStat": {"Metric": identity, "Period": period, "Stat": statistic}, **settings}


def math(name: str, expression: str, **settings: Any) -> dict[str, Any]:
    return {"Id": name, "Expression": expression, **settings}


METRICS = [stat("io", IO, "Sum", ReturnData=False), stat("permitted", PERMITTED, "Average", ReturnData=False)]
UTILIZATION = [math("used", "100 * FILL(io, 0) / PERIOD(io) / permitted", Label="Utilization"), *METRICS]


@pytest.fixture
def five_minutes(sandbox: Sandbox) -> None:
    """Five minutes with 10 bytes a second permitted, in the second, third and fifth of which some are used."""
    sandbox.clock.move_to(START + 5 * MINUTE)
    for minute, used in enumerate((None, 300, 600, None, 60)):
        sandbox.metrics.record(PERMITTED, START + minute * MINUTE, 10.0)
        if used is not None:
            sandbox.metrics.record(IO, START + minute * MINUTE, used)


def read(sandbox: Sandbox, *queries: dict[str, Any], minutes: int = 5, **settings: Any) -> list[dict[str, Any]]:
    request = {"StartTime": START, "EndTime": START + minutes * MINUTE, "ScanBy": "TimestampAscending", **settings}
    results: list[dict[str, Any]] = sandbox.client("cloudwatch").get_metric_data(MetricDataQueries=queries, **request)[
        "MetricDataResults"
    ]
    return results


@pytest.mark.usefixtures("five_minutes")
class TestGetMetricData:
    def test_an_expression_is_computed_over_the_metrics_of_the_request(self, sandbox: Sandbox) -> None:
        (used,) = read(sandbox, *UTILIZATION)
        assert (used["Id"], used["Label"], used["StatusCode"]) == ("used", "Utilization", "Complete")
        assert used["Values"] == [0, 50, 100, 0, 10]
        assert used["Timestamps"] == [START + minute * MINUTE for minute in range(5)]

    def test_an_expression_may_use_another_and_its_id_is_its_label(self, sandbox: Sandbox) -> None:
        used, left = read(sandbox, *UTILIZATION, math("left", "100 - used"))
        assert (left["Label"], left["Values"]) == ("left", [100, 50, 0, 100, 90])
        assert used["Values"] == [0, 50, 100, 0, 10]

    def test_minutes_without_a_value_are_no_points(self, sandbox: Sandbox) -> None:
        (rate,) = read(sandbox, math("rate", "RATE(io)"), *METRICS)
        assert rate["Values"] == [5, -4.5]
        assert rate["Timestamps"] == [START + 2 * MINUTE, START + 4 * MINUTE]

    def test_the_newest_comes_first_unless_asked_otherwise(self, sandbox: Sandbox) -> None:
        assert read(sandbox, *UTILIZATION, ScanBy="TimestampDescending")[0]["Values"] == [10, 0, 100, 50, 0]

    def test_gaps_are_filled_up_to_now_and_not_into_the_future(self, sandbox: Sandbox) -> None:
        (filled,) = read(sandbox, math("filled", "FILL(io, REPEAT)"), *METRICS, minutes=60)
        assert filled["Values"] == [300, 600, 600, 60]

    def test_longer_periods_begin_with_the_range(self, sandbox: Sandbox) -> None:
        queries = [math("rate", "io / PERIOD(io)"), stat("io", IO, "Sum", 120, ReturnData=False)]
        (rate,) = read(sandbox, *queries)
        assert rate["Values"] == [2.5, 5, 0.5]

    def test_metrics_of_another_period_do_not_disturb_an_expression(self, sandbox: Sandbox) -> None:
        used, hourly = read(sandbox, *UTILIZATION, stat("hourly", IO, "Sum", 3600))
        assert used["Values"] == [0, 50, 100, 0, 10]
        assert hourly["Values"] == [960]

    @pytest.mark.parametrize(
        ("queries", "sentence"),
        [
            ([math("e", "io +"), *METRICS], "Error in expression 'e': 'io \\+' cannot be read"),
            ([math("e", "cpu + 1")], "Error in expression 'e': 'cpu' is the Id of no metric"),
            ([math("e", "PERIOD(io)"), *METRICS], "'PERIOD\\(io\\)' comes to a number"),
            ([math("e", "SORT(io, AVG, ASC)"), *METRICS], "SORT is not simulated"),
            ([math("e", "1 + 1")], "comes to a number"),
            ([math("e", "a + b"), math("a", "b + io"), math("b", "a + io"), *METRICS], "a circle"),
            ([math("e", "io + slow"), *METRICS, stat("slow", IO, "Sum", 300)], "one period .*, not 60 and 300"),
            ([math("E", "io"), *METRICS], "The Id 'E' must begin with a lowercase letter"),
            ([math("io", "1"), *METRICS], "The Id 'io' is given to more than one query"),
            ([{"Id": "e"}], "The query 'e' must have either MetricStat or Expression"),
        ],
    )
    def test_what_makes_no_sense_is_refused(
        self, sandbox: Sandbox, queries: list[dict[str, Any]], sentence: str
    ) -> None:
        with pytest.raises(ClientError, match=sentence) as refused:
            read(sandbox, *queries)
        assert refused.value.response["Error"]["Code"] == "ValidationError"


def put(sandbox: Sandbox, *queries: dict[str, Any], **settings: Any) -> None:
    sandbox.client("cloudwatch").put_metric_alarm(
        **{
            "AlarmName": "busy",
            "Metrics": list(queries),
            "EvaluationPeriods": 3,
            "DatapointsToAlarm": 2,
            "Threshold": 80.0,
            "ComparisonOperator": "GreaterThanThreshold",
            "TreatMissingData": "ignore",
            **settings,
        }
    )


@pytest.fixture
def pass_used(sandbox: Sandbox) -> Callable[..., None]:
    """A minute for each value with 10 bytes a second permitted and so many bytes used; None is an idle minute."""

    def go(*used: float | None) -> None:
        for value in used:
            sandbox.metrics.record(PERMITTED, sandbox.clock.now(), 10.0)
            if value is not None:
                sandbox.metrics.record(IO, sandbox.clock.now(), value)
            sandbox.advance()

    return go


def test_an_alarm_follows_its_expression_through_idle_minutes(sandbox: Sandbox, pass_used: Callable[..., None]) -> None:
    put(sandbox, *UTILIZATION)
    pass_used(None, 540, 540, 540, 300, None, None)
    assert [(one.old, one.new, one.time - START) for one in sandbox.transitions] == [
        ("INSUFFICIENT_DATA", "OK", 1 * MINUTE),
        ("OK", "ALARM", 3 * MINUTE),
        ("ALARM", "OK", 6 * MINUTE),
    ]


def test_minutes_of_which_nothing_has_arrived_are_missing_and_not_idle(sandbox: Sandbox) -> None:
    """FILL makes a late minute 0 bytes used, and it is still dropped, because nothing is known to be permitted."""
    put(sandbox, *UTILIZATION)
    for _ in range(6):
        for metric, value in ((PERMITTED, 10.0), (IO, 540.0)):
            sandbox.metrics.record(metric, sandbox.clock.now(), value, late=3 * MINUTE)
        sandbox.advance()
    assert [(one.new, one.time - START) for one in sandbox.transitions] == [("ALARM", 4 * MINUTE)]


def test_describing_gives_the_queries_back(sandbox: Sandbox) -> None:
    queries = [{**one, "ReturnData": one.get("ReturnData", True)} for one in UTILIZATION]
    queries[1]["MetricStat"] = {**queries[1]["MetricStat"], "Unit": "Bytes"}
    put(sandbox, *queries)
    (alarm,) = sandbox.client("cloudwatch").describe_alarms()["MetricAlarms"]
    assert alarm["Metrics"] == queries
    assert not {"MetricName", "Namespace", "Statistic", "Period", "Dimensions"} & alarm.keys()


def test_an_alarm_may_watch_one_of_its_metrics_as_it_is(sandbox: Sandbox, pass_used: Callable[..., None]) -> None:
    put(sandbox, stat("io", IO, "Sum"), DatapointsToAlarm=1)
    pass_used(81)
    assert sandbox.transitions[-1].new == "ALARM"


def test_an_expression_with_a_period_of_its_own_is_described_with_it(sandbox: Sandbox) -> None:
    put(sandbox, math("ones", "FILL(io, 1)", Period=60), *METRICS)
    (alarm,) = sandbox.client("cloudwatch").describe_alarms()["MetricAlarms"]
    assert alarm["Metrics"][0] == {"Id": "ones", "Expression": "FILL(io, 1)", "Period": 60, "ReturnData": True}


def test_an_alarm_on_an_expression_is_no_alarm_of_a_metric(sandbox: Sandbox) -> None:
    put(sandbox, *UTILIZATION)
    found = sandbox.client("cloudwatch").describe_alarms_for_metric(
        Namespace=IO.namespace, MetricName=IO.name, Dimensions=[{"Name": "FileSystemId", "Value": "fs-1"}]
    )
    assert found["MetricAlarms"] == []


def test_a_topic_and_its_mail_readers_are_shown_the_expression(
    sandbox: Sandbox, subscribed_topic: str, pass_used: Callable[..., None]
) -> None:
    put(sandbox, *UTILIZATION, AlarmActions=[subscribed_topic])
    pass_used(600, 600)
    trigger = json.loads(sandbox.mailbox.publications[0].message)["Trigger"]
    assert trigger["Metrics"][0] == {
        "Id": "used",
        "Expression": "100 * FILL(io, 0) / PERIOD(io) / permitted",
        "Label": "Utilization",
        "ReturnData": True,
    }
    assert trigger["Metrics"][1]["MetricStat"]["Metric"]["Dimensions"] == [{"value": "fs-1", "name": "FileSystemId"}]
    assert (trigger["Period"], trigger["Threshold"]) == (60, 80.0)
    assert "MetricName" not in trigger
    mail = sandbox.mailbox.mails[0].body
    assert "- MetricExpression:                    used = 100 * FILL(io, 0) / PERIOD(io) / permitted\n" in mail
    assert "- Metric:                              io = AWS/EFS MeteredIOBytes [FileSystemId = fs-1] Sum\n" in mail
    assert "- Period:                              60 seconds\n" in mail
    assert "GreaterThanThreshold 80.0 for at least 2 of the last 3 period(s) of 60 seconds." in mail


def test_a_function_is_given_the_queries_and_no_statistic(
    sandbox: Sandbox, deploy: Callable[..., str], pass_used: Callable[..., None]
) -> None:
    """The shape of the guide's sample event, "State change for a metric math alarm"."""
    arn = deploy("echo", ECHO)
    sandbox.client("lambda").add_permission(
        FunctionName="echo",
        StatementId="alarms",
        Action="lambda:InvokeFunction",
        Principal="lambda.alarms.cloudwatch.amazonaws.com",
    )
    put(sandbox, *UTILIZATION, AlarmActions=[arn])
    pass_used(600, 600)
    (item,) = sandbox.client("cloudwatch").describe_alarm_history(AlarmName="busy", HistoryItemType="Action")[
        "AlarmHistoryItems"
    ]
    event = json.loads(json.loads(item["HistoryData"])["publishedMessage"])
    used, io, _ = event["alarmData"]["configuration"]["metrics"]
    assert used == {
        "id": "used",
        "expression": "100 * FILL(io, 0) / PERIOD(io) / permitted",
        "label": "Utilization",
        "returnData": True,
    }
    metric = {"namespace": "AWS/EFS", "name": "MeteredIOBytes", "dimensions": {"FileSystemId": "fs-1"}}
    assert io == {"id": "io", "metricStat": {"metric": metric, "period": 60, "stat": "Sum"}, "returnData": False}
    reason = json.loads(event["alarmData"]["state"]["reasonData"])
    assert "statistic" not in reason
    assert (reason["recentDatapoints"], reason["threshold"]) == ([100.0, 100.0], 80.0)


def test_the_history_tells_a_change_from_a_metric_to_an_expression(sandbox: Sandbox, put_alarm: Any) -> None:
    put_alarm("busy")
    put(sandbox, *UTILIZATION)
    newest = sandbox.client("cloudwatch").describe_alarm_history(AlarmName="busy")["AlarmHistoryItems"][0]
    change = json.loads(newest["HistoryData"])
    assert change["updatedAlarm"]["metrics"][0]["expression"] == "100 * FILL(io, 0) / PERIOD(io) / permitted"
    assert change["originalUpdatedFields"]["metricName"] == "BurstCreditBalance"


@pytest.mark.parametrize(
    ("queries", "settings", "sentence"),
    [
        (
            [math("e", "io + 1"), stat("io", IO, "Sum")],
            {},
            "Exactly one element of the metrics list should",
        ),
        ([math("e", "SEARCH('x', 'Sum')")], {}, "SEARCH is not simulated"),
        (UTILIZATION, {"Period": 60}, "An alarm with Metrics cannot have Period, too"),
        (UTILIZATION, {"Statistic": "Sum"}, "An alarm with Metrics cannot have Statistic, too"),
        (
            [math("e", "m0 + m1"), *[stat(f"m{one}", IO, "Sum", ReturnData=False) for one in range(11)]],
            {},
            "11 metrics in an alarm's Metrics; at most 10",
        ),
        ([stat("io", IO, "p99")], {}, "Stat is 'p99'"),
    ],
)
def test_an_alarm_that_could_not_be_evaluated_is_refused(
    sandbox: Sandbox, queries: list[dict[str, Any]], settings: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ClientError, match=sentence):
        put(sandbox, *queries, **settings)


def test_ten_metrics_are_not_too_many(sandbox: Sandbox) -> None:
    put(sandbox, math("e", "m0 + m1"), *[stat(f"m{one}", IO, "Sum", ReturnData=False) for one in range(10)])
    assert len(sandbox.client("cloudwatch").describe_alarms()["MetricAlarms"]) == 1
