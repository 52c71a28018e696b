"""The table of a benchmark's results, in the units of people."""

import pytest
from efs_monitor.benchmarks.catalogue import local_baseline
from efs_monitor.benchmarks.profiles import PROFILES, workloads_of
from efs_monitor.benchmarks.results import Machine, Report, Result, Status
from efs_monitor.benchmarks.workloads import Do, Sync, Workload

from operate.benchmark.results_table import as_json, table

MIB = 2**20
TOUCH = Workload(id="touch-serial", do=Do.TOUCH, threads=1, files=1024)
WRITE = Workload(
    id="dd-write-1m-each", do=Do.WRITE, threads=1, files=1, file_bytes=128 * MIB, block_bytes=MIB, sync=Sync.EACH
)


def report(*results: Result, instance_type: str = "m5.large") -> Report:
    machine = Machine(
        run_id="run",
        instance_id="i-1",
        instance_type=instance_type,
        kernel="6.1",
        mount_options="",
        read_ahead_kb=None,
        agent="3.3",
        user="1",
        tools=(),
    )
    return Report(machine=machine, results=results)


def ok(workload: Workload, seconds: float) -> Result:
    return Result(workload=workload, status=Status.OK, seconds=seconds)


def cells(*lines: str) -> list[str]:
    return [cell.strip() for line in lines for cell in line.split("|")]


def test_a_rate_stands_beside_the_published_one_and_their_ratio() -> None:
    _, _, _, *lines, _ = table([report(ok(TOUCH, 16.219), ok(WRITE, 5.12))])
    touch, write = cells(*lines[:2]), cells(*lines[2:])
    assert touch == ["touch-serial", "m5.large", "1", "-", "-", "16.22 s", "63 files/s", "63 files/s", "1.00"]
    assert write[3:7] == ["1 MiB", "each", "5.12 s", "25.0 MiB/s"]
    assert write[8] == "1.04"


def test_a_workload_without_a_result_says_why_in_the_place_of_its_figures() -> None:
    failed = Result(workload=WRITE, status=Status.FAILED, reason="no space left on device")
    _, _, _, words, figures, why, *_ = table([report(failed)])
    assert cells(words, figures)[5:7] == ["failed", "-"]
    assert why == "  no space left on device"


def test_instances_stand_below_each_other_workload_by_workload() -> None:
    small, large = (report(ok(TOUCH, 1), ok(WRITE, 1), instance_type=kind) for kind in ("m5.large", "c5.2xlarge"))
    assert [cells(line) for line in [*table([small, large])][3:-1:2]] == [
        ["touch-serial", "m5.large"],
        ["touch-serial", "c5.2xlarge"],
        ["dd-write-1m-each", "m5.large"],
        ["dd-write-1m-each", "c5.2xlarge"],
    ]


def test_every_line_of_figures_is_as_wide_as_the_headings() -> None:
    _, headings, rule, *rows, _ = table([report(ok(TOUCH, 1), ok(WRITE, 1))])
    assert {len(line) for line in (headings, rule, *rows[1::2])} == {len(headings)}


@pytest.mark.parametrize("profile", PROFILES)
def test_no_line_of_any_profile_is_wider_than_a_terminal(profile: str) -> None:
    remote = workloads_of(profile)
    workloads = [*remote, *filter(None, map(local_baseline, remote))]
    fast = Report(machine=None, results=tuple(ok(workload, 0.2) for workload in workloads))
    slow = Report(
        machine=None,
        results=tuple(Result(workload=workload, status=Status.FAILED, reason="why " * 40) for workload in workloads),
    )
    assert max(len(line) for text in table([fast, slow]) for line in text.splitlines()) <= 80


def test_whose_figures_they_are_stands_below() -> None:
    *_, last = table([report(ok(TOUCH, 1))])
    assert last.startswith("published: ")
    assert "c5.2xlarge" in last


def test_a_machine_that_said_nothing_is_unknown() -> None:
    silent = Report(machine=None, results=(Result(workload=TOUCH, status=Status.FAILED, reason="x", reported=False),))
    assert cells([*table([silent])][3])[1] == "unknown"


def test_a_program_gets_rates_in_one_unit_and_why_there_is_none() -> None:
    failed = Result(workload=TOUCH, status=Status.FAILED, reason="no space left on device")
    touch, write = as_json([report(failed, ok(WRITE, 5.12))])
    assert (touch["status"], touch["rate_per_second"], touch["reason"]) == ("failed", None, "no space left on device")
    assert (write["rate_per_second"], write["unit"]) == (WRITE.amount / 5.12, "bytes")
    assert touch["unit"] == "files"
    assert touch["published_per_second"] == pytest.approx(63, abs=1)
