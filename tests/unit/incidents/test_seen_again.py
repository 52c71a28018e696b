"""What the balance does when its metrics are there again."""

from datetime import timedelta

import pytest
from efs_monitor.efs.credits import GIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.seen_again import Course, seen_again
from efs_monitor.incidents.situation import STEP

from tests.unit.strategies import NOW

# Of the newest step of the balances below.
NEWEST = NOW - timedelta(minutes=3)
MINUTE_BYTES = 6.0 * GIB


def steps(*gib: float, newest_at: int = 0) -> tuple[BalancePoint, ...]:
    """The lowest balance of each five minutes, the last of which began so many steps before the newest."""
    last = len(gib) - 1
    return tuple(
        BalancePoint(time=NEWEST - (newest_at + last - at) * STEP, balance_bytes=one * GIB)
        for at, one in enumerate(gib)
    )


@pytest.mark.parametrize(
    ("points", "course"),
    [
        pytest.param(steps(100, 106, 112, 118), Course.RECOVERING, id="it rose for a quarter of an hour"),
        pytest.param(steps(2150, 2150, 2150, 2150), Course.RECOVERING, id="the bucket is full"),
        pytest.param(steps(112, 118, 100), Course.FALLING, id="it falls"),
        pytest.param(steps(90, 106, 112, 111), Course.FALLING, id="a load has just begun"),
        pytest.param(steps(112, 118), Course.UNKNOWN, id="it rose for five minutes"),
        pytest.param(steps(118), Course.UNKNOWN, id="there is a single one"),
        pytest.param(
            (*steps(100, 106, newest_at=4), *steps(118)), Course.UNKNOWN, id="the one before is older than five minutes"
        ),
        pytest.param(
            (*steps(300, 310, newest_at=4), *steps(118)), Course.UNKNOWN, id="what was lost in a hole may be over"
        ),
        pytest.param(
            steps(60, 20, 0, 6, 12, 0, 6, 12, 18, 24), Course.UNKNOWN, id="it was at zero again and again in the hour"
        ),
        pytest.param(steps(6, 3, 0), Course.AT_ZERO, id="nothing is left"),
        pytest.param(steps(0.05, 0.06, 0.07, 0.08), Course.AT_ZERO, id="what is left lasts no second"),
        pytest.param(steps(0.2, 0.2, 0.2, 0.2), Course.RECOVERING, id="what is left lasts two seconds"),
    ],
)
def test_the_course_of_a_balance(points: tuple[BalancePoint, ...], course: Course) -> None:
    found = seen_again(points, MINUTE_BYTES, NOW)
    assert found is not None
    assert (found.course, found.time, found.since) == (course, NOW, NEWEST)
    assert found.balance_bytes == points[-1].balance_bytes


def test_of_no_balance_there_is_nothing_to_say() -> None:
    assert seen_again((), MINUTE_BYTES, NOW) is None


@pytest.mark.parametrize(("gib", "course"), [(0.0, Course.AT_ZERO), (1 / GIB, Course.FALLING)])
def test_without_a_threshold_that_tells_a_minutes_worth_nothing_is_zero_to_the_byte(gib: float, course: Course) -> None:
    found = seen_again(steps(2, 1, gib), 0.0, NOW)
    assert found is not None
    assert found.course is course
