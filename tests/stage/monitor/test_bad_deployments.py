"""What a deployment refuses, in which words, and what is left of it: nothing."""

import time
from datetime import UTC, datetime
from typing import Any

import pytest
from efs_monitor.alarms.alarm import CREDIT_ALARMS

from localaws.sandbox import Sandbox
from stage.direct_deployment import DeploymentRefused
from tests.stage.monitor.stack_under_test import StackUnderTest

REFUSED_WITHIN_SECONDS = 30
PLACE = "Region us-east-1, account 123456789012)"


def refusal(stack: StackUnderTest, **parameters: str) -> str:
    with pytest.raises(DeploymentRefused) as refused:
        stack.deploy(**parameters)
    return refused.value.reason


def left_in(sandbox: Sandbox) -> dict[str, list[str]]:
    """Everything of the kinds a stack makes."""
    client = sandbox.client
    return {
        "alarms": [one["AlarmName"] for one in client("cloudwatch").describe_alarms()["MetricAlarms"]],
        "topics": [one["TopicArn"] for one in client("sns").list_topics()["Topics"]],
        "subscriptions": [one["Endpoint"] for one in client("sns").list_subscriptions()["Subscriptions"]],
        "functions": [one["FunctionName"] for one in client("lambda").list_functions()["Functions"]],
        "layers": [one["LayerName"] for one in client("lambda").list_layers()["Layers"]],
        "roles": [one["RoleName"] for one in client("iam").list_roles()["Roles"]],
        "log groups": [one["logGroupName"] for one in client("logs").describe_log_groups()["logGroups"]],
        "parameters": [one["Name"] for one in client("ssm").describe_parameters()["Parameters"]],
        "schedules": [one["Name"] for one in client("scheduler").list_schedules()["Schedules"]],
    }


NOTHING: dict[str, list[str]] = {
    kind: []
    for kind in (
        "alarms",
        "topics",
        "subscriptions",
        "functions",
        "layers",
        "roles",
        "log groups",
        "parameters",
        "schedules",
    )
}


def test_an_unknown_file_system_fails_with_a_sentence_and_leaves_nothing(stack: StackUnderTest) -> None:
    reason = refusal(stack)
    assert (
        f"EFS knows no file system {stack.file_system_id} here; check FileSystemId, the Region and the account. "
        f"(FileSystemId {stack.file_system_id}, "
    ) in reason
    assert PLACE in reason
    assert stack.status() == "ROLLBACK_COMPLETE"
    assert stack.alarms() == {}
    stack.delete()
    assert left_in(stack.sandbox) == NOTHING


@pytest.mark.speed
def test_a_refusal_comes_within_half_a_minute(stack: StackUnderTest) -> None:
    started = time.monotonic()
    refusal(stack)
    assert time.monotonic() - started < REFUSED_WITHIN_SECONDS


@pytest.mark.whole
def test_what_is_wrong_with_benchmarks_fails_with_a_sentence_before_the_scheduler_is_asked(
    stack: StackUnderTest,
) -> None:
    stack.create_file_system()
    reason = refusal(stack, BenchmarkPath="/mnt/efs", BenchmarkLocalPath="/mnt/efs/local")
    assert "BenchmarkLocalPath is /mnt/efs/local, which lies on the file system that BenchmarkPath, /mnt/efs," in reason
    stack.delete()
    reason = refusal(stack, BenchmarkPath="/mnt/efs", BenchmarkSchedule="cron(0 24 * * ? *)")
    assert "BenchmarkSchedule is cron(0 24 * * ? *), whose hour has '24', but may have 0 to 23" in reason
    stack.delete()
    assert left_in(stack.sandbox) == NOTHING


@pytest.mark.whole
def test_a_cron_that_never_comes_or_comes_no_more_fails_with_a_sentence(stack: StackUnderTest) -> None:
    stack.create_file_system()
    reason = refusal(stack, BenchmarkPath="/mnt/efs", BenchmarkSchedule="cron(0 3 31 2 ? *)")
    assert "cron(0 3 31 2 ? *), which never comes: no month that it names has such a day" in reason
    stack.delete()
    reason = refusal(stack, BenchmarkPath="/mnt/efs", BenchmarkSchedule="cron(0 3 * * ? 2025)")
    assert "cron(0 3 * * ? 2025), which comes no more: its last time was 2025-12-31 03:00 UTC" in reason


