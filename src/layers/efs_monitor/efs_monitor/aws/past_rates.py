"""What earlier benchmarks measured, read back from the metrics they published."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from efs_monitor.aws.cloudwatch_metrics import Wanted, read
from efs_monitor.benchmarks.workloads import Workload

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient

WINDOW = timedelta(days=14)
# A fifth of the datapoints that minutes would be, and still one for each run: they are at least an hour apart, or
# started by hand.
PERIOD = timedelta(minutes=5)


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
    wanted = [
        Wanted(
            namespace="EFSMonitor",
            metric=workload.rate_kind,
            dimension=("FileSystemId", file_system_id),
            further_dimensions=(("Workload", workload.id),),
            # Of several instances, a minute or two apart.
            statistic="Average",
            period_seconds=round(PERIOD.total_seconds()),
        )
        for workload in workloads
    ]
    found = read(cloudwatch, wanted, end - WINDOW, end, file_system_id)
    return {
        workload.id: tuple(series[time] for time in sorted(series) if time < end)
        for workload, series in zip(workloads, found, strict=True)
    }
