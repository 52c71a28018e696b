"""A load that came at this time of the last day, laid upon what is left now."""

from datetime import timedelta

import pytest
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.end_ahead import ends_within_hours, lasts_a_day

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


def by_the_hour(*hourly: float) -> list[BalancePoint]:
    """One each hour, the last of them now."""
    first = NOW - (len(hourly) - 1) * HOUR
    return [BalancePoint(time=first + hour * HOUR, balance_bytes=one) for hour, one in enumerate(hourly)]


@pytest.mark.parametrize(("left", "lasts"), [(25, True), (24, False)])
def test_credits_last_a_day_that_are_more_than_24_hours_of_the_pace_of_now(left: float, lasts: bool) -> None:
    assert lasts_a_day(by_the_hour(*[left + 2] * 23, left + 1, left), NOW) is lasts


@pytest.mark.parametrize(("hours", "lasts"), [(23, False), (24, True)])
def test_nothing_is_known_to_last_a_day_where_less_than_one_is_known(hours: int, lasts: bool) -> None:
    assert lasts_a_day(by_the_hour(*[50] * (hours + 1)), NOW) is lasts


def test_a_fall_of_the_last_quarter_of_an_hour_counts_as_fast_as_it_is() -> None:
    slow = by_the_hour(*[52] * 23, 51, 50)
    faster = [*slow[:-1], BalancePoint(time=NOW - HOUR / 4, balance_bytes=51), slow[-1]]
    assert lasts_a_day(slow, NOW)
    assert not lasts_a_day(faster, NOW)


@pytest.mark.parametrize(("left", "lasts"), [(41, True), (40, False)])
def test_credits_last_no_day_where_a_load_of_the_last_week_took_as_much_within_one(left: float, lasts: bool) -> None:
    days_ago = by_the_hour(90, 70, 50, 60, *(70 for _ in range(60)), left + 0.1, left)
    assert lasts_a_day(days_ago, NOW) is lasts


def test_a_fall_that_took_longer_than_a_day_is_none_of_one() -> None:
    assert lasts_a_day(by_the_hour(*(150 - hour for hour in range(100))), NOW)


@pytest.mark.parametrize(("hours", "lasts"), [(24, False), (25, True)])
def test_a_day_is_one_to_the_hour(hours: int, lasts: bool) -> None:
    """As much as is left was lost within so many hours, and half of it within fewer."""
    between = [75 for _ in range(hours - 1)]
    assert lasts_a_day(by_the_hour(100, *between, 50, 50, 50), NOW) is lasts


def test_a_single_byte_that_nobody_takes_lasts_a_day() -> None:
    assert lasts_a_day(by_the_hour(*[1] * 25), NOW)
    assert lasts_a_day(by_the_hour(*[50] * 25), NOW + HOUR)


def test_nothing_is_known_to_last_after_an_end_without_balances_or_by_old_ones() -> None:
    assert not lasts_a_day(by_the_hour(1, 0, *(50 for _ in range(30))), NOW)
    assert not lasts_a_day([], NOW)
    assert not lasts_a_day(by_the_hour(50, *[50] * 24)[::24], NOW)
    assert not lasts_a_day(by_the_hour(*[50] * 25), NOW + 2 * HOUR)
