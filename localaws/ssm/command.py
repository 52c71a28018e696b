"""A command and what became of it on each instance, as Systems Manager tells it at a moment.

https://docs.aws.amazon.com/systems-manager/latest/userguide/monitor-commands.html
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from localaws.ssm.document import Document
from localaws.ssm.execution import Execution, ExecutionResult

UNFINISHED = frozenset({"Pending", "InProgress", "Delayed", "Cancelling"})
NOT_ENDED_CODE = -1


@dataclass(frozen=True, slots=True)
class Standing:
    """A status and its details, in the words of the API."""

    status: str
    details: str

    @property
    def is_final(self) -> bool:
        return self.status not in UNFINISHED

    @property
    def is_error(self) -> bool:
        """Whether it counts towards ErrorCount and MaxErrors: what was never delivered does not."""
        return self.details in {"Failed", "Execution Timed Out"}


PENDING = Standing("Pending", "Pending")
DELAYED = Standing("Delayed", "Delayed")
IN_PROGRESS = Standing("InProgress", "In Progress")
CANCELLED = Standing("Cancelled", "Cancelled")
EXECUTION_TIMED_OUT = Standing("TimedOut", "Execution Timed Out")
DELIVERY_TIMED_OUT = Standing("TimedOut", "Delivery Timed Out")
UNDELIVERABLE = Standing("Failed", "Undeliverable")
TERMINATED = Standing("Failed", "Terminated")
NO_INSTANCES_IN_TAG = Standing("Success", "No Instances In Tag")
# What came to nothing on the way, in the order in which it decides about the command as a whole.
WORST_FIRST = ("Failed", "TimedOut", "Cancelled")


@dataclass(slots=True, kw_only=True)
class CommandInvocation:
    """A command for one instance: it waits for the instance, runs, or ended without ever running.

    The clock of a played scenario stands still while a script runs, so it ends, for everybody who asks, as much later
    than it began as it really took.
    """

    instance_id: str
    requested: datetime
    expires: datetime
    execution: Execution | None = None
    started: datetime | None = None
    never_ran: Standing | None = None
    never_ran_since: datetime | None = None
    silent_until: datetime | None = None
    announced: set[str] = field(default_factory=set)

    def begin(self, execution: Execution, now: datetime) -> None:
        self.execution, self.started = execution, now

    def give_up(self, standing: Standing, now: datetime) -> None:
        """End the invocation before it ever ran."""
        self.never_ran, self.never_ran_since = standing, now

    def fall_silent(self) -> None:
        """The instance is gone in the middle of the invocation: nobody will ever say how it ended, and time runs out.

        A command has its time to be delivered and its time to run; AWS does not say how it words the end of both.
        """
        if self.execution is not None:
            self.silent_until = self.expires + timedelta(seconds=self.execution.timeout_seconds)

    @property
    def waits(self) -> bool:
        return self.execution is None and self.never_ran is None

    @property
    def ended(self) -> datetime | None:
        """When it was or will be over, None as long as nobody can know."""
        if self.silent_until is not None:
            return self.silent_until
        if self.started is None:
            return self.never_ran_since
        result = self.execution.ended if self.execution else None
        return self.started + timedelta(seconds=result.duration_seconds) if result else None

    def outcome(self, now: datetime) -> ExecutionResult | None:
        """What the script left behind, once it is over."""
        is_over = self.ended is not None and self.ended <= now
        is_known = self.execution is not None and self.silent_until is None
        return self.execution.ended if self.execution and is_known and is_over else None

    def standing(self, now: datetime) -> Standing:
        if self.never_ran is not None:
            return self.never_ran
        if self.silent_until is not None:
            return EXECUTION_TIMED_OUT if now >= self.silent_until else IN_PROGRESS
        if self.execution is None:
            return PENDING if now == self.requested else DELAYED
        result = self.outcome(now)
        return Standing(result.status, result.details) if result else IN_PROGRESS


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What somebody sent, with one invocation for each instance."""

    id: str
    document_name: str
    document_version: str
    document: Document
    parameters: dict[str, str]
    requested: datetime
    timeout_seconds: int
    invocations: Sequence[CommandInvocation]
    targets: Sequence[dict[str, Any]] = ()
    comment: str = ""
    maximum_concurrency: str = "50"
    maximum_errors: str = "0"
    announced: set[str] = field(default_factory=set)

    @property
    def expires(self) -> datetime:
        """Until when it can be delivered."""
        return self.requested + timedelta(seconds=self.timeout_seconds)

    def standing(self, now: datetime) -> Standing:
        """How the command stands on all instances together: over when the last one is, and as bad as the worst."""
        standings = [invocation.standing(now) for invocation in self.invocations]
        if not standings:
            return NO_INSTANCES_IN_TAG
        if any(not one.is_final for one in standings):
            waits = all(one.status in {"Pending", "Delayed"} for one in standings)
            return PENDING if waits else IN_PROGRESS
        for status in WORST_FIRST:
            for one in standings:
                if one.status == status:
                    return one
        return standings[0]
