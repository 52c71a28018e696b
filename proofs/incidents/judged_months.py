"""Lives through months and judges them, as many at once as there are processors."""

from collections.abc import Iterable, Iterator
from functools import partial

from proofs.incidents.judge import MonthFigures, agreement, judged
from proofs.incidents.life import lived
from proofs.incidents.months_of_load import hovering, plan, resting
from proofs.processes import processes

# Their seeds are apart, so that none is another one with late metrics.
FIRST_LATE_SEED = 100_000


def measured(seed: int, days: int, *, late: bool = False) -> MonthFigures:
    """One month of a seed."""
    return judged(lived(plan(seed, days, late=late)))


def all_measured(seeds: Iterable[int], days: int, *, late: bool = False) -> Iterator[MonthFigures]:
    """The months of these seeds, in order, each as soon as it is there; others of the machine go first."""
    with processes() as pool:
        yield from pool.map(partial(measured, days=days, late=late), seeds, chunksize=2)


def resting_measured(seed: int, days: int) -> MonthFigures:
    """One month of a seed whose batches rest for most of the time."""
    return judged(lived(resting(seed, days)))


def all_resting(seeds: Iterable[int], days: int) -> Iterator[MonthFigures]:
    """What was measured of all these months of rests, each in a process."""
    with processes() as pool:
        yield from pool.map(partial(resting_measured, days=days), seeds, chunksize=2)


def hovering_measured(seed: int, days: int) -> MonthFigures:
    """Whether the mails of a month agree whose balance hovers about a threshold."""
    return agreement(lived(hovering(seed, days)), life="hovering seed")


def all_hovering(seeds: Iterable[int], days: int) -> Iterator[MonthFigures]:
    """What was measured of all these months of hovering, each in a process."""
    with processes() as pool:
        yield from pool.map(partial(hovering_measured, days=days), seeds, chunksize=2)
