"""Brings the monitor stacks of a fleet nearer to what they should be: run by a schedule of its own, and by the fleet's
deployment to check what they would be given.
"""

import os
from functools import partial
from typing import TYPE_CHECKING

from efs_monitor.aws.calls import OF_MANY_STACKS, UNHURRIED
from efs_monitor.aws.custom_resource import Request, answering, asks_about
from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.events import require_schedule
from efs_monitor.fleet.fleet_settings import fleet_settings_from
from efs_monitor.usecases.check_parameters import check_parameters
from efs_monitor.usecases.reconcile_fleet import reconcile_fleet

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

# The type of the custom resource that stands for what every stack is given.
PARAMETERS = "Custom::EfsBurstCreditFleetParameters"

# Notes may fill sixteen parameters, and an account writes three in a second.
clients = Clients(cloudformation=OF_MANY_STACKS, cloudwatch=UNHURRIED, efs=UNHURRIED, ssm=UNHURRIED)


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> dict[str, object]:
    """Compare file systems with stacks, have CloudFormation change what differs, tell once a day, log it."""
    with errors_logged():
        if asks_about(event, PARAMETERS):
            answering(Request.of(event), context, partial(check_parameters, clients, now=now()))
            return {}
        settings = fleet_settings_from(os.environ)
        require_schedule(event, settings.name)
        done = reconcile_fleet(clients, settings, now())
        outcome: dict[str, object] = {"steps": done.steps, "refused": done.refused, "digest": done.digest}
        logger.info("reconciled", extra=outcome)
        return outcome
