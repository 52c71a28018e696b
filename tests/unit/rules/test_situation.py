"""The figures of a file system in trouble, worked out from its datapoints."""

import dataclasses
from datetime import timedelta

import pytest
from efs_monitor.credits import GIB, MIB, TIB, full_bucket_bytes
from efs_monitor.situation import Activity, BalancePoint, Situation

from tests.unit.rules.strategies import NOW, bursting


def situation(*balances_gib: float, standard_bytes: int = 100 * GIB, reference_mib: float = 100) -> Situation:
    """One balance each ten minutes, the last one now."""
    first = NOW - timedelta(minutes=10 * (len(balances_gib) - 1))
    return Situation(
        file_system=bursting(standard_bytes),
        balances=tuple(
            BalancePoint(time=first + timedelta(minutes=10 * index), balance_bytes=gib * GIB)
            for index, gib in enumerate(balances_gib)
        ),
        permitted_bytes_per_second=5 * MIB,
        reference_bytes_per_second=reference_mib * MIB,
        baseline_bytes_per_second=5 * MIB,
        activity=None,
    )


def activity(
    read: float = 0, written: float = 0, metadata: float = 0, metered: float = 0, minutes: int = 60
) -> Activity:
    return Activity(
        read_bytes=read,
        written_bytes=written,
        metadata_bytes=metadata,
        metered_bytes=metered,
        observed_minutes=minutes,
    )


def test_the_newest_balance_counts() -> None:
    assert situation(30, 20, 10).balance_bytes == 10 * GIB


def test_the_share_is_that_of_a_full_bucket_of_its_size() -> None:
    assert situation(full_bucket_bytes(TIB) / GIB).bucket_share == pytest.approx(1)
    assert situation(full_bucket_bytes(TIB) / GIB, standard_bytes=2 * TIB).bucket_share == pytest.approx(0.5)


def test_minutes_at_the_permitted_rate_use_the_rate_with_credits_not_that_after_exhaustion() -> None:
    assert situation(60 * 60 * 100 / 1024).minutes_left_at_permitted == pytest.approx(60)


def test_the_drain_is_what_the_balance_lost_over_the_hour() -> None:
    draining = situation(180, 150, 120)
    assert draining.drain_bytes_per_second == 60 * GIB / 1200
    assert draining.minutes_left_at_net == pytest.approx(40)


def test_a_balance_that_rises_or_stands_still_never_ends() -> None:
    assert situation(100, 120).minutes_left_at_net is None
    assert situation(100, 100).minutes_left_at_net is None


def test_one_datapoint_alone_tells_no_drain() -> None:
    assert situation(100).drain_bytes_per_second is None
    assert situation(100).minutes_left_at_net is None


def test_shares_are_parts_of_all_bytes_moved() -> None:
    assert activity(read=60, written=30, metadata=10).shares() == (0.6, 0.3, 0.1)


def test_an_idle_file_system_has_no_shares() -> None:
    assert activity().shares() is None


def test_a_single_byte_has_shares() -> None:
    assert activity(read=1).shares() == (1, 0, 0)


def test_the_slowest_fall_ends_too() -> None:
    """Half a byte a second."""
    slow = situation(100, 100 - 600 / GIB, 100 - 600 / GIB)
    assert slow.drain_bytes_per_second == 0.5
    assert slow.minutes_left_at_net is not None


def test_two_datapoints_however_near_tell_a_drain() -> None:
    near = dataclasses.replace(
        situation(100),
        balances=tuple(
            BalancePoint(time=NOW + timedelta(seconds=second), balance_bytes=10.0 - second) for second in range(2)
        ),
    )
    assert near.drain_bytes_per_second == 1


def test_the_metered_rate_is_an_average_over_the_minutes_that_were_observed() -> None:
    assert activity(metered=6000, minutes=10).metered_bytes_per_second == 10
    assert activity(metered=6000, minutes=0).metered_bytes_per_second == 0
