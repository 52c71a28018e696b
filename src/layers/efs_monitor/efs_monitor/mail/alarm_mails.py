"""Which mail an alarm has: one that went off, one that is on still, and one that is over."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.config import Config
from efs_monitor.errors import MonitorError
from efs_monitor.events import AlarmChange
from efs_monitor.incidents.situation import Situation
from efs_monitor.mail.layout import Message
from efs_monitor.mail.low_credits_mails import credits_low, credits_recovering, not_low
from efs_monitor.mail.stack_context import StackContext, stack_context_of
from efs_monitor.notify.mail_suppression import nothing_is_low
from efs_monitor.notify.repeats import Repeat

if TYPE_CHECKING:
    from efs_monitor.incidents.last_seen import NewestSeen


def alarm_mail(
    config: Config,
    settings: Settings,
    change: AlarmChange,
    found: Situation | MonitorError,
    now: datetime,
    changed_seen: datetime | None = None,
) -> Message:
    """The mail about an alarm that went off: that nothing is low where its threshold is still to be lowered, or else
    what is. `found` is what the file system is going through, or why that could not be read; a change of the
    throughput was last `changed_seen` then, which a situation has itself.
    """
    went_off_by = change.threshold_bytes
    if isinstance(found, Situation) and went_off_by is not None and nothing_is_low(settings, change, found):
        return not_low(change.kind, settings.lead_minutes(change.kind), went_off_by, found, stack_context_of(config))
    return low_credits_mail(config, settings, change.kind, change.reason, found, now, changed_seen=changed_seen)


def low_credits_mail(
    config: Config,
    settings: Settings,
    severity: AlarmKind,
    state_reason: str,
    found: Situation | MonitorError,
    now: datetime,
    *,
    lasting: timedelta | None = None,
    repeat: Repeat | None = None,
    changed_seen: datetime | None = None,
    newest: "NewestSeen | None" = None,
) -> Message:
    """The mail about an alarm that is on, for `lasting` already where it is a `repeat` of an earlier one: a brief one
    where nobody has to act meanwhile, and a shorter one where nothing is left still. Without figures it heeds when a
    change of the throughput was last `changed_seen`, and says what is the `newest` that was seen.
    """
    stack = stack_context_of(config)
    if isinstance(found, MonitorError):
        from efs_monitor.mail.figureless_mails import alarm_without_figures  # noqa: PLC0415 - a cold start with figures does not pay for what is said without them

        file_system_id, problem = config.file_system_id, str(found)
        return alarm_without_figures(
            *(severity, file_system_id, state_reason, problem, stack, now, lasting),
            changed_seen=changed_seen,
            newest=newest,
        )
    if severity is AlarmKind.DRAINING:
        from efs_monitor.mail.draining_mails import draining  # noqa: PLC0415 - a cold start for Warning or Critical does not pay for it

        return draining(settings.critical_minutes, found, stack)
    if severity is AlarmKind.EXHAUSTED:
        from efs_monitor.mail.exhausted_mails import limited  # noqa: PLC0415 - a cold start for Warning or Critical does not pay for it

        return limited(found, stack)
    lead_minutes = settings.lead_minutes(severity)
    if repeat is not None and lasting is not None:
        return _repeated(lead_minutes, found, stack, lasting, repeat)
    return credits_low(severity, lead_minutes, found, stack, lasting)


def _repeated(
    lead_minutes: int, situation: Situation, stack: StackContext, lasting: timedelta, repeat: Repeat
) -> Message:
    if repeat.brief:
        return credits_recovering(repeat.alarm, lead_minutes, situation, stack, lasting, repeat.pause)
    from efs_monitor.mail.still_gone_mails import mail_with_all_remedies, still_gone  # noqa: PLC0415 - a cold start for the first mail about an alarm does not pay for what the later ones say

    whole_mail = mail_with_all_remedies(situation, repeat.last)
    if whole_mail is None:
        return credits_low(repeat.alarm, lead_minutes, situation, stack, lasting)
    return still_gone(repeat, lead_minutes, situation, stack, lasting=lasting, whole_mail=whole_mail)


def end_mail(
    config: Config,
    settings: Settings,
    change: AlarmChange,
    found: Situation | MonitorError,
    now: datetime,
    *,
    with_critical: bool = False,
) -> Message:
    """The mail about an alarm that is over, `with_critical` where that ended in the same minute; one without figures
    where those could not be read.
    """
    stack, kind = stack_context_of(config), change.kind
    if isinstance(found, MonitorError):
        from efs_monitor.mail.figureless_mails import end_without_figures  # noqa: PLC0415 - a cold start with figures does not pay for what is said without them

        return end_without_figures(kind, config.file_system_id, change.reason, str(found), stack, now)
    if kind is AlarmKind.EXHAUSTED:
        from efs_monitor.mail.exhausted_mails import limit_lifted  # noqa: PLC0415 - a cold start for Warning or Critical does not pay for it

        return limit_lifted(settings.critical_minutes, found, stack, ended_unseen=change.ended_unseen)
    from efs_monitor.mail.recovered_mails import recovered  # noqa: PLC0415 - a cold start for an alarm that goes off does not pay for what is said when it is over

    lead_minutes = settings.lead_minutes(kind)
    return recovered(
        kind, lead_minutes, found, stack, change.since, change.threshold_bytes, with_critical=with_critical
    )
