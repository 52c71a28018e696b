"""Sends the readable mail beside CloudWatch's own: what is going on, why, and what to do."""

import os
from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.aws import sns as mail
from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.config import Config, config_from, settings_from
from efs_monitor.errors import EventRefused
from efs_monitor.events import AlarmChange, alarm_change
from efs_monitor.mail import Message, as_drill, recovered, stack_context_of
from efs_monitor.usecases.explain import low_credits_mail, read_situation

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

clients = Clients()


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> dict[str, str | None]:
    """Explain an alarm that went off or recovered; an alarm that was merely armed needs no explaining."""
    with errors_logged():
        config = config_from(os.environ)
        change = alarm_change(event, config.stack_name)
        if change.kind is AlarmKind.RISE:
            raise EventRefused("The Rise alarm recalculates thresholds; there is nothing to explain about it")
        message = _message(change, config)
        if message is not None:
            mail.send(clients.sns, config.advice_topic_arn, message)
        subject = message.subject if message else None
        outcome = {"alarm": str(change.kind), "from": change.previous_state, "to": change.state, "mail": subject}
        logger.info("explained" if message else "nothing to explain", extra=outcome)
        return outcome


def _message(change: AlarmChange, config: Config) -> Message | None:
    settings, stack, time = settings_from(os.environ), stack_context_of(config), now()
    if change.state == "ALARM":
        message = low_credits_mail(
            clients,
            change.kind,
            change.reason,
            settings=settings,
            file_system_id=config.file_system_id,
            stack=stack,
            now=time,
            benchmark_profile=config.benchmark_profile,
        )
    elif change.state == "OK" and change.previous_state == "ALARM":
        situation = read_situation(clients, config.file_system_id, time, config.benchmark_profile)
        message = recovered(change.kind, settings.lead_minutes(change.kind), situation, stack, time)
    else:
        return None
    return as_drill(message) if change.drill else message
