"""What does not depend on each other comes in any order, and a deployment takes its time: nothing false is mailed."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from efs_monitor.efs.credits import GIB, TIB, burst_bytes_per_second, full_bucket_bytes

from localaws.file_systems import Size
from localaws.sandbox import Sandbox
from stage.direct_deployment import DeploymentRefused
from tests.quick import first_of
from tests.stage.monitor.stack_under_test import StackUnderTest

QUIET_MINUTES_OF_AN_UPDATE = 30
HOUR_AND_WINDOW_MINUTES = 76
SEEDS = first_of(range(4), in_ci=2)
HOURLY_FUNCTIONS = ("RecalculateThresholds", "ReportSilence")


@contextmanager
def slow_stack(built: Path, tmp_path: Path, seed: int) -> Iterator[StackUnderTest]:
    """A stack whose deployments take a minute a resource."""
    with Sandbox(tmp_path, seed=seed) as sandbox:
        stack = StackUnderTest(sandbox=sandbox, built=built)
        stack.create_file_system()
        stack.live(2)
        sandbox.cloudformation.pause = stack.live
        yield stack


def every_hour_falls_here(stack: StackUnderTest) -> None:
    """After each resource, whatever runs hourly runs now, and is not tried again."""

    def pause() -> None:
        found = stack.sandbox.client("cloudformation").describe_stack_resources(StackName=stack.name)["StackResources"]
        complete = {one["LogicalResourceId"] for one in found if one["ResourceStatus"].endswith("_COMPLETE")}
        for function in HOURLY_FUNCTIONS:
            if function in complete:
                # Another hour has another second's quotas: nobody waits for those of the run before.
                stack.sandbox.quotas.second_passes()
                stack.invoke(function, {"source": "efs-monitor.schedule", "stack": stack.name})

    stack.sandbox.cloudformation.pause = pause


def without_last_resource(template: dict[str, Any]) -> None:
    """Let the deployment fail when everything else is done."""
    resources = template["Resources"]
    resources["Last"] = {
        "Type": "AWS::SNS::Topic",
        "Properties": {"TopicName": "no name at all"},
        "DependsOn": [name for name, one in resources.items() if "Condition" not in one],
    }


def told_by(stack: StackUnderTest, **parameters: str) -> list[str]:
    """What anybody is told of a deployment, and of some minutes after it."""
    return told_while(stack, lambda: stack.deploy(**parameters))


def told_while(stack: StackUnderTest, act: Callable[[], object]) -> list[str]:
    """What anybody is told of something, and of some minutes after it."""
    before = len(stack.sandbox.mailbox.publications)
    act()
    stack.live(3)
    # What Lambda tells of a run that failed for good has no subject.
    return sorted(one.subject or one.message for one in stack.sandbox.mailbox.publications[before:])


def armed(*ends: str) -> list[str]:
    """What CloudWatch says of a new alarm that has seen its first datapoint."""
    return [f'OK: "home-{end}" in US East (N. Virginia)' for end in ends]


def order(sandbox: Sandbox) -> list[str]:
    """The resources of a stack that do not depend on each other, in the order in which they were complete."""
    cloudformation = sandbox.client("cloudformation")
    topics = {f"Topic{letter}": {"Type": "AWS::SNS::Topic"} for letter in "ABCDEFGH"}
    cloudformation.create_stack(StackName="topics", TemplateBody=json.dumps({"Resources": topics}))
    cloudformation.get_waiter("stack_create_complete").wait(StackName="topics", WaiterConfig={"Delay": 0.05})
    events = cloudformation.describe_stack_events(StackName="topics")["StackEvents"]
    found = [one["LogicalResourceId"] for one in reversed(events) if one["ResourceStatus"] == "CREATE_COMPLETE"]
    return [one for one in found if one in topics]


@pytest.mark.whole
@pytest.mark.parametrize("seed", SEEDS)
def test_deployments_mail_nothing_but_that_new_alarms_are_armed(built: Path, tmp_path: Path, seed: int) -> None:
    with slow_stack(built, tmp_path, seed) as stack:
        assert told_by(stack, BenchmarkPath="/mnt/efs", BenchmarkSchedule="") == armed(
            "critical", "draining", "exhausted", "warning"
        )
        assert told_by(stack, WarningMinutes="120", AlertEmail="night-shift@example.com") == []
        more = {"UtilizationAlarm": "on", "RunbookUrl": "https://example.com/runbook"}
        assert told_by(stack, **more) == armed("throughput-utilization")
        assert told_by(stack) == []
        stack.file_system_id = "fs-0fedcba9876543210"
        stack.create_file_system()
        stack.live(2)
        watching = armed("critical", "draining", "exhausted", "warning", "throughput-utilization")
        assert set(told_by(stack)) <= set(watching)


@pytest.mark.more
@pytest.mark.parametrize("seed", range(4))
def test_runs_in_the_middle_of_deployments_mail_nothing_false(built: Path, tmp_path: Path, seed: int) -> None:
    """Of a creation, of updates, of one that goes over to a larger file system, and of one that is rolled back."""
    with slow_stack(built, tmp_path, seed) as stack:
        every_hour_falls_here(stack)
        assert set(told_by(stack)) <= set(armed("critical", "draining", "exhausted", "warning"))
        assert told_by(stack, WarningMinutes="120", AlertEmail="night-shift@example.com") == []
        stack.file_system_id = "fs-0fedcba9876543210"
        stack.standard_bytes = 4 * TIB
        stack.balance_gib = full_bucket_bytes(stack.standard_bytes) / GIB
        stack.permitted_bytes_per_second = burst_bytes_per_second(stack.standard_bytes)
        stack.create_file_system()
        stack.live(2)

        def roll_back() -> None:
            with pytest.raises(DeploymentRefused):
                stack.deploy_changed(without_last_resource, WarningMinutes="180")

        assert set(told_while(stack, roll_back)) <= set(armed("critical", "draining", "exhausted", "warning"))
        assert stack.status() == "UPDATE_ROLLBACK_COMPLETE"
        assert set(told_by(stack, WarningMinutes="90")) <= set(armed("critical", "draining", "exhausted", "warning"))


@pytest.mark.more
def test_an_update_that_hangs_keeps_no_threshold_down(built: Path, tmp_path: Path) -> None:
    """CloudFormation waits for something that does not come, and meanwhile the file system grows."""
    with slow_stack(built, tmp_path, seed=1) as stack:
        stack.sandbox.cloudformation.pause = lambda: None
        stack.deploy()
        stack.live(3)
        in_the_end = []

        def hang() -> None:
            stack.sandbox.cloudformation.pause = lambda: None
            stack.sandbox.file_systems.set_size(stack.file_system_id, Size(standard_bytes=2 * TIB))
            stack.permitted_bytes_per_second = burst_bytes_per_second(2 * TIB)
            stack.live(QUIET_MINUTES_OF_AN_UPDATE + HOUR_AND_WINDOW_MINUTES)
            assert stack.status() == "UPDATE_IN_PROGRESS"
            in_the_end.append(stack.alarms()["critical"]["Threshold"])

        stack.sandbox.cloudformation.pause = hang
        stack.deploy(AlertEmail="night-shift@example.com")
        assert in_the_end == [60 * 60 * burst_bytes_per_second(2 * TIB)]


def test_the_seed_chooses_the_order(tmp_path: Path) -> None:
    orders = []
    for number, seed in enumerate((1, 1, 2)):
        with Sandbox(tmp_path / str(number), seed=seed) as sandbox:
            orders.append(order(sandbox))
    assert orders[0] == orders[1] != orders[2]
    assert {len(one) for one in orders} == {8}
