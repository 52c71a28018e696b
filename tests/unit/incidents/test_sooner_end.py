"""A load of the last days that ends the credits sooner than their pace is another end."""

import dataclasses
from datetime import timedelta

import pytest
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.situation import STEP
from efs_monitor.incidents.sooner_end import comes_before_the_end

from tests.unit.incidents.earlier_days import EARNED, MINUTE_BYTES, a_day, a_life, now_with
from tests.unit.incidents.test_unlimited_load import a_load, elastic_until
from tests.unit.strategies import NOW


def falling_to(minutes: float, an_hour: float) -> tuple[BalancePoint, ...]:
    """The last hour of a balance that falls by so many minutes at the permitted rate."""
    return tuple(
        BalancePoint(time=NOW - ago * MINUTE, balance_bytes=(minutes + an_hour * ago / 60) * MINUTE_BYTES)
        for ago in range(60, -1, -1)
    )


@pytest.mark.parametrize(
    ("an_hour", "begins_in", "is_told"),
    [
        # Of twelve hours it takes two, which are less than a quarter, or less.
        (1.25, timedelta(hours=9), True),
        (1.25, timedelta(hours=10), False),
        # Of three hours it takes an hour less, or a quarter alone.
        (5, timedelta(hours=1), True),
        (5, timedelta(minutes=105), False),
        (5, timedelta(hours=2), False),
    ],
)
def test_a_load_that_ends_them_sooner_by_an_hour_and_a_quarter_or_two_is_another_end_than_that_of_the_pace(
    an_hour: float, begins_in: timedelta, is_told: bool
) -> None:
    batch = a_day(a_life(60, (12 + begins_in // STEP, EARNED), (12, -5.0), (240, EARNED)))
    situation = dataclasses.replace(now_with(15, batch), balances=falling_to(15, an_hour))
    assert situation.minutes_left_at_net == pytest.approx(60 * 15 / an_hour)
    assert comes_before_the_end(situation) is is_told


@pytest.mark.parametrize(("an_hour", "is_told"), [(4.6, False), (2.3, True)])
def test_a_load_that_went_on_in_another_throughput_mode_is_that_of_the_pace(an_hour: float, is_told: bool) -> None:
    """Of 25 minutes' worth it takes 9 in two hours, as what is there now does; or twice as much as that. 4.9 MiB/s are
    earned.
    """
    load = elastic_until(24, a_load(0, 24, 4.9 + 100 * 9 / 120), minutes=25)
    situation = dataclasses.replace(load, balances=falling_to(25, an_hour))
    assert comes_before_the_end(situation) is is_told


@pytest.mark.parametrize(("an_hour", "is_told"), [(0.5, True), (8, False)])
def test_a_load_of_another_throughput_mode_ends_them_sooner_too(an_hour: float, is_told: bool) -> None:
    """It took no credits then; at 20 minutes' worth and 60 MiB/s they are gone in three hours."""
    situation = dataclasses.replace(elastic_until(100, a_load(24, 60)), balances=falling_to(20, an_hour))
    assert comes_before_the_end(situation) is is_told
