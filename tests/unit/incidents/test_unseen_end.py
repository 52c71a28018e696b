"""What may have happened to the credits while there were no metrics, by what is known before and after."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay, Situation
from efs_monitor.incidents.unseen_end import known_since, unseen_end
from hypothesis import given
from hypothesis import strategies as st

from simulation import burst_credits
from tests.unit.incidents.test_situation import by_minutes
from tests.unit.strategies import NOW, bursting

STORED_BYTES = 200 * GIB
EARNED_MIB = 200 * 50 / 1024


def lived(left_gib: float, *stretches: tuple[int, float]) -> Situation:
    """So much at first, and so many minutes of so many MiB/s each, the last of them now; by the model of EFS."""
    flows = [burst_credits.flow(left_gib * GIB, STORED_BYTES, 0, GIB)]
    for mib in (mib for minutes, mib in stretches for _ in range(minutes)):
        flows.append(burst_credits.flow(flows[-1].closing_bytes, STORED_BYTES, mib * 60 * MIB, GIB))
    points = by_minutes(*(min(one.opening_bytes, one.closing_bytes) for one in flows)).balances
    return replace(
        by_minutes(0), file_system=bursting(STORED_BYTES), balances=points[-61:], earlier_balances=points[:-61]
    )


def unknown(situation: Situation, first_minutes_ago: int, last_minutes_ago: int) -> Situation:
    """The same, without the minutes from the one to the other."""
    since, until = (NOW - ago * MINUTE for ago in (first_minutes_ago, last_minutes_ago))

    def known(points: Sequence[BalancePoint]) -> tuple[BalancePoint, ...]:
        return tuple(one for one in points if not since <= one.time <= until)

    return replace(situation, balances=known(situation.balances), earlier_balances=known(situation.earlier_balances))


@given(st.integers(16, 60), st.floats(20, 100), st.integers(5, 40), st.integers(2, 60), st.integers(20, 120))
def test_an_end_that_came_in_a_hole_at_the_pace_of_before_may_have_been_there(
    falls: int, mib: float, until_end: int, at_zero: int, comes_back: int
) -> None:
    """It falls for some minutes until metrics go missing, and to zero in some more; then nothing is left for some, and
    what is earned comes back until there are metrics again.
    """
    net_gib = (mib - EARNED_MIB) * 60 / 1024
    load = (falls + until_end + at_zero, mib)
    whole = lived((falls + until_end) * net_gib, load, (comes_back + 5, 0))
    seen = unknown(whole, until_end + at_zero + comes_back + 4, 6)
    found = unseen_end(seen)
    assert found is not None
    assert found.since == NOW - (until_end + at_zero + comes_back + 4) * MINUTE
    assert found.until == NOW - 5 * MINUTE
    assert found.to_the_minute
    assert abs(found.gone - (NOW - (at_zero + comes_back + 5) * MINUTE)) <= MINUTE
    assert unseen_end(whole) is None


def test_that_metrics_came_again_is_known_when_the_first_of_them_could_be_read() -> None:
    """A mail of two minutes after that datapoint knew nothing of it, where metrics are four minutes late."""
    seen = unknown(lived(60 * (66 - EARNED_MIB) * 60 / 1024, (80, 66), (45, 0)), 75, 6)
    late = replace(seen, time=NOW + 4 * MINUTE)
    found = unseen_end(late)
    assert found is not None
    assert (found.until, known_since(found, late)) == (NOW - 5 * MINUTE, NOW - MINUTE)


@given(st.integers(16, 60), st.floats(20, 100), st.integers(5, 40), st.integers(0, 60))
def test_more_than_is_earned_since_an_end_shows_that_there_was_none(
    falls: int, mib: float, until_end: int, comes_back: int
) -> None:
    """The load ends two minutes and more before it has taken all, and what it left is there when metrics come again."""
    net_gib = (mib - EARNED_MIB) * 60 / 1024
    whole = lived((falls + until_end) * net_gib, (falls + until_end - 2, mib), (comes_back + 5, 0))
    assert unseen_end(unknown(whole, until_end - 2 + comes_back + 4, 6)) is None


def test_what_does_not_fall_and_what_is_seen_to_be_gone_ends_in_no_hole() -> None:
    """At rest before it; at zero before it, and after it."""
    assert unseen_end(unknown(lived(20, (60, 0), (20, 0)), 60, 10)) is None
    assert unseen_end(unknown(lived(20, (10, 100), (60, 0)), 59, 10)) is None
    assert unseen_end(unknown(lived(50, (70, 100)), 66, 10)) is None


def test_of_what_is_older_than_the_minutes_that_are_known_the_steps_of_the_day_tell() -> None:
    """Ten hours ago it fell by five minutes' worth in each five minutes, was not seen for an hour, and comes back."""
    lows = {ago: 50 + 26.4 * (ago - 132) if ago > 132 else 0.57 * 5 * (119 - ago) + 20 for ago in range(160, 96, -1)}
    steps = [
        by_minutes(lows[ago] * GIB).balances[0]._replace(time=NOW - ago * STEP) for ago in lows if not 120 <= ago <= 132
    ]
    day = PastDay(back=AHEAD, balances=tuple(steps))
    now = replace(by_minutes(100 * GIB), file_system=bursting(STORED_BYTES), past_days=(day,))
    found = unseen_end(now)
    assert found is not None
    assert found.since == NOW - 132 * STEP
    assert found.until == NOW - 119 * STEP
    assert not found.to_the_minute
    # 76 GiB were left at the end of the last five minutes before it.
    assert abs(found.gone - (found.since + 76.4 / 26.4 * STEP)) <= 2 * MINUTE
    # In another throughput mode there is no balance, and nothing was taken.
    other = tuple((NOW - ago * STEP, 300.0 * MIB if 120 <= ago <= 132 else 100.0 * MIB) for ago in range(287, -1, -1))
    assert unseen_end(replace(now, permitted_of_the_day=other)) is None
    # What is older than a day is none of it.
    assert unseen_end(replace(now, time=NOW + timedelta(hours=15))) is None
