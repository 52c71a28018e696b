"""The figures of a file system in trouble, worked out from its datapoints."""

import dataclasses
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from efs_monitor.efs.credits import GIB, MIB, TIB, full_bucket_bytes
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.situation import STEP, PastDay, Situation, Work, once
from hypothesis import given
from hypothesis import strategies as st

from simulation import burst_credits
from tests.unit.each_minute import each_minute
from tests.unit.strategies import NOW, bursting


def situation(*balances_gib: float, standard_bytes: int = 100 * GIB, reference_mib: float = 100) -> Situation:
    """Balances ten minutes apart, the last one now, and each minute between them."""
    first = NOW - timedelta(minutes=10 * (len(balances_gib) - 1))
    told = (
        BalancePoint(time=first + timedelta(minutes=10 * index), balance_bytes=gib * GIB)
        for index, gib in enumerate(balances_gib)
    )
    return Situation(
        file_system=bursting(standard_bytes),
        time=NOW,
        balances=each_minute(*told),
        permitted_bytes_per_second=5 * MIB,
        reference_bytes_per_second=reference_mib * MIB,
        baseline_bytes_per_second=5 * MIB,
        activity=None,
    )


def test_the_newest_balance_counts() -> None:
    assert situation(30, 20, 10).balance_bytes == 10 * GIB


def test_the_share_is_that_of_a_full_bucket_of_its_size() -> None:
    assert situation(full_bucket_bytes(TIB) / GIB).bucket_share == pytest.approx(1)
    assert situation(full_bucket_bytes(TIB) / GIB, standard_bytes=2 * TIB).bucket_share == pytest.approx(0.5)


def test_minutes_at_the_permitted_rate_use_the_rate_with_credits_not_that_after_exhaustion() -> None:
    assert situation(60 * 60 * 100 / 1024).minutes_left_at_permitted == pytest.approx(60)


def test_what_is_earned_meanwhile_makes_them_last_longer_than_their_minutes() -> None:
    """A TiB earns half of what it may be driven at, so the credits last twice as long."""
    driven = situation(60 * 60 * 100 / 1024, standard_bytes=TIB)
    assert driven.minutes_left_at_permitted == pytest.approx(60)
    assert driven.minutes_until_end_at_permitted == pytest.approx(120)
    as_much = situation(60 * 60 * 100 / 1024, standard_bytes=2 * TIB)
    assert as_much.minutes_until_end_at_permitted is None


def test_the_mebibyte_a_second_that_is_there_at_zero_is_not_earned_by_a_small_file_system() -> None:
    small = situation(60 * 60 * 100 / 1024, standard_bytes=10 * GIB)
    assert small.minutes_until_end_at_permitted == pytest.approx(60 * 100 / (100 - 0.48828125))


def test_the_drain_is_what_the_balance_lost_over_the_hour() -> None:
    draining = situation(180, 150, 120)
    assert draining.drain_bytes_per_second == 60 * GIB / 1200
    assert draining.minutes_left_at_net == pytest.approx(40)


def by_minutes(*balances_bytes: float) -> Situation:
    """One balance a minute, the last one now."""
    newest = len(balances_bytes) - 1
    points = (
        BalancePoint(time=NOW - timedelta(minutes=newest - index), balance_bytes=balance)
        for index, balance in enumerate(balances_bytes)
    )
    return dataclasses.replace(situation(100), balances=tuple(points))


def test_a_load_of_a_minute_may_end_what_little_is_left_before_it_has_a_pace() -> None:
    """It rises for a quarter of an hour, and falls since a minute, and since two: to nothing in as long again or less;
    or with more than five minutes of it left.
    """
    rising = [*range(400, 1000, 30)]

    def end(*lately: float) -> datetime | None:
        return by_minutes(*(one * GIB for one in (*rising, *lately))).may_end_before_a_pace

    assert end(500) == NOW + timedelta(minutes=500 / 470)
    assert end(800, 620) == NOW + timedelta(minutes=620 / 180)
    assert end(870, 750) is None
    assert end(0) is None
    assert end() is None
    assert by_minutes(100 * GIB).may_end_before_a_pace is None


@pytest.mark.parametrize(("minutes", "is_told"), [(1, True), (2, True), (3, False), (10, False)])
def test_what_a_load_that_has_just_begun_is_averaged_with_tells_no_end(minutes: int, is_told: bool) -> None:
    """Half an hour of a slow rise, and so many minutes at 44 MiB/s: the average over both would last for a day."""
    rate_gib = 44 * 60 / 1024
    top = 400.0
    gib = [*(top - 0.05 * age for age in range(30, -1, -1)), *(top - rate_gib * age for age in range(1, minutes + 1))]
    seen = by_minutes(*(one * GIB for one in gib))
    assert (seen.may_end_before_a_pace is not None) is is_told
    left_minutes = gib[-1] / rate_gib
    if is_told:
        assert seen.may_end_before_a_pace is not None
        assert (seen.may_end_before_a_pace - NOW) / timedelta(minutes=1) == pytest.approx(left_minutes)
    else:
        assert seen.minutes_left_at_net == pytest.approx(left_minutes, rel=0.05)


