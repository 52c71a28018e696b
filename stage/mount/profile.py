"""What a mount of the sandbox is like: how long each operation takes, and how fast bytes move."""

import json
from dataclasses import asdict, dataclass, fields
from typing import Self

MIB = 2**20
UNLIMITED = float("inf")


class ProfileError(ValueError):
    """A profile that cannot be."""


@dataclass(frozen=True, kw_only=True)
class EfsProfile:
    """Latencies in seconds, and where each applies; bandwidths in bytes per second. The defaults cost no time at all.

    create_seconds: of the OPEN or MKDIR that creates. The kernel holds the directory's lock meanwhile, so one directory
        creates 1 / create_seconds files a second, however many ask. NFS 4 looks up and creates in one OPEN, so a
        look-up that finds nothing waits nothing.
    setattr_seconds: of touch's second half, chmod, chown and truncation; no directory is locked meanwhile.
    remove_seconds: of each unlink and rmdir.
    metadata_seconds: of every other operation on names and attributes that the client has not cached.
    metadata_operations_per_second: of all clients together, however many directories they spread over.
    read_seconds: from the request to the first byte, for each read of up to 1 MiB.
    commit_seconds: of fsync, of each write under O_SYNC (the kernel has it followed by an fsync), and of closing a file
        with anything uncommitted (NFS is close-to-open). A write itself only takes its time on the wire.
    commit_bytes_per_second: on top of that for what is uncommitted, at most the last `commit_window_bytes`, since
        write-behind has stored what came before. This is what tells a 16 MiB block under O_SYNC from a streaming write.
    close_seconds: of closing a file with anything uncommitted, on top of the commit.
    stream_bytes_per_second: of one open file.
    write_behind_bytes: what one open file may have uncommitted before its writes slow down.
    sustained_bytes_per_second: of the writes of an open file beyond that.
    shared_bytes_per_second: of all clients together, in metered bytes, as PermittedThroughput is: a read counts a
        third. `Mount.permit` changes it while mounted.
    """

    create_seconds: float = 0.0
    setattr_seconds: float = 0.0
    remove_seconds: float = 0.0
    metadata_seconds: float = 0.0
    metadata_operations_per_second: float = UNLIMITED
    read_seconds: float = 0.0
    commit_seconds: float = 0.0
    commit_bytes_per_second: float = UNLIMITED
    commit_window_bytes: int = 16 * MIB
    close_seconds: float = 0.0
    stream_bytes_per_second: float = UNLIMITED
    write_behind_bytes: float = UNLIMITED
    sustained_bytes_per_second: float = UNLIMITED
    shared_bytes_per_second: float = UNLIMITED

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            # NaN compares false with everything, hence the form of the test.
            if not (value > 0 if field.name.endswith("_per_second") else value >= 0):
                raise ProfileError(f"{field.name} is {value}; a latency or size must be ≥ 0 and a bandwidth > 0")

    def as_json(self) -> str:
        """For the process that serves the mount."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Self:
        """ProfileError where the text is not one."""
        try:
            return cls(**json.loads(text))
        except (TypeError, json.JSONDecodeError) as error:
            known = ", ".join(field.name for field in fields(cls))
            raise ProfileError(f"not a profile: {error}; known are {known}") from error
