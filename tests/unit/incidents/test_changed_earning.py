"""What the size earned in the last day is read off the balance and what was metered, and counts in what comes back."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import GIB, earned_bytes_per_second
from efs_monitor.incidents.changed_earning import changed_earning
from efs_monitor.incidents.comeback import AHEAD, Comeback, is_calm, worst_comeback
from efs_monitor.incidents.falls import falls
from efs_monitor.incidents.situation import STEP, Situation
from hypothesis import given
from hypothesis import strategies as st

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
from tests.unit.strategies import NOW

# In points of five minutes: calm until two hours from this time of day, a load of three hours, and calm again.
BEFORE, LOAD, AFTER = POINTS_OF_THE_HOUR_BEFORE + 24, 36, 228
EARNED_NOW = earned_bytes_per_second(100 * GIB)


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


def found(situation: Situation) -> Comeback:
    comeback = worst_comeback(situation)
    assert comeback is not None
    return comeback


def test_a_size_that_earned_as_much_changes_nothing() -> None:
    changed = changed_earning(lived(100, earned_then=EARNED, load=3.0))
    assert changed.more_bytes(NOW - AHEAD, NOW) == 0
    assert not changed.earns_less
    assert found(lived(100, earned_then=EARNED, load=3.0)).earned_then_bytes_per_second is None


@pytest.mark.parametrize("times", [0.5, 4, 10])
def test_what_another_size_earned_is_told(times: float) -> None:
    changed = changed_earning(lived(100, earned_then=times * EARNED, load=6.0))
    at_any_time = [changed.earned_then(NOW - AHEAD + hours * timedelta(hours=1)) for hours in (0, 3, 12)]
    assert at_any_time == pytest.approx([times * EARNED_NOW] * 3, rel=0.02)
    assert changed.earns_less is (times > 1)


def test_a_file_system_that_shrank_since_is_left_with_less_than_that_day_took() -> None:
    shrank = lived(150, earned_then=10 * EARNED, load=6.0)
    # Two hours earn little now, and the load takes all that it moves but for what is earned meanwhile.
    assert found(shrank).gone is True
    left = 150 + 24 * EARNED - 1
    assert found(shrank).time == pytest.approx(NOW + timedelta(hours=2) + STEP + left / (6.0 - EARNED) * STEP, abs=STEP)
    assert found(shrank).earned_then_bytes_per_second == pytest.approx(10 * EARNED_NOW, rel=0.02)
    as_then = lived(150, earned_then=10 * EARNED, load=6.0, known_work=False)
    assert found(as_then).gone is False


def test_a_file_system_that_grew_since_is_left_with_more() -> None:
    grew = found(lived(150, earned_then=EARNED / 2, load=3.0))
    assert grew.left_bytes / MINUTE_BYTES == pytest.approx(150 + 24 * EARNED - LOAD * (3.0 - EARNED), abs=0.5)


def test_a_load_that_fell_then_and_does_not_now_leaves_all() -> None:
    grew = lived(150, earned_then=EARNED / 10, load=EARNED * 0.95)
    assert next(falls(grew.balances_of_the_day, MINUTE_BYTES)).lost_bytes > 0
    assert worst_comeback(grew) is None


def test_what_a_load_took_without_credits_is_reckoned_with_what_is_earned_now_too() -> None:
    """It went on for the last half hour without any: it takes all that it wanted, less what is earned now."""
    earned, load = 10 * EARNED, 8.0
    day = a_day(a_life(80, (BEFORE, earned), (LOAD, earned - load), (AFTER, earned)))
    steps = [point.balance_bytes / MINUTE_BYTES for point in day.balances][POINTS_OF_THE_HOUR_BEFORE:-1]
    is_loaded = [24 < step <= 24 + LOAD for step in range(len(steps))]
    metered = [0.0 if not one else load if left > 0 else earned for one, left in zip(is_loaded, steps, strict=True)]
    shrank = with_work(now_with(350, day), metered, [100.0] * len(metered))
    left = found(shrank).left_bytes / MINUTE_BYTES
    assert left == pytest.approx(350 + 24 * EARNED - LOAD * (load - EARNED), abs=5)


def test_a_load_below_what_is_earned_is_counted_in_its_own_five_minutes() -> None:
    """The balance rises all the time; the lowest of five minutes is that of their beginning."""
    taken = [0.0, 0.9 * EARNED] * 144
    rises = [EARNED] * POINTS_OF_THE_HOUR_BEFORE + [EARNED - one for one in taken]
    situation = with_work(now_with(100, a_day(a_life(100, *((1, one) for one in rises)))), taken, [100.0] * 288)
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


@given(st.lists(st.floats(0, 20), min_size=288, max_size=288), st.floats(0.1, 30))
def test_what_was_earned_is_never_below_nothing_whatever_was_metered(metered: Sequence[float], earned: float) -> None:
    situation = with_work(now_with(100, a_day(a_life(200, (300, earned)))), metered, [100.0] * 288)
    changed = changed_earning(situation)
    assert all(one >= 0 for one in changed.then_bytes_per_second)
