"""What the size earned in the last day is read off the balance and what was metered, and counts in what comes back."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from efs_monitor.efs.credits import GIB, MIB, SAME_RATE, TIB, earned_bytes_per_second, full_bucket_bytes
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.changed_earning import ChangedEarning, changed_earning
from efs_monitor.incidents.falls import falls
from efs_monitor.incidents.mode_steps import ANOTHER_MODE, NOT_FULL
from efs_monitor.incidents.recurring_load import RecurringLoad, is_calm, worst_recurring_load
from efs_monitor.incidents.situation import AHEAD, DAY, STEP, PastDay, Situation, Work
from efs_monitor.mail.coming_day import what_comes_back
from hypothesis import assume, example, given
from hypothesis import strategies as st

from simulation import burst_credits
from simulation.file_system import Load, created, step
from tests.quick import first_of
from tests.unit.incidents.earlier_days import (
    EARNED,
    FULL,
    MINUTE_BYTES,
    POINTS_OF_THE_HOUR_BEFORE,
    a_day,
    a_life,
    now_with,
    with_work,
)
from tests.unit.incidents.simulated_metrics import lived as lived_by_the_model
from tests.unit.strategies import NOW, bursting

# In points of five minutes: calm until two hours from this time of day, a load of three hours, and calm again.
BEFORE, LOAD, AFTER = POINTS_OF_THE_HOUR_BEFORE + 24, 36, 228
EARNED_NOW = earned_bytes_per_second(100 * GIB)

# What is looked at: a day, and the hours before it of which nobody asks what was moved.
MINUTES = 26 * 60
# From the minute, for so many minutes, so many minutes of so many, at this rate in MiB/s.
IDLE: tuple[tuple[int, int, int, int, float], ...] = ()
BATCH = ((200, 100, 1, 1, 60.0),)
PULSES = ((0, MINUTES, 3, 10, 5.0),)
LARGE_PULSES_AND_A_BATCH = ((0, MINUTES, 3, 10, 61.0), (697, 64, 1, 1, 47.0))
A_BATCH_AND_LARGE_PULSES = ((0, MINUTES, 3, 10, 61.0), (130, 30, 1, 1, 90.0))


def loads_mib(*stretches: tuple[int, int, int, int, float]) -> list[float]:
    """Of each minute until now; a later stretch replaces what it overlaps."""
    loads = [0.0] * MINUTES
    for start, length, on, period, mib in stretches:
        for minute in range(start, min(MINUTES, start + length)):
            loads[minute] = mib if minute % period < on else 0.0
    return loads


a_stretch = st.tuples(
    st.integers(0, MINUTES - 1),
    st.integers(1, MINUTES),
    st.integers(1, 6),
    st.integers(1, 13),
    st.sampled_from((0.0, 0.3, 2.0, 5.0, 9.0, 20.0, 47.0, 61.0, 100.0, 400.0)),
)
loads = st.lists(a_stretch, max_size=8).map(lambda drawn: loads_mib(*drawn))


def changed_at(minute: int, before_bytes: int, after_bytes: int) -> list[int]:
    return [before_bytes] * minute + [after_bytes] * (MINUTES - minute)


def lived(minutes: float, *, earned_then: float, load: float, known_work: bool = True) -> Situation:
    """So much left now of a file system of 100 GiB, and a day behind it in which it earned and moved so much in each
    five minutes, in minutes at the permitted rate.
    """
    day = a_day(a_life(200, (BEFORE, earned_then), (LOAD, earned_then - load), (AFTER, earned_then)))
    # The lowest of a rise is that of its beginning, that of a fall of its end.
    metered = [0.0] * (BEFORE - POINTS_OF_THE_HOUR_BEFORE + 1) + [load] * LOAD + [0.0] * (AFTER - 1)
    situation = now_with(minutes, day)
    return with_work(situation, metered, [100.0] * len(metered)) if known_work else situation


def grown_after_the_load(minutes: float) -> Situation:
    """So much left now, of a file system that earned ten times as much for the rest of that day."""
    day = a_day(a_life(200, (BEFORE, EARNED), (LOAD, EARNED - 4), (48, EARNED), (AFTER - 48, 10 * EARNED)))
    metered = [0.0] * (BEFORE - POINTS_OF_THE_HOUR_BEFORE + 1) + [4.0] * LOAD + [0.0] * (AFTER - 1)
    return with_work(now_with(minutes, day), metered, [100.0] * len(metered))


def found(situation: Situation) -> RecurringLoad:
    recurring = worst_recurring_load(situation)
    assert recurring is not None
    return recurring


def test_a_size_that_earned_as_much_changes_nothing() -> None:
    changed = changed_earning(lived(100, earned_then=EARNED, load=3.0))
    assert changed.more_bytes(NOW - AHEAD, NOW) == 0
    assert not changed.earns_less
    assert found(lived(100, earned_then=EARNED, load=3.0)).earned_then_bytes_per_second is None


def test_what_was_permitted_tells_exactly_what_another_size_earned() -> None:
    """1,500 GiB with credits may have 146.5 MiB/s, and without them 73.2; neither is in whole MiB/s."""
    sizes = [1500 * GIB] * 20 * 60 + [120 * GIB] * 6 * 60
    loads = [0.0] * 10 * 60 + [160.0] * 5 * 60 + [0.0] * 11 * 60
    shrank = changed_earning(lived_by_the_model(loads, standard_bytes=sizes, left_share=0.2))
    earned = {round(shrank.earned_then(NOW - timedelta(hours=hours)) / MIB, 2) for hours in (20, 14, 12, 7)}
    assert earned == {73.24}
    assert shrank.earned_then(NOW - timedelta(hours=2)) == earned_bytes_per_second(120 * GIB)


def test_what_more_than_two_tib_are_permitted_without_credits_is_all_that_they_earned() -> None:
    """2,300 GiB may have 112.3 MiB/s without credits, as a smaller size with them, which would earn half of that."""
    sizes = [2300 * GIB] * 20 * 60 + [700 * GIB] * 6 * 60
    loads = [300.0] * 18 * 60 + [0.0] * 8 * 60
    shrank = changed_earning(lived_by_the_model(loads, standard_bytes=sizes, left_share=0.0))
    earned = {round(shrank.earned_then(NOW - timedelta(hours=hours)) / MIB, 1) for hours in (20, 14, 9, 7)}
    assert earned == {112.3}


@pytest.mark.parametrize("load_mib", [60.0, 4.0])
def test_hours_that_took_less_than_was_earned_before_the_first_fall_may_end_what_a_smaller_size_has(
    load_mib: float,
) -> None:
    """Their loss was told as that of the fall, hours later."""
    loads = loads_mib((180, 300, 1, 1, load_mib), (900, 60, 1, 1, 90.0))
    sizes = [2000 * GIB if minute < 600 else 100 * GIB for minute in range(MINUTES)]
    situation = lived_by_the_model(loads, standard_bytes=sizes, left_share=0.05)
    recurring = found(situation)
    assert recurring.gone_before_it is (load_mib > 5)
    if recurring.gone_before_it:
        # They begin an hour after this time of day.
        left_minutes = (situation.balance_bytes + 3600 * EARNED_NOW) / (load_mib * MIB - EARNED_NOW) / 60
        assert recurring.time - NOW == pytest.approx(timedelta(minutes=60 + left_minutes), abs=timedelta(minutes=15))
        told = what_comes_back(situation, 180)
        assert "Before that clients took less than the size earned then. It earns 4.9 MiB/s now: if those" in told
        assert f"hours come again, they are gone at about {recurring.time:%H:%M} UTC" in told
    else:
        assert recurring.time > NOW + timedelta(hours=12)


@pytest.mark.parametrize("times", [0.5, 4, 10])
def test_what_another_size_earned_is_told(times: float) -> None:
    changed = changed_earning(lived(100, earned_then=times * EARNED, load=6.0))
    at_any_time = [changed.earned_then(NOW - AHEAD + hours * timedelta(hours=1)) for hours in (0, 3, 12)]
    assert at_any_time == pytest.approx([times * EARNED_NOW] * 3, rel=0.03)
    assert changed.earns_less is (times > 1)


def test_nothing_is_told_of_a_day_with_another_throughput_mode_that_no_metric_shows() -> None:
    """What a provisioned rate let through took no credits, and reads as more that was earned."""
    situation = lived(100, earned_then=2 * EARNED, load=5.0)
    assert changed_earning(situation).earns_less
    resumed = replace(situation, resumed=NOW - timedelta(minutes=20))
    assert not changed_earning(resumed).earns_less
    assert changed_earning(replace(situation, resumed=NOW - timedelta(hours=25))).earns_less


def test_a_size_that_changed_after_such_a_mode_was_over_is_told_by_the_hours_since() -> None:
    """900 GiB until four hours ago, and 2,250 since; the monitor saw eleven hours ago that the mode was over."""
    sizes = [900 * GIB] * 22 * 60 + [2250 * GIB] * 4 * 60
    loads = [40.0] * 26 * 60
    loads[15 * 60 : 18 * 60] = [90.0] * 3 * 60
    grew = replace(
        lived_by_the_model(loads, standard_bytes=sizes, left_share=0.3), resumed=NOW - timedelta(hours=11, minutes=3)
    )
    changed = changed_earning(grew)
    earned = [changed.earned_then(NOW - timedelta(hours=hours)) / MIB for hours in (20, 10, 6, 2)]
    assert earned == pytest.approx([43.9, 43.9, 43.9, 109.9], rel=0.03)


def test_a_file_system_that_shrank_since_is_left_with_less_than_that_day_took() -> None:
    shrank = lived(150, earned_then=10 * EARNED, load=4.9)
    # Two hours earn little now, and the load takes all that it moves but for what is earned meanwhile.
    assert found(shrank).gone is True
    left = 150 + 24 * EARNED - 1
    assert found(shrank).time == pytest.approx(NOW + timedelta(hours=2) + STEP + left / (4.9 - EARNED) * STEP, abs=STEP)
    assert found(shrank).earned_then_bytes_per_second == pytest.approx(10 * EARNED_NOW, rel=0.02)
    as_then = lived(150, earned_then=10 * EARNED, load=4.9, known_work=False)
    assert found(as_then).gone is False


def test_a_file_system_that_grew_since_is_left_with_more() -> None:
    grew = found(lived(150, earned_then=EARNED / 2, load=3.0))
    assert grew.left_bytes / MINUTE_BYTES == pytest.approx(150 + 24 * EARNED - LOAD * (3.0 - EARNED), abs=0.5)


def test_a_load_that_fell_then_and_does_not_now_leaves_all() -> None:
    grew = lived(150, earned_then=EARNED / 10, load=EARNED * 0.95)
    assert next(falls(grew.balances_of_the_day, MINUTE_BYTES)).lost_bytes > 0
    assert worst_recurring_load(grew) is None


def test_what_a_load_took_without_credits_is_reckoned_with_what_is_earned_now_too() -> None:
    """It went on for the last hour and more without any: it takes all that it wanted, less what is earned now."""
    earned, load = 5 * EARNED, 5.0
    # Of the five minutes after it the lowest is that of their beginning.
    day = a_day(a_life(20, (BEFORE, earned), (LOAD, earned - load), (1, 0), (AFTER - 1, earned)))
    steps = [point.balance_bytes / MINUTE_BYTES for point in day.balances][POINTS_OF_THE_HOUR_BEFORE:-1]
    is_loaded = [24 < step <= 24 + LOAD for step in range(len(steps))]
    metered = [0.0 if not one else load if left > 0 else earned for one, left in zip(is_loaded, steps, strict=True)]
    shrank = with_work(now_with(350, day), metered, [100.0] * len(metered))
    left = found(shrank).left_bytes / MINUTE_BYTES
    assert left == pytest.approx(350 + 24 * EARNED - LOAD * (load - EARNED), abs=1)


def test_a_load_below_what_is_earned_is_counted_in_its_own_five_minutes() -> None:
    """The balance rises all the time; the lowest of five minutes is that of their beginning."""
    taken = [0.0, 0.9 * EARNED] * 144
    rises = [EARNED] * POINTS_OF_THE_HOUR_BEFORE + [EARNED - one for one in taken]
    situation = with_work(now_with(100, a_day(a_life(100, *((1, one) for one in rises)))), taken, [100.0] * 288)
    assert not changed_earning(situation).times


@pytest.mark.more
@given(
    loads,
    st.sampled_from((0, 1000, 2**20, 10 * GIB, 100 * GIB, 400 * GIB, TIB, 3 * TIB)),
    st.sampled_from((0.0, 0.002, 0.05, 0.5, 0.97, 0.985, 1.0)),
    st.sets(st.integers(0, MINUTES // 5 - 1), max_size=9),
)
@example(loads_mib(*LARGE_PULSES_AND_A_BATCH), 400 * GIB, 0.4, set())
def test_no_load_whatever_looks_like_another_size(
    drawn_mib: list[float], standard_bytes: int, left_share: float, missing: set[int]
) -> None:
    """The lowest balance of five minutes lies anywhere in them, on a bucket that is full, empty or between, and
    datapoints may be missing.
    """
    situation = lived_by_the_model(drawn_mib, standard_bytes=standard_bytes, left_share=left_share)
    (day,) = situation.past_days
    known = tuple(one for index, one in enumerate(day.balances) if index not in missing)
    changed = changed_earning(replace(situation, past_days=(replace(day, balances=known),)))
    assert not changed.times


@pytest.mark.whole
@pytest.mark.parametrize(
    ("gib", "stretches", "times"),
    [
        *((30, IDLE, times) for times in (0.1, 0.75, 1.25, 10)),
        *first_of(((30, stretches, times) for stretches in (BATCH, PULSES) for times in (1.25, 0.75, 0.1)), 2),
        *first_of(((400, A_BATCH_AND_LARGE_PULSES, times) for times in (1.25, 0.75, 0.5, 1.5)), 2),
        *first_of([(30, BATCH, 10)], 0),
    ],
)
def test_a_size_that_changed_is_found_under_any_load_with_what_it_earned_and_until_when(
    gib: int, stretches: Sequence[tuple[int, int, int, int, float]], times: float
) -> None:
    sizes = changed_at(15 * 60, round(times * gib * GIB), gib * GIB)
    situation = lived_by_the_model(loads_mib(*stretches), standard_bytes=sizes)
    changed = changed_earning(situation)
    then, now = (earned_bytes_per_second(one) for one in (sizes[0], sizes[-1]))
    changed_time = NOW - (MINUTES - 15 * 60) * MINUTE
    day = [NOW - AHEAD + index * STEP for index in range(287)]
    # Where both may be true, it is what is earned now.
    before = [one for one in day if one < changed_time - timedelta(hours=1.5)]
    after = [one for one in day if one >= changed_time]
    assert list(map(changed.earned_then, before)) == pytest.approx([then] * len(before), rel=0.03)
    assert list(map(changed.earned_then, after)) == [now] * len(after)


@pytest.mark.whole
@pytest.mark.parametrize("stretches", first_of(map(pytest.param, [IDLE, BATCH, PULSES])))
@pytest.mark.parametrize(("times", "blur"), [(1.25, 0.07), (0.75, 0.07), (2, 0.15), (0.5, 0.15)])
def test_a_size_that_changed_all_day_is_told_with_about_what_it_earned_at_each_time_of_it(
    stretches: Sequence[tuple[int, int, int, int, float]], times: float, blur: float
) -> None:
    """EFS meters it each hour, and hours in which it hardly changed have one rate."""
    sizes = [round(30 * GIB * (1 + (times - 1) * minute / MINUTES)) for minute in range(MINUTES)]
    changed = changed_earning(lived_by_the_model(loads_mib(*stretches), standard_bytes=sizes))
    assert changed.earns_less is (times < 1)
    for minute in range(120, MINUTES, 5):
        told = changed.earned_then(NOW - (MINUTES - minute) * MINUTE)
        earned = burst_credits.earned_bytes_per_second(sizes[minute - minute % 60])
        # What differs by less than a tenth from what is earned now makes no other day.
        assert told == pytest.approx(earned, rel=0.13 if told == changed.now_bytes_per_second else blur)


@pytest.mark.more
@given(
    loads,
    st.sampled_from((60 * GIB, 500 * GIB, 1500 * GIB, 3 * TIB)),
    st.floats(0.1, 10),
    st.integers(60, MINUTES),
    st.sampled_from((0.0, 0.05, 0.5, 0.97, 1.0)),
)
def test_what_is_told_of_a_size_that_changed_is_what_it_earned_or_amid_the_change_whatever_the_load(
    drawn_mib: list[float], standard_bytes: int, times: float, minute: int, left_share: float
) -> None:
    """On a full bucket that was cut, at zero, and where the change does not show: then nothing is told."""
    sizes = changed_at(minute, round(times * standard_bytes), standard_bytes)
    changed = changed_earning(lived_by_the_model(drawn_mib, standard_bytes=sizes, left_share=left_share))
    lowest, highest = sorted(earned_bytes_per_second(one) for one in (sizes[0], sizes[-1]))
    assert all(0.95 * lowest <= one <= 1.05 * highest for one in changed.then_bytes_per_second)


def test_a_load_takes_no_more_than_is_permitted_now() -> None:
    """Of 2 TiB at 200 MiB/s half is left, which permits 100: the same hour takes half, less what is earned."""
    hour = ((250, 60, 1, 1, 180.0),)
    situation = lived_by_the_model(loads_mib(*hour), standard_bytes=changed_at(480, 2 * TIB, TIB), left_share=0.02)
    changed = changed_earning(situation)
    began = NOW - (MINUTES - 250) * MINUTE
    earned_less = (earned_bytes_per_second(TIB) - earned_bytes_per_second(2 * TIB)) * 3600
    assert changed.more_bytes(began, began + 60 * MINUTE) == pytest.approx(earned_less + 80 * MIB * 3600, rel=0.03)
    assert changed.more_bytes(began - 60 * MINUTE, began) == pytest.approx(earned_less, rel=0.03)
    assert changed.more_bytes_per_second(began) == pytest.approx(earned_less / 3600 + 80 * MIB, rel=0.03)


@pytest.mark.whole
@pytest.mark.parametrize("rate_mib", [20.0, 60.0, 97.0])
def test_a_provisioned_rate_that_took_no_credits_is_no_size_that_earned_more(rate_mib: float) -> None:
    """Clients move as much as is earned, and all of that is left besides: no size gives so little with credits."""
    rates = [rate_mib if minute < 20 * 60 else None for minute in range(MINUTES)]
    situation = lived_by_the_model([5.0] * MINUTES, standard_bytes=100 * GIB, rates_mib=rates)
    assert not changed_earning(situation).times


def test_a_full_bucket_says_nothing_of_what_is_earned() -> None:
    situation = with_work(now_with(100, a_day([FULL] * 301)), [EARNED / 2] * 288, [100.0] * 288)
    assert not changed_earning(situation).times


def test_what_another_mode_let_through_is_nothing_that_was_earned() -> None:
    """At a rate above what the size gives the balance rises whatever is moved."""
    rising = a_day(a_life(100, (300, EARNED)))
    assert not changed_earning(with_work(now_with(100, rising), [5 * EARNED] * 288, [300.0] * 288)).times


def test_after_a_day_in_which_more_was_earned_nobody_says_that_nothing_comes_back() -> None:
    """What was no fall then may be one now."""
    assert not is_calm(lived(200, earned_then=10 * EARNED, load=5 * EARNED))
    assert is_calm(lived(200, earned_then=EARNED, load=EARNED / 2))


@pytest.mark.more
@given(st.lists(st.floats(0, 20), min_size=288, max_size=288), st.floats(0.1, 30))
def test_what_was_earned_is_never_below_nothing_whatever_was_metered(metered: Sequence[float], earned: float) -> None:
    situation = with_work(now_with(100, a_day(a_life(200, (300, earned)))), metered, [100.0] * 288)
    changed = changed_earning(situation)
    assert all(one >= 0 for one in changed.then_bytes_per_second)


def at(steps: float) -> datetime:
    return NOW - AHEAD + steps * STEP


# Half of what is earned now, twice as much, and nothing is known for five minutes before it is three times as much.
CHANGING = ChangedEarning(
    times=[at(0), at(1), at(3)],
    then_bytes_per_second=[1.0, 4.0, 6.0],
    now_bytes_per_second=2.0,
    not_permitted_now_bytes_per_second=[0.0, 0.5, 0.0],
)


def test_what_more_is_earned_is_added_up_over_the_time_that_is_asked_for() -> None:
    asked = {
        (0, 1): 300.0,
        (0.5, 1): 150.0,
        (0, 2): 300 - 450.0,
        (0.5, 1.5): 150 - 225.0,
        (1.2, 1.4): -90.0,
        (-2, 1): 300.0,
        (-2, -1): 0.0,
        (2, 3): 0.0,
        (2.5, 3.5): -600.0,
        (3, 9): -1200.0,
        (4.5, 9): 0.0,
    }
    told = {of: CHANGING.more_bytes(at(of[0]), at(of[1])) for of in asked}
    assert told == pytest.approx(asked)


def test_what_was_earned_at_a_moment_is_that_of_its_five_minutes_and_before_all_that_of_the_first() -> None:
    moments = (-1, 0, 0.9, 1, 2.5, 3, 9)
    assert [CHANGING.earned_then(at(one)) for one in moments] == [1, 1, 1, 4, 4, 6, 6]
    assert [CHANGING.more_bytes_per_second(at(one)) for one in moments] == [1, 1, 1, -1.5, -1.5, -4, -4]
    unchanged = ChangedEarning(now_bytes_per_second=2.0)
    assert (unchanged.earned_then(at(0)), unchanged.more_bytes_per_second(at(0))) == (2, 0)
    assert ChangedEarning().earned_then(at(0)) == 0


def test_more_was_earned_where_it_was_at_any_time() -> None:
    def earns_less(*then: float) -> bool:
        return CHANGING._replace(then_bytes_per_second=then).earns_less

    assert [earns_less(1, 2, 2.1), earns_less(1, 2), earns_less(1)] == [True, False, False]


def idle(
    minutes: Sequence[float], permitted_mib_per_second: float = 100.0, *, moved: Mapping[int, float] | None = None
) -> Situation:
    """100 GiB, and the lowest of each five minutes of a part of the last day, of which nothing else is known; in some
    steps so much was moved. All in minutes at 100 MiB/s.
    """
    balances = tuple(
        BalancePoint(time=at(step), balance_bytes=one * MINUTE_BYTES) for step, one in enumerate((*minutes, FULL))
    )
    return replace(
        now_with(100, PastDay(back=DAY, balances=balances)),
        last_day=tuple(
            Work(time=at(step), metered_bytes=one * MINUTE_BYTES) for step, one in sorted((moved or {}).items())
        ),
        permitted_of_the_day=tuple((one.time, permitted_mib_per_second * MIB) for one in balances),
    )


def rising_by(minutes: float, start: float, points: int) -> list[float]:
    return [start + index * minutes for index in range(points)]


def rates_then(situation: Situation) -> list[float]:
    """All that was earned, in minutes at 100 MiB/s in five minutes."""
    return sorted({one * 300 / MINUTE_BYTES for one in changed_earning(situation).then_bytes_per_second})


def test_twenty_steps_and_one_tell_a_rate_between_the_lowest_and_the_highest_that_explain_them() -> None:
    """From the first to the last it was nineteen steps at the least, and twenty-one at the most."""
    told = [rates_then(idle(rising_by(2.4, 50, points))) for points in (20, 21, 31)]
    of_20_steps, of_30_steps = (steps * 2.4 * (1 / (steps - 1) + 1 / (steps + 1)) / 2 for steps in (20, 30))
    assert told == [[], pytest.approx([of_20_steps]), pytest.approx([of_30_steps])]


def test_what_was_moved_was_earned_besides_and_makes_the_rate_less_certain() -> None:
    """It may all have come before the lowest of its five minutes, or after: amid others, these tell."""
    trend = rising_by(2.4, 50, 31)

    def falling_at(step: int, moved: int) -> list[float]:
        return rates_then(idle([*trend[:step], *(one - 5 for one in trend[step:])], moved={moved: 5.0}))

    assert falling_at(10, moved=10) == pytest.approx([30 * 2.4 * (1 / 31 + 1 / 29) / 2])
    # At the least it is what one step less tells.
    at_either_end = pytest.approx([(29 * 2.4 / 30 + 30 * 2.4 / 29) / 2])
    assert [falling_at(1, moved=0), falling_at(30, moved=30)] == [at_either_end, at_either_end]


def test_a_rate_is_told_that_is_known_to_a_tenth() -> None:
    """Of all steps but the first two nobody knows how much of what was moved came before their lowest."""
    told = []
    for points, moved in ((31, 2.0), (22, 5.0)):
        # All of them took credits, as the first did.
        minutes = [50.0, *rising_by(2.4, 40, points)]
        told += rates_then(idle(minutes, moved={0: 20.0} | dict.fromkeys(range(2, points + 1), moved)))[-1:]
    bounds = [
        ((steps * (2.4 + moved) - moved) / (steps + 1), (steps * (2.4 + moved) + moved) / (steps - 1))
        for steps, moved in ((30, 2.0), (21, 5.0))
    ]
    assert told == pytest.approx([(lowest + highest) / 2 for lowest, highest in bounds], rel=0.02)


def test_a_rate_is_not_told_that_is_known_to_less_than_a_tenth() -> None:
    """A load that grows by half of what is earned with each five minutes hides at either end what that is."""
    minutes = [330 + 2.4 * step - 1.2 * step * (step - 1) / 2 for step in range(26)]
    assert not rates_then(idle(minutes, moved={step: 1.2 * step for step in range(1, 26)}))


def test_fewer_steps_that_seem_to_tell_a_rate_are_some_amid_which_it_changed() -> None:
    """Nine in which the size earned a fifth more, and some in which it earned less."""
    faster = rising_by(1.22 * 2.4, 50, 10)
    told = [rates_then(idle([*faster, *rising_by(2.4, faster[-1] + 2.4, slower)])) for slower in (10, 11)]
    assert told[0] == []
    assert told[1][-1] == pytest.approx((0.9 * 1.22 + 1.1) * 2.4 / 2)


def test_what_is_earned_now_was_earned_as_far_back_as_it_explains_the_balance() -> None:
    """An hour and more, which would tell no rate by itself."""
    now = EARNED_NOW * 300 / MINUTE_BYTES
    earlier = rising_by(2.4, 50, 31)
    minutes = [*earlier, *rising_by(now, earlier[-1] + now, 15)]
    situation = idle(minutes)
    (day,) = situation.past_days
    changed = changed_earning(replace(situation, past_days=(replace(day, balances=day.balances[:-1]),)))
    assert list(changed.then_bytes_per_second[-14:]) == [EARNED_NOW] * 14
    assert changed.earned_then(at(20)) == pytest.approx(10 * EARNED_NOW, rel=0.03)


def test_only_minutes_that_began_with_credits_for_a_minute_and_no_full_bucket_tell_a_rate() -> None:
    assert rates_then(idle(rising_by(2.4, 1.0, 21)))
    assert not rates_then(idle(rising_by(2.4, 0.99, 21)))
    not_full = NOT_FULL * full_bucket_bytes(100 * GIB) / MINUTE_BYTES
    assert rates_then(idle([*rising_by(2.4, not_full - 20 * 2.4 - 0.01, 21)]))
    assert not rates_then(idle([*rising_by(2.4, not_full - 20 * 2.4 - 0.01, 20), not_full]))


def test_only_minutes_in_which_credits_permitted_100_mib_per_second_tell_a_rate() -> None:
    least_mib = 100 / SAME_RATE
    assert SAME_RATE * least_mib * MIB == 100 * MIB
    assert rates_then(idle(rising_by(2.4, 50, 21), least_mib))
    assert not rates_then(idle(rising_by(2.4, 50, 21), least_mib - 0.01))


def test_a_rate_that_differs_by_a_tenth_or_less_is_that_of_now() -> None:
    now = EARNED_NOW * 300 / MINUTE_BYTES
    assert not rates_then(idle(rising_by(1.09 * now, 50, 61)))
    assert rates_then(idle(rising_by(1.11 * now, 50, 61)))
    assert not rates_then(idle(rising_by(0.91 * now, 50, 61)))
    assert rates_then(idle(rising_by(0.89 * now, 50, 61)))
    # Of a file system that was as good as empty.
    assert rates_then(idle(rising_by(now / 300**2, 50, 61)))


def larger(tib: float, lowest_tib: Sequence[float], rates: Mapping[int, float] = {}) -> ChangedEarning:
    """A file system of so many TiB by now, idle in the first hours of the last day, of whose first five minutes nothing
    is known; in some of them so many bytes a second were permitted.
    """
    by_size = 100 * MIB * tib
    balances = tuple(BalancePoint(time=at(step), balance_bytes=one * TIB) for step, one in enumerate(lowest_tib, 1))
    permitted = [(at(step), rates.get(step, by_size)) for step in range(len(balances) + 1)]
    return changed_earning(
        replace(
            now_with(100, PastDay(back=DAY, balances=balances)),
            file_system=bursting(round(tib * TIB)),
            permitted_bytes_per_second=by_size,
            reference_bytes_per_second=by_size,
            baseline_bytes_per_second=by_size / 2,
            permitted_of_the_day=tuple(permitted),
        )
    )


# What 315 MiB/s are in five minutes, in TiB.
OF_A_LARGER = rising_by(0.09, 0.59, 39)


def test_what_filled_the_bucket_of_the_size_that_earned_it_was_perhaps_not_all_of_it() -> None:
    """3 TiB may have 6.3 TiB of credits; 2 TiB, which earn 100 MiB/s, 4.2."""
    a_step = 100 * 300 / 1024**2
    told = [larger(3, rising_by(a_step, start, 30)).earned_then(at(9)) / MIB for start in (3.0, 3.35, 3.45, 5.0)]
    assert told == pytest.approx([100, 100, 150, 150], rel=0.01)


def test_half_of_what_was_permitted_was_earned_where_another_size_had_just_that_with_credits() -> None:
    told = larger(
        3,
        OF_A_LARGER,
        {
            # What is whole may be provisioned, up to what would have been seen as another mode.
            3: 240 * MIB,
            4: 240.5 * MIB,
            5: ANOTHER_MODE * (300 * MIB),
            6: 400 * MIB,
            7: 400.5 * MIB,
            8: 1023 * MIB,
            # From the lowest cap of a Region on it may be that.
            9: 1024 * MIB,
            10: 1024.5 * MIB,
            # No size has less with credits.
            11: 100.5 * MIB,
            1: 50.5 * MIB,
        },
    )
    exactly = {step: told.earned_then(at(step)) / MIB for step in range(2, 12)} | {1: told.earned_then(at(1)) / MIB}
    by_the_balance = told.earned_then(at(20)) / MIB
    assert by_the_balance == pytest.approx(0.09 * TIB / MIB / 300, rel=0.01)
    known = {4: 120.25, 6: 200.0, 7: 200.25, 8: 511.5}
    assert exactly == dict.fromkeys(exactly, by_the_balance) | known


@pytest.mark.parametrize("load_mib", [105.0, 110.0, 120.0])
def test_a_rate_of_the_hours_before_is_not_mixed_with_what_was_permitted_after_them(load_mib: float) -> None:
    """800 GiB, and then 1,424, of which what is permitted tells the rate: one explains a load amid which it grew."""
    sizes = [800 * GIB] * 264 + [1424 * GIB] * 60 + [2048 * GIB] * 1236
    loads = [0.0] * 144 + [load_mib] * 240 + [0.0] * 480 + [190.0] * 420 + [0.0] * 276
    grown = changed_earning(lived_by_the_model(loads, standard_bytes=sizes, left_share=0.2))
    earned = [grown.earned_then(NOW - timedelta(hours=hours)) / MIB for hours in (23, 22.4, 21.7)]
    assert earned == pytest.approx([39.1] * 3, rel=0.1)


def test_what_was_permitted_makes_no_other_day_where_it_differs_by_a_tenth_or_less() -> None:
    """The size earns 162.5 MiB/s: 292.5 are nine tenths of all that it may have."""
    rates = {5: 292.5 * MIB, 6: 292.4 * MIB, 7: 292.5 * MIB, 8: 320.5 * MIB}
    told = larger(3.25, OF_A_LARGER, rates)
    assert [told.earned_then(at(step)) / MIB for step in (6, 7)] == pytest.approx([146.2, 315], rel=0.01)
    assert {told.earned_then(at(step)) for step in (5, 7, 8)} == {told.earned_then(at(20))}


def test_a_full_bucket_earned_as_before_but_for_a_size_that_would_have_been_permitted_more() -> None:
    """Without credits what is permitted is what is earned, and with them twice as much, which shows above 101 MiB/s."""
    told: Mapping[float, Mapping[float, float | None]] = {
        50.5: {100: 50.5},
        # So little as 100 MiB/s is permitted with credits to any size.
        49.7: {100: 49.7},
        51.3: {100: None, 101: None, 102: 51.3, 99: 51.3},
    }
    lived = [(10.0, 100.0), (200.0, 100.0)]
    expected = []
    for without_mib, after in told.items():
        for with_mib, earned_mib in after.items():
            lived += [(0.0, without_mib), (FULL, with_mib)]
            expected += [without_mib, EARNED_NOW / MIB if earned_mib is None else earned_mib]
    situation = idle([balance for balance, _ in lived])
    rates = tuple((at(step), rate * MIB) for step, (_, rate) in enumerate(lived))
    changed = changed_earning(replace(situation, permitted_of_the_day=rates))
    assert [one / MIB for one in changed.then_bytes_per_second[2:-1]] == expected


def test_a_smaller_size_was_permitted_what_it_earned_where_nothing_was_left_and_no_whole_rate_was_provisioned() -> None:
    """100 GiB have 5 MiB/s without credits: what is less by a tenth or more is that of another size."""
    lived = [(10.0, 100.0), (200.0, 100.0), (0.0, 2.5), (0.0, 2.0), (0.0, 4.6), (0.0, 3.5), (9.0, 2.5), (FULL, 3.5)]
    situation = idle([balance for balance, _ in lived])
    rates = tuple((at(step), rate * MIB) for step, (_, rate) in enumerate(lived))
    changed = changed_earning(replace(situation, permitted_of_the_day=rates))
    assert [one / MIB for one in changed.then_bytes_per_second[:-1]] == [2.5, 2.5, 2.5, 2.5, 2.5, 3.5, 3.5, 3.5]


def test_where_only_the_size_of_now_may_have_just_what_was_permitted_it_was_that_one() -> None:
    """3 TiB, which may have 300 MiB/s: 315 earned may have 630. What neither may have is no other."""
    told = {300.0: 150.0, 297.5: 150.0, 302.5: 150.0, 296.0: 315.0, 304.0: 315.0, 150.0: 150.0}
    for permitted_mib, earned_mib in told.items():
        changed = larger(3, [*OF_A_LARGER, 6.3], {len(OF_A_LARGER) + 1: permitted_mib * MIB})
        assert changed.earned_then(at(len(OF_A_LARGER) + 1)) / MIB == pytest.approx(earned_mib, rel=0.01)


def test_clients_were_faster_than_permitted_now_where_they_lived_on_credits_and_moved_more_than_these_permit() -> None:
    """A minute's worth more, once. What another mode let through takes what it takes."""
    trend = rising_by(2.4, 50, 24)
    on_credits = [*trend[:3], trend[3] - 6, *(one - 11 for one in trend[4:])]
    in_another_mode = [on_credits[-1] + 0.1 * step for step in range(1, 5)]
    situation = idle([*on_credits, *in_another_mode], moved={3: 6.0, 4: 5.0, 25: 9.0})
    rates = tuple((at(step), (300 if 23 < step < 27 else 100) * MIB) for step in range(29))
    changed = changed_earning(replace(situation, permitted_of_the_day=rates))
    faster = {3: MINUTE_BYTES / 300}
    assert list(changed.not_permitted_now_bytes_per_second) == [faster.get(step, 0.0) for step in range(29)]


