"""Falls of the last day that were as fast as the one under way, and ended by themselves."""

import dataclasses
from collections.abc import Sequence
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import MIB, TIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.falls_alike import FallsAlike, falls_alike, top_of_the_fall
from efs_monitor.incidents.situation import AHEAD, PastDay, Situation
from efs_monitor.mail.falls_that_ended import fell_as_fast

from tests.unit.incidents.earlier_days import EARNED, MINUTE_BYTES, now_with
from tests.unit.incidents.test_falling_since import minute_by_minute
from tests.unit.strategies import NOW, bursting

MINUTE = timedelta(minutes=1)
# In minutes at the permitted rate, by minutes ago: what was left before the fall under way, which began then.
TOP, BEGAN = 30.0, 9
PACE = 0.8
HOURLY = (60, 120, 180)


def falling(
    *ended_minutes_ago: int, top: float = TOP, minutes: int = 10, pace: float = PACE, least: float = 10
) -> Situation:
    """Batches of so many minutes that left at `least` so much, and one that goes on since nine minutes."""
    points = [
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=_left(age, ended_minutes_ago, minutes, pace, least))
        for age in range(26 * 60, 10, -5)
    ]
    hour = [
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=MINUTE_BYTES * _now(age, top, pace))
        for age in range(59, -1, -1)
    ]
    return dataclasses.replace(
        now_with(top, PastDay(back=AHEAD, balances=tuple(points))), balances=tuple(hour), pace=15 * MINUTE
    )


def _now(age: int, top: float, pace: float) -> float:
    return top - pace * (BEGAN - age) if age < BEGAN else top - (age - BEGAN) * EARNED / 5


def _left(age: int, ends: Sequence[int], minutes: int, pace: float, least: float) -> float:
    """The lowest of the five minutes from then on: that at their end while it falls."""
    for end in ends:
        if end <= age - 5 < end + minutes:
            return MINUTE_BYTES * (least + (age - 5 - end) * pace)
        if age - 5 < end and end - age < 30:
            return MINUTE_BYTES * (least + max(0, end - age) * EARNED / 5)
    return MINUTE_BYTES * (least + minutes * pace)


def found(situation: Situation) -> FallsAlike:
    alike = falls_alike(situation)
    assert alike is not None
    return alike


def test_each_is_counted_with_the_longest_and_the_deepest_of_them() -> None:
    alike = found(falling(*HOURLY))
    assert (alike.times, alike.longest) == (3, 10 * MINUTE)
    # And what may have been earned in the five minutes before, and in its first.
    assert alike.most_bytes / MINUTE_BYTES == pytest.approx(10 * PACE + 2 * EARNED, abs=0.01)
    assert alike.left_bytes / MINUTE_BYTES == pytest.approx(TOP - 10 * PACE - 2 * EARNED, abs=0.01)


def test_it_may_take_twice_as_much_while_a_minute_is_left_then() -> None:
    twice = 2 * (10 * PACE + 2 * EARNED)
    assert found(falling(*HOURLY, top=twice + 1.05)).spares_as_much
    assert not found(falling(*HOURLY, top=twice + 0.95)).spares_as_much


def test_what_may_have_been_taken_by_now_counts() -> None:
    """The newest balance is as old as a datapoint may be."""
    situation = falling(*HOURLY)
    assert found(dataclasses.replace(situation, time=NOW + 10 * MINUTE)).spares_as_much
    assert not found(dataclasses.replace(situation, time=NOW + 13 * MINUTE)).spares_as_much


def test_one_alone_may_have_been_anything() -> None:
    assert falls_alike(falling(60)) is None
    assert found(falling(60, 120)).times == 2


@pytest.mark.parametrize(("times_as_fast", "is_alike"), [(1.2, True), (1.3, False)])
def test_a_fall_that_is_faster_by_more_than_a_quarter_is_another_one(times_as_fast: float, is_alike: bool) -> None:
    """It has taken less than they did: they went on for longer."""
    slow = falling(*HOURLY, minutes=20)
    balances = tuple(
        one._replace(balance_bytes=TOP * MINUTE_BYTES - (TOP * MINUTE_BYTES - one.balance_bytes) * factor)
        for one in slow.balances
        for factor in [times_as_fast if one.time > NOW - BEGAN * MINUTE else 1]
    )
    assert (falls_alike(dataclasses.replace(slow, balances=balances)) is not None) is is_alike


def test_one_that_has_taken_more_already_is_another_one() -> None:
    assert falls_alike(falling(*HOURLY, minutes=5)) is None


