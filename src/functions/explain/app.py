"""Sends the readable mail beside CloudWatch's own: what is going on, why, and what to do."""

import os
from typing import TYPE_CHECKING

from efs_monitor.aws.calls import WAITED_FOR
from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.config import config_from, settings_from
from efs_monitor.events import alarm_change
from efs_monitor.usecases.explain import explain

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

clients = Clients(cloudwatch=WAITED_FOR, efs=WAITED_FOR)


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> dict[str, str | None]:
    """Explain an alarm that went off or recovered; an alarm that was merely armed needs no explaining."""
    with errors_logged():
        config = config_from(os.environ)
        change = alarm_change(event, config.stack_name)
        settings = settings_from(os.environ)
        message = explain(clients, config, settings, change, now())
        outcome = {
            "alarm": str(change.kind),
            "from": change.previous_state,
            "to": change.state,
            "mail": message.subject if message else None,
        }
        logger.info("explained" if message else "nothing to explain", extra=outcome)
        return outcome