def test_five_minutes_in_which_a_larger_size_filled_the_bucket_earn_as_much_now_as_any() -> None:
    """It earned ten times as much, and what is short of a full bucket came in a part of the last five minutes."""

    def left_minutes(short: float) -> float:
        rises = 60 * 10 * EARNED + short
        day = a_day(a_life(FULL - rises, (200, 10 * EARNED), (12, 10 * EARNED - 5), (88, 10 * EARNED)))
        idle = 200 - POINTS_OF_THE_HOUR_BEFORE + 1
        metered = [0.0] * idle + [5.0] * 12 + [0.0] * (288 - idle - 12)
        return found(with_work(now_with(100, day), metered, [100.0] * 288)).left_bytes / MINUTE_BYTES

    earned_now = EARNED_NOW * STEP.total_seconds() / MINUTE_BYTES
    # The full one of then took in no more in the five minutes before the load either.
    expected = 100 + (200 - POINTS_OF_THE_HOUR_BEFORE + 1) * earned_now - 12 * (5 - earned_now)
    assert left_minutes(0.0) == pytest.approx(expected, abs=0.1)
    for short in (0.1, 5 * EARNED, 10 * EARNED - 0.1):
        assert left_minutes(short) == pytest.approx(left_minutes(0.0), abs=0.05)


