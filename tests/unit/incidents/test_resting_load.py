"""When a load that rests for nearly all of the time is told of as one that ends the credits."""

from datetime import timedelta

import pytest
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.resting_load import falls_to_its_end
from efs_monitor.incidents.situation import STEP

from tests.unit.strategies import NOW

# A hundred at the permitted rate, of which each pulse takes five.
MINUTE_BYTES = 1000.0
FOUR_HOURS = timedelta(hours=4)


def pulses(number: int, *, every: int = 4, depth: float = 5.0, left: float = 100.0) -> list[BalancePoint]:
    """An hour of rise, and then so many falls within five minutes, each after rests in which a tenth comes back; the
    newest point is of five minutes ago, in the rest after the last.
    """
    steps = [0.1] * 12 + ([-depth] + [0.1] * (every - 1)) * number
    balances, minutes = [left - sum(steps)], 0
    for one in steps:
        balances.append(balances[-1] + one)
        minutes += 5
    last = len(balances) - 1
    return [BalancePoint(NOW - (last - index + 1) * STEP, one * MINUTE_BYTES) for index, one in enumerate(balances)]


def test_a_fall_goes_on_over_the_rests_between_its_pulses() -> None:
    """Three pulses in an hour take a seventh of what was there: at that pace the rest lasts for seven hours."""
    found = pulses(3)
    began = falls_to_its_end(found, MINUTE_BYTES, NOW, timedelta(hours=8))
    assert began is not None
    assert NOW - began == 60 * MINUTE
    assert falls_to_its_end(found, MINUTE_BYTES, NOW, timedelta(hours=6)) is None


def test_what_ends_before_the_next_mail_is_told_however_little_is_left() -> None:
    assert falls_to_its_end(pulses(3, left=20), MINUTE_BYTES, NOW, FOUR_HOURS) is not None
    assert falls_to_its_end(pulses(3, depth=1.5, left=2), MINUTE_BYTES, NOW, FOUR_HOURS) is not None


def test_what_takes_less_than_five_minutes_worth_of_more_is_the_breathing_of_a_file_system_at_work() -> None:
    """At its pace ten minutes' worth would end within the four hours."""
    assert falls_to_its_end(pulses(3, depth=1.2, left=10), MINUTE_BYTES, NOW, FOUR_HOURS) is None
    assert falls_to_its_end(pulses(3, depth=2.2, left=10), MINUTE_BYTES, NOW, FOUR_HOURS) is not None


@pytest.mark.parametrize(("every", "is_told"), [(6, True), (7, False)])
def test_after_half_an_hour_a_load_does_not_rest_any_more_but_has_ended(every: int, is_told: bool) -> None:
    found = pulses(3, every=every, left=10)
    assert (falls_to_its_end(found, MINUTE_BYTES, NOW, FOUR_HOURS) is not None) is is_told


def test_a_fall_of_less_than_half_an_hour_is_left_to_the_alarm() -> None:
    young = pulses(1, every=4, left=10)
    assert falls_to_its_end(young, MINUTE_BYTES, NOW, FOUR_HOURS) is None
    older = [BalancePoint(one.time - 10 * MINUTE, one.balance_bytes) for one in young]
    assert falls_to_its_end(older, MINUTE_BYTES, NOW, FOUR_HOURS) is not None


def test_nothing_is_told_of_a_balance_that_rises_or_is_gone_or_unknown() -> None:
    assert falls_to_its_end([], MINUTE_BYTES, NOW, FOUR_HOURS) is None
    rising = [BalancePoint(NOW - age * STEP, (100.0 - age) * MINUTE_BYTES) for age in range(30, 0, -1)]
    assert falls_to_its_end(rising, MINUTE_BYTES, NOW, FOUR_HOURS) is None
    gone = [*pulses(3, left=10), BalancePoint(NOW, 0.0)]
    assert falls_to_its_end(gone, MINUTE_BYTES, NOW, FOUR_HOURS) is None
    old = [BalancePoint(one.time - timedelta(hours=1), one.balance_bytes) for one in pulses(3, left=10)]
    assert falls_to_its_end(old, MINUTE_BYTES, NOW, FOUR_HOURS) is None
