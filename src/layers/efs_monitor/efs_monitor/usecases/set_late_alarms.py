"""Sets the alarms that late metrics would have changed, had they come while CloudWatch looked at them."""

from dataclasses import dataclass
from datetime import datetime

from efs_monitor.alarms.late_metrics import are_late, late_states, may_be_unseen
from efs_monitor.aws import cloudwatch_alarms, efs, efs_metrics
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.config import Config
from efs_monitor.errors import MonitorError
from efs_monitor.mail.descriptions import late_reason


@dataclass(frozen=True, kw_only=True)
class LateAlarms:
    """When the newest balance is of, None where CloudWatch has none; whether it is late; the alarms set,
    each with its state: one may be set for balances that were late before the newest.
    """

    newest: datetime | None
    late: bool
    alarms_set: tuple[str, ...] = ()


def set_late_alarms(clients: Clients, config: Config, now: datetime, silent_metrics_hours: int) -> LateAlarms:
    """Read the balances that CloudWatch has by now; where these are late, set each alarm that they would have changed.

    Metrics that come in time cost one call, and a second one for three hours after credits that may have been gone.
    Whose `silent_metrics_hours` are 0 has said that metrics which stop mean nothing: then no fall goes on unseen.
    """
    balances = efs_metrics.late_balances(clients.cloudwatch, config.file_system_id, now)
    newest = balances[-1].time if balances else None
    late = are_late(balances, now)
    if not late and not may_be_unseen(balances, now):
        return LateAlarms(newest=newest, late=False)
    found = cloudwatch_alarms.read(clients.cloudwatch, config.stack_name)
    states = late_states(found, balances, now, falls_unseen=silent_metrics_hours > 0)
    if any(one.unseen_bytes_per_second is not None for one in states) and not _may_fall(clients, config):
        states = tuple(one for one in states if one.unseen_bytes_per_second is None)
    for one in states:
        reason = late_reason(one, config.file_system_id, now)
        cloudwatch_alarms.set_state(clients.cloudwatch, one.alarm.name, one.state, reason, one.newest.time)
    return LateAlarms(newest=newest, late=late, alarms_set=tuple(f"{one.alarm.name} {one.state}" for one in states))


def _may_fall(clients: Clients, config: Config) -> bool:
    """Whether a balance that nobody sees may go on falling: not that of a file system that is gone by now, nor in a
    throughput mode in which credits mean nothing, for which EFS publishes none. Where EFS does not say, it may.
    """
    try:
        file_system = efs.describe_if_there(clients.efs, config.file_system_id)
    except MonitorError as problem:
        logger.warning(str(problem))
        return True
    return file_system is not None and file_system.lives_on_credits