def test_what_is_known_too_roughly_by_itself_is_what_another_time_of_the_day_tells() -> None:
    """Two hours of a load tell 39 MiB/s to a tenth, the idle morning after it exactly: it had shrunk amid the load."""
    sizes = [3000 * GIB] * 180 + [800 * GIB] * 510 + [2500 * GIB] * (MINUTES - 690)
    load = ((60, 240, 1, 1, 280.0), (600, 240, 1, 1, 95.0), (1200, 180, 1, 1, 240.0))
    changed = changed_earning(lived_by_the_model(loads_mib(*load), standard_bytes=sizes, left_share=0.22))
    earned = [changed.earned_then(NOW - (MINUTES - minute) * MINUTE) for minute in (179, 181, 240, 299, 301, 600)]
    assert earned[0] == earned_bytes_per_second(3000 * GIB)
    assert earned[1:] == pytest.approx([earned_bytes_per_second(800 * GIB)] * 5, rel=0.01)


def grown_without_credits(now_gib: int) -> Situation:
    """300 GiB for six hours, under a load that took their credits in the third, and so much for one since."""
    sizes, load = changed_at(360, 300 * GIB, now_gib * GIB), loads_mib((60, 420, 1, 1, 70.0))
    return lived_by_the_model(load[:420], standard_bytes=sizes[:420], left_share=0.1)


