"""What the figures of `mail/exhausted_mails.py` must be."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from proofs.figures.claims.claim import (
    A_DAY,
    CLOCK,
    LAST,
    OF_THE_DAY,
    RATE,
    TOLD_AHEAD_MINUTES,
    Comparison,
    claim,
    least_size,
    rate,
    size,
    told_day,
    told_span,
)
from proofs.figures.claims.incident_so_far import is_between
from proofs.figures.known import MINUTE, Known, lowest_bytes
from proofs.figures.past import STEP
from proofs.figures.readings import clock, is_clock, is_whole
from stage.player import Lived

LIMIT = rf"(?P<limits>limited to|no more than) (?P<baseline>{RATE}) MiB/s"
# Metrics are not exact: what is so near to the limit may have reached it.
AT_THE_LIMIT = 0.97
# Of fewer minutes of the last hour nobody knows whether clients wanted more.
FEWEST_MINUTES = 30


def _limits(known: Known, told: str) -> Comparison:
    """Whether clients took all that is there in any five minutes of the last hour, or may have."""
    busiest, limit = known.busiest_bytes_per_second, known.baseline_bytes_per_second
    took_less = len(known.hour) >= FEWEST_MINUTES and busiest < AT_THE_LIMIT * limit
    return told, (busiest, limit), (told == "no more than") is took_less


@claim(
    rf"In {OF_THE_DAY} less than a minute's worth was left (?P<times>once|twice|\d+ times) before, (?P<least>{RATE}) "
    r"GiB at the least, and nothing was limited\."
)
def _some_was_left_before(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """The times below a minute's worth, a quarter of an hour apart to five minutes, before the one under way; credits
    were left in each of their minutes.
    """
    yield told_day(told, known)
    low = [
        one
        for one in known.player.lived[: known.newest.minute + 1]
        if known.player.time_of(one.minute) >= known.time - A_DAY and lowest_bytes(one) < known.threshold_bytes(1)
    ]
    counts = []
    for rest_minutes in (10, 15, 20):
        spells: list[list[Lived]] = []
        for one in low:
            if spells and one.minute - spells[-1][-1].minute <= rest_minutes:
                spells[-1].append(one)
            else:
                spells.append([one])
        counts.append(len([one for one in spells if known.newest.minute - one[-1].minute >= rest_minutes]))
    before = [one for one in low if known.newest.minute - one.minute >= 10]
    times = {"once": 1, "twice": 2}.get(told["times"]) or int(told["times"].removesuffix(" times"))
    yield told["times"], counts, min(counts) <= times <= max(counts)
    yield least_size(told["least"], min(map(lowest_bytes, before)))
    yield "nothing was limited", len(before), not any(map(known.is_limited, before))


@claim(rf"burst credits gone, {LIMIT}")
def _gone(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield rate(told["baseline"], known.baseline_bytes_per_second)
    yield _limits(known, told["limits"])
    yield "gone", known.balance_bytes, known.balance_bytes < known.threshold_bytes(1)


@claim(rf"no burst credits left(?: if the load went on)?, {LIMIT}")
def _none_left(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By now: the newest datapoint is some minutes older than the mail, and does not show what was earned since."""
    yield rate(told["baseline"], known.baseline_bytes_per_second)
    yield _limits(known, told["limits"])
    newest_bytes, late = known.balance_bytes, known.time - known.newest_time
    yield "none left", newest_bytes, newest_bytes < known.threshold_bytes(1)
    if late < timedelta(minutes=10):
        earned_bytes = known.earned_bytes_per_second * late.total_seconds()
        now_bytes = lowest_bytes(known.now)
        yield "none left now", now_bytes, now_bytes < known.threshold_bytes(1) + earned_bytes


FROM_TO = (
    rf"from (?:about|some time between (?P<unknown>{CLOCK}) and) (?P<began>{CLOCK}) to (?:some time between "
    rf"(?P<known>{CLOCK}) and )?(?P<ended>{CLOCK})"
)


