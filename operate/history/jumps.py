"""Balances that no file system can have had: credits fall by what is permitted at most, and rise by what is earned.

Exporters fill lost minutes with 0, and a cell is soon mistyped. Both would count as an end of the credits.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

# A rate is kept to only about, and datapoints of credits that were earned come in lumps of up to an hour.
MUCH_MORE, LUMP_MINUTES, NEAR_MINUTES = 1.5, 60, 2
# Whatever happened in a gap, or in another throughput mode, may explain a jump; in a day of figures it would show.
GAP_MINUTES, LONGEST_MINUTES = 15, 1440
# More pieces, and more jumps that stay, are no fault here and there but another unit: then nothing is left out.
MOST_PIECES, MOST_JUMPS = 100, 10

type Known = tuple[int, float]
"""A minute and its balance."""


@dataclass(frozen=True, kw_only=True)
class Jumps:
    """Minutes whose balance lies where neither those before nor those after can have come; and the jumps that stay,
    where nobody can tell which side is wrong: each the balance before and after it.
    """

    impossible: tuple[Known, ...]
    unexplained: tuple[tuple[Known, Known], ...]


def jumps_of(
    balances: Sequence[float | None], *, permitted: float, earned: float, step_minutes: int, changed: Sequence[int] = ()
) -> Jumps:
    """What cannot be, at the highest rates in bytes per second; minutes in which size or mode `changed` explain a jump.

    From the longest piece without a jump on what can be reached is kept, in both directions.
    """

    def reaches(one: Known, other: Known) -> bool:
        minutes, more = other[0] - one[0], other[1] - one[1]
        fallen = permitted * 60 * MUCH_MORE * (minutes + step_minutes + NEAR_MINUTES)
        return -fallen <= more <= earned * 60 * MUCH_MORE * (minutes + LUMP_MINUTES)

    known = [(minute, value) for minute, value in enumerate(balances) if value is not None]
    pieces: list[list[Known]] = [known[:1]]
    explained = {at for minute in changed for at in range(minute - 2 * LUMP_MINUTES, minute + 2 * LUMP_MINUTES + 1)}
    for one, other in pairwise(known):
        if reaches(one, other) or other[0] - one[0] > GAP_MINUTES or other[0] in explained:
            pieces[-1].append(other)
        else:
            pieces.append([other])
    longest = max(range(len(pieces)), key=lambda number: len(pieces[number]))
    impossible, unexplained = _left_out(pieces[longest:], reaches)
    before = [piece[::-1] for piece in pieces[: longest + 1][::-1]]
    earlier, more = _left_out(before, lambda one, other: reaches(other, one))
    stay = sorted([*((other, one) for one, other in more), *unexplained])
    return Jumps(
        impossible=tuple(sorted([*earlier, *impossible])) if len(stay) <= MOST_JUMPS else (), unexplained=tuple(stay)
    )


def _left_out(
    pieces: Sequence[Sequence[Known]], reaches: Callable[[Known, Known], bool]
) -> tuple[list[Known], list[tuple[Known, Known]]]:
    """What of the pieces cannot be reached from the first one, but around which a later one can; and what jumps."""
    impossible: list[Known] = []
    unexplained: list[tuple[Known, Known]] = []
    last, number = pieces[0], 1
    while number < len(pieces):
        following = next(
            (
                later
                for later in range(number + 1, min(number + MOST_PIECES, len(pieces)))
                if abs(pieces[later][0][0] - last[-1][0]) <= LONGEST_MINUTES and reaches(last[-1], pieces[later][0])
            ),
            None,
        )
        if following is not None:
            impossible += [one for piece in pieces[number:following] for one in piece]
            last, number = pieces[following], following + 1
        elif not any(value for _, value in pieces[number]):
            impossible += pieces[number]
            number += 1
        else:
            unexplained.append((last[-1], pieces[number][0]))
            last, number = pieces[number], number + 1
    return impossible, unexplained
