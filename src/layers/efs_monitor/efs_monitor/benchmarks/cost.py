"""What a run costs the file system: burst credits, or bytes that are paid for. Known before anything runs."""

from collections.abc import Iterable
from dataclasses import dataclass

from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.metering import Moved

# Its checks, the lock, its own directory, and a hundred looks at a lock that somebody else holds.
OPERATIONS_PER_RUN = 1000
# Its directory, and a heartbeat of two every ten seconds for a quarter of an hour.
OPERATIONS_PER_WORKLOAD = 200
# Instances wait for each other before each workload, and ask about ten things five times a second: for 100 seconds.
OPERATIONS_PER_WAIT = 5000


@dataclass(frozen=True, kw_only=True)
class Cost:
    """The most that a run takes, in both currencies; which of them counts is the file system's throughput mode."""

    metered_bytes: int
    billed_bytes: int

    def of(self, file_system: FileSystem) -> int:
        """The bytes that count: credits in bursting mode, billed bytes in elastic mode.

        Provisioned throughput above what the size earns is paid for by the hour: it has neither, and the metered
        bytes tell how much of it a run occupies.
        """
        return self.billed_bytes if file_system.mode is ThroughputMode.ELASTIC else self.metered_bytes


def run_cost(workloads: Iterable[Workload], instances: int) -> Cost:
    """What these workloads cost when so many instances do all of them together: a bound, not below what EFS meters."""
    each = OPERATIONS_PER_WORKLOAD + (OPERATIONS_PER_WAIT if instances > 1 else 0)
    moved = Moved(metadata_operations=OPERATIONS_PER_RUN)
    for workload in workloads:
        moved += workload.moved + Moved(metadata_operations=each)
    return Cost(metered_bytes=moved.metered_bytes * instances, billed_bytes=moved.billed_bytes * instances)
