"""What a run was said to cost, against what the file system of the sandbox meters when the real script does it."""

import subprocess
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from efs_monitor.benchmarks.cost import run_cost
from efs_monitor.benchmarks.profiles import workload
from efs_monitor.benchmarks.workloads import scaled

from stage.measuring.script import new_run_id, started
from stage.mount.mounted import ModelledMount

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


@pytest.mark.whole
@pytest.mark.needs("place to copy")
def test_a_run_never_takes_more_credits_than_was_said_before_it(folder: Path) -> None:
    local = folder / "local"
    local.mkdir(mode=0o777)
    local.chmod(0o777)
    with ModelledMount(folder / "efs") as mount:
        started(mount.path, EVERY_KIND, folder, local_path=local).report()
        metered = mount.metered()
    said = run_cost(EVERY_KIND, 1)
    assert sum(one.bytes for one in EVERY_KIND[:-1]) < metered.metered_bytes <= said.metered_bytes
    assert metered.metadata_operations > 1024


def operations_a_file(metadata_operations: Callable[[int], int]) -> float:
    """Of what is done to many files: what one more takes."""
    few, many = 30, 90
    return (metadata_operations(many) - metadata_operations(few)) / (many - few)


def test_the_script_asks_for_nothing_more_of_a_file_than_the_command_by_hand(folder: Path) -> None:
    """Each operation is a round trip of the time that is measured."""
    each_bytes = 10_000
    number = count()

    def by_script(files: int) -> int:
        small = replace(workload("files-write-10kb-2"), threads=1, files=files, file_bytes=each_bytes)
        with ModelledMount(folder / f"efs-{next(number)}") as mount:
            started(mount.path, (small,), folder).report()
            return mount.metered().metadata_operations

    def by_hand(files: int) -> int:
        command = f"dd if=/dev/zero bs=1M count={each_bytes} iflag=count_bytes conv=fsync status=none"
        with ModelledMount(folder / f"efs-{next(number)}") as mount:
            loop = f"mkdir x; for i in $(seq {files}); do {command} of=x/$i; done; rm -rf x"
            subprocess.run(["/bin/sh", "-c", loop], cwd=mount.path, check=True)
            return mount.metered().metadata_operations

    assert operations_a_file(by_script) == pytest.approx(operations_a_file(by_hand), abs=0.5)


@pytest.mark.more
def test_a_run_of_two_instances_never_takes_more_credits_than_was_said_before_it(folder: Path) -> None:
    plan, run_id = EVERY_KIND[:3], new_run_id()
    with ModelledMount(folder / "efs") as mount:
        runs = [started(mount.path, plan, folder, instance=number, instances=2, run_id=run_id) for number in (1, 2)]
        for run in runs:
            run.report()
        metered_bytes = mount.metered().metered_bytes
    assert metered_bytes <= run_cost(plan, 2).metered_bytes
