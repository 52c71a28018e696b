"""Loads that went on without credits: the balance stays at zero, and only MeteredIOBytes shows them."""

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import MIB, TIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.held_down import (
    HeldByRate,
    HeldDown,
    held_by_rate,
    held_down,
    hidden_load,
    was_there_bytes_per_second,
)
from efs_monitor.incidents.needed_throughput import AT_THE_LIMIT
from efs_monitor.incidents.recurring_load import is_calm, worst_recurring_load
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay, Situation, Work

from tests.unit.incidents.earlier_days import EARNED, a_day, a_life, now_with
from tests.unit.strategies import NOW, bursting

HOUR = timedelta(hours=1)
YESTERDAY = NOW - AHEAD
# Nothing all of yesterday but for the last hours, in which it comes back.
EMPTY = a_day(a_life(0, (200, 0.0), (100, EARNED)))


def after(rates_mib: Mapping[int, float], *, minutes: float = 20) -> Situation:
    """So many MiB/s, 5 of which are there without credits, in steps of five minutes since a day ago."""
    work = tuple(
        Work(time=YESTERDAY + index * STEP, metered_bytes=mib * MIB * 300) for index, mib in sorted(rates_mib.items())
    )
    return dataclasses.replace(now_with(minutes, EMPTY), last_day=work)


def at_the_limit(first: int, last: int) -> dict[int, float]:
    return dict.fromkeys(range(first, last), 5.0)


def test_a_load_at_zero_is_held_down_where_it_takes_all_that_is_there() -> None:
    assert held_down(after(at_the_limit(24, 36))) == (HeldDown(began=YESTERDAY + 2 * HOUR, ended=YESTERDAY + 3 * HOUR),)
    assert held_down(after(dict.fromkeys(range(24, 36), 4.0))) == ()


def test_one_that_had_begun_when_the_day_began_has_no_beginning_that_is_known() -> None:
    (known,) = held_down(after(at_the_limit(1, 36)))
    assert known.is_whole
    (unknown,) = held_down(after(at_the_limit(0, 36)))
    assert not unknown.is_whole
    paused = held_down(after(at_the_limit(0, 3) | at_the_limit(5, 36)))
    assert [one.is_whole for one in paused] == [False]


def test_with_credits_nobody_is_held_down_by_their_end() -> None:
    assert held_down(after(at_the_limit(240, 252))) == ()


def test_what_is_taken_of_the_last_minutes_worth_is_not_held_down() -> None:
    slow = a_day([*([0.5] * 24), *([0.0] * 176), *([2.0] * 100)])
    situation = dataclasses.replace(after(at_the_limit(0, 36)), past_days=(slow,))
    assert held_down(situation) == (HeldDown(began=YESTERDAY + HOUR, ended=YESTERDAY + 3 * HOUR),)


def test_who_takes_what_is_earned_while_more_is_permitted_is_not_held_down() -> None:
    """Nothing for two hours, then half a minute's worth that neither falls nor rises."""
    hovering = a_day([*([0.0] * 24), *([0.5] * 176), *([2.0] * 100)])
    situation = dataclasses.replace(after(at_the_limit(0, 36)), past_days=(hovering,))
    (all_of_it,) = held_down(situation)
    assert all_of_it.ended == YESTERDAY + 3 * HOUR
    permitted = tuple((YESTERDAY + index * STEP, (5 if index < 12 else 100) * float(MIB)) for index in range(36))
    (without,) = held_down(dataclasses.replace(situation, permitted_of_the_day=permitted))
    assert without.ended == YESTERDAY + HOUR


def test_a_pause_of_a_quarter_of_an_hour_does_not_end_it_and_one_of_an_hour_does() -> None:
    assert len(held_down(after(at_the_limit(24, 36) | at_the_limit(39, 48)))) == 1
    assert len(held_down(after(at_the_limit(24, 36) | at_the_limit(48, 60)))) == 2


