"""What the figures of `mail/cap_mails.py` must be."""

import re
from collections.abc import Iterator

from proofs.figures.claims.claim import RATE, Comparison, claim, rate
from proofs.figures.known import Known
from proofs.figures.readings import is_coarse
from simulation.burst_credits import MIB


@claim(
    rf"change nothing there: (?:(?P<rate>{RATE}) MiB/s are permitted with them and without\. That is its Region's "
    rf"limit, and its size earns (?P<earned>{RATE}) MiB/s|without them (?P<without>{RATE}) MiB/s are "
    rf"permitted, and with them less than 1 % more)\."
)
@claim(rf"its size earns about as much as its Region's limit of (?P<coarse>{RATE}) MiB/s, or more\.")
def _credits_change_nothing(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    with_credits, without = known.reference_bytes_per_second, known.baseline_bytes_per_second
    found = {name: text for name, text in told.groupdict().items() if text}
    for name, truth in (("rate", with_credits), ("earned", known.earned_bytes_per_second), ("without", without)):
        if name in found:
            yield rate(found[name], truth)
    if "rate" in found:
        yield found["rate"], without, with_credits == without
    if "coarse" in found:
        yield found["coarse"], with_credits, is_coarse(found["coarse"], with_credits / MIB)
    yield told[0], (with_credits, without), known.credits_change_nothing
