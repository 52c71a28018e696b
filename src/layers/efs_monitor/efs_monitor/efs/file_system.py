"""A file system as EFS describes it: its size, its throughput mode, and whether it lives on burst credits."""

from dataclasses import dataclass
from enum import StrEnum

from efs_monitor.efs.credits import earned_bytes_per_second


class ThroughputMode(StrEnum):
    """The three throughput modes, in the API's own words."""

    BURSTING = "bursting"
    PROVISIONED = "provisioned"
    ELASTIC = "elastic"


@dataclass(frozen=True, kw_only=True)
class FileSystem:
    """A file system as DescribeFileSystems tells it; `standard_bytes` is the metered `ValueInStandard`, and
    `colder_bytes` what lies in Infrequent Access and Archive, which earns no credits.

    In `max_io` performance mode, which cannot be changed, there is no elastic throughput and no PercentIOLimit. In
    `one_zone`, which cannot be changed either, storage is cheaper, and elastic and provisioned throughput end earlier.
    Of `colder_bytes` those `archive_bytes` are in Archive, which only elastic throughput has: while there are any, AWS
    refuses another mode (https://docs.aws.amazon.com/efs/latest/ug/API_PutLifecycleConfiguration.html). What
    `is_replica` is the destination of a replication, and read-only for all but EFS
    (https://docs.aws.amazon.com/efs/latest/ug/API_FileSystemProtectionDescription.html).
    """

    file_system_id: str
    name: str
    mode: ThroughputMode
    standard_bytes: int
    provisioned_bytes_per_second: int = 0
    max_io: bool = False
    one_zone: bool = False
    colder_bytes: int = 0
    archive_bytes: int = 0
    is_replica: bool = False

    @property
    def is_mostly_cold(self) -> bool:
        """Whether half of what is stored earns no credits, at least."""
        return self.colder_bytes > 0 and self.colder_bytes >= self.standard_bytes

    @property
    def lives_on_credits(self) -> bool:
        """Whether burst credits mean anything: bursting, or provisioned at no more than the size earns anyway."""
        if self.mode is ThroughputMode.PROVISIONED:
            return self.provisioned_bytes_per_second <= earned_bytes_per_second(self.standard_bytes)
        return self.mode is ThroughputMode.BURSTING
