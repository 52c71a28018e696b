"""Explain an alarm: read what the file system is going through, and tell it in a mail beside CloudWatch's own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, cached_property

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm, is_ended_by_mode
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.aws import cloudwatch_alarms, sns
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.config import Config
from efs_monitor.errors import EventRefused, MonitorError, NoDatapoints
from efs_monitor.events import AlarmChange
from efs_monitor.incidents.identity import incident_began, incident_id
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.alarm_mails import alarm_mail, end_mail
from efs_monitor.mail.layout import Message, as_drill, in_thread
from efs_monitor.notify.graver_alarms import graver_alarm_with_remedies
from efs_monitor.notify.mail_suppression import (
    beginning_is_told,
    came_late,
    end_is_told,
    ended_at_once,
    has_changed_since,
    warning_tells_of_both,
)
from efs_monitor.notify.repeats import on
from efs_monitor.notify.state import NotificationState
from efs_monitor.usecases.read_situation import as_remembered, read_situation, situation_or_problem
from efs_monitor.usecases.stored_state import read_state


@dataclass
class StackAlarms:
    """The stack's alarms, read when first asked for. Where they cannot be read, as if there were none: a mail that was
    not needed, or in a thread of its own, is better than no mail.
    """

    clients: Clients
    config: Config

    @cached_property
    def by_kind(self) -> Mapping[AlarmKind, LiveAlarm]:
        """What CloudWatch holds, without those that are not there."""
        try:
            return cloudwatch_alarms.read(self.clients.cloudwatch, self.config.stack_name)
        except MonitorError as problem:
            logger.warning(str(problem))
            return {}


def explain(clients: Clients, config: Config, settings: Settings, change: AlarmChange, now: datetime) -> Message | None:
    """Send the mail about an alarm that went off or recovered; returns it, None where there is nothing to explain.

    An alarm that was merely armed needs no explaining. EventRefused for the Rise alarm.
    """
    if change.kind is AlarmKind.RISE:
        raise EventRefused("The Rise alarm recalculates thresholds; there is nothing to explain about it")
    alarms = StackAlarms(clients, config)
    message = _message(clients, config, settings, change, alarms, now)
    if message is None:
        return None
    if change.drill:
        message = as_drill(message)
    if config.chat_messages:
        message = in_thread(message, _thread(config, change, alarms))
    sns.publish(clients.sns, config.advice_topic_arn, message, to_chat=config.chat_messages)
    return message


def _thread(config: Config, change: AlarmChange, alarms: StackAlarms) -> str:
    """The incident that the change belongs to, or the drill; empty where nobody knows when it began."""
    began = incident_began(alarms.by_kind, change.went_off, drill=change.drill)
    return incident_id(config.file_system_id, began, drill=change.drill) if began else ""


def _message(
    clients: Clients, config: Config, settings: Settings, change: AlarmChange, alarms: StackAlarms, now: datetime
) -> Message | None:
    if came_late(change, now) and has_changed_since(change, alarms.by_kind.get(change.kind)):
        logger.info("told by the mail about a later change", extra={"alarm": change.kind})
        return None
    if change.state == "ALARM":
        return _alarm_mail(clients, config, settings, change, alarms, now)
    if is_ended_by_mode(change.reason):
        logger.info("told by the mail about the suspension", extra={"alarm": change.kind})
        return None
    if change.unheard:
        logger.info("announced by the mail that the alarms are active again", extra={"alarm": change.kind})
        return None
    # That a fall is over needs no mail: it is not the end of anything.
    if change.state == "OK" and change.previous_state == "ALARM" and change.kind is not AlarmKind.DRAINING:
        return _end_mail(clients, config, settings, change, alarms, now)
    return None


def _alarm_mail(
    clients: Clients, config: Config, settings: Settings, change: AlarmChange, alarms: StackAlarms, now: datetime
) -> Message | None:
    """The mail about an alarm that went off; None where CloudWatch's own message, or another mail, is enough."""
    if change.ended_unseen:
        logger.info("left to the mail about its end, within minutes", extra={"alarm": change.kind})
        return None
    remembered = cache(lambda: _remembered(clients, config))
    found = situation_or_problem(clients, config, now, alarms.by_kind, remembered)
    if isinstance(found, Situation):
        found = replace(found, off_since=change.off_since, off_above_bytes=change.off_above_bytes)
        mailed = _mailed(clients, config, change, alarms.by_kind)
        if _needs_no_mail(settings, change, found, alarms.by_kind, mailed):
            return None
    return alarm_mail(config, settings, change, found, now, remembered().changed_seen)


