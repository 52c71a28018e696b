"""Between which moments something was while metrics were missing."""

import dataclasses
from datetime import datetime, timedelta

import pytest
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay
from efs_monitor.incidents.times_at_zero import UNKNOWN
from efs_monitor.incidents.unknown_times import (
    may_have_ended_unseen,
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


def test_two_steps_are_enough_and_only_what_lies_between_them_is_of_another_mode() -> None:
    assert unknown_before(ago(3), known(7, 3)) == ago(6)
    assert unknown_before(ago(3), known(12, 9, 8, 7, 3), {ago(7)}) == ago(6)
    assert unknown_after(ago(6), known(8, 7, 3), {ago(6)}) is None


# As much is earned as a load takes besides: each second of the one brings back what the other takes.
EARNED = 5_120_000


def ended_unseen(
    before: float, after: float, *, steps: int = 12, reference: int = 2 * EARNED, other: bool = False
) -> bool:
    """Between two points so many steps apart; what is left is in seconds of what is earned."""
    points = [
        BalancePoint(time=ago(steps + 1), balance_bytes=1e15),
        BalancePoint(time=ago(steps), balance_bytes=before * EARNED),
        BalancePoint(time=NOW, balance_bytes=after * EARNED),
    ]
    permitted = tuple((ago(step), 1e12) for step in range(5, 2, -1)) if other else ()
    situation = dataclasses.replace(now_with(2), reference_bytes_per_second=reference, permitted_of_the_day=permitted)
    return may_have_ended_unseen(situation, points)


def test_credits_may_have_ended_unseen_where_they_may_have_been_taken_and_earned_again_meanwhile() -> None:
    """An hour, in which half an hour's worth may have been taken."""
    assert [ended_unseen(1800, after) for after in (1800, 1801)] == [True, False]
    assert [ended_unseen(before, 3) for before in (3597, 3598, 3700)] == [True, False, False]
    assert not ended_unseen(0, 10, steps=1)
    assert ended_unseen(0, 600, steps=2)
    assert not ended_unseen(1800, 1800, other=True)
    # With as much earned as may be taken nothing ends.
    assert not ended_unseen(0, 10, reference=EARNED)
    assert not ended_unseen(0, 10, reference=EARNED - 1)


def test_where_nothing_is_left_after_it_an_end_before_is_one_if_a_minutes_worth_came_back_meanwhile() -> None:
    """A minute's worth lasts and takes two minutes."""
    assert [ended_unseen(before, 0) for before in (3360, 3361)] == [True, False]
    needed = UNKNOWN // STEP
    assert [ended_unseen(0, 0, steps=steps) for steps in (needed, needed - 1)] == [True, False]
