"""What the figures of `mail/recovered_mails.py` must be."""

import re
from collections.abc import Iterator

from proofs.figures.claims.claim import A_DAY, CLOCK, RATE, Comparison, alarm_went_on, claim, same, size
from proofs.figures.known import MINUTE, RECALCULATED_MINUTES, Known
from proofs.figures.readings import clock, is_clock
from simulation.burst_credits import MINUTE_SECONDS

IS_OVER = (
    rf"The (?P<alarm>Warning|Critical) alarm of .{{1,80}} is over(?P<both>, and Critical with it)?\. "
    rf"It was on since (?P<since>{CLOCK})\."
)


@claim(
    rf"{IS_OVER} It went off below (?P<before>{RATE}) GiB, and ended because its threshold was lowered"
    rf"(?P<by_size> with the size)? to (?P<now>{RATE}) GiB: the balance is still below the one of before\."
)
def _ended_by_its_threshold(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    """A size since it went off had the threshold of before, at the lead time of then: the size alone, or a deployment
    with a shorter one, has lowered it.
    """
    lead_seconds = MINUTE_SECONDS * known.lead_minutes[told["alarm"].lower()]
    went_on = clock(told["since"], known.time)
    since, lead_minutes_then = went_on - RECALCULATED_MINUTES * MINUTE, known.lead_minutes_then(told["alarm"], went_on)
    lived = [one for one in known.player.lived if known.player.time_of(one.minute) >= since]
    of_then = {MINUTE_SECONDS * lead_minutes_then * known.reference_of(one) for one in lived}
    before = [one for one in of_then if size(told["before"], one)[2]]
    yield told["before"], of_then, bool(before)
    by_deployment = lead_minutes_then != known.lead_minutes[told["alarm"].lower()]
    yield told["by_size"], lead_minutes_then, told["by_size"] is None or not by_deployment
    yield size(told["now"], lead_seconds * known.reference_bytes_per_second)
    yield told["now"], known.balance_bytes, known.balance_bytes < max(before, default=0.0)


@claim(IS_OVER)
def _was_on_since(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    went_on = alarm_went_on(told["alarm"], known)
    yield told["since"], went_on, is_clock(told["since"], went_on, known.time, MINUTE)
    if told["both"]:
        ended = [
            one.time
            for one in known.player.sandbox.transitions
            if one.alarm.endswith("-critical") and one.new == "OK" and one.time <= known.time + MINUTE
        ]
        yield told["both"], ended, bool(ended) and abs(ended[-1] - known.time) <= MINUTE


@claim(
    r"Whether the load that set it off comes again is not known: it began more than 24 hours ago"
    r"(?:, and nothing that came since would take credits now)?\."
)
def _came_before_the_last_day(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    ended = max(
        (one for one in known.player.sandbox.transitions if one.new == "OK" and one.time <= known.time),
        key=lambda one: (one.alarm.endswith(("-warning", "-critical")), one.time),
    )
    went_on = alarm_went_on(ended.alarm.rpartition("-")[2], known)
    yield told[0], went_on, known.time - went_on > A_DAY


@claim(r"That is still less than (?P<lead>\d+) minutes")
def _still_low(known: Known, told: re.Match[str]) -> Iterator[Comparison]:
    yield same(int(told["lead"]) in known.lead_minutes.values(), True)
    yield told["lead"], known.minutes_left, known.minutes_left[0] < int(told["lead"])
