"""What a source recorded of a file system, as it came: series of datapoints, and what EFS said of the file system."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import NamedTuple

from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.errors import MonitorError

STANDARD_SIZE = ("StorageBytes", "Average")
BALANCE = ("BurstCreditBalance", "Minimum")
AVERAGE_BALANCE = ("BurstCreditBalance", "Average")
PERMITTED = ("PermittedThroughput", "Minimum")
METERED = ("MeteredIOBytes", "Sum")
COUNTERS = (
    METERED,
    ("DataReadIOBytes", "Sum"),
    ("DataWriteIOBytes", "Sum"),
    ("MetadataIOBytes", "Sum"),
    ("DataReadIOBytes", "SampleCount"),
    ("DataWriteIOBytes", "SampleCount"),
    ("MetadataIOBytes", "SampleCount"),
)
GAUGES = (BALANCE, AVERAGE_BALANCE, PERMITTED)
SERIES = (*GAUGES, *COUNTERS, STANDARD_SIZE)
FILE_SYSTEM_ID = re.compile(r"fs-([0-9a-f]{8}|[0-9a-f]{17})")


class HistoryRefused(MonitorError):
    """Nothing can be said by what was recorded; the text says why, and what to give instead."""


class RecordedPoint(NamedTuple):
    """A datapoint: seconds since 1970 at which its period begins, its value, and the length of the period."""

    seconds: float
    value: float
    period_seconds: int


def moment(seconds: float) -> datetime:
    """The time of so many seconds since 1970."""
    return datetime.fromtimestamp(seconds, UTC)


@dataclass(frozen=True, kw_only=True)
class ModeChange:
    """The file system as it was from a moment on, where the source tells it."""

    time: datetime
    mode: str
    provisioned_bytes_per_second: int = 0


@dataclass(kw_only=True)
class Recorded:
    """Everything that a source had: points by (metric, statistic) in any order, and what is wrong with it so far.

    `described` is the file system as EFS tells it at the end, None where nobody said; `modes` are those that it had
    before, None where only its metrics tell. `mode` is the last one, where that is all that is known. `read_at` is when
    it was asked for all until then; None for an export, which may be of any time. `source` is what to call it.
    """

    file_system_id: str
    region: str
    points: dict[tuple[str, str], list[RecordedPoint]] = field(default_factory=dict)
    described: FileSystem | None = None
    modes: tuple[ModeChange, ...] | None = None
    mode: ThroughputMode | None = None
    read_at: datetime | None = None
    remarks: list[str] = field(default_factory=list)
    source: str = "what was read"
