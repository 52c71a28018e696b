"""The day on which the trend of a week reaches Warning."""

from datetime import timedelta
from math import pi, sin

import pytest
from efs_monitor.efs.credits import GIB, TIB, burst_bytes_per_second, full_bucket_bytes, threshold_bytes
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.efs.trend import daily_lowest, warning_expected
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.strategies import NOW

THRESHOLD = 1000 * GIB
BUCKET = full_bucket_bytes(TIB)
DAY, STEP = timedelta(days=1), timedelta(minutes=5)


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
    expected = warning_expected(points, THRESHOLD, BUCKET, NOW)
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
        one._replace(balance_bytes=THRESHOLD - 1) if one.time == NOW - timedelta(hours=hours_ago) else one
        for one in week(falls_gib_a_day=50)
    ]
    assert (days_until(points) is not None) is is_told


def test_a_threshold_that_is_reached_in_exactly_a_week_is_told() -> None:
    falling = [BalancePoint(time=NOW - timedelta(days=day), balance_bytes=float(70 + 10 * day)) for day in range(7)]
    assert warning_expected(falling, 0, BUCKET, NOW) == NOW + timedelta(days=7)


def test_the_order_of_the_days_makes_no_trend_out_of_a_fall() -> None:
    falling = week(falls_gib_a_day=50)
    assert days_until(falling[::-1]) == days_until(falling)


def test_a_datapoint_that_is_ahead_of_the_clock_belongs_to_no_day() -> None:
    ahead = BalancePoint(time=NOW + timedelta(minutes=1), balance_bytes=1.0)
    assert daily_lowest([ahead], NOW) == {}


