"""The falls that count: where each begins, ends and was gone."""

import dataclasses
from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.falls import (
    Fall,
    began_by_the_minute,
    comes_again,
    fall_under_way,
    falls,
    falls_again_and_again,
    is_in_pulses,
    parts_faster_than,
    pulses_of,
    slow_bytes_per_second,
    smallest_fall_minutes,
)
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
@pytest.mark.parametrize(("rise", "fall"), [(0.0, 1.0), (2.0, 0.1), (0.1, 2.0), (1.0, 1.0), (0.5, 1.5)])
def test_a_fall_of_an_earlier_hour_began_with_the_five_minutes_that_are_nearest_to_when_it_did(
    turned_minute: int, rise: float, fall: float
) -> None:
    """By how it rose and fell around it: of five minutes the lowest balance alone is known."""
    lived = [100 + rise * min(minute, turned_minute) - fall * max(0, minute - turned_minute) for minute in range(151)]
    steps = [min(lived[first : first + 6]) for first in range(0, 150, 5)]
    points = a_day(steps).balances
    (found,) = [one for one in falls(points, MINUTE_BYTES) if one.lost_bytes >= 5 * MINUTE_BYTES]
    assert (found.began - points[0].time) / timedelta(minutes=1) == 5 * round(turned_minute / 5)
    # The point before it tells less: the size earned on, or the load had begun.
    assert found.top_bytes == pytest.approx(lived[turned_minute] * MINUTE_BYTES)
    assert found.fell_bytes == pytest.approx((lived[turned_minute] - lived[-1]) * MINUTE_BYTES)


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


# Bytes that can be counted: 10 a second are permitted, so that less than 10 are nothing, and 3,000 are a fall.
A_MINUTE = 600.0


def at(steps: int) -> datetime:
    return NOW + steps * STEP


def life(*left: float | None, first: int = 0) -> list[BalancePoint]:
    """The lowest of each five minutes; None are those of which nothing is known."""
    return [BalancePoint(time=at(step), balance_bytes=one) for step, one in enumerate(left, first) if one is not None]


def by_rates(start: float, *bytes_per_second: float) -> list[float]:
    """What is left after each five minutes at such a rate."""
    lived = [start]
    for rate in bytes_per_second:
        lived.append(max(0.0, lived[-1] - 300 * rate))
    return lived


def the_fall(*left: float | None, first: int = 0) -> Fall:
    (fall,) = falls(life(*left, first=first), A_MINUTE)
    return fall


def test_a_rest_of_half_an_hour_ends_a_fall_once_a_minutes_worth_is_back() -> None:
    rising = [5000, 0, 100, 200, 300, 400, 500]
    assert the_fall(*rising, 600, 400, 0).limited_until == at(1)
    assert the_fall(*rising, 599, 400, 0).limited_until == at(9)
    one, two = (
        len(list(falls(life(9000, 5000, *[5000 + 100 * n for n in range(rest)], 1000), A_MINUTE))) for rest in (5, 6)
    )
    assert (one, two) == (1, 2)


def test_the_next_fall_begins_at_the_highest_of_the_rest_whatever_came_back_later() -> None:
    first, second = falls(life(10000, 4000, 5000, 6000, 7000, 6500, 6000, 5500, 7200, 3000), A_MINUTE)
    assert (first.start.time, first.end.time) == (at(0), at(1))
    assert (second.start.time, second.end.time) == (at(4), at(9))


@pytest.mark.parametrize(
    ("before", "after", "number"),
    [
        # A fall of 3,000 before, and one after it, are two where nothing is known for half an hour between them.
        ([9000, 6000], [None] * 5 + [5999, 2999], 2),
        ([9000, 6000], [None] * 4 + [5999, 2999], 1),
        # What took five minutes' worth meanwhile went on.
        ([20000, 15000], [None] * 5 + [12001, 9001], 2),
        ([20000, 15000], [None] * 5 + [12000, 9000], 1),
        # At zero nobody knows whether it did: a minute's worth is something.
        ([9000, 3500], [None] * 5 + [600, 550], 1),
        ([9000, 3500], [None] * 5 + [599, 550], 1),
    ],
)
def test_a_balance_that_stood_still_for_half_an_hour_unseen_ends_a_fall(
    before: list[float | None], after: list[float | None], number: int
) -> None:
    assert len(list(falls(life(*before, *after), A_MINUTE))) == number


