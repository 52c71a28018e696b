"""What benchmarks measured, as CloudWatch keeps it, and what others published of the same work."""

import csv
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path

from proofs.figures.known import Known
from sim.burst_credits import GIB, MIB

# The tables of AWS's tutorials, copied out by hand.
PUBLISHED = Path(__file__).parent.parent.parent / "tests" / "unit" / "benchmarks" / "data" / "published.csv"
UNITS = {"files/s": 1, "MB/s": 10**6, "MiB/s": MIB}
# The tables of readers have no total: each reads a file of this size.
READ_BYTES = 1 * GIB
HOUR = timedelta(hours=1)
WINDOW_HOURS = 14 * 24


def newest_hour(known: Known, workload: str) -> tuple[datetime, float]:
    """The newest hour in which the workload was measured, and its average rate there, in bytes or files a second."""
    metrics = known.world.sandbox.metrics
    hour = known.time.replace(minute=0, second=0, microsecond=0)
    for _ in range(WINDOW_HOURS):
        for metric in metrics.visible_metrics(known.time):
            of_workload = metric.namespace == "EFSMonitor" and ("Workload", workload) in metric.dimensions
            if not of_workload or metric.name == "FleetThroughput":
                continue
            for point in metrics.datapoints(metric, hour, hour + HOUR, 3600, now=known.time):
                return hour, point.sum / point.sample_count
        hour -= HOUR
    raise LookupError(f"{workload} was not measured in two weeks")


def published_rates(workload: str) -> list[float]:
    """Each rate that a tutorial names for it or that follows from its bytes, files and seconds."""
    rates = []
    for row in csv.DictReader(PUBLISHED.read_text("utf-8").splitlines()):
        if row["workload_id"] != workload:
            continue
        if row["duration_s"]:
            rates.append(_amount(row) / float(row["duration_s"]))
        if row["published_rate"]:
            rates.append(float(row["published_rate"]) * UNITS[row["rate_unit"]])
    return rates


def _amount(row: Mapping[str, str]) -> float:
    """Bytes, or files where they are empty."""
    if row["family"] == "dd-read":
        return float(row["threads"]) * READ_BYTES
    return float(row["total_bytes"] or 0) or float(row["file_count"])
