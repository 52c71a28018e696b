"""Turns what benchmarks wrote into metrics: run when one has ended on an instance, and twice an hour for the rest."""

import os
from typing import TYPE_CHECKING

from efs_monitor.aws.embedded_metrics import publish_run
from efs_monitor.aws.past_rates import past_rates
from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.benchmarks.ledger import Ledger
from efs_monitor.benchmarks.log_lines import measured_lines, run_line
from efs_monitor.benchmarks.outcome import run_outcome
from efs_monitor.benchmarks.regressions import regressions
from efs_monitor.benchmarks.requests import finished
from efs_monitor.benchmarks.scheduled import scheduled_workloads_from
from efs_monitor.benchmarks.workloads import Workload
from efs_monitor.config import collection_from, config_from
from efs_monitor.usecases.benchmark_ledger import Ledgers
from efs_monitor.usecases.collect_benchmark import FinishedRun, finished_runs

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

clients = Clients()


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> dict[str, object]:
    """Find what has ended and is not collected, publish and log each, and enter it."""
    with errors_logged():
        config = config_from(os.environ)
        document_name, parameter_name = collection_from(os.environ)
        told, scheduled = finished(event, config.stack_name, document_name), scheduled_workloads_from(os.environ)
        ledgers = Ledgers(clients.ssm, parameter_name, config.file_system_id)
        books = ledgers.recall()
        collected = []
        for run in finished_runs(clients.ssm, document_name, told, books, now()):
            entered = _collected(run, config.file_system_id, scheduled, books)
            # Each by itself: one that cannot be collected must not make the others count twice.
            books = ledgers.remember(entered, books)
            collected.append(run.command.run_id)
        logger.info("collected", extra={"runs": collected})
        return {"collected": collected}


def _collected(run: FinishedRun, file_system_id: str, scheduled: tuple[Workload, ...], books: Ledger) -> Ledger:
    """Publish and log what a run came to; answers with the books that have it."""
    command = run.command
    outcome = run_outcome(command.run_id, command.requested, command.workloads, run.invocations)
    # The history is of those: what somebody runs by hand at another size is no slower for it.
    judged = [one for one in outcome.measured if one.workload in scheduled]
    history = past_rates(clients.cloudwatch, file_system_id, [one.workload for one in judged], outcome.time)
    found = regressions({one.workload.id: one.typical_rate for one in judged}, history)
    entered = books.with_collected(command, outcome.time, succeeded=outcome.success)
    failures = entered.consecutive_failures(command)
    publish_run(file_system_id, outcome, consecutive_failures=failures, regressions=len(found))
    for line in measured_lines(command.command_id, outcome):
        logger.info("measured", extra=line)
    logger.info("benchmark", extra=run_line(command.command_id, outcome, found, failures))
    return entered
