"""Which published result a workload is compared with, of all those that were published."""

from collections import defaultdict
from collections.abc import Mapping

from efs_monitor.benchmarks.published.figure import Published
from efs_monitor.benchmarks.published.file_sizes import FILE_SIZE_FIGURES
from efs_monitor.benchmarks.published.fsbench import FSBENCH_FIGURES
from efs_monitor.benchmarks.published.tutorials import TUTORIALS
from efs_monitor.benchmarks.workloads import Workload

PREFERRED_MODE = "bursting"
PREFERRED_INSTANCE_TYPE = "c5.2xlarge"


def _by_workload() -> Mapping[str, tuple[Published, ...]]:
    rows: defaultdict[str, list[Published]] = defaultdict(list)
    for row in (*TUTORIALS, *FILE_SIZE_FIGURES, *FSBENCH_FIGURES):
        rows[row.workload_id].append(row)
    return {workload_id: tuple(found) for workload_id, found in rows.items()}


FIGURES: Mapping[str, tuple[Published, ...]] = _by_workload()


def figures(workload: Workload) -> tuple[Published, ...]:
    """Everything published for a workload, the tutorials' first; empty where nobody published any."""
    return FIGURES.get(workload.id, ())


def comparison(workload: Workload) -> Published | None:
    """The one result that a workload is held against; None where nobody published any.

    A file system in bursting mode before any other, then the c5.2xlarge of the EFS
    tutorial before other instances, then the order of the sources: rates from one and the same table compare best.
    """
    return min(figures(workload), key=_distance, default=None)


def _distance(row: Published) -> tuple[bool, bool]:
    return row.mode != PREFERRED_MODE, row.instance_type != PREFERRED_INSTANCE_TYPE
