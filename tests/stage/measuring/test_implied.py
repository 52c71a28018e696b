"""What the model's latencies and bandwidths make of a workload, worked out by hand for a few."""

from dataclasses import replace

import pytest
from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.workloads import Workload

from stage.measuring.calibration import implied_bytes_per_second, implied_files_per_second
from stage.mount.profile import MIB, EfsProfile

PROFILE = EfsProfile(
    create_seconds=0.01,
    setattr_seconds=0.02,
    commit_seconds=0.05,
    read_seconds=0.005,
    stream_bytes_per_second=100 * MIB,
    shared_bytes_per_second=150 * MIB,
)


def of_size(workload_id: str, file_mib: int) -> Workload:
    return replace(CATALOGUE[workload_id], file_bytes=file_mib * MIB)


@pytest.mark.parametrize(
    ("workload", "seconds"),
    [
        pytest.param(of_size("dd-write-1m-end", 100), 1.0 + 0.05, id="one commit at the end"),
        pytest.param(of_size("dd-write-1m-each", 100), 1.0 + 100 * 0.05, id="a commit for each block of 1 MiB"),
        pytest.param(of_size("dd-write-16m-each", 160), 1.6 + 10 * 0.05, id="a commit for each block of 16 MiB"),
        pytest.param(of_size("dd-write-4-writers", 10), 0.1 + 10 * 0.05, id="writers that do not fill the wire"),
        pytest.param(of_size("dd-write-16-writers", 10), 160 / 150 + 0.05, id="writers that fill it"),
        pytest.param(of_size("dd-read-4", 100), 1.0 + 100 * 0.005, id="a third of what is read is on the wire"),
    ],
)
def test_a_dd_takes_as_long_as_its_bytes_and_its_waits(workload: Workload, seconds: float) -> None:
    assert workload.bytes / implied_bytes_per_second(workload, PROFILE) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("workload_id", "own_seconds", "seconds"),
    [
        pytest.param("touch-serial", 1.024, 1024 * 0.031, id="one after the other, with its processes"),
        pytest.param("touch-parallel", 1.024, 1024 * 0.010 + 0.02, id="one directory creates one after the other"),
        pytest.param("touch-parallel-directories", 0.32, 32 * 0.030 + 0.01, id="32 directories at a time"),
        pytest.param("touch-parallel", 60.0, 60.0, id="processes that take longer than the file system"),
    ],
)
def test_a_touch_takes_as_long_as_its_latencies(workload_id: str, own_seconds: float, seconds: float) -> None:
    workload = CATALOGUE[workload_id]
    implied = implied_files_per_second(workload, PROFILE, own_seconds=own_seconds)
    assert workload.files / implied == pytest.approx(seconds)
