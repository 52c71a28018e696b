"""How EFS meters what a workload moves, from above: a bound, as far as AWS says how it does.

Source: EFS user guide, "Throughput modes" and the metric MeteredIOBytes. Writes count in full, reads a third, each
metadata operation as 4 KiB. Elastic throughput bills reads in full, and each data operation as 32 KiB at least; for
burst credits AWS says that there is a smallest size and not which, so it is taken to be the same.
"""

from dataclasses import dataclass

# Elastic throughput bills an operation as this much at least (re:Post, "How do I estimate Elastic throughput mode costs
# for Amazon EFS"): data in steps of 1 KiB from there on.
SMALLEST_DATA_OPERATION_KIB = 32
SMALLEST_METADATA_OPERATION_KIB = 4

KIB = 1024
# What a metadata operation is metered at, and what a data operation is metered at when it is small.
OPERATION_BYTES = SMALLEST_METADATA_OPERATION_KIB * KIB
DATA_OPERATION_BYTES = SMALLEST_DATA_OPERATION_KIB * KIB
READS_METERED_AT = 3
# An NFS 4.1 client writes at most this much at once, and may commit each piece: one operation more.
LARGEST_WRITE_BYTES = 1024 * KIB
# To make, fill, close, find again and delete a file takes ten NFS operations: LOOKUP, ACCESS, OPEN, GETATTR, SETATTR,
# CLOSE, READDIR, LOOKUP, GETATTR, REMOVE. Two more are room for a client that asks twice.
OPERATIONS_PER_FILE = 12
# To open, look at and close it once more for reading.
OPERATIONS_PER_FILE_READ = 4
# A copy tool asks for the target first, sets its mode and times, and rsync renames each file into place.
OPERATIONS_PER_FILE_COPIED = 6
# Some of what came over is compared with its source, which reads it, unless the client still has it.
FILES_COMPARED = 3


@dataclass(frozen=True, kw_only=True)
class Moved:
    """What went to and from the file system; both byte counts as metered, each operation's least size included."""

    written_bytes: int = 0
    read_bytes: int = 0
    metadata_operations: int = 0

    def __add__(self, other: "Moved") -> "Moved":
        """What two workloads moved, together."""
        return Moved(
            written_bytes=self.written_bytes + other.written_bytes,
            read_bytes=self.read_bytes + other.read_bytes,
            metadata_operations=self.metadata_operations + other.metadata_operations,
        )

    @property
    def metered_bytes(self) -> int:
        """Burst credits: writes in full, a third of reads, 4 KiB a metadata operation."""
        a_third_of_reads = -(-self.read_bytes // READS_METERED_AT)
        return self.written_bytes + a_third_of_reads + self.metadata_operations * OPERATION_BYTES

    @property
    def billed_bytes(self) -> int:
        """Bytes paid for in elastic mode, where a read costs as much as it reads."""
        return self.written_bytes + self.read_bytes + self.metadata_operations * OPERATION_BYTES


def moved_by(
    *,
    files: int,
    file_bytes: int,
    block_bytes: int | None = None,
    directories: int = 1,
    read_back: bool = False,
    copied: bool = False,
) -> Moved:
    """What making `files` of `file_bytes`, reading them once where `read_back`, and deleting them moves."""
    piece_bytes = min(block_bytes or LARGEST_WRITE_BYTES, LARGEST_WRITE_BYTES)
    pieces, rest_bytes = divmod(file_bytes, piece_bytes)
    whole_bytes = pieces * _rounded_up(piece_bytes) + _rounded_up(rest_bytes)
    operations = OPERATIONS_PER_FILE + pieces + bool(rest_bytes)
    compared = min(files, FILES_COMPARED) if copied and not read_back else 0
    operations += OPERATIONS_PER_FILE_COPIED * copied + OPERATIONS_PER_FILE_READ * read_back
    return Moved(
        written_bytes=files * whole_bytes,
        # The read that finds the end of a file is an operation as well.
        read_bytes=(files if read_back else compared) * (whole_bytes + DATA_OPERATION_BYTES),
        metadata_operations=files * operations
        + compared * OPERATIONS_PER_FILE_READ
        + directories * OPERATIONS_PER_FILE,
    )


def _rounded_up(piece_bytes: int) -> int:
    """What one data operation counts: 32 KiB, and every KiB beyond that was begun."""
    return max(DATA_OPERATION_BYTES, -(-piece_bytes // KIB) * KIB) if piece_bytes else 0
