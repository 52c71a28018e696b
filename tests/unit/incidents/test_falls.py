"""The falls that count: where each begins, ends and was gone."""

import dataclasses
from datetime import timedelta

import pytest
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.falls import fall_under_way, falls, falls_again_and_again
from efs_monitor.incidents.situation import STEP
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.incidents.earlier_days import (
    A_WEEK,
    BATCH,
    EARNED,
    MINUTE_BYTES,
    POINTS_OF_THE_HOUR_BEFORE,
    a_day,
    a_life,
    now_with,
)
from tests.unit.strategies import NOW


@pytest.mark.parametrize("before", [-1.0, 0.0])
def test_a_fall_of_the_last_hour_began_in_the_minute_from_which_it_fell(before: float) -> None:
    """It rose before, so that the lowest of its five minutes is that of their beginning, as low as the next."""

    def left(age: int) -> float:
        return 100 + min(age, 23) + before * min(40, max(0, age - 23))

    minutes = tuple(
        BalancePoint(time=NOW - timedelta(minutes=age), balance_bytes=left(age) * MINUTE_BYTES)
        for age in range(60, -1, -1)
    )
    steps = [min(map(left, range(first - 4, first + 1))) for first in range(24 * 60, 0, -5)]
    day = a_day([steps[0]] * POINTS_OF_THE_HOUR_BEFORE + steps)
    fall = fall_under_way(dataclasses.replace(now_with(100, day), balances=minutes))
    assert fall is not None
    assert fall.began == NOW - timedelta(minutes=22)
    unknown = fall_under_way(now_with(100, day))
    assert unknown is not None
    assert unknown.began != fall.began
    # The first minute that is known is no peak if nobody knows what was before it; one within them is.
    for known, began in ((minutes[-24:], unknown.began), (minutes[-25:], fall.began)):
        half_known = fall_under_way(dataclasses.replace(now_with(100, day), balances=known))
        assert half_known is not None
        assert half_known.began == began


@pytest.mark.parametrize(("without", "comes_back_in"), [(6, 40), (6, 2), (66, 40), (66, 2), (64, 2), (68, 2)])
def test_the_time_without_credits_is_told_within_its_five_minutes(without: int, comes_back_in: int) -> None:
    """9 minutes' worth last for 9 minutes of a load, which goes on `without`; a minute's worth then comes back in so
    many.
    """
    lived = [9.0] * 20 + [9.0 - minute for minute in range(9)] + [0.0] * without
    lived += [minute / comes_back_in for minute in range(56)]
    steps = [min(lived[first : first + 6]) for first in range(0, len(lived) - 5, 5)]
    (fall,) = falls(a_day(steps).balances, MINUTE_BYTES)
    assert fall.limited / timedelta(minutes=1) == pytest.approx(without)


@pytest.mark.parametrize(
    ("lived", "ending"),
    [
        # Another joins a slow one, in the middle of five minutes or not.
        ([(30, -0.5), (3, -5.0)], 5),
        ([(30, -0.5), (1, -2.5), (3, -5.0)], 5),
        # One of two ends.
        ([(6, -5.0), (20, -0.5)], 0.5),
        ([(6, -5.0), (1, -3.5), (20, -0.5)], 0.5),
        ([(30, -0.5), (1, -5.0)], 5),
        # What was so before is no change: pulses go on as they are on average, and their rests are no time at zero.
        ([(4, -5.0), (2, 0.24), (4, -3.0), (2, 0.24), (4, -5.0)], 13 / 3),
        # A load that is about as fast all the time is one.
        ([(6, -4.0), (6, -5.0)], None),
        ([(6, -3.0), (6, -5.0)], None),
    ],
)
def test_a_load_goes_on_without_credits_as_it_was_when_they_ended_and_not_as_before_another_joined_it(
    lived: list[tuple[int, float]], ending: float | None
) -> None:
    spent = sum(-points * change for points, change in lived)
    went_on = lived[-1][1]
    day = a_day(a_life(spent + 1.2, *lived, (8, went_on), (200, EARNED)))
    fall = max(falls(day.balances, MINUTE_BYTES), key=lambda one: one.lost_bytes)
    a_step = MINUTE_BYTES / STEP.total_seconds()
    if ending is None:
        assert fall.ending_bytes_per_second == fall.bytes_per_second
    else:
        assert fall.ending_bytes_per_second / a_step == pytest.approx(ending)
        # Of the five minutes in which they ended it had what was left; the last at zero began when it had ended.
        assert fall.limited / STEP == pytest.approx(7 - 1.2 / ending)


