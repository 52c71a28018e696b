"""How fast the balance falls by now, and since when it does so."""

from dataclasses import replace

import pytest
from efs_monitor.efs.credits import MIB
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.incidents.test_situation import by_minutes


def test_the_pace_is_that_of_the_last_quarter_of_an_hour_whatever_the_rest_of_it_did() -> None:
    """It rose for three quarters of an hour, and falls since."""
    rising = [1000 + 30 * minute for minute in range(45)]
    falling = [rising[-1] - 60 * minute for minute in range(1, 16)]
    turned = by_minutes(*(balance * 60 * MIB for balance in (*rising, *falling)))
    assert turned.balances[-1].balance_bytes > turned.balances[0].balance_bytes
    assert turned.drain_bytes_per_second == 60 * MIB
    assert turned.pace_minutes == 15


@pytest.mark.parametrize(
    ("minutes", "pace_minutes", "drain"),
    [
        # It rose and falls since three minutes, and since two: the pace of the load, and an average of both.
        ([*range(1000, 1360, 30), 1300, 1240, 1180], 2, 60),
        ([*range(1000, 1390, 30), 1300, 1240], 15, -16),
        # It stood still, as a full bucket does.
        ([*[1000] * 12, 940, 880, 820, 760], 3, 60),
        # It has fallen all the time, and faster for four minutes, and for five; less fast for five, and not far faster.
        ([*range(1000, 880, -10), 820, 760, 700, 640], 15, None),
        ([*range(1000, 890, -10), 840, 780, 720, 660, 600, 540], 5, 60),
        ([*range(1060, 400, -60), 390, 380, 370, 360, 350], 15, None),
        ([*range(1000, 600, -40), 520, 445, 370, 295, 220, 145], 15, None),
        # Five far faster minutes of which some are twice as fast as others are no load of one pace.
        ([*range(1000, 890, -10), 860, 770, 730, 640, 600], 15, None),
        # It stood still, and falls with a pause amid it: five minutes ago, and in the last five.
        ([1000, *[1000] * 5, 940, 880, 880, 820, 760, 700, 640, 580, 520, 460], 5, 60),
        ([1000, *[1000] * 7, 940, 880, 820, 760, 760, 700, 640, 580], 15, None),
        # The newest minutes are fast, and one a gust.
        ([*range(1010, 900, -10), 880, 860, 700, 680, 660], 15, None),
        # It still rises, after a fall and without one.
        ([*range(1000, 400, -60), *range(460, 820, 60)], 15, None),
        ([*range(1000, 1480, 30)], 15, -30),
        # It rises for nine minutes since a fall, and for ten; with a minute amid them in which it did not.
        ([*range(1000, 640, -60), *range(730, 1000, 30)], 15, None),
        ([*range(1000, 640, -60), *range(730, 1030, 30)], 10, -30),
        ([*range(1000, 640, -60), 730, 730, *range(760, 1000, 30)], 15, None),
        # It rises for four minutes since the end of the credits, and for five.
        ([*range(1000, 400, -100), 200, 0, 0, 30, 60, 90, 120], 15, None),
        ([*range(1000, 400, -100), 200, 0, 0, 30, 60, 90, 120, 150], 5, -30),
    ],
)
def test_what_began_or_ended_within_the_quarter_of_an_hour_leaves_a_pace_of_its_own(
    minutes: list[int], pace_minutes: int, drain: float | None
) -> None:
    seen = by_minutes(*(60 * MIB * one for one in [*[minutes[0]] * (16 - len(minutes)), *minutes]))
    assert seen.pace_minutes == pace_minutes
    assert drain is None or seen.drain_bytes_per_second == pytest.approx(drain * MIB)


@given(st.floats(0.1, 40), st.floats(3.2, 30), st.integers(5, 14), st.floats(5, 50))
def test_a_load_that_joins_a_slow_one_ends_the_credits_at_the_time_that_is_told_from_its_sixth_minute_on(
    slow_mib: float, times_as_fast: float, minutes: int, last_minutes: float
) -> None:
    """The minute in which it began is half of one, and half of the other. It counts to what was before, so that one not
    much more than twice as fast, and all but a quarter of an hour old, has the average of both for its pace.
    """
    fast_mib = slow_mib * times_as_fast
    left = last_minutes * fast_mib
    fast = [left + fast_mib * minute for minute in range(minutes, -1, -1)]
    slow = [fast[0] + (slow_mib + fast_mib) / 2 + slow_mib * minute for minute in range(60 - minutes, -1, -1)]
    seen = by_minutes(*(60 * MIB * one for one in (*slow, *fast)))
    assert seen.minutes_left_at_net == pytest.approx(last_minutes, rel=0.05)


def test_where_minutes_are_missing_the_pace_reaches_back_to_the_next_one_that_is_known() -> None:
    known = by_minutes(*range(6000, 0, -100))
    gap = replace(known, balances=(*known.balances[:30], known.balances[-1]))
    assert gap.pace_minutes == 30
    assert gap.drain_bytes_per_second == 100 / 60
