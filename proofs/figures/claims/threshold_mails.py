"""What the figures of `mail/threshold_mails.py` must be."""

import re
from collections.abc import Iterator

from proofs.figures.claims.claim import (
    A_DAY,
    ABOUT_A_DAY_MINUTES,
    CLOCK,
    OF_THE_DAY,
    RATE,
    SPAN,
    Comparison,
    claim,
    rate,
    same,
    size,
)
from proofs.figures.known import (
    MINUTE,
    QUARTER_OF_AN_HOUR,
    RECALCULATED_MINUTES,
    STEP_MINUTES,
    Known,
    lowest_bytes,
)
from proofs.figures.past import STEP
from proofs.figures.readings import clock, is_duration, number
from simulation.burst_credits import MIB, MINUTE_SECONDS
from simulation.file_system import Provisioned


@claim(rf"may (?:now )?be driven at (?P<reference>{RATE}) MiB/s")
@claim(rf"PermittedThroughput with credits is (?P<reference>{RATE}) MiB/s")
@claim(rf"its size gives (?P<reference>{RATE}) MiB/s")
def _reference(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["reference"], known.reference_bytes_per_second)


@claim(rf"While no credits are left, clients have no more than (?P<limit>{RATE}) MiB/s now\.")
def _limit_by_now(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["limit"], known.baseline_bytes_per_second)


@claim(rf"Newest balance: (?P<balance>{RATE}) GiB")
def _newest_balance(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """That of the newest minute; where a Region's cap is looked for, the lowest of the newest five minutes."""
    lately = [size(told["balance"], lowest_bytes(one)) for one in known.with_balance[-STEP_MINUTES:]]
    yield next((one for one in lately if one[2]), lately[-1])


@claim(rf"When a mail last told of them, or else at deployment, they stood for (?P<reference>{RATE}) MiB/s")
def _last_told(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["reference"], known.last_told_bytes_per_second)


@claim(
    rf"may now be driven at (?:up to )?(?P<reference>{RATE}) MiB/s "
    rf"\((?:since|already at (?P<then>{RATE}) MiB/s by) about (?P<since>{CLOCK})\)\. When a mail"
)
def _put_off(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By a run of every hour; a size is metered once an hour. The rate that is named with the time is one that there
    was by then, a tenth of what was told before or more away from that, and about as much all the time since.
    """
    since, named = clock(told["since"], known.time), told["then"] or told["reference"]
    late = 2 * RECALCULATED_MINUTES * MINUTE
    rates = {
        time: known.reference_of(one)
        for one in known.player.lived
        if since - late <= (time := known.player.time_of(one.minute)) < known.time
    }
    then = [one for time, one in rates.items() if time <= since and rate(named, one)[2]]
    yield named, [one for time, one in rates.items() if time <= since][-1], bool(then)
    if not then:
        return
    far = 0.1 * known.last_told_bytes_per_second
    first = next(iter(rates.values()))
    is_news = abs(first - known.last_told_bytes_per_second) < far or abs(first - then[-1]) >= far
    yield told["since"], first, is_news
    yield told["since"], then[-1], all(abs(one - then[-1]) < far for time, one in rates.items() if time >= since)


@claim(
    rf"Driven at (?:up to )?(?P<reference>{RATE}) MiB/s without a pause, and with what is earned meanwhile, the newest "
    rf"balance, (?P<balance>{RATE}) GiB, lasts (?P<span>{SPAN}), whatever end"
)
def _lasts(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """That of the newest minute: counted from then on."""
    minutes = known.balance_bytes / (known.reference_bytes_per_second - known.earned_bytes_per_second) / MINUTE_SECONDS
    yield rate(told["reference"], known.reference_bytes_per_second)
    yield size(told["balance"], known.balance_bytes)
    yield told["span"], minutes, is_duration(told["span"], minutes - 1, minutes + 1)


@claim(
    rf"It also earns (?P<way>more|less): (?P<now>{RATE}) MiB/s instead of (?P<then>{RATE}) MiB/s"
    r"(?P<at_least> or more)?\."
)
def _earned(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    then = known.last_told_earned_bytes_per_second
    yield rate(told["now"], known.earned_bytes_per_second)
    if told["at_least"]:
        yield told["then"], then, number(told["then"]) * MIB <= 1.01 * then
    else:
        yield rate(told["then"], then)
    more = known.earned_bytes_per_second > known.last_told_earned_bytes_per_second
    yield same(told["way"], "more" if more else "less")


@claim(
    r"on, and the balance is above (?:its|their) new thresholds?: (?:it ends|they end) within (?P<minutes>\d+) minutes"
)
def _ends_by_the_new_one(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """So far CloudWatch looks back: no minute of them has less than the new threshold, or the alarm is on."""
    yield told["minutes"], QUARTER_OF_AN_HOUR, int(told["minutes"]) * MINUTE == QUARTER_OF_AN_HOUR
    leads = [lead for alarm, lead in known.lead_minutes.items() if alarm != "draining"]
    yield "above", known.balance_bytes, known.balance_bytes >= min(map(known.threshold_bytes, leads))


@claim(
    rf"(?:over by provisioned throughput, (?:still )?|alarms suspended, )limited to (?P<limit>{RATE}) MiB/s"
    r"(?=, fs-|\.)"
)
@claim(
    rf"In the busiest five minutes of {OF_THE_DAY} clients took (?P<busiest>{RATE}) MiB/s as metered, which is "
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
        minutes, words = STEP_MINUTES * len(steps), found["known_of_the_day"]
        yield words or "the last 24 hours", minutes, (words is None) is (minutes >= ABOUT_A_DAY_MINUTES)
        if words:
            yield words, minutes, is_duration(words, minutes - STEP_MINUTES, minutes)
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
