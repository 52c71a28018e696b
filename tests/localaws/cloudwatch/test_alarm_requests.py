"""What PutMetricAlarm refuses, and how alarms are found again."""

from collections.abc import Callable
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.sandbox import Sandbox

Put = Callable[..., None]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"AlarmName": "n" * 256}, "at 'alarmName' .* length less than or equal to 255"),
        ({"AlarmDescription": "d" * 1025}, "at 'alarmDescription' .* length less than or equal to 1024"),
        (
            {"AlarmActions": [f"arn:aws:sns:us-east-1:123456789012:{one}" for one in range(6)]},
            "at 'alarmActions' .* length less than or equal to 5",
        ),
        ({"DatapointsToAlarm": 4}, r"DatapointsToAlarm is 4; it must be between 1 and EvaluationPeriods \(3\)"),
        ({"EvaluationPeriods": 1441}, "86460 seconds; at most 86400"),
        ({"Period": 90}, "Period is 90; the sandbox's CloudWatch does multiples of 60"),
        ({"Statistic": "Median"}, "Statistic is 'Median'; it must be one of Minimum, Maximum"),
        ({"TreatMissingData": "keep"}, "TreatMissingData is 'keep'; it must be one of missing, ignore"),
        ({"AlarmActions": ["arn:aws:automate:us-east-1:ec2:stop"]}, "not to 'arn:aws:automate:us-east-1:ec2:stop'"),
        (
            {"AlarmActions": ["arn:aws:sns:eu-west-1:123456789012:pager"]},
            "Invalid region eu-west-1 specified. Only us-east-1 is supported.",
        ),
        (
            {"OKActions": ["arn:aws:lambda:eu-west-1:123456789012:function:explain"]},
            "Invalid region eu-west-1 specified. Only us-east-1 is supported.",
        ),
        ({"EvaluationWindow": {"WallClockWindow": {"Timezone": "UTC"}}}, "does sliding evaluation windows only"),
        ({"EvaluationInterval": 60}, "EvaluationInterval cannot be specified for alarms configured with MetricName or"),
    ],
)
def test_a_request_beyond_the_limits_is_refused_with_its_limit(
    put_alarm: Put, settings: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(ClientError, match=sentence) as refused:
        put_alarm(**settings)
    assert refused.value.response["Error"]["Code"] == "ValidationError"


def test_a_call_the_sandbox_does_not_know_is_refused_by_name(sandbox: Sandbox) -> None:
    with pytest.raises(ClientError, match="The sandbox's cloudwatch does not do PutCompositeAlarm"):
        sandbox.client("cloudwatch").put_composite_alarm(AlarmName="c", AlarmRule="ALARM(low)")


def test_describing_gives_back_everything_that_was_put(sandbox: Sandbox, put_alarm: Put) -> None:
    settings: dict[str, Any] = {
        "AlarmDescription": "Low credits.\nAct now.",
        "ActionsEnabled": False,
        "OKActions": ["arn:aws:sns:us-east-1:123456789012:ok"],
        "AlarmActions": ["arn:aws:sns:us-east-1:123456789012:alarm"],
        "InsufficientDataActions": ["arn:aws:sns:us-east-1:123456789012:none"],
        "Period": 300,
        "EvaluationPeriods": 15,
        "DatapointsToAlarm": 2,
        "Threshold": 1_132_462_080_000.0,
        "Unit": "Bytes",
        "TreatMissingData": "notBreaching",
    }
    put_alarm(**settings)
    alarm = sandbox.client("cloudwatch").describe_alarms(AlarmNames=["low"])["MetricAlarms"][0]
    assert {key: alarm[key] for key in settings} == settings
    assert alarm["AlarmArn"] == "arn:aws:cloudwatch:us-east-1:123456789012:alarm:low"


def test_alarms_are_found_by_prefix_state_and_action(sandbox: Sandbox, put_alarm: Put) -> None:
    put_alarm("a-1", AlarmActions=["arn:aws:sns:us-east-1:123456789012:topic"])
    put_alarm("a-2")
    put_alarm("b-1")
    cloudwatch = sandbox.client("cloudwatch")
    cloudwatch.set_alarm_state(AlarmName="b-1", StateValue="OK", StateReason="x")

    def names(**query: Any) -> list[str]:
        return [alarm["AlarmName"] for alarm in cloudwatch.describe_alarms(**query)["MetricAlarms"]]

    assert names(AlarmNamePrefix="a-") == ["a-1", "a-2"]
    assert names(StateValue="OK") == ["b-1"]
    assert names(ActionPrefix="arn:aws:sns:") == ["a-1"]
    assert names(AlarmTypes=["CompositeAlarm"]) == []
    assert names(AlarmNames=["unknown"]) == []


def test_alarms_come_in_pages(sandbox: Sandbox, put_alarm: Put) -> None:
    for number in range(5):
        put_alarm(f"alarm-{number}")
    pages = sandbox.client("cloudwatch").get_paginator("describe_alarms").paginate(PaginationConfig={"PageSize": 2})
    assert [[alarm["AlarmName"] for alarm in page["MetricAlarms"]] for page in pages] == [
        ["alarm-0", "alarm-1"],
        ["alarm-2", "alarm-3"],
        ["alarm-4"],
    ]


def test_alarms_are_found_by_their_metric(sandbox: Sandbox, put_alarm: Put) -> None:
    put_alarm("low")
    put_alarm("other", MetricName="PermittedThroughput")
    found = sandbox.client("cloudwatch").describe_alarms_for_metric(
        Namespace="AWS/EFS",
        MetricName="BurstCreditBalance",
        Dimensions=[{"Name": "FileSystemId", "Value": "fs-0123456789abcdef0"}],
    )
    assert [alarm["AlarmName"] for alarm in found["MetricAlarms"]] == ["low"]


def test_deleting_takes_alarms_away_and_ignores_unknown_ones(sandbox: Sandbox, put_alarm: Put) -> None:
    put_alarm()
    cloudwatch = sandbox.client("cloudwatch")
    cloudwatch.delete_alarms(AlarmNames=["low", "unknown"])
    assert cloudwatch.describe_alarms()["MetricAlarms"] == []


def test_tags_are_set_at_creation_and_by_tagging_only(sandbox: Sandbox, put_alarm: Put) -> None:
    put_alarm(Tags=[{"Key": "stack", "Value": "one"}])
    put_alarm(Tags=[{"Key": "stack", "Value": "two"}])
    cloudwatch = sandbox.client("cloudwatch")
    arn = cloudwatch.describe_alarms()["MetricAlarms"][0]["AlarmArn"]
    assert cloudwatch.list_tags_for_resource(ResourceARN=arn)["Tags"] == [{"Key": "stack", "Value": "one"}]
    cloudwatch.tag_resource(ResourceARN=arn, Tags=[{"Key": "team", "Value": "storage"}])
    cloudwatch.untag_resource(ResourceARN=arn, TagKeys=["stack"])
    assert cloudwatch.list_tags_for_resource(ResourceARN=arn)["Tags"] == [{"Key": "team", "Value": "storage"}]


def test_dashboards_are_kept_and_found(sandbox: Sandbox) -> None:
    cloudwatch = sandbox.client("cloudwatch")
    cloudwatch.put_dashboard(DashboardName="efs", DashboardBody='{"widgets": []}')
    assert cloudwatch.get_dashboard(DashboardName="efs")["DashboardBody"] == '{"widgets": []}'
    assert [entry["DashboardName"] for entry in cloudwatch.list_dashboards()["DashboardEntries"]] == ["efs"]
    cloudwatch.delete_dashboards(DashboardNames=["efs"])
    with pytest.raises(ClientError, match="Dashboard does not exist"):
        cloudwatch.get_dashboard(DashboardName="efs")


def test_a_dashboard_that_is_not_json_is_refused(sandbox: Sandbox) -> None:
    with pytest.raises(ClientError, match="Body is invalid JSON"):
        sandbox.client("cloudwatch").put_dashboard(DashboardName="efs", DashboardBody="{")
