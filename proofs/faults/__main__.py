"""Live through every case and write docs/reliability.md, but for its last two sections; 1 when an invariant broke.

`python -m proofs.faults explain "late and low"` lives through the starting points with one of these words in their
name, and writes nothing.
"""

import sys
from collections.abc import Sequence

from operate.terminal import wrapped
from proofs.faults.case_outcomes import Outcome, every_function_has_starting_points, proven
from proofs.faults.faults_report import REPORT, report
from proofs.faults.starting_points import STARTING_POINTS
from proofs.fleet.fleet_section import HEADING as HEADING_OF_THE_FLEET
from proofs.incidents.incidents_section import carried_over
from proofs.processes import processes


def main(words: Sequence[str]) -> int:
    """Each starting point in a process of its own, as many at once as there are processors."""
    every_function_has_starting_points()
    chosen = [
        index for index, one in enumerate(STARTING_POINTS) if not words or any(word in str(one) for word in words)
    ]
    if not chosen:
        print(wrapped(f"No starting point has {' or '.join(words)} in its name: {REPORT} lists them all"))
        return 2
    everything: list[Outcome] = []
    with processes(one_for_each=True) as pool:
        for index, outcomes in zip(chosen, pool.map(proven, chosen), strict=True):
            everything += outcomes
            broken = [one for one in outcomes if one.broken]
            print(f"{'FAILED' if broken else 'held':<7} {len(outcomes):5} cases  {STARTING_POINTS[index]}", flush=True)
            for one in broken:
                print(wrapped(f"{one.case}", first=" " * 8, then=" " * 12), flush=True)
                for sentence in one.broken:
                    print(wrapped(sentence, first=" " * 12, then=" " * 16), flush=True)
    broken = [one for one in everything if one.broken]
    print(f"{len(everything):,} cases, {len(broken)} with an invariant that does not hold")
    if broken or words:
        return 1 if broken else 0
    REPORT.write_text(
        carried_over(report(everything), REPORT.read_text(encoding="utf-8"), HEADING_OF_THE_FLEET), encoding="utf-8"
    )
    print(f"written: {REPORT}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
