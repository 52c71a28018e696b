"""Explain an alarm: read what the file system is going through, and tell it in a mail beside CloudWatch's own."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property

from efs_monitor.alarms.alarm import CREDIT_ALARMS, LASTING_ALARMS, AlarmKind, LiveAlarm, is_ended_by_mode
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.aws import cloudwatch_alarms, sns
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.config import Config
from efs_monitor.errors import EventRefused, MonitorError, NoDatapoints
from efs_monitor.events import AlarmChange
from efs_monitor.incidents.identity import incident_began, incident_id
from efs_monitor.incidents.mode_lock import LOCK
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.credit_mails import credits_low, credits_recovering, not_low, recovered
from efs_monitor.mail.draining_mails import draining
from efs_monitor.mail.exhausted_mails import limit_lifted, limited
from efs_monitor.mail.figureless_mails import alarm_without_figures, end_without_figures
from efs_monitor.mail.layout import Message, as_drill, in_thread
from efs_monitor.mail.stack_context import stack_context_of
from efs_monitor.notify.ended_alarms import end_is_told, is_lowered
from efs_monitor.notify.graver_alarms import AT_ONCE, graver_alarm, milder_alarm_since, watched_since
from efs_monitor.notify.same_fall import fall_was_told
from efs_monitor.notify.same_story import fall_needs_no_mail, low_needs_no_mail
from efs_monitor.usecases.read_situation import read_situation, situation_or_problem
from efs_monitor.usecases.stored_state import read_state

# Both retries of a run that failed have come by then. Lambda keeps an event for up to six hours where it is throttled,
# and tries it last some minutes later: what is older was kept by somebody, to try the function with.
MAY_BE_OVERTAKEN_AFTER, OLDEST_EVENT = timedelta(minutes=5), timedelta(hours=7)


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

    def on_credits_are_older_than(self, moment: datetime) -> bool:
        """Whether all of those on credits were written last before this moment, as far as one knows."""
        written = [alarm.configured for kind, alarm in self.by_kind.items() if kind in CREDIT_ALARMS]
        return bool(written) and all(one is not None and one < moment for one in written)


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
    if _is_overtaken(change, alarms, now):
        logger.info("told by the mail about a later change", extra={"alarm": change.kind})
        return None
    if change.state == "ALARM":
        return _alarm_mail(clients, config, settings, change, alarms, now)
    if is_ended_by_mode(change.reason):
        logger.info("told by the mail about the suspension", extra={"alarm": change.kind})
        return None
    # That a fall is over needs no mail: it is not the end of anything.
    if change.state == "OK" and change.previous_state == "ALARM" and change.kind is not AlarmKind.DRAINING:
        return _end_mail(clients, config, settings, change, alarms, now)
    return None


def _resumed(clients: Clients, config: Config, alarms: StackAlarms, now: datetime) -> datetime | None:
    """When the alarms were last resumed, as far as that is remembered and can be read: no mail waits for it.

    A resume writes them, and counts for as long as AWS may lock the mode after it: where none was written since, nobody
    is asked.
    """
    if not config.told_parameter or alarms.on_credits_are_older_than(now - LOCK):
        return None
    try:
        return read_state(clients.ssm, config.told_parameter, config.file_system_id).resumed
    except MonitorError as problem:
        logger.warning(str(problem))
        return None


def _is_overtaken(change: AlarmChange, alarms: StackAlarms, now: datetime) -> bool:
    """Whether the event came so late that its alarm has changed again since, if only back: an alarm that is over would
    read as one that has gone off. False where the alarms cannot be read.
    """
    if change.time is None or change.drill or not MAY_BE_OVERTAKEN_AFTER < now - change.time < OLDEST_EVENT:
        return False
    alarm = alarms.by_kind.get(change.kind)
    if alarm is None or alarm.transitioned is None:
        return False
    return alarm.transitioned - change.time > AT_ONCE


def _alarm_mail(
    clients: Clients, config: Config, settings: Settings, change: AlarmChange, alarms: StackAlarms, now: datetime
) -> Message | None:
    """The mail about an alarm that went off; None where CloudWatch's own message, or another mail, is enough."""
    if change.ended_unseen:
        logger.info("left to the mail about its end, within minutes", extra={"alarm": change.kind})
        return None
    found = situation_or_problem(clients, config, now, lambda: _resumed(clients, config, alarms, now))
    if change.drill:
        return low_credits_mail(config, settings, change.kind, change.reason, found, now)
    if _is_told_already(settings, change, found, alarms) or _is_told_by_a_graver_alarm(
        settings, change.kind, found, alarms
    ):
        return None
    calming = _not_low_mail(config, settings, change, found)
    return calming or low_credits_mail(config, settings, change.kind, change.reason, found, now)


def _end_mail(
    clients: Clients, config: Config, settings: Settings, change: AlarmChange, alarms: StackAlarms, now: datetime
) -> Message | None:
    """The mail about an alarm that is over; one without figures where CloudWatch has none of the last hour, for a retry
    would not find any either. None where CloudWatch's own message is enough.
    """
    stack, kind = stack_context_of(config), change.kind
    try:
        situation = replace(
            read_situation(clients, config.file_system_id, now, config.benchmark_profile),
            resumed=_resumed(clients, config, alarms, now),
        )
    except NoDatapoints as problem:
        logger.warning(str(problem))
        return end_without_figures(kind, config.file_system_id, change.reason, str(problem), stack, now)
    if kind is AlarmKind.EXHAUSTED and change.ended_unseen:
        return limit_lifted(settings.critical_minutes, situation, stack, ended_unseen=True)
    if not change.drill and situation.file_system.lives_on_credits and end_is_told(settings, change, situation):
        logger.info("left to CloudWatch's own message", extra={"alarm": kind})
        return None
    if not change.drill and _is_told_since(change, alarms):
        return None
    if kind is AlarmKind.EXHAUSTED:
        return limit_lifted(settings.critical_minutes, situation, stack)
    return recovered(kind, settings.lead_minutes(kind), situation, stack, change.since)


