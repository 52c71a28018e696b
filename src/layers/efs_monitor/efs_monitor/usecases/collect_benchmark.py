"""Collect benchmarks: find the runs that have ended and are not collected, publish and log each, and enter it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from efs_monitor.aws import systems_manager
from efs_monitor.aws.benchmark_rates import past_rates
from efs_monitor.aws.embedded_metrics import publish_run
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.benchmarks.benchmark_settings import CollectionSettings
from efs_monitor.benchmarks.ledger import Ledger
from efs_monitor.benchmarks.log_lines import measured_lines, run_line
from efs_monitor.benchmarks.outcome import run_outcome
from efs_monitor.benchmarks.past_rates import regressions
from efs_monitor.benchmarks.requests import Finished
from efs_monitor.benchmarks.sent_commands import GRACE, Command, Invocation
from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.config import Config
from efs_monitor.errors import ResultsIncomplete
from efs_monitor.usecases.stored_ledger import StoredLedger

# How far back a run is looked for whose event never came.
SWEPT = timedelta(days=7)
# Results follow their event by some moments. Lambda tries an event again after one minute and after two more: the last
# attempt leaves what is missing to the sweep, for nobody needs to be told of it.
WORTH_A_RETRY = timedelta(minutes=2, seconds=30)
TRIED_AGAIN = "this event is tried again within minutes"


@dataclass(frozen=True)
class FinishedRun:
    """A command with what became of it on each of its instances."""

    command: Command
    invocations: tuple[Invocation, ...]


def collect_benchmarks(
    clients: Clients,
    config: Config,
    settings: CollectionSettings,
    scheduled: tuple[Workload, ...],
    ended: Finished | None,
    now: datetime,
) -> list[str]:
    """Collect the run that `ended`, or without one every run of the last week; returns the ids of those collected.

    `scheduled` are the workloads of the stack's own schedule: only they have a history to be held against.
    """
    stored = StoredLedger(clients.ssm, settings.parameter_name, config.file_system_id)
    ledger = stored.read()
    collected = []
    for run in finished_runs(clients, settings.document_name, ended, ledger, now):
        entered = _collected(clients, config, scheduled, run, ledger)
        # Each by itself: one that cannot be collected must not make the others count twice.
        ledger = stored.save(entered, ledger)
        collected.append(run.command.run_id)
    return collected


def finished_runs(
    clients: Clients, document_name: str, event: Finished | None, ledger: Ledger, now: datetime
) -> Iterator[FinishedRun]:
    """The run of an event if that is all over, or without one every such run of the last week, oldest first.

    Raises ResultsIncomplete where an event tells of what cannot be read yet, and a retry may.
    """
    if event is not None:
        yield from _of_event(clients, document_name, event, ledger, now)
        return
    for command in systems_manager.sent_since(clients.ssm, document_name, now - SWEPT):
        # What is still running is not worth a look at each of its instances.
        if not ledger.holds(command) and not command.running(now):
            found = systems_manager.invocations(clients.ssm, command.command_id)
            if _is_over(command, found, now):
                yield FinishedRun(command, found)


def _of_event(
    clients: Clients, document_name: str, event: Finished, ledger: Ledger, now: datetime
) -> Iterator[FinishedRun]:
    is_worth_a_retry = now - WORTH_A_RETRY < event.time
    command = systems_manager.find(clients.ssm, document_name, event.command_id)
    if command is None and is_worth_a_retry:
        raise ResultsIncomplete(f"Systems Manager does not know the command {event.command_id} yet; {TRIED_AGAIN}")
    if command is None or ledger.holds(command):
        return
    found = systems_manager.invocations(clients.ssm, command.command_id)
    own = next((one for one in found if one.instance_id == event.instance_id), None)
    if is_worth_a_retry and (own is None or not own.complete(now)):
        raise ResultsIncomplete(f"{_what_is_missing(event, own)}; {TRIED_AGAIN}")
    if _is_over(command, found, now):
        yield FinishedRun(command, found)


def _what_is_missing(event: Finished, own: Invocation | None) -> str:
    """What cannot be read yet of the end that an event tells of, as Systems Manager has it: the event may be wrong."""
    if own is None:
        return f"Systems Manager does not know the command {event.command_id} on {event.instance_id} yet"
    if own.running:
        return f"The command {event.command_id} is {own.status} on {event.instance_id}"
    return f"The command {event.command_id} has ended on {event.instance_id}, without output yet"


def _is_over(command: Command, found: tuple[Invocation, ...], now: datetime) -> bool:
    """Whether nothing more is to be expected, of any of its instances."""
    if now >= command.expires + GRACE:
        return True
    return len(found) >= len(command.instance_ids) and all(one.complete(now) for one in found)


def _collected(
    clients: Clients, config: Config, scheduled: tuple[Workload, ...], run: FinishedRun, ledger: Ledger
) -> Ledger:
    """Publish and log what a run came to; answers with the ledger that has it."""
    command, file_system_id = run.command, config.file_system_id
    outcome = run_outcome(command.run_id, command.requested, command.workloads, run.invocations)
    # The history is of those: what somebody runs by hand at another size is no slower for it.
    judged = [one for one in outcome.measured if one.workload in scheduled]
    history = past_rates(clients.cloudwatch, file_system_id, [one.workload for one in judged], outcome.time)
    found = regressions({one.workload.id: one.typical_rate for one in judged}, history)
    said = {one.instance_id: one.left for one in outcome.instances if one.left}
    clean = {one.instance_id for one in outcome.instances if one.got_through and not one.left}
    entered = ledger.with_left(outcome.time, said, clean)
    entered = entered.with_collected(command, outcome.time, succeeded=outcome.success)
    failures = entered.consecutive_failures(command)
    publish_run(file_system_id, outcome, consecutive_failures=failures, regressions=len(found))
    for line in measured_lines(command.command_id, outcome):
        logger.info("measured", extra=line)
    logger.info("benchmark", extra=run_line(command.command_id, outcome, found, failures))
    return entered
