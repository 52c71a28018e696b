"""Sends a benchmark to the instances, unless it would do harm: run by its timer, and by hand."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from efs_monitor.aws import efs
from efs_monitor.aws import systems_manager as commands
from efs_monitor.aws.embedded_metrics import publish_skip
from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.benchmarks import sending
from efs_monitor.benchmarks.billing import completed, looked_through_since
from efs_monitor.benchmarks.cost import run_cost
from efs_monitor.benchmarks.refusals import Skip, may_run
from efs_monitor.benchmarks.requests import run_request
from efs_monitor.config import benchmark_settings_from, config_from
from efs_monitor.usecases.benchmark_ledger import Ledgers
from efs_monitor.usecases.run_benchmark import Around, look_around

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

clients = Clients()


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> dict[str, object]:
    """Look around, decide, send the document or say why not, enter what is billed, log it."""
    with errors_logged():
        config, settings, time = config_from(os.environ), benchmark_settings_from(os.environ), now()
        request = run_request(event, config.stack_name, context.aws_request_id, time)
        workloads = sending.wanted_workloads(request, settings)
        file_system = efs.describe(clients.efs, config.file_system_id)
        ledgers = Ledgers(clients.ssm, settings.parameter_name, config.file_system_id)
        books = ledgers.recall()
        if birth := books.birth_with(request.rate, request.origin):
            ledgers.remember(replace(books, birth=birth), books)
            outcome = sending.birth_described()
            logger.info("skipped", extra=outcome)
            return outcome
        since = looked_through_since(books, file_system, time)
        sent = commands.sent_since(clients.ssm, settings.document_name, since)
        # The scheduler may deliver a start twice, and whoever calls may try again after this function has sent its run.
        run = sent_before = next((one for one in sent if one.origin == request.origin), None)
        if run is None and books.has_sent(request.origin):
            outcome = sending.sent_by_another_document(request)
            logger.info("sent before", extra=outcome)
            return outcome
        if run is None:
            around = Around(file_system, sent, completed(books, sent, file_system, time), request.instance_ids)
            circumstances, chosen = look_around(clients, config, settings, around, time)
            cost, accepted = run_cost(workloads, max(1, len(chosen))), request.accept_cost_bytes
            verdict = may_run(cost, circumstances, sending.limits_of(settings), accept_cost_bytes=accepted)
            if isinstance(verdict, Skip):
                publish_skip(config.file_system_id, time)
                outcome = sending.skip_described(verdict)
                logger.info("skipped", extra=outcome)
                return outcome
            if verdict.overridden:
                logger.warning("overridden", extra={"sentences": list(verdict.overridden)})
            books = ledgers.claim(request.origin, books, time)
            given = sending.parameters(request.run_id, config.file_system_id, settings, workloads, len(chosen))
            run = commands.send(clients.ssm_once, settings.document_name, chosen, given, sending.comment(given))
        now_booked = completed(books, (*sent, run), file_system, time)
        if now_booked != books:
            ledgers.remember(now_booked, books)
        outcome = sending.described(run, file_system)
        logger.info("sent before" if sent_before else "sent", extra=outcome | {"by_hand": request.by_hand})
        return outcome
