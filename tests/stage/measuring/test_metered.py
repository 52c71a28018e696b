"""What a run costs is known beforehand, and the mount meters no more than that."""

from pathlib import Path

import pytest
from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.benchmarks.workloads import Do

from stage.measuring.script import measured
from stage.mount.mounted import ModelledMount


@pytest.mark.more
@pytest.mark.needs("FUSE")
def test_a_run_spends_no_more_credits_than_it_was_said_to(folder: Path) -> None:
    workloads = workloads_of("quick", size_mib=16)
    with ModelledMount(folder / "efs") as mount:
        measured(mount.path, workloads, folder)
        spent_bytes = mount.metered().metered_bytes
    assert spent_bytes > sum(one.bytes for one in workloads if one.do is Do.WRITE)
    assert spent_bytes <= sum(one.metered_bytes for one in workloads)