def test_a_gust_amid_a_fall_leaves_the_pace_as_it_is() -> None:
    falling = [300 - minute for minute in range(30)]
    assert by_minutes(*(one * GIB for one in (*falling, 268))).may_end_before_a_pace is None


@given(st.just(0.0) | st.floats(0.001, 4.9), st.floats(0.1, 80))
def test_a_minute_that_is_not_far_faster_than_the_pace_ends_nothing_sooner_than_it(left: float, rate: float) -> None:
    rate *= GIB
    steady = [left * rate + rate * minute for minute in range(20, -1, -1)]
    assert by_minutes(*steady).may_end_before_a_pace is None
    twice = [left * rate + 2.5 * rate + rate * minute for minute in range(20, -1, -1)]
    assert left == 0 or by_minutes(*twice, left * rate).may_end_before_a_pace is not None


@given(
    st.floats(0, 1),
    st.lists(st.floats(0, 150 * 60 * MIB), min_size=16, max_size=60),
    st.integers(1 * GIB, 4 * TIB),
)
def test_the_pace_times_its_minutes_is_what_was_spent_and_not_earned_in_them(
    share: float, demands: list[float], standard_bytes: int
) -> None:
    """Against the model's own accounts of what was earned and spent, whatever clients ask for."""
    balance = share * burst_credits.bucket_bytes(standard_bytes)
    flows = []
    for demanded in demands:
        flows.append(burst_credits.flow(balance, standard_bytes, demanded, 1 * GIB))
        balance = flows[-1].closing_bytes
    seen = by_minutes(*(flow.closing_bytes for flow in flows))
    minutes = round(seen.pace_minutes)
    # Whole pulses and rests end with the last pulse, which a rest may have followed.
    rest = 0 if seen.pulses is None else (seen.balances[-1].time - seen.pulses.last_end.time) // timedelta(minutes=1)
    net = sum(flow.spent_bytes - flow.earned_bytes for flow in flows[len(flows) - rest - minutes : len(flows) - rest])
    assert seen.drain_bytes_per_second is not None
    assert seen.drain_bytes_per_second * minutes * 60 == pytest.approx(net, abs=1024)


def test_a_balance_that_rises_or_stands_still_never_ends() -> None:
    assert situation(100, 120).minutes_left_at_net is None
    assert situation(100, 100).minutes_left_at_net is None


def test_one_datapoint_alone_tells_no_drain() -> None:
    assert situation(100).drain_bytes_per_second is None
    assert situation(100).minutes_left_at_net is None


def test_the_slowest_fall_ends_too() -> None:
    """Half a byte a second."""
    slow = situation(100, 100 - 300 / GIB, 100 - 600 / GIB)
    assert slow.drain_bytes_per_second == pytest.approx(0.5)
    assert slow.minutes_left_at_net is not None


def test_two_datapoints_however_near_tell_a_drain() -> None:
    near = dataclasses.replace(
        situation(100),
        balances=tuple(
            BalancePoint(time=NOW + timedelta(seconds=second), balance_bytes=10.0 - second) for second in range(2)
        ),
    )
    assert near.drain_bytes_per_second == 1


def capped(*, standard_tib: float, cap_mib: float, balance_gib: float, permitted_mib: float | None = None) -> Situation:
    """A file system where a Region permits `cap_mib` with credits; `permitted_mib` in the newest minute."""
    return dataclasses.replace(
        situation(balance_gib, standard_bytes=round(standard_tib * TIB), reference_mib=cap_mib),
        permitted_bytes_per_second=(cap_mib if permitted_mib is None else permitted_mib) * MIB,
        baseline_bytes_per_second=min(cap_mib, standard_tib * 50) * MIB,
    )


def test_credits_change_nothing_where_a_region_permits_no_more_than_the_size_earns() -> None:
    assert capped(standard_tib=300, cap_mib=3072, balance_gib=20_000).credits_change_nothing
    assert capped(standard_tib=61.44, cap_mib=3072, balance_gib=20_000).credits_change_nothing
    assert capped(standard_tib=300, cap_mib=3072, balance_gib=0).credits_change_nothing


def test_less_than_a_hundredth_more_is_nothing() -> None:
    assert capped(standard_tib=61, cap_mib=3072, balance_gib=20_000).credits_change_nothing
    assert not capped(standard_tib=60, cap_mib=3072, balance_gib=20_000).credits_change_nothing


