"""What a time without credits tells that has just ended, or of which metrics are missing."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.changed_earning import ChangedEarning
from efs_monitor.incidents.fall_today import as_earned_now
from efs_monitor.incidents.falls import falls
from efs_monitor.incidents.situation import STEP

from tests.unit.incidents.earlier_days import MINUTE_BYTES, a_day

# A minute's worth in twenty minutes.
EARNED = ChangedEarning(now_bytes_per_second=MINUTE_BYTES / 1200)
PERMITTED = MINUTE_BYTES / 60


def limited(points: Sequence[BalancePoint], changed: ChangedEarning = EARNED) -> timedelta:
    """For how long the load of these points was limited, as it is reckoned with today."""
    (fall,) = falls(points, MINUTE_BYTES)
    return as_earned_now(fall, changed, PERMITTED).limited


def ending_with(first_again: float) -> Sequence[BalancePoint]:
    """Ten minutes' worth that are gone with the end of ten minutes, three steps at zero, and a point after them."""
    return a_day([*[10.0] * 20, 5.0, 0.0, 0.0, 0.0, 0.0, first_again]).balances


def test_one_point_after_a_limit_tells_since_when_at_the_least_it_was_over() -> None:
    whole = limited(ending_with(0.0))
    assert whole - limited(ending_with(0.1)) == STEP + timedelta(minutes=2)
    assert whole - limited(ending_with(0.2)) == STEP + timedelta(minutes=4)


@pytest.mark.parametrize("first_again", [0.25, 0.5, 5.0])
def test_it_was_not_over_before_its_last_five_minutes_whatever_is_there_now(first_again: float) -> None:
    assert limited(ending_with(0.0)) - limited(ending_with(first_again)) == 2 * STEP


def test_nothing_is_told_by_a_point_that_came_later_or_where_nothing_is_earned() -> None:
    points = ending_with(0.2)
    later = (*points[:-1], points[-1]._replace(time=points[-1].time + STEP))
    assert limited(later) == limited(points, ChangedEarning()) == limited(ending_with(0.0)) - STEP