def _not_low_mail(
    config: Config, settings: Settings, change: AlarmChange, found: Situation | MonitorError
) -> Message | None:
    """The mail about an alarm whose threshold is still to be lowered, where nothing is low by the right one, at the
    pace of now neither; None else.
    """
    if isinstance(found, MonitorError) or change.kind not in LASTING_ALARMS or change.threshold_bytes is None:
        return None
    if not found.file_system.lives_on_credits or found.credits_change_nothing:
        return None
    lead_minutes = settings.lead_minutes(change.kind)
    threshold = found.threshold_bytes(lead_minutes)
    if not is_lowered(change, threshold, found) or found.balance_bytes_by_now < threshold:
        return None
    return not_low(change.kind, lead_minutes, change.threshold_bytes, found, stack_context_of(config))


def low_credits_mail(
    config: Config,
    settings: Settings,
    severity: AlarmKind,
    state_reason: str,
    found: Situation | MonitorError,
    now: datetime,
    *,
    lasting: timedelta | None = None,
    brief_every: timedelta | None = None,
) -> Message:
    """The mail about an alarm that is on, for `lasting` already where it repeats an earlier one; a brief one where
    nobody has to act meanwhile, which comes again after `brief_every`.
    """
    stack = stack_context_of(config)
    if isinstance(found, MonitorError):
        return alarm_without_figures(severity, config.file_system_id, state_reason, str(found), stack, now, lasting)
    if severity is AlarmKind.DRAINING:
        return draining(settings.critical_minutes, found, stack)
    if severity is AlarmKind.EXHAUSTED:
        return limited(found, stack)
    lead_minutes = settings.lead_minutes(severity)
    if brief_every is not None and lasting is not None:
        return credits_recovering(severity, lead_minutes, found, stack, lasting, brief_every)
    return credits_low(severity, lead_minutes, found, stack, lasting)


def _is_told_already(
    settings: Settings, change: AlarmChange, found: Situation | MonitorError, alarms: StackAlarms
) -> bool:
    """Whether CloudWatch's own message is enough: of a fall that is like the last ones, or of a balance that is not low
    any more by the threshold that the alarm has by now.
    """
    if isinstance(found, MonitorError) or not found.file_system.lives_on_credits:
        return False
    if change.kind is AlarmKind.DRAINING:
        told = fall_needs_no_mail(found) or _draining_told_of_this_fall(settings, change, found, alarms)
    else:
        told = change.kind in LASTING_ALARMS and _is_covered(settings, change, found, alarms)
    if told:
        logger.info("left to CloudWatch's own message", extra={"alarm": change.kind})
    return told


def _is_covered(settings: Settings, change: AlarmChange, found: Situation, alarms: StackAlarms) -> bool:
    """Whether earlier mails covered this dip, or the alarm already has its lower threshold; False where the alarms
    cannot be read.
    """
    threshold = found.threshold_bytes(settings.lead_minutes(change.kind))
    was_lowered = is_lowered(change, threshold, found)
    if not was_lowered and (found.credits_change_nothing or not low_needs_no_mail(found, threshold)):
        return False
    if was_lowered:
        alarm = alarms.by_kind.get(change.kind)
        written = alarm.threshold if alarm else None
        return written is not None and not found.was_below(written)
    since = watched_since(alarms.by_kind)
    return since is not None and low_needs_no_mail(found, threshold, since)


def _draining_told_of_this_fall(settings: Settings, change: AlarmChange, found: Situation, alarms: StackAlarms) -> bool:
    """Whether Draining told of this fall before, as far as the alarms say since when they have been there."""
    since = watched_since(alarms.by_kind)
    return since is not None and fall_was_told(found, settings.critical_minutes, change.since, since)


def _is_told_since(change: AlarmChange, alarms: StackAlarms) -> bool:
    """Whether a milder alarm told it after this one had gone off. Warning is the mildest, and nothing is asked."""
    if change.kind is AlarmKind.WARNING:
        return False
    milder = milder_alarm_since(change.kind, alarms.by_kind, change.since)
    if milder is not None:
        logger.info("told by a milder alarm since", extra={"alarm": change.kind, "milder": milder})
    return milder is not None


def _is_told_by_a_graver_alarm(
    settings: Settings, kind: AlarmKind, found: Situation | MonitorError, alarms: StackAlarms
) -> bool:
    """Whether a graver alarm has told it. False where alarms or balance cannot be read: a mail too many is better
    than one too few. False too of a Critical that went off by a threshold of before: its mail has no remedies.
    """
    if kind is AlarmKind.EXHAUSTED or isinstance(found, MonitorError):
        return False
    graver = graver_alarm(kind, alarms.by_kind, found)
    is_about_credits = found.file_system.lives_on_credits and not found.credits_change_nothing
    critical_bytes = found.threshold_bytes(settings.critical_minutes)
    if graver is AlarmKind.CRITICAL and is_about_credits and not found.was_below(critical_bytes):
        return False
    if graver is not None:
        logger.info("told by a graver alarm", extra={"alarm": kind, "graver": graver})
    return graver is not None
