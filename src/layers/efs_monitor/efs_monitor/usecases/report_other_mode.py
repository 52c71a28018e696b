"""Report another throughput mode: what elastic throughput costs a day, and the way back once credits would suffice."""

from collections.abc import Mapping
from datetime import datetime

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.alarms.changes import current_thresholds
from efs_monitor.alarms.decision import reference_of
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.config import Config
from efs_monitor.costs.mode_costs import far_cheaper_rate, mode_dollars
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import Observations
from efs_monitor.efs.reference import reference_throughput
from efs_monitor.incidents.back_to_bursting import day_on_credits
from efs_monitor.mail.back_to_bursting_mails import back_to_bursting, elastic_day
from efs_monitor.mail.layout import Message
from efs_monitor.mail.stack_context import stack_context_of
from efs_monitor.notify.health_observations import HealthObservations
from efs_monitor.notify.other_mode import OtherMode, enough_was_told, is_due, told_now
from efs_monitor.notify.repeats import A_DAY, ELASTIC_DAY, due_daily
from efs_monitor.usecases.read_health import WEEK

A_CENT = 0.01


def back_to_bursting_mail(
    config: Config,
    settings: Settings,
    file_system: FileSystem,
    alarms: Mapping[AlarmKind, LiveAlarm],
    other: OtherMode,
    seen: HealthObservations,
    now: datetime,
) -> tuple[Message, OtherMode] | None:
    """The mail about the way back to bursting with what is remembered once it is sent, where it is due, and where there
    is one: not while data is in Archive.

    What is permitted in another mode says nothing of a Region's cap on bursting: the alarms, of which Rise keeps its
    threshold, do.
    """
    if file_system.archive_bytes:
        return None
    newest = _last_balance_bytes(other, seen)
    live = reference_of(current_thresholds(alarms), settings)
    reference = reference_throughput(file_system, Observations(), live_bytes_per_second=live).bytes_per_second
    day = day_on_credits(file_system, reference, newest, seen.work, seen.permitted, now)
    suffices = day is not None and day.suffices
    lately = [one for one in seen.work if one.time >= now - A_DAY]
    stack = stack_context_of(config)
    cheaper = None if day is None or suffices else far_cheaper_rate(file_system, lately, stack.region)
    # A fixed rate that nobody uses is paid all the same.
    is_unused = day is not None and day.is_idle and file_system.mode is ThroughputMode.PROVISIONED
    if not is_due(other, now, is_enough=suffices, pays=suffices or is_unused or cheaper is not None):
        return None
    since = max(other.since, now - WEEK)
    dollars = mode_dollars(file_system, seen.work, seen.permitted, since, now)
    message = back_to_bursting(
        file_system, other.since, dollars, day, stack, now, cheaper, enough_was_told=enough_was_told(other)
    )
    return message, told_now(other, now, is_enough=suffices)


def dear_day_mail(
    config: Config,
    limit_dollars: int,
    file_system: FileSystem,
    other: OtherMode,
    seen: HealthObservations,
    mailed_at: Mapping[str, datetime],
    now: datetime,
) -> Message | None:
    """The mail about 24 hours of elastic throughput that cost more than `limit_dollars`, once a day; 0 is no limit."""
    if (
        not limit_dollars
        or file_system.mode is not ThroughputMode.ELASTIC
        or not due_daily(ELASTIC_DAY, mailed_at, now)
    ):
        return None
    since = max(other.since, now - A_DAY)
    dollars = mode_dollars(file_system, seen.work, seen.permitted, since, now)
    # To the cent, as the mail tells it.
    if dollars < limit_dollars + A_CENT:
        return None
    stack = stack_context_of(config)
    cheaper = far_cheaper_rate(file_system, [one for one in seen.work if one.time >= since], stack.region)
    newest = _last_balance_bytes(other, seen)
    return elastic_day(file_system, dollars, limit_dollars, other.since, stack, now, cheaper, last_balance_bytes=newest)


def _last_balance_bytes(other: OtherMode, seen: HealthObservations) -> float | None:
    """With what bursting would begin: in another mode EFS may publish no balance, so what was seen last is kept."""
    return seen.balances[-1].balance_bytes if seen.balances else other.balance_bytes