def _mailed(
    clients: Clients, config: Config, change: AlarmChange, alarms: Mapping[AlarmKind, LiveAlarm]
) -> Mapping[str, datetime]:
    """When Critical was said again last, which may tell of a fall in Draining's place; nothing where that does not
    matter, or cannot be read: no mail waits for it.
    """
    if change.kind is not AlarmKind.DRAINING or not config.state_parameter or on(alarms) is not AlarmKind.CRITICAL:
        return {}
    try:
        return read_state(clients.ssm, config.state_parameter, config.file_system_id).health.mailed
    except MonitorError as problem:
        logger.warning(str(problem))
        return {}


def _needs_no_mail(
    settings: Settings,
    change: AlarmChange,
    situation: Situation,
    alarms: Mapping[AlarmKind, LiveAlarm],
    mailed: Mapping[str, datetime],
) -> bool:
    """Whether something else is enough about an alarm that went off; the log says what."""
    if change.drill:
        return False
    if beginning_is_told(settings, change, situation, alarms):
        logger.info("left to CloudWatch's own message", extra={"alarm": change.kind})
        return True
    graver = graver_alarm_with_remedies(change.kind, alarms, situation, settings.critical_minutes, mailed)
    if graver is not None:
        logger.info("told by a graver alarm", extra={"alarm": change.kind, "graver": graver})
    return graver is not None


def _end_mail(
    clients: Clients, config: Config, settings: Settings, change: AlarmChange, alarms: StackAlarms, now: datetime
) -> Message | None:
    """The mail about an alarm that is over; one without figures where CloudWatch has none of the last hour, for a retry
    would not find any either. None where CloudWatch's own message, or another mail, is enough.
    """
    try:
        situation = read_situation(clients, config.file_system_id, now, config.benchmark_profile)
    except NoDatapoints as problem:
        logger.warning(str(problem))
        return end_mail(config, settings, change, problem, now)
    situation = as_remembered(situation, _remembered(clients, config), alarms.by_kind)
    if _end_needs_no_mail(settings, change, situation, alarms.by_kind):
        return None
    with_critical = ended_at_once(AlarmKind.CRITICAL, change, alarms.by_kind, situation)
    return end_mail(config, settings, change, situation, now, with_critical=with_critical)


def _end_needs_no_mail(
    settings: Settings, change: AlarmChange, situation: Situation, alarms: Mapping[AlarmKind, LiveAlarm]
) -> bool:
    """Whether CloudWatch's own message, or the mail about the end of another alarm, is enough about an alarm that is
    over; the log says so. Of an Exhausted that nobody was told of it is not.
    """
    if change.drill or (change.kind is AlarmKind.EXHAUSTED and change.ended_unseen):
        return False
    is_told = end_is_told(settings, change, situation)
    if is_told:
        logger.info("left to CloudWatch's own message", extra={"alarm": change.kind})
    elif warning_tells_of_both(settings, change, alarms, situation):
        logger.info("told by the mail about the end of Warning", extra={"alarm": change.kind})
        return True
    return is_told


def _remembered(clients: Clients, config: Config) -> NotificationState:
    """What is remembered, as of when the throughput was changed, where that can be read: no mail waits for it."""
    if not config.state_parameter:
        return NotificationState()
    try:
        return read_state(clients.ssm, config.state_parameter, config.file_system_id)
    except MonitorError as problem:
        logger.warning(str(problem))
        return NotificationState()
