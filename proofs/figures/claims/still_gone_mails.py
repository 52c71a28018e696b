"""What the figures of `mail/still_gone_mails.py` must be."""

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from proofs.figures.claims.claim import (
    AN_HOUR_MINUTES,
    CLOCK,
    OF_THE_DAY,
    RATE,
    SPAN,
    Comparison,
    alarm_went_on,
    claim,
    rate,
    told_day,
)
from proofs.figures.claims.exhausted_mails import last_gone
from proofs.figures.known import MINUTE, STEP_MINUTES, Known
from proofs.figures.past import STEP
from proofs.figures.readings import clock, is_clock, is_duration

# Runs are hourly, each within a quarter of an hour of its time: the next mail is due at the nearest.
NEAREST_RUN_MINUTES = 45
# By how much a limit differs from another that is told beside it.
A_TENTH = 1.1


@claim(
    rf"For (?P<span>{SPAN}) everything on it has (?:been limited to|had no more than) "
    rf"(?:(?P<lowest>{RATE}) to (?P<highest>{RATE}) MiB/s, "
    rf"(?P<by_now>{RATE}) MiB/s by now,|(?P<limit>{RATE}) MiB/s) instead of (?P<at_most>up to )?"
    rf"(?P<with_credits>{RATE}) MiB/s"
    r"(?: with credits)?\."
)
def _limited_for(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Since the credits are gone, to five minutes; and what was permitted without any, by the whole five minutes of the
    clock since then: the size may have moved. Where no credits came back since, at the most what the size gives.
    """
    since, limit = last_gone(known), known.baseline_bytes_per_second
    minutes = (known.time - since) / MINUTE
    yield told["span"], minutes, is_duration(told["span"], minutes - STEP_MINUTES, minutes + STEP_MINUTES)
    yield rate(told["limit"] or told["by_now"], limit)
    by_size = known.uncapped_bytes_per_second
    yield rate(told["with_credits"], by_size if told["at_most"] else known.reference_bytes_per_second)
    # The first may have begun with credits.
    ranges = [(min([*one, limit]), max([*one, limit])) for one in _permitted_since(since, known)]
    if told["lowest"]:
        ends = [(rate(told["lowest"], least), rate(told["highest"], most)) for least, most in ranges]
        yield from next((both for both in ends if both[0][2] and both[1][2]), ends[0])
    yield told[0], ranges, (told["lowest"] is not None) in {most > A_TENTH * least for least, most in ranges}


def _permitted_since(since: datetime, known: Known) -> tuple[list[float], list[float]]:
    """The most in each whole five minutes since then, but for the first of them, and for two."""
    steps = [step for step in known.steps(since) if len(step) == STEP_MINUTES]
    most = [max(one.permitted_bytes_per_second for one in step) for step in steps]
    return most[1:] or most, most[2:] or most


@claim(
    rf"Since the mail before, of (?P<mail>{CLOCK}), clients moved (?P<moved>{RATE}) MiB/s on average as metered"
    rf"(?:, of the (?P<limit>{RATE}) MiB/s that are permitted|; (?P<by_now>{RATE}) MiB/s are permitted now)\."
)
def _moved_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the whole five minutes of the clock since five minutes after it. A mail about the
    alarm, or a graver one, came then, and none since.
    """
    since = clock(told["mail"], known.time)
    mails = [
        one.time
        for one in known.player.sandbox.mailbox.mails
        if re.match(r"(?:STILL )?(?:WARNING|CRITICAL|GONE|NEARLY GONE)\b", one.subject) and one.time < known.time
    ]
    yield told["mail"], mails[-1], abs(mails[-1] - since) <= MINUTE
    steps = [step for step in known.steps(since) if len(step) == STEP_MINUTES]
    moved = [sum(one.metered_bytes for one in step) / STEP.total_seconds() for step in steps]
    averages = [rate(told["moved"], sum(one) / len(one)) for one in (moved[1:] or moved, moved[2:] or moved)]
    yield next((one for one in averages if one[2]), averages[0])
    yield rate(told["limit"] or told["by_now"], known.baseline_bytes_per_second)
    limit = known.baseline_bytes_per_second
    was_another = {
        any(not limit / 1.01 <= one <= 1.01 * limit for one in some) for some in _permitted_since(since, known)
    }
    yield told["limit"], limit, (told["limit"] is None) in was_another


@claim(
    rf"What takes an hour at the rate of the busiest five minutes of {OF_THE_DAY} \((?P<busiest>{RATE}) MiB/s\) takes "
    rf"(?P<span>{SPAN}) now\."
)
def _takes_longer(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    busiest = known.busiest_of_the_day_bytes_per_second
    yield told_day(told, known)
    yield rate(told["busiest"], busiest)
    minutes = AN_HOUR_MINUTES * busiest / known.baseline_bytes_per_second
    yield told["span"], minutes, is_duration(told["span"], 0.99 * minutes, 1.01 * minutes)


@claim(
    rf"The mail of (?P<whole>{CLOCK}) says more about each of these\. The next mail like this one comes in about "
    r"(?:an hour|(?P<hours>\d+) hours), if it is so then\."
)
def _comes_again(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The Exhausted alarm had a mail of its own. No mail like this one came sooner after another."""
    went_on = alarm_went_on("Exhausted", known)
    yield told["whole"], went_on, is_clock(told["whole"], went_on, known.time, MINUTE)
    like_this = [
        one.time
        for one in known.player.sandbox.mailbox.mails
        if one.time <= known.time and "The next mail like this one" in " ".join(one.body.split())
    ]
    pauses = [(later - before) / MINUTE for before, later in pairwise(like_this)]
    least = AN_HOUR_MINUTES * int(told["hours"] or 1) - NEAREST_RUN_MINUTES
    yield told["hours"], pauses, all(one >= least for one in pauses)
