"""Live through every case and write docs/reliability.md, but for its last section; 1 when an invariant did not hold."""

import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from os import process_cpu_count

from operate.terminal import wrapped
from proofs.faults.proof import Outcome, every_function_has_situations, proven
from proofs.faults.report import REPORT, report
from proofs.faults.situations import SITUATIONS
from proofs.incidents.report import carried_over


def main() -> int:
    """Each situation in a process of its own, as many at once as there are processors."""
    every_function_has_situations()
    everything: list[Outcome] = []
    with ProcessPoolExecutor(process_cpu_count(), mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        for situation, outcomes in zip(SITUATIONS, pool.map(proven, range(len(SITUATIONS))), strict=True):
            everything += outcomes
            broken = [one for one in outcomes if one.broken]
            print(f"{'FAILED' if broken else 'held':<7} {len(outcomes):5} cases  {situation}", flush=True)  # noqa: T201
            for one in broken:
                print(wrapped(f"{one.case}", first=" " * 8, then=" " * 12), flush=True)  # noqa: T201
                for sentence in one.broken:
                    print(wrapped(sentence, first=" " * 12, then=" " * 16), flush=True)  # noqa: T201
    broken = [one for one in everything if one.broken]
    print(f"{len(everything):,} cases, {len(broken)} with an invariant that does not hold")  # noqa: T201
    if broken:
        return 1
    REPORT.write_text(carried_over(report(everything), REPORT.read_text()))
    print(f"written: {REPORT}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
