"""Loads of another throughput mode, which no fall of the balance shows."""

import dataclasses
from collections.abc import Mapping
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.situation import AHEAD, DAY, STEP, PastDay, Situation, Work
from efs_monitor.incidents.unlimited_load import loads_of_another_mode, unlimited_load

from tests.unit.incidents.earlier_days import MINUTE_BYTES, now_with

HOUR = timedelta(hours=1)
NEWEST = now_with(20).balances[-1].time
FIRST = NEWEST - DAY


def elastic_until(step: int, rates_mib: Mapping[int, float], *, minutes: float = 20) -> Situation:
    """So many MiB/s in steps of five minutes since a day ago, in elastic throughput until that step."""
    work = tuple(
        Work(time=FIRST + index * STEP, metered_bytes=mib * MIB * 300) for index, mib in sorted(rates_mib.items())
    )
    permitted = tuple((FIRST + index * STEP, (1024 if index < step else 100) * MIB) for index in range(288))
    balances = tuple(
        BalancePoint(
            time=FIRST + index * STEP,
            balance_bytes=minutes * MINUTE_BYTES + sum(mib * MIB * 300 for at, mib in rates_mib.items() if at > index),
        )
        for index in range(step, 288)
    )
    situation = now_with(minutes, PastDay(back=AHEAD, balances=balances))
    return dataclasses.replace(situation, last_day=work, permitted_of_the_day=permitted)


def a_load(first: int, last: int, mib: float = 60) -> dict[int, float]:
    return dict.fromkeys(range(first, last), mib)


def test_a_load_that_elastic_throughput_let_pass_is_laid_upon_the_balance() -> None:
    """20 minutes at 100 MiB/s, two hours of 4.9 more, and 55.1 MiB/s less: gone within three quarters of an hour."""
    load = unlimited_load(elastic_until(100, a_load(24, 60)))
    assert load is not None
    assert (load.began, load.ended) == (FIRST + 2 * HOUR, FIRST + 5 * HOUR)
    assert load.metered_bytes_per_second == 60 * MIB
    assert load.gone
    # (20 * 100 * 60 + 2 * 3600 * 4.88 - 6000) / 55.1 = 2,707 s
    assert load.time == NEWEST + 2 * HOUR + timedelta(minutes=50)


def test_what_is_moved_between_loads_is_not_gained() -> None:
    """4 of the 4.88 MiB/s that are earned in the two hours before it are taken again."""
    quiet = dict.fromkeys(range(24), 4.0)
    alone, beside = (unlimited_load(elastic_until(100, a_load(24, 60) | one, minutes=8)) for one in ({}, quiet))
    assert alone is not None
    assert beside is not None
    # (8 * 6000 + 2 * 3600 * 4.88 - 6000) / 55.1 = 1,400 s, and with 28,800 MiB less 877 s.
    assert alone.time == NEWEST + 2 * HOUR + 5 * STEP
    assert beside.time == NEWEST + 2 * HOUR + 3 * STEP


def test_one_that_leaves_something_says_how_much() -> None:
    load = unlimited_load(elastic_until(100, a_load(24, 60), minutes=150))
    assert load is not None
    assert not load.gone
    assert load.left_bytes / (6000 * MIB) == pytest.approx(150 + 2 * 3600 * 4.88 / 6000 - 3 * 3600 * 55.12 / 6000, 0.01)
    assert load.time == load.ended + DAY


def test_the_load_that_ends_the_credits_counts_more_than_an_earlier_one_that_leaves_too_little() -> None:
    both = unlimited_load(elastic_until(250, a_load(24, 60) | a_load(100, 140), minutes=150))
    assert both is not None
    assert both.gone
    assert both.began == FIRST + 100 * STEP
    assert both.follows_others


def test_what_leaves_an_hour_or_takes_next_to_nothing_is_no_news() -> None:
    assert unlimited_load(elastic_until(100, a_load(24, 60), minutes=200)) is None
    assert unlimited_load(elastic_until(100, a_load(24, 30, mib=4.8))) is None
    assert unlimited_load(elastic_until(100, a_load(24, 30, mib=6))) is None


