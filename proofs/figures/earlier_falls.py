"""Falls that ended in the day before a mail, before the one it tells of, minute by minute of the simulation's books."""

from functools import cached_property

from proofs.figures.known import Known, lowest_bytes
from simulation.burst_credits import MINUTE_SECONDS
from simulation.file_system import Elastic
from stage.player import Lived

DAY_MINUTES = 1440
# So much longer ago is what CloudWatch is asked for: a fall that ended in the day may have begun in these two hours.
EARLIER_MINUTES = 120
STEP_MINUTES = 5
# What a mail reads in steps of five minutes may show a pause of so many, or not; and the edge of a day likewise.
PAUSES = range(1, 11)
AS_FAST, PACE_BLUR = 1.25, 0.1


class EarlierFalls:
    """Falls as fast as the last `pace_minutes` before a mail."""

    def __init__(self, known: Known, pace_minutes: int) -> None:
        self._known = known
        self._drain = known.pace_of(pace_minutes).drain_bytes_per_second
        newest = known.newest.minute
        self._day = [
            one
            for one in known.player.lived
            if newest - DAY_MINUTES - EARLIER_MINUTES <= one.minute <= newest and not isinstance(one.mode, Elastic)
        ]

    @property
    def counts(self) -> tuple[int, int]:
        """At least, and at most."""
        found = [
            len(self._falls(pause, AS_FAST * share)) - cut
            for pause in PAUSES
            for share in (1 - PACE_BLUR, 1 + PACE_BLUR)
            for cut in (0, 1)
        ]
        return min(found), max(found)

    @property
    def longest_minutes(self) -> tuple[float, float]:
        """At least, and at most as steps of five minutes tell."""
        longest = [max(map(len, self._falls(pause)), default=0) for pause in PAUSES]
        return max(0, min(longest) - STEP_MINUTES), max(longest) + 2 * STEP_MINUTES

    @cached_property
    def most_bytes(self) -> float:
        """What the deepest took, net."""
        return max((sum(map(_net, fall)) for fall in self._falls(STEP_MINUTES)), default=0.0)

    @cached_property
    def lowest_bytes(self) -> float:
        """What the lowest of them left."""
        return min((lowest_bytes(fall[-1]) for fall in self._falls(STEP_MINUTES)), default=0.0)

    @property
    def top_bytes(self) -> float:
        """The balance at the beginning of the fall under way."""
        _, last = [None, *self._all(STEP_MINUTES)][-2:]
        return max(map(lowest_bytes, self._day[-1:])) if last is None else lowest_bytes(last[0]) + _net(last[0])

    def _falls(self, pause: int, as_fast: float = AS_FAST) -> list[list[Lived]]:
        """Without the last, which is the one under way, and those that ended more than a day ago, to five minutes."""
        oldest = self._known.newest.minute - DAY_MINUTES - STEP_MINUTES
        return [
            fall
            for fall in self._all(pause)[:-1]
            if as_fast * _fastest(fall) >= self._drain and fall[-1].minute >= oldest
        ]

    def _all(self, pause: int) -> list[list[Lived]]:
        found: list[list[Lived]] = []
        for one in self._day:
            if _net(one) <= 0:
                continue
            if found and one.minute - found[-1][-1].minute <= pause:
                found[-1].append(one)
            else:
                found.append([one])
        return found


def _net(one: Lived) -> float:
    return one.credits.spent_bytes - one.credits.earned_bytes


def _fastest(fall: list[Lived]) -> float:
    """A second, over five minutes of it in a row."""
    five = range(max(1, len(fall) - STEP_MINUTES + 1))
    return max(sum(map(_net, fall[first : first + STEP_MINUTES])) for first in five) / STEP_MINUTES / MINUTE_SECONDS
