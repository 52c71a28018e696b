"""Reports what keeps people from being told, and says again what lasts: run by an hourly schedule of its own."""

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from efs_monitor.aws import cloudformation, efs
from efs_monitor.aws import cloudwatch_alarms as alarms
from efs_monitor.aws import sns as mail
from efs_monitor.aws.calls import UNHURRIED
from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.config import config_from, required, settings_from, topic_arns_from, watch_from
from efs_monitor.events import require_schedule
from efs_monitor.mail import stack_context_of
from efs_monitor.notify.health import ADVICE, silence
from efs_monitor.notify.health_news import mailed, reports
from efs_monitor.notify.state import Part
from efs_monitor.usecases import notification_memory as memory
from efs_monitor.usecases.read_health import Around, read_surroundings
from efs_monitor.usecases.report_silence import Lasting, recurring

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

clients = Clients(cloudwatch_calls=UNHURRIED)


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> dict[str, object]:
    """Look around, tell what is new and what is over, say again what lasts, remember it, log it."""
    with errors_logged():
        config = config_from(os.environ)
        require_schedule(event, config.stack_name)
        settings, watch, topics = settings_from(os.environ), watch_from(os.environ), topic_arns_from(os.environ)
        stack_id, parameter_name = required(os.environ, "STACK_ID"), required(os.environ, "TOLD_PARAMETER")
        stack, time = stack_context_of(config), now()
        told = memory.recall(clients.ssm, parameter_name, config.file_system_id)
        # That it is gone is told by the recalculation.
        file_system = efs.describe_if_there(clients.efs, config.file_system_id)
        found = alarms.read(clients.cloudwatch, config.stack_name)
        around = Around(stack_name=config.stack_name, topic_arns=topics, watch=watch, alarms=found)
        seen = read_surroundings(clients, around, config.file_system_id, file_system, time)
        verdict = silence(seen, watch.alert_email, watch.silent_metrics_hours, time)
        said = reports(verdict, told.silence, seen.subscriptions, config.file_system_id, stack)
        messages, telling = list(said.messages), said.telling
        if said.topic == ADVICE:
            state = Lasting(
                file_system=file_system,
                alarms=found,
                seen=seen,
                settings=settings,
                hours=watch.repeat_hours,
                stack=stack,
            )
            for kind, message in recurring(clients, state, told.silence.mailed, time):
                messages.append(message)
                telling = mailed(telling, kind, time)
        if messages and cloudformation.in_deployment(clients.cloudformation, stack_id, time):
            # What is half-way may look wrong; the next hour tells what still is.
            messages, telling = [], told.silence
        for message in messages:
            mail.send(clients.sns, topics[said.topic or ADVICE], message)
        if telling != told.silence:
            told = replace(told, silence=telling)
            memory.remember(clients.ssm, parameter_name, config.file_system_id, told, Part.SILENCE)
        outcome: dict[str, object] = {
            "conditions": sorted(one.key for one in verdict.found),
            "told_on": said.topic or "nobody is subscribed",
            "mails": [message.subject for message in messages],
        }
        logger.info("looked around", extra=outcome)
        return outcome
