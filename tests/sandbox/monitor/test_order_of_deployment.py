"""What does not depend on each other comes in any order, and a deployment takes its time: nothing false is mailed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sandbox.sandbox import Sandbox
from tests.sandbox.monitor.stack import Stack

SEEDS = range(2)


@contextmanager
def slow_stack(built: Path, tmp_path: Path, seed: int) -> Iterator[Stack]:
    """A stack whose deployments take a minute a resource."""
    with Sandbox(tmp_path, seed=seed) as sandbox:
        stack = Stack(sandbox=sandbox, built=built)
        stack.create_file_system()
        stack.live(2)
        sandbox.cloudformation.pause = stack.live
        yield stack


def told_by(stack: Stack, **parameters: str) -> list[str]:
    """What anybody is told of a deployment, and of some minutes after it."""
    before = len(stack.sandbox.mailbox.publications)
    stack.deploy(**parameters)
    stack.live(3)
    return sorted(str(one.subject) for one in stack.sandbox.mailbox.publications[before:])


def armed(*ends: str) -> list[str]:
    """What CloudWatch says of a new alarm that has seen its first datapoint."""
    return [f'OK: "home-{end}" in US East (N. Virginia)' for end in ends]


def order(stack: Stack) -> list[str]:
    """The resources in the order in which they were complete."""
    events = stack.sandbox.client("cloudformation").describe_stack_events(StackName=stack.name)["StackEvents"]
    return [one["LogicalResourceId"] for one in reversed(events) if one["ResourceStatus"] == "CREATE_COMPLETE"]


@pytest.mark.parametrize("seed", SEEDS)
def test_deployments_mail_nothing_but_that_new_alarms_are_armed(built: Path, tmp_path: Path, seed: int) -> None:
    with slow_stack(built, tmp_path, seed) as stack:
        assert told_by(stack, BenchmarkPath="/mnt/efs", BenchmarkSchedule="") == armed("critical", "warning")
        assert told_by(stack, WarningMinutes="120", AlertEmail="night-shift@example.com") == []
        more = {"UtilizationAlarm": "on", "RunbookUrl": "https://example.com/runbook"}
        assert told_by(stack, **more) == armed("throughput-utilization")
        assert told_by(stack) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_another_file_system_mails_nothing_but_that_its_alarms_are_armed(
    built: Path, tmp_path: Path, seed: int
) -> None:
    with slow_stack(built, tmp_path, seed) as stack:
        stack.sandbox.cloudformation.pause = lambda: None
        told_by(stack)
        stack.file_system_id = "fs-0fedcba9876543210"
        stack.create_file_system()
        stack.live(2)
        stack.sandbox.cloudformation.pause = stack.live
        assert set(told_by(stack)) <= set(armed("critical", "warning"))


def test_the_seed_chooses_the_order(built: Path, tmp_path: Path) -> None:
    orders = []
    for number, seed in enumerate((1, 1, 2)):
        with slow_stack(built, tmp_path / str(number), seed) as stack:
            stack.sandbox.cloudformation.pause = lambda: None
            stack.deploy()
            orders.append(order(stack))
    assert orders[0] == orders[1] != orders[2]
