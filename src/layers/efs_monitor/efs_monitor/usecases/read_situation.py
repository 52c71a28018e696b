"""Read what a file system is going through: what the mails about credits, and their repeats, are written from."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.aws import efs, efs_metrics
from efs_monitor.aws.past_days import read_past_days
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.config import Config
from efs_monitor.efs.credits import baseline_bytes_per_second
from efs_monitor.efs.observations import as_they_fit, last_cut, since_the_last_cut
from efs_monitor.efs.reference import highest_by_now, reference_throughput
from efs_monitor.errors import MonitorError, NoDatapoints
from efs_monitor.incidents.identity import alarms_missing, alarms_on
from efs_monitor.incidents.one_size import one_size_since
from efs_monitor.incidents.situation import STEP, PastDay, Situation, Work
from efs_monitor.notify.state import NotificationState

if TYPE_CHECKING:
    from efs_monitor.benchmarks.past_rates import NewestRate


def read_situation(clients: Clients, file_system_id: str, now: datetime, benchmark_profile: str) -> Situation:
    """What the file system is going through at `now`; NoDatapoints where CloudWatch has nothing newer than an hour
    and a quarter.

    With the results of the newest benchmark where the stack has a `benchmark_profile`, and where they can be read.
    """
    file_system = efs.describe(clients.efs, file_system_id)
    observations = efs_metrics.observe(clients.cloudwatch, file_system, now)
    hour = efs_metrics.last_hour(clients.cloudwatch, file_system_id, now)
    if not hour.balances or hour.permitted_bytes_per_second is None:
        raise NoDatapoints(f"CloudWatch has no datapoint of {file_system_id} in the last 75 minutes")
    past_days, last_day, permitted_of_the_day = _past_days(clients, file_system_id, now)
    found = reference_throughput(file_system, observations)
    reference = highest_by_now(file_system, found, hour.permitted_bytes_per_second)
    fastest = max([reference, *(rate for _, rate in permitted_of_the_day)])
    balances = since_the_last_cut((*hour.earlier_balances, *hour.balances), fastest)
    situation = Situation(
        file_system=file_system,
        time=now,
        balances=tuple(one for one in balances if one.time >= hour.balances[0].time),
        earlier_balances=tuple(one for one in balances if one.time < hour.balances[0].time),
        permitted_bytes_per_second=hour.permitted_bytes_per_second,
        reference_bytes_per_second=reference,
        # A Region's cap holds for the baseline too.
        baseline_bytes_per_second=min(reference, baseline_bytes_per_second(file_system.standard_bytes)),
        activity=hour.activity,
        may_be_capped=found.may_be_capped,
        benchmark=_newest_benchmark(clients, file_system_id, now, benchmark_profile),
        past_days=tuple(_as_it_fits(day, fastest) for day in past_days),
        last_day=last_day,
        permitted_of_the_day=permitted_of_the_day,
    )
    return replace(situation, one_size_since=one_size_since(hour.permitted, situation))


def _as_it_fits(day: PastDay, fastest_bytes_per_second: float) -> PastDay:
    known = (*day.night_before, *day.balances)
    if last_cut(known, fastest_bytes_per_second, STEP) is None:
        return day
    fit, nights = as_they_fit(known, fastest_bytes_per_second, STEP), len(day.night_before)
    cut = last_cut(day.balances, fastest_bytes_per_second, STEP)
    return replace(day, balances=fit[nights:], night_before=fit[:nights], cut=cut)


def situation_or_problem(
    clients: Clients,
    config: Config,
    now: datetime,
    alarms: Mapping[AlarmKind, LiveAlarm],
    remembered: Callable[[], NotificationState],
) -> Situation | MonitorError:
    """The situation, with which of the stack's `alarms` are on; or why it could not be read: half a message now is
    worth more than a whole one after retries.

    What is `remembered` says when the monitor last saw a change of the throughput, and resumed the alarms.
    """
    try:
        situation = read_situation(clients, config.file_system_id, now, config.benchmark_profile)
        return as_remembered(situation, remembered(), alarms)
    except MonitorError as problem:
        # Metrics that are missing are told of by a mail of their own.
        (logger.warning if isinstance(problem, NoDatapoints) else logger.error)(str(problem))
        return problem


def as_remembered(situation: Situation, state: NotificationState, alarms: Mapping[AlarmKind, LiveAlarm]) -> Situation:
    """The situation with what the metrics do not show: changes of the throughput, and which `alarms` are on."""
    return replace(
        situation,
        resumed=state.resumed,
        driven_since=state.driven.since if state.driven else None,
        alarms_on=alarms_on(alarms),
        alarms_missing=alarms_missing(alarms),
    )


def _past_days(
    clients: Clients, file_system_id: str, now: datetime
) -> tuple[tuple[PastDay, ...], tuple[Work, ...], tuple[tuple[datetime, float], ...]]:
    """The days before; nothing where they cannot be read: a mail says so then, and does not wait for the retries."""
    try:
        return read_past_days(clients.cloudwatch, file_system_id, now)
    except MonitorError as problem:
        logger.warning(str(problem))
        return (), (), ()


def _newest_benchmark(clients: Clients, file_system_id: str, now: datetime, profile: str) -> "tuple[NewestRate, ...]":
    """What the newest benchmark measured; nothing where that cannot be read: no mail waits for it."""
    if not profile:
        return ()
    # Here, so that a cold start of a stack without benchmarks does not pay for all that is known of them.
    from efs_monitor.aws.benchmark_rates import newest_rates  # noqa: PLC0415 - a cold start without benchmarks does not pay for it
    from efs_monitor.benchmarks.profiles import workloads_of  # noqa: PLC0415 - a cold start without benchmarks does not pay for it

    try:
        return newest_rates(clients.cloudwatch, file_system_id, workloads_of(profile), now)
    except MonitorError as problem:
        logger.warning(str(problem))
        return ()
