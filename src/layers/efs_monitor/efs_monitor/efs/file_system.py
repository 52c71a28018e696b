"""What the monitor knows of a file system: its settings as EFS describes them, and its newest datapoints."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from efs_monitor.efs.credits import earned_bytes_per_second


class ThroughputMode(StrEnum):
    """The three throughput modes, in the API's own words."""

    BURSTING = "bursting"
    PROVISIONED = "provisioned"
    ELASTIC = "elastic"


@dataclass(frozen=True, kw_only=True)
class FileSystem:
    """A file system as DescribeFileSystems tells it; `standard_bytes` is the metered `ValueInStandard`."""

    file_system_id: str
    name: str
    mode: ThroughputMode
    standard_bytes: int
    provisioned_bytes_per_second: int = 0

    @property
    def lives_on_credits(self) -> bool:
        """Whether burst credits mean anything: bursting, or provisioned at no more than the size earns anyway."""
        if self.mode is ThroughputMode.PROVISIONED:
            return self.provisioned_bytes_per_second <= earned_bytes_per_second(self.standard_bytes)
        return self.mode is ThroughputMode.BURSTING


@dataclass(frozen=True, kw_only=True)
class Minute:
    """Two datapoints of one and the same minute, paired by timestamp."""

    time: datetime
    balance_bytes: float
    permitted_bytes_per_second: float


@dataclass(frozen=True, kw_only=True)
class Observations:
    """What CloudWatch knows: `minutes` oldest first, and the highest PermittedThroughput of the last 15 days."""

    minutes: tuple[Minute, ...] = ()
    highest_permitted_bytes_per_second: float | None = None
