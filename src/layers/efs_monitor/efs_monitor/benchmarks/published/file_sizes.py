"""What was published for file sizes and threads: the rate of all threads together, and no duration.

An instance of 8 vCPU and 16 GB wrote files of one size in bursting mode.
"""

from efs_monitor.benchmarks.published.figure import MB, Published

# By workload: the step of the source, and the stated rate in MB/s.
_STATED = {
    "files-write-1mb-1": ("1mb-1", 23),
    "files-write-1mb-4": ("1mb-4", 77),
    "files-write-1mb-8": ("1mb-8", 104),
    "files-write-500kb-4": ("500kb-4", 55),
    "files-write-500kb-8": ("500kb-8", 80),
    "files-write-500kb-16": ("500kb-16", 84),
}

FILE_SIZE_FIGURES = tuple(
    Published(
        source="xyzt-write",
        step=step,
        workload_id=workload_id,
        instance_type="8 vCPU 16 GB",
        storage="efs",
        mode="bursting",
        amount=None,
        seconds=None,
        stated_rate=stated * MB,
        note="combined over threads",
    )
    for workload_id, (step, stated) in _STATED.items()
)
