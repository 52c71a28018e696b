"""What the figures of `mail/draining_mails.py` must be."""

import re
from collections.abc import Iterator
from datetime import timedelta

from proofs.figures.claims.claim import (
    CLOCK,
    DRAINING_MINUTES,
    LAST,
    RATE,
    SPAN,
    TOLD_AHEAD_MINUTES,
    Comparison,
    claim,
    rate,
    told_span,
)
from proofs.figures.known import Known
from proofs.figures.readings import is_clock, is_duration


@claim(
    rf"fall by (?P<drain>{RATE}) MiB/s: that was the pace of {LAST}\. If that (?:goes on, they are gone at "
    rf"(?P<end>{CLOCK}), (?P<span>{SPAN}) from now|went on, they have been gone since (?P<gone>{CLOCK}))\."
)
def _draining(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """At the pace of the minutes that set off the alarm, and counted from the mail."""
    pace = known.pace_of(DRAINING_MINUTES)
    if "drain" in told.groupdict():
        yield told_span(told["last"], pace)
        yield rate(told["drain"], pace.drain_bytes_per_second, pace.blur_bytes_per_second)
    youngest, oldest = known.age_minutes
    least, most = known.until_zero(pace)
    latest = max(least, min(most, TOLD_AHEAD_MINUTES))
    middle = known.newest_time + timedelta(minutes=(least + latest) / 2)
    end = told.groupdict().get("gone") or told["end"]
    yield end, middle, is_clock(end, middle, known.time, timedelta(minutes=(latest - least) / 2))
    if told["span"]:
        yield told["span"], (least, most), is_duration(told["span"], least - oldest, most - youngest)
