"""Whether a load comes in pulses: minutes of it and longer rests in turn, as of a job that starts every ten minutes.

A quarter of an hour holds one of them or two, and three minutes in a row nothing else. Neither tells how fast the
balance falls: that takes a whole number of pulses and of rests.
"""

from collections.abc import Sequence
from datetime import timedelta
from itertools import groupby, pairwise

from efs_monitor.efs.observations import MINUTE, BalancePoint

# Fewer may be two loads.
FEWEST_PULSES = 3
# A fall that takes less than so much of the deepest is the breathing of a file system at work.
AS_DEEP = 0.5
# What comes now and then comes at no pace.
AS_REGULAR = 1.5
# As much of the time it rests at the least. A load that pauses for a minute between two files is one load.
RESTS = 0.5


def time_of_whole_pulses(points: Sequence[BalancePoint], minute_bytes: float) -> timedelta | None:
    """From the end of the first pulse to that of the last one, of a balance minute by minute: so long before now it was
    in the same part of a pulse, or of a rest. None where the load does not come in pulses, or no more.

    Only what came since less than a minute's worth was left, `minute_bytes`: at zero a pulse takes what the rest before
    it has earned. One that is deeper than all others, or that may end what is left, has a pace of its own.
    """
    gone = [index for index, one in enumerate(points) if one.balance_bytes < minute_bytes]
    points = points[gone[-1] + 1 :] if gone else points
    falls = _falls(points)
    is_under_way = bool(falls) and falls[-1][1] is points[-1]
    over = falls[:-1] if is_under_way else falls
    deepest = max((_lost(one) for one in over), default=0.0)
    pulses = [one for one in over if _lost(one) >= AS_DEEP * deepest]
    if len(pulses) < FEWEST_PULSES:
        return None
    spans = [later[1].time - one[1].time for one, later in pairwise(pulses)]
    longest = max(end.time - start.time for start, end in pulses)
    # What goes on for longer than a pulse is another load.
    is_longer = is_under_way and points[-1].time - falls[-1][0].time > longest + MINUTE
    is_deeper = is_under_way and _lost(falls[-1]) > AS_REGULAR * deepest
    may_end_them = is_under_way and falls[-1][0].balance_bytes <= deepest
    goes_on = points[-1].time - pulses[-1][1].time <= max(spans) + MINUTE
    is_regular = max(spans) <= AS_REGULAR * min(spans) and longest <= (1 - RESTS) * min(spans)
    if is_longer or is_deeper or may_end_them or not goes_on or not is_regular:
        return None
    return pulses[-1][1].time - pulses[0][1].time


def _falls(points: Sequence[BalancePoint]) -> list[tuple[BalancePoint, BalancePoint]]:
    """The first and the last point of each time in which every minute had less than the one before."""
    by_direction = groupby(pairwise(points), key=lambda pair: pair[1].balance_bytes < pair[0].balance_bytes)
    falling = [list(minutes) for is_falling, minutes in by_direction if is_falling]
    return [(minutes[0][0], minutes[-1][1]) for minutes in falling]


def _lost(fall: tuple[BalancePoint, BalancePoint]) -> float:
    return fall[0].balance_bytes - fall[1].balance_bytes
