"""The runs that have ended and are not collected yet, as far as Systems Manager can say what became of them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from efs_monitor.aws import systems_manager as commands
from efs_monitor.benchmarks.commands import GRACE, Command, Invocation
from efs_monitor.benchmarks.ledger import Ledger
from efs_monitor.benchmarks.requests import Finished
from efs_monitor.errors import ResultsIncomplete

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient

# How far back a run is looked for whose event never came.
SWEPT = timedelta(days=7)
# Results follow their event by some moments. Lambda tries an event again after one minute and after two more: the last
# attempt leaves what is missing to the sweep, for nobody needs to be told of it.
WORTH_A_RETRY = timedelta(minutes=2, seconds=30)


@dataclass(frozen=True)
class FinishedRun:
    """A command with what became of it on each of its instances."""

    command: Command
    invocations: tuple[Invocation, ...]


def finished_runs(
    ssm: "SSMClient", document_name: str, event: Finished | None, books: Ledger, now: datetime
) -> Iterator[FinishedRun]:
    """The run of an event if that is all over, or without one every such run of the last week, oldest first.

    Raises ResultsIncomplete where an event tells of what cannot be read yet, and a retry may.
    """
    if event is not None:
        yield from _of_event(ssm, document_name, event, books, now)
        return
    for command in commands.sent_since(ssm, document_name, now - SWEPT):
        # What is still running is not worth a look at each of its instances.
        if not books.holds(command) and not command.running(now):
            found = commands.invocations(ssm, command.command_id)
            if _is_over(command, found, now):
                yield FinishedRun(command, found)


def _of_event(
    ssm: "SSMClient", document_name: str, event: Finished, books: Ledger, now: datetime
) -> Iterator[FinishedRun]:
    is_worth_a_retry = now < event.time + WORTH_A_RETRY
    command = commands.find(ssm, document_name, event.command_id)
    if command is None and is_worth_a_retry:
        raise ResultsIncomplete(f"Systems Manager does not know the command {event.command_id} yet")
    if command is None or books.holds(command):
        return
    found = commands.invocations(ssm, command.command_id)
    own = next((one for one in found if one.instance_id == event.instance_id), None)
    if is_worth_a_retry and (own is None or not own.complete(now)):
        raise ResultsIncomplete(f"The command {event.command_id} has ended on {event.instance_id}, without output yet")
    if _is_over(command, found, now):
        yield FinishedRun(command, found)


def _is_over(command: Command, found: tuple[Invocation, ...], now: datetime) -> bool:
    """Whether nothing more is to be expected, of any of its instances."""
    if now >= command.expires + GRACE:
        return True
    return len(found) >= len(command.instance_ids) and all(one.complete(now) for one in found)
