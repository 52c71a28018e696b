"""The throughput mode of a time is read off its metrics: each mode shows rates of its own."""

from dataclasses import replace

import pytest
from efs_monitor.efs.credits import GIB, MIB, TIB
from efs_monitor.efs.file_system import ThroughputMode

from operate.history.modes import ModeSpan, other_modes
from tests.unit.strategies import bursting

ELASTIC_RATE = float(1 * GIB)


def modes(*runs: tuple[int, float | None, float | None], size: int = 100 * GIB) -> list[ModeSpan]:
    """Of runs of minutes, each with its balance and permitted throughput."""
    balances = [balance for minutes, balance, _ in runs for _ in range(minutes)]
    permitted = [rate for minutes, _, rate in runs for _ in range(minutes)]
    return other_modes(balances, permitted, [(0, bursting(size))])


def test_bursting_with_and_without_credits_is_no_other_mode() -> None:
    assert modes((100, 1e12, 100.0 * MIB), (100, 0.0, 5.0 * MIB), (100, 1e12, 100.0 * MIB)) == []


def test_without_a_balance_it_is_elastic() -> None:
    assert modes((100, 1e12, 100.0 * MIB), (50, None, ELASTIC_RATE), (9, 1e12, 100.0 * MIB)) == [
        ModeSpan(begin=100, end=150, mode=ThroughputMode.ELASTIC, bytes_per_second=0)
    ]


def test_with_a_balance_it_is_provisioned_at_the_rate_that_is_permitted() -> None:
    assert modes((100, 1e12, 100.0 * MIB), (50, 1e12, 250.0 * MIB)) == [
        ModeSpan(begin=100, end=150, mode=ThroughputMode.PROVISIONED, bytes_per_second=250 * MIB)
    ]


def test_one_other_mode_may_follow_another() -> None:
    found = modes((100, 1e12, 100.0 * MIB), (50, None, 3.0 * GIB), (60, 1e12, 150.0 * MIB), (70, 1e12, 300.0 * MIB))
    assert [(one.begin, one.end, one.mode, one.bytes_per_second) for one in found] == [
        (100, 150, ThroughputMode.ELASTIC, 0),
        (150, 210, ThroughputMode.PROVISIONED, 150 * MIB),
        (210, 280, ThroughputMode.PROVISIONED, 300 * MIB),
    ]


def test_a_balance_that_is_lost_for_some_minutes_is_no_elastic_mode() -> None:
    (found,) = modes((60, 1e12, 150.0 * MIB), (29, None, 150.0 * MIB), (60, 1e12, 150.0 * MIB))
    assert (found.begin, found.end, found.mode) == (0, 149, ThroughputMode.PROVISIONED)


@pytest.mark.parametrize("rate", [100.0, 5.0], ids=["burst", "baseline"])
def test_a_balance_that_is_missing_at_a_rate_of_bursting_was_lost(rate: float) -> None:
    assert modes((100, 1e12, 100.0 * MIB), (300, None, rate * MIB), (100, 1e12, 100.0 * MIB)) == []


def test_a_balance_that_is_missing_at_the_rate_that_is_provisioned_was_lost() -> None:
    (found,) = modes((40, 1e12, 150.0 * MIB), (90, None, 150.0 * MIB), (20, 1e12, 150.0 * MIB))
    assert (found.begin, found.end, found.mode) == (0, 150, ThroughputMode.PROVISIONED)


def test_without_a_balance_it_is_elastic_at_another_rate_than_there_is_with_one_however_large_it_is() -> None:
    (found,) = modes((100, 1e13, 1200.0 * MIB), (90, None, ELASTIC_RATE), (50, 1e13, 1200.0 * MIB), size=12 * TIB)
    assert (found.begin, found.end, found.mode) == (100, 190, ThroughputMode.ELASTIC)


@pytest.mark.parametrize(("told", "spans"), [(ThroughputMode.BURSTING, 0), (ThroughputMode.ELASTIC, 1)])
def test_elastic_at_a_rate_that_bursting_shows_too_is_so_where_it_is_told(told: ThroughputMode, spans: int) -> None:
    found = other_modes([1e13] * 100 + [None] * 90, [ELASTIC_RATE] * 190, [(0, replace(bursting(10 * TIB), mode=told))])
    assert [(one.begin, one.end, one.mode) for one in found] == [(100, 190, ThroughputMode.ELASTIC)] * spans


@pytest.mark.parametrize(("minutes", "spans"), [(29, 0), (30, 1)])
def test_a_rate_that_is_just_being_changed_is_no_mode(minutes: int, spans: int) -> None:
    assert len(modes((100, 1e12, 100.0 * MIB), (minutes, 1e12, 250.0 * MIB), (50, 1e12, 100.0 * MIB))) == spans


def test_a_gap_in_everything_ends_no_mode() -> None:
    (found,) = modes((40, None, ELASTIC_RATE), (60, None, None), (40, None, ELASTIC_RATE))
    assert (found.begin, found.end) == (0, 140)


@pytest.mark.parametrize("size", [2 * TIB, 12 * TIB, 40 * TIB])
def test_a_regional_cap_is_no_other_mode(size: int) -> None:
    capped = min(size / TIB * 100 * MIB, 3 * GIB)
    assert modes((100, 1e13, float(capped)), size=size) == []


def test_a_file_system_that_grows_shows_the_rate_of_its_size_some_time_later() -> None:
    rate = 200.0 * MIB
    assert other_modes([1e12] * 200, [rate] * 200, [(0, bursting(2 * TIB)), (100, bursting(round(2.3 * TIB)))]) == []


def test_a_size_that_changes_at_once_shows_its_rate_within_the_next_metering() -> None:
    sizes = [(0, bursting(2 * TIB)), (100, bursting(1 * TIB))]
    assert other_modes([1e12] * 300, [200.0 * MIB] * 160 + [100.0 * MIB] * 140, sizes) == []
    (found,) = other_modes([1e12] * 300, [200.0 * MIB] * 300, sizes)
    assert (found.begin, found.end) == (190, 300)