def test_a_load_that_joins_in_the_minutes_in_which_the_credits_end_was_as_fast_as_that_takes_at_the_least() -> None:
    day = a_day(a_life(30 * 0.5 + 4, (30, -0.5), (8, -5.0), (200, EARNED)))
    fall = max(falls(day.balances, MINUTE_BYTES), key=lambda one: one.lost_bytes)
    assert fall.ending_bytes_per_second * STEP.total_seconds() / MINUTE_BYTES == pytest.approx(4)
    slow = a_day(a_life(30 * 0.5 + 0.4, (38, -0.5), (200, EARNED)))
    alone = max(falls(slow.balances, MINUTE_BYTES), key=lambda one: one.lost_bytes)
    assert alone.ending_bytes_per_second == alone.bytes_per_second


def test_a_pause_within_a_batch_does_not_end_it_and_a_long_one_does() -> None:
    def number_of_falls(pause: int) -> int:
        day = a_day(a_life(300, (12, -5.0), (pause, EARNED), (12, -5.0), (12, EARNED)))
        return len(list(falls(day.balances, MINUTE_BYTES)))

    assert number_of_falls(5) == 1
    assert number_of_falls(7) == 2


def test_a_fall_that_is_under_way_when_the_one_before_is_known_to_be_over_begins_at_its_peak() -> None:
    """A batch, 25 minutes of rest, and another one that takes less: half an hour after the first it falls already."""
    lived = a_day([*([40.0] * 24), 30, 20, 22, 24, 26, 28, 30, *[30 - 0.7 * one for one in range(1, 13)]]).balances
    first, second = falls(lived, MINUTE_BYTES)
    assert first.end == lived[25]
    # The rise of 2 meets the fall of 0.7 in the first half of these five minutes.
    assert (second.start, second.began) == (lived[30], lived[30].time)
    assert second.lost_bytes == pytest.approx(8.4 * MINUTE_BYTES)


@pytest.mark.parametrize("turned_minute", range(60, 70))
@pytest.mark.parametrize(("rise", "fall"), [(0.0, 1.0), (2.0, 0.1), (0.1, 2.0), (1.0, 1.0)])
def test_a_fall_of_an_earlier_hour_began_within_three_minutes_of_when_it_is_said_to(
    turned_minute: int, rise: float, fall: float
) -> None:
    """By how it rose and fell around it: of five minutes the lowest balance alone is known."""
    lived = [100 + rise * min(minute, turned_minute) - fall * max(0, minute - turned_minute) for minute in range(151)]
    steps = [min(lived[first : first + 6]) for first in range(0, 150, 5)]
    points = a_day(steps).balances
    (found,) = [one for one in falls(points, MINUTE_BYTES) if one.lost_bytes >= 5 * MINUTE_BYTES]
    assert (found.began - points[0].time) / timedelta(minutes=1) == pytest.approx(turned_minute, abs=3)


@pytest.mark.parametrize("full_since", [28, 37])
def test_a_fall_of_minutes_from_a_full_bucket_began_at_the_end_of_its_highest_five_minutes(full_since: int) -> None:
    """It rose until it was full, so the rise does not meet the fall; and that ended within two points of it."""
    lived = [100 + 0.4 * min(0, minute - full_since) for minute in range(40)] + [100.0 - one for one in range(8)]
    lived += [93 + 0.4 * one for one in range(40)]
    points = a_day([min(lived[first : first + 6]) for first in range(0, 80, 5)]).balances
    (found,) = falls(points, MINUTE_BYTES)
    assert (found.began - points[0].time) / timedelta(minutes=1) == pytest.approx(40, abs=2)


def test_a_fall_that_was_not_steady_at_first_began_at_the_end_of_its_highest_five_minutes() -> None:
    points = a_day([100.0] * 20 + [90.0, 90.0] + [90.0 - one for one in range(1, 9)]).balances
    (found,) = falls(points, MINUTE_BYTES)
    assert found.began == points[20].time


