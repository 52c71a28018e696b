"""Since when the balance falls, whatever fell before: since the fall under way began, or the first of the pulses of a
load.

The pulse of now alone would be a load of minutes that has gone on for hours. Those that the pace is of belong to it
whatever each left; those before them where each left less than the one before.
"""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.falls import Fall, began_by_the_minute, fall_under_way, falls, is_exact_to_the_minute
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.pace import SHOWS_IN_MINUTES, drain_between
from efs_monitor.incidents.pulses import AS_DEEP, AS_REGULAR, Pulses
from efs_monitor.incidents.situation import RECENT, STEP, Situation, once

# Jobs at no rhythm: they rest for a third of the minutes that the pace is of, and took far more in the hour, or in the
# half of it or more since the first of them.
RESTS_OF_JOBS, FAR_MORE, LONG_ENOUGH = 1 / 3, 1.5, RECENT / 2


class FallingSince(NamedTuple):
    """When the balance began to fall, to the minute where that `is_exact`, and from what; whether a load in pulses has
    it fall, and whether it rose on the way.
    """

    began: datetime
    start: BalancePoint
    is_exact: bool
    in_pulses: bool
    has_pauses: bool


@once
def falling_since(situation: Situation) -> FallingSince | None:
    """Since when the balance falls; None where it does not, or nobody knows."""
    pulses = situation.pulses
    fall = fall_under_way(situation) if pulses is None else _first_of(pulses, situation)
    if fall is None:
        return None
    points = [one for one in situation.balances_of_the_day if one.time >= fall.began]
    return FallingSince(
        began=fall.began,
        start=fall.start,
        is_exact=is_exact_to_the_minute(fall, situation.balances),
        in_pulses=pulses is not None,
        has_pauses=any(after.balance_bytes > before.balance_bytes for before, after in pairwise(points)),
    )


class WithRests(NamedTuple):
    """How fast the balance fell over some minutes in which jobs came and rested, in bytes per second."""

    minutes: float
    drain_bytes_per_second: float


@once
def fall_with_rests(situation: Situation) -> WithRests | None:
    """The fall of the last hour, or since its first job, where jobs come at no rhythm and the quarter of an hour that
    the pace is of has fewer of them than others had. None of a steady load, however much faster an earlier one was.
    """
    fall = None if situation.pulses is not None else falling_since(situation)
    pace = situation.drain_bytes_per_second
    if fall is None or pace is None or pace <= 0:
        return None
    newest = situation.balances[-1]
    lately = [one for one in situation.balances if one.time >= newest.time - situation.pace_minutes * MINUTE]
    rises = sum(after.balance_bytes > before.balance_bytes for before, after in pairwise(lately))
    since = [one for one in situation.balances_of_one_size if one.time >= fall.began - MINUTE]
    if rises < RESTS_OF_JOBS * (len(lately) - 1) or newest.time - since[0].time < LONG_ENOUGH:
        return None
    drain = drain_between(since[0], newest)
    if drain is None or drain < FAR_MORE * pace:
        return None
    return WithRests((newest.time - since[0].time) / MINUTE, drain)


def goes_on_since(began: datetime, minutes: Sequence[BalancePoint]) -> datetime | None:
    """Since when a fall goes on after its last pause, in which the balance rose for three minutes in a row or more;
    None where it had none since it began, as far as it is known minute by minute.
    """
    since, rose = None, 0
    for before, after in pairwise(minutes):
        rises = after.balance_bytes > before.balance_bytes and after.time - before.time == MINUTE
        rose = rose + 1 if rises and before.time >= began else 0
        if rose >= SHOWS_IN_MINUTES:
            since = after.time
    return since if since is not None and since < minutes[-1].time else None


def unseen_beginning(began: datetime, situation: Situation) -> tuple[datetime, datetime] | None:
    """From when on nothing is known of a fall that began while metrics were missing, and with which minutes it is first
    seen; None where those about its beginning are known.
    """
    minutes = {one.time for one in situation.balances}
    known = sorted(minutes.union(one.time for one in situation.balances_of_the_day))
    later = bisect_left(known, began)
    if not 0 < later < len(known) or known[later] - known[later - 1] <= STEP:
        return None
    before, seen = known[later - 1], known[later]
    if any(before < step < seen for step in steps_of_another_mode(situation)):
        return None
    return before + (MINUTE if before in minutes else STEP), seen


def _goes_on(earlier: Fall, later: Fall, every: timedelta) -> bool:
    """Whether two pulses are one story: about as far from each other as others, and the later one left less."""
    is_near = later.began - earlier.ended <= AS_REGULAR * every
    return is_near and earlier.end.balance_bytes > later.end.balance_bytes


def _first_of(pulses: Pulses, situation: Situation) -> Fall | None:
    """The first of those whose pace it is; or of those before them in a row that are about as far from each other, and
    each of which ended lower.
    """
    points, smallest = situation.balances_of_the_day, AS_DEEP * pulses.depth_bytes / situation.minute_bytes
    first: Fall | None = None
    for fall in reversed(list(falls(points, situation.minute_bytes, smallest))):
        is_counted = fall.ended >= pulses.first_end.time - STEP
        if first is not None and not is_counted and not _goes_on(fall, first, pulses.every):
            break
        first = fall
    return None if first is None else began_by_the_minute(first, situation.balances)
