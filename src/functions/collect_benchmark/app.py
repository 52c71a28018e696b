"""Turns what benchmarks wrote into metrics: run when one has ended on an instance, and twice an hour for the rest."""

import os
from typing import TYPE_CHECKING

from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.benchmarks.benchmark_settings import collection_settings_from
from efs_monitor.benchmarks.profiles import scheduled_workloads
from efs_monitor.benchmarks.requests import finished
from efs_monitor.config import config_from
from efs_monitor.usecases.collect_benchmark import collect_benchmarks

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

clients = Clients()


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> dict[str, object]:
    """Find what has ended and is not collected, publish and log each, and enter it."""
    with errors_logged():
        config = config_from(os.environ)
        settings = collection_settings_from(os.environ)
        ended = finished(event, config.stack_name, settings.document_name)
        scheduled = scheduled_workloads(settings)
        collected = collect_benchmarks(clients, config, settings, scheduled, ended, now())
        logger.info("collected", extra={"runs": collected})
        return {"collected": collected}
