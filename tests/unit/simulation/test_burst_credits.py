"""AWS's published table of burst credits, row by row, and what must hold for any file system and demand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.burst_credits import (
    GIB,
    MIB,
    TIB,
    baseline_bytes_per_second,
    bucket_bytes,
    burst_bytes_per_second,
    earned_bytes_per_second,
    flow,
)

CAP = 1 * GIB
DAY_MINUTES = 24 * 60

# Size, baseline and burst in MiB/s, burst minutes a day: EFS user guide.
AWS_TABLE = [
    (10 * GIB, 0.5, 100, 7.2),
    (100 * GIB, 5, 100, 72),
    (256 * GIB, 12.5, 100, 180),
    (512 * GIB, 25, 100, 360),
    (1 * TIB, 50, 100, 720),
    (2 * TIB, 100, 200, 720),
    (4 * TIB, 200, 400, 720),
]

sizes = st.integers(0, 64 * TIB)
caps = st.floats(100 * MIB, 5 * GIB)


def minutes_until_zero(size: int, balance: float) -> float:
    """Minutes that a balance lasts at the full burst rate."""
    minutes = 0.0
    while balance:
        result = flow(balance, size, 60 * CAP, CAP)
        balance, minutes = result.closing_bytes, minutes + result.credit_seconds / 60
    return minutes


# The table counts 0.5 and 5 MiB/s for 10 and 100 GiB, rounded from 0.488 and 4.88: hence the 2.5 %.
@pytest.mark.parametrize(("size", "baseline_mib", "burst_mib", "burst_minutes"), AWS_TABLE)
def test_the_rates_and_burst_minutes_a_day_are_those_of_the_published_table(
    size: int, baseline_mib: float, burst_mib: float, burst_minutes: float
) -> None:
    earned = earned_bytes_per_second(size)
    burst = burst_bytes_per_second(size, CAP)
    assert earned / MIB == pytest.approx(baseline_mib, rel=0.025)
    assert burst == burst_mib * MIB
    assert earned * DAY_MINUTES / burst == pytest.approx(burst_minutes, rel=0.025)


@pytest.mark.parametrize("size", [256 * GIB, 512 * GIB, 1 * TIB, 2 * TIB, 4 * TIB])
def test_from_256_gib_on_the_earning_rate_is_the_published_baseline_exactly(size: int) -> None:
    assert earned_bytes_per_second(size) == next(row[1] for row in AWS_TABLE if row[0] == size) * MIB


def test_credits_are_earned_without_the_floor_that_the_baseline_has() -> None:
    assert earned_bytes_per_second(10 * GIB) == 500 * 1024
    assert baseline_bytes_per_second(10 * GIB, CAP) == 1 * MIB
    assert baseline_bytes_per_second(100 * GIB, CAP) == 5000 * 1024


def test_the_region_caps_what_size_permits() -> None:
    assert burst_bytes_per_second(16 * TIB, CAP) == CAP
    assert burst_bytes_per_second(16 * TIB, 3 * GIB) == 1600 * MIB
    assert baseline_bytes_per_second(40 * TIB, CAP) == CAP


@pytest.mark.parametrize("size", [0, 10 * GIB, 1 * TIB - 1, 1 * TIB])
def test_a_full_bucket_of_up_to_1_tib_reads_the_published_number(size: int) -> None:
    assert bucket_bytes(size) == 2_308_974_418_330


def test_above_1_tib_the_bucket_grows_by_2_1_tib_for_each_tib() -> None:
    assert bucket_bytes(3 * TIB // 2) == round(3.15 * TIB)
    assert bucket_bytes(4 * TIB) == round(8.4 * TIB)


@pytest.mark.parametrize(("size", "minutes"), [(100 * GIB, 189), (1 * TIB, 360), (4 * TIB, 360)])
def test_180_minutes_at_the_permitted_rate_really_last_longer(size: int, minutes: int) -> None:
    balance = 180 * 60 * burst_bytes_per_second(size, CAP)
    assert int(minutes_until_zero(size, balance)) == minutes


@pytest.mark.parametrize(("size", "minutes"), [(1 * GIB, 367), (1 * TIB, 367), (4 * TIB, 367), (16 * TIB, 573)])
def test_a_full_bucket_is_worth_the_published_minutes_at_the_permitted_rate(size: int, minutes: int) -> None:
    assert int(bucket_bytes(size) / burst_bytes_per_second(size, CAP) / 60) == minutes


@pytest.mark.whole
@pytest.mark.parametrize(("size", "hours"), [(10 * GIB, 614), (100 * GIB, 61), (1 * TIB, 6)])
def test_idle_hours_from_zero_back_to_180_minutes_are_the_published_ones(size: int, hours: int) -> None:
    target = 180 * 60 * burst_bytes_per_second(size, CAP)
    balance, minutes = 0.0, 0
    while balance < target:
        balance, minutes = flow(balance, size, 0, CAP).closing_bytes, minutes + 1
    assert minutes // 60 == hours


def test_when_credits_end_within_a_minute_the_rest_of_it_runs_at_the_baseline() -> None:
    half_a_minute = 30 * 50 * MIB
    result = flow(half_a_minute, 1 * TIB, 60 * 200 * MIB, CAP)
    assert result.credit_seconds == 30
    assert result.closing_bytes == 0
    assert result.served_bytes == 30 * 100 * MIB + 30 * 50 * MIB
    assert result.average_bytes == half_a_minute / 4


def test_at_zero_the_floor_is_served_but_only_what_was_earned_is_spent() -> None:
    result = flow(0, 10 * GIB, 60 * 5 * MIB, CAP)
    assert result.served_bytes == 60 * MIB
    assert result.spent_bytes == result.earned_bytes == 60 * 500 * 1024
    assert result.closing_bytes == 0


def test_without_credits_a_demand_below_the_floor_is_served_whole_and_no_more() -> None:
    # Above the 500 KiB/s that 10 GiB earn, below the 1 MiB/s that every file system gets.
    result = flow(0, 10 * GIB, 60 * 700 * 1024, CAP)
    assert result.served_bytes == 60 * 700 * 1024
    assert result.spent_bytes == 60 * 500 * 1024


def test_a_demand_below_the_earning_rate_is_served_whole_and_the_rest_is_saved() -> None:
    result = flow(0, 1 * TIB, 60 * 20 * MIB, CAP)
    assert result.served_bytes == 60 * 20 * MIB
    assert result.closing_bytes == 60 * 30 * MIB
    assert result.average_bytes == 30 * 30 * MIB


def test_a_demand_of_just_the_earning_rate_leaves_zero_at_zero_without_credits() -> None:
    result = flow(0, 1 * TIB, 60 * 50 * MIB, CAP)
    assert (result.closing_bytes, result.credit_seconds) == (0, 0)


def test_a_bucket_that_fills_within_a_minute_earns_no_more_than_it_holds() -> None:
    bucket = bucket_bytes(1 * TIB)
    result = flow(bucket - 30 * 50 * MIB, 1 * TIB, 0, CAP)
    assert result.closing_bytes == bucket
    assert result.earned_bytes == 30 * 50 * MIB
    assert result.average_bytes == pytest.approx(bucket - 30 * 50 * MIB / 4)


def test_a_balance_above_the_bucket_is_cut_down_to_it() -> None:
    assert flow(bucket_bytes(2 * TIB), 1 * TIB, 0, CAP).opening_bytes == bucket_bytes(1 * TIB)


@given(balance=st.floats(0, 64 * 2.1 * TIB), size=sizes, demand=st.floats(0, 60 * 10 * GIB), cap=caps)
def test_any_minute_keeps_its_books(balance: float, size: int, demand: float, cap: float) -> None:
    result = flow(balance, size, demand, cap)
    # Relative to trillions of bytes a double keeps a few thousandths of a byte.
    tolerance = 1e-12 * (result.opening_bytes + demand + 1e9)
    assert 0 <= result.closing_bytes <= bucket_bytes(size)
    assert result.closing_bytes == pytest.approx(
        result.opening_bytes + result.earned_bytes - result.spent_bytes, rel=0, abs=tolerance
    )
    assert -tolerance <= result.earned_bytes <= earned_bytes_per_second(size) * 60 + tolerance
    assert 0 <= result.served_bytes <= demand * (1 + 1e-12) + 1e-9
    assert result.served_bytes <= burst_bytes_per_second(size, cap) * 60 * (1 + 1e-12)
    low, high = sorted((result.opening_bytes, result.closing_bytes))
    assert low - tolerance <= result.average_bytes <= high + tolerance
    assert 0 <= result.credit_seconds <= 60


@given(share=st.floats(0.01, 0.99), size=st.integers(1 * GIB, 16 * TIB), demand=st.floats(0, 60 * 2 * GIB))
def test_away_from_zero_and_from_the_bucket_the_balance_moves_by_earned_minus_served(
    share: float, size: int, demand: float
) -> None:
    balance = share * bucket_bytes(size)
    result = flow(balance, size, demand, CAP)
    if 0 < result.closing_bytes < bucket_bytes(size):
        moved = earned_bytes_per_second(size) * 60 - result.served_bytes
        assert result.closing_bytes - balance == pytest.approx(moved, abs=1)
