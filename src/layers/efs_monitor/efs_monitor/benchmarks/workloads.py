"""A workload: one thing that a benchmark does, its shape, the bytes it moves, and its shape at another size.

Which workloads there are says `catalogue`.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from efs_monitor.efs.credits import MIB
from efs_monitor.efs.metering import Moved, moved_by
from efs_monitor.errors import SettingsRefused

# One block for each of 16 writers, or one of 16 MiB: with less, workloads would not have the size that was asked for.
SMALLEST_SIZE_MIB = 16
# The largest that anyone published: 20 GiB in one sequential write.
GREATEST_SIZE_MIB = 20 * 1024
OWN_SIZE = 0
# What the script makes at most in one workload.
MOST_FILES = 100_000


class Target(StrEnum):
    """Where a workload runs: on the file system, or on the instance's own disk as the local baseline."""

    EFS = "efs"
    LOCAL = "local"


class Do(StrEnum):
    """The four shapes of command."""

    TOUCH = "touch"
    WRITE = "write"
    READ = "read"
    COPY = "copy"


class Sync(StrEnum):
    """When dd makes sure of its bytes: once at the end (`conv=fsync`), or after each block (`oflag=sync`)."""

    END = "end"
    EACH = "each"


class Tool(StrEnum):
    """What copies a tree of files."""

    CP = "cp"
    RSYNC = "rsync"
    FPSYNC = "fpsync"
    MCP = "mcp"
    CP_PARALLEL = "cp-parallel"
    FPART_CPIO_PARALLEL = "fpart-cpio-parallel"


class Family(StrEnum):
    """The kinds of workload; the id of each begins with its family's name."""

    TOUCH = "touch"
    DD_WRITE = "dd-write"
    DD_READ = "dd-read"
    FILES = "files"
    COPY = "copy"


class RateKind(StrEnum):
    """What a workload's rate counts, by the name of its metric."""

    THROUGHPUT = "Throughput"
    OPERATIONS = "OperationRate"

    @property
    def unit(self) -> str:
        """The unit, in CloudWatch's words."""
        return "Bytes/Second" if self is RateKind.THROUGHPUT else "Count/Second"


@dataclass(frozen=True, kw_only=True)
class Workload:
    """One workload: `files` files all together, of `file_bytes` each, by `threads` commands at a time.

    `block_bytes` is dd's block (None where no dd runs), `sync` tells when a write is made sure of, `directories` over
    how many the files of a touch are spread, `tool` what copies.
    """

    id: str
    do: Do
    on: Target = Target.EFS
    threads: int
    files: int
    file_bytes: int = 0
    block_bytes: int | None = None
    sync: Sync | None = None
    directories: int = 1
    tool: Tool | None = None

    @property
    def family(self) -> Family:
        """The family, which the id begins with."""
        return next(family for family in Family if self.id.startswith(f"{family}-"))

    @property
    def bytes(self) -> int:
        """The bytes that are timed: those of all files together, 0 for a touch."""
        return self.files * self.file_bytes

    @property
    def rate_kind(self) -> RateKind:
        """Files per second where nothing but files is made, else bytes per second."""
        return RateKind.OPERATIONS if self.do is Do.TOUCH else RateKind.THROUGHPUT

    @property
    def amount(self) -> int:
        """What its rate counts: files of a touch, else bytes. The rate is this over the seconds it took."""
        return self.files if self.rate_kind is RateKind.OPERATIONS else self.bytes

    @property
    def moved(self) -> Moved:
        """What it moves on the file system, from above; nothing at all for a local baseline."""
        if self.on is Target.LOCAL:
            return Moved()
        return moved_by(
            files=self.files,
            file_bytes=self.file_bytes,
            block_bytes=self.block_bytes,
            directories=self.directories,
            read_back=self.do is Do.READ,
            copied=self.do is Do.COPY,
        )

    @property
    def written_bytes(self) -> int:
        """Bytes written to the file system, those of preparing a read's files among them."""
        return self.moved.written_bytes

    @property
    def read_bytes(self) -> int:
        """Bytes read from the file system."""
        return self.moved.read_bytes

    @property
    def metered_bytes(self) -> int:
        """The burst credits it spends, in bytes: at most this many."""
        return self.moved.metered_bytes

    @property
    def billed_bytes(self) -> int:
        """The bytes that are paid for in elastic mode: at most this many."""
        return self.moved.billed_bytes


def scaled(workload: Workload, size_mib: int) -> Workload:
    """`workload` so that all its files together hold `size_mib` MiB, 16 to 20,480; 0 leaves it as it is.

    Threads, blocks and sync always stay, and of the files:

    - dd-write and dd-read keep their number: each gets an equal share, in whole blocks, rounded down. No file gets less
      than a block, so that 16 writers, or one of 16 MiB blocks, never move less than 16 MiB.
    - files and copy keep their size, which is what they are about: there are as many as fit into `size_mib`, at most
      100,000, and at least one a thread, even where those hold more (16 files of 100 MB).
    - touch moves no data and stays as it is.

    Raises SettingsRefused for another size.
    """
    check_size(size_mib)
    if size_mib == OWN_SIZE or workload.do is Do.TOUCH:
        return workload
    size_bytes = size_mib * MIB
    if workload.family in (Family.FILES, Family.COPY):
        return replace(workload, files=max(workload.threads, min(MOST_FILES, size_bytes // workload.file_bytes)))
    block_bytes = workload.block_bytes or MIB
    share_bytes = size_bytes // workload.files
    return replace(workload, file_bytes=max(1, share_bytes // block_bytes) * block_bytes)


def check_size(size_mib: int) -> None:
    """Raise SettingsRefused, naming the bounds, for a size that no benchmark can have."""
    if size_mib != OWN_SIZE and not SMALLEST_SIZE_MIB <= size_mib <= GREATEST_SIZE_MIB:
        raise SettingsRefused(
            f"A benchmark of {size_mib} MiB a workload is not possible; give {SMALLEST_SIZE_MIB} to"
            f" {GREATEST_SIZE_MIB:,} MiB, or {OWN_SIZE} for the profile's own size"
        )
