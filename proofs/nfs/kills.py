"""SIGKILL to the whole process group, as the agent does it, at moments drawn at random."""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from proofs.nfs.network import AS_EFS
from proofs.nfs.script_runs import EndedRun, started
from proofs.nfs.shapes import KIB, MIB, catalogued, lasting
from proofs.nfs.trials import (
    NOTHING_LEFT_WITHIN_SECONDS,
    CaseFinding,
    MountedFileSystem,
    NfsCase,
    dishonest,
    drawn,
    left_after,
    under_way,
    unmeasured,
)
from proofs.nfs.workload_cases import COPIES

ONE_USER = (
    "Everybody is one and the same user, as behind an access point; the run is left alone, or killed as it begins"
)
AS_ACCESS_POINT = f"{AS_EFS.replace('no_root_squash', 'all_squash')},anonuid=1000,anongid=1000"
BEGINNINGS = 9
# Before the first workload, with a machine that is slow.
BEGINNING_SECONDS = 5.0
KILLS = "SIGKILL of the whole process group at a random moment"
NUMBER = 100
DELAY_MILLISECONDS = 2
# So many of them in the middle of a copy, shared among the tools.
IN_COPIES = 40
COPY_SECONDS = 8.0
COPY_DELAY_MILLISECONDS = 20
PLAN = (
    replace(catalogued("touch-parallel"), files=16, threads=4),
    replace(catalogued("dd-write-4-writers"), file_bytes=2 * MIB),
    replace(catalogued("copy-rsync"), files=8, file_bytes=16 * KIB),
)


def cases() -> Iterator[NfsCase]:
    """The cases of this file's row of the table."""
    moments = drawn("kills")
    for number in range(IN_COPIES):
        workload_id, share = COPIES[number % len(COPIES)], moments.random()
        name = f"{number + 1} of a copy: {share:.0%} of its time into {workload_id}"
        yield NfsCase(row=KILLS, name=name, trial=partial(killed_in_copy, workload_id, share))
    for number in range(IN_COPIES, NUMBER):
        share = moments.random()
        yield NfsCase(row=KILLS, name=f"{number + 1}: after {share:.0%} of its time", trial=partial(killed, share))
    yield NfsCase(row=ONE_USER, name="left alone", trial=partial(as_one_user, None))
    for number in range(BEGINNINGS):
        seconds = (number + moments.random()) * BEGINNING_SECONDS / BEGINNINGS
        yield NfsCase(row=ONE_USER, name=f"killed after {seconds:.2f} s", trial=partial(as_one_user, seconds))


@cache
def undisturbed_seconds(mounted: MountedFileSystem) -> float:
    """How long the run takes there when nobody kills it."""
    begun = time.monotonic()
    started(mounted.one, PLAN).ended()
    return time.monotonic() - begun


def killed(share: float, mounted: MountedFileSystem) -> CaseFinding:
    """What was told before is whole, and nothing more is asked of it."""
    mounted.one.delay(DELAY_MILLISECONDS)
    seconds = share * undisturbed_seconds(mounted)
    run = started(mounted.one, PLAN)
    time.sleep(seconds)
    was_over = run.command.has_ended()
    run.kill_group()
    # The agent waits until nobody holds the outputs; whoever outlives the group must not.
    ended = run.ended(within_seconds=20)
    told = [one for one in ended.report.results if one.reported]
    said = "over before" if was_over else f"killed with {len(told)} of {len(PLAN)} told"
    return CaseFinding(told=said, broken=_meaningless(ended))


def killed_in_copy(workload_id: str, share: float, mounted: MountedFileSystem) -> CaseFinding:
    """The tool has begun to write on the file system, and has not ended."""
    mounted.one.delay(COPY_DELAY_MILLISECONDS)
    run = under_way(mounted, (lasting(workload_id, COPY_SECONDS, COPY_DELAY_MILLISECONDS),))
    time.sleep(share * COPY_SECONDS / 2)
    was_over = run.command.has_ended()
    run.kill_group()
    ended = run.ended(within_seconds=20)
    (result,) = ended.report.results
    said = "killed after its copy" if was_over or result.reported else "killed in the middle of a copy"
    return CaseFinding(told=said, broken=_meaningless(ended))


def as_one_user(seconds: float | None, mounted: MountedFileSystem) -> CaseFinding:
    """Everything is measured; after a kill the run's own clean-up takes the directory for its own."""
    mounted.file_system.permit("755", "1000:1000")
    mounted.file_system.export(AS_ACCESS_POINT)
    mounted.one.delay(COPY_DELAY_MILLISECONDS)
    run = started(mounted.one, PLAN)
    if seconds is not None:
        time.sleep(seconds)
        run.kill_group()
    ended = run.ended()
    broken = [*_meaningless(ended)]
    if seconds is None:
        broken += [*unmeasured(ended), *dishonest(ended)]
    left = left_after(mounted, NOTHING_LEFT_WITHIN_SECONDS)
    if left:
        broken.append(f"{len(left)} things are left while everybody is that user: {', '.join(left[:4])}")
    mounted.file_system.permit("755")
    return CaseFinding(told="measured" if seconds is None else "killed, and removed", broken=tuple(broken))


def _meaningless(ended: EndedRun) -> tuple[str, ...]:
    whole = ended.output.rpartition("\n")[0]
    broken = [line for line in whole.splitlines() if not (line.startswith("{") and line.endswith("}"))]
    return tuple(f"A line means nothing: {line!r}" for line in broken)
