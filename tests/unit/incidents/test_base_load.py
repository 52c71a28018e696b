"""A load that a larger size earned is no fall, and is not there today where the balance rises."""

from dataclasses import replace
from datetime import timedelta

from efs_monitor.efs.credits import GIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.base_load import base_load_until
from efs_monitor.incidents.recurring_load import worst_recurring_load
from efs_monitor.incidents.situation import AHEAD, STEP, Situation

from tests.unit.incidents.simulated_metrics import lived
from tests.unit.strategies import NOW

HOUR = timedelta(hours=1)
LARGE, SMALL = 3000 * GIB, 900 * GIB


def shrunk(*, base_mib: float, standard_bytes: int = SMALL, rising: bool = True) -> Situation:
    """17 hours of a base load that the larger size earned, an hour of all that was permitted, and eight of rest, in
    which it shrank; the balance rises by now.
    """
    loads = [base_mib] * (17 * 60) + [290.0] * 60 + [0.0] * (8 * 60)
    sizes = [LARGE] * (18 * 60) + [standard_bytes] * (8 * 60)
    situation = lived(loads, standard_bytes=sizes, left_share=0.3)
    (newest,) = situation.balances
    before = replace(newest, time=NOW - 3 * STEP, balance_bytes=newest.balance_bytes * (0.95 if rising else 1.05))
    return replace(situation, balances=(BalancePoint(time=before.time, balance_bytes=before.balance_bytes), newest))


def until(situation: Situation) -> timedelta | None:
    points = situation.balances_of_the_day
    found = base_load_until(situation, NOW - AHEAD, points)
    return None if found is None else found - (NOW - AHEAD)


def test_it_went_on_until_another_load_joined_it_or_it_ended() -> None:
    found = until(shrunk(base_mib=146))
    assert found is not None
    assert abs(found - 15 * HOUR) <= 2 * STEP


def test_what_the_size_of_now_earns_too_takes_nothing() -> None:
    assert until(shrunk(base_mib=20)) is None


def test_a_size_that_did_not_change_earned_what_it_earns() -> None:
    assert until(shrunk(base_mib=146, standard_bytes=LARGE)) is None


def test_it_leaves_today_what_is_earned_without_it() -> None:
    """Three minutes' worth in each quarter of an hour, for fifteen hours; the load after it takes some 40."""
    situation = shrunk(base_mib=146)
    recurring = worst_recurring_load(situation)
    assert recurring is not None
    assert not recurring.gone
    assert 190 < recurring.left_bytes / situation.minute_bytes < 205
