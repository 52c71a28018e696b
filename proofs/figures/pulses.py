"""Whether a load came in pulses, minutes of it and rests in turn, and when one like them ends the credits."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import inf
from statistics import median

from simulation.burst_credits import MINUTE_SECONDS

FEWEST = 3

# A minute of the simulation, and the lowest balance of it in bytes.
type Low = tuple[int, float]


@dataclass(frozen=True, kw_only=True)
class Pulses:
    """What one of them takes, and how far they are apart; how fast the balance falls from the end of the first to that
    of the last, so many minutes later; and the minute in which one like them ends the credits, inf where none does.
    """

    depth_bytes: float
    every_minutes: float
    span_minutes: int
    drain_bytes_per_second: float
    ending_minute: float


def pulses(lows: Sequence[Low], worth_a_minute: float) -> Pulses | None:
    """Three pulses or more; None where there are fewer.

    They are about as deep and as far from each other, and go on; they rest for half of the time or for ten minutes, or
    for five that are a quarter of it. Nothing takes longer or half as much again by now, or may end what is left, or
    begins lower by half of one than these go on.
    A minute's worth was left since they began; or some was, and they take it, each less than that.
    """
    found = _since(lows, worth_a_minute)
    if found is None:
        found = _since(lows, worth_a_minute / MINUTE_SECONDS)
        is_small = found is not None and found.depth_bytes < worth_a_minute and found.ending_minute < inf
        return found if is_small else None
    return found


def _since(lows: Sequence[Low], least: float) -> Pulses | None:
    low = [minute for minute, left in lows if left < least]
    lows = [one for one in lows if not low or one[0] > low[-1]]
    by_direction = groupby(pairwise(lows), key=lambda pair: pair[1][1] < pair[0][1])
    spells = [list(run) for is_falling, run in by_direction if is_falling]
    falls = [(run[0][0], run[-1][1]) for run in spells]
    under_way = falls[-1:] if falls and falls[-1][1] == lows[-1] else []
    over = falls[: len(falls) - len(under_way)]
    deepest = max(map(_depth, over), default=0.0)
    found = [fall for fall in over if _depth(fall) >= deepest / 2]
    if len(found) < FEWEST:
        return None
    newest = lows[-1][0]
    between = [later[1][0] - one[1][0] for one, later in pairwise(found)]
    longest = max(last[0] - first[0] for first, last in found)
    rests = min(between) - longest
    rests_enough = 2 * rests >= min(between) or rests >= 10 or (rests >= 5 and 4 * rests >= min(between))
    is_regular = max(between) <= 1.5 * min(between) and rests_enough
    goes_on = newest - found[-1][1][0] <= max(between) + 1
    is_another = any(
        newest - fall[0][0] > longest + 1 or _depth(fall) > 1.5 * deepest or fall[0][1] <= deepest for fall in under_way
    )
    if not is_regular or not goes_on or is_another:
        return None
    lower = (found[0][1][1] - found[-1][1][1]) / (len(found) - 1)
    if any(found[-1][0][1] - lower - fall[0][1] > median(map(_depth, found)) / 2 for fall in under_way):
        return None
    return _like(found, under_way[0][0][0] if under_way else None, newest)


def _like(found: Sequence[tuple[Low, Low]], began: int | None, newest: int) -> Pulses:
    """The ends of pulses lie lower by as much each time: one that would end below nothing ends the credits, by as much
    before it is over as it would take more. The next is over as long after it began as those lasted, and begins when
    it is due, or now, or has begun.
    """
    (first_minute, first_left), (last_minute, last_left) = found[0][1], found[-1][1]
    span_minutes, lost = last_minute - first_minute, first_left - last_left
    depth, lasts = median(map(_depth, found)), median(last[0] - first[0] for first, last in found)
    lower, every = lost / (len(found) - 1), span_minutes / (len(found) - 1)
    begins = began if began is not None else max(newest, last_minute + every - lasts)
    left, ends = last_left - lower, begins + lasts
    while lower > 0 and left > 0:
        left, ends = left - lower, ends + every
    return Pulses(
        depth_bytes=depth,
        every_minutes=every,
        span_minutes=span_minutes,
        drain_bytes_per_second=lost / span_minutes / MINUTE_SECONDS,
        ending_minute=ends + left / depth * lasts if lower > 0 else inf,
    )


def _depth(fall: tuple[Low, Low]) -> float:
    return fall[0][1] - fall[1][1]
