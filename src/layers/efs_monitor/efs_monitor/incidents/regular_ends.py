"""The rhythm in which a load takes all that its rests earn: credits that are gone about as often as it comes."""

from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from efs_monitor.incidents.pulses import AS_REGULAR, FEWEST_PULSES
from efs_monitor.incidents.situation import GONE_AGAIN_WITHIN, Situation
from efs_monitor.incidents.times_with_nothing import times_with_nothing


class RegularEnds(NamedTuple):
    """How often the credits were gone in the last four hours, how far apart, and when they are next."""

    times: int
    every: timedelta
    next_at: datetime


def regular_ends(situation: Situation) -> RegularEnds | None:
    """The rhythm of three ends or more, as regular as pulses are; None without one, or where the next is overdue."""
    known, newest = (*situation.earlier_balances, *situation.balances), situation.balances[-1].time
    hours = [one for one in known if one.time >= newest - GONE_AGAIN_WITHIN]
    begins, _ = times_with_nothing(hours, situation.reference_bytes_per_second)
    # When the first began is not known where nothing is known before it.
    begins = [one for one in begins if one > hours[0].time]
    if len(begins) < FEWEST_PULSES:
        return None
    apart = [later - before for before, later in pairwise(begins)]
    every = (begins[-1] - begins[0]) / len(apart)
    next_at = begins[-1] + every
    if max(apart) > AS_REGULAR * min(apart) or next_at <= situation.time:
        return None
    return RegularEnds(times=len(begins), every=every, next_at=next_at)
