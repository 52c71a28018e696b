"""The readable mail of an alarm, on a file system that is measured."""

from datetime import timedelta
from typing import Any

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import GIB, MIB

from localaws.cloudwatch.metrics import MetricId
from proofs.faults.starting_points import change, live
from tests.stage.benchmark_functions.conftest import NAMES, Stage


def measured(stage: Stage, workload: str, name: str, rate: float, *, hours_ago: int) -> None:
    identity = MetricId.of("EFSMonitor", name, FileSystemId=NAMES.file_system_id, Workload=workload)
    stage.sandbox.metrics.record(identity, stage.sandbox.clock.now() - timedelta(hours=hours_ago), rate)


def mailed(stage: Stage) -> str:
    """The text of the mail about a Warning that has gone off, on one line."""
    live(stage.home, 700 * GIB, 2)
    event: Any = change(AlarmKind.WARNING)(stage.home, "")
    stage.home.call("explain", event)
    return " ".join(stage.home.published("advice")[-1].message.split())


@pytest.fixture
def old_enough(stage: Stage) -> Stage:
    """Noon: everything may have been hours ago."""
    stage.sandbox.clock.move_to(stage.sandbox.clock.now() + timedelta(hours=72))
    return stage


def usually(stage: Stage, workload: str, name: str, rate: float) -> None:
    for days in range(1, 6):
        measured(stage, workload, name, rate, hours_ago=2 + days * 12)


def test_a_workload_that_became_slow_stands_in_the_mail_and_no_other(old_enough: Stage) -> None:
    usually(old_enough, "dd-write-1m-end", "Throughput", 153 * MIB)
    usually(old_enough, "touch-serial", "OperationRate", 60)
    measured(old_enough, "dd-write-1m-end", "Throughput", 80 * MIB, hours_ago=2)
    measured(old_enough, "touch-serial", "OperationRate", 58, hours_ago=2)
    text = mailed(old_enough)
    assert "far slower than usual: dd-write-1m-end 80 MiB/s (usually 153)." in text
    assert "touch-serial" not in text


def test_what_is_as_fast_as_usual_is_no_line_in_the_mail(old_enough: Stage) -> None:
    usually(old_enough, "dd-write-1m-end", "Throughput", 153 * MIB)
    measured(old_enough, "dd-write-1m-end", "Throughput", 150 * MIB, hours_ago=2)
    assert "benchmark" not in mailed(old_enough)


def test_what_only_an_older_run_measured_is_left_out(old_enough: Stage) -> None:
    measured(old_enough, "dd-write-1m-end", "Throughput", 153 * MIB, hours_ago=2)
    usually(old_enough, "touch-serial", "OperationRate", 60)
    measured(old_enough, "touch-serial", "OperationRate", 5, hours_ago=13)
    assert "touch-serial" not in mailed(old_enough)


def test_without_a_benchmark_the_mail_says_nothing_of_one(old_enough: Stage) -> None:
    assert "benchmark" not in mailed(old_enough)


def test_without_benchmarks_nothing_is_looked_for(old_enough: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    measured(old_enough, "dd-write-1m-end", "Throughput", 153 * MIB, hours_ago=2)
    monkeypatch.setenv("BENCHMARK_PROFILE", "")
    assert "benchmark" not in mailed(old_enough)
