"""100,000 events from ten seeds; 1 when one was treated wrongly. `python -m proofs.fuzz 500` sends 500."""

import sys

from operate.terminal import wrapped
from proofs.fuzz.fuzzed_handlers import fuzzed
from proofs.processes import processes

EVENTS = 100_000
PER_SEED = 10_000
SHOWN = 20


def main(count: int) -> int:
    """Each seed in a process of its own, as many at once as there are processors."""
    counts = [min(PER_SEED, count - done) for done in range(0, count, PER_SEED)]
    # Seed 0 is the share of the tests.
    with processes() as pool:
        tallies = list(pool.map(fuzzed, counts, range(len(counts))))
    wrong = [sentence for tally in tallies for sentence in tally.wrong]
    print(*map(wrapped, wrong[:SHOWN]), sep="\n")
    refused, accepted = sum(tally.refused for tally in tallies), sum(tally.accepted for tally in tallies)
    print(f"{refused:,} events refused without a call, {accepted:,} accepted, {len(wrong):,} treated wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS))
