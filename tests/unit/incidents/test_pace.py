"""How fast the balance falls by now, and since when it does so."""

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.pace import HOLE, PACE, drain_between, drain_over_the_hole, pace_start
from efs_monitor.incidents.situation import Situation
from hypothesis import assume, given
from hypothesis import strategies as st

from simulation import burst_credits
from tests.unit.incidents.test_situation import by_minutes
from tests.unit.strategies import NOW, bursting


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
        # It rises for four minutes since the end of the credits, and for five: at zero nothing falls.
        ([*range(1000, 400, -100), 200, 0, 0, 30, 60, 90, 120], 4, -30),
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
    fast_enough = replace(seen, reference_bytes_per_second=2 * fast_mib * MIB + seen.reference_bytes_per_second)
    assert fast_enough.minutes_left_at_net == pytest.approx(last_minutes, rel=0.05)


def without(situation: Situation, minutes_ago: range) -> Situation:
    """The same, with no datapoint of these minutes."""
    missing = {situation.balances[-1].time - ago * MINUTE for ago in minutes_ago}
    return replace(situation, balances=tuple(one for one in situation.balances if one.time not in missing))


def test_a_pace_is_averaged_over_a_few_minutes_that_are_missing_and_over_no_more() -> None:
    known = by_minutes(*(minute * 100 * MIB for minute in range(60, 0, -1)))
    for few in (range(1, 5), range(13, 17)):
        assert without(known, few).drain_bytes_per_second == pytest.approx(100 * MIB / 60)
    assert without(known, range(13, 17)).pace_minutes == 17
    assert without(known, range(13, 18)).pace_minutes == 12
    single = without(known, range(1, 6))
    assert single.drain_bytes_per_second is None
    assert single.newest_drain_bytes_per_second is None
    assert single.minutes_left_at_net is None
    assert single.ran_out is None


def test_a_load_that_took_as_much_over_missing_minutes_as_before_them_went_on_in_them() -> None:
    """With a single datapoint since: a tenth more or less is the same load, and what was less may have ended."""
    for after, same in ((100, True), (108, True), (92, True), (112, False), (88, False), (-3, False)):
        before = [20_000 + after * 14 + 100 * ago for ago in range(47)]
        left = [20_000 + after * ago for ago in range(14)] + before
        found = drain_over_the_hole(without(by_minutes(*(one * MIB for one in reversed(left))), range(1, 14)).balances)
        assert (found is not None) is same
        assert found is None or found == pytest.approx(after * MIB / 60)
    steady = by_minutes(*(minute * 100 * MIB for minute in range(60, -1, -1)))
    # Two datapoints since have a pace of their own, and a few missing minutes are no hole.
    for missing in (range(2, 15), range(1, 5)):
        assert drain_over_the_hole(without(steady, missing).balances) is None
    # Of before there must be as many minutes as show a load.
    assert drain_over_the_hole(without(steady, range(1, 58)).balances) is None
    assert drain_over_the_hole(without(steady, range(1, 57)).balances) is not None
    assert drain_over_the_hole(steady.balances[-1:]) is None


@pytest.mark.parametrize("since", [1, 2, 3, 9])
@pytest.mark.parametrize("before_that", [0, 10, 20, 29])
def test_what_a_load_did_while_metrics_were_missing_is_in_no_pace(since: int, before_that: int) -> None:
    """It began, or ended, at whatever moment of half an hour that nobody knows: the pace is that of the minutes since,
    and their end is where that leads.
    """
    missing = range(since + 1, since + 31)
    for before, after in ((-0.2, 5.0), (5.0, -0.2), (1.0, 1.2)):
        begins = since + before_that
        left = [100 + (after * ago if ago <= begins else after * begins + before * (ago - begins)) for ago in range(61)]
        seen = without(by_minutes(*(one * GIB for one in reversed(left))), missing)
        assert seen.pace_minutes == since
        assert seen.drain_bytes_per_second == pytest.approx(after * GIB / 60)


# What clients ask for in so many minutes, in MiB/s: nothing, less and more than 5 GiB earn, and all that is permitted.
STRETCHES = st.lists(st.tuples(st.integers(1, 9), st.sampled_from([0.0, 0.1, 0.3, 2.0, 100.0])), min_size=1)
SMALL_BYTES = 5 * GIB


