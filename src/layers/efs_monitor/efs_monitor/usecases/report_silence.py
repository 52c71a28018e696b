"""The mails that come again while something lasts: an alarm that stays on, and a balance that heads for one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.aws.runtime import Clients
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.efs.trend import warning_expected
from efs_monitor.incidents.situation import recovers
from efs_monitor.mail import Message, StackContext, warning_ahead
from efs_monitor.notify.health import Surroundings
from efs_monitor.notify.repeats import TREND, RepeatHours, due_repeat, due_trend, lasting, on
from efs_monitor.usecases.explain import low_credits_mail


@dataclass(frozen=True, kw_only=True)
class Lasting:
    """What a recurring mail is made from; no `file_system` where it is gone."""

    file_system: FileSystem | None
    alarms: Mapping[AlarmKind, LiveAlarm]
    seen: Surroundings
    settings: Settings
    hours: RepeatHours
    stack: StackContext


def recurring(
    clients: Clients, state: Lasting, mailed: Mapping[str, datetime], now: datetime
) -> Iterator[tuple[str, Message]]:
    """Each mail that is due, with the name under which the memory notes it. None where credits mean nothing."""
    if state.file_system is None or not state.seen.credits_matter:
        return
    alarms = state.alarms
    is_recovering = recovers(state.seen.balances, now)
    if (due := due_repeat(alarms, mailed, state.hours, now, recovers=is_recovering)) is not None:
        message = low_credits_mail(
            clients,
            due.alarm,
            alarms[due.alarm].state_reason,
            settings=state.settings,
            file_system_id=state.file_system.file_system_id,
            stack=state.stack,
            now=now,
            lasting=lasting(alarms[due.alarm], now),
            brief=due.brief,
        )
        yield due.remembered_as, message
    warning_bytes = alarms[AlarmKind.WARNING].threshold if AlarmKind.WARNING in alarms else None
    if on(alarms) is None and warning_bytes is not None and due_trend(mailed, now):
        expected = warning_expected(state.seen.balances, warning_bytes, now)
        if expected is not None:
            yield TREND, warning_ahead(expected, state.settings.warning_minutes, state.file_system, state.stack)
