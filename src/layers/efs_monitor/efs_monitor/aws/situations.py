"""Puts together what a file system is going through, from EFS and CloudWatch."""

from datetime import datetime, timedelta

from efs_monitor.alarms import AlarmKind
from efs_monitor.aws import efs, metrics
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.credits import baseline_bytes_per_second
from efs_monitor.errors import MonitorError, NoDatapoints
from efs_monitor.messages import Message, Place, credits_low, credits_unreadable
from efs_monitor.reference import reference_throughput
from efs_monitor.situation import Situation
from efs_monitor.thresholds import Settings


def read_situation(clients: Clients, file_system_id: str, now: datetime) -> Situation:
    """The situation at `now`; NoDatapoints where CloudWatch has none of the last hour."""
    file_system = efs.describe(clients.efs, file_system_id)
    observations = metrics.observe(clients.cloudwatch, file_system, now)
    balances, permitted, activity = metrics.last_hour(clients.cloudwatch, file_system_id, now)
    if not balances or permitted is None:
        raise NoDatapoints(f"CloudWatch has no datapoint of {file_system_id} in the last hour")
    reference = reference_throughput(file_system, observations).bytes_per_second
    return Situation(
        file_system=file_system,
        balances=balances,
        permitted_bytes_per_second=permitted,
        reference_bytes_per_second=reference,
        # A Region's cap holds for the baseline too.
        baseline_bytes_per_second=min(reference, baseline_bytes_per_second(file_system.standard_bytes)),
        activity=activity,
    )


def low_credits_mail(
    clients: Clients,
    severity: AlarmKind,
    state_reason: str,
    *,
    settings: Settings,
    file_system_id: str,
    place: Place,
    now: datetime,
    lasting: timedelta | None = None,
) -> Message:
    """The mail about an alarm that is on. Where the figures cannot be read, half a message now is worth more than a
    whole one after the retries.
    """
    try:
        situation = read_situation(clients, file_system_id, now)
    except MonitorError as problem:
        # Metrics that are missing are told of by a mail of their own.
        (logger.warning if isinstance(problem, NoDatapoints) else logger.error)(str(problem))
        return credits_unreadable(severity, file_system_id, state_reason, str(problem), place, now, lasting)
    return credits_low(severity, settings.lead_minutes(severity), situation, place, now, lasting)
