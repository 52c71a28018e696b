"""How long the script takes for the same files as the tutorials' own commands typed in, in turns."""

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median

from efs_monitor.benchmarks.catalogue import CATALOGUE
from efs_monitor.benchmarks.workloads import Do, Workload

from proofs.nfs.sent_for_files import BY_HAND, SHARE
from proofs.nfs.shapes import KIB, MIB
from proofs.nfs.trials import CaseFinding, MountedFileSystem, NfsCase, dishonest, run, unmeasured

PACE = "The time that the script takes, as a share of that of the tutorials' command by hand, in turns"
WORKLOADS = ("touch-serial", "files-write-100kb-1", "dd-write-1m-each")
ROUNDS, LAPS = 3, 4
"""So many times in turns, and so many laps of each in a turn."""
FILES = 40
# Ten times the 8 ms that an operation takes on the file system of the tutorial (stage/mount/tutorial.py). A machine
# that translates every instruction takes 40 times as long as another to start a process (40 ms against 0.95 ms for a dd
# of 100 KiB into /dev/null), so what the script itself costs shows as some four times what it is there.
DELAY_MILLISECONDS = 80
LAP = """
for ((lap = 0; lap < laps; ++lap)); do
    mkdir "$to"
    begun=$EPOCHREALTIME
    { %s; } >/dev/null 2>&1
    echo "$begun $EPOCHREALTIME"
    rm -rf "$to"
done
"""


@dataclass(frozen=True, kw_only=True)
class Share:
    """The median of shares of pairs, and between what it lies with 95 % of certainty."""

    middle: float
    least: float
    most: float

    def __str__(self) -> str:
        return f"{self.middle:.3f} ({self.least:.3f} to {self.most:.3f})"


def share(pairs: Sequence[tuple[float, float]]) -> Share:
    """Of what was measured by turns, without any word on how it is distributed: by the ranks of the shares."""
    shares = sorted(script / hand for script, hand in pairs)
    number = len(shares)
    rank, tail = 0, 0.5**number
    while tail <= 0.025 and rank < (number - 1) // 2:
        rank += 1
        tail += math.comb(number, rank) * 0.5**number
    return Share(middle=median(shares), least=shares[rank - 1 if rank else 0], most=shares[-max(rank, 1)])


def cases() -> Iterator[NfsCase]:
    """The cases of this file's row of the table."""
    for workload_id in WORKLOADS:
        yield NfsCase(row=PACE, name=workload_id, trial=partial(in_turns, workload_id), is_alone=True)


def in_turns(workload_id: str, mounted: MountedFileSystem) -> CaseFinding:
    """Each turn of the one is held against the next of the other, lap by lap."""
    mounted.one.delay(DELAY_MILLISECONDS)
    pairs: list[tuple[float, float]] = []
    begun = time.monotonic()
    for _ in range(ROUNDS):
        ended = run(mounted, _laps(workload_id))
        broken = [*unmeasured(ended), *dishonest(ended)]
        if broken:
            return CaseFinding(told="not measured", broken=tuple(broken))
        # By the same clock and from the same moments, where dd's own would leave the opening of a single file out.
        script = [one.ended - one.started for one in ended.report.results]
        pairs += zip(script, _by_hand(workload_id, mounted), strict=True)
    found = share(pairs)
    print(f"        {workload_id}: {found} of {len(pairs)} pairs, {time.monotonic() - begun:.0f} s", flush=True)
    slower = f"The script takes {found} of the time of the command by hand"
    return CaseFinding(told=f"`{workload_id}` {found}", broken=(slower,) if found.least > 1 + SHARE else ())


def _laps(workload_id: str) -> tuple[Workload, ...]:
    workload = replace(CATALOGUE[workload_id], files=FILES)
    if workload.do is Do.WRITE:
        size = 2 * MIB if workload_id.startswith("dd-") else 100 * KIB
        workload = replace(workload, file_bytes=size, threads=1)
    return tuple(replace(workload, id=f"{workload_id}-{lap}") for lap in range(LAPS))


def _by_hand(workload_id: str, mounted: MountedFileSystem) -> list[float]:
    given = {
        "to": f"{mounted.one.mount_path}/theirs",
        "files": str(FILES),
        "bytes": str(_laps(workload_id)[0].file_bytes),
        "laps": str(LAPS),
        "LC_ALL": "C",
    }
    said = mounted.machine.shell(LAP % BY_HAND[workload_id].strip().rstrip(";"), **given)
    moments = [line.split() for line in said.splitlines()]
    return [float(ended) - float(begun) for begun, ended in moments]
