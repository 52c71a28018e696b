"""How long a run may take before it is given up."""

from efs_monitor.benchmarks.deadline import deadline_seconds, execution_timeout_seconds
from efs_monitor.benchmarks.profiles import workload, workloads_of


def test_the_shortest_run_has_five_minutes() -> None:
    assert deadline_seconds(()) == 300
    assert deadline_seconds((workload("touch-serial"),)) == 300


def test_a_run_has_the_time_that_a_file_system_with_few_credits_needs() -> None:
    # 60 s around it and 15 s for the workload; twice its 2 GiB (the bytes and their writing) at 5 MiB/s, and a file.
    assert deadline_seconds((workload("dd-write-1m-end"),)) == round(60 + 15 + 2 * 2048 / 5 + 1 / 20)
    # Two files of 1 GiB: the bytes, their writing before and their reading.
    reading = workload("dd-read-2")
    mib = 2048 + (reading.written_bytes + reading.read_bytes) / 1024**2
    assert mib > 3 * 2048
    assert deadline_seconds((reading,)) == round(60 + 15 + mib / 5 + 2 / 20)
    # 1,024 files at 20 a second.
    assert deadline_seconds((workload("touch-serial"),) * 5) == round(60 + 5 * (15 + 1024 / 20))


def test_no_run_has_more_than_six_hours() -> None:
    assert deadline_seconds(workloads_of("sweep") * 100) == 6 * 3600


def test_systems_manager_waits_two_minutes_longer() -> None:
    assert execution_timeout_seconds(()) == 420