@pytest.mark.parametrize(("minutes", "is_alike"), [(18, True), (24, False)])
def test_one_that_has_lasted_longer_than_any_of_them_is_another_one(minutes: int, is_alike: bool) -> None:
    """It is slower, and has taken less so far: they went on for ten minutes, known to five at both ends."""
    situation = falling(*HOURLY)
    left = [
        TOP - (age - minutes) * EARNED / 5 if age > minutes else TOP - (minutes - age) * PACE / 3 for age in range(60)
    ]
    slow = tuple(
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=MINUTE_BYTES * left[age]) for age in range(59, -1, -1)
    )
    assert (falls_alike(dataclasses.replace(situation, balances=slow)) is not None) is is_alike


def test_credits_that_ended_in_one_of_them_are_another_story() -> None:
    assert falls_alike(falling(*HOURLY, least=0.9)) is None
    assert falls_alike(falling(*HOURLY, least=1.0)) is not None


def test_nothing_is_said_where_too_little_would_be_left() -> None:
    once = 10 * PACE + 2 * EARNED
    assert falls_alike(falling(*HOURLY, top=once + 0.95)) is None
    assert falls_alike(falling(*HOURLY, top=once + 1.05)) is not None


def test_nor_where_nobody_knows_from_where_it_fell() -> None:
    situation = falling(*HOURLY)
    for shown in (situation.balances[-5:], situation.balances[-1:]):
        assert falls_alike(dataclasses.replace(situation, balances=shown)) is None


def test_nor_where_the_balance_does_not_fall() -> None:
    situation = falling(*HOURLY)
    risen = tuple(
        one._replace(balance_bytes=TOP * MINUTE_BYTES + index) for index, one in enumerate(situation.balances)
    )
    assert falls_alike(dataclasses.replace(situation, balances=risen)) is None


def test_what_is_older_than_a_day_is_not_counted() -> None:
    assert found(falling(*HOURLY, 25 * 60)).times == 3


def with_a_nightly_batch(*, ended_minutes_ago: int, minutes: int) -> Situation:
    """Three batches of ten minutes in the last hours, and one of so many minutes a day ago that left a minute's."""
    nightly = falling(ended_minutes_ago, minutes=minutes, least=1)
    hourly = falling(*HOURLY, top=200, least=1 + (minutes - 10) * PACE)
    (hours,), (night,) = hourly.past_days, nightly.past_days
    points = (
        earlier if earlier.time < NOW - 20 * 60 * MINUTE else later
        for earlier, later in zip(night.balances, hours.balances, strict=True)
    )
    return dataclasses.replace(hourly, past_days=(PastDay(back=AHEAD, balances=tuple(points)),))


def with_one_deeper(
    *, others: int = 12, ended_minutes_ago: int = 16 * 60 + 30, minutes: int = 21, top: float = TOP
) -> Situation:
    """Batches of ten minutes, one each hour, and before them one as fast of so many minutes, each from one balance."""
    hourly = falling(*range(60, 60 * others + 1, 60), top=top, least=30)
    deeper = falling(ended_minutes_ago, minutes=minutes, least=30 + (10 - minutes) * PACE)
    (hours,), (deep,) = hourly.past_days, deeper.past_days
    points = (
        min(one, other, key=lambda point: point.balance_bytes)
        for one, other in zip(hours.balances, deep.balances, strict=True)
    )
    return dataclasses.replace(hourly, past_days=(PastDay(back=AHEAD, balances=tuple(points)),))


def test_one_far_deeper_fall_among_many_of_one_length_is_apart_from_them() -> None:
    """One heavy hour would else keep an hourly job from being known for a day."""
    alike = found(with_one_deeper())
    assert (alike.times, alike.longest) == (12, 10 * MINUTE)
    assert alike.most_bytes / MINUTE_BYTES == pytest.approx(10 * PACE + 2 * EARNED, abs=0.01)
    assert alike.apart is not None
    assert alike.apart.began == NOW - (16 * 60 + 55) * MINUTE
    assert alike.apart.lost_bytes == pytest.approx(21 * PACE * MINUTE_BYTES, rel=0.1)
    assert found(falling(*HOURLY)).apart is None


def test_it_is_not_apart_from_few_nor_where_it_is_hardly_deeper_nor_about_this_time_of_the_day() -> None:
    assert [found(with_one_deeper(others=others)).times for others in (9, 10)] == [10, 10]
    assert found(with_one_deeper(others=9)).apart is None
    hardly = found(with_one_deeper(minutes=19))
    assert (hardly.times, hardly.apart) == (13, None)
    for ended_minutes_ago, is_apart in ((22 * 60 + 30, True), (22 * 60 + 35, False)):
        alike = found(with_one_deeper(ended_minutes_ago=ended_minutes_ago, top=60))
        assert (alike.apart is not None) is is_apart


def test_a_mail_names_the_one_that_is_apart() -> None:
    situation = with_one_deeper()
    assert fell_as_fast(found(situation), situation).endswith(
        " at full speed. One that began at about 19:05 UTC on Sun 6 Jan is not among these: it took far more, about "
        "98 GiB."
    )
    few = falling(*HOURLY)
    assert fell_as_fast(found(few), few).endswith(" at full speed.")