def test_what_stood_still_unseen_above_a_minutes_worth_is_the_beginning_of_another() -> None:
    starts = []
    for left in (600.0, 599.0):
        found = list(falls(life(9000, 3500, *[None] * 5, left, *[left] * 3, 5), A_MINUTE))
        starts.append([fall.end.time for fall in found])
    assert starts == [[at(1), at(11)], [at(11)]]


def test_five_minutes_worth_are_a_fall_and_less_is_one_only_where_it_would_end_the_credits() -> None:
    assert [len(list(falls(life(9000, left), A_MINUTE))) for left in (6000, 6001)] == [1, 0]
    assert [len(list(falls(life(9000, left), A_MINUTE, 2.0))) for left in (7800, 7801)] == [1, 0]
    smallest = [smallest_fall_minutes(now_with(minutes)) for minutes in (0.5, 1, 3, 5, 9)]
    assert smallest == [1, 1, 3, 5, 5]


@pytest.mark.parametrize(
    ("low", "limited", "until"),
    [
        ([50], [2], 2),
        ([50, 40], [2, 3], 3),
        ([50, 50], [2], 2),
        ([50, 60, 70], [2], 2),
        ([50, 60, 40, 70], [2, 3, 4], 4),
    ],
)
def test_what_was_nearly_gone_was_so_up_to_the_last_time_that_more_was_taken(
    low: list[float], limited: list[int], until: int
) -> None:
    fall = the_fall(5000, 3000, *low, 700)
    assert fall.nearly
    assert (fall.gone, fall.limited_until) == (at(2), at(until))
    assert fall.took_all_in == tuple(map(at, limited))


def test_the_five_minutes_before_the_end_did_not_take_all() -> None:
    fall = the_fall(9000, 5, 0, 0, 700)
    assert (fall.before_the_end.time, fall.took_all_in) == (at(1), (at(2), at(3)))


@pytest.mark.parametrize(
    ("rates", "ending"),
    [
        # Twice as fast at last is another load, after five minutes of both, too.
        ((4, 4, 4, 8), 8),
        ((4, 4, 4, 7.9), 19.9 / 4),
        ((2, 4, 6), 6),
        ((4, 7.2, 7.2, 8), 26.4 / 4),
        ((4, 7.2, 7.2, 8, 8), 34.4 / 5),
        ((4, 4, 8, 7.6), 23.6 / 4),
        # Half as fast for ten minutes, too, and for five it is a pause.
        ((8, 8, 4), 20 / 3),
        ((8, 8, 4, 4), 4),
        ((8, 7.6, 4, 4), 4),
        ((7.6, 8, 7.6, 4, 4), 31.2 / 5),
        ((8, 8, 4.8, 4), 24.8 / 4),
        # What is faster by more than a half is not as fast.
        ((12, 6, 4), 5),
        ((12, 6.4, 4), 22.4 / 3),
        ((13, 4, 6.4, 4), 27.4 / 4),
        # However slow it is.
        ((*[2] * 6, *[1] * 4), 1),
        # A pause takes none of its time.
        ((6, 0, 6), 6),
        ((6, -1, 6), 6),
        ((0.8, 0.8, 0.8, 0.9, *[0.8] * 9), 0.1 / 13 + 0.8),
        ((0.4, *[0.5] * 24), 12.4 / 25),
    ],
)
def test_how_fast_it_was_at_last_is_that_of_the_load_that_joined_or_stayed(
    rates: Sequence[float], ending: float
) -> None:
    fall = the_fall(*by_rates(20000, *rates))
    assert fall.ending_bytes_per_second == pytest.approx(ending)


