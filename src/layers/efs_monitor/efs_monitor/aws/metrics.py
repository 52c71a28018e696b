"""CloudWatch metrics of a file system, paired by timestamp and oldest first."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from efs_monitor.aws.cloudwatch_metrics import Series, Wanted, read
from efs_monitor.efs.credits import LOWEST_REGIONAL_CAP_BYTES_PER_SECOND, burst_bytes_per_second
from efs_monitor.efs.file_system import FileSystem, Minute, Observations
from efs_monitor.incidents.comeback import AHEAD, BEFORE, STEP
from efs_monitor.incidents.situation import Activity, BalancePoint, PastDay, clients_activity

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient


@dataclass(frozen=True, kw_only=True)
class Span:
    """How far back to read, and in which steps."""

    length: timedelta
    period_seconds: int


# Datapoints arrive some minutes late and AWS states no bound: look well past the usual 10 to 15 minutes.
RECENT = Span(length=timedelta(minutes=30), period_seconds=60)
LAST_HOUR = Span(length=timedelta(hours=1), period_seconds=60)
# The newest datapoint is minutes old.
PAST_DAY = Span(length=AHEAD + 2 * BEFORE, period_seconds=round(STEP.total_seconds()))
FIFTEEN_DAYS = Span(length=timedelta(days=15), period_seconds=300)


def observe(cloudwatch: "CloudWatchClient", file_system: FileSystem, now: datetime) -> Observations:
    """What CloudWatch knows of balance and permitted throughput, in one call.

    Only a file system large enough to meet a regional cap needs the last 15 days too. For it everything is
    read in periods of five minutes, the lowest of each: 4,320 points a series instead of 21,600.
    """
    may_be_capped = burst_bytes_per_second(file_system.standard_bytes) > LOWEST_REGIONAL_CAP_BYTES_PER_SECOND
    span = FIFTEEN_DAYS if may_be_capped else RECENT
    wanted = [("BurstCreditBalance", "Minimum"), ("PermittedThroughput", "Minimum")]
    if may_be_capped:
        wanted.append(("PermittedThroughput", "Maximum"))
    balances, permitted, *highest = _read(cloudwatch, file_system.file_system_id, wanted, span, now)
    oldest = now - RECENT.length - timedelta(seconds=span.period_seconds)
    return Observations(
        minutes=tuple(
            Minute(time=time, balance_bytes=balances[time], permitted_bytes_per_second=permitted[time])
            for time in sorted(balances.keys() & permitted.keys())
            if time >= oldest
        ),
        highest_permitted_bytes_per_second=max(highest[0].values(), default=None) if highest else None,
    )


def last_hour(
    cloudwatch: "CloudWatchClient", file_system_id: str, now: datetime
) -> tuple[tuple[BalancePoint, ...], float | None, Activity | None]:
    """The balances of the last hour, the newest PermittedThroughput, and what clients did; in one call."""
    balances, permitted, metered, read, written, metadata = _read(
        cloudwatch,
        file_system_id,
        [
            ("BurstCreditBalance", "Minimum"),
            ("PermittedThroughput", "Minimum"),
            ("MeteredIOBytes", "Sum"),
            ("DataReadIOBytes", "Sum"),
            ("DataWriteIOBytes", "Sum"),
            ("MetadataIOBytes", "Sum"),
        ],
        LAST_HOUR,
        now,
    )
    gauged = balances.keys() | permitted.keys()
    return (
        tuple(BalancePoint(time=time, balance_bytes=balances[time]) for time in sorted(balances)),
        permitted[max(permitted)] if permitted else None,
        clients_activity(gauged, metered=metered, read=read, written=written, metadata=metadata),
    )


def past_days(cloudwatch: "CloudWatchClient", file_system_id: str, now: datetime) -> tuple[PastDay, ...]:
    """The balance around the coming day as it was yesterday and a week ago, a call each; in steps of five minutes."""
    days = []
    for back in (timedelta(days=1), timedelta(days=7)):
        (balances,) = _read(
            cloudwatch, file_system_id, [("BurstCreditBalance", "Minimum")], PAST_DAY, now - back + AHEAD
        )
        points = (BalancePoint(time=time, balance_bytes=balances[time]) for time in sorted(balances))
        days.append(PastDay(back=back, balances=tuple(points)))
    return tuple(days)


def _read(
    cloudwatch: "CloudWatchClient",
    file_system_id: str,
    wanted: list[tuple[str, str]],
    span: Span,
    now: datetime,
) -> list[Series]:
    """One series for each (metric, statistic) wanted of the file system."""
    # Bins are counted from the start time: an aligned one makes them the minutes CloudWatch itself keeps.
    start = (now - span.length).replace(second=0, microsecond=0)
    start -= timedelta(minutes=start.minute % (span.period_seconds // 60))
    return read(
        cloudwatch,
        [
            Wanted(
                namespace="AWS/EFS",
                metric=metric,
                dimension=("FileSystemId", file_system_id),
                statistic=statistic,
                period_seconds=span.period_seconds,
            )
            for metric, statistic in wanted
        ],
        start,
        now,
        file_system_id,
    )
