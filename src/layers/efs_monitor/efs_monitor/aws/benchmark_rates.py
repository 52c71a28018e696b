"""What benchmarks measured, read back from the metrics that they published."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from efs_monitor.aws.cloudwatch_metrics import Series, Wanted, read
from efs_monitor.benchmarks.past_rates import NewestRate
from efs_monitor.benchmarks.workloads import Workload

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient

WINDOW = timedelta(days=14)
# A run lasts minutes, and two weeks by the hour are 336 points a workload.
NEWEST_PERIOD = timedelta(hours=1)
# A fifth of the datapoints that minutes would be, and still one for each run: they are at least an hour apart, or
# started by hand.
PAST_PERIOD = timedelta(minutes=5)


def newest_rates(
    cloudwatch: "CloudWatchClient", file_system_id: str, workloads: Sequence[Workload], now: datetime
) -> tuple[NewestRate, ...]:
    """What each of the workloads reached in the newest run of the last two weeks, and before; empty without a run."""
    start = (now - WINDOW).replace(minute=0, second=0, microsecond=0)
    found = _read(cloudwatch, file_system_id, workloads, start, now, NEWEST_PERIOD)
    last = max((time for series in found for time in series), default=now)
    # A run may reach over the end of an hour; what is older belongs to an earlier one.
    first = last - NEWEST_PERIOD
    return tuple(
        NewestRate(
            workload=workload,
            time=max(series),
            rate=series[max(series)],
            past=tuple(series[time] for time in sorted(series) if time < first),
        )
        for workload, series in zip(workloads, found, strict=True)
        if series and max(series) >= first
    )


def past_rates(
    cloudwatch: "CloudWatchClient", file_system_id: str, workloads: Sequence[Workload], before: datetime
) -> Mapping[str, tuple[float, ...]]:
    """The rates of each workload, by its id and oldest first, in the two weeks before `before`.

    Never those of the very run that began then: collecting it twice finds the same history. So the five minutes in
    which it began are left out.
    """
    if not workloads:
        return {}
    end = before.replace(minute=before.minute - before.minute % 5, second=0, microsecond=0)
    found = _read(cloudwatch, file_system_id, workloads, end - WINDOW, end, PAST_PERIOD)
    return {
        workload.id: tuple(series[time] for time in sorted(series) if time < end)
        for workload, series in zip(workloads, found, strict=True)
    }


def _read(
    cloudwatch: "CloudWatchClient",
    file_system_id: str,
    workloads: Sequence[Workload],
    start: datetime,
    end: datetime,
    period: timedelta,
) -> list[Series]:
    """One series of rates for each of the workloads: of several instances, a minute or two apart, the average."""
    wanted = [
        Wanted(
            namespace="EFSMonitor",
            metric=workload.rate_kind,
            dimension=("FileSystemId", file_system_id),
            further_dimensions=(("Workload", workload.id),),
            statistic="Average",
            period_seconds=round(period.total_seconds()),
        )
        for workload in workloads
    ]
    return read(cloudwatch, wanted, start, end, file_system_id)
