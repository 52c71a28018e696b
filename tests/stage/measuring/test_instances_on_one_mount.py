"""Three instances on one mount begin together, share its bandwidth, and add up to it."""

from dataclasses import replace
from pathlib import Path

import pytest
from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.overlap import Lap, overlap

from stage.measuring.script import new_run_id, started
from stage.mount.mounted import ModelledMount
from stage.mount.profile import MIB, EfsProfile

pytestmark = [pytest.mark.needs("FUSE"), pytest.mark.speed]

INSTANCES = 3
SHARED_BYTES_PER_SECOND = 60 * MIB
WORKLOADS = tuple(
    replace(CATALOGUE[name], file_bytes=size) for name, size in (("dd-write-1m-end", 48 * MIB), ("dd-read-2", 30 * MIB))
)


def test_the_rates_of_a_fleet_add_up_to_what_the_file_system_gives(folder: Path) -> None:
    run_id = new_run_id()
    with ModelledMount(folder / "efs", EfsProfile(shared_bytes_per_second=SHARED_BYTES_PER_SECOND)) as mount:
        runs = [
            started(mount.path, WORKLOADS, folder, instance=number, instances=INSTANCES, run_id=run_id)
            for number in range(1, INSTANCES + 1)
        ]
        reports = [run.report() for run in runs]
        assert list(mount.path.iterdir()) == []
    fleet = []
    for results in zip(*(report.results for report in reports), strict=True):
        laps = [
            Lap(started=one.started, ended=one.ended, instance_id=f"i-{number}", amount=one.workload.amount)
            for number, one in enumerate(results)
        ]
        together = overlap(laps)
        assert together is not None
        assert len(together.laps) == INSTANCES
        assert max(lap.started for lap in laps) - min(lap.started for lap in laps) < 0.5
        fleet.append(together.rate)
    writing, reading = fleet
    assert writing == pytest.approx(SHARED_BYTES_PER_SECOND, rel=0.1)
    assert reading == pytest.approx(3 * SHARED_BYTES_PER_SECOND, rel=0.1)
