"""The metric of a decision, as a log line that CloudWatch takes metrics from: no call that could fail."""

from aws_lambda_powertools import Metrics
from aws_lambda_powertools.metrics import MetricUnit

from efs_monitor.alarms.decision import Decision

published = Metrics(namespace="EFSMonitor")


def publish(file_system_id: str, decision: Decision) -> None:
    """The reference the thresholds follow from, so that they can be drawn over time."""
    published.add_dimension("FileSystemId", file_system_id)
    published.add_metric("ReferenceThroughput", MetricUnit.BytesPerSecond, decision.reference.bytes_per_second)
    published.flush_metrics()
