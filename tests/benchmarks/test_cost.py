"""What a run was said to cost, against what the file system of the sandbox meters when the real script does it."""

from pathlib import Path

import pytest
from efs_monitor.benchmarks.cost import run_cost
from efs_monitor.benchmarks.profiles import workload
from efs_monitor.benchmarks.scaling import scaled

from sandbox.measuring.script import new_run_id, started
from sandbox.mount.mounted import Mount

pytestmark = pytest.mark.needs("FUSE")

EVERY_KIND = tuple(
    scaled(workload(workload_id), 16)
    for workload_id in (
        "touch-parallel-directories",
        "dd-write-1m-each",
        "dd-write-16-writers",
        "dd-read-4",
        "files-write-10kb-4",
        "copy-cp",
        "dd-write-1m-end-local",
    )
)


def test_a_run_never_takes_more_credits_than_was_said_before_it(folder: Path) -> None:
    local = folder / "local"
    local.mkdir(mode=0o777)
    local.chmod(0o777)
    with Mount(folder / "efs") as mount:
        started(mount.path, EVERY_KIND, folder, local_path=local).report()
        metered = mount.metered()
    said = run_cost(EVERY_KIND, 1)
    assert sum(one.bytes for one in EVERY_KIND[:-1]) < metered.metered_bytes <= said.metered_bytes
    assert metered.metadata_operations > 1024


def test_a_run_of_two_instances_never_takes_more_credits_than_was_said_before_it(folder: Path) -> None:
    plan, run_id = EVERY_KIND[:3], new_run_id()
    with Mount(folder / "efs") as mount:
        runs = [started(mount.path, plan, folder, instance=number, instances=2, run_id=run_id) for number in (1, 2)]
        for run in runs:
            run.report()
        metered_bytes = mount.metered().metered_bytes
    assert metered_bytes <= run_cost(plan, 2).metered_bytes
