"""Sets the alarms that CloudWatch could not: metrics that come later than an alarm looks back leave it as it is."""

import os
from typing import TYPE_CHECKING

from efs_monitor.aws.calls import UNHURRIED
from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.config import config_from, whole_number
from efs_monitor.events import require_schedule
from efs_monitor.usecases.set_late_alarms import LateAlarms, set_late_alarms

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

clients = Clients(cloudwatch=UNHURRIED)


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> dict[str, object]:
    """Look at the newest balances, set each alarm that late ones would have changed, log it."""
    with errors_logged():
        config = config_from(os.environ)
        require_schedule(event, config.stack_name)
        look = set_late_alarms(clients, config, now(), whole_number(os.environ, "SILENT_METRICS_HOURS"))
        outcome: dict[str, object] = {
            "newest": look.newest.isoformat() if look.newest else None,
            "alarms_set": list(look.alarms_set),
        }
        logger.info(_headline(look), extra=outcome)
        return outcome


def _headline(look: LateAlarms) -> str:
    if look.late:
        return "metrics are late"
    return "metrics were late" if look.alarms_set else "metrics are in time"