@pytest.mark.parametrize("now_gib", [500, 1500])
def test_what_a_smaller_size_was_permitted_without_credits_is_what_it_earned(now_gib: int) -> None:
    """The balance before tells it to a tenth. By now so little is left that only what is permitted tells the rate."""
    changed = changed_earning(grown_without_credits(now_gib))
    earned = [changed.earned_then(NOW - ago * MINUTE) for ago in (419, 350, 280, 200, 70, 61, 59, 30, 1)]
    then, now = (earned_bytes_per_second(one * GIB) for one in (300, now_gib))
    assert earned == [then] * 6 + [now] * 3


def test_a_load_that_takes_no_more_than_a_size_that_grew_earns_does_not_come_back() -> None:
    assert worst_recurring_load(grown_without_credits(1500)) is None


@pytest.mark.more
@given(
    st.sampled_from(((50, 1500), (300, 50), (300, 800), (800, 50), (800, 3000), (1500, 3000))),
    st.integers(76, 99),
    st.integers(210, 600),
    st.integers(60, 400),
    st.integers(90, 400),
    st.integers(30, 360),
)
@example((300, 800), 85, 210, 332, 97, 49)
@example((800, 1500), 75, 561, 174, 379, 102)
def test_a_load_ends_what_is_left_now_by_what_it_moved_less_what_is_earned_by_the_size_of_now(
    gib: tuple[int, int], mib: int, began: int, lasted: int, changed_after: int, left_minutes: int
) -> None:
    """By the model, in which clients do the same again: the size changed amid the load, or after it."""
    then, now = (one * GIB for one in gib)
    drawn_mib = loads_mib((began, lasted, 1, 1, float(mib)))
    situation = lived_by_the_model(drawn_mib, standard_bytes=changed_at(began + changed_after, then, now))
    assume(all(one.balance_bytes >= situation.minute_bytes for one in situation.balances_of_the_day))
    left_bytes = left_minutes * situation.minute_bytes
    situation = replace(situation, balances=(BalancePoint(time=NOW, balance_bytes=left_bytes),))
    course = again(drawn_mib[MINUTES - 24 * 60 :], now, left_bytes)
    recurring = worst_recurring_load(situation)
    takes = mib * MIB - earned_bytes_per_second(now)
    # How the size changed is known to 25 minutes, and what it earned to a tenth.
    changed = abs(earned_bytes_per_second(now) - earned_bytes_per_second(then))
    blur_bytes = 25 * 60 * changed + 0.1 * lasted * 60 * min(map(earned_bytes_per_second, (then, now)))
    gone = next((minute for minute, left in enumerate(course) if left < situation.minute_bytes), None)
    if gone is not None and recurring is not None and recurring.gone:
        assert abs(recurring.time - NOW - gone * MINUTE) <= 2 * STEP + blur_bytes / takes * timedelta(seconds=1)
    elif gone is not None or recurring is not None:
        left = 0.0 if recurring is None else recurring.left_bytes
        lowest = min(course[began - 120 :][: lasted + 10])
        assert left == pytest.approx(lowest, abs=blur_bytes + 5 * situation.minute_bytes)


