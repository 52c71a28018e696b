"""What the figures of `mail/descriptions.py` must be."""

import re
from collections.abc import Iterator

from proofs.figures.claims.claim import RATE, Comparison, claim, of_a_description, rate, same
from proofs.figures.known import Known
from proofs.figures.readings import is_coarse
from simulation.burst_credits import MIB

# Where nobody knows yet what a Region permits.
UP_TO = r"(?P<at_most>up to )"


@claim(
    rf"[Ee]verything on it (?:is (?:now )?limited to|(?:now has|would now have) no more than) "
    rf"(?P<baseline>{RATE}) MiB/s(?=[:.,] (?!OK))"
)
@claim(rf"Without any it is limited to (?P<baseline>{RATE}) MiB/s(?=\. An OK)")
def _what_is_left(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """What is permitted without credits, in a sentence that names no rate with credits: exactly as in a mail, or in two
    or three digits as in an alarm's description.
    """
    exact = rate(told["baseline"], known.baseline_bytes_per_second)
    yield exact if exact[2] else (*exact[:2], is_coarse(told["baseline"], known.baseline_bytes_per_second / MIB))


@claim(
    rf"Everything on it (?:(?:is now|would now be) limited to|(?:now has|would now have) no more than) "
    rf"(?P<baseline>{RATE}) MiB/s instead of "
    rf"(?P<reference>{RATE}) MiB/s"
)
@claim(rf"everything on it slows from (?P<reference>{RATE}) MiB/s to (?P<baseline>{RATE}) MiB/s")
def _what_is_lost(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """In a mail to the digit, in the description of an alarm in two or three digits."""
    exact = [
        rate(told["reference"], known.reference_bytes_per_second),
        rate(told["baseline"], known.baseline_bytes_per_second),
    ]
    coarse = of_a_description(known, told["reference"], told["baseline"])
    yield from exact if all(held for *_, held in exact) or not coarse[2] else [coarse]


@claim(
    rf"[Ee]verything on it (?:is now limited to (?P<baseline>{RATE}) MiB/s instead of|would now be limited to "
    rf"(?P<then>{RATE}) MiB/s instead of) {UP_TO}(?P<reference>{RATE}) MiB/s"
)
@claim(
    rf"everything on it slows from {UP_TO}(?P<reference>{RATE}) MiB/s to (?P<without>up to )?(?P<baseline>{RATE}) MiB/s"
)
@claim(
    rf"Without any it is limited to (?P<without>up to )?(?P<baseline>{RATE}) MiB/s, not {UP_TO}"
    rf"(?P<reference>{RATE}) MiB/s"
)
@claim(rf"fewer than (?P<lead>\d+) minutes of burst credits are left on \S+ at {UP_TO}(?P<reference>{RATE}) MiB/s")
@claim(rf"may (?:now )?be driven at {UP_TO}(?P<reference>{RATE}) MiB/s")
@claim(rf"its size gives (?P<reference>{RATE}) MiB/s, unless its Region permits less")
def _at_most(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """What the size gives, as long as nobody can know what its Region permits: never less than is true."""
    by_size = known.uncapped_bytes_per_second
    exact = rate(told["reference"], by_size)
    yield exact if exact[2] else (*exact[:2], is_coarse(told["reference"], by_size / MIB))
    yield "at most", known.reference_bytes_per_second, known.is_cap_unknown(at_last_recalculation=True)
    found = told.groupdict()
    if "lead" in found:
        yield same(int(found["lead"]) in known.lead_minutes.values(), True)
    baseline = found.get("baseline") or found.get("then")
    if baseline:
        # What the size earns may be above a cap, too.
        without = by_size / 2 if found.get("without") else known.baseline_bytes_per_second
        exact = rate(baseline, without)
        yield exact if exact[2] else (*exact[:2], is_coarse(baseline, without / MIB))


@claim(rf"Without any it is limited to (?P<baseline>{RATE}) MiB/s, not (?P<reference>{RATE}) MiB/s")
def _limited_description(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield of_a_description(known, told["reference"], told["baseline"])


@claim(r"burst credits of \S+ end in fewer than (?P<lead>\d+) minutes at their present pace")
def _draining_description(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield same(int(told["lead"]), known.lead_minutes["critical"])


@claim(
    rf"fewer than (?P<lead>\d+) minutes of burst credits are left on \S+ at the permitted (?P<reference>{RATE}) MiB/s"
)
def _description(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield same(int(told["lead"]) in known.lead_minutes.values(), True)
    yield of_a_description(known, told["reference"])
