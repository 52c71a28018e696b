"""The load of a day ago that is not there today, and what it leaves if it is only late."""

import dataclasses

import pytest
from efs_monitor.incidents.absent_load import absent_load
from efs_monitor.incidents.recurring_load import is_calm
from efs_monitor.incidents.situation import DAY, STEP

from tests.unit.incidents.earlier_days import (
    EARNED,
    MINUTE_BYTES,
    POINTS_OF_THE_HOUR_BEFORE,
    a_day,
    a_life,
    now_with,
    rising_to,
)
from tests.unit.strategies import NOW

# A load that had begun a quarter of an hour before this time of day, went on for so many points, and took 300 minutes.
BEGAN = POINTS_OF_THE_HOUR_BEFORE - 4
YESTERDAY = a_day(a_life(360, (BEGAN, 0.0), (54, -6.0), (230, EARNED)))


def test_what_it_took_after_this_time_of_that_day_it_takes_when_it_comes() -> None:
    absent = absent_load(rising_to(320, YESTERDAY))
    assert absent is not None
    taken_by_then = (POINTS_OF_THE_HOUR_BEFORE - BEGAN) * 6
    assert absent.left_bytes / MINUTE_BYTES == pytest.approx(320 - (300 + 24 - taken_by_then))
    assert absent.until == NOW - DAY + (BEGAN + 54 - POINTS_OF_THE_HOUR_BEFORE + 1) * STEP


@pytest.mark.parametrize(("minutes", "calm"), [(361, True), (359, False)])
def test_a_day_is_calm_where_an_hours_worth_is_left_after_it(minutes: float, calm: bool) -> None:
    """It takes 300 minutes' worth from this time of day on."""
    assert is_calm(rising_to(minutes, YESTERDAY)) is calm


def test_one_that_ended_the_credits_may_take_all_there_is() -> None:
    emptied = a_day(a_life(200, (BEGAN, 0.0), (60, -6.0), (224, EARNED)))
    absent = absent_load(rising_to(320, emptied))
    assert absent is not None
    assert absent.left_bytes == 0


def test_one_that_is_there_or_had_ended_or_had_just_begun_is_not_absent() -> None:
    assert absent_load(rising_to(320, a_day(a_life(360, (300, EARNED))))) is None
    assert absent_load(rising_to(320)) is None
    # With one point nobody knows whether it falls.
    assert absent_load(now_with(320, YESTERDAY)) is None
    # A load that takes credits now is there, however little it takes and whether or not it is that one.
    risen = rising_to(320, YESTERDAY)
    for lost_bytes, is_there in ((1, True), (0, False)):
        now = [one._replace(balance_bytes=1e12 - lost_bytes * step) for step, one in enumerate(risen.balances)]
        assert (absent_load(dataclasses.replace(risen, balances=tuple(now))) is None) is is_there
    just_begun = a_day(a_life(360, (BEGAN + 3, 0.0), (54, -6.0), (227, EARNED)))
    assert absent_load(rising_to(320, just_begun)) is None
    ended = a_day(a_life(360, (3, -6.0), (270, EARNED)))
    assert absent_load(rising_to(320, ended)) is None


@pytest.mark.parametrize(("falls_by", "is_absent"), [(0.2, True), (0.55, True), (0.65, False)])
def test_one_that_ended_the_credits_is_absent_beside_a_fall_that_is_far_slower(
    falls_by: float, *, is_absent: bool
) -> None:
    """It took 6 minutes' worth in each five minutes, 1.2 in a minute: half of that may be the same load."""
    emptied = a_day(a_life(200, (BEGAN, 0.0), (60, -6.0), (224, EARNED)))
    risen = rising_to(320, emptied)
    falling = tuple(
        one._replace(balance_bytes=(320 + 5 * falls_by * age) * MINUTE_BYTES)
        for age, one in enumerate(reversed(risen.balances))
    )[::-1]
    absent = absent_load(dataclasses.replace(risen, balances=falling))
    assert (absent is not None) is is_absent
    if absent is not None:
        assert absent.slower_one_is_there
        assert absent.left_bytes == 0
    # The rest of one that did not end them is reckoned with.
    not_emptied = dataclasses.replace(risen, balances=falling, past_days=(YESTERDAY,))
    assert absent_load(not_emptied) is None
