"""A load that came at this time of the last day, laid upon what is left now."""

from datetime import timedelta

import pytest
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.end_ahead import ends_within_hours

from tests.unit.strategies import NOW

HOUR = timedelta(hours=1)


def balances(*then: float, left: float) -> list[BalancePoint]:
    """An hour each from this time of the last day on, and so much now."""
    hours = [BalancePoint(time=NOW - 24 * HOUR + hour * HOUR, balance_bytes=one) for hour, one in enumerate(then)]
    return [*hours, BalancePoint(time=NOW, balance_bytes=left)]


@pytest.mark.parametrize(("left", "ends"), [(60, True), (61, False)])
def test_what_is_left_ends_where_as_much_was_lost_within_four_hours(left: float, ends: bool) -> None:
    assert ends_within_hours(balances(100, 100, 70, 40, 0, left=left), NOW) is ends


def test_what_was_gained_before_the_load_is_gained_again() -> None:
    assert ends_within_hours(balances(50, 60, 20, 0, left=50), NOW)
    assert not ends_within_hours(balances(50, 60, 20, 1, left=50), NOW)


def test_a_day_that_is_not_known_ends_nothing() -> None:
    assert not ends_within_hours(balances(left=1), NOW)
    assert not ends_within_hours([], NOW)