@pytest.mark.parametrize(
    ("left", "ending"),
    [
        # In five minutes all, and as fast as it may at the most, but for what it took.
        ((6000, 5, 0), 5995 / 300),
        ((2400, 1500, 0), 10),
        ((2100, 1200, 0), 8),
        # What it took later is nothing of that.
        ((1000, 1000, 1000, 1000, 700, 590, 0), 2),
    ],
)
def test_a_load_that_took_all_at_once_was_on_average_there_for_half_of_five_minutes(
    left: Sequence[float], ending: float
) -> None:
    assert the_fall(*[left[0]] * 3, *left).ending_bytes_per_second == pytest.approx(ending)


def test_without_what_follows_nobody_knows_that_it_came_back_within_the_last_five_minutes() -> None:
    """It takes 10 bytes a second, and ends the credits with the beginning of the second five minutes of three."""
    lived = [6000, 6000, 6000, 6000, 3000, 0, 0, 0]
    assert the_fall(*lived).limited == 2 * STEP
    # It rose from zero through the next two points, whatever comes after.
    assert the_fall(*lived, 60, 120, 600).limited == STEP
    assert the_fall(*lived, 60, 60, 600).limited == 2 * STEP


def under_way(*lived: float, ago: int = 0) -> Fall | None:
    """The fall under way of a day at 60 minutes' worth that ended so many points before now with these."""
    calm = [60.0] * (POINTS_OF_THE_HOUR_BEFORE + 289 - ago - len(lived))
    return fall_under_way(now_with(lived[-1], a_day([*calm, *lived])))


def test_a_fall_is_under_way_until_half_an_hour_after_its_lowest_or_the_last_zero() -> None:
    assert [under_way(50, 40, ago=ago) is not None for ago in (5, 6)] == [True, False]
    assert [under_way(30, 0, 0, 0, 0, ago=ago) is not None for ago in (5, 6)] == [True, False]


def test_the_fall_under_way_is_that_since_it_was_highest() -> None:
    """Less than half an hour of rest is a pause; in it more came back than had been there, or as much."""
    higher, as_high = (under_way(50, 55, top, 56, 50, 45, 40) for top in (62, 60))
    assert higher is not None
    assert (higher.start.balance_bytes, higher.start.time) == (62 * MINUTE_BYTES, NOW - 4 * STEP)
    # Before its rise nothing is looked at: it turned in the five minutes after it.
    assert higher.began == NOW - 3 * STEP
    assert as_high is not None
    assert (as_high.start.balance_bytes, as_high.start.time) == (60 * MINUTE_BYTES, NOW - 7 * STEP)
    assert under_way(50, 55, 62, 60) is None
    dipped = under_way(40, 58, 57, 62, 56, 50, 45, 40)
    assert dipped is not None
    assert dipped.start.balance_bytes == 62 * MINUTE_BYTES


@pytest.mark.parametrize(
    ("around", "began", "top"),
    [
        # It rose by 3,000 and fell by as much in five minutes, and turned a third of these after they began.
        ([3000, 6000, 8000, 5000, 2000], 0, 10000),
        # A rise that was slower, and one that had stopped in the five minutes before.
        ([8999, 9000, 9000, 8999, 8998], 0, 9001),
        ([9000, 9000, 9000, 7500, 4500], 2, 9000),
        ([8000, 9000, 7500, 4500, 1500], 1, 9000),
        # Up to a twentieth of the rise and the fall beside it, it is still one turn; else it fell after its highest.
        ([3000, 6000, 8300, 5000, 2000], 0, 10000),
        ([3000, 6000, 8301, 5000, 2000], 1, 8301),
        ([3000, 6000, 7700, 5000, 2000], 0, 10000),
        ([3000, 6000, 7699, 5000, 2000], 1, 7699),
        # It fell no further at once.
        ([3000, 6000, 8000, 5000, 5000], 1, 8000),
        # With four of them known nobody can tell.
        ([None, 6000, 8000, 5000, 2000], 1, 8000),
        ([None, None, 8000, 5000, 2000], 0, 8000),
    ],
)
def test_a_fall_began_where_the_rise_before_its_highest_five_minutes_meets_the_fall_after_them(
    around: Sequence[float | None], began: int, top: float
) -> None:
    """In five minutes since the highest began; and what there was by then."""
    (fall,) = [one for one in falls(life(*around, 5, first=-2), A_MINUTE) if one.lost_bytes > 3000]
    start = fall.start.time
    assert (fall.began - start) // STEP == began
    assert fall.top_bytes == top