@pytest.mark.parametrize(("minutes", "gone"), [(1.5, True), (2, True), (3, True), (4, False)])
def test_a_load_that_takes_little_ends_what_is_less(minutes: float, gone: bool) -> None:
    """Three minutes' worth in five minutes: it is no news where enough is left, and the end where it is not."""
    load = unlimited_load(elastic_until(100, a_load(3, 4, 65), minutes=minutes))
    assert (load is not None) is gone
    assert load is None or load.gone


def test_a_load_of_bursting_shows_in_the_balance_and_not_here() -> None:
    assert unlimited_load(elastic_until(20, a_load(24, 60))) is None
    part = unlimited_load(elastic_until(36, a_load(24, 60)))
    assert part is not None
    assert part.ended == FIRST + 3 * HOUR


def test_a_pause_of_minutes_ends_no_load_and_the_next_load_finds_what_the_one_before_left() -> None:
    paused = unlimited_load(elastic_until(200, a_load(24, 36) | a_load(39, 48), minutes=60))
    assert paused is not None
    assert paused.ended == FIRST + 4 * HOUR
    # 110 minutes less 33 leave more than an hour; 33 more do not.
    second = unlimited_load(elastic_until(200, a_load(24, 36) | a_load(48, 60), minutes=110))
    assert second is not None
    assert second.began == FIRST + 4 * HOUR


def test_what_credits_do_not_permit_takes_as_much_of_them_only_longer() -> None:
    """An hour at 400 MiB/s is four at 100, which end 20 minutes' worth and two hours of 4.88 in half an hour."""
    load = unlimited_load(elastic_until(100, a_load(24, 36, mib=400)))
    assert load is not None
    assert (load.is_faster, load.gone) == (True, True)
    assert (load.ended, load.metered_bytes_per_second) == (FIRST + 3 * HOUR, 400 * MIB)
    # (20 * 6000 + 7200 * 4.88 - 6000) / 95.1 = 1,568 s
    assert load.time == NEWEST + 2 * HOUR + 6 * STEP
    longer = unlimited_load(elastic_until(100, a_load(24, 36, mib=400), minutes=180))
    assert longer is not None
    assert longer.gone
    # (180 * 6000 + 7200 * 4.88 - 6000) / 95.1 = 11,662 s, which is after the hour.
    assert longer.time == NEWEST + 2 * HOUR + 39 * STEP
    left = unlimited_load(elastic_until(100, a_load(24, 36, mib=400), minutes=250))
    assert left is not None
    assert not left.gone
    assert left.time == NEWEST + 6 * HOUR
    assert left.left_bytes / (6000 * MIB) == pytest.approx(250 + 2 * 3600 * 4.88 / 6000 - 4 * 3600 * 95.12 / 6000, 0.01)
    assert not unlimited_load(elastic_until(100, a_load(24, 60))).is_faster  # type: ignore[union-attr] # there is one


def test_what_waits_when_the_next_load_begins_is_taken_with_that() -> None:
    both = elastic_until(200, a_load(24, 26, mib=700) | a_load(33, 40, mib=100), minutes=150)
    load = unlimited_load(both)
    assert load is not None
    # 70 minutes' worth from 2:00 on, of which 45 are gone when 35 more begin, and all are at 3:45.
    assert (load.gone, load.time, load.follows_others) == (False, NEWEST + 3 * HOUR + 9 * STEP, True)
    assert load.left_bytes / (6000 * MIB) == pytest.approx(150 + 2 * 3600 * 4.88 / 6000 - 105 * 60 * 95.12 / 6000, 0.01)


def test_a_rest_within_a_load_earns() -> None:
    paused = unlimited_load(elastic_until(200, a_load(24, 36) | a_load(39, 48), minutes=60))
    assert paused is not None
    assert paused.metered_bytes_per_second / MIB == pytest.approx(60 * 21 / 24)
    taken = 21 * 300 * 55.12 - 3 * 300 * 4.88
    assert paused.left_bytes / (6000 * MIB) == pytest.approx((60 * 6000 + 7200 * 4.88 - taken) / 6000, 0.01)


def test_where_nothing_is_known_there_is_none() -> None:
    assert unlimited_load(now_with(20)) is None


