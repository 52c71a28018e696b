"""An alarm that is over because its threshold was lowered with the size, or that goes off because it has risen."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.moved_thresholds import (
    has_not_fallen_below_it,
    has_risen,
    is_over_by_a_lower_one,
    threshold_before_it_was_over,
)
from efs_monitor.incidents.situation import DAY, PastDay, Situation

from tests.unit.incidents.earlier_days import MINUTE_BYTES, now_with
from tests.unit.strategies import NOW

MINUTE = timedelta(minutes=1)
# Of an hour at 100 MiB/s, as it is now, and at 200.
NOW_BYTES, BEFORE_BYTES = 60 * MINUTE_BYTES, 120 * MINUTE_BYTES


def with_balances(*minutes_ago: tuple[float, float]) -> Situation:
    """So many bytes so many minutes ago, oldest first."""
    points = tuple(BalancePoint(time=NOW - ago * MINUTE, balance_bytes=left) for ago, left in minutes_ago)
    return replace(now_with(0), balances=points)


def is_over(went_off_below_bytes: float | None, *minutes_ago: tuple[float, float]) -> bool:
    return is_over_by_a_lower_one(60, went_off_below_bytes, with_balances(*minutes_ago))


def test_an_alarm_is_over_by_a_lower_threshold_where_what_there_was_all_along_is_enough_by_now() -> None:
    assert is_over(BEFORE_BYTES, (30, NOW_BYTES), (0, BEFORE_BYTES - 1))
    # More than it went off by has come back.
    assert not is_over(BEFORE_BYTES, (30, NOW_BYTES), (0, BEFORE_BYTES))


def test_where_the_threshold_is_not_lower_or_not_known_the_balance_ended_it() -> None:
    assert not is_over(None, (0, NOW_BYTES))
    assert not is_over(1.01 * NOW_BYTES, (0, NOW_BYTES))
    assert is_over(1.02 * NOW_BYTES, (0, NOW_BYTES))


@pytest.mark.parametrize(("ago", "is_it"), [(30, False), (31, True)])
def test_what_came_back_while_cloudwatch_still_looked_ended_it(ago: float, *, is_it: bool) -> None:
    assert is_over(BEFORE_BYTES, (ago, NOW_BYTES - 1), (0, NOW_BYTES)) is is_it


def gone_off_again(
    left: Sequence[tuple[float, float]], *permitted: tuple[float, float], above_bytes: float | None = NOW_BYTES
) -> Situation:
    """Over ten minutes ago, with so much left and so many MiB/s permitted so many minutes before that: by a size whose
    bucket became too small for its credits, and not by another mode.
    """
    over = NOW - 10 * MINUTE
    shrunk = max((before for before, _ in permitted), default=0) - 1
    return replace(
        with_balances(*((10 + before, bytes_left) for before, bytes_left in left)),
        past_days=(PastDay(back=DAY, balances=(), cut=over - shrunk * MINUTE),),
        permitted_of_the_day=tuple((over - before * MINUTE, rate * MIB) for before, rate in permitted),
        off_since=over,
        off_above_bytes=above_bytes,
    )


BETWEEN = [(5, NOW_BYTES + 1)]
BOTH_RATES = ((15, 200), (-5, 100))


def test_the_threshold_before_is_the_last_higher_one_of_a_size_that_shrinks_hour_after_hour() -> None:
    shrinking = gone_off_again(BETWEEN, (75, 300), (70, 300), (15, 200), (10, 200), (5, 100), (-5, 100))
    assert threshold_before_it_was_over(60, shrinking) == BEFORE_BYTES


def test_the_threshold_before_is_one_of_the_hour_and_a_half_before_it_was_over() -> None:
    assert threshold_before_it_was_over(60, gone_off_again(BETWEEN, *BOTH_RATES)) == BEFORE_BYTES
    assert threshold_before_it_was_over(60, gone_off_again(BETWEEN, (90, 200), (-5, 100))) == BEFORE_BYTES
    assert threshold_before_it_was_over(60, gone_off_again(BETWEEN, (91, 200), (-5, 100))) is None
    # What is permitted from that minute on had no part in it.
    assert threshold_before_it_was_over(60, gone_off_again(BETWEEN, (0, 200), (-5, 100))) is None


def test_it_was_no_lower_threshold_where_none_is_known_of_then_or_that_is_of_no_size() -> None:
    assert threshold_before_it_was_over(60, gone_off_again(BETWEEN, *BOTH_RATES, above_bytes=None)) is None
    assert threshold_before_it_was_over(60, gone_off_again(BETWEEN, *BOTH_RATES, above_bytes=NOW_BYTES / 2)) is None
    assert threshold_before_it_was_over(60, replace(gone_off_again(BETWEEN, *BOTH_RATES), off_since=None)) is None


@pytest.mark.parametrize(
    ("left", "is_told"),
    [
        ([(5, NOW_BYTES)], True),
        ([(5, NOW_BYTES - 1)], False),
        ([(5, BEFORE_BYTES - 1)], True),
        ([(5, BEFORE_BYTES)], False),
        # The newest before it was over tells, and one of that minute or later does not.
        ([(6, NOW_BYTES - 1), (5, NOW_BYTES)], True),
        ([(5, NOW_BYTES), (0, NOW_BYTES - 1), (-1, NOW_BYTES - 1)], True),
        ([(90, NOW_BYTES)], True),
        ([(91, NOW_BYTES)], False),
        ([(0, NOW_BYTES)], False),
    ],
)
def test_a_lower_one_ended_it_only_if_what_was_left_then_was_too_little_by_the_higher_one(
    left: list[tuple[float, float]], *, is_told: bool
) -> None:
    expected = BEFORE_BYTES if is_told else None
    assert threshold_before_it_was_over(60, gone_off_again(left, *BOTH_RATES)) == expected


def test_a_threshold_that_is_higher_by_a_hundredth_or_less_is_the_same() -> None:
    assert threshold_before_it_was_over(60, gone_off_again([(5, NOW_BYTES)], (15, 101), (-5, 100))) is None
    assert has_risen(60, gone_off_again(BETWEEN, above_bytes=NOW_BYTES / 1.02))
    assert not has_risen(60, gone_off_again(BETWEEN, above_bytes=NOW_BYTES))
    assert not has_risen(60, gone_off_again(BETWEEN, above_bytes=None))


@pytest.mark.parametrize(
    ("left", "has_not"),
    [
        ([(-1, NOW_BYTES), (-9, NOW_BYTES)], True),
        ([(-1, NOW_BYTES), (-5, NOW_BYTES - 1), (-9, NOW_BYTES)], False),
        ([(0, NOW_BYTES - 1), (-9, NOW_BYTES)], False),
        # Before it was over it was below, of course.
        ([(1, NOW_BYTES - 1), (0, NOW_BYTES)], True),
    ],
)
def test_the_balance_has_fallen_below_the_lower_one_if_it_was_at_any_time_since(
    left: list[tuple[float, float]], *, has_not: bool
) -> None:
    assert has_not_fallen_below_it(gone_off_again(left)) is has_not
    assert has_not_fallen_below_it(gone_off_again([*left, (-9, 0)], above_bytes=None))


def test_since_when_it_was_over_being_unknown_all_balances_count() -> None:
    assert not has_not_fallen_below_it(replace(gone_off_again([(1, NOW_BYTES - 1)]), off_since=None))
