"""Which runs of the month were billed, and where the books have gaps, what to look through again."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

from efs_monitor.benchmarks.commands import Command
from efs_monitor.benchmarks.cost import run_cost
from efs_monitor.benchmarks.ledger import Ledger, month_of
from efs_monitor.efs.file_system import FileSystem, ThroughputMode

# Longer than any run, and than the retries of an event whose run was sent and not entered.
A_DAY = timedelta(days=1)


def looked_through_since(ledger: Ledger, file_system: FileSystem, now: datetime) -> datetime:
    """From when on commands are looked through: the last day, and the whole month where its books are lost."""
    if ledger.known or file_system.mode is not ThroughputMode.ELASTIC:
        return now - A_DAY
    return min(now - A_DAY, now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0))


def completed(ledger: Ledger, sent: Iterable[Command], file_system: FileSystem, now: datetime) -> Ledger:
    """The books with every run of this month among those `sent`; a lost one counts as billed if runs are billed now."""
    return ledger.with_commands(sent, month_of(now), lambda command: billed_bytes(command, file_system))


def billed_bytes(command: Command, file_system: FileSystem) -> int:
    """What a run is billed at most; 0 where nothing is."""
    if file_system.mode is not ThroughputMode.ELASTIC:
        return 0
    return run_cost(command.workloads, len(command.instance_ids)).billed_bytes