def test_minutes_of_another_mode_are_no_part_of_it_and_end_it() -> None:
    """Nothing was left for two hours, of which twenty minutes were in elastic throughput."""
    permitted = tuple(
        (YESTERDAY + index * STEP, (5000 if index in range(28, 32) else 5) * float(MIB)) for index in range(100)
    )
    situation = dataclasses.replace(after(at_the_limit(24, 48)), permitted_of_the_day=permitted)
    before, since = held_down(situation)
    assert (before.began, before.ended) == (YESTERDAY + 24 * STEP, YESTERDAY + 28 * STEP)
    assert (since.began, since.ended) == (YESTERDAY + 32 * STEP, YESTERDAY + 48 * STEP)


def test_a_load_that_no_fall_shows_comes_back_all_the_same() -> None:
    situation = after(at_the_limit(24, 36))
    assert worst_recurring_load(situation) is None
    assert not is_calm(situation)
    assert hidden_load(situation) == HeldDown(began=YESTERDAY + 2 * HOUR, ended=YESTERDAY + 3 * HOUR)


def test_the_next_of_several_is_named_and_minutes_are_no_load() -> None:
    assert hidden_load(after(at_the_limit(24, 26))) is None
    several = hidden_load(after(at_the_limit(36, 48) | at_the_limit(72, 96)))
    assert several is not None
    assert several.began == YESTERDAY + 3 * HOUR


def test_minutes_in_which_a_load_took_the_last_credits_are_one() -> None:
    """Less than a minute's worth had come back by then, which is no fall; later one took what is earned."""
    scanty = a_day(a_life(0, (20, 0.0), (15, 0.02), (1, -5.0), (164, 0.0), (100, EARNED)))
    situation = dataclasses.replace(after(at_the_limit(24, 25) | at_the_limit(60, 72)), past_days=(scanty,))
    assert worst_recurring_load(situation) is None
    assert hidden_load(situation) == HeldDown(began=YESTERDAY + 2 * HOUR, ended=YESTERDAY + 2 * HOUR + STEP)


def test_what_a_fall_shows_is_told_by_the_fall() -> None:
    fallen = a_day(a_life(40, (24, 0.0), (12, -5.0), (60, 0.0), (190, EARNED)))
    work = tuple(Work(time=YESTERDAY + index * STEP, metered_bytes=5 * MIB * 300) for index in range(24, 80))
    situation = dataclasses.replace(now_with(20, fallen), last_day=work)
    assert held_down(situation) != ()
    assert hidden_load(situation) is None


def test_one_that_is_over_for_today_is_not_to_come() -> None:
    """It began more than 24 hours ago, and would show."""
    situation = dataclasses.replace(after(at_the_limit(0, 12)), time=NOW + timedelta(minutes=30))
    assert hidden_load(situation) is None


def test_a_fall_that_began_more_than_a_day_ago_tells_nothing_of_the_load_that_went_on() -> None:
    """It was under way at this time of day, an hour before which the credits had gone."""
    fallen = a_day(a_life(40, (8, -5.0), (200, 0.0), (80, EARNED)))
    situation = dataclasses.replace(after(at_the_limit(0, 190)), past_days=(fallen,))
    (load,) = held_down(situation)
    assert worst_recurring_load(situation) is None
    assert hidden_load(situation) == load
    assert not load.is_whole


def test_a_load_that_took_the_credits_of_more_than_a_day_did_not_begin_when_they_were_gone() -> None:
    """It had taken them since before this time of day, until they were gone six hours later."""
    fallen = a_day(a_life(168, (84, -2.0), (130, 0.0), (74, EARNED)))
    situation = dataclasses.replace(after(at_the_limit(72, 202)), past_days=(fallen,))
    load = hidden_load(situation)
    assert load is not None
    assert (load.began, load.is_whole, load.comes_at_any_hour) == (YESTERDAY + 6 * HOUR, True, True)
    began_then = hidden_load(after(at_the_limit(72, 202)))
    assert began_then is not None
    assert not began_then.comes_at_any_hour


