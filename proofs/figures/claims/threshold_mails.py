"""What the figures of `mail/threshold_mails.py` must be."""

import re
from collections.abc import Iterator

from proofs.figures.claims.claim import RATE, Comparison, claim, rate, same, size
from proofs.figures.known import Known
from simulation.burst_credits import MINUTE_SECONDS


@claim(rf"may (?:now )?be driven at (?P<reference>{RATE}) MiB/s")
@claim(rf"PermittedThroughput with credits is (?P<reference>{RATE}) MiB/s")
@claim(rf"its size gives (?P<reference>{RATE}) MiB/s")
def _reference(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["reference"], known.reference_bytes_per_second)


@claim(rf"When a mail last told of them, or else at deployment, they stood for (?P<reference>{RATE}) MiB/s")
def _last_told(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["reference"], known.last_told_bytes_per_second)


@claim(rf"It also earns (?P<way>more|less): (?P<now>{RATE}) MiB/s instead of (?P<then>{RATE}) MiB/s")
def _earned(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["now"], known.earned_bytes_per_second)
    yield rate(told["then"], known.last_told_earned_bytes_per_second)
    more = known.earned_bytes_per_second > known.last_told_earned_bytes_per_second
    yield same(told["way"], "more" if more else "less")


@claim(
    rf"- (?P<alarm>Warning|Critical|Exhausted), (?P<lead>\d+) minutes? ahead: below (?P<now>{RATE}) GiB"
    rf"(?:, was (?P<before>{RATE}) GiB)?"
)
def _thresholds(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    lead = known.lead_minutes[told["alarm"].lower()]
    yield same(int(told["lead"]), lead)
    exact = size(told["now"], known.threshold_bytes(lead))
    by_size = size(told["now"], lead * MINUTE_SECONDS * known.uncapped_bytes_per_second)
    yield by_size if known.is_cap_unknown() and not exact[2] else exact
    if told["before"]:
        yield size(told["before"], lead * MINUTE_SECONDS * known.last_told_bytes_per_second)