def test_one_that_ended_the_credits_is_never_apart() -> None:
    situation = with_one_deeper()
    (day,) = situation.past_days
    dry = tuple(
        one._replace(balance_bytes=0.0) if one.time == NOW - (16 * 60 + 35) * MINUTE else one for one in day.balances
    )
    assert falls_alike(dataclasses.replace(situation, past_days=(dataclasses.replace(day, balances=dry),))) is None


def test_one_that_began_more_than_a_day_ago_counts_whole() -> None:
    """The batch of yesterday: what of it lies in the last 24 hours is less than it took."""
    alike = found(with_a_nightly_batch(ended_minutes_ago=24 * 60 - 20, minutes=60))
    assert (alike.times, alike.longest) == (4, 60 * MINUTE)
    assert alike.most_bytes / MINUTE_BYTES == pytest.approx(60 * PACE + 2 * EARNED, abs=0.01)


def test_nor_where_the_batch_of_yesterday_took_more_a_little_earlier() -> None:
    """It may be late today. One that took no more says nothing against the others."""
    assert falls_alike(with_a_nightly_batch(ended_minutes_ago=24 * 60 + 20, minutes=60)) is None
    assert found(with_a_nightly_batch(ended_minutes_ago=24 * 60 + 20, minutes=10)).times == 3


def test_nor_where_one_began_before_anything_is_known() -> None:
    assert falls_alike(with_a_nightly_batch(ended_minutes_ago=24 * 60 - 20, minutes=180)) is None


@pytest.mark.parametrize("minutes_ago", [75, 70, 65, 60, 55])
def test_nor_where_a_step_is_missing_in_one_of_them(minutes_ago: int) -> None:
    """What happened in it nobody knows: it may have gone on to zero. At five minutes past its end it was over."""
    situation = falling(*HOURLY)
    (day,) = situation.past_days
    balances = tuple(one for one in day.balances if one.time != NOW - minutes_ago * MINUTE)
    assert len(balances) == len(day.balances) - 1
    cut = dataclasses.replace(situation, past_days=(dataclasses.replace(day, balances=balances),))
    assert (falls_alike(cut) is None) is (minutes_ago > 55)


def after_drops(
    *falls: tuple[int, Sequence[float]],
    began_ago: int = 9,
    pace: float = 0.75,
    newest_step_ago: int | None = None,
    top: float = 100.0,
) -> Situation:
    """Falls that ended so many minutes ago and took so much in each five minutes, each from 100 minutes' worth or
    another `top`; and one from 30, that began so long ago.
    """
    left: dict[int, float] = {}
    for ended_ago, drops in falls:
        for index in range(len(drops)):
            left[ended_ago + 5 * (len(drops) - index)] = top - sum(drops[: index + 1])
    first = max(age for age in left) + 100
    newest = min(left) if newest_step_ago is None else newest_step_ago
    points = [
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=MINUTE_BYTES * left.get(age, top))
        for ended_ago, _ in falls[:1]
        for age in range(first - (first - ended_ago) % 5, newest - 1, -5)
    ]
    hour = [
        BalancePoint(
            time=NOW - age * MINUTE,
            balance_bytes=MINUTE_BYTES
            * (30 - pace * (began_ago - age) if age < began_ago else 30 - (age - began_ago) / 8),
        )
        for age in range(59, -1, -1)
    ]
    return dataclasses.replace(
        now_with(30, PastDay(back=AHEAD, balances=tuple(points))), balances=tuple(hour), pace=15 * MINUTE
    )


# What 100 GiB earn in ten minutes, exactly.
EARNED_BESIDE = 125 / 256


@pytest.mark.parametrize(
    ("falls", "times"),
    [
        # The fastest five minutes count, and a quarter more is as fast.
        ([(60, (1, 3)), (120, (3, 1))], None),
        ([(60, (1, 9)), (120, (9, 1))], 2),
        ([(60, (3.7, 3, 3)), (120, (3, 3, 3))], 2),
        ([(60, (3.7, 3, 3)), (120, (2.9, 2.9, 2.9))], None),
        # It ended a day ago.
        ([(1440, (9,)), (60, (9,))], 2),
        ([(1441, (9,)), (61, (9,))], None),
    ],
)
def test_those_count_that_were_as_fast_and_ended_in_the_day_before_this_one(
    falls: list[tuple[int, Sequence[float]]], times: int | None
) -> None:
    alike = falls_alike(after_drops(*falls))
    assert (None if alike is None else alike.times) == times


