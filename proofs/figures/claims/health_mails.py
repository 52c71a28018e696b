"""What the figures of `mail/health_mails.py` must be."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import groupby, pairwise, takewhile

from proofs.figures.claims.claim import CLOCK, RATE, Comparison, claim, rate, size
from proofs.figures.known import MINUTE, STEP_MINUTES, Known, lowest_bytes
from proofs.figures.readings import is_clock
from simulation.burst_credits import MINUTE_SECONDS


@claim(rf"no datapoint since (?P<time>{CLOCK})")
def _silent_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """When the newest minute was over, told to five minutes."""
    over = known.player.time_of(known.newest_visible.minute + 1)
    yield told["time"], over, is_clock(told["time"], over, known.time, timedelta(minutes=4))


def _lowest_by_step(known: Known) -> dict[int, float]:
    """The lowest balance of each five minutes, by the minute at which they begin."""
    visible = (one for one in known.player.lived if known.is_visible(one))
    by_step = groupby(visible, key=lambda one: one.minute - known.player.time_of(one.minute).minute % STEP_MINUTES)
    return {step: min(map(lowest_bytes, of_it)) for step, of_it in by_step}


@claim(
    rf"(?P<balance>{RATE}) GiB were left, and fell by (?P<rate>{RATE}) MiB/s\. If that went on, they "
    rf"(?:have been gone since|are gone at) about (?P<gone>{CLOCK})"
)
def _fell_when_last_seen(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the newest minutes in a row of which each had less than the one before, a quarter of an hour of them at the
    most, without the first: the lowest of a minute in which it rose is that at its beginning. Or where the last of them
    rose, or all are more than three hours old, by the lowest of each five minutes, the newest of which may be the first
    of its five.
    """
    visible = [one for one in known.player.lived if known.is_visible(one)]
    lately = reversed(list(pairwise(visible[-16:])))
    falling = list(takewhile(lambda pair: lowest_bytes(pair[0]) > lowest_bytes(pair[1]), lately))
    if falling and known.asked - known.player.time_of(visible[-1].minute) < timedelta(hours=3):
        newest_minute, (first, second) = falling[0][1], falling[-1]
        first = second if len(falling) > 1 else first
        left = lowest_bytes(newest_minute)
        pace = (lowest_bytes(first) - left) / (newest_minute.minute - first.minute) / MINUTE_SECONDS
        gone = known.player.time_of(newest_minute.minute + 1) + timedelta(seconds=left / pace)
        yield size(told["balance"], left)
        yield rate(told["rate"], pace)
        yield told["gone"], gone, is_clock(told["gone"], gone, known.time, MINUTE)
        return
    lowest = _lowest_by_step(known)
    newest = max(lowest)
    middle, last = lowest[newest - STEP_MINUTES], lowest[newest]
    earliest = lowest.get(newest - 2 * STEP_MINUTES, middle)
    # The lowest of a step in which the balance rises is that at its beginning.
    at_the_end = middle + max(0.0, middle - earliest)
    fastest = max(earliest - middle, at_the_end - last) / (STEP_MINUTES * MINUTE_SECONDS)
    over = known.player.time_of(newest) + MINUTE * (at_the_end / fastest / MINUTE_SECONDS)
    yield size(told["balance"], last)
    yield rate(told["rate"], fastest)
    yield told["gone"], over, is_clock(told["gone"], over, known.time, MINUTE)


@claim(rf"; credits gone at (?P<gone>{CLOCK}), fs-\w+ \| .* are gone at about (?P<time>{CLOCK})")
def _as_in_the_subject(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    del known
    yield told["gone"], told["time"], told["gone"] == told["time"]


@claim(
    rf"At about (?P<time>{CLOCK}) (?:(?P<balance>{RATE}) GiB of burst credits were left|nothing was left of the burst "
    r"credits)(?P<falls>, and falling)?(?P<recovers>, and not falling)?"
)
def _seen_again(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The lowest of the newest five minutes, against that of the five before."""
    lowest = _lowest_by_step(known)
    newest = max(lowest)
    yield told["time"], newest, is_clock(told["time"], known.player.time_of(newest), known.time, timedelta())
    yield size(told["balance"] or "0", lowest[newest])
    if told["falls"] or told["recovers"]:
        drop = lowest[newest - STEP_MINUTES] - lowest[newest]
        yield told["falls"] or told["recovers"], drop, (drop > 0) is bool(told["falls"])
