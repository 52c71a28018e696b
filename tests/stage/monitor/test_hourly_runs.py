"""The hours after a deployment: what the recalculation repairs, survives, tells once and leaves alone."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from efs_monitor.efs.credits import GIB, MIB, TIB, burst_bytes_per_second, full_bucket_bytes

from localaws.file_systems import Size
from proofs.home import as_request
from tests.stage.monitor.conftest import configured
from tests.stage.monitor.faults import BROKEN, DENIED, THROTTLED, Faults
from tests.stage.monitor.stack import Stack

READS = ["GetParameter", "DescribeFileSystems", "DescribeAlarms", "GetMetricData"]
WRITES = {"PutMetricAlarm", "SetAlarmState", "PutParameter", "Publish"}


def settled(stack: Stack) -> None:
    """Deployed, with its first hourly run over."""
    stack.create_file_system()
    stack.deploy()
    stack.live(3)


def double(stack: Stack) -> None:
    """The file system doubles, but stays too small for the Rise alarm to notice: only the hourly run can."""
    stack.sandbox.file_systems.set_size(stack.file_system_id, Size(standard_bytes=2 * TIB))
    alarm = stack.alarms()["permitted-throughput-rise"]
    stack.sandbox.client("cloudwatch").disable_alarm_actions(AlarmNames=[alarm["AlarmName"]])
    stack.permitted_bytes_per_second = 200 * MIB


def edit(stack: Stack, end: str, **changes: Any) -> None:
    """Somebody puts an alarm with some settings of their own."""
    client = stack.sandbox.client("cloudwatch")
    client.put_metric_alarm(**{**as_request(stack.alarms()[end]), **changes})


def actions_told(stack: Stack) -> list[str]:
    """The subjects that ask somebody to act."""
    return [subject for subject in stack.subjects("advice") if subject and subject.startswith("ACTION")]


def failed_runs(stack: Stack) -> int:
    name = stack.function("RecalculateThresholds")
    return sum(one.failed for one in stack.sandbox.functions.invocations if one.function_name == name)


@pytest.mark.parametrize("standard_bytes", [100 * GIB, 16 * TIB])
def test_a_keep_costs_four_calls_and_writes_nothing(stack: Stack, faults: Faults, standard_bytes: int) -> None:
    stack.standard_bytes = standard_bytes
    stack.balance_gib = full_bucket_bytes(standard_bytes) / GIB
    stack.permitted_bytes_per_second = min(burst_bytes_per_second(standard_bytes), 1024 * MIB)
    settled(stack)
    before = stack.alarms()
    stack.live_until_next_run()
    assert stack.decisions()[-1]["decision"] == "keep"
    runs = len(stack.decisions())
    stack.live_until_next_run(faults.forget)
    assert len(stack.decisions()) == runs + 1
    assert faults.of_functions() == READS
    assert stack.alarms() == before


def test_the_reference_is_a_metric_of_one_dimension_in_bytes_per_second(stack: Stack) -> None:
    settled(stack)
    client = stack.sandbox.client("cloudwatch")
    found = client.list_metrics(Namespace="EFSMonitor")["Metrics"]
    dimensions = [{"Name": "FileSystemId", "Value": stack.file_system_id}]
    assert {one["MetricName"] for one in found} == {"ReferenceThroughput"}
    assert all(one["Dimensions"] == dimensions for one in found)
    (point, *_) = client.get_metric_statistics(
        Namespace="EFSMonitor",
        MetricName="ReferenceThroughput",
        Dimensions=dimensions,
        StartTime="2030-01-07T00:00:00Z",
        EndTime="2030-01-07T01:00:00Z",
        Period=60,
        Statistics=["Maximum"],
    )["Datapoints"]
    assert (point["Maximum"], point["Unit"]) == (100 * MIB, "Bytes/Second")


def test_two_runs_at_the_same_time_leave_the_same_alarms_as_one(stack: Stack) -> None:
    settled(stack)
    double(stack)
    stack.live(2)
    with ThreadPoolExecutor(2) as pool:
        outcomes = [run.result() for run in [pool.submit(stack.recalculate) for _ in range(2)]]
    assert {outcome["decision"] for outcome in outcomes} <= {"raise", "keep"}
    both = stack.alarms()
    assert both["warning"]["Threshold"] == 180 * 60 * 200 * MIB
    assert stack.recalculate()["decision"] == "keep"
    assert stack.alarms() == both


def test_a_deleted_file_system_is_told_once_and_the_alarms_keep_their_state(stack: Stack) -> None:
    settled(stack)
    before = stack.alarms()
    stack.sandbox.file_systems.delete(stack.file_system_id)
    stack.measured = False
    stack.live(200)
    assert actions_told(stack) == [f"ACTION: file system not found, {stack.file_system_id}"]
    assert stack.alarms() == before
    assert failed_runs(stack) == 0
    assert [run["decision"] for run in stack.decisions()[-3:]] == ["none"] * 3


def test_calls_that_fail_twice_are_retried_within_the_run(stack: Stack, faults: Faults) -> None:
    settled(stack)
    double(stack)
    faults.fail("DescribeFileSystems", THROTTLED, times=1)
    faults.fail("GetMetricData", BROKEN, times=2)
    faults.fail("PutMetricAlarm", THROTTLED, skip=1, times=1)
    faults.fail("PutParameter", BROKEN, times=1)
    stack.live_until_next_run()
    assert stack.decisions()[-1]["decision"] == "raise"
    assert failed_runs(stack) == 0
    assert stack.alarms()["critical"]["Threshold"] == 60 * 60 * 200 * MIB


def test_a_write_that_fails_for_good_leaves_all_three_and_is_told_after_the_retries(
    stack: Stack, faults: Faults
) -> None:
    settled(stack)
    double(stack)
    before = stack.alarms()
    # In the middle: the one before it is written and put back, the one after it never tried.
    faults.fail("PutMetricAlarm", DENIED, about="home-permitted-throughput-rise")
    stack.live_until_next_run()
    assert configured(stack.alarms()) == configured(before)
    assert stack.failures_told() == []
    stack.live(3)
    (record,) = stack.failures_told()
    assert record["requestContext"]["condition"] == "RetriesExhausted"
    assert record["requestContext"]["approximateInvokeCount"] == 3
    assert record["responsePayload"]["errorType"] == "AwsDenied"
    assert "cloudwatch:PutMetricAlarm on home-permitted-throughput-rise" in record["responsePayload"]["errorMessage"]
    assert configured(stack.alarms()) == configured(before)
    faults.heal()
    stack.live_until_next_run()
    assert stack.alarms()["warning"]["Threshold"] == 180 * 60 * 200 * MIB


def test_an_edit_by_hand_survives_and_is_told_once_and_a_further_one_again(stack: Stack) -> None:
    settled(stack)
    edit(stack, "critical", OKActions=[], TreatMissingData="breaching", Period=120)
    double(stack)
    stack.live(185)
    found = stack.alarms()["critical"]
    assert (found["OKActions"], found["TreatMissingData"], found["Period"]) == ([], "breaching", 120)
    assert found["Threshold"] == 60 * 60 * 200 * MIB
    assert "200 MiB/s" in found["AlarmDescription"]
    edited = f"ACTION: alarm edited by hand, {stack.file_system_id}"
    rise = f"{edited} (permitted-throughput-rise)"
    assert sorted(actions_told(stack)) == sorted([f"{edited} (critical)", rise])
    body = next(one.message for one in stack.published("advice") if one.subject == f"{edited} (critical)")
    for named in ("OKActions is not set", "Period is 120, the stack has 60", "TreatMissingData is breaching"):
        assert named in " ".join(body.split())
    stack.sandbox.client("cloudwatch").disable_alarm_actions(AlarmNames=["home-critical"])
    stack.live(125)
    assert not stack.alarms()["critical"]["ActionsEnabled"]
    assert sorted(actions_told(stack)) == sorted([f"{edited} (critical)", f"{edited} (critical)", rise])


def test_a_deleted_alarm_is_told_once(stack: Stack) -> None:
    settled(stack)
    stack.sandbox.client("cloudwatch").delete_alarms(AlarmNames=["home-critical"])
    stack.live(125)
    assert actions_told(stack) == [f"ACTION: alarm deleted, nobody is warned, {stack.file_system_id} (critical)"]
    assert failed_runs(stack) == 0


def test_malformed_and_foreign_events_are_refused_by_a_logged_sentence_and_write_nothing(
    stack: Stack, faults: Faults
) -> None:
    settled(stack)
    before = stack.alarms()
    faults.forget()
    for function, log, event, sentence in REFUSED:
        answer = stack.invoke(function, event)
        assert answer["errorType"] == "EventRefused"
        assert sentence in answer["errorMessage"]
        line = stack.logged(log)[-1]
        assert (line["level"], line["refused"]) == ("ERROR", "EventRefused")
        assert sentence in line["message"]
    assert faults.of_functions() == []
    assert stack.alarms() == before


REFUSED: tuple[tuple[str, str, object, str], ...] = (
    ("RecalculateThresholds", "recalculate-thresholds", {"source": "efs-monitor.schedule", "stack": "x"}, "stack 'x'"),
    ("RecalculateThresholds", "recalculate-thresholds", {"source": "aws.s3", "detail": {}}, "source is 'aws.s3'"),
    ("RecalculateThresholds", "recalculate-thresholds", {}, "source is None"),
    ("Explain", "explain", {"source": "aws.cloudwatch", "alarmData": {"alarmName": "x"}}, "lacks 'state'"),
    ("Explain", "explain", ["a", "list"], "The event is a list"),
    ("ApplyOnDeploy", "apply-on-deploy", {"RequestType": "Create"}, "ResponseURL is None"),
)