def test_credits_matter_where_no_cap_is_seen() -> None:
    assert not situation(100).credits_change_nothing
    assert not capped(standard_tib=20, cap_mib=2000, balance_gib=2000).credits_change_nothing


def test_one_that_has_doubled_without_credits_is_not_taken_for_one_that_is_capped() -> None:
    """Its highest rate of 15 days is that of half its size, and the newest what its size earns."""
    assert not capped(standard_tib=30, cap_mib=1500, balance_gib=0).credits_change_nothing
    assert not capped(standard_tib=40, cap_mib=1500, balance_gib=0, permitted_mib=2000).credits_change_nothing


@given(
    st.floats(min_value=0.01, max_value=400).map(lambda tib: round(tib * TIB)),
    st.sampled_from((1, 3)).map(lambda gib: gib * GIB),
    st.floats(min_value=0, max_value=2),
)
def test_where_credits_change_nothing_no_load_brings_the_balance_down_by_more_than_a_hundredth(
    standard_bytes: int, cap_bytes_per_second: int, load: float
) -> None:
    """By the model of EFS: what is permitted is no more than what is earned."""
    with_credits = burst_credits.burst_bytes_per_second(standard_bytes, cap_bytes_per_second)
    without = burst_credits.baseline_bytes_per_second(standard_bytes, cap_bytes_per_second)
    full = burst_credits.bucket_bytes(standard_bytes)
    one = dataclasses.replace(
        capped(standard_tib=standard_bytes / TIB, cap_mib=with_credits / MIB, balance_gib=full / 2 / GIB),
        baseline_bytes_per_second=without,
    )
    went = burst_credits.flow(full / 2, standard_bytes, load * with_credits * 60, cap_bytes_per_second)
    if one.credits_change_nothing:
        assert went.opening_bytes - went.closing_bytes <= 0.01 * with_credits * 60 + 1
    elif load >= 1 and standard_bytes > TIB:
        assert went.closing_bytes < went.opening_bytes


def test_what_is_asked_of_a_situation_again_is_worked_out_once() -> None:
    asked: list[Situation] = []

    @once
    def newest_bytes(of: Situation) -> float:
        asked.append(of)
        return of.balance_bytes

    falling, other = situation(20, 10), situation(20, 5)
    assert [newest_bytes(one) for one in (falling, falling, other)] == [10 * GIB, 10 * GIB, 5 * GIB]
    assert asked == [falling, other]
    assert newest_bytes(dataclasses.replace(falling, balances=other.balances)) == 5 * GIB


def counted(
    *left: float, reference: float = 10, permitted: float = 10, baseline: float = 5, seconds_later: float = 0
) -> Situation:
    """In bytes that can be counted: 10 a second are permitted, so that 600 last a minute, and the size earns 5."""
    balances = tuple(
        BalancePoint(time=NOW - timedelta(minutes=age), balance_bytes=one)
        for age, one in zip(range(len(left) - 1, -1, -1), left, strict=True)
    )
    return Situation(
        file_system=bursting(104_858),
        time=NOW + timedelta(seconds=seconds_later),
        balances=balances,
        permitted_bytes_per_second=permitted,
        reference_bytes_per_second=reference,
        baseline_bytes_per_second=baseline,
        activity=None,
    )


def test_what_is_known_of_the_last_day_is_that_of_a_day_ago() -> None:
    yesterday, a_week = timedelta(days=1), timedelta(days=7)
    cut = NOW - timedelta(hours=3)
    points = (BalancePoint(time=cut, balance_bytes=7.0),)
    days = (PastDay(back=a_week, balances=(), cut=NOW), PastDay(back=yesterday, balances=points, cut=cut))
    known = replace(counted(9), past_days=days)
    assert (known.balances_of_the_day, known.bucket_was_cut_at) == (points, cut)
    assert (counted(9).balances_of_the_day, counted(9).bucket_was_cut_at) == ((), None)


def test_the_five_minutes_that_are_under_way_are_known_up_to_the_newest_datapoint() -> None:
    def known(newest_step_ago: int) -> int:
        last = NOW - timedelta(minutes=newest_step_ago)
        steps = [last - 2 * STEP, last - STEP, last]
        situation = replace(
            counted(9, 9),
            permitted_of_the_day=tuple((one, 10.0) for one in steps[:2]),
            last_day=tuple(Work(time=one, metered_bytes=1.0) for one in steps[1:]),
        )
        return situation.known_minutes_of_the_day

    assert [known(ago) for ago in (-3, 0, 2, 4, 9)] == [11, 11, 13, 15, 15]
    assert counted(9).known_minutes_of_the_day == 0


