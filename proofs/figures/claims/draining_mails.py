"""What the figures of `mail/draining_mails.py` must be."""

import math
import re
from collections.abc import Iterator
from datetime import timedelta

from proofs.figures.claims.claim import (
    CLOCK,
    LAST,
    RATE,
    SPAN,
    TOLD_AHEAD_MINUTES,
    Comparison,
    claim,
    rate,
    told_span,
)
from proofs.figures.claims.low_credits_mails import fell_from
from proofs.figures.claims.outlook import AT_THE_MOST, at_the_most
from proofs.figures.fall_under_way import falls_by_now, fast_minutes, pace_of_the_fall
from proofs.figures.known import Known, lowest_bytes
from proofs.figures.readings import clock, is_clock, is_duration, is_whole

# An alarm looks back so far, and for a minute more that is not over.
LOOKS_BACK_MINUTES = 16


@claim(
    rf"This fall began (?:some time between (?P<unseen>{CLOCK}) and|at(?P<about> about)?) (?P<since>{CLOCK})"
    rf"(?:, and goes on after a pause since (?P<paused>{CLOCK}))?\."
)
def _fall_began(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """A pause are three minutes in a row, of the hour up to the newest, each of which has more than the one before."""
    yield from fell_from(told, known)
    began = clock(told["since"], known.time)
    have = {one.minute: lowest_bytes(one) for one in known.with_balance if known.player.time_of(one.minute) >= began}
    over = [
        minute
        for minute in have
        if minute < known.newest.minute
        and all(have.get(back - 1, math.inf) < have.get(back, 0.0) for back in range(minute - 2, minute + 1))
    ]
    last = known.player.time_of(over[-1]) if over else None
    is_told = told["paused"] is not None
    yield told["paused"], last, last is not None and is_clock(told["paused"], last, known.time) if is_told else not over


@claim(
    rf"They fell fast in some of the last minutes, (?:the last time at (?P<last>{CLOCK}), and "
    rf"(?:(?P<rose>rose between)|not since, up to (?P<until>{CLOCK})): (?:a load that comes|the load rests)|"
    rf"and not by the newest datapoint, of (?P<newest>{CLOCK})\.)"
)
def _on_and_off(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """Whether they fall by now, whatever the average of the last minutes with their pauses is."""
    fast = fast_minutes(known)
    yield told[0], fast, falls_by_now(known) is (told["rose"] is not None)
    if told["last"]:
        last = known.player.time_of(fast[-1].minute)
        yield told["last"], last, is_clock(told["last"], last, known.time)
    for newest in filter(None, (told["until"], told["newest"])):
        yield newest, known.newest_time, is_clock(newest, known.newest_time, known.time)


@claim(
    rf"fall by (?P<drain>{RATE}) MiB/s{AT_THE_MOST}: that was the pace of {LAST}"
    rf"(?: up to the newest datapoint, of (?P<newest>{CLOCK}), (?P<age>\d+) minutes ago)?\. If that "
    rf"(?:goes on, they are gone at (?P<end>{CLOCK}), (?P<span>{SPAN}) from now"
    rf"|went on, they have been gone since (?P<gone>{CLOCK}))\."
)
def _draining(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """At the pace of the fall, and counted from the mail."""
    pace = pace_of_the_fall(known)
    if "drain" in told.groupdict():
        yield told_span(told["last"], pace)
        yield rate(told["drain"], pace.drain_bytes_per_second, pace.blur_bytes_per_second)
        yield from at_the_most(told, pace)
    youngest, oldest = known.age_minutes
    is_told_late = told["newest"] is not None
    yield "late", oldest, oldest > LOOKS_BACK_MINUTES if is_told_late else youngest <= LOOKS_BACK_MINUTES + 1
    if is_told_late:
        yield told["newest"], known.newest_time, is_clock(told["newest"], known.newest_time, known.time)
        yield told["age"], oldest, is_whole(told["age"], youngest, oldest)
    least, most = known.until_zero(pace)
    latest = max(least, min(most, TOLD_AHEAD_MINUTES))
    middle = known.newest_time + timedelta(minutes=(least + latest) / 2)
    end = told.groupdict().get("gone") or told["end"]
    yield end, middle, is_clock(end, middle, known.time, timedelta(minutes=(latest - least) / 2))
    if told["span"]:
        yield told["span"], (least, most), is_duration(told["span"], least - oldest, most - youngest)
