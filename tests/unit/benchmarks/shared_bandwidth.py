"""A file system that all instances share evenly, simulated."""

from collections.abc import Sequence
from typing import NamedTuple

PIPE_RATE = 100.0


class BandwidthDemand(NamedTuple):
    """What an instance does: from when on, how much it moves, and how fast it could alone."""

    began: float
    amount: float
    limit: float


def ends_through_the_pipe(wanted: Sequence[BandwidthDemand]) -> list[float]:
    """When each of them has moved all that it wants."""
    left = {n: one.amount for n, one in enumerate(wanted)}
    ended: dict[int, float] = {}
    now = 0.0
    while left:
        running = [n for n in left if wanted[n].began <= now]
        rates = _shared([wanted[n].limit for n in running])
        events = [wanted[n].began - now for n in left if wanted[n].began > now]
        events += [left[n] / rate for n, rate in zip(running, rates, strict=True)]
        step = min(events)
        for n, rate in zip(running, rates, strict=True):
            left[n] -= rate * step
        now += step
        for n in [n for n in running if left[n] <= 1e-9]:
            ended[n] = now
            del left[n]
    return [ended[n] for n in range(len(wanted))]


def _shared(limits: Sequence[float]) -> list[float]:
    """What each gets of the pipe: an even part, or its own limit where that is less; the others get the rest."""
    rates = [0.0] * len(limits)
    left_rate = PIPE_RATE
    for place, n in enumerate(sorted(range(len(limits)), key=limits.__getitem__)):
        rates[n] = min(limits[n], left_rate / (len(limits) - place))
        left_rate -= rates[n]
    return rates