@claim(rf"The burst credits were gone {FROM_TO}\. The metrics of that time")
def _gone_untold(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the lowest balance of each minute; the mail reads them in steps of five."""
    began, ended = known.times_at_zero[-1]
    yield told["began"], began, is_between(told["unknown"], told["began"], began, known)
    yield told["ended"], ended, is_between(told["known"], told["ended"], ended, known)


@claim(rf"were not used up: (?P<lowest>{RATE}) GiB were left at the least, and nothing was limited\.")
def _not_used_up(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    spell = known.times_at_zero[-1]
    yield "nothing was limited", spell, not known.was_limited(spell)
    yield least_size(told["lowest"], known.lowest_in(spell))


@claim(rf"Less than a minute's worth was left {FROM_TO}\. The metrics of")
def _low_untold(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield from _gone_untold(known, told)
    yield "was left", known.times_at_zero[-1], not known.was_limited(known.times_at_zero[-1])


@claim(rf"The limit on .{{1,80}} has been lifted since about (?P<since>{CLOCK})\.")
def _lifted_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the most that was permitted in each five minutes, as far as CloudWatch has them: in those before it was what
    is permitted without credits, and in none since, all of them on credits.
    """
    since = clock(told["since"], known.time)
    steps = known.steps(since - STEP)
    is_limited = [not any(_had_more(one, known) for one in step) for step in steps]
    yield told["since"], is_limited, is_limited[:1] == [True] and not any(is_limited[1:])
    yield told["since"], since, known.player.time_of(steps[0][0].minute) == since - STEP
    yield told["since"], "on credits", all(known.lives_on_credits(one) for step in steps for one in step)
    yield told["since"], known.newest_time, known.newest_time - since > timedelta(minutes=10)


def _had_more(one: Lived, known: Known) -> bool:
    """Whether the most that was permitted in a minute is more than without credits: as it began, or as it ended."""
    has_credits = one.credits.opening_bytes > 0 or one.credits.closing_bytes > 0
    return has_credits or one.permitted_bytes_per_second > 1.01 * known.baseline_bytes_per_second


@claim(r"have been gone for more than a day")
def _gone_for_long(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    _, ended = known.times_at_zero[-1]
    began = last_gone(known)
    yield told[0], (began, ended), began <= known.time - A_DAY + STEP and ended > known.newest_time - STEP


@claim(rf"are gone since (?:about|some time between (?P<unknown>{CLOCK}) and) (?P<began>{CLOCK})[.,]")
def _gone_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Since when they are gone: to the minute where the mail has minutes, which is in the hour before the newest."""
    began = last_gone(known)
    if told["unknown"]:
        yield told["began"], began, is_between(told["unknown"], told["began"], began, known)
        return
    blur = MINUTE if began > known.newest_time - timedelta(minutes=55) else STEP
    yield told["began"], began, is_clock(told["began"], began, known.time, blur)


@claim(rf" and were so on and off from about (?P<first>{CLOCK}) on[.,]")
def _gone_on_and_off(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    first, _ = known.times_at_zero[-1]
    yield told["first"], first, is_clock(told["first"], first, known.time, STEP)
    yield told["first"], last_gone(known), last_gone(known) - first >= timedelta(minutes=20)


@claim(rf"are gone since (?P<began>{CLOCK}) or before[.,]")
def _gone_since_before(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """By the first balance that is known of the last 24 hours: they were gone by then."""
    began, day = last_gone(known), known.newest_time - A_DAY - timedelta(hours=1)
    seen = (known.player.time_of(one.minute) for one in known.player.lived if known.is_visible(one))
    first = next(one for one in seen if one >= day)
    yield told["began"], first, is_clock(told["began"], first, known.time, STEP)
    yield told["began"], began, began <= first + STEP


def last_gone(known: Known) -> datetime:
    """When the last time at zero began, or began again after five minutes of the clock in which there was some all the
    while and more was permitted than without.
    """
    began = known.times_at_zero[-1][0]
    limit = 1.01 * known.baseline_bytes_per_second
    steps = known.steps(began.replace(minute=began.minute - began.minute % 5))
    fast = [
        known.player.time_of(step[-1].minute)
        for step in steps
        if min(map(lowest_bytes, step)) >= known.threshold_bytes(1) / 60
        and max(one.permitted_bytes_per_second for one in step) > limit
    ]
    if not fast:
        return began
    since = [one for one in known.player.lived if fast[-1] < known.player.time_of(one.minute) <= known.newest_time]
    low = [one for one in since if lowest_bytes(one) < known.threshold_bytes(1)]
    dry = [one for one in low if lowest_bytes(one) < known.threshold_bytes(1) / 60]
    return known.player.time_of((dry or low)[0].minute)


@claim(rf"if the load went on: the newest datapoint is of (?P<newest>{CLOCK}), (?P<age>\d+) minutes ago\.")
def _gone_by_late_metrics(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    youngest, oldest = known.age_minutes
    yield told["newest"], known.newest_time, is_clock(told["newest"], known.newest_time, known.time)
    yield told["age"], oldest, is_whole(told["age"], youngest, oldest)


@claim(
    rf"at the pace of {LAST} they ran out (?:at (?P<end>{CLOCK})\. The newest datapoint|within a minute of the "
    rf"newest datapoint), of (?P<newest>{CLOCK}), (?:still|which) had (?P<balance>{RATE}) GiB\."
)
def _ran_out(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    pace = known.pace
    yield told_span(told["last"], pace)
    least, most = known.until_zero(pace)
    most = min(most, TOLD_AHEAD_MINUTES)
    middle, blur = known.newest_time + (least + most) / 2 * MINUTE, (most - least) / 2 * MINUTE + MINUTE
    if told["end"]:
        yield told["end"], middle, is_clock(told["end"], middle, known.time, blur) and middle - blur <= known.time
    else:
        yield "within the minute", least, least < 1
    yield told["newest"], known.newest_time, is_clock(told["newest"], known.newest_time, known.time)
    yield size(told["balance"], known.balance_bytes)
