"""Metrics as log lines that CloudWatch takes them from, in the embedded metric format: no call that could fail."""

from datetime import datetime
from typing import TYPE_CHECKING

from aws_lambda_powertools import Metrics
from aws_lambda_powertools.metrics import MetricUnit

if TYPE_CHECKING:
    # Whoever publishes one thing does not pay for all that is known of the others.
    from efs_monitor.alarms.decision import Decision
    from efs_monitor.benchmarks.outcome import RunOutcome

NAMESPACE = "EFSMonitor"
REFERENCE_THROUGHPUT = "ReferenceThroughput"
FLEET_THROUGHPUT = "FleetThroughput"
SKIPPED = "Skipped"
SUCCESS = "Success"
CREDIT_COST = "CreditCost"
CONSECUTIVE_FAILURES = "ConsecutiveFailures"
REGRESSIONS = "Regressions"

# One for all: what is added is written out, with its own time and dimensions, before anything else is added.
published = Metrics(namespace=NAMESPACE)


def publish_decision(file_system_id: str, decision: "Decision") -> None:
    """The reference that the thresholds follow from, so that it can be drawn over time."""
    published.add_dimension("FileSystemId", file_system_id)
    published.add_metric(REFERENCE_THROUGHPUT, MetricUnit.BytesPerSecond, decision.reference.bytes_per_second)
    published.flush_metrics()


def publish_skip(file_system_id: str, time: datetime) -> None:
    """A run that was not started; its reason is in the log."""
    published.add_metric(SKIPPED, MetricUnit.Count, 1)
    _flush(time, FileSystemId=file_system_id)


def publish_run(file_system_id: str, outcome: "RunOutcome", *, consecutive_failures: int, regressions: int) -> None:
    """What a run came to. The same again changes nothing: a value of the same minute, which neither the average nor
    the highest of that minute notices.

    The rates of several instances are values of one metric at one time. What was not measured has no rate.
    """
    for measured in outcome.measured:
        kind = measured.workload.rate_kind
        for rate in measured.rates:
            published.add_metric(str(kind), kind.unit, rate)
        if measured.fleet is not None:
            published.add_metric(FLEET_THROUGHPUT, kind.unit, measured.fleet.rate)
        _flush(measured.time, FileSystemId=file_system_id, Workload=measured.workload.id)
    published.add_metric(SUCCESS, MetricUnit.Count, int(outcome.success))
    published.add_metric(CREDIT_COST, MetricUnit.Bytes, outcome.cost.metered_bytes)
    published.add_metric(CONSECUTIVE_FAILURES, MetricUnit.Count, consecutive_failures)
    published.add_metric(REGRESSIONS, MetricUnit.Count, regressions)
    _flush(outcome.time, FileSystemId=file_system_id)


def _flush(time: datetime, **dimensions: str) -> None:
    published.set_timestamp(time)
    for name, value in dimensions.items():
        published.add_dimension(name, value)
    published.flush_metrics()
