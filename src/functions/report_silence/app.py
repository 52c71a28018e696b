"""Reports what keeps people from being told, and says again what lasts: run by an hourly schedule of its own."""

import os
from typing import TYPE_CHECKING

from efs_monitor.aws.calls import UNHURRIED
from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.config import config_from, required, settings_from, topic_arns_from
from efs_monitor.events import require_schedule
from efs_monitor.notify.health_settings import watch_from
from efs_monitor.usecases.report_silence import ReportingStack, report_silence

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

clients = Clients(cloudformation=UNHURRIED, cloudwatch=UNHURRIED, efs=UNHURRIED, ssm=UNHURRIED)


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> dict[str, object]:
    """Read what surrounds the alarms, tell what is new and what is over, say again what lasts, remember it, log it."""
    with errors_logged():
        config = config_from(os.environ)
        require_schedule(event, config.stack_name)
        reporting = ReportingStack(
            config=config,
            settings=settings_from(os.environ),
            watch=watch_from(os.environ),
            topic_arns=topic_arns_from(os.environ),
            state_parameter=required(os.environ, "TOLD_PARAMETER"),
        )
        outcome = report_silence(clients, reporting, now())
        logger.info("reported", extra=outcome)
        return outcome
