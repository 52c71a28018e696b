"""The steepest line from a point to any of many to the right of it, without a look at each of them."""

from bisect import bisect_left


class SteepestLine:
    """Points, each to the left of all before it, of which only the corners of their upper hull are kept: whatever lies
    below that is met by no steepest line. https://en.wikipedia.org/wiki/Convex_hull_algorithms (monotone chain)
    """

    def __init__(self) -> None:
        # From right to left; and how steep it is from each of them to the next, ever steeper.
        self._corners: list[tuple[float, float]] = []
        self._slopes: list[float] = []

    def add(self, x: float, y: float) -> None:
        """Take in a point to the left of all others."""
        corners, slopes = self._corners, self._slopes
        while corners:
            slope = _slope(x, y, corners[-1])
            if not slopes or slope > slopes[-1]:
                slopes.append(slope)
                break
            corners.pop()
            slopes.pop()
        corners.append((x, y))

    def slope_from(self, x: float, y: float) -> float | None:
        """How steep the steepest is from a point to the left of all; None where there are none."""
        corners, slopes = self._corners, self._slopes

        def is_steeper_to_the_right(corner: int) -> bool:
            return slopes[corner - 1] > _slope(x, y, corners[corner])

        if not corners:
            return None
        met = bisect_left(range(1, len(corners)), True, key=is_steeper_to_the_right)
        return _slope(x, y, corners[met])


def _slope(x: float, y: float, to: tuple[float, float]) -> float:
    return (to[1] - y) / (to[0] - x)