def test_what_was_there_without_credits_is_what_was_permitted_then() -> None:
    situation = after(at_the_limit(24, 36))
    (load,) = held_down(situation)
    assert was_there_bytes_per_second(load, situation) == (5 * MIB, 5 * MIB)
    # It has grown since; in the five minutes in which the credits ended more was permitted, and later too.
    rates = {24: 100, 25: 4.5, 26: 4.6, 36: 4.8}
    permitted = tuple((YESTERDAY + index * STEP, mib * float(MIB)) for index, mib in rates.items())
    grown = dataclasses.replace(situation, permitted_of_the_day=permitted)
    assert was_there_bytes_per_second(load, grown) == (4.5 * MIB, 4.6 * MIB)
    # It has shrunk since: more was there than now, and not what credits permitted when they ended.
    rates = {24: 100, **dict.fromkeys(range(25, 36), 8.4), 36: 5.0}
    permitted = tuple((YESTERDAY + index * STEP, mib * float(MIB)) for index, mib in rates.items())
    shrunk = dataclasses.replace(after(dict.fromkeys(range(24, 36), 8.4)), permitted_of_the_day=permitted)
    assert was_there_bytes_per_second(load, shrunk) == (8.4 * MIB, 8.4 * MIB)


def test_who_took_all_that_was_there_before_it_grew_was_held_down() -> None:
    """To 4.5 MiB/s, of the 5 that the size earns since; in the next minutes clients took less than was there."""
    situation = after(dict.fromkeys(range(24, 36), 4.5) | dict.fromkeys(range(36, 48), 4.6))
    rates = dict.fromkeys(range(24, 36), 4.5) | dict.fromkeys(range(36, 48), 5.0)
    permitted = tuple((YESTERDAY + index * STEP, mib * MIB) for index, mib in rates.items())
    grown = dataclasses.replace(situation, permitted_of_the_day=permitted)
    assert held_down(grown) == (HeldDown(began=YESTERDAY + 2 * HOUR, ended=YESTERDAY + 3 * HOUR),)


def test_two_times_without_credits_are_told_and_the_pause_of_half_an_hour_between_two_loads() -> None:
    back_between = a_day([*([0.0] * 48), *([5.0] * 12), *([0.0] * 140), *([9.0] * 100)])
    twice = dataclasses.replace(after(at_the_limit(20, 30) | at_the_limit(60, 70)), past_days=(back_between,))
    assert [one.began for one in held_down(twice)] == [YESTERDAY + step * STEP for step in (20, 60)]
    assert len(held_down(after(at_the_limit(24, 36) | at_the_limit(41, 48)))) == 1
    assert len(held_down(after(at_the_limit(24, 36) | at_the_limit(42, 48)))) == 2


def test_all_but_a_twentieth_of_what_is_there_is_all_and_a_quarter_of_an_hour_of_it_is_a_load() -> None:
    assert [len(held_down(after(dict.fromkeys(range(24, 36), mib)))) for mib in (4.75, 4.74)] == [1, 0]
    assert [hidden_load(after(at_the_limit(24, until))) is not None for until in (27, 26)] == [True, False]


def test_a_single_five_minutes_of_another_mode_end_it() -> None:
    for other, ended in ((28, [28, 48]), (None, [48])):
        permitted = tuple((YESTERDAY + index * STEP, (5000.0 if index == other else 5.0) * MIB) for index in range(100))
        situation = dataclasses.replace(after(at_the_limit(24, 48)), permitted_of_the_day=permitted)
        assert [one.ended for one in held_down(situation)] == [YESTERDAY + step * STEP for step in ended]


def test_what_was_there_in_its_first_five_minutes_counts_and_what_was_after_its_last_does_not() -> None:
    situation = after(at_the_limit(24, 36))
    (load,) = held_down(situation)
    rates = {23: 4.2, 24: 4.4, 30: 4.6, 35: 4.9, 36: 5.0}
    permitted = tuple((YESTERDAY + index * STEP, mib * MIB) for index, mib in rates.items())
    grown = dataclasses.replace(situation, permitted_of_the_day=permitted)
    assert was_there_bytes_per_second(load, grown) == (4.4 * MIB, 4.9 * MIB)