@pytest.mark.parametrize(("known_before", "is_whole"), [(0, False), (2, True)])
def test_what_the_first_five_minutes_took_is_not_known(known_before: int, is_whole: bool) -> None:
    (fall,) = falls(a_day([*([40.0] * known_before), 35, 25, 15]).balances, MINUTE_BYTES)
    assert fall.is_whole is is_whole


def test_the_breathing_of_a_file_system_at_work_is_no_fall() -> None:
    restless = a_life(200, *((4, EARNED), (2, -1.0)) * 45)
    assert list(falls(a_day(restless).balances, MINUTE_BYTES * 10)) == []


def test_two_falls_of_one_day_need_not_wait_for_their_time_of_day() -> None:
    """At this time of day there is calm; the batches are two and five hours later."""
    two_batches = ((36, 0.0), (12, -5.0), (48, 1.0), (12, -5.0), (180, EARNED))
    assert falls_again_and_again(now_with(60, a_day(a_life(200, *two_batches))))
    assert not falls_again_and_again(now_with(60, a_day(a_life(200, *BATCH))))
    assert not falls_again_and_again(now_with(60, a_day(a_life(200, *two_batches), back=A_WEEK)))


def test_a_balance_that_stood_still_while_nothing_was_known_of_it_ends_a_fall() -> None:
    """As in a day of elastic throughput amid a load: the fall after it is another, and began with its first point."""
    before, after = a_life(100, (6, -5.0)), a_life(68, (6, -5.0))
    day = (*a_day(before).balances, *a_day(after, back=timedelta(hours=3)).balances)
    first, second = falls(day, MINUTE_BYTES)
    assert (first.start.balance_bytes, first.end.balance_bytes) == (100 * MINUTE_BYTES, 70 * MINUTE_BYTES)
    assert second.start.balance_bytes == 68 * MINUTE_BYTES
    assert second.began == second.start.time
    # Where it fell meanwhile, the load went on.
    lower = a_day(a_life(60, (6, -5.0)), back=timedelta(hours=3)).balances
    (fall,) = falls((*a_day(before).balances, *lower), MINUTE_BYTES)
    assert fall.lost_bytes == 70 * MINUTE_BYTES


def test_a_fall_is_gone_when_nothing_is_left_and_not_when_the_last_minutes_worth_begins() -> None:
    slow = a_day([10, 5, 2, 0.9, 0.5, 0, 0, 2]).balances
    (fall,) = falls(slow, MINUTE_BYTES)
    assert fall.gone == slow[5].time
    (hovering,) = falls(a_day([10, 5, 2, 0.9, 0.5, 0.5, 2]).balances, MINUTE_BYTES)
    assert hovering.gone == slow[3].time


@pytest.mark.parametrize(("rests", "until"), [((), 6), ((0.02, -0.02, 0.02, -0.02), 10)])
def test_a_load_that_nearly_took_all_lasted_until_it_only_rose(rests: tuple[float, ...], until: int) -> None:
    """What it left takes half an hour to become a minute's worth again, in which no load is there."""
    day = a_day(a_life(30.5, (6, -5.0), *((1, one) for one in rests), (100, 0.05)))
    (fall,) = falls(day.balances, MINUTE_BYTES)
    assert fall.nearly
    assert fall.limited_until == day.balances[until].time


@pytest.mark.parametrize(("points_above", "number"), [(2, 0), (3, 1), (20, 1)])
def test_a_small_fall_that_ends_at_zero_counts_where_the_zero_is_told_anew(points_above: int, number: int) -> None:
    lived = [0.0, 0.0, *[3.0] * points_above, 0.0, *[0.0] * 6]
    found = list(falls(a_day(lived).balances, MINUTE_BYTES))
    assert len(found) == number
    assert all(fall.gone is not None for fall in found)


@given(
    st.lists(st.tuples(st.integers(6, 20), st.floats(1.5, 20), st.integers(1, 6)), min_size=1, max_size=6),
)
def test_each_zero_that_is_told_ends_a_fall(batches: list[tuple[int, float, int]]) -> None:
    lived = [0.0]
    for above, peak, at_zero in batches:
        lived += [*[peak] * above, *[0.0] * at_zero]
    found = list(falls(a_day(lived).balances, MINUTE_BYTES))
    assert len([fall for fall in found if fall.gone is not None]) == len(batches)