@pytest.mark.more
def test_a_cron_that_is_over_since_keeps_nobody_from_another_change(stack: StackUnderTest) -> None:
    stack.create_file_system()
    stack.deploy(BenchmarkPath="/mnt/efs", BenchmarkSchedule="cron(0 3 * * ? 2030)")
    stack.sandbox.clock.move_to(datetime(2031, 1, 2, tzinfo=UTC))
    stack.deploy(BenchmarkPath="/mnt/efs", BenchmarkSchedule="cron(0 3 * * ? 2030)", WarningMinutes="200")


@pytest.mark.more
def test_a_cron_of_last_days_and_third_fridays_is_deployed(stack: StackUnderTest) -> None:
    stack.create_file_system()
    for expression in ("cron(0 3 LW * ? *)", "cron(0 3 ? * 6#3 2030-2031)", "cron(0 20-2 ? NOV-FEB FRI-MON *)"):
        stack.deploy(BenchmarkPath="/mnt/efs", BenchmarkSchedule=expression)


@pytest.mark.whole
def test_an_update_that_is_refused_leaves_the_alarms_as_they_were(stack: StackUnderTest) -> None:
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    before = stack.alarms()
    assert "CriticalMinutes is 200 and WarningMinutes is 180" in refusal(stack, CriticalMinutes="200")
    assert stack.status() == "UPDATE_ROLLBACK_COMPLETE"
    for end, alarm in stack.alarms().items():
        for name in ("Threshold", "AlarmDescription", "ActionsEnabled", "AlarmActions", "StateValue"):
            assert alarm[name] == before[end][name]


@pytest.mark.whole
def test_an_update_fails_back_to_what_it_was_even_where_the_old_file_system_is_gone(stack: StackUnderTest) -> None:
    """CloudFormation asks for the old values again, which a first deployment would be refused today: if these were, the
    stack would stay in UPDATE_ROLLBACK_FAILED, where no deployment is possible.
    """
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    before = stack.alarms()
    stack.sandbox.file_systems.delete(stack.file_system_id)
    assert "EFS knows no file system fs-00000000000000bad here" in refusal(stack, FileSystemId="fs-00000000000000bad")
    assert stack.status() == "UPDATE_ROLLBACK_COMPLETE"
    for end, alarm in stack.alarms().items():
        for name in ("Threshold", "AlarmDescription", "ActionsEnabled", "AlarmActions", "Dimensions"):
            assert alarm.get(name) == before[end].get(name), (end, name)
    stack.file_system_id = "fs-0fedcba9876543210"
    stack.create_file_system()
    stack.deploy()
    assert stack.status() == "UPDATE_COMPLETE"


@pytest.mark.more
def test_an_update_that_fails_after_the_alarms_goes_back_to_alarms_that_are_asleep(stack: StackUnderTest) -> None:
    """They watched another file system by then: what was right for that one is nothing to alarm about this one by."""
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    stack.sandbox.file_systems.delete(stack.file_system_id)
    old, stack.file_system_id = stack.file_system_id, "fs-0fedcba9876543210"
    stack.create_file_system()

    def failing_behind_the_alarms(template: dict[str, Any]) -> None:
        template["Resources"]["Last"] = {
            "Type": "AWS::SNS::Topic",
            "DependsOn": ["WarningAlarm", "CriticalAlarm", "ExhaustedAlarm", "DrainingAlarm"],
            "Properties": {"TopicName": "no name at all"},
        }

    with pytest.raises(DeploymentRefused):
        stack.deploy_changed(failing_behind_the_alarms)
    assert stack.status() == "UPDATE_ROLLBACK_COMPLETE"
    warning = stack.alarms()["warning"]
    assert warning["Dimensions"] == [{"Name": "FileSystemId", "Value": old}]
    assert not warning["ActionsEnabled"]
    assert warning["AlarmDescription"] == (
        "[suspended] An update was rolled back; the next run that finds the file system wakes this alarm."
    )


@pytest.mark.whole
def test_a_deleted_stack_leaves_nothing_even_when_its_file_system_went_first(stack: StackUnderTest) -> None:
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    stack.sandbox.file_systems.delete(stack.file_system_id)
    stack.delete()
    stack.measured = False
    stack.live(120)
    assert left_in(stack.sandbox) == NOTHING


@pytest.mark.whole
def test_an_elastic_file_system_deploys_suspended(stack: StackUnderTest) -> None:
    stack.create_file_system("elastic")
    outputs = stack.deploy()
    assert outputs["State"] == "suspended"
    alarms = stack.alarms()
    assert [alarms[end]["ActionsEnabled"] for end in CREDIT_ALARMS] == [False] * 4
    assert all(alarms[end]["AlarmDescription"].startswith("[suspended]") for end in CREDIT_ALARMS)
    stack.balance_gib = 0
    stack.live(10)
    assert (stack.published("warning"), stack.published("critical")) == ([], [])
