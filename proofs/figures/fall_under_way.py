"""The minutes of a fall that has set off Draining, and its pace."""

from itertools import pairwise

from proofs.figures.known import DRAINING_MINUTES, Known, Window, lowest_bytes
from stage.player import Lived

# What the Draining alarm looks at, and what counts as now: CloudWatch has the rest minutes later.
EVALUATED_MINUTES, NOW_MINUTES = 30, 3
# With so little left, 2,000 MB and a little, the alarm does not look at the pace.
NOTHING_BYTES = 2_097_152_000


def fast_minutes(known: Known) -> list[Lived]:
    """The minutes of the hour that would end what was left within the lead time of Critical."""
    return [
        one
        for before, one in pairwise(known.with_balance)
        if lowest_bytes(one) > NOTHING_BYTES
        and lowest_bytes(one) * (one.minute - before.minute)
        < known.lead_minutes["critical"] * (lowest_bytes(before) - lowest_bytes(one))
    ]


def pace_of_the_fall(known: Known) -> Window:
    """Of the minutes that set off the alarm; where the balance rose in one of these, of all since the first fast one of
    the last half hour, if that is faster and the load is there by now.
    """
    of_the_newest = known.pace_of(DRAINING_MINUTES)
    lately = [one for one in known.with_balance if known.newest.minute - one.minute <= DRAINING_MINUTES]
    falls = all(lowest_bytes(later) < lowest_bytes(one) for one, later in pairwise(lately))
    fast = [one.minute for one in fast_minutes(known) if known.newest.minute - one.minute < EVALUATED_MINUTES]
    if falls or not fast or not falls_by_now(known):
        return of_the_newest
    before = max(one.minute for one in known.with_balance if one.minute < fast[0])
    with_rests = known.pace_of(known.newest.minute - before)
    is_faster = with_rests.drain_bytes_per_second > of_the_newest.drain_bytes_per_second
    return with_rests if is_faster else of_the_newest


def falls_by_now(known: Known) -> bool:
    """Whether one of the newest minutes fell fast."""
    return any(known.newest.minute - one.minute < NOW_MINUTES for one in fast_minutes(known))
