"""Live through every case, or those of the rows whose name has one of the words given, and write the page's table.

Wants an idle machine: the script waits a minute for its mount, and one that is busy may not give it that much. The
table is written as cases end, and a proof that was broken off goes on where it was: what held is not tried again while
the script, and how it is tried, stay as they are. What did not hold is.

0 when every case held, 1 when one did not, 2 where there can be no such machine.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from operate.terminal import wrapped
from proofs.kept_answers import folder_of, kept_or_asked
from proofs.nfs import attacks, clocks, fleets, kills, outages, script_times, sent_for_files, workload_cases
from proofs.nfs.image import ImageMissing, image
from proofs.nfs.network import NfsServer
from proofs.nfs.nfs_table import PAGE, NfsOutcome, numbers_of_cases, written
from proofs.nfs.script_runs import install
from proofs.nfs.trials import CaseFinding, MountedFileSystem, NfsCase, lived, made
from proofs.nfs.virtual_machine import MachineFailed, VirtualMachine, started

FILE_SYSTEMS = 3
"""So many cases at a time: they wait most of the time, and yet a slow machine must answer each within its limits."""
KINDS = (workload_cases, sent_for_files, script_times, outages, clocks, fleets, attacks, kills)
TRIED = (
    *("proofs/nfs", "localaws/ssm/host.py", "src/documents/benchmark", "tools/benchmark_document.py"),
    "src/layers/efs_monitor/efs_monitor/benchmarks",
)
"""What decides how a case ends: the script, what it is given, and what is done to it."""


def main(words: Sequence[str]) -> int:
    """Told as each case ends."""
    every = [case for kind in KINDS for case in kind.cases()]
    chosen = breadth_first(
        [case for case in every if not words or any(word.lower() in case.row.lower() for word in words)]
    )
    outcomes: list[NfsOutcome] = []
    try:
        with started(image()) as machine:
            for outcome in _outcomes(machine, chosen):
                outcomes.append(outcome)
                # What comes later may be broken off.
                PAGE.write_text(
                    written(PAGE.read_text(encoding="utf-8"), outcomes, numbers_of_cases(every)), encoding="utf-8"
                )
    except (ImageMissing, MachineFailed) as reason:
        print(wrapped(str(reason)), file=sys.stderr)
        return 2
    broken = [one for one in outcomes if not one.finding.held()]
    print(f"{len(outcomes)} cases, {len(broken)} that did not hold; written: {PAGE}")
    return 1 if broken else 0


def breadth_first(cases: Sequence[NfsCase]) -> list[NfsCase]:
    """The first of each row, then the second of each: whatever is broken off has tried something of everything."""
    rank: Counter[str] = Counter()
    ranked = []
    for case in cases:
        rank[case.row] += 1
        ranked.append((rank[case.row], case))
    return [case for _, case in sorted(ranked, key=lambda one: one[0])]


def _outcomes(machine: VirtualMachine, cases: Sequence[NfsCase]) -> Iterator[NfsOutcome]:
    """The outcomes as they come: first of the cases that share nothing, several at a time."""
    server = NfsServer(machine=machine)
    server.prepare()
    install(machine)
    free: SimpleQueue[MountedFileSystem] = SimpleQueue()
    together = [case for case in cases if not case.is_alone]
    for number in range(1, min(FILE_SYSTEMS, max(1, len(together))) + 1):
        free.put(made(server, number))
    kept = folder_of("nfs", code=TRIED)
    with ThreadPoolExecutor(FILE_SYSTEMS) as pool:
        begun = [pool.submit(_told, case, free, kept) for case in together]
        try:
            yield from (one.result() for one in as_completed(begun))
        finally:
            for one in begun:
                one.cancel()
    yield from (_told(case, free, kept) for case in cases if case.is_alone)


def _told(case: NfsCase, free: "SimpleQueue[MountedFileSystem]", kept: Path) -> NfsOutcome:
    begun = time.monotonic()
    finding = kept_or_asked(kept, partial(_tried, free=free), (f"{case.row}: {case.name}", case), CaseFinding.held)
    seconds = time.monotonic() - begun
    how = "held" if finding.held() else "FAILED"
    lines = [wrapped(f"{how:<7} {case.row}: {case.name} ({seconds:.0f} s)", then=" " * 8)]
    lines += [wrapped(sentence, first=" " * 8, then=" " * 12) for sentence in (finding.told, *finding.broken)]
    print("\n".join(lines), flush=True)
    return NfsOutcome(case=case, finding=finding)


def _tried(case: NfsCase, free: "SimpleQueue[MountedFileSystem]") -> CaseFinding:
    mounted = free.get()
    try:
        return lived(case, mounted)
    finally:
        free.put(mounted)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