@pytest.mark.parametrize(("rest", "is_alike"), [(6, False), (45, True)])
def test_a_job_that_another_one_follows_is_no_earlier_fall_of_it(rest: int, is_alike: bool) -> None:
    """A load of 60 minutes, an hour later one of 45, and after a rest another, which has gone on for 40: from half an
    hour on the rest would end a fall.
    """
    jobs = [*[-0.6] * 60, *[0.05] * 60, *[-0.6] * 45, *[0.05] * rest, *[-0.6] * 40]
    situation = minute_by_minute([*[0.05] * 300, *jobs], left=90)
    fifteen = dataclasses.replace(situation, pace=15 * MINUTE)
    assert (falls_alike(fifteen) is not None) is is_alike


@pytest.mark.parametrize(("ended_ago", "is_alike"), [(4, True), (3, False)])
def test_one_counts_that_ended_when_this_one_began_or_five_minutes_later(ended_ago: int, is_alike: bool) -> None:
    """That is how coarse it is known."""
    drops = ((ended_ago, (9,)), (ended_ago + 60, (9,)))
    assert (falls_alike(after_drops(*drops, top=31)) is not None) is is_alike


def test_a_minutes_worth_must_be_left_by_as_deep_a_one_and_no_more_than_there_is() -> None:
    def left(deepest: float) -> float | None:
        alike = falls_alike(after_drops((60, (deepest,)), (120, (deepest,))))
        return None if alike is None else alike.left_bytes / MINUTE_BYTES

    assert [left(29 - EARNED_BESIDE), left(29.01 - EARNED_BESIDE)] == [1, None]
    assert [left(6.75 - EARNED_BESIDE), left(6.74 - EARNED_BESIDE)] == [23.25, None]


def test_it_may_have_lasted_ten_minutes_longer_as_both_ends_are_known_to_five() -> None:
    alike = [falls_alike(after_drops((60, (13,)), (120, (13,)), began_ago=ago)) for ago in (15, 16)]
    assert [one is not None for one in alike] == [True, False]


def test_twice_as_much_may_be_taken_where_a_minutes_worth_is_left_then_and_less_is_gone_by_now() -> None:
    def spares(deepest: float, *, minutes_later: int = 0) -> bool:
        situation = after_drops((60, (deepest,)), (120, (deepest,)))
        return found(dataclasses.replace(situation, time=NOW + minutes_later * MINUTE)).spares_as_much

    assert [spares(14.5 - EARNED_BESIDE), spares(14.51 - EARNED_BESIDE)] == [True, False]
    late = [spares(6.75 - EARNED_BESIDE, minutes_later=minutes) for minutes in (9, 10)]
    assert late == [True, False]


@pytest.mark.parametrize(
    ("left", "top"),
    [
        ([5, *[9] * 4, 10, 9, 8], 2),
        ([9, *[9] * 3, 10, 9, 8], None),
        ([*[8] * 5, 10, 10, 9, 9, 9, 8], 5),
        ([*[8] * 4, 10, 10, 9, 9, 9, 8], None),
        ([8, 9, 9, 9, 10, 10, 9, 8], None),
        ([8, 8, 8, 8, 8, 8, 8], None),
        ([*[8] * 3, 9, 9, 10, 9.5, 9.6, 9, 8.5, 8], 5),
    ],
)
def test_the_top_is_the_minute_after_which_it_was_never_as_high_if_it_was_lower_five_minutes_before(
    left: list[float], top: int | None
) -> None:
    points = [
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=one)
        for age, one in zip(range(len(left) - 1, -1, -1), left, strict=True)
    ]
    found_top = top_of_the_fall(dataclasses.replace(now_with(30), balances=tuple(points)))
    assert (None if found_top is None else (NOW - found_top.time) // MINUTE) == top


def test_with_another_size_what_fell_as_fast_was_another_load() -> None:
    larger = dataclasses.replace(
        falling(*HOURLY, top=60), file_system=bursting(3 * TIB), reference_bytes_per_second=300.0 * MIB
    )
    assert falls_alike(larger) is not None
    permitted = tuple((one.time, 153.3 * MIB) for one in larger.balances_of_the_day)
    # One of them is enough: nobody knows which of them this one is like.
    for steps in (permitted, permitted[:-20]):
        assert falls_alike(dataclasses.replace(larger, permitted_of_the_day=steps)) is None


@pytest.mark.parametrize("before", [1, 2])
def test_the_fall_under_way_is_none_of_those_before_it_while_it_pauses_for_a_minute(before: int) -> None:
    """Its top is in the five minutes that end with its lowest balance by now."""
    rest, pulse = [0.02] * 18, [-0.97] * 3
    situation = minute_by_minute([*[0.02] * 120, *[*pulse, *rest] * before, -0.97, -0.97, 0.02, 0.02], left=20.0)
    top = top_of_the_fall(situation)
    assert top is not None
    assert top.time == NOW - 4 * MINUTE
    alike = falls_alike(situation)
    assert (0 if alike is None else alike.times) == (0 if before == 1 else before)
