"""What functions write: kept by log group, and searched for metrics in the embedded metric format."""

import json
import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from moto.logs.models import logs_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.cloudwatch.metrics import MetricId, MetricStore, Sample, at
from localaws.iam.operations import asks
from localaws.iam.sessions import AccessRefused, Session

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LogLine:
    time: datetime
    log_group: str
    function_name: str
    request_id: str
    message: str


class FunctionLogs:
    def __init__(self, metrics: MetricStore) -> None:
        self._metrics = metrics
        self.lines: list[LogLine] = []
        self._streams: set[tuple[str, str]] = set()

    def of(self, log_group: str) -> list[LogLine]:
        return [line for line in self.lines if line.log_group == log_group]

    def write(self, lines: list[LogLine], stream: str, session: Session) -> None:
        """Keep lines of one invocation; what they say in the embedded metric format becomes metrics.

        Lambda writes them with the function's own role, and says nothing where that may not.
        """
        if not lines or not self._may_write(lines[0].log_group, stream, session):
            return
        self.lines += lines
        _store(lines, stream)
        for line in lines:
            if line.message.startswith("{") and '"_aws"' in line.message:
                self._record(line.message)

    def _may_write(self, log_group: str, stream: str, session: Session) -> bool:
        names = {"logGroupName": log_group, "logStreamName": stream}
        try:
            if (log_group, stream) not in self._streams:
                session.require(*asks("logs", "CreateLogStream", names))
                self._streams.add((log_group, stream))
            session.require(*asks("logs", "PutLogEvents", names))
        except AccessRefused as refused:
            log.warning("lost log lines: %s", refused)
            return False
        return True

    def _record(self, message: str) -> None:
        """https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html"""
        try:
            blob = json.loads(message)
        except ValueError:
            return
        metadata = blob.get("_aws")
        if not isinstance(metadata, dict):
            return
        when = at(metadata["Timestamp"] / 1000)
        for directive in metadata.get("CloudWatchMetrics", ()):
            for names in directive.get("Dimensions") or [[]]:
                dimensions = frozenset((name, str(blob[name])) for name in names)
                for metric in directive["Metrics"]:
                    identity = MetricId(directive["Namespace"], metric["Name"], dimensions)
                    sample = _sample(blob[metric["Name"]], metric.get("Unit", "None"), when)
                    self._metrics.record_sample(identity, when, sample)


def _sample(value: Any, unit: str, when: datetime) -> Sample:
    values = [float(one) for one in value] if isinstance(value, list) else [float(value)]
    return Sample(min(values), max(values), sum(values), float(len(values)), unit, when.timestamp())


def _store(lines: list[LogLine], stream: str) -> None:
    """In the API's log group too, where it exists: a group is never created by a function that writes to it."""
    group = lines[0].log_group
    backend = logs_backends[ACCOUNT_ID][REGION]
    if group not in backend.groups:
        return
    name = f"{lines[0].time:%Y/%m/%d}/{stream}"
    if name not in backend.groups[group].streams:
        backend.create_log_stream(group, name)
    events = [{"timestamp": int(line.time.timestamp() * 1000), "message": line.message} for line in lines]
    backend.put_log_events(group, name, events)
