"""Between which moments something was while metrics were missing."""

import dataclasses
from datetime import datetime, timedelta

import pytest
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay
from efs_monitor.incidents.unknown_times import (
    unknown_after,
    unknown_after_in_the_last_day,
    unknown_before,
    unknown_before_in_the_last_day,
)

from tests.unit.incidents.earlier_days import MINUTE_BYTES, now_with
from tests.unit.strategies import NOW


def ago(steps: int) -> datetime:
    return NOW - steps * STEP


def known(*steps_ago: int) -> list[BalancePoint]:
    return [BalancePoint(time=ago(steps), balance_bytes=MINUTE_BYTES) for steps in steps_ago]


@pytest.mark.parametrize("moment", [ago(3), ago(3) + timedelta(minutes=2)])
def test_what_the_first_step_after_missing_ones_shows_began_since_the_last_one_before(moment: datetime) -> None:
    assert unknown_before(moment, known(9, 8, 7, 3, 2, 1)) == ago(6)
    assert unknown_before(moment, known(9, 8, 7, 4, 3, 2)) is None
    assert unknown_before(moment, known(3, 2)) is None
    assert unknown_before(moment, known(9, 8, 7, 3, 2), {ago(5)}) is None
    assert unknown_before(moment, known(9, 8, 7, 3, 2), {ago(8), ago(3)}) == ago(6)


def test_what_the_last_step_before_missing_ones_shows_ended_until_the_first_one_after() -> None:
    assert unknown_after(ago(6), known(8, 7, 3, 2)) == ago(3)
    assert unknown_after(ago(6), known(8, 7, 6, 5)) is None
    assert unknown_after(ago(6), known(8, 7)) is None
    assert unknown_after(ago(6), known(8, 7, 3), {ago(4)}) is None
    assert unknown_after(ago(6), known(8, 7, 3), {ago(7), ago(3)}) == ago(3)


def test_a_minute_of_the_last_hour_before_which_one_is_known_is_known() -> None:
    day = now_with(2, PastDay(back=AHEAD, balances=tuple(known(9, 8, 3, 2, 1))))
    began = ago(3) + timedelta(minutes=1)
    assert unknown_before_in_the_last_day(began, day) == ago(7)
    minutes = tuple(BalancePoint(time=ago(3) + n * timedelta(minutes=1), balance_bytes=1.0) for n in range(15))
    assert unknown_before_in_the_last_day(began, dataclasses.replace(day, balances=minutes)) is None
    assert unknown_before_in_the_last_day(ago(3), dataclasses.replace(day, balances=minutes)) == ago(7)
    assert unknown_after_in_the_last_day(ago(7), day) == ago(3)