@pytest.mark.parametrize(("first", "is_whole"), [(0, False), (1, True)])
def test_what_was_under_way_at_the_edge_of_what_is_known_has_no_beginning(first: int, is_whole: bool) -> None:
    load = unlimited_load(elastic_until(100, a_load(first, 60)))
    assert load is not None
    assert load.is_whole is is_whole


def test_a_load_that_was_under_way_takes_credits_from_the_newest_balance_on() -> None:
    """Where metrics are a quarter of an hour late the day that is known begins so much later than this time of it."""
    in_time = unlimited_load(elastic_until(100, a_load(0, 60)))
    situation = elastic_until(100, a_load(0, 60))
    (newest,) = situation.balances
    late = unlimited_load(dataclasses.replace(situation, balances=(newest._replace(time=newest.time - 3 * STEP),)))
    assert in_time is not None
    assert late is not None
    assert in_time.time - late.time == 3 * STEP


def test_before_the_first_load_of_a_young_file_system_there_was_none() -> None:
    """It is four hours old, and the load was there from its beginning on: it comes in twenty hours."""
    young = elastic_until(276, a_load(240, 260))
    permitted = tuple(one for one in young.permitted_of_the_day if one[0] >= FIRST + 240 * STEP)
    load = unlimited_load(dataclasses.replace(young, permitted_of_the_day=permitted))
    assert load is not None
    assert not load.is_whole
    assert load.time >= FIRST + 240 * STEP + DAY + 10 * STEP


# What 100 GiB earn in five minutes, and that as a rate in MiB/s.
EARNED_BYTES = 5_120_000 * 300
EARNED_MIB = 5_120_000 / MIB


def test_what_takes_more_than_is_earned_is_a_load_and_half_an_hour_without_it_ends_one() -> None:
    def spans(rates_mib: Mapping[int, float]) -> list[tuple[int, int]]:
        found = loads_of_another_mode(elastic_until(100, rates_mib))
        return [((one.began - FIRST) // STEP, (one.ended - FIRST) // STEP) for one in found]

    assert spans({24: EARNED_MIB, 30: 4.0}) == []
    assert spans({24: EARNED_MIB + 0.001}) == [(24, 25)]
    assert spans({24: 60, 29: 60}) == [(24, 30)]
    assert spans({24: 60, 30: 60}) == [(24, 25), (30, 31)]


def test_what_is_left_is_what_is_there_and_what_is_gained_less_what_the_load_takes() -> None:
    """Two hours earn, but for what little is moved in them; three hours take what is moved less what is earned."""
    gained, taken = 24 * EARNED_BYTES, 36 * (60 * MIB * 300 - EARNED_BYTES)
    for quiet in ({}, {0: 4.0}, {23: 4.0}):
        load = unlimited_load(elastic_until(100, a_load(24, 60) | quiet, minutes=150))
        assert load is not None
        assert load.left_bytes == 150 * MINUTE_BYTES + gained - taken - 4 * MIB * 300 * len(quiet)
        assert (load.gone, load.follows_others, load.is_faster, load.is_whole) == (False, False, False, True)


def test_an_hours_worth_that_is_left_is_enough_and_nothing_is_left_where_they_are_gone() -> None:
    taken = 36 * (60 * MIB * 300 - EARNED_BYTES) - 24 * EARNED_BYTES
    for beyond, is_told in ((0, False), (-300, True)):
        situation = elastic_until(100, a_load(24, 60))
        (newest,) = situation.balances
        left = newest._replace(balance_bytes=60.0 * MINUTE_BYTES + taken + beyond)
        assert (unlimited_load(dataclasses.replace(situation, balances=(left,))) is not None) is is_told
    gone = unlimited_load(elastic_until(100, a_load(24, 60)))
    assert gone is not None
    assert gone.left_bytes == 0


def test_a_load_that_is_faster_than_credits_permit_goes_on_until_all_is_moved() -> None:
    """Twice as much as in an hour: it takes two, unless another comes before."""
    for mib, minutes, ended in ((200, 160, 48), (100, 100, 36)):
        load = unlimited_load(elastic_until(100, a_load(24, 36, mib), minutes=minutes))
        assert load is not None
        assert load.is_faster is (ended == 48)
        assert load.time == FIRST + ended * STEP + DAY
