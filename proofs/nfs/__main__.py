"""Live through every case, or those of the rows whose name has one of the words given, and write the page's table.

0 when every case held, 1 when one did not, 2 where there can be no such machine.
"""

import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from proofs.nfs import attacks, clocks, fleets, kills, measuring, outages, wire
from proofs.nfs.image import ImageMissing, image
from proofs.nfs.machine import Machine, MachineFailed, started
from proofs.nfs.network import Server
from proofs.nfs.report import PAGE, Outcome, written
from proofs.nfs.runs import install
from proofs.nfs.trials import Case, Place, lived, made
from tools.interruption import interruptible
from tools.terminal import wrapped

PLACES = 3
"""So many cases at a time: they wait most of the time, and yet a slow machine must answer each within its limits."""
KINDS = (measuring, wire, outages, clocks, fleets, attacks, kills)


def main(words: Sequence[str]) -> int:
    """Told as each case ends."""
    chosen = [
        case
        for kind in KINDS
        for case in kind.cases()
        if not words or any(word.lower() in case.row.lower() for word in words)
    ]
    outcomes: list[Outcome] = []
    try:
        with started(image()) as machine:
            for outcome in _outcomes(machine, chosen):
                outcomes.append(outcome)
                _write_row(outcome.case.row, chosen, outcomes)
    except (ImageMissing, MachineFailed) as reason:
        print(wrapped(str(reason)), file=sys.stderr)
        return 2
    broken = [one for one in outcomes if one.finding.broken]
    print(f"{len(outcomes)} cases, {len(broken)} that did not hold; written: {PAGE}")
    return 1 if broken else 0


def _write_row(row: str, cases: Sequence[Case], outcomes: Sequence[Outcome]) -> None:
    """Write the row into the page once the last of its cases is over: what comes later may be broken off."""
    of_row = [one for one in outcomes if one.case.row == row]
    if len(of_row) == sum(case.row == row for case in cases):
        PAGE.write_text(written(PAGE.read_text(), of_row))


def _outcomes(machine: Machine, cases: Sequence[Case]) -> Iterator[Outcome]:
    """The outcomes in the order of the cases: first of those that share nothing, many at a time."""
    server = Server(machine=machine)
    server.prepare()
    install(machine)
    places: SimpleQueue[Place] = SimpleQueue()
    together = [case for case in cases if not case.is_alone]
    for number in range(1, min(PLACES, max(1, len(together))) + 1):
        places.put(made(server, number))
    with ThreadPoolExecutor(PLACES) as pool:
        yield from pool.map(lambda case: _told(case, places), together)
    yield from (_told(case, places) for case in cases if case.is_alone)


def _told(case: Case, places: "SimpleQueue[Place]") -> Outcome:
    place = places.get()
    begun = time.monotonic()
    try:
        finding = lived(case, place)
    finally:
        places.put(place)
    seconds = time.monotonic() - begun
    how = "FAILED" if finding.broken else "held"
    lines = [wrapped(f"{how:<7} {case.row}: {case.name} ({seconds:.0f} s)", then=" " * 8)]
    lines += [wrapped(sentence, first=" " * 8, then=" " * 12) for sentence in (finding.told, *finding.broken)]
    print("\n".join(lines), flush=True)
    return Outcome(case=case, finding=finding)


if __name__ == "__main__":
    sys.exit(interruptible(lambda: main(sys.argv[1:])))