def again(drawn_mib: Sequence[float], standard_bytes: int, left_bytes: float) -> list[float]:
    """What is left in each minute from so much on."""
    state, left = replace(created(standard_bytes), balance_bytes=left_bytes), list[float]()
    for mib in drawn_mib:
        state, went = step(state, Load(write_bytes=mib * MIB * 60))
        left.append(min(one.minimum for one in went.datapoints if one.name == "BurstCreditBalance"))
    return left


@pytest.mark.whole
def test_what_is_earned_now_while_a_load_had_no_credits_counts_once() -> None:
    """It took all for hours at 300 GiB, and so does the next one, at noon, of what 500 GiB have left by then."""
    sizes = [300 * GIB] * 360 + [1500 * GIB] * 660 + [500 * GIB] * 150
    drawn_mib = loads_mib((60, 420, 1, 1, 70.0), (720, 180, 1, 1, 140.0))[: len(sizes)]
    situation = lived_by_the_model(drawn_mib, standard_bytes=sizes, left_share=0.1)
    left_bytes = situation.balances_of_the_day[-1].balance_bytes
    situation = replace(situation, balances=(BalancePoint(time=NOW, balance_bytes=left_bytes),))
    course = again([0.0] * (24 * 60 - len(sizes)) + drawn_mib, sizes[-1], left_bytes)
    gone = next(minute for minute, left in enumerate(course) if left < situation.minute_bytes)
    assert found(situation).gone is True
    assert abs(found(situation).time - NOW - gone * MINUTE) <= STEP


