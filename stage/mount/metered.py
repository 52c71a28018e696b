"""What Amazon EFS meters, and so takes from the burst credits: bytes in full for writes, a third for reads."""

from dataclasses import dataclass
from typing import Self

METADATA_OPERATION_BYTES = 4 * 2**10
SMALLEST_DATA_OPERATION_BYTES = 32 * 2**10
"""What elastic throughput bills at least; for credits AWS says that there is a smallest size, and not which."""


@dataclass(frozen=True, kw_only=True)
class Metered:
    """What clients read, wrote and asked for otherwise; on the mount a data operation has its least size."""

    read_bytes: int = 0
    written_bytes: int = 0
    metadata_operations: int = 0

    @property
    def metered_bytes(self) -> float:
        """What leaves the balance, as MeteredIOBytes counts it."""
        return self.read_bytes / 3 + self.written_bytes + self.metadata_operations * METADATA_OPERATION_BYTES

    def __add__(self, other: Self) -> Self:
        return type(self)(
            read_bytes=self.read_bytes + other.read_bytes,
            written_bytes=self.written_bytes + other.written_bytes,
            metadata_operations=self.metadata_operations + other.metadata_operations,
        )

    def __sub__(self, other: Self) -> Self:
        """What came after `other`."""
        return type(self)(
            read_bytes=self.read_bytes - other.read_bytes,
            written_bytes=self.written_bytes - other.written_bytes,
            metadata_operations=self.metadata_operations - other.metadata_operations,
        )


def data_operation_bytes(size_bytes: int) -> int:
    """What one read or write counts before a read is divided by three."""
    return max(size_bytes, SMALLEST_DATA_OPERATION_BYTES)
