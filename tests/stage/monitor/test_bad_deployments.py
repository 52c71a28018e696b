"""What a deployment refuses, in which words, and what is left of it: nothing."""

import time

import pytest
from efs_monitor.alarms.alarm import CREDIT_ALARMS
from efs_monitor.efs.credits import MIB, TIB

from localaws.sandbox import Sandbox
from stage.direct_deployment import Refused
from tests.stage.monitor.faults import DENIED, Faults
from tests.stage.monitor.stack import Stack

REFUSED_WITHIN_SECONDS = 30
PLACE = "Region us-east-1, account 123456789012)"


def refusal(stack: Stack, **parameters: str) -> str:
    with pytest.raises(Refused) as refused:
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


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("FileSystemId", "fs-0123", "FileSystemId must be fs- followed by 8 or 17 hexadecimal digits"),
        ("WarningMinutes", "2.5", "WarningMinutes must be a whole number from 40 to 360, and 20 or more above Crit"),
        ("CriticalMinutes", "19", "CriticalMinutes must be a whole number from 20 to 340, and 20 or more below Warn"),
        ("AlertEmail", "storage-team", "AlertEmail must be one mail address in ASCII with an @"),
        ("EncryptionKeyArn", "alias/aws/sns", "EncryptionKeyArn must be the ARN of a key"),
    ],
)
def test_a_malformed_parameter_is_refused_before_anything_is_made(
    stack: Stack, name: str, value: str, sentence: str
) -> None:
    assert refusal(stack, **{name: value}).startswith(f"Parameter {name} failed to satisfy constraint: {sentence}")
    assert left_in(stack.sandbox) == NOTHING


def test_an_unknown_file_system_fails_with_a_sentence_and_leaves_nothing(stack: Stack) -> None:
    reason = refusal(stack)
    assert f"EFS knows no file system {stack.file_system_id} here. (FileSystemId {stack.file_system_id}, " in reason
    assert PLACE in reason
    assert stack.status() == "ROLLBACK_COMPLETE"
    assert stack.alarms() == {}
    stack.delete()
    assert left_in(stack.sandbox) == NOTHING


@pytest.mark.speed
def test_a_refusal_comes_within_half_a_minute(stack: Stack) -> None:
    started = time.monotonic()
    refusal(stack)
    assert time.monotonic() - started < REFUSED_WITHIN_SECONDS


def test_critical_too_close_to_warning_fails_with_both_values_and_leaves_nothing(stack: Stack) -> None:
    stack.create_file_system()
    reason = refusal(stack, WarningMinutes="120", CriticalMinutes="101")
    assert "CriticalMinutes is 101 and WarningMinutes is 120: CriticalMinutes must be" in reason
    assert PLACE in reason
    stack.delete()
    assert left_in(stack.sandbox) == NOTHING


def test_an_alarm_on_the_limit_of_operations_fails_in_max_io_and_leaves_nothing(stack: Stack) -> None:
    stack.create_file_system(performance_mode="maxIO")
    reason = refusal(stack, IoLimitAlarm="on")
    assert f"IoLimitAlarm is on, but {stack.file_system_id} is in Max I/O performance mode" in reason
    assert PLACE in reason
    stack.delete()
    assert left_in(stack.sandbox) == NOTHING
    assert stack.deploy(IoLimitAlarm="off")["State"] == "armed"


def test_a_denied_read_fails_with_the_action_and_leaves_nothing(stack: Stack, faults: Faults) -> None:
    stack.create_file_system()
    faults.fail("DescribeFileSystems", DENIED)
    reason = refusal(stack)
    assert f"Not allowed to call elasticfilesystem:DescribeFileSystems on {stack.file_system_id}: no identity" in reason
    assert PLACE in reason
    stack.delete()
    assert left_in(stack.sandbox) == NOTHING


def test_an_update_that_is_refused_leaves_the_alarms_as_they_were(stack: Stack) -> None:
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    before = stack.alarms()
    assert "CriticalMinutes is 200 and WarningMinutes is 180" in refusal(stack, CriticalMinutes="200")
    assert stack.status() == "UPDATE_ROLLBACK_COMPLETE"
    for end, alarm in stack.alarms().items():
        for name in ("Threshold", "AlarmDescription", "ActionsEnabled", "AlarmActions", "StateValue"):
            assert alarm[name] == before[end][name]


def test_a_deleted_stack_leaves_nothing_even_when_its_file_system_went_first(stack: Stack) -> None:
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    stack.sandbox.file_systems.delete(stack.file_system_id)
    stack.delete()
    stack.measured = False
    stack.live(120)
    assert left_in(stack.sandbox) == NOTHING


def test_an_elastic_file_system_deploys_suspended(stack: Stack) -> None:
    stack.create_file_system("elastic")
    outputs = stack.deploy()
    assert outputs["State"] == "suspended"
    alarms = stack.alarms()
    assert [alarms[end]["ActionsEnabled"] for end in CREDIT_ALARMS] == [False] * 4
    assert all(alarms[end]["AlarmDescription"].startswith("[suspended]") for end in CREDIT_ALARMS)
    stack.balance_gib = 0
    stack.live(10)
    assert (stack.published("warning"), stack.published("critical")) == ([], [])


def test_a_large_file_system_first_seen_exhausted_gets_the_regional_cap(stack: Stack) -> None:
    stack.standard_bytes, stack.balance_gib = 16 * TIB, 3000
    stack.permitted_bytes_per_second = 1024 * MIB
    stack.create_file_system()
    stack.live(10)
    stack.balance_gib, stack.permitted_bytes_per_second = 0, 800 * MIB
    stack.live(60)
    outputs = stack.deploy()
    assert outputs["ReferenceBytesPerSecond"] == str(1024 * MIB)
    assert stack.alarms()["warning"]["Threshold"] == 180 * 60 * 1024 * MIB
    stack.live(3)
    assert stack.subjects("critical")[0] == 'ALARM: "home-critical" in US East (N. Virginia)'
