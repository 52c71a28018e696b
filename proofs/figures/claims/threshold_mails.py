"""What the figures of `mail/threshold_mails.py` must be."""

import re
from collections.abc import Iterator

from proofs.figures.claims.claim import A_DAY, CLOCK, RATE, Comparison, claim, rate, same, size
from proofs.figures.known import MINUTE, RECALCULATED_MINUTES, Known
from proofs.figures.past import STEP
from proofs.figures.readings import clock
from simulation.burst_credits import MINUTE_SECONDS
from simulation.file_system import Provisioned


@claim(rf"may (?:now )?be driven at (?P<reference>{RATE}) MiB/s")
@claim(rf"PermittedThroughput with credits is (?P<reference>{RATE}) MiB/s")
@claim(rf"its size gives (?P<reference>{RATE}) MiB/s")
def _reference(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["reference"], known.reference_bytes_per_second)


@claim(rf"When a mail last told of them, or else at deployment, they stood for (?P<reference>{RATE}) MiB/s")
def _last_told(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["reference"], known.last_told_bytes_per_second)


@claim(rf"MiB/s \(since about (?P<since>{CLOCK})\)\. When a mail")
def _put_off(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Seen by a run of every hour; a size is metered once an hour."""
    since, reached = clock(told["since"], known.time), known.reference_bytes_per_second
    late = 2 * RECALCULATED_MINUTES * MINUTE
    before = [one for one in known.player.lived if since - late <= known.player.time_of(one.minute) < known.time]
    faster = [known.reference_of(one) for one in before]
    is_far = [abs(one - reached) >= 0.1 * known.last_told_bytes_per_second for one in faster]
    after = [far for one, far in zip(before, is_far, strict=True) if known.player.time_of(one.minute) >= since]
    yield told["since"], reached, is_far[0] and not any(after)


@claim(rf"It also earns (?P<way>more|less): (?P<now>{RATE}) MiB/s instead of (?P<then>{RATE}) MiB/s")
def _earned(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["now"], known.earned_bytes_per_second)
    yield rate(told["then"], known.last_told_earned_bytes_per_second)
    more = known.earned_bytes_per_second > known.last_told_earned_bytes_per_second
    yield same(told["way"], "more" if more else "less")


@claim(
    rf"(?:over by provisioned throughput, (?:still )?|alarms suspended, )limited to (?P<limit>{RATE}) MiB/s"
    r"(?=, fs-|\.)"
)
@claim(
    rf"In the busiest five minutes of the last 24 hours clients took (?P<busiest>{RATE}) MiB/s as metered, which is "
    r"more: such a load is limited"
)
def _less_than_was_taken(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    mode = known.now.mode
    limit = mode.bytes_per_second if isinstance(mode, Provisioned) else 0.0
    # A day is read from the five minutes on that it begins in.
    steps = known.steps(known.asked - A_DAY - STEP)
    busiest = max(sum(one.metered_bytes for one in step) for step in steps) / STEP.total_seconds()
    found = told.groupdict()
    if "limit" in found:
        yield rate(found["limit"], limit)
    if "busiest" in found:
        yield rate(found["busiest"], busiest)
    yield "more", limit, 0 < limit < busiest


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
