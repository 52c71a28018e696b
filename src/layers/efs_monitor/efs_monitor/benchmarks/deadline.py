"""How long a run may take: long enough for a slow file system, and not for ever."""

from collections.abc import Sequence

from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.efs.credits import MIB

# A fifth of the slowest that anyone published, 25 MB/s with a sync after each block: a file system with few credits.
SLOWEST_BYTES_PER_SECOND = 5 * MIB
# A third of the slowest published touch.
SLOWEST_FILES_PER_SECOND = 20
# The checks before, the cleaning up after, and for instances of one run to wait for each other.
AROUND_SECONDS = 60
AROUND_EACH_WORKLOAD_SECONDS = 15
SHORTEST_SECONDS = 300
LONGEST_SECONDS = 6 * 3600
# The script ends by itself first: only then does it clean up and say what it has.
HEAD_START_SECONDS = 120


def deadline_seconds(workloads: Sequence[Workload]) -> int:
    """When the script gives up, in whole seconds after its start."""
    expected = AROUND_SECONDS + sum(
        AROUND_EACH_WORKLOAD_SECONDS
        + (one.file_bytes * one.files + one.written_bytes + one.read_bytes) / SLOWEST_BYTES_PER_SECOND
        + one.files / SLOWEST_FILES_PER_SECOND
        for one in workloads
    )
    return round(min(max(expected, SHORTEST_SECONDS), LONGEST_SECONDS))


def execution_timeout_seconds(workloads: Sequence[Workload]) -> int:
    """When Systems Manager kills whatever is left of it."""
    return deadline_seconds(workloads) + HEAD_START_SECONDS
