"""A workload: one thing that a benchmark does, its shape, and the bytes it moves."""

from dataclasses import dataclass
from enum import StrEnum

from efs_monitor.efs.metering import Moved, moved_by


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
