"""What the figures of `mail/hovering_mails.py` must be."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from proofs.figures.claims.claim import (
    A_DAY,
    CLOCK,
    OF_THE_DAY,
    RATE,
    Comparison,
    claim,
    least_size,
    told_day,
)
from proofs.figures.known import DRAINING_MINUTES, MINUTE, Known, lowest_bytes
from proofs.figures.readings import is_clock, is_whole
from simulation.burst_credits import MINUTE_SECONDS
from simulation.file_system import Elastic
from stage.player import Lived

# What a mail reads in steps of five minutes may show a rise of so many, or not.
RISES = range(5, 21)
AS_FAST, PACE_BLUR, STEP_MINUTES = 1.25, 0.1, 5
SAME_STORY = timedelta(hours=20)
CLEAR_OF_IT, CLEAR_OF_THE_END_MINUTES = 1.5, 5


@claim(r"; (?P<times>\d+) before rose again(?=, fs-)")
def _rose_again(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """How often the balance fell below a threshold before and rose again. Any alarm's threshold may be meant, because
    the subject of a mail does not say which.
    """
    found = [_counts(known, lead) for lead in known.lead_minutes.values()]
    times = int(told["times"])
    yield told["times"], found, any(least <= times <= most for least, most in found)


@claim(
    rf"In (?:the last 20 hours|(?P<part>{OF_THE_DAY})) the balance fell below (?P<lead>\d+) minutes as fast "
    r"(?P<times>once|twice|\d+ times) "
    r"before, to (?P<left>\d+) minutes? at full speed at the least, and rose again (?:each time )?before the credits "
    r"ended\."
)
def _fell_below(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Minute by minute; the mail reads them in steps of five."""
    lead = int(told["lead"])
    is_part = known.minutes_of_the_day * MINUTE < SAME_STORY
    yield told["part"], known.minutes_of_the_day, (told["part"] is not None) is is_part
    if told["part"]:
        yield told_day(told, known)
    yield told["lead"], known.lead_minutes, lead in known.lead_minutes.values()
    times = {"once": 1, "twice": 2}.get(told["times"]) or int(told["times"].removesuffix(" times"))
    least, most = _counts(known, lead)
    yield told["times"], (least, most), least <= times <= most
    lows = [min(map(lowest_bytes, dip)) / known.threshold_bytes(1) for dip in _dips(known, lead, STEP_MINUTES)]
    yield told["left"], lows, any(is_whole(told["left"], low, low) for low in lows)
    yield "before the credits ended", lows, min(lows) >= 1


@claim(
    rf"In (?:the last 20 hours|(?P<part>{OF_THE_DAY})) less than a minute's worth was left "
    rf"(?P<times>once|twice|\d+ times) before, (?P<left>{RATE}) GiB at the least, and more came back(?: each time)?\."
)
def _was_nearly_gone(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Minute by minute; the mail reads them in steps of five."""
    is_part = known.minutes_of_the_day * MINUTE < SAME_STORY
    yield told["part"], known.minutes_of_the_day, (told["part"] is not None) is is_part
    if told["part"]:
        yield told_day(told, known)
    times = {"once": 1, "twice": 2}.get(told["times"]) or int(told["times"].removesuffix(" times"))
    least, most = _counts(known, known.lead_minutes["exhausted"])
    yield told["times"], (least, most), least <= times <= most
    lows = [min(map(lowest_bytes, dip)) for dip in _dips(known, known.lead_minutes["exhausted"], STEP_MINUTES)]
    yield told["left"], lows, any(least_size(told["left"], low)[2] for low in lows)
    yield "more came back", lows, min(lows) > 0


@claim(
    rf"such times until (?P<until>{CLOCK}) and their ends, that of this one too, are told by CloudWatch's own ALARM "
    r"and OK messages alone, on the Critical topic\."
)
def _such_times(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    midnight = (known.time + A_DAY).replace(hour=0, minute=0, second=0, microsecond=0)
    yield told["until"], midnight, is_clock(told["until"], midnight, known.time)


@claim(
    rf"its falls below (?P<lead>\d+) minutes until (?P<until>{CLOCK}) and their ends, that of this one too, are told "
    r"by CloudWatch's own ALARM and OK messages alone, on the (?P<topic>Warning|Critical) topic\."
)
def _told_by_cloudwatch(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    lead = known.lead_minutes[told["topic"].lower()]
    yield told["lead"], lead, int(told["lead"]) == lead
    midnight = (known.time + A_DAY).replace(hour=0, minute=0, second=0, microsecond=0)
    yield told["until"], midnight, is_clock(told["until"], midnight, known.time)


def _counts(known: Known, lead_minutes: int) -> tuple[int, int]:
    """At least, and at most."""
    drain = known.pace_of(DRAINING_MINUTES).drain_bytes_per_second
    found = [
        sum(AS_FAST * share * _fastest(dip, known) >= drain for dip in _dips(known, lead_minutes, rise)) - cut
        for rise in RISES
        for share in (1 - PACE_BLUR, 1 + PACE_BLUR)
        for cut in (0, 1)
    ]
    return min(found), max(found)


def _dips(known: Known, lead_minutes: int, rise_minutes: int) -> list[list[Lived]]:
    """The minutes below so much, since the balance was clear of it or the size another, without the one under way."""
    threshold = known.threshold_bytes(lead_minutes)
    clear_of_it = max(CLEAR_OF_IT * threshold, known.threshold_bytes(CLEAR_OF_THE_END_MINUTES))
    found: list[list[Lived]] = []
    for one in known.player.lived[: known.newest.minute + 1]:
        time: datetime = known.player.time_of(one.minute)
        if time < known.time - SAME_STORY - STEP_MINUTES * MINUTE or isinstance(one.mode, Elastic):
            continue
        if lowest_bytes(one) > clear_of_it or not known.is_of_the_newest_size(one):
            found = []
        elif lowest_bytes(one) < threshold:
            if found and one.minute - found[-1][-1].minute <= rise_minutes:
                found[-1].append(one)
            else:
                found.append([one])
    return [dip for dip in found if known.newest.minute - dip[-1].minute > STEP_MINUTES]


def _fastest(dip: list[Lived], known: Known) -> float:
    """How fast the balance fell, in bytes a second, in the fastest five minutes in a row of a dip and the half hour
    before it.
    """
    minutes = known.player.lived[max(0, dip[0].minute - 30) : dip[-1].minute + 1]
    net = [one.credits.spent_bytes - one.credits.earned_bytes for one in minutes]
    five = (sum(net[first : first + STEP_MINUTES]) for first in range(max(1, len(net) - STEP_MINUTES + 1)))
    return max(five) / STEP_MINUTES / MINUTE_SECONDS
