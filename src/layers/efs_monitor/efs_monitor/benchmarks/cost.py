"""What a run costs the file system, known before anything runs, and which runs of the month were billed.

A run takes burst credits, or bytes that are paid for.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from efs_monitor.benchmarks.ledger import Ledger, month_of
from efs_monitor.benchmarks.sent_commands import Command
from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.metering import Moved

# Its checks, the lock, its own directory, and a hundred looks at a lock that somebody else holds.
OPERATIONS_PER_RUN = 1000
# Its directory, and a heartbeat of two every ten seconds for a quarter of an hour.
OPERATIONS_PER_WORKLOAD = 200
# Instances wait for each other before each workload, and ask about ten things five times a second: for 100 seconds.
OPERATIONS_PER_WAIT = 5000
# Longer than any run, and than the retries of an event whose run was sent and not entered.
A_DAY = timedelta(days=1)


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


def search_start(ledger: Ledger, file_system: FileSystem, now: datetime) -> datetime:
    """From when on commands are looked through: the last day, and the whole month where the ledger is lost."""
    if ledger.known or file_system.mode is not ThroughputMode.ELASTIC:
        return now - A_DAY
    return min(now - A_DAY, now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0))


def with_missing_runs(ledger: Ledger, sent: Iterable[Command], file_system: FileSystem, now: datetime) -> Ledger:
    """The ledger with every run of this month among those `sent`; a lost one counts as billed if runs are billed
    now.
    """
    return ledger.with_commands(sent, month_of(now), lambda command: billed_bytes(command, file_system))


def billed_bytes(command: Command, file_system: FileSystem) -> int:
    """What a run is billed at most; 0 where nothing is."""
    if file_system.mode is not ThroughputMode.ELASTIC:
        return 0
    return run_cost(command.workloads, len(command.instance_ids)).billed_bytes
