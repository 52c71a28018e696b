"""Keeps the alarms right: every hour, and at once when the Rise alarm changes its state, or an update begins or has
ended.
"""

import os
from typing import TYPE_CHECKING

from efs_monitor.aws.calls import UNHURRIED
from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.config import config_from, required, settings_from, wiring_from
from efs_monitor.events import trigger
from efs_monitor.usecases.recalculate import MonitoredStack, recalculate, tell

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

clients = Clients(cloudformation=UNHURRIED, cloudwatch=UNHURRIED, efs=UNHURRIED, ssm=UNHURRIED)


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> dict[str, object]:
    """Read the file system and its alarms, decide, write what must change, log it, tell what is new."""
    with errors_logged():
        config = config_from(os.environ)
        cause = trigger(event, config.stack_name)
        monitored = MonitoredStack(
            config=config,
            settings=settings_from(os.environ),
            wiring=wiring_from(os.environ),
            state_parameter=required(os.environ, "TOLD_PARAMETER"),
        )
        done = recalculate(clients, monitored, cause, now())
        # Before anything else can fail: the alarms are written, and a retry would only see that all is right.
        logger.info(done.headline, extra=done.outcome)
        tell(clients, monitored, done)
        return done.outcome | {"mails": [message.subject for message in done.messages]}
