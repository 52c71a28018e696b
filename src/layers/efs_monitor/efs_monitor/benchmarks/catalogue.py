"""Every workload there is, at its full size: the commands of the AWS tutorials and of those who published results.

A tutorial's dd moves 2 GiB (EFS tutorial 1.1.4, steps 2 to 5). `scaled` makes any of them smaller, `profiles` says
which run together.
"""

from collections.abc import Mapping
from dataclasses import replace

from efs_monitor.benchmarks.workloads import Do, Family, Sync, Target, Tool, Workload
from efs_monitor.efs.credits import GIB, MIB

KB = 1000
MB = 1000 * KB

TOUCHED_FILES = 1024
TUTORIAL_BYTES = 2 * GIB
LARGE_BYTES = 20 * GIB
COPIED_FILES = 5000
# Below, a file is so small that only many of them can be timed.
SWEEP_BYTES = 100 * MB
SWEEP_SIZES = {"100kb": 100 * KB, "500kb": 500 * KB, "1mb": MB, "10mb": 10 * MB, "100mb": 100 * MB}
SWEEP_THREADS = (1, 4, 8, 16)
MANY_FILES = 1000
WAYS = (2, 4, 8, 16)
LOCAL_SUFFIX = "-local"
# Of a copy and of a file nothing local can be compared: one reads the local disk, the other is about many clients.
LOCAL_BASELINE_FAMILIES = frozenset({Family.TOUCH, Family.DD_WRITE, Family.DD_READ})


def _touch(name: str, *, threads: int, directories: int = 1) -> Workload:
    return Workload(id=f"touch-{name}", do=Do.TOUCH, threads=threads, files=TOUCHED_FILES, directories=directories)


def _dd_write(
    name: str, sync: Sync, *, block_bytes: int = MIB, writers: int = 1, total: int = TUTORIAL_BYTES
) -> Workload:
    return Workload(
        id=f"dd-write-{name}",
        do=Do.WRITE,
        threads=writers,
        files=writers,
        file_bytes=total // writers,
        block_bytes=block_bytes,
        sync=sync,
    )


def _dd_read(readers: int) -> Workload:
    return Workload(
        id=f"dd-read-{readers}",
        do=Do.READ,
        threads=readers,
        files=readers,
        file_bytes=TUTORIAL_BYTES // readers,
        block_bytes=MIB,
    )


def _files(do: Do, size: str, file_bytes: int, threads: int, files: int) -> Workload:
    return Workload(
        id=f"files-{do}-{size}-{threads}",
        do=do,
        threads=threads,
        files=files,
        file_bytes=file_bytes,
        block_bytes=MIB,
        sync=Sync.END if do is Do.WRITE else None,
    )


def _copy(tool: Tool, threads: int) -> Workload:
    return Workload(id=f"copy-{tool}", do=Do.COPY, tool=tool, threads=threads, files=COPIED_FILES, file_bytes=MIB)


TOUCHES = (
    _touch("serial", threads=1),
    _touch("parallel", threads=128),
    _touch("parallel-directories", threads=32, directories=32),
)
DD_WRITES = (
    _dd_write("1m-end", Sync.END),
    _dd_write("1m-each", Sync.EACH),
    _dd_write("16m-end", Sync.END, block_bytes=16 * MIB),
    _dd_write("16m-each", Sync.EACH, block_bytes=16 * MIB),
    _dd_write("4-writers", Sync.EACH, writers=4),
    _dd_write("16-writers", Sync.EACH, writers=16),
    _dd_write("large", Sync.END, total=LARGE_BYTES),
)
DD_READS = tuple(_dd_read(readers) for readers in WAYS)
SIZE_SWEEP = tuple(
    _files(Do.WRITE, size, file_bytes, threads, max(threads, SWEEP_BYTES // file_bytes))
    for size, file_bytes in SWEEP_SIZES.items()
    for threads in SWEEP_THREADS
)
# The first workload of the sweep writes the thousand small files that this one reads.
SMALL_READ = _files(Do.READ, "100kb", 100 * KB, 1, MANY_FILES)
MANY_FILES_AT_ONCE = tuple(
    _files(do, "10kb", 10 * KB, threads, MANY_FILES) for do in (Do.WRITE, Do.READ) for threads in WAYS
)
COPIES = (
    _copy(Tool.CP, 1),
    _copy(Tool.RSYNC, 1),
    _copy(Tool.FPSYNC, 32),
    _copy(Tool.MCP, 32),
    _copy(Tool.CP_PARALLEL, 32),
    _copy(Tool.FPART_CPIO_PARALLEL, 32),
)

CATALOGUE: Mapping[str, Workload] = {
    workload.id: workload
    for workload in (*TOUCHES, *DD_WRITES, *DD_READS, *SIZE_SWEEP, SMALL_READ, *MANY_FILES_AT_ONCE, *COPIES)
}


def local_baseline(workload: Workload) -> Workload | None:
    """The workload on the instance's own disk, under an id of its own: what the instance can do without EFS.

    None where there is nothing to compare.
    """
    if workload.family not in LOCAL_BASELINE_FAMILIES:
        return None
    return replace(workload, id=workload.id + LOCAL_SUFFIX, on=Target.LOCAL)