def sizes_of_a_week(before_tib: float, after_tib: float, changed_days_ago: float, took_days: float) -> list[float]:
    """TiB stored at each step of the last week: as before until the change, which goes on for a while or is at once."""
    ages = [(7 * DAY - number * STEP) / DAY for number in range(7 * DAY // STEP)]
    done = [min(1.0, max(0.0, (changed_days_ago - age) / took_days)) for age in ages]
    return [before_tib + (after_tib - before_tib) * share for share in done]


def lived(stored_tib: list[float], nightly_gib: float) -> list[BalancePoint]:
    """A bucket that is full each day, and of which a load takes the same each night, to be earned back by noon."""
    points = []
    for number, tib in enumerate(stored_tib):
        time = NOW - 7 * DAY + number * STEP
        taken = nightly_gib * GIB * max(0.0, 1 - abs(time.hour + time.minute / 60 - 4) / 4)
        full = full_bucket_bytes(round(tib * TIB))
        points.append(BalancePoint(time=time, balance_bytes=max(0.0, full - taken)))
    return points


def rate_of(stored_tib: float) -> int:
    return burst_bytes_per_second(round(stored_tib * TIB))


@pytest.mark.more
@given(
    st.floats(0.1, 20),
    st.floats(0.1, 20).filter(lambda change: not 0.9 < change < 1.1),
    st.floats(0, 7),
    st.sampled_from([0.001, 0.5, 2, 7]),
    st.floats(0, 5000),
    st.sampled_from([60, 180, 340]),
)
def test_a_size_that_changed_makes_no_trend_where_the_same_load_leaves_the_bucket_full_each_day(
    before_tib: float, change: float, days_ago: float, took_days: float, nightly_gib: float, lead_minutes: int
) -> None:
    """What no longer fits a smaller bucket is gone, and nobody has spent it."""
    stored = sizes_of_a_week(before_tib, before_tib * change, days_ago, took_days)
    threshold, bucket = threshold_bytes(lead_minutes, rate_of(stored[-1])), full_bucket_bytes(round(stored[-1] * TIB))
    assert warning_expected(lived(stored, nightly_gib), threshold, bucket, NOW) is None


@pytest.mark.parametrize("days_since_the_shrink", [4.9, 6])
def test_a_fall_after_a_shrink_is_a_trend_from_five_days_on(days_since_the_shrink: float) -> None:
    points = week(falls_gib_a_day=50)
    shrunk = [
        one._replace(balance_bytes=4.0 * BUCKET) if NOW - one.time > days_since_the_shrink * DAY else one
        for one in points
    ]
    found = days_until(shrunk)
    assert (found is not None) is (days_since_the_shrink > 5)
    assert found in (None, pytest.approx(4, abs=0.1))


@pytest.mark.parametrize(("lowest_of_the_day", "is_told"), [(0.985, True), (0.995, False)])
def test_a_bucket_that_is_full_for_a_whole_day_has_forgotten_the_days_before(
    lowest_of_the_day: float, is_told: bool
) -> None:
    """Six nights, each deeper, and a day without a load, at the end of which nothing is missing."""
    points = [
        one._replace(balance_bytes=lowest_of_the_day * BUCKET) if NOW - one.time < DAY else one
        for one in week(falls_gib_a_day=150, ends_at_gib=1050)
    ]
    assert (days_until(points) is not None) is is_told


def test_without_any_balance_there_is_no_trend() -> None:
    assert warning_expected([], THRESHOLD, BUCKET, NOW) is None


def test_a_day_ends_now_and_not_at_midnight() -> None:
    ages = (170, 167, 25, 24, 1, 0)
    points = [BalancePoint(time=NOW - timedelta(hours=age), balance_bytes=float(age)) for age in ages]
    assert daily_lowest(points, NOW) == {0: 0.0, -1: 24.0, -6: 167.0}


@given(st.lists(st.floats(0, 1e15), min_size=0, max_size=60), st.floats(0, 1e15))
def test_an_expected_day_is_within_the_week_ahead(amounts: list[float], threshold: float) -> None:
    points = [
        BalancePoint(time=NOW - timedelta(hours=3 * age), balance_bytes=amount) for age, amount in enumerate(amounts)
    ]
    expected = warning_expected(points, threshold, 1.1e15, NOW)
    assert expected is None or NOW <= expected <= NOW + timedelta(days=7)


def lowest_of_days(*bytes_a_day: float) -> list[BalancePoint]:
    """One balance a day, the newest last."""
    newest_first = enumerate(reversed(bytes_a_day))
    return [BalancePoint(time=NOW - age * DAY - STEP, balance_bytes=left) for age, left in newest_first]


def reached(points: list[BalancePoint], threshold_bytes: float, bucket_bytes: float = 1000) -> float | None:
    expected = warning_expected(points, threshold_bytes, bucket_bytes, NOW)
    return None if expected is None else (expected - NOW) / DAY


def test_a_balance_at_the_threshold_is_not_below_it_and_has_reached_it_now() -> None:
    falling = lowest_of_days(160, 150, 140, 130, 120, 110, 100)
    assert reached(falling, 100) == 0
    assert reached(falling, 100.1) is None
    # Its line is below the threshold already, though its last day is not.
    assert reached(lowest_of_days(160, 150, 140, 130, 120, 110, 108), 105) == 0


def test_a_day_within_a_hundredth_of_full_is_forgotten_with_those_before_it() -> None:
    """Of five days the first is full: four make no trend."""
    assert reached(lowest_of_days(990, 900, 800, 700, 600), 100) is None
    assert reached(lowest_of_days(989, 900, 800, 700, 600), 100) is not None


def test_a_day_with_a_hundredth_more_than_fits_is_forgotten_with_those_before_it() -> None:
    """Lower balances of the same day do not show it."""
    after = lowest_of_days(900, 800, 700, 600, 500)
    of_the_first_day = after[-1]._replace(time=after[-1].time - STEP)
    assert reached([*after, of_the_first_day._replace(balance_bytes=1010)], 100) is not None
    assert reached([*after, of_the_first_day._replace(balance_bytes=1011)], 100) is None
