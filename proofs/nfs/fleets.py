"""Two clients at once: as one run, as two runs, and where one of them is cut off while it holds the gate."""

import re
import time
from collections.abc import Iterator
from functools import partial

from proofs.nfs.script_runs import EndedRun, started
from proofs.nfs.shapes import catalogued, lasting
from proofs.nfs.trials import CaseFinding, MountedFileSystem, NfsCase, dishonest, drawn, overlap_seconds, unmeasured
from proofs.nfs.virtual_machine import MachineFailed
from stage.measuring.script import new_run_id

FLEETS, RIVALS = "Two clients as one run", "Two clients as two runs at the same time"
FENCED = "A client is cut off inside the gate until another run has taken it over"
FLEET_NUMBER, RIVAL_NUMBER, FENCED_NUMBER = 5, 10, 50
FLEET_PLAN = tuple(catalogued(one) for one in ("touch-parallel", "dd-write-4-writers", "dd-read-2"))
DELAY_MILLISECONDS = 40
INSIDE_MILLISECONDS = 150
# After half a minute one who is in the gate is taken for dead.
GATE_LIFE_SECONDS = 30
# The next one starts so much earlier: on its way to the gate, and before it for 20 s at most. Who is cut off hears from
# the mount again before the minute is over after which a run gives up.
AHEAD_SECONDS = 14
HELD_UP = re.compile(
    r": the mount held this instance up for \d+ s while it took the lock(, and others may have taken it meanwhile)?$"
    r"|^/\S+ gave no answer in \d+ s: is the mount target reachable\?$"
    r"|^run-[0-9a-z-]+ is running on fs-[0-9a-f]+ \(1 of its instances live\): one run at a time$"
)
AT_THE_GATE = """
python3 -c '
import os, sys, time
limit = time.monotonic() + 120
while not os.path.lexists(sys.argv[1]):
    if time.monotonic() > limit:
        sys.exit("nobody came to the gate within 120 s")
    time.sleep(0.005)
' "$path/.efs-monitor-benchmark/gate"
iptables -w -I INPUT -s "$it" -j DROP
iptables -w -I OUTPUT -d "$it" -j DROP
"""


def cases() -> Iterator[NfsCase]:
    """The cases of this file's rows of the table."""
    for number in range(FLEET_NUMBER):
        yield NfsCase(row=FLEETS, name=str(number + 1), trial=as_fleet)
    moments = drawn("fleets")
    for number in range(RIVAL_NUMBER):
        seconds = moments.uniform(0, 6)
        yield NfsCase(row=RIVALS, name=f"{number + 1}: {seconds:.2f} s apart", trial=partial(as_rivals, seconds))
    for number in range(FENCED_NUMBER):
        seconds = moments.uniform(0, 12)
        yield NfsCase(row=FENCED, name=f"{number + 1}: back after {seconds:.2f} s", trial=partial(fenced, seconds))


def as_fleet(mounted: MountedFileSystem) -> CaseFinding:
    """Two instances measure everything, and each workload at the same time."""
    run_id = new_run_id()
    runs = [started(client, FLEET_PLAN, run_id=run_id, instances=2) for client in mounted.clients]
    one, other = (run.ended() for run in runs)
    broken = [sentence for ended in (one, other) for sentence in (*unmeasured(ended), *dishonest(ended))]
    for first, second in zip(one.report.results, other.report.results, strict=True):
        if not broken and not overlap_seconds(first, second):
            broken.append(f"{first.workload.id} was measured by one after the other")
    return CaseFinding(told="both measured" if not broken else f"{one.told} / {other.told}", broken=tuple(broken))


def as_rivals(seconds: float, mounted: MountedFileSystem) -> CaseFinding:
    """One at a time: whoever does not run says that the other does."""
    plan = (lasting("dd-write-1m-each", 8.0, DELAY_MILLISECONDS),)
    runs = []
    for client in mounted.clients:
        client.delay(DELAY_MILLISECONDS)
        runs.append(started(client, plan))
        if len(runs) == 1:
            time.sleep(seconds)
    one, other = (run.ended() for run in runs)
    broken = [*dishonest(one), *dishonest(other), *_apart(one, other)]
    refusals = [ended.refusal for ended in (one, other) if ended.refusal]
    if len(refusals) == 2:
        broken.append(f"Both were refused: {refusals}")
    broken += [f"It says why it does not run: {refusal}" for refusal in refusals if "running" not in refusal]
    return CaseFinding(told="one refused" if refusals else "one after the other", broken=tuple(broken))


def fenced(seconds: float, mounted: MountedFileSystem) -> CaseFinding:
    """Whoever was cut off in the gate and comes back does not run beside who has taken it over."""
    plan = (lasting("dd-write-1m-each", 12.0, DELAY_MILLISECONDS),)
    mounted.one.delay(INSIDE_MILLISECONDS)
    stalled = started(mounted.one, plan)
    mounted.machine.shell(AT_THE_GATE, path=mounted.file_system.path, it=mounted.one.address)
    time.sleep(GATE_LIFE_SECONDS - AHEAD_SECONDS)
    mounted.other.delay(DELAY_MILLISECONDS)
    next_one = started(mounted.other, plan)
    try:
        mounted.wait_until_under_way()
    except MachineFailed as nothing_written:
        mounted.one.heal()
        message = f"The next run did not begin: {next_one.ended().told}; the one cut off: {stalled.ended().told}"
        raise MachineFailed(message) from nothing_written
    time.sleep(seconds)
    mounted.one.heal()
    one, other = stalled.ended(), next_one.ended()
    broken = [*dishonest(one), *dishonest(other), *unmeasured(other), *unfounded(one, other)]
    why = re.sub(r"^/\S+: ", "", one.refusal)
    told = f"who came back was refused: {why}" if why else "who came back was alone"
    return CaseFinding(told=told, broken=tuple(broken))


def unfounded(one: EndedRun, other: EndedRun) -> list[str]:
    """What is wrong with how `one` ended, which was cut off in the gate, beside `other`, which took it over.

    It is refused with what happened: that it was held up so long that others may have passed, that the other is at it,
    or that the mount did not answer for a minute. Otherwise it has measured, and nobody beside it.
    """
    if one.refusal:
        return [] if HELD_UP.search(one.refusal) else [f"It says of having been cut off: {one.refusal}"]
    broken = unmeasured(one)
    for first in one.report.results:
        for second in other.report.results:
            if first.started < second.ended and second.started < first.ended:
                broken.append(f"{first.workload.id} was measured beside {second.workload.id} of the other run")
    return broken


def _apart(one: EndedRun, other: EndedRun) -> list[str]:
    both = max(
        (overlap_seconds(first, second) for first in one.report.results for second in other.report.results), default=0.0
    )
    return [f"Two runs measured at the same time for {both:.1f} s, and both say ok"] if both else []
