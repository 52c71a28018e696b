"""Gives CloudFormation the thresholds: the first ones, and fresh ones before it writes an alarm again."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from efs_monitor.alarms.changes import live_alarms
from efs_monitor.alarms.decision import decide
from efs_monitor.aws import cloudwatch_alarms as alarms
from efs_monitor.aws import efs, metrics
from efs_monitor.aws.custom_resource import Answer, Request, answering, patiently
from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.config import config_from, settings_from
from efs_monitor.mail import stack_context_of
from efs_monitor.usecases.apply_on_deploy import attributes

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

clients = Clients()


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> None:
    """Answer CloudFormation in any case; a failure becomes the sentence the deployment fails with."""
    with errors_logged():
        answering(Request.of(event), context, _answer)


def _answer(request: Request) -> Answer:
    if request.kind == "Delete":
        return Answer(succeeded=True)
    # The properties of this very request, not the environment: a rollback asks for the old ones again.
    properties = request.properties
    stack = replace(stack_context_of(config_from(os.environ)), runbook_url=str(properties.get("RunbookUrl")))
    settings = settings_from(properties, ("WarningMinutes", "CriticalMinutes", "RiseTolerancePercent"))
    file_system_id = str(properties.get("FileSystemId"))
    # A role made seconds ago may not be known everywhere yet: wait a little before believing a refusal.
    file_system = patiently(lambda: efs.describe(clients.efs, file_system_id))
    # Alarms of another file system, which the stack watched before, say nothing about this one.
    read = patiently(lambda: alarms.read(clients.cloudwatch, stack.stack_name))
    found = {kind: alarm for kind, alarm in read.items() if alarm.watches(file_system_id)}
    observations = patiently(lambda: metrics.observe(clients.cloudwatch, file_system, now()))
    decision = decide(file_system, observations, settings, live_alarms(found) if found else None)
    logger.info("decided", extra={"cause": request.kind} | decision.as_log())
    return Answer(succeeded=True, data=attributes(decision, stack))
