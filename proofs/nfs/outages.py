"""What befalls a file system in the middle of a run: read-only, mapped users, no packets, no room, no server."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from proofs.nfs.network import AS_EFS, RECOMMENDED
from proofs.nfs.script_runs import EndedRun
from proofs.nfs.shapes import lasting
from proofs.nfs.trials import CaseFinding, MountedFileSystem, NfsCase, dishonest, under_way

DELAY_MILLISECONDS = 40
LASTING_SECONDS = 25.0
SOFT = RECOMMENDED.replace("hard,timeo=600,retrans=2", "soft,timeo=50,retrans=1")
ENDS_WITHIN_SECONDS = 240.0
WORKLOADS = ("dd-write-1m-each", "touch-serial", "copy-cp")


@dataclass(frozen=True, kw_only=True)
class Outage:
    """One way in which a file system is not what it was; a workload of `may_be_ok` can come through and be right."""

    row: str
    begin: Callable[[MountedFileSystem], None]
    seconds: float = 40.0
    options: str = RECOMMENDED
    may_be_ok: tuple[str, ...] = ()
    is_alone: bool = False


def _stop(mounted: MountedFileSystem) -> None:
    mounted.server.stop()


OUTAGES = (
    Outage(row="Read-only for 40 s", begin=lambda mounted: mounted.file_system.export(AS_EFS.replace("rw,", "ro,"))),
    Outage(
        row="Root mapped to nobody for 40 s",
        begin=lambda mounted: mounted.file_system.export(AS_EFS.replace("no_root_squash", "root_squash")),
        may_be_ok=WORKLOADS,
    ),
    Outage(
        row="Everybody mapped to nobody for 40 s",
        begin=lambda mounted: mounted.file_system.export(AS_EFS.replace("no_root_squash", "all_squash")),
    ),
    Outage(row="Cut off for 40 s, hard mount", begin=lambda mounted: mounted.one.cut_off(), may_be_ok=WORKLOADS),
    Outage(row="Cut off for 40 s, soft mount", begin=lambda mounted: mounted.one.cut_off(), options=SOFT),
    Outage(
        row="No room for 40 s",
        begin=lambda mounted: mounted.file_system.fill(),
        # An empty file needs no room but in its directory, which has some.
        may_be_ok=("touch-serial",),
    ),
    Outage(row="The server stopped for 20 s", begin=_stop, seconds=20.0, may_be_ok=WORKLOADS, is_alone=True),
)
STAYS, KILLED = "and the run goes on", "and the run is killed meanwhile"


def cases() -> Iterator[NfsCase]:
    """Each outage in each kind of workload, with the run left alone and with the run killed."""
    for outage in OUTAGES:
        for workload_id in WORKLOADS:
            for how in (STAYS, KILLED):
                trial = partial(lived_through, outage, workload_id, how == KILLED)
                name = f"in {workload_id}, {how}"
                yield NfsCase(row=outage.row, name=name, trial=trial, is_alone=outage.is_alone)


def lived_through(outage: Outage, workload_id: str, is_killed: bool, mounted: MountedFileSystem) -> CaseFinding:
    """What is told is what happened: an outage that a workload cannot come through is no measurement."""
    if outage.options != RECOMMENDED:
        mounted.mount(outage.options)
    mounted.one.delay(DELAY_MILLISECONDS)
    workload = lasting(workload_id, LASTING_SECONDS, DELAY_MILLISECONDS)
    run = under_way(mounted, (workload,))
    begun = time.monotonic()
    outage.begin(mounted)
    if is_killed:
        time.sleep(outage.seconds / 4)
        run.kill_group()
    time.sleep(max(0.0, begun + outage.seconds - time.monotonic()))
    if outage.is_alone:
        mounted.server.serve()
    mounted.heal()
    ended = run.ended(within_seconds=ENDS_WITHIN_SECONDS)
    left = mounted.left()
    if outage.options != RECOMMENDED:
        mounted.mount()
    return _found(outage, ended, left, is_killed)


def _found(outage: Outage, ended: EndedRun, left: Sequence[str], is_killed: bool) -> CaseFinding:
    (result,) = ended.report.results
    if is_killed:
        told = "killed, nothing told" if not result.reported else f"{result.status}: {result.reason}"
        return CaseFinding(told=told)
    broken = dishonest(ended, left)
    told = f"{result.status}: {result.reason}" if result.status != "ok" else "ok"
    if result.status == "ok" and result.workload.id not in outage.may_be_ok:
        broken.append(f"It was measured in the middle of the outage: {result.seconds:.1f} s")
    return CaseFinding(told=told, broken=tuple(broken))
