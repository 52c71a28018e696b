"""The hours after a deployment: what the recalculation repairs, survives, tells once and leaves alone."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from efs_monitor.efs.credits import MIB, TIB

from localaws.file_systems import Size
from tests.stage.monitor.conftest import configured
from tests.stage.monitor.faults import DENIED, FaultInjector
from tests.stage.monitor.stack_under_test import StackUnderTest


def settled(stack: StackUnderTest) -> None:
    """Deployed, with its first hourly run over."""
    stack.create_file_system()
    stack.deploy()
    stack.live(3)


def double(stack: StackUnderTest) -> None:
    """The file system doubles, but stays too small for the Rise alarm to notice: only the hourly run can."""
    stack.sandbox.file_systems.set_size(stack.file_system_id, Size(standard_bytes=2 * TIB))
    alarm = stack.alarms()["permitted-throughput-rise"]
    stack.sandbox.client("cloudwatch").disable_alarm_actions(AlarmNames=[alarm["AlarmName"]])
    stack.permitted_bytes_per_second = 200 * MIB


def test_two_runs_at_the_same_time_leave_the_same_alarms_as_one(stack: StackUnderTest) -> None:
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


@pytest.mark.whole
def test_a_write_that_fails_for_good_leaves_all_three_and_is_told_after_the_retries(
    stack: StackUnderTest, faults: FaultInjector
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
