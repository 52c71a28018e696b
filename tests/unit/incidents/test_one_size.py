"""Since when the size is that of now, and what pace the balance has since."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import pytest
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.one_size import last_step_of_another, one_size_since
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay, Situation, Work
from hypothesis import given
from hypothesis import strategies as st

from simulation import burst_credits
from tests.unit.incidents.earlier_days import now_with
from tests.unit.strategies import NOW, bursting


def seen(
    sizes_gib: Sequence[int],
    load_mib: float,
    *,
    left_gib: float = 900,
    others_mib: Sequence[float | None] = (),
) -> tuple[Situation, tuple[tuple[datetime, float], ...]]:
    """A load through the last minutes at the size of each, by the model of EFS, or at the rate of another mode; the
    newest minute is now. And what was permitted in each.
    """
    balances, permitted = list[BalancePoint](), list[tuple[datetime, float]]()
    left_bytes, steps = left_gib * GIB, dict[datetime, list[int]]()
    for index, size_gib in enumerate(sizes_gib):
        time = NOW - (len(sizes_gib) - 1 - index) * MINUTE
        other_mib = others_mib[index] if others_mib else None
        flow = burst_credits.flow(left_bytes, size_gib * GIB, 0 if other_mib else load_mib * 60 * MIB, 3 * GIB)
        rate = burst_credits.burst_bytes_per_second(size_gib * GIB, 3 * GIB)
        if flow.closing_bytes <= 0:
            rate = burst_credits.baseline_bytes_per_second(size_gib * GIB, 3 * GIB)
        balances.append(BalancePoint(time=time, balance_bytes=min(flow.opening_bytes, flow.closing_bytes)))
        permitted.append((time, other_mib * MIB if other_mib else rate))
        steps.setdefault(time.replace(minute=time.minute // 5 * 5), []).append(index)
        left_bytes = flow.closing_bytes
    size_bytes = sizes_gib[-1] * GIB
    day = PastDay(
        back=AHEAD,
        balances=tuple(
            BalancePoint(time=step, balance_bytes=min(balances[one].balance_bytes for one in steps[step]))
            for step in steps
        ),
    )
    situation = replace(
        now_with(60, day),
        file_system=bursting(size_bytes),
        balances=tuple(balances),
        reference_bytes_per_second=burst_credits.burst_bytes_per_second(size_bytes, 3 * GIB),
        baseline_bytes_per_second=burst_credits.baseline_bytes_per_second(size_bytes, 3 * GIB),
        permitted_bytes_per_second=permitted[-1][1],
        last_day=tuple(Work(time=step, metered_bytes=load_mib * MIB * STEP.total_seconds()) for step in steps),
        permitted_of_the_day=tuple((step, max(permitted[one][1] for one in steps[step])) for step in steps),
    )
    return situation, tuple(permitted)


def at_one_size(sizes_gib: Sequence[int], load_mib: float, *, left_gib: float = 900) -> Situation:
    """The same, with since when the size is that of now."""
    situation, permitted = seen(sizes_gib, load_mib, left_gib=left_gib)
    return replace(situation, one_size_since=one_size_since(permitted, situation))


def changed_minutes_ago(situation: Situation, permitted: Sequence[tuple[datetime, float]]) -> int | None:
    since = one_size_since(permitted, situation)
    return None if since is None else (NOW - since) // MINUTE


@pytest.mark.parametrize(
    ("before_gib", "now_gib", "load_mib", "drain_mib"),
    [
        # A size that shrinks is driven slower from then on; one that grows earns more than the load takes.
        (3000, 800, 280, 100 - 39.0625),
        (800, 2500, 95, 95 - 122.0703125),
        (917, 1350, 95, 95 - 65.91796875),
    ],
)
def test_the_pace_is_of_the_minutes_since_the_size_changed(
    before_gib: int, now_gib: int, load_mib: float, drain_mib: float
) -> None:
    for minutes in (2, 8, 14):
        changed = at_one_size([before_gib] * (60 - minutes) + [now_gib] * minutes, load_mib)
        assert changed.drain_bytes_per_second == pytest.approx(drain_mib * MIB, rel=1e-6)
        assert changed.pace_minutes == minutes - 1
    assert at_one_size([before_gib] * 30 + [now_gib] * 30, load_mib).pace_minutes == 15


def test_of_the_first_minute_of_a_size_there_is_no_pace() -> None:
    changed = at_one_size([800] * 59 + [2500], 95)
    assert changed.one_size_since == NOW
    assert changed.drain_bytes_per_second is None
    assert changed.newest_drain_bytes_per_second is None
    assert changed.minutes_left_at_net is None
    assert not changed.has_just_begun


def test_at_another_moment_before_the_change_the_pace_is_that_of_then() -> None:
    changed = at_one_size([800] * 50 + [2500] * 10, 95)
    before = replace(changed, balances=changed.balances[:40])
    assert before.pace_minutes == 15
    assert before.drain_bytes_per_second == pytest.approx((95 - 39.0625) * MIB)


@pytest.mark.parametrize(
    ("before_gib", "now_gib", "minutes"),
    [
        # A TiB and less are driven at 100 MiB/s alike; and by a tenth more, and a little more than that.
        (200, 1000, None),
        (2000, 2200, None),
        (2200, 2000, None),
        (2000, 2201, 9),
        (2201, 2000, 9),
        # Without credits 3 TiB have the rate of 1.5 TiB with them: these minutes had credits.
        (1536, 3072, 9),
        (3072, 1536, 9),
    ],
)
def test_the_size_has_changed_where_more_or_less_by_a_tenth_is_permitted(
    before_gib: int, now_gib: int, minutes: int | None
) -> None:
    assert changed_minutes_ago(*seen([before_gib] * 50 + [now_gib] * 10, 95)) == minutes


def test_neither_the_end_of_the_credits_nor_their_return_is_another_size() -> None:
    for left_gib, load_mib in ((60, 400), (0, 0)):
        situation, permitted = seen([3072] * 60, load_mib, left_gib=left_gib)
        if not left_gib:
            permitted = tuple(
                (time, 150.0 * MIB if index < 5 else rate) for index, (time, rate) in enumerate(permitted)
            )
        assert {round(rate / MIB) for _, rate in permitted} == {150, 300}
        assert one_size_since(permitted, situation) is None


def test_another_throughput_mode_is_no_other_size() -> None:
    situation, permitted = seen([100] * 60, 50, others_mib=[256] * 30 + [None] * 30)
    assert {round(rate / MIB) for _, rate in permitted} == {100, 256}
    assert one_size_since(permitted, situation) is None


def test_no_size_with_credits_is_permitted_less_than_100_mib_a_second() -> None:
    """So it was provisioned, also where clients took too little to tell that they took no credits."""
    situation, permitted = seen([40] * 60, 1, others_mib=[50] * 50 + [None] * 10)
    took_credits = replace(situation, last_day=(Work(time=NOW - 300 * MINUTE, metered_bytes=90 * 300 * MIB),))
    assert one_size_since(permitted, took_credits) is None
    assert last_step_of_another(took_credits) is None
    # About a TiB and a half without credits; a rate that somebody gave is whole.
    for rate_mib, minutes in ((75.5, 9), (75, None)):
        shrunk, permitted = seen([40] * 60, 1, left_gib=2, others_mib=[rate_mib] * 50 + [None] * 10)
        took_credits = replace(shrunk, last_day=(Work(time=NOW - 300 * MINUTE, metered_bytes=90 * 300 * MIB),))
        assert changed_minutes_ago(took_credits, permitted) == minutes


def test_a_size_that_no_datapoint_shows_yet_has_changed_at_no_known_minute() -> None:
    situation, permitted = seen([800] * 60, 95)
    described = replace(situation, file_system=bursting(2500 * GIB), reference_bytes_per_second=2500 / 1024 * 100 * MIB)
    assert one_size_since(permitted, described) is None
    assert one_size_since((), situation) is None


@given(st.integers(1200, 3000), st.integers(1200, 3000), st.integers(2, 30), st.floats(20, 400))
def test_the_balance_goes_on_as_the_pace_of_a_size_tells(
    before_gib: int, now_gib: int, minutes: int, load_mib: float
) -> None:
    """Whatever it was before, but for what a tenth of the size makes."""
    left_gib = 2000
    changed = at_one_size([before_gib] * (60 - minutes) + [now_gib] * minutes, load_mib, left_gib=left_gib)
    served = min(load_mib * MIB, changed.reference_bytes_per_second)
    expected = served - burst_credits.earned_bytes_per_second(now_gib * GIB)
    permitted_apart = abs(now_gib - before_gib) / 1024 * 150 * MIB
    is_told = changed.one_size_since is not None or minutes > 15
    assert changed.drain_bytes_per_second == pytest.approx(expected, abs=1 if is_told else permitted_apart + 1)


def test_a_balance_falls_no_faster_from_now_on_than_the_size_of_now_lets_it() -> None:
    """Of 200 GiB at the permitted 100 MiB/s until a minute ago, and a TiB since, which is permitted as much."""
    grown = at_one_size([200] * 59 + [1024], 100, left_gib=600)
    assert grown.one_size_since is None
    assert grown.fastest_drain_bytes_per_second == grown.drain_from_now_bytes_per_second == 50 * MIB
    assert grown.drain_bytes_per_second is not None
    assert grown.drain_bytes_per_second > 85 * MIB
    assert grown.minutes_left_at_net == pytest.approx(grown.balance_bytes / (50 * MIB) / 60)
    later = replace(grown, time=NOW + 4 * MINUTE)
    assert later.balance_bytes_by_now == grown.balance_bytes - 4 * 60 * 50 * MIB
    gone_bytes = grown.balance_bytes - 1
    lower = tuple(one._replace(balance_bytes=one.balance_bytes - gone_bytes) for one in grown.balances)
    nearly_gone = replace(later, balances=lower)
    assert nearly_gone.ran_out == NOW + (1 / (50 * MIB)) * (MINUTE / 60)


@pytest.mark.parametrize(
    ("before_gib", "now_gib", "expected_mib"), [(2048, 4096, 100 * 14 / 15), (3072, 1024, 50), (1024, 1024, None)]
)
def test_a_single_balance_of_a_size_was_reached_at_the_pace_of_the_size_before_and_goes_on_no_faster_than_it_can(
    before_gib: int, now_gib: int, expected_mib: float | None
) -> None:
    """By 200 MiB/s, which the larger size earns in the newest minute; and by 300, where 100 are permitted by now."""
    changed = at_one_size([before_gib] * 59 + [now_gib], 200 if before_gib < 3072 else 300)
    before = changed.drain_at_the_size_before_bytes_per_second
    assert before == (None if expected_mib is None else pytest.approx(expected_mib * MIB))
    by_then = replace(changed, time=changed.time + 10 * MINUTE).balance_bytes_by_now
    drain = changed.drain_bytes_per_second if before is None else before
    assert drain is not None
    assert by_then == pytest.approx(changed.balance_bytes - 600 * drain)


def test_two_balances_of_a_size_tell_its_own_pace() -> None:
    assert at_one_size([2048] * 58 + [4096] * 2, 200).drain_at_the_size_before_bytes_per_second is None


@pytest.mark.parametrize(("fell_mib", "fastest_mib"), [(55, None), (55.1, 50), (-20, None)])
def test_metrics_are_exact_to_a_tenth_before_a_fall_is_too_fast(fell_mib: float, fastest_mib: float | None) -> None:
    points = tuple(
        BalancePoint(time=NOW - ago * MINUTE, balance_bytes=500 * GIB + ago * 60 * fell_mib * MIB)
        for ago in range(30, -1, -1)
    )
    falling = replace(now_with(60), file_system=bursting(1024 * GIB), balances=points)
    assert falling.fastest_drain_bytes_per_second == (None if fastest_mib is None else fastest_mib * MIB)
    of_no_use = replace(falling, reference_bytes_per_second=50.4 * MIB)
    assert of_no_use.fastest_drain_bytes_per_second is None
    provisioned = replace(falling, file_system=replace(falling.file_system, mode=ThroughputMode.PROVISIONED))
    assert provisioned.fastest_drain_bytes_per_second is None