@pytest.mark.parametrize(
    ("minutes", "began"),
    [
        # Five minutes before the highest five at the most, and five after it began at the most.
        ({-5: 10, -4: 9, 6: 8}, -4),
        ({-6: 12, -5: 10, -4: 9, 6: 8}, -4),
        ({-5: 8, 5: 10, 6: 12}, 6),
        ({-5: 8, 3: 10, 4: 10, 5: 9}, 5),
        # The first that is known may have fallen already.
        ({-4: 10, -3: 9, 5: 8}, 0),
        ({6: 10, 7: 9}, 0),
    ],
)
def test_a_fall_began_a_minute_after_the_highest_around_its_beginning(minutes: dict[int, float], began: int) -> None:
    fall = the_fall(9000, 1000)
    known = [BalancePoint(time=NOW + timedelta(minutes=one), balance_bytes=left) for one, left in minutes.items()]
    assert began_by_the_minute(fall, known).began == NOW + timedelta(minutes=began)


def test_a_fall_comes_again_unless_it_had_gone_on_for_a_quarter_of_an_hour_by_this_time_of_day() -> None:
    fall = the_fall(9000, 1000)
    ago = timedelta(days=1) - timedelta(minutes=15)
    edge = now_with(60)
    begins = [edge.balances[-1].time - timedelta(days=1) - timedelta(minutes=minutes) for minutes in (15, 14)]
    assert ago > timedelta(0)
    assert [comes_again(dataclasses.replace(fall, began=one), edge) for one in begins] == [False, True]


def test_a_slow_fall_is_as_slow_as_in_half_of_its_half_hours_or_as_just_before_a_moment() -> None:
    """It falls by 1,200 in five minutes six times, and by 2,400 four times: 24 to 40 bytes a second for half an hour
    each.
    """
    drops = [4.0] * 6 + [8.0] * 4
    lived = by_rates(30000, *drops)
    fall = the_fall(*lived)
    around = [*life(30000, first=-1), *life(*lived), *life(lived[-1] + 10, first=11)]
    slow = [slow_bytes_per_second(fall, around, at(step)) for step in (5, 6, 7, 8, 11)]
    assert slow == pytest.approx([32 / 6, 24 / 6, 28 / 6, 32 / 6, 32 / 6])
    short = the_fall(*by_rates(30000, *[4.0] * 3, *[8.0] * 3)[:6])
    assert slow_bytes_per_second(short, life(*lived), at(9)) == short.bytes_per_second


def test_the_faster_parts_of_a_slow_fall_are_falls_by_themselves() -> None:
    """A bit at a time, and two loads amid it; half an hour at the slow rate is a rest, and less is none."""
    for rest, number in ((6, 2), (5, 1)):
        lived = by_rates(60000, *[1.0] * 8, 12.0, 12.0, *[1.0] * rest, 12.0, 12.0, *[1.0] * 8)
        parts = list(parts_faster_than(1.0, the_fall(*lived), life(*lived), A_MINUTE))
        assert len(parts) == number
        assert all(one.is_amid_another for one in parts)
        assert parts[0].start.time == at(8)
        assert parts[-1].end.time == at(12 + rest)
    fast_at_both_ends = by_rates(60000, 12.0, *[1.0] * 8, 12.0)
    fall = the_fall(*fast_at_both_ends)
    around = [*life(61000, first=-1), *life(*fast_at_both_ends), *life(fast_at_both_ends[-1] + 10, first=11)]
    parts = list(parts_faster_than(1.0, fall, around, A_MINUTE))
    assert [(one.start.time, one.end.time) for one in parts] == [(at(0), at(1)), (at(9), at(10))]


