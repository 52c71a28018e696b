"""Sends a benchmark to the instances, unless it would do harm: run by its timer, and by hand."""

import os
from typing import TYPE_CHECKING

from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.benchmarks.benchmark_settings import benchmark_settings_from
from efs_monitor.benchmarks.requests import run_request
from efs_monitor.config import config_from
from efs_monitor.usecases.run_benchmark import run_benchmark

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

clients = Clients()


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> dict[str, object]:
    """Read what a run would meet, decide, send the document or say why not, enter what is billed, log it."""
    with errors_logged():
        config = config_from(os.environ)
        settings = benchmark_settings_from(os.environ)
        request = run_request(event, config.stack_name, context.aws_request_id, now())
        answered = run_benchmark(clients, config, settings, request, now)
        logger.info(answered.headline, extra=answered.answer | answered.only_logged)
        return answered.answer
