"""When Amazon EFS would have answered: pure, time is an argument, in seconds of any steady clock.

Bandwidth is a reservation on a wire, and no bucket of saved-up tokens: idle time is never paid back, so that a burst of
a few milliseconds is as exact as an hour.
"""

from dataclasses import dataclass, field
from enum import Enum, auto

from stage.mount.metered import METADATA_OPERATION_BYTES, Metered, data_operation_bytes
from stage.mount.profile import EfsProfile

LATE_CLIENT_SECONDS = 0.1
"""Up to this long between an answer and the same open file's next request is taken for the client's own time: with the
write-behind and read-ahead of an NFS client the wire would have been busy meanwhile."""


class Kind(Enum):
    """What an operation is to the file system."""

    CACHED = auto()
    """Answered by the client itself, or part of another operation."""
    CREATE = auto()
    CREATE_EXCLUSIVELY = auto()
    """With O_EXCL a client proves by a verifier that it made the file, and sets the attributes afterwards."""
    SETATTR = auto()
    REMOVE = auto()
    METADATA = auto()
    READ = auto()
    WRITE = auto()
    COMMIT = auto()
    CLOSE = auto()


@dataclass
class Stream:
    """One open file, as its client uses it."""

    uncommitted_bytes: int = 0
    free_at: float = field(default=float("-inf"))
    answered_at: float | None = None

    def asked_at(self, now: float) -> float:
        """When the client would have asked had it been waiting for nothing but answers."""
        if self.answered_at is None:
            return now
        return min(now, max(self.answered_at, now - LATE_CLIENT_SECONDS))


@dataclass(frozen=True, slots=True)
class OperationCost:
    """An operation, as the model sees it; `began_at` is when it really began, where that was before it arrived."""

    kind: Kind
    stream: Stream | None = None
    size_bytes: int = 0
    began_at: float | None = None


class Efs:
    """One file system and all its clients."""

    def __init__(self, profile: EfsProfile) -> None:
        self.profile = profile
        self.metered = Metered()
        self.permitted_bytes_per_second = profile.shared_bytes_per_second
        self._wire_free_at = self._turn_at = float("-inf")
        self._latency_seconds = {
            Kind.CREATE: profile.create_seconds,
            Kind.CREATE_EXCLUSIVELY: profile.create_seconds + profile.setattr_seconds,
            Kind.SETATTR: profile.setattr_seconds,
            Kind.REMOVE: profile.remove_seconds,
            Kind.METADATA: profile.metadata_seconds,
        }

    def due(self, now: float, cost: OperationCost) -> float:
        """When to answer an operation that arrives now; it is metered by that."""
        match cost:
            case OperationCost(Kind.CACHED):
                return now
            case OperationCost(Kind.READ | Kind.WRITE, Stream() as stream, size_bytes):
                due = self._moved(now, stream, size_bytes, reading=cost.kind is Kind.READ)
            case OperationCost(Kind.COMMIT | Kind.CLOSE, Stream() as stream):
                due = self._committed(now, stream, closing=cost.kind is Kind.CLOSE)
            case OperationCost(kind):
                operations = 2 if kind is Kind.CREATE_EXCLUSIVELY else 1
                self.metered += Metered(metadata_operations=operations)
                began = now if cost.began_at is None else max(cost.began_at, now - LATE_CLIENT_SECONDS)
                wired = self._reserve(began, operations * METADATA_OPERATION_BYTES)
                turn = max(self._turn_at, began)
                self._turn_at = turn + operations / self.profile.metadata_operations_per_second
                return max(wired, turn + self._latency_seconds[kind])
        stream.answered_at = max(due, stream.answered_at or due)
        return due

    def _moved(self, now: float, stream: Stream, size_bytes: int, *, reading: bool) -> float:
        asked = stream.asked_at(now)
        counted = data_operation_bytes(size_bytes)
        if reading:
            self.metered += Metered(read_bytes=counted)
            stream.free_at = max(stream.free_at, asked) + size_bytes / self.profile.stream_bytes_per_second
            return max(stream.free_at, self._reserve(asked, counted / 3)) + self.profile.read_seconds
        self.metered += Metered(written_bytes=counted)
        stream.free_at = max(stream.free_at, asked) + self._write_seconds(stream, size_bytes)
        stream.uncommitted_bytes += size_bytes
        return max(stream.free_at, self._reserve(asked, counted))

    def _write_seconds(self, stream: Stream, size_bytes: int) -> float:
        profile = self.profile
        behind_bytes = min(size_bytes, max(0.0, profile.write_behind_bytes - stream.uncommitted_bytes))
        rest_bytes = size_bytes - behind_bytes
        return behind_bytes / profile.stream_bytes_per_second + rest_bytes / profile.sustained_bytes_per_second

    def _committed(self, now: float, stream: Stream, *, closing: bool) -> float:
        if not stream.uncommitted_bytes:
            return now
        profile = self.profile
        waiting_bytes = min(stream.uncommitted_bytes, profile.commit_window_bytes)
        stream.uncommitted_bytes = 0
        taken = profile.commit_seconds + waiting_bytes / profile.commit_bytes_per_second
        # A commit waits for the writes before it, which may still be on the wire.
        return max(stream.free_at, stream.asked_at(now)) + taken + (profile.close_seconds if closing else 0.0)

    def _reserve(self, asked: float, metered_bytes: float) -> float:
        self._wire_free_at = max(self._wire_free_at, asked) + metered_bytes / self.permitted_bytes_per_second
        return self._wire_free_at
