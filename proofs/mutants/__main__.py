"""Try every mutant; 1 when too many survive. `python -m proofs.mutants mail credits.py` tries those of some
packages and files, `python -m proofs.mutants @out/survived.txt` those that an earlier run printed into this file, and
folders of tests besides stand in place of a package's own.
"""

import os
import resource
import sys
import time
from collections import Counter
from pathlib import Path

from proofs.mutants.equivalents import equivalents
from proofs.mutants.mutation_operators import Mutant, mutants
from proofs.mutants.targets import PACKAGES, TESTS
from proofs.mutants.verdicts import MutantVerdict, tried

LEAST_SHARE = 0.95
NOTICED = {MutantVerdict.KILLED, MutantVerdict.ENDLESS}


def main(wanted: list[str]) -> int:
    """Tell every mutant that nobody noticed, and the score of each package."""
    started = time.monotonic()
    excused = equivalents()
    there_are: set[str] = set()
    tests = tuple(part for part in wanted if part.startswith(TESTS))
    listed = {
        line
        for part in wanted
        if part.startswith("@")
        for line in Path(part[1:]).read_text(encoding="utf-8").splitlines()
    }
    named = [part for part in wanted if not part.startswith(("@", TESTS))]
    held = True
    for name, package in PACKAGES.items():
        of_package = [
            mutant
            for path in package.paths
            if not named or any(part == name or part in str(path) for part in named)
            for mutant in mutants(str(path), path.read_text(encoding="utf-8"))
            if not listed or any(line.endswith(f" {mutant.name}") for line in listed)
        ]
        if of_package:
            there_are |= {mutant.name for mutant in of_package}
            held = _package_held(name, of_package, tests or package.tests, excused) and held
    gone = [] if wanted else sorted(excused.keys() - there_are)
    for one in gone:
        print(f"equivalent.toml names what is no mutant: {one}")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = f"{time.monotonic() - started:,.0f} s, {used.ru_utime + used.ru_stime:,.0f} s of processors"
    print(f"{len(there_are):,} mutants in {spent}")
    return 0 if held and not gone else 1


def _package_held(package: str, of_package: list[Mutant], tests: tuple[str, ...], excused: dict[str, str]) -> bool:
    tally: Counter[str] = Counter()
    wrong = []

    def told(mutant: Mutant, verdict: MutantVerdict) -> None:
        equivalent = mutant.name in excused
        tally["equivalent" if equivalent else verdict] += 1
        if verdict in NOTICED and equivalent:
            wrong.append(f"equivalent.toml names what a test notices: {mutant.name}")
        if verdict not in NOTICED and not equivalent:
            print(f"{verdict:<9} {mutant.line:4} {mutant.name}", flush=True)

    tried(of_package, tests, told, os.process_cpu_count() or 1)
    for sentence in wrong:
        print(sentence)
    noticed = sum(tally[verdict] for verdict in NOTICED)
    missed = tally[MutantVerdict.SURVIVED] + tally[MutantVerdict.UNREACHED]
    share = noticed / ((noticed + missed) or 1)
    detail = f"{noticed:,} noticed, {tally[MutantVerdict.ENDLESS]} of them by their time; {missed} not"
    print(f"{package:<11} {share:6.1%}  {detail}; {tally['equivalent']} equivalent", flush=True)
    return share >= LEAST_SHARE and not wrong


if __name__ == "__main__":
    if os.environ.get("PYTHONHASHSEED") != "0":
        # The order of sets is chance otherwise, and whether a test notices it as well.
        os.execve(  # noqa: S606 - this very program again
            sys.executable, [*sys.orig_argv], os.environ | {"PYTHONHASHSEED": "0"}
        )
    sys.exit(main(sys.argv[1:]))
