"""Falls that ended in the day before a mail, before the one it tells of, minute by minute of the simulation's books."""

from functools import cached_property

from proofs.figures.known import Known, lowest_bytes
from simulation.burst_credits import MINUTE_SECONDS
from simulation.file_system import Elastic
from stage.player import Lived

DAY_MINUTES = 1440
# So much longer ago is what CloudWatch is asked for: a fall that ended in the day may have begun in these two hours.
EARLIER_MINUTES = 120
# Of the fall of this time of day more is read: it may have begun in these.
NIGHT_MINUTES = 600
STEP_MINUTES = 5
# What a mail reads in steps of five minutes may show a pause of so many, or not; and the edge of a day likewise.
PAUSES = range(1, 11)
AS_FAST, PACE_BLUR = 1.25, 0.1
# A fall with a shorter pause goes on; and two begin at one time of day, as steps of five minutes tell both.
PAUSE_MINUTES, SAME_TIME_OF_DAY_MINUTES = 29, 40


class EarlierFalls:
    """Falls as fast as the last `pace_minutes` before a mail."""

    def __init__(self, known: Known, pace_minutes: int, *, one_is_apart: bool = False) -> None:
        """Where `one_is_apart`, without the one that took most."""
        self._known, self._one_is_apart = known, one_is_apart
        self.drain_bytes_per_second = known.pace_of(pace_minutes).drain_bytes_per_second
        self._day = self._since(DAY_MINUTES + EARLIER_MINUTES)

    def _since(self, minutes: int) -> list[Lived]:
        newest = self._known.newest.minute
        lived = self._known.player.lived[max(0, newest - minutes) : newest + 1]
        return [one for one in lived if not isinstance(one.mode, Elastic)]

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
        return max(map(taken_bytes, self._falls(STEP_MINUTES)), default=0.0)

    @property
    def deepest(self) -> list[Lived]:
        return max(self._falls(STEP_MINUTES), key=taken_bytes, default=[])

    @cached_property
    def lowest_bytes(self) -> float:
        """What the lowest of them left."""
        return min((lowest_bytes(fall[-1]) for fall in self._falls(STEP_MINUTES)), default=0.0)

    @property
    def under_way(self) -> list[Lived]:
        """The newest, over pauses that end no fall; empty where none is known."""
        return self._over_pauses[-1] if self._over_pauses else []

    @property
    def of_a_day_ago(self) -> list[Lived]:
        """The one that began at the time of day of the newest; empty where there was none, or more than one."""
        then = [one[0].minute for one in self._over_pauses[-1:]]
        found = [
            one
            for one in self._over_pauses[:-1]
            if any(abs(one[0].minute + DAY_MINUTES - began) <= SAME_TIME_OF_DAY_MINUTES for began in then)
        ]
        return found[0] if len(found) == 1 else []

    @cached_property
    def _over_pauses(self) -> list[list[Lived]]:
        return _in_spells(self._since(DAY_MINUTES + NIGHT_MINUTES), PAUSE_MINUTES)

    def top_bytes_of(self, fall: list[Lived]) -> float:
        """The balance before it."""
        return lowest_bytes(fall[0]) + net_bytes(fall[0])

    @property
    def top_bytes(self) -> float:
        """The balance at the beginning of the fall under way."""
        _, last = [None, *self._all(STEP_MINUTES)][-2:]
        return max(map(lowest_bytes, self._day[-1:])) if last is None else self.top_bytes_of(last)

    def _falls(self, pause: int, as_fast: float = AS_FAST) -> list[list[Lived]]:
        """Without the last, which is the one under way, and those that ended more than a day ago, to five minutes."""
        oldest = self._known.newest.minute - DAY_MINUTES - STEP_MINUTES
        found = [
            fall
            for fall in self._all(pause)[:-1]
            if as_fast * fastest_bytes_per_second(fall) >= self.drain_bytes_per_second and fall[-1].minute >= oldest
        ]
        return [one for one in found if not self._one_is_apart or one is not max(found, key=taken_bytes)]

    def _all(self, pause: int) -> list[list[Lived]]:
        return _in_spells(self._day, pause)


def _in_spells(lived: list[Lived], pause: int) -> list[list[Lived]]:
    """The minutes that take credits, those together that follow each other within a pause."""
    found: list[list[Lived]] = []
    for one in lived:
        if net_bytes(one) <= 0:
            continue
        if found and one.minute - found[-1][-1].minute <= pause:
            found[-1].append(one)
        else:
            found.append([one])
    return found


def net_bytes(one: Lived) -> float:
    return one.credits.spent_bytes - one.credits.earned_bytes


def taken_bytes(fall: list[Lived]) -> float:
    return sum(map(net_bytes, fall))


def fastest_bytes_per_second(fall: list[Lived]) -> float:
    """A second, over five minutes of it in a row."""
    five = range(max(1, len(fall) - STEP_MINUTES + 1))
    return (
        max(sum(map(net_bytes, fall[first : first + STEP_MINUTES])) for first in five) / STEP_MINUTES / MINUTE_SECONDS
    )
