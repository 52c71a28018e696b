"""Whether a mount set to the tutorial's file system reproduces the table that the tutorial published."""

import itertools
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.benchmarks.published import Published, figures
from efs_monitor.benchmarks.workloads import Do, Sync, Target, Tool, Workload

from localaws.ssm.host import SYSTEM_PATH
from stage.measuring.script import has_place_to_copy, measured
from stage.mount.mounted import ModelledMount
from stage.mount.tutorial import EBS_GP2, SHORT_BYTES, TUTORIAL

INSTANCE_TYPE = "c5.2xlarge"
SOURCE = "efs-tutorial-1.1.4"
LONG_ID = "dd-write-large"
SIZE_MIB = 128
RATIO_LIMIT = 0.30
CLEARLY_DIFFERENT = 0.25


@dataclass(frozen=True, kw_only=True)
class Row:
    """A line of the table: what was measured here beside what was published, both in bytes or files per second."""

    workload: Workload
    measured: float
    published: float

    @property
    def ratio(self) -> float:
        """Measured to published."""
        return self.measured / self.published

    @property
    def off(self) -> float:
        """The share by which the larger of the two passes the smaller."""
        return max(self.ratio, 1 / self.ratio) - 1


def tutorial_table(folder: Path, workloads: Sequence[Workload]) -> list[Row]:
    """The workloads as measured here, the local baselines on a mount like the tutorial's EBS disk."""
    with ModelledMount(folder / "efs", TUTORIAL) as efs, ModelledMount(folder / "ebs", EBS_GP2) as ebs:
        results = measured(efs.path, workloads, folder, local_path=ebs.path)
    published = {workload.id: figure.rate for workload in workloads if (figure := _published(workload))}
    return [Row(workload=one.workload, measured=one.rate, published=published[one.workload.id]) for one in results]


def tutorial_workloads(*, touched_files: int | None = None, copied_mib: int = SIZE_MIB) -> tuple[Workload, ...]:
    """What the tutorial published for a c5.2xlarge and its disk, at 128 MiB a workload or less.

    Copies are those whose tools are nearly everywhere: cp and rsync. `touched_files` and `copied_mib` make what takes
    long shorter; its rate stays what it is, since every file takes the same.
    """
    chosen = [
        *workloads_of("tutorial", size_mib=SIZE_MIB, local_baselines=True),
        *(one for one in workloads_of("copy", size_mib=copied_mib) if one.tool in {Tool.CP, Tool.RSYNC}),
    ]
    return tuple(_shortened(one, touched_files) for one in chosen if _published(one) is not None)


def lacking(workload: Workload) -> str | None:
    """Why this machine cannot run a copy, as an instance's script sees it; None where it can."""
    if workload.tool is None:
        return None
    if shutil.which(workload.tool, path=SYSTEM_PATH) is None:
        return f"{workload.tool.value} is not installed"
    return None if has_place_to_copy() else "root can make no mount namespace here"


def out_of_order(rows: Sequence[Row]) -> list[str]:
    """Pairs whose published figures differ by more than 25 % and that came out the other way round."""
    wrong = []
    for one, other in itertools.combinations(rows, 2):
        slow, fast = sorted((one, other), key=lambda row: row.published)
        comparable = one.workload.rate_kind is other.workload.rate_kind
        if comparable and fast.published > slow.published * (1 + CLEARLY_DIFFERENT) and fast.measured <= slow.measured:
            wrong.append(f"{slow.workload.id} came out faster than {fast.workload.id}")
    return wrong


def _shortened(workload: Workload, touched_files: int | None) -> Workload:
    if workload.do is Do.TOUCH and workload.directories == 1:
        return replace(workload, files=touched_files or workload.files)
    # The long write differs from `dd-write-1m-end` by nothing but its size, and scaled to one size the two would be one
    # command: what stands for 2 GiB stays below what stands for 20.
    if workload.sync is Sync.END and workload.file_bytes > SHORT_BYTES and workload.id != LONG_ID:
        return replace(workload, file_bytes=SHORT_BYTES)
    return workload


def _published(workload: Workload) -> Published | None:
    storage = "ebs-gp2" if workload.on is Target.LOCAL else "efs"
    rows = (row for row in figures(workload) if row.source == SOURCE and row.instance_type == INSTANCE_TYPE)
    return next((row for row in rows if row.storage == storage), None)
