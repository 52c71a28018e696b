"""Live through every case of the fleet's function and write its section of docs/reliability.md; 1 when one broke."""

import sys

from operate.terminal import wrapped
from proofs.faults.faults_report import REPORT
from proofs.fleet.fleet_section import section, with_fleet_section
from proofs.fleet.fleet_starting_points import STARTING_POINTS
from proofs.fleet.fleet_trials import FleetOutcome, proven
from proofs.processes import processes


def main() -> int:
    """Each starting point in a process of its own, as many at once as there are processors."""
    everything: list[FleetOutcome] = []
    with processes(one_for_each=True) as pool:
        for start, outcomes in zip(STARTING_POINTS, pool.map(proven, range(len(STARTING_POINTS))), strict=True):
            everything += outcomes
            broken = [one for one in outcomes if one.broken]
            print(f"{'FAILED' if broken else 'held':<7} {len(outcomes):5} cases  {start}", flush=True)
            for one in broken:
                print(wrapped(f"{one.case}: {'; '.join(one.broken)}", first=" " * 8, then=" " * 12), flush=True)
    broken = [one for one in everything if one.broken]
    print(f"{len(everything):,} cases, {len(broken)} in which something does not hold")
    if broken:
        return 1
    REPORT.write_text(with_fleet_section(REPORT.read_text(encoding="utf-8"), section(everything)), encoding="utf-8")
    print(f"written: {REPORT}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
