"""A case: something that is done to a run on a mounted file system, and what must hold after it, whatever that was."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from efs_monitor.benchmarks.results import Result, Status
from efs_monitor.benchmarks.workloads import Workload

from proofs.nfs.network import AS_EFS, RECOMMENDED, NfsClient, NfsFileSystem, NfsServer
from proofs.nfs.script_runs import EndedRun, ScriptRun, left_of, started
from proofs.nfs.virtual_machine import MachineFailed, VirtualMachine

NOTHING_LEFT_WITHIN_SECONDS = 60
FILE_SYSTEM_BYTES = 768 * 1024**2
# One process that looks, for starting one for each look is what the machine is slowest at.
UNDER_WAY = """
python3 -c '
import glob, os, sys, time
limit = time.monotonic() + 120
while not any(os.path.isfile(one) for one in glob.iglob(sys.argv[1] + "/.*/data.*/**", recursive=True)):
    if time.monotonic() > limit:
        sys.exit("no run has written within 120 s")
    time.sleep(0.05)
' "$path"
"""


@dataclass(frozen=True, kw_only=True)
class MountedFileSystem:
    """A file system and the two clients that have it mounted; nobody else does."""

    server: NfsServer
    file_system: NfsFileSystem
    one: NfsClient
    other: NfsClient

    @property
    def machine(self) -> VirtualMachine:
        """Where everything is."""
        return self.server.machine

    @property
    def clients(self) -> tuple[NfsClient, NfsClient]:
        """The two machines that mount the file system."""
        return self.one, self.other

    def mount(self, options: str = RECOMMENDED) -> None:
        """Mount it anew on both clients."""
        for client in self.clients:
            client.unmount()
            client.mount(self.file_system, options)

    def heal(self) -> None:
        """Whatever was done to the file system and its network is undone."""
        for client in self.clients:
            client.heal()
            client.delay(0)
        self.file_system.export(AS_EFS)
        self.file_system.empty()

    def renew(self) -> None:
        """Make the file system empty and reachable again, whatever a case has left."""
        self.heal()
        self.file_system.permit("755")
        self.machine.shell('find "$path" -mindepth 1 -delete', path=self.file_system.path)
        self.mount()

    def wait_until_under_way(self) -> None:
        """Until some run has a file on the file system."""
        self.machine.shell(UNDER_WAY, path=self.file_system.path)

    def left(self) -> list[str]:
        """What is still there of any run."""
        return left_of(self.clients, self.file_system)


FAILURES = (MachineFailed, LookupError, ValueError)


@dataclass(frozen=True, kw_only=True)
class CaseFinding:
    """What was told of a case, and a sentence for each thing that was wrong with it; `counts` are for a table."""

    told: str
    broken: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()

    def held(self) -> bool:
        """Whether nothing was wrong."""
        return not self.broken


@dataclass(frozen=True, kw_only=True)
class NfsCase:
    """One case of a row of the table. `is_alone` is one that touches what all cases share: the clock, the server."""

    row: str
    name: str
    trial: Callable[[MountedFileSystem], CaseFinding]
    is_alone: bool = False


def made(server: NfsServer, number: int) -> MountedFileSystem:
    """Make a file system of this number, and two clients that have it mounted."""
    file_system = NfsFileSystem(machine=server.machine, number=number)
    file_system.create(FILE_SYSTEM_BYTES)
    mounted = MountedFileSystem(
        server=server, file_system=file_system, one=server.client(2 * number - 1), other=server.client(2 * number)
    )
    mounted.mount()
    return mounted


def lived(case: NfsCase, mounted: MountedFileSystem) -> CaseFinding:
    """Live through it; then heal, and nothing may be left a minute later."""
    try:
        finding = case.trial(mounted)
    except FAILURES as failure:
        finding = _untried(failure)
    try:
        mounted.heal()
        left = left_after(mounted, NOTHING_LEFT_WITHIN_SECONDS)
        if left or finding.broken:
            mounted.renew()
    except FAILURES as failure:
        return replace(finding, broken=(*finding.broken, *_untried(failure).broken))
    if not left:
        return finding
    sentence = f"{NOTHING_LEFT_WITHIN_SECONDS} s after healing {len(left)} things are left: {', '.join(left[:6])}"
    return replace(finding, broken=(*finding.broken, sentence))


def _untried(failure: Exception) -> CaseFinding:
    """What is told of a case that failed before anything was found out; the other cases go on."""
    return CaseFinding(told="it could not be tried", broken=(f"{type(failure).__name__}: {failure}",))


def left_after(mounted: MountedFileSystem, seconds: float) -> list[str]:
    """What is still there when so many seconds are over; returns at once when nothing is."""
    limit = time.monotonic() + seconds
    while left := mounted.left():
        if time.monotonic() > limit:
            break
        time.sleep(1)
    return left


def dishonest(ended: EndedRun, left: Sequence[str] = ()) -> list[str]:
    """What is wrong with how a run told its end, whatever happened to it; `left` is what was left just then."""
    found = []
    if ended.report.unreadable_lines:
        found.append(f"{ended.report.unreadable_lines} lines of its output mean nothing: {ended.output[-300:]!r}")
    if not ended.refusal:
        silent = [one.workload.id for one in ended.report.results if not one.reported]
        if silent:
            found.append(f"It says nothing about {', '.join(silent)}: {ended.output[-300:]!r} {ended.errors[-300:]!r}")
    is_well = not (ended.refusal or ended.report.left) and all(
        one.status is not Status.FAILED for one in ended.report.results
    )
    if (ended.status == 0) != is_well:
        found.append(f"It ended with {ended.status} and told: {ended.told}")
    if left and not ended.report.left:
        found.append(f"It ended with {ended.status} and did not say what it left: {', '.join(left[:4])}")
    return found


def unmeasured(ended: EndedRun) -> list[str]:
    """Each workload that should have been measured and was not."""
    if ended.refusal:
        return [f"It was refused: {ended.refusal}"]
    return [
        f"{one.workload.id} is {one.status}: {one.reason}"
        for one in ended.report.results
        if one.status is Status.FAILED or (one.status is Status.SKIPPED and "not installed" not in one.reason)
    ]


def overlap_seconds(one: Result, other: Result) -> float:
    """How long both were being measured, by their own words; 0 unless both say that they were."""
    if one.status is not Status.OK or other.status is not Status.OK:
        return 0.0
    return max(0.0, min(one.ended, other.ended) - max(one.started, other.started))


def run(mounted: MountedFileSystem, workloads: Sequence[Workload], *, local_path: str = "") -> EndedRun:
    """Run them on the first client, undisturbed."""
    return started(mounted.one, workloads, local_path=local_path).ended()


def under_way(mounted: MountedFileSystem, workloads: Sequence[Workload], *, deadline_seconds: int = 600) -> ScriptRun:
    """Start a run on the first client, and wait until it has written."""
    begun = started(mounted.one, workloads, deadline_seconds=deadline_seconds)
    mounted.wait_until_under_way()
    return begun


def drawn(seed: str) -> random.Random:
    """Numbers that are the same in every proof."""
    return random.Random(f"nfs {seed}")  # noqa: S311 - no secret
