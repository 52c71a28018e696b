"""When another throughput mode was on, read off what was permitted."""

import dataclasses
from datetime import timedelta

from efs_monitor.efs.credits import MIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.comeback import AHEAD, STEP
from efs_monitor.incidents.mode_lock import seems_changed
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.situation import PastDay, Situation

from tests.unit.incidents.test_comeback import MINUTE_BYTES, now_with
from tests.unit.strategies import NOW

FIRST = NOW - timedelta(hours=5)
FASTER = 36


def faster_until_two_hours_ago(*minutes: float) -> Situation:
    """With the balance of each of those five minutes, as far as it is given."""
    points = tuple(
        BalancePoint(time=FIRST + index * STEP, balance_bytes=one * MINUTE_BYTES) for index, one in enumerate(minutes)
    )
    return dataclasses.replace(
        now_with(60, PastDay(back=AHEAD, balances=points)),
        permitted_of_the_day=tuple(
            (FIRST + index * STEP, (300 if index < FASTER else 100) * MIB) for index in range(60)
        ),
    )


def test_more_than_the_size_gives_was_permitted_by_another_mode() -> None:
    assert len(steps_of_another_mode(faster_until_two_hours_ago())) == FASTER
    rising = faster_until_two_hours_ago(*range(60, 60 + FASTER))
    assert len(steps_of_another_mode(rising)) == FASTER
    assert seems_changed(rising) == FIRST + FASTER * STEP


def test_a_balance_that_fell_meanwhile_tells_of_a_file_system_that_was_larger() -> None:
    """It shrank: AWS takes a change of mode, and what clients moved has taken its credits already."""
    shrunk = faster_until_two_hours_ago(*range(60, 60 - FASTER, -1))
    assert steps_of_another_mode(shrunk) == set()
    assert seems_changed(shrunk) is None


def test_a_balance_that_falls_after_it_tells_nothing_of_it() -> None:
    fallen_since = faster_until_two_hours_ago(*[60] * FASTER, *range(59, 35, -1))
    assert len(steps_of_another_mode(fallen_since)) == FASTER
