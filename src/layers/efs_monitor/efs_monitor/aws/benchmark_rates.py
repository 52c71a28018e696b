"""The newest benchmark, read back from the metrics that it published."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from efs_monitor.aws.cloudwatch_metrics import Wanted, read
from efs_monitor.benchmarks.newest import NewestRate
from efs_monitor.benchmarks.profiles import workloads_of

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient

WINDOW = timedelta(days=14)
# A run lasts minutes, and two weeks by the hour are 336 points a workload.
PERIOD = timedelta(hours=1)


def newest_rates(
    cloudwatch: "CloudWatchClient", file_system_id: str, profile: str, now: datetime
) -> tuple[NewestRate, ...]:
    """What each workload of the profile reached in the newest run of the last two weeks; empty where there was none."""
    workloads = workloads_of(profile)
    wanted = [
        Wanted(
            namespace="EFSMonitor",
            metric=one.rate_kind,
            dimension=("FileSystemId", file_system_id),
            further_dimensions=(("Workload", one.id),),
            statistic="Average",
            period_seconds=round(PERIOD.total_seconds()),
        )
        for one in workloads
    ]
    start = (now - WINDOW).replace(minute=0, second=0, microsecond=0)
    found = read(cloudwatch, wanted, start, now, file_system_id)
    newest = [
        NewestRate(workload=workload, time=max(series), rate=series[max(series)])
        for workload, series in zip(workloads, found, strict=True)
        if series
    ]
    last = max((one.time for one in newest), default=now)
    # A run may reach over the end of an hour; what is older belongs to an earlier one.
    return tuple(one for one in newest if one.time >= last - PERIOD)
