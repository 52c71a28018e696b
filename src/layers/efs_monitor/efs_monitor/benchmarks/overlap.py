"""How much several instances got out of the file system at the same time."""

from collections.abc import Sequence
from dataclasses import dataclass

# An instance that ran alone for most of its time measured itself, not what was left for it beside the others.
LEAST_SHARED_PART = 0.5
FEWEST_INSTANCES = 2


@dataclass(frozen=True, kw_only=True, order=True)
class Lap:
    """One workload on one instance: when it began and ended in seconds since 1970, and what it moved or made in that
    time, in bytes or files.
    """

    started: float
    ended: float
    instance_id: str
    amount: float

    @property
    def seconds(self) -> float:
        """How long it took. A single dd times itself from when its file is open, which is less."""
        return self.ended - self.started


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """The laps that really overlapped, in the order of their instances' ids."""

    laps: tuple[Lap, ...]

    @property
    def rate(self) -> float:
        """What all of them moved, over the time from the first start to the last end.

        Never more than the file system delivered, as the sum of their rates would be: who goes on alone is faster then.
        It is less where one of them waited for nothing while another went on, down to a third.
        """
        seconds = max(lap.ended for lap in self.laps) - min(lap.started for lap in self.laps)
        return sum(lap.amount for lap in self.laps) / seconds

    @property
    def instance_ids(self) -> tuple[str, ...]:
        """Which instances took part."""
        return tuple(lap.instance_id for lap in self.laps)


def overlap(laps: Sequence[Lap]) -> Overlap | None:
    """The `laps` that really overlapped; None where there are not two such.

    Of all moments take the first at which most instances were running, and those that were. Their common time is from
    the last start to the first end. As long as one of them spent less than half of its own time in it, the longest is
    left out and the common time taken anew: it can only grow. Who is left overlapped.

    The rate depends on nothing but the laps, not on their order: worked out again it is the same. Clocks are compared
    between instances, so it holds as far as those agree; EC2 keeps them within milliseconds.
    """
    together = sorted(_most_at_once(laps), key=lambda lap: (lap.seconds, lap.instance_id))
    while together and _shared_part(together) < LEAST_SHARED_PART:
        together.pop()
    if len(together) < FEWEST_INSTANCES:
        return None
    return Overlap(laps=tuple(sorted(together, key=lambda lap: lap.instance_id)))


def _most_at_once(laps: Sequence[Lap]) -> list[Lap]:
    """The laps that were running at the first of the moments at which most were; one ends before another begins."""
    moments = sorted([(lap.ended, -1) for lap in laps] + [(lap.started, 1) for lap in laps])
    running = most = 0
    best = 0.0
    for moment, change in moments:
        running += change
        if running > most:
            most, best = running, moment
    return [lap for lap in laps if lap.started <= best < lap.ended]


def _shared_part(laps: Sequence[Lap]) -> float:
    """The smallest part of its own time that any of `laps`, shortest first, spent together with all others."""
    common_seconds = min(lap.ended for lap in laps) - max(lap.started for lap in laps)
    return common_seconds / laps[-1].seconds
