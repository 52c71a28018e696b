"""Since when the balance falls, whatever fell before: since the fall under way began, or the first of the pulses of a
load.

Each of those left less than the one before: the pulse of now alone would be a load of minutes that has gone on for
hours.
"""

from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from efs_monitor.incidents.falls import Fall, began_by_the_minute, fall_under_way, falls, from_its_highest
from efs_monitor.incidents.pulses import AS_DEEP, AS_REGULAR, Pulses
from efs_monitor.incidents.situation import STEP, Situation


@dataclass(frozen=True, kw_only=True)
class FallingSince:
    """When the balance began to fall, to the minute where that `is_exact`; whether a load in pulses has it fall, and
    whether it rose on the way.
    """

    began: datetime
    is_exact: bool
    in_pulses: bool
    has_pauses: bool


def falling_since(situation: Situation) -> FallingSince | None:
    """Since when the balance falls; None where it does not, or nobody knows."""
    pulses = situation.pulses
    fall = fall_under_way(situation) if pulses is None else _first_of(pulses, situation)
    if fall is None:
        return None
    points = [one for one in situation.balances_of_the_day if one.time >= fall.began]
    return FallingSince(
        began=fall.began,
        # Of what is older than the minutes that are known there is the lowest of each five, between which it was
        # highest.
        is_exact=situation.balances[0].time <= fall.began - 2 * STEP,
        in_pulses=pulses is not None,
        has_pauses=any(after.balance_bytes > before.balance_bytes for before, after in pairwise(points)),
    )


def _first_of(pulses: Pulses, situation: Situation) -> Fall | None:
    """The first of those in a row that are about as far from each other, and each of which ended lower."""
    points, smallest = situation.balances_of_the_day, AS_DEEP * pulses.depth_bytes / situation.minute_bytes
    every = pulses.span / (pulses.number - 1)
    first: Fall | None = None
    for fall in reversed(list(falls(points, situation.minute_bytes, smallest))):
        if first is not None and (
            first.began - fall.ended > AS_REGULAR * every or fall.end.balance_bytes <= first.end.balance_bytes
        ):
            break
        first = fall
    first = None if first is None else from_its_highest(first, points, situation.minute_bytes, smallest)
    return None if first is None else began_by_the_minute(first, situation.balances)
