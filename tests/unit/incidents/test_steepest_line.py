"""The steepest line from a point to many others, held against a look at each of them."""

import pytest
from efs_monitor.incidents.steepest_line import SteepestLine
from hypothesis import given
from hypothesis import strategies as st

HEIGHTS = st.integers(-10_000, 10_000)


@given(st.lists(st.tuples(HEIGHTS, HEIGHTS), min_size=1), st.integers(1, 3))
def test_it_is_as_steep_as_the_steepest_of_the_lines_to_each(heights: list[tuple[int, int]], ahead: int) -> None:
    line = SteepestLine()
    for index, (height, from_height) in enumerate(heights):
        line.add(-index, height)
        x = -index - ahead
        each = [(other - from_height) / (-before - x) for before, (other, _) in enumerate(heights[: index + 1])]
        assert line.slope_from(x, from_height) == max(each)


def test_without_any_point_there_is_no_line() -> None:
    assert SteepestLine().slope_from(0, 0) is None


@pytest.mark.parametrize("bend", [-1, 0, 1])
def test_only_what_no_other_point_hides_is_kept(bend: int) -> None:
    """A day has hundreds of points, and each is asked about all that come after it."""
    line = SteepestLine()
    for step in range(200):
        line.add(-step, bend * step * step)
    # Of a valley all but both ends lie below, and of a straight line all are met by the line to its end.
    assert len(line._corners) == (200 if bend < 0 else 2)
