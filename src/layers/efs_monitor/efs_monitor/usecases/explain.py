"""Puts together what a file system is going through, from EFS and CloudWatch."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.aws import efs, metrics
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.efs.credits import baseline_bytes_per_second
from efs_monitor.efs.reference import reference_throughput
from efs_monitor.errors import MonitorError, NoDatapoints
from efs_monitor.incidents.situation import PastDay, Situation
from efs_monitor.mail import Message, StackContext, credits_low, credits_recovering, credits_unreadable

if TYPE_CHECKING:
    from efs_monitor.benchmarks.newest import NewestRate


def read_situation(clients: Clients, file_system_id: str, now: datetime, benchmark_profile: str = "") -> Situation:
    """The situation at `now`; NoDatapoints where CloudWatch has none of the last hour.

    With the results of the newest benchmark where the stack has any, and where they can be read.
    """
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
        benchmark=_newest_benchmark(clients, file_system_id, now, benchmark_profile),
        past_days=_past_days(clients, file_system_id, now),
    )


def _past_days(clients: Clients, file_system_id: str, now: datetime) -> tuple[PastDay, ...]:
    """Without these a mail says that they are not known: it does not wait for the retries."""
    try:
        return metrics.past_days(clients.cloudwatch, file_system_id, now)
    except MonitorError as problem:
        logger.warning(str(problem))
        return ()


def _newest_benchmark(clients: Clients, file_system_id: str, now: datetime, profile: str) -> "tuple[NewestRate, ...]":
    """No mail waits for these, and none is the worse without them."""
    if not profile:
        return ()
    # Here, so that a cold start of a stack without benchmarks does not pay for all that is known of them.
    from efs_monitor.aws.benchmark_rates import newest_rates  # noqa: PLC0415

    try:
        return newest_rates(clients.cloudwatch, file_system_id, profile, now)
    except MonitorError as problem:
        logger.warning(str(problem))
        return ()


def low_credits_mail(
    clients: Clients,
    severity: AlarmKind,
    state_reason: str,
    *,
    settings: Settings,
    file_system_id: str,
    stack: StackContext,
    now: datetime,
    lasting: timedelta | None = None,
    brief: bool = False,
    benchmark_profile: str = "",
) -> Message:
    """The mail about an alarm that is on, or a `brief` one of an alarm that lasts while nobody has to act.

    Where the figures cannot be read, half a message now is worth more than a whole one after the retries.
    """
    try:
        situation = read_situation(clients, file_system_id, now, benchmark_profile)
    except MonitorError as problem:
        # Metrics that are missing are told of by a mail of their own.
        (logger.warning if isinstance(problem, NoDatapoints) else logger.error)(str(problem))
        return credits_unreadable(severity, file_system_id, state_reason, str(problem), stack, now, lasting)
    lead_minutes = settings.lead_minutes(severity)
    if brief and lasting is not None:
        return credits_recovering(severity, lead_minutes, situation, stack, now, lasting)
    return credits_low(severity, lead_minutes, situation, stack, now, lasting)
