"""Systems Manager's record of a benchmark: the command that was sent, and what became of it on each instance."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from efs_monitor.benchmarks.plan import decode
from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.errors import SettingsRefused

# In the words of the API: of commands and of their invocations.
RUNNING = frozenset({"Pending", "InProgress", "Delayed", "Cancelling"})
# Systems Manager ends an expired command by itself; what is still not ended so much later never will be.
GRACE = timedelta(minutes=15)
# Output may show later than the status: so long it is waited for, then an empty one counts.
OUTPUT_LAG = timedelta(minutes=15)


@dataclass(frozen=True, kw_only=True)
class Command:
    """One benchmark as it was sent; `plan` is the text of its workloads."""

    command_id: str
    run_id: str
    plan: str
    status: str
    requested: datetime
    expires: datetime
    instance_ids: tuple[str, ...]

    @property
    def idempotency_key(self) -> str:
        """What every delivery and attempt of one start shares, and no other start has: how the id of its run ends."""
        return self.run_id.rpartition("-")[2]

    @property
    def workloads(self) -> tuple[Workload, ...]:
        """What it was to do; nothing where its plan is none of ours, which the script refuses as well."""
        try:
            return decode(self.plan)
        except SettingsRefused:
            return ()

    def running(self, now: datetime) -> bool:
        """Whether an instance may still be at it."""
        return self.status in RUNNING and now < self.expires + GRACE


@dataclass(frozen=True, kw_only=True)
class Invocation:
    """What became of a command on one instance; `detail` is the finer word for its status.

    `started` is when the instance began, None where the command never reached it. `response_code` is the exit status
    of the script, -1 where it has none. `output` and `error_output` are what the script wrote, as far as the agent and
    Systems Manager keep it.
    """

    instance_id: str
    status: str
    detail: str
    started: datetime | None = None
    ended: datetime | None = None
    response_code: int | None = None
    output: str = ""
    error_output: str = ""

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self.status in RUNNING

    def complete(self, now: datetime) -> bool:
        """Whether nothing more is to be expected of it: it ended, and its output is there or will never be."""
        if self.running:
            return False
        return bool(self.output) or self.started is None or self.ended is None or now > self.ended + OUTPUT_LAG
