"""A load that a larger size earned is no fall, and is not there today where the balance rises."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import GIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.base_load import base_load_until
from efs_monitor.incidents.recurring_load import worst_recurring_load
from efs_monitor.incidents.situation import AHEAD, STEP, Situation

from tests.unit.each_minute import each_minute
from tests.unit.incidents.earlier_days import (
    EARNED,
    MINUTE_BYTES,
    POINTS_OF_THE_HOUR_BEFORE,
    a_day,
    a_life,
    now_with,
    with_work,
)
from tests.unit.incidents.simulated_metrics import lived
from tests.unit.strategies import NOW

HOUR = timedelta(hours=1)
LARGE, SMALL = 3000 * GIB, 900 * GIB


def shrunk(*, base_mib: float, standard_bytes: int = SMALL, rising: bool = True) -> Situation:
    """17 hours of a base load that the larger size earned, an hour of all that was permitted, and eight of rest, in
    which it shrank; the balance rises by now.
    """
    loads = [base_mib] * (17 * 60) + [290.0] * 60 + [0.0] * (8 * 60)
    sizes = [LARGE] * (18 * 60) + [standard_bytes] * (8 * 60)
    situation = lived(loads, standard_bytes=sizes, left_share=0.3)
    (newest,) = situation.balances
    before = newest._replace(time=NOW - 3 * STEP, balance_bytes=newest.balance_bytes * (0.95 if rising else 1.05))
    return replace(situation, balances=each_minute(before, newest))


def until(situation: Situation) -> timedelta | None:
    points = situation.balances_of_the_day
    found = base_load_until(situation, NOW - AHEAD, points)
    return None if found is None else found - (NOW - AHEAD)


def test_it_went_on_until_another_load_joined_it_or_it_ended() -> None:
    found = until(shrunk(base_mib=146))
    assert found is not None
    assert abs(found - 15 * HOUR) <= 2 * STEP


def test_what_the_size_of_now_earns_too_takes_nothing() -> None:
    assert until(shrunk(base_mib=20)) is None


def test_a_size_that_did_not_change_earned_what_it_earns() -> None:
    assert until(shrunk(base_mib=146, standard_bytes=LARGE)) is None


def test_it_leaves_today_what_is_earned_without_it() -> None:
    """Three minutes' worth in each quarter of an hour, for fifteen hours; the load after it takes some 40."""
    situation = shrunk(base_mib=146)
    recurring = worst_recurring_load(situation)
    assert recurring is not None
    assert not recurring.gone
    assert 190 < recurring.left_bytes / situation.minute_bytes < 205


# What 100 GiB earn in five minutes, exactly.
EARNED_EXACTLY = 125 / 512


def went_on(metered: Iterable[int] | Mapping[int, float], *, balances: Mapping[int, float] | None = None) -> int | None:
    """For how many steps of five minutes from this time of the last day on; the size earned ten times as much then, and
    clients moved a minute's worth in these steps. The first of that day took credits: all were on credits.
    """
    moved = metered if isinstance(metered, Mapping) else dict.fromkeys(metered, 1.0)
    hour_before = POINTS_OF_THE_HOUR_BEFORE
    day = a_day(a_life(10, (hour_before, 0), (1, -0.1), (150, 10 * EARNED)))
    day = replace(day, balances=day.balances[hour_before:])
    situation = with_work(now_with(100, day), [moved.get(step, 0.0) for step in range(288)], [100.0] * 288)
    now = NOW - AHEAD
    points = [
        BalancePoint(time=now + step * STEP, balance_bytes=left * MINUTE_BYTES)
        for step, left in (balances or {}).items()
    ]
    found = base_load_until(situation, now, points)
    return None if found is None else (found - now) // STEP


@pytest.mark.parametrize(
    ("metered", "steps"),
    [
        (range(3), 3),
        # It began a quarter of an hour later at the most.
        (range(3, 9), 9),
        (range(4, 9), None),
        # It pauses for half an hour at the most.
        ((0, 7, 8), 9),
        ((0, 8, 9), 1),
        ((0, 8, 9, 10, 20), 1),
        ((), None),
        # What is earned now too is no load.
        ({0: 0.2, 1: 0.2}, None),
        ({0: EARNED_EXACTLY}, None),
        ({0: 1.01 * EARNED_EXACTLY}, 1),
    ],
)
def test_it_goes_on_over_pauses_from_about_this_time_of_day(metered: Iterable[int], steps: int | None) -> None:
    assert went_on(metered) == steps


@pytest.mark.parametrize(
    ("balances", "steps"),
    [
        ({}, 20),
        ({5: 100, 6: 90}, 6),
        ({5: 100, 6: 90, 13: 95, 14: 85}, 6),
        # One that had begun by this time of day is no other, and what took less than five minutes' worth is none.
        ({0: 100, 1: 90}, 20),
        ({-1: 100, 0: 90}, 20),
        ({5: 100, 6: 96}, 20),
    ],
)
def test_it_ends_for_today_where_a_load_joined_it_that_took_credits(
    balances: Mapping[int, float], steps: int | None
) -> None:
    assert went_on(range(20), balances=balances) == steps
