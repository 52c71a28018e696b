"""The day on which the trend of a week reaches Warning."""

from dataclasses import replace
from datetime import timedelta
from math import pi, sin

import pytest
from efs_monitor.efs.credits import GIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.efs.trend import daily_lowest, warning_expected
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.strategies import NOW

THRESHOLD = 1000 * GIB


def week(
    *, falls_gib_a_day: float, ends_at_gib: float = 1200, swings_gib: float = 0, days: float = 7, offset: float = 0
) -> list[BalancePoint]:
    """A balance every hour that falls steadily and swings once a day around it."""
    points = []
    for hour in range(round(days * 24), 0, -1):
        swing = swings_gib * sin(2 * pi * (hour + offset) / 24)
        gib = ends_at_gib + falls_gib_a_day * hour / 24 + swing
        points.append(BalancePoint(time=NOW - timedelta(hours=hour), balance_bytes=gib * GIB))
    return points


def days_until(points: list[BalancePoint]) -> float | None:
    expected = warning_expected(points, THRESHOLD, NOW)
    return None if expected is None else (expected - NOW) / timedelta(days=1)


def test_a_steady_fall_reaches_warning_on_the_day_that_arithmetic_says() -> None:
    # 200 GiB above it, falling by 50 a day; a day's lowest point is its last.
    assert days_until(week(falls_gib_a_day=50)) == pytest.approx(4, abs=0.1)


@pytest.mark.parametrize("offset", range(0, 24, 5))
@pytest.mark.parametrize("swings_gib", [0, 100, 190])
def test_the_hour_of_the_nightly_swing_does_not_move_the_day_by_more_than_one(swings_gib: float, offset: int) -> None:
    points = week(falls_gib_a_day=50, ends_at_gib=1200 + swings_gib, swings_gib=swings_gib, offset=offset)
    found = days_until(points)
    assert found is not None
    assert found == pytest.approx(4, abs=1.1)


def test_swings_without_a_fall_are_no_trend() -> None:
    assert days_until(week(falls_gib_a_day=0, swings_gib=190)) is None


def test_a_rising_balance_reaches_nothing() -> None:
    assert days_until(week(falls_gib_a_day=-20)) is None


def test_more_than_a_week_ahead_is_not_told() -> None:
    assert days_until(week(falls_gib_a_day=29)) == pytest.approx(6.9, abs=0.1)
    assert days_until(week(falls_gib_a_day=28)) is None


def test_one_unusual_night_hardly_moves_the_day() -> None:
    points = week(falls_gib_a_day=50)
    spoilt = [
        BalancePoint(time=point.time, balance_bytes=point.balance_bytes - 500 * GIB)
        if timedelta(days=3) < NOW - point.time < timedelta(days=3, hours=5)
        else point
        for point in points
    ]
    assert days_until(spoilt) == pytest.approx(4, abs=0.3)


def test_one_unusual_night_makes_no_trend_of_a_steady_balance() -> None:
    points = week(falls_gib_a_day=0)
    points[-5] = BalancePoint(time=points[-5].time, balance_bytes=1010 * GIB)
    assert days_until(points) is None


def test_fewer_than_five_days_are_no_trend() -> None:
    assert days_until(week(falls_gib_a_day=50, days=3.9)) is None
    assert days_until(week(falls_gib_a_day=50, days=4.9)) is not None


@pytest.mark.parametrize(("hours_ago", "is_told"), [(23, False), (25, True)])
def test_a_balance_that_was_below_the_threshold_in_the_last_day_was_told_by_warning(
    hours_ago: int, is_told: bool
) -> None:
    points = [
        replace(one, balance_bytes=THRESHOLD - 1) if one.time == NOW - timedelta(hours=hours_ago) else one
        for one in week(falls_gib_a_day=50)
    ]
    assert (days_until(points) is not None) is is_told


def test_a_threshold_that_is_reached_in_exactly_a_week_is_told() -> None:
    falling = [BalancePoint(time=NOW - timedelta(days=day), balance_bytes=float(70 + 10 * day)) for day in range(7)]
    assert warning_expected(falling, 0, NOW) == NOW + timedelta(days=7)


def test_the_order_of_the_days_makes_no_trend_out_of_a_fall() -> None:
    falling = week(falls_gib_a_day=50)
    assert days_until(falling[::-1]) == days_until(falling)


def test_a_datapoint_that_is_ahead_of_the_clock_belongs_to_no_day() -> None:
    ahead = BalancePoint(time=NOW + timedelta(minutes=1), balance_bytes=1.0)
    assert daily_lowest([ahead], NOW) == {}


def test_without_any_balance_there_is_no_trend() -> None:
    assert warning_expected([], THRESHOLD, NOW) is None


def test_a_day_ends_now_and_not_at_midnight() -> None:
    ages = (170, 167, 25, 24, 1, 0)
    points = [BalancePoint(time=NOW - timedelta(hours=age), balance_bytes=float(age)) for age in ages]
    assert daily_lowest(points, NOW) == {0: 0.0, -1: 24.0, -6: 167.0}


@given(st.lists(st.floats(0, 1e15), min_size=0, max_size=60), st.floats(0, 1e15))
def test_an_expected_day_is_within_the_week_ahead(amounts: list[float], threshold: float) -> None:
    points = [
        BalancePoint(time=NOW - timedelta(hours=3 * age), balance_bytes=amount) for age, amount in enumerate(amounts)
    ]
    expected = warning_expected(points, threshold, NOW)
    assert expected is None or NOW <= expected <= NOW + timedelta(days=7)