def held_at(
    rates_mib: Sequence[float],
    *,
    moved: float = AT_THE_LIMIT,
    moved_mib: Sequence[float] = (),
    minutes: float = 200,
    missing: int | None = None,
) -> HeldByRate | None:
    """Of 2 TiB, which may have 200 MiB/s with credits and 100 without: so much was permitted, and that share of it
    moved, or what is given of the first of them, with so many minutes' worth of 200 MiB/s.
    """
    all_moved_mib = [*moved_mib, *(moved * rate for rate in rates_mib[len(moved_mib) :])]
    times = [YESTERDAY + (20 + index) * STEP for index in range(len(rates_mib))]
    day = PastDay(
        back=AHEAD,
        balances=tuple(
            BalancePoint(time=YESTERDAY + index * STEP, balance_bytes=minutes * 200 * MIB * 60) for index in range(60)
        ),
    )
    situation = dataclasses.replace(
        now_with(minutes, day),
        file_system=bursting(2 * TIB),
        reference_bytes_per_second=200 * MIB,
        baseline_bytes_per_second=100 * MIB,
        permitted_of_the_day=tuple((time, rate * MIB) for time, rate in zip(times, rates_mib, strict=True)),
        last_day=tuple(
            Work(time=time, metered_bytes=mib * MIB * 300)
            for index, (time, mib) in enumerate(zip(times, all_moved_mib, strict=True))
            if index != missing
        ),
    )
    return held_by_rate(situation)


def test_clients_were_held_by_a_rate_below_that_of_credits_for_a_quarter_of_an_hour() -> None:
    assert held_at([105, 108, 106]) == HeldByRate(
        began=YESTERDAY + 20 * STEP,
        ended=YESTERDAY + 23 * STEP,
        minutes=15,
        least_bytes_per_second=105 * MIB,
        bytes_per_second=108 * MIB,
        is_provisioned=False,
    )
    assert held_at([105, 105]) is None
    assert held_at([105, 105, 105], missing=2) is None
    # A little less is what clients wanted; and so is what takes all but a twentieth of what credits permit.
    assert held_at([105, 105, 105], moved=AT_THE_LIMIT - 0.001) is None
    assert held_at([105, 105, 190]) is None
    assert held_at([105, 105, 189]) is not None


@pytest.mark.parametrize(
    ("after_mib", "is_known"),
    [
        ((110, 110, 110), True),
        ((107, 109, 180), True),
        ((0, 0, 0), False),
        ((110, 110), False),
        ((110, 110, 20), False),
        ((110, 106, 110), False),
        ((194, 194, 194), False),
    ],
)
def test_who_goes_on_as_fast_where_more_is_permitted_wanted_no_more_before(
    after_mib: tuple[float, ...], is_known: bool
) -> None:
    """A file system that grows under a load of 110 MiB/s; who takes all that credits permit by then may want more."""
    rates = [*[110] * 4, *[200] * len(after_mib)]
    assert (held_at(rates, moved_mib=[*[110] * 4, *after_mib]) is None) is is_known


def test_whoever_has_credits_for_less_than_a_minute_at_that_rate_has_none() -> None:
    """Half a minute's worth of 200 MiB/s are a whole one of 100."""
    assert held_at([100, 100, 100], minutes=0.5) is not None
    assert held_at([100, 100, 100], minutes=0.499) is None


def since_another_mode(first: int, until: int, held: int) -> int | None:
    """When the load began that elastic throughput let through in these steps, and that was held down later."""
    situation = after(dict.fromkeys(range(first, until), 50.0) | at_the_limit(held, held + 12))
    permitted = tuple(
        (YESTERDAY + index * STEP, (5000.0 if first <= index < until else 5.0) * MIB) for index in range(100)
    )
    load = hidden_load(dataclasses.replace(situation, permitted_of_the_day=permitted))
    assert load is not None
    assert load.began == YESTERDAY + held * STEP
    return None if load.since is None else (load.since - YESTERDAY) // STEP


def test_a_load_that_another_mode_let_through_was_there_before_it_was_held_down() -> None:
    assert since_another_mode(20, 28, 28) == 20
    # Less than half an hour is a pause.
    assert [since_another_mode(20, 28, held) for held in (33, 34, 50)] == [20, None, None]
    # It began a day ago, at this very time.
    assert since_another_mode(0, 8, 8) == 0
