"""Keeps the alarms right: every hour, and at once when the Rise alarm changes its state or an update has ended."""

import os
from typing import TYPE_CHECKING

from efs_monitor.alarms.changes import live_alarms, updates
from efs_monitor.alarms.decision import decide
from efs_monitor.aws import cloudformation, decision_metrics, efs, metrics
from efs_monitor.aws import cloudwatch_alarms as alarms
from efs_monitor.aws import sns as mail
from efs_monitor.aws.calls import UNHURRIED
from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.config import config_from, required, settings_from, wiring_from
from efs_monitor.errors import FileSystemNotFound
from efs_monitor.events import trigger
from efs_monitor.mail import alarm_description, stack_context_of
from efs_monitor.notify.alarm_faults import findings
from efs_monitor.notify.state import Part
from efs_monitor.notify.threshold_news import announcement_of_gone, announcements, since_deployment
from efs_monitor.usecases import notification_memory as memory
from efs_monitor.usecases.alarm_updates import apply

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

clients = Clients(cloudwatch_calls=UNHURRIED)


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> dict[str, object]:
    """Read the file system and its alarms, decide, write what must change, tell what is new, log it."""
    with errors_logged():
        config = config_from(os.environ)
        cause = trigger(event, config.stack_name)
        settings, wiring, stack = settings_from(os.environ), wiring_from(os.environ), stack_context_of(config)
        stack_id, parameter_name = required(os.environ, "STACK_ID"), required(os.environ, "TOLD_PARAMETER")
        told = memory.recall(clients.ssm, parameter_name, config.file_system_id)
        outcome: dict[str, object] = {"cause": cause, "file_system_id": config.file_system_id}
        try:
            file_system = efs.describe(clients.efs, config.file_system_id)
        except FileSystemNotFound as gone:
            outcome |= {"decision": "none", "reason": str(gone)}
            messages, telling = announcement_of_gone(config.file_system_id, told, stack)
        else:
            found = alarms.read(clients.cloudwatch, config.stack_name)
            observations = metrics.observe(clients.cloudwatch, file_system, now())
            decision = decide(file_system, observations, settings, live_alarms(found))
            changes = updates(decision, found, lambda kind: alarm_description(kind, decision, stack))
            wrong = findings(found, wiring, stack)
            news, _ = announcements(decision, wrong, told, stack)
            if news and cloudformation.in_deployment(clients.cloudformation, stack_id, now()):
                # What is half-way is no news, and no reason to write an alarm. The end of an update starts a run.
                withheld = {"decision": "none", "withheld": [message.subject for message in news]}
                logger.info("left to the end of the deployment", extra=outcome | withheld)
                return outcome | withheld | {"mails": []}
            if (known := since_deployment(decision, told)) != told:
                # Before the alarms stand for another one: a run that breaks off must not lose the mail about it.
                told = memory.remember(clients.ssm, parameter_name, config.file_system_id, known, Part.THRESHOLDS)
            apply(clients.cloudwatch, changes)
            outcome |= decision.as_log() | {"alarms_written": [change.after.name for change in changes]}
            messages, telling = announcements(decision, wrong, told, stack)
            decision_metrics.publish(config.file_system_id, decision)
        # Before anything else can fail: the alarms are written, and a retry would only see that all is right.
        logger.info("decided", extra=outcome)
        for message in messages:
            mail.send(clients.sns, config.advice_topic_arn, message)
        if telling != told:
            memory.remember(clients.ssm, parameter_name, config.file_system_id, telling, Part.THRESHOLDS)
        return outcome | {"mails": [message.subject for message in messages]}