@pytest.mark.whole
def test_what_pulses_leave_has_what_is_earned_now_in_their_rests_at_zero() -> None:
    """Twelve minutes of every half hour took all that 40 GiB had earned in the others; 200 earn five times as much."""
    drawn_mib = loads_mib((600, 600, 12, 30, 95.0))
    situation = lived_by_the_model(drawn_mib, standard_bytes=changed_at(1300, 40 * GIB, 200 * GIB), left_share=0.005)
    situation = replace(situation, balances=(BalancePoint(time=NOW, balance_bytes=0.0),))
    course = again(drawn_mib[MINUTES - 24 * 60 :], 200 * GIB, 0.0)
    gone = next(minute for minute, left in enumerate(course) if minute > 480 and left < situation.minute_bytes)
    assert abs(found(situation).time - NOW - gone * MINUTE) <= STEP


@pytest.mark.whole
@pytest.mark.parametrize("began", range(500, 505))
def test_a_load_that_began_with_a_full_bucket_leaves_what_the_one_of_now_takes_in_until_then(began: int) -> None:
    """In its own five minutes the full one took in a part of what was earned, and in those before it nothing."""
    drawn_mib = loads_mib((began, 60, 1, 1, 600.0))
    situation = lived_by_the_model(drawn_mib, standard_bytes=6000 * GIB, left_share=1)
    left_bytes = 60 * situation.minute_bytes
    situation = replace(situation, balances=(BalancePoint(time=NOW, balance_bytes=left_bytes),))
    lowest = again(drawn_mib[MINUTES - 24 * 60 :], 6000 * GIB, left_bytes)[began + 60 - 120]
    assert found(situation).left_bytes / situation.minute_bytes == pytest.approx(
        lowest / situation.minute_bytes, abs=0.1
    )
