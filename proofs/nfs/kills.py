"""SIGKILL to the whole process group, as the agent does it, at moments drawn at random."""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial

from proofs.nfs.runs import started
from proofs.nfs.shapes import KIB, MIB, catalogued
from proofs.nfs.trials import Case, Finding, Place, drawn

KILLS = "SIGKILL of the whole process group at a random moment"
NUMBER = 100
DELAY_MILLISECONDS = 2
PLAN = (
    replace(catalogued("touch-parallel"), files=16, threads=4),
    replace(catalogued("dd-write-4-writers"), file_bytes=2 * MIB),
    replace(catalogued("copy-rsync"), files=8, file_bytes=16 * KIB),
)


def cases() -> Iterator[Case]:
    """The cases of this file's row of the table."""
    moments = drawn("kills")
    for number in range(NUMBER):
        share = moments.random()
        yield Case(row=KILLS, name=f"{number + 1}: after {share:.0%} of its time", trial=partial(killed, share))


@cache
def undisturbed_seconds(place: Place) -> float:
    """How long the run takes there when nobody kills it."""
    begun = time.monotonic()
    started(place.one, PLAN).ended()
    return time.monotonic() - begun


def killed(share: float, place: Place) -> Finding:
    """What was told before is whole, and nothing more is asked of it."""
    place.one.delay(DELAY_MILLISECONDS)
    seconds = share * undisturbed_seconds(place)
    run = started(place.one, PLAN)
    time.sleep(seconds)
    was_over = run.command.has_ended()
    run.kill_group()
    # The agent waits until nobody holds the outputs; whoever outlives the group must not.
    ended = run.ended(within_seconds=20)
    told = [one for one in ended.report.results if one.reported]
    whole = ended.output.rpartition("\n")[0]
    broken = [line for line in whole.splitlines() if not (line.startswith("{") and line.endswith("}"))]
    said = "over before" if was_over else f"killed with {len(told)} of {len(PLAN)} told"
    return Finding(told=said, broken=tuple(f"A line means nothing: {line!r}" for line in broken))
