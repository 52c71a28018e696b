"""What benchmarks measured, as CloudWatch keeps it."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from proofs.figures.known import Known

HOUR = timedelta(hours=1)
WINDOW_HOURS = 14 * 24


def measured_hours(known: Known, workload: str) -> Iterator[tuple[datetime, float]]:
    """Each hour in which the workload was measured, newest first, and its average rate there, in bytes or files a
    second.
    """
    metrics = known.player.sandbox.metrics
    hour = known.time.replace(minute=0, second=0, microsecond=0)
    for _ in range(WINDOW_HOURS):
        for metric in metrics.visible_metrics(known.time):
            of_workload = metric.namespace == "EFSMonitor" and ("Workload", workload) in metric.dimensions
            if not of_workload or metric.name == "FleetThroughput":
                continue
            for point in metrics.datapoints(metric, hour, hour + HOUR, 3600, now=known.time):
                yield hour, point.sum / point.sample_count
        hour -= HOUR