def test_a_threshold_is_what_lasts_so_long_and_an_alarm_has_a_reason_below_it() -> None:
    situation = counted(36_001, 35_999, 36_002)
    assert situation.threshold_bytes(60) == 36_000
    assert [situation.was_below(one) for one in (36_000, 35_999)] == [True, False]
    assert situation.minute_bytes == 600


def test_credits_that_were_gone_twice_are_gone_again_and_again() -> None:
    """Nothing is less than what lasts a second: 10 bytes."""
    hour = timedelta(hours=1)
    within = {
        (0, 50, 0, 50): hour,
        (50, 0, 50, 9): hour,
        (50, 0, 0, 50): None,
        (0, 50, 10): None,
        (50, 50): None,
    }
    assert {left: counted(*left).gone_again_and_again_within for left in within} == within
    earlier = [
        BalancePoint(time=NOW - timedelta(minutes=age), balance_bytes=0.0 if age in (240, 120) else 50.0)
        for age in range(240, 60, -1)
    ]
    for seconds, told in ((0, timedelta(hours=4)), (1, None)):
        points = tuple(one._replace(time=one.time - timedelta(seconds=seconds)) for one in earlier)
        assert replace(counted(50, 50), earlier_balances=points).gone_again_and_again_within == told


@pytest.mark.parametrize(
    ("left", "permitted", "gone"),
    [(0, 10, True), (1, 10, False), (599, 5, True), (599, 5.05, True), (599, 5.06, False), (600, 5, False)],
)
def test_credits_are_gone_at_zero_and_below_a_minutes_worth_where_no_more_is_permitted(
    left: float, permitted: float, gone: bool
) -> None:
    assert counted(left, permitted=permitted).credits_are_gone is gone


def test_a_minutes_worth_that_takes_a_month_to_earn_comes_back_in_no_useful_time() -> None:
    month = 30 * 24 * 60 * 5
    assert [
        counted(9, reference=reference * 60).earns_next_to_nothing for reference in (month / 60, month / 60 + 1)
    ] == [
        False,
        True,
    ]


def test_what_is_left_by_now_went_on_falling_and_never_rises() -> None:
    falling, rising = (1060, 1000), (940, 1000)
    by_now = [counted(*falling, seconds_later=later).balance_bytes_by_now for later in (0, 100, 1000, 1001, -60)]
    assert by_now == [1000, 900, 0, 0, 1000]
    assert [counted(*left, seconds_later=100).balance_bytes_by_now for left in (rising, (1000,))] == [1000, 1000]
    ran_out = [counted(*falling, seconds_later=later).ran_out for later in (999, 1000, 2000)]
    assert ran_out == [None, NOW + timedelta(seconds=1000), NOW + timedelta(seconds=1000)]
    assert counted(0, 0, seconds_later=9).ran_out is None
    assert counted(*rising, seconds_later=9999).ran_out is None


def test_an_end_at_full_speed_counts_what_is_earned_meanwhile() -> None:
    ends = [counted(600, reference=reference).minutes_until_end_at_permitted for reference in (5, 5.5, 6, 10)]
    assert ends == [None, 20, 10, 2]
    assert counted(600).minutes_left_at_permitted == 1


def test_the_newest_minute_has_a_pace_of_its_own_which_may_end_them_before_a_pace_shows() -> None:
    assert counted(9).newest_drain_bytes_per_second is None
    assert counted(1060, 1000).newest_drain_bytes_per_second == 1
    assert counted(1120, 1060, 1000).hourly_drain_bytes_per_second == 1
    assert counted(1300, 1060, 1000).hourly_drain_bytes_per_second == 2.5
    ends = [counted(*left).end_as_in_the_newest_minute for left in ((1060, 1000), (60, 0), (1000, 1000), (9,))]
    assert ends == [NOW + timedelta(seconds=1000), None, None, None]


@pytest.mark.parametrize(
    ("left", "has_just_begun"),
    [
        # It rose, and falls since one or two minutes; since three that is a pace.
        ((*range(1000, 1140, 10), 1070, 1010), True),
        ((*range(1000, 1130, 10), 1060, 1000, 940), False),
        ((*range(1000, 1150, 10), 1080), True),
        ((*range(1000, 1160, 10),), False),
        # What stood still had not risen.
        ((*[1000] * 14, 940, 880), False),
        # As high for two minutes is no fall yet.
        ((*range(1000, 1130, 10), 1120, 1060, 1000), True),
    ],
)
def test_a_load_has_just_begun_that_took_credits_for_fewer_minutes_than_show(
    left: Sequence[float], has_just_begun: bool
) -> None:
    assert counted(*left).has_just_begun is has_just_begun
