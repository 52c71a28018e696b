"""The formulas against AWS's own table, and their edges."""

import pytest
from efs_monitor.efs.credits import (
    GIB,
    MIB,
    TIB,
    baseline_bytes_per_second,
    burst_bytes_per_second,
    earned_bytes_per_second,
    full_bucket_bytes,
    is_nothing,
    minutes_left,
    threshold_bytes,
)

AWS_TABLE = [
    # stored, baseline MiB/s while earning, burst MiB/s, as "Throughput modes" prints them
    (256 * GIB, 12.5, 100),
    (512 * GIB, 25, 100),
    (1 * TIB, 50, 100),
    (2 * TIB, 100, 200),
    (4 * TIB, 200, 400),
]


@pytest.mark.parametrize(("standard_bytes", "earned_mib", "burst_mib"), AWS_TABLE)
def test_every_row_of_the_aws_table_holds(standard_bytes: int, earned_mib: float, burst_mib: int) -> None:
    assert earned_bytes_per_second(standard_bytes) == earned_mib * MIB
    assert burst_bytes_per_second(standard_bytes) == burst_mib * MIB


def test_a_small_file_system_earns_less_than_the_floor_it_is_served_at() -> None:
    assert earned_bytes_per_second(10 * GIB) == 512_000
    assert baseline_bytes_per_second(10 * GIB) == MIB


def test_a_full_bucket_reads_what_cloudwatch_shows() -> None:
    assert full_bucket_bytes(0) == full_bucket_bytes(TIB) == 2_308_974_418_330


def test_the_bucket_grows_with_what_is_stored_above_one_tib() -> None:
    assert full_bucket_bytes(10 * TIB) == 23_089_744_183_296


def test_a_full_bucket_lasts_367_minutes_at_the_permitted_rate() -> None:
    for standard_bytes in (10 * GIB, TIB, 4 * TIB):
        minutes = minutes_left(full_bucket_bytes(standard_bytes), burst_bytes_per_second(standard_bytes))
        assert int(minutes) == 367


def test_the_threshold_is_minutes_times_sixty_times_the_reference() -> None:
    assert threshold_bytes(180, 104_857_600) == 1_132_462_080_000


@pytest.mark.parametrize("rate", [0, -1.0])
def test_minutes_left_need_a_rate_above_zero(rate: float) -> None:
    with pytest.raises(ValueError, match=f"^minutes left need a rate above zero, not {rate}"):
        minutes_left(1, rate)


def test_what_lasts_a_second_is_something() -> None:
    assert [is_nothing(99, 6000), is_nothing(100, 6000), is_nothing(0, 6000)] == [True, False, True]