def test_a_load_is_in_pulses_that_rests_three_times_for_half_of_the_time() -> None:
    def in_pulses(*rates: float, more: float = 0.0) -> bool:
        lived = by_rates(60000, *rates)
        around = [*life(99000, first=-1), *life(*lived), *life(lived[-1] - 900, first=len(lived))]
        return is_in_pulses(the_fall(*lived), around, more)

    assert in_pulses(12, -1, -1, 12, -1, -1, 12, -1, -1, 12)
    # Ten minutes are a rest, and five are none.
    assert not in_pulses(12, -1, 12, -1, -1, 12, -1, 12, -1, -1)
    # Three pulses are some, and two are none.
    assert in_pulses(12, 0, 0, 0, 12, 0, 0, 0, 12)
    assert not in_pulses(12, 0, 0, 0, 0, 12)
    # It rests for half of the time.
    assert in_pulses(12, -1, -1, 12, 12, -1, -1, 12)
    assert not in_pulses(12, 12, -1, -1, 12, 12, -1, -1, 12)
    # What is more than four times as long as any of them is another load, and says nothing of their rests.
    assert not in_pulses(12, -1, -1, 12, -1, -1, 12, -1, -1, *[12] * 4)
    assert in_pulses(12, -1, -1, 12, -1, -1, 12, -1, -1, *[12] * 5)
    assert not in_pulses(12, -1, -1, *[12] * 10)
    # What is no faster than another load beside it rests as well.
    assert in_pulses(12, 3, 3, 12, 3, 3, 12, 3, 3, 12, more=3)
    assert not in_pulses(12, 3.1, 3.1, 12, 3, 3, 12, 3, 3, 12, more=3)


def test_the_pulses_of_a_fall_are_falls_amid_another_where_the_balance_falls_in_their_rests() -> None:
    lived = by_rates(60000, 12, 0, 0, 12, -1, -1, 12, 1, 1, 12)
    fall = dataclasses.replace(the_fall(*lived), is_amid_another=True)
    around = [*life(61000, first=-1), *life(*lived), *life(lived[-1] + 600, first=11)]
    found = list(pulses_of(fall, around, A_MINUTE, bytes_per_second=1.0))
    assert [(one.start.time, one.end.time) for one in found] == [(at(step), at(step + 1)) for step in (0, 3, 6, 9)]
    assert [one.is_amid_another for one in found] == [False, False, False, True]
    # What takes any credits is no rest, where nothing else goes on beside it.
    restless = by_rates(60000, 12, 0.9, 0.9, 12, -1, -1, 12)
    whole = [(one.start.time, one.end.time) for one in pulses_of(the_fall(*restless), life(*restless), A_MINUTE)]
    assert whole == [(at(0), at(4)), (at(6), at(7))]
    alone = dataclasses.replace(fall, is_amid_another=False)
    assert not any(one.is_amid_another for one in pulses_of(alone, around, A_MINUTE, bytes_per_second=1.0))


def test_the_last_pulse_takes_with_it_what_is_known_of_ten_minutes_after_it() -> None:
    """They tell when the credits began to come back."""
    points = life(*by_rates(9000, 10, -1, -1, 10, -1, -1, 12), 0, 60, 120, 900)
    (fall,) = falls(points, A_MINUTE)
    *_, last = pulses_of(fall, points, A_MINUTE)
    *_, part = parts_faster_than(0, fall, points, A_MINUTE)
    assert (last.limited, part.limited) == (timedelta(0), timedelta(0))
    (unknown,) = falls(points[:-3], A_MINUTE)
    *_, last = pulses_of(unknown, points[:-3], A_MINUTE)
    # At 12 bytes a second what had been left lasted for 50 seconds of these five minutes.
    assert last.limited == STEP - timedelta(seconds=50)