def lived_at_zero(stretches: list[tuple[int, float]], last_gib: float) -> list[float]:
    """The lowest balance of each minute of the last hour of 5 GiB with so much left, by the model of EFS."""
    flows = [burst_credits.flow(last_gib * GIB, SMALL_BYTES, 0, GIB)]
    for demanded in (mib * 60 * MIB for minutes, mib in [*stretches, *stretches] for _ in range(minutes)):
        flows.append(burst_credits.flow(flows[-1].closing_bytes, SMALL_BYTES, demanded, GIB))
    return [min(one.opening_bytes, one.closing_bytes) for one in flows[-61:]]


@given(STRETCHES, st.floats(0, 2), st.integers(1, 30), st.integers(0, 40))
def test_a_pace_is_of_minutes_that_are_known_in_which_the_balance_could_fall(
    stretches: list[tuple[int, float]], last_gib: float, newest_missing: int, missing: int
) -> None:
    """Of a small file system at zero and about it, by the model of EFS, and whatever minutes are missing: no minute of
    it but the first had nothing, and it is what was spent and not earned.
    """
    whole = replace(by_minutes(*lived_at_zero(stretches, last_gib)), file_system=bursting(SMALL_BYTES))
    seen = without(whole, range(newest_missing, newest_missing + missing))
    assume(seen.drain_bytes_per_second is not None and seen.pulses is None)
    start = seen.balances[-1].time - round(seen.pace_minutes) * MINUTE
    of_it = [one for one in seen.balances if one.time >= start]
    assert all(later.time - one.time <= HOLE for one, later in pairwise(of_it))
    assert all(one.balance_bytes > seen.nothing_bytes for one in of_it[1:-1])
    lost_bytes = of_it[0].balance_bytes - of_it[-1].balance_bytes
    assert seen.drain_bytes_per_second == pytest.approx(lost_bytes / (seen.pace_minutes * 60))


def test_what_came_back_since_zero_is_not_averaged_with_the_fall_before_it() -> None:
    """It fell until five minutes ago, was at zero for three, and has come back for two: no pace ends that again."""
    seen = by_minutes(*(one * GIB for one in (*range(60, 0, -5), 0, 0, 0, 0.02, 0.15, 0.3)))
    assert seen.pace_minutes == 2
    assert seen.ran_out is None
    assert seen.minutes_left_at_net is None


def start_of_pace(*left: float) -> int:
    """How many minutes of these the pace is the average of; in bytes, one a minute."""
    points = [BalancePoint(time=NOW + index * MINUTE, balance_bytes=one) for index, one in enumerate(left)]
    return (points[-1].time - pace_start(points, PACE).time) // MINUTE


@pytest.mark.parametrize(
    ("left", "minutes"),
    [
        # It rose for a minute, or fell for one, before the load began or ended.
        ([900, 1000, *[1000 - 60 * n for n in range(1, 15)]], 13),
        ([1000, 900, *[900 + 60 * n for n in range(1, 15)]], 14),
        # A byte that is left is no end of the credits, and none is.
        ([1000, 1, *[10 * n for n in range(1, 7)]], 7),
        ([1000, 0, *[10 * n for n in range(1, 7)]], 6),
        # Twice as fast for five minutes, of which the fastest is by a half faster than the slowest.
        ([*[3000 - 60 * n for n in range(11)], 2280, 2100, 1980, 1800, 1680], 5),
        ([*[3000 - 60 * n for n in range(11)], 2280, 2099, 1979, 1799, 1679], 15),
        ([*[3000 - 60 * n for n in range(11)], 2281, 2116, 1997, 1832, 1713], 15),
        # However slow it is; and a balance that stands still does not fall.
        ([*[3000 - 15 * n for n in range(11)], *[2850 - 30 * n for n in range(1, 6)]], 5),
        ([*[1000 + 10 * n for n in range(11)], *[1100] * 5], 15),
    ],
)
def test_the_pace_begins_with_what_goes_on_now(left: list[float], minutes: int) -> None:
    assert start_of_pace(*left) == minutes


def test_between_a_point_and_itself_nothing_falls() -> None:
    first = BalancePoint(time=NOW, balance_bytes=90.0)
    second = BalancePoint(time=NOW + timedelta(seconds=1), balance_bytes=80.0)
    assert (drain_between(first, first), drain_between(first, second)) == (None, 10)
