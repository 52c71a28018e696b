"""Whether the script reports what the mount's model implies, over latencies and bandwidths."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from efs_monitor.benchmarks.catalogue import CATALOGUE, local_baseline
from efs_monitor.benchmarks.workloads import Do, Sync, Workload

from stage.measuring.script import measured
from stage.mount.mounted import ModelledMount
from stage.mount.profile import MIB, EfsProfile

LATENCIES_SECONDS = (0.005, 0.020, 0.050)
BANDWIDTHS_MIB_PER_SECOND = (10, 50, 200)
SHARED = 1.5
"""All clients together have so many times what one open file has."""
DD_SECONDS = 0.8
"""About how long a dd that takes its own time is to last."""
SEVERAL_SECONDS = 3.5
"""About how long several dd are to last, which are timed from outside, the starts of their processes included."""
TRIES = 3
DD_LIMIT = 0.05
TOUCH_LIMIT = 0.15
TOUCH_SECONDS = 2.5
"""About how long a touch is to last."""
DD_WORKLOADS = ("dd-write-1m-end", "dd-write-1m-each", "dd-write-16m-each", "dd-write-4-writers", "dd-read-4")
TOUCH_WORKLOADS = ("touch-serial", "touch-parallel", "touch-parallel-directories")


@dataclass(frozen=True, kw_only=True)
class Compared:
    """One reported figure beside the implied one, both in bytes or files per second."""

    name: str
    reported: float
    implied: float
    limit: float

    @property
    def off(self) -> float:
        """The share by which the reported figure is off, up or down."""
        return abs(self.reported / self.implied - 1)

    @property
    def ok(self) -> bool:
        """Whether that is within the limit."""
        return self.off <= self.limit


def dd_cell(
    folder: Path, latency_seconds: float, bandwidth_mib_per_second: int, workload_ids: Sequence[str] = DD_WORKLOADS
) -> Iterator[Compared]:
    """The workloads of dd at one latency (of commits and reads) and one bandwidth of each open file."""
    bandwidth = bandwidth_mib_per_second * MIB
    profile = EfsProfile(
        commit_seconds=latency_seconds,
        read_seconds=latency_seconds,
        stream_bytes_per_second=bandwidth,
        shared_bytes_per_second=SHARED * bandwidth,
    )
    workloads = [_lasting(CATALOGUE[workload_id], profile) for workload_id in workload_ids]
    with ModelledMount(folder / "efs", profile) as mount:
        for result in measured(mount.path, workloads, folder):
            yield Compared(
                name=f"{result.workload.id} at {latency_seconds * 1000:g} ms, {bandwidth_mib_per_second} MiB/s",
                reported=result.rate,
                implied=implied_bytes_per_second(result.workload, profile),
                limit=DD_LIMIT,
            )


def touch_cell(
    folder: Path, latency_seconds: float, workload_ids: Sequence[str] = TOUCH_WORKLOADS
) -> Iterator[Compared]:
    """The workloads of touch at one latency of creating a file, and the same of setting its time.

    A touch is also a process that starts: what that takes is measured right beside it, on a mount without latencies.
    """
    profile = EfsProfile(create_seconds=latency_seconds, setattr_seconds=latency_seconds)
    workloads: list[Workload] = []
    for workload_id in workload_ids:
        workload = _touching(CATALOGUE[workload_id], profile)
        beside = local_baseline(workload)
        assert beside is not None  # noqa: S101 - every touch has one
        workloads += [workload, beside]
    with ModelledMount(folder / "efs", profile) as mount, ModelledMount(folder / "local") as local:
        results = measured(mount.path, workloads, folder, local_path=local.path)
    for result, beside_it in zip(results[::2], results[1::2], strict=True):
        yield Compared(
            name=f"{result.workload.id} at {latency_seconds * 1000:g} ms",
            reported=result.rate,
            implied=implied_files_per_second(result.workload, profile, own_seconds=beside_it.seconds),
            limit=TOUCH_LIMIT,
        )


def settled[T](measure: Callable[[], Iterable[T]], is_off: Callable[[T], bool]) -> list[T]:
    """What is measured, anew while anything of it is off, three times at most.

    A machine that is busy with something else is late once; a model that is wrong is wrong every time.
    """
    found: list[T] = []
    for _ in range(TRIES):
        found = list(measure())
        if not any(is_off(one) for one in found):
            break
    return found


def implied_bytes_per_second(workload: Workload, profile: EfsProfile) -> float:
    """What the stated latencies and bandwidths make of a dd.

    Each writer takes its bytes' time on its own wire and a commit for each block or one at the end; a reader waits for
    each block. Together they never pass the shared bandwidth, on which a read counts a third.
    """
    bytes_a_second, shared = profile.stream_bytes_per_second, profile.shared_bytes_per_second
    if workload.do is Do.READ:
        waits, last_wait, shared = workload.file_bytes / MIB * profile.read_seconds, profile.read_seconds, 3 * shared
    else:
        last_wait = profile.commit_seconds
        commits = workload.file_bytes / (workload.block_bytes or MIB) if workload.sync is Sync.EACH else 1
        waits = commits * last_wait
    alone_seconds = workload.file_bytes / bytes_a_second + waits
    return workload.bytes / max(alone_seconds, workload.bytes / shared + last_wait)


def implied_files_per_second(workload: Workload, profile: EfsProfile, own_seconds: float) -> float:
    """What the stated latencies make of a touch that without any takes `own_seconds`.

    Each command's own files follow one another, and so do all in one directory, whoever creates them. What the
    processes take by themselves comes on top where one follows the other, and otherwise passes while others wait.
    """
    a_command = workload.files / (workload.directories if workload.directories > 1 else workload.threads)
    alone_seconds = a_command * (profile.create_seconds + profile.setattr_seconds) + own_seconds / workload.threads
    directory_seconds = workload.files / workload.directories * profile.create_seconds + profile.setattr_seconds
    return workload.files / max(alone_seconds, directory_seconds, own_seconds)


def _lasting(workload: Workload, profile: EfsProfile) -> Workload:
    """The workload with as many whole blocks as last long enough to be measured."""
    block_bytes = workload.block_bytes or MIB
    seconds = DD_SECONDS if workload.files == 1 else SEVERAL_SECONDS
    blocks = implied_bytes_per_second(workload, profile) * seconds / workload.files / block_bytes
    return replace(workload, file_bytes=max(1, round(blocks)) * block_bytes)


def _touching(workload: Workload, profile: EfsProfile) -> Workload:
    """The workload with as many files as last long enough, and one for each of its commands at least."""
    rate = implied_files_per_second(workload, profile, own_seconds=0.0)
    each = round(rate * TOUCH_SECONDS / workload.directories)
    return replace(workload, files=max(workload.threads, workload.directories * each))
