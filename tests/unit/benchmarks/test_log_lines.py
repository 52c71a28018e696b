"""What the log says of a run, field by field: saved queries read these names."""

from datetime import UTC, datetime, timedelta
from typing import Any

from efs_monitor.benchmarks.log_lines import measured_lines, run_line
from efs_monitor.benchmarks.outcome import RunOutcome, run_outcome
from efs_monitor.benchmarks.past_rates import Regression
from efs_monitor.benchmarks.profiles import workload
from efs_monitor.benchmarks.sent_commands import Invocation

from tests.unit.benchmarks.script_output import MACHINE, bad, lines, ok

SENT = datetime(2026, 11, 17, 3, 0, 0, tzinfo=UTC)
ONE, TWO = "i-00000000000000001", "i-00000000000000002"
TOUCH, WRITE, UNPUBLISHED = (workload(each) for each in ("touch-serial", "dd-write-1m-end", "files-write-10mb-4"))
PLAN = (TOUCH, WRITE, UNPUBLISHED)
OF_THE_MACHINE: dict[str, Any] = {
    "instance_id": ONE,
    "instance_type": "m5.large",
    "kernel": "6.1.0",
    "mount_options": "fs-1:/ rw,vers=4.1",
    "read_ahead_kb": 15000,
    "agent": "3.3.2746.0",
    "tools": {"bash": "5.2", "dd": "9.1"},
}
OF_NO_MACHINE: dict[str, Any] = {
    "instance_id": TWO,
    "instance_type": "unknown",
    "kernel": "",
    "mount_options": "",
    "read_ahead_kb": None,
    "agent": "",
    "tools": {},
}
OF_THE_WRITE: dict[str, Any] = {
    "run_id": "run-20261117t030000z-1a2b3c4d",
    "command_id": "e8d3c0e4",
    "workload": "dd-write-1m-end",
    "family": "dd-write",
    "threads": 1,
    "block_bytes": 1024**2,
    "sync": "end",
    "files": 1,
    "bytes": 2 * 1024**3,
}


def invocation(output: str, instance_id: str, status: str = "Success") -> Invocation:
    return Invocation(
        instance_id=instance_id,
        status=status,
        detail=status,
        started=SENT,
        ended=SENT + timedelta(minutes=1),
        output=output,
    )


def test_a_tool_that_started_fewer_processes_than_it_has_threads_is_told() -> None:
    copy = workload("copy-fpsync")
    output = lines(MACHINE, {**ok(copy), "processes": 3})
    (line,) = measured_lines("e8d3c0e4", run_outcome("run", SENT, (copy,), (invocation(output, ONE),)))
    assert (line["status"], line["threads"], line["processes"]) == ("ok", 32, 3)


def outcome() -> RunOutcome:
    """One instance measured everything; the other said nothing of itself, and that a single workload failed."""
    whole = lines(MACHINE, ok(TOUCH, seconds=16.0), ok(WRITE, seconds=8.0), ok(UNPUBLISHED, seconds=2.0))
    spoilt = lines("no JSON object") + lines(bad(WRITE, "failed", "no space left on device"))
    return run_outcome(
        "run-20261117t030000z-1a2b3c4d", SENT, PLAN, [invocation(whole, ONE), invocation(spoilt, TWO, "Failed")]
    )


def line(instance_id: str, workload_id: str) -> dict[str, Any]:
    (found,) = [
        one
        for one in measured_lines("e8d3c0e4", outcome())
        if (one["instance_id"], one["workload"]) == (instance_id, workload_id)
    ]
    return found


def test_there_is_a_line_for_each_workload_on_each_instance() -> None:
    found = [(one["instance_id"], one["workload"]) for one in measured_lines("e8d3c0e4", outcome())]
    assert found == [(instance, each.id) for instance in (ONE, TWO) for each in PLAN]


def test_a_measured_write_stands_beside_what_was_published() -> None:
    gib_in_8_seconds = 2 * 1024**3 / 8
    found = line(ONE, "dd-write-1m-end")
    assert found.pop("ratio_to_published") == gib_in_8_seconds / found["published"]
    assert abs(found.pop("published") - 201e6) < 1e6
    assert found == OF_THE_MACHINE | OF_THE_WRITE | {
        "status": "ok",
        "seconds": 8.0,
        "rate": gib_in_8_seconds,
        "unit": "Bytes/Second",
        "shown": "256.0 MiB/s",
        "published_shown": "191.4 MiB/s",
        "published_by": "efs-tutorial-1.1.4 3.3",
        "published_instance_type": "c5.2xlarge",
    }


def test_files_are_shown_in_files_a_second() -> None:
    found = line(ONE, "touch-serial")
    assert (found["shown"], found["published_shown"], found["unit"]) == ("64.0 files/s", "63.1 files/s", "Count/Second")


def test_what_nobody_published_has_no_ratio() -> None:
    found = line(ONE, "files-write-10mb-4")
    assert found["shown"].endswith(" MiB/s")
    assert not [name for name in found if "published" in name]


def test_a_failed_workload_has_its_reason_and_no_rate() -> None:
    assert line(TWO, "dd-write-1m-end") == OF_NO_MACHINE | OF_THE_WRITE | {
        "status": "failed",
        "reason": "no space left on device",
    }


def test_the_line_of_the_run_says_what_it_came_to() -> None:
    run = outcome()
    regression = Regression(workload_id="touch-serial", rate=64.0, median_rate=128.0)
    assert run_line("e8d3c0e4", run, [regression], 2) == {
        "run_id": "run-20261117t030000z-1a2b3c4d",
        "command_id": "e8d3c0e4",
        "time": "2026-11-17T03:00:00+00:00",
        "success": False,
        "instances": [ONE, TWO],
        "measured": [each.id for each in PLAN],
        "failures": [
            f"{TWO}: dd-write-1m-end: no space left on device",
            f"{TWO}: the script failed",
        ],
        "unreadable_lines": 1,
        "cost_bytes": run.cost.metered_bytes,
        "billed_bytes": run.cost.billed_bytes,
        "consecutive_failures": 2,
        "regressions": ["touch-serial: 50 % of its median"],
    }
