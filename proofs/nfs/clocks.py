"""The machine's clock is set in the middle of a run. The server is the same machine: its clock jumps, too."""

import time
from collections.abc import Iterator
from functools import partial

from proofs.nfs.shapes import lasting
from proofs.nfs.trials import CaseFinding, MountedFileSystem, NfsCase, dishonest, under_way

STEPS_SECONDS = (-600, 3600, -3600, 2, -2)
WORKLOADS = ("dd-write-1m-each", "touch-serial", "dd-write-4-writers")
STEPPED = "The clock is set by -600, +3600, -3600, +2 and -2 s in the middle of a workload"
DEADLINE = "The clock is set by -600 and +3600 s, and the deadline is after 15 s"
DELAY_MILLISECONDS = 40
DEADLINE_SECONDS = 15
# The supervisor gives the cleaning up 20 seconds; without any hardware of its own a machine is slow.
CLEANED_WITHIN_SECONDS = 30


def cases() -> Iterator[NfsCase]:
    """The cases of this file's rows of the table."""
    for step in STEPS_SECONDS:
        for workload_id in WORKLOADS:
            trial = partial(stepped, step, workload_id)
            yield NfsCase(row=STEPPED, name=f"{step:+} s in {workload_id}", trial=trial, is_alone=True)
    for step in STEPS_SECONDS[:2]:
        yield NfsCase(row=DEADLINE, name=f"{step:+} s", trial=partial(at_deadline, step), is_alone=True)


def step_clock(mounted: MountedFileSystem, seconds: int) -> None:
    """Set it."""
    mounted.machine.shell('date -s "@$(($(date +%s) + step))"', step=str(seconds))


def restore_clock(mounted: MountedFileSystem) -> None:
    """Set the machine's clock to that of the machine which runs it."""
    mounted.machine.shell('date -s "@$now"', now=f"{time.time():.6f}")


def stepped(step: int, workload_id: str, mounted: MountedFileSystem) -> CaseFinding:
    """A workload in which the clock jumped is failed, and says why."""
    mounted.one.delay(DELAY_MILLISECONDS)
    run = under_way(mounted, (lasting(workload_id, 10.0, DELAY_MILLISECONDS),))
    try:
        step_clock(mounted, step)
        ended = run.ended()
    finally:
        restore_clock(mounted)
    broken = dishonest(ended)
    (result,) = ended.report.results
    if result.status != "failed" or "clock" not in result.reason:
        broken.append(f"The clock was set by {step:+} s, and it told: {result.status} {result.reason} {result.seconds}")
    return CaseFinding(told=f"{result.status}: {result.reason}", broken=tuple(broken))


def at_deadline(step: int, mounted: MountedFileSystem) -> CaseFinding:
    """The deadline is when it is, whatever the clock says."""
    mounted.one.delay(DELAY_MILLISECONDS)
    begun = time.monotonic()
    run = under_way(
        mounted, (lasting("dd-write-1m-each", 90.0, DELAY_MILLISECONDS),), deadline_seconds=DEADLINE_SECONDS
    )
    try:
        step_clock(mounted, step)
        ended = run.ended()
    finally:
        restore_clock(mounted)
    seconds = time.monotonic() - begun
    broken = dishonest(ended)
    if not DEADLINE_SECONDS <= seconds <= DEADLINE_SECONDS + CLEANED_WITHIN_SECONDS:
        broken.append(f"The deadline was {DEADLINE_SECONDS} s, and the run took {seconds:.0f} s")
    (result,) = ended.report.results
    if result.status != "failed":
        broken.append(f"It was over before its time, and told: {result.status}")
    return CaseFinding(told=f"{result.status}: {result.reason}", broken=tuple(broken))
