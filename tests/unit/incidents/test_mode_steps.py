"""When another throughput mode was on, read off what was permitted."""

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import (
    GIB,
    LOWEST_BURST_BYTES_PER_SECOND,
    MIB,
    SAME_RATE,
    TIB,
    earned_bytes_per_second,
    full_bucket_bytes,
)
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.held_down import held_by_rate, hidden_load
from efs_monitor.incidents.mode_lock import seems_changed
from efs_monitor.incidents.mode_steps import (
    ANOTHER_MODE,
    NOT_FULL,
    end_of_another_mode,
    is_neither,
    is_of_no_size,
    is_whole,
    steps_above_the_size,
    steps_at_a_provisioned_rate,
    steps_of_another_mode,
)
from efs_monitor.incidents.needed_throughput import needed_mib_per_second
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay, Situation, Work
from efs_monitor.incidents.times_at_zero import limited_steps
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.incidents.earlier_days import MINUTE_BYTES, POINTS_OF_THE_HOUR_BEFORE, a_day, now_with, with_work
from tests.unit.incidents.simulated_metrics import lived
from tests.unit.strategies import NOW, bursting, provisioned

FIRST = NOW - timedelta(hours=5)
FASTER = 36
EARNED = earned_bytes_per_second(bursting().standard_bytes) * STEP.total_seconds() / MINUTE_BYTES
"""What five minutes earn, in minutes at full speed."""


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
    rising = faster_until_two_hours_ago(*(60 + EARNED * index for index in range(FASTER)))
    assert len(steps_of_another_mode(rising)) == FASTER
    assert seems_changed(rising) == FIRST + FASTER * STEP


def test_a_balance_that_fell_meanwhile_tells_of_a_file_system_that_was_larger() -> None:
    """It shrank: AWS takes a change of mode, and what clients moved has taken its credits already."""
    shrunk = faster_until_two_hours_ago(*range(60, 60 - FASTER, -1))
    assert steps_of_another_mode(shrunk) == set()
    assert seems_changed(shrunk) is None


def test_so_does_a_balance_that_rose_faster_than_the_size_earns() -> None:
    shrunk = faster_until_two_hours_ago(*(60 + 1.2 * EARNED * index for index in range(FASTER)))
    assert steps_of_another_mode(shrunk) == set()
    assert seems_changed(shrunk) is None


@pytest.mark.parametrize(
    ("cut", "was_larger"), [(0, False), (1, True), (FASTER, True), (FASTER + 2, True), (59, False)]
)
def test_so_does_a_bucket_that_became_too_small_meanwhile_or_at_the_end(cut: int, was_larger: bool) -> None:
    full = faster_until_two_hours_ago(*[60] * 60)
    (day,) = full.past_days
    shrunk = dataclasses.replace(full, past_days=(dataclasses.replace(day, cut=FIRST + cut * STEP),))
    assert len(steps_of_another_mode(shrunk)) == (0 if was_larger else FASTER)


@pytest.mark.whole
@pytest.mark.parametrize("load_mib", [0.0, 10.0, 20.0, 21.0, 40.0, 62.0, 69.0])
def test_so_does_a_balance_that_rose_by_what_a_larger_size_earned_less_a_steady_load(load_mib: float) -> None:
    """Deleted at once: a load of up to what was earned then lets the balance rise, and by less than is earned now."""
    shrunk = lived([load_mib] * 180, standard_bytes=[1430 * GIB] * 120 + [1000 * GIB] * 60, left_share=0.2)
    assert steps_of_another_mode(shrunk) == set()
    rates = [140.0] * 120 + [None] * 60
    provisioned_before = lived([load_mib] * 180, standard_bytes=1000 * GIB, rates_mib=rates, left_share=0.2)
    assert len(steps_of_another_mode(provisioned_before)) == 24


@pytest.mark.parametrize("load_mib", [0.0, 40.0, 62.0])
def test_a_rate_that_is_not_whole_was_provisioned_where_the_balance_rose_by_all_that_is_earned(load_mib: float) -> None:
    rates = [139.6] * 120 + [None] * 60
    before = lived([load_mib] * 180, standard_bytes=1000 * GIB, rates_mib=rates, left_share=0.2)
    assert len(steps_of_another_mode(before)) == 24


def test_a_balance_that_falls_after_it_tells_nothing_of_it() -> None:
    fallen_since = faster_until_two_hours_ago(*[60] * FASTER, *range(59, 35, -1))
    assert len(steps_of_another_mode(fallen_since)) == FASTER


def test_a_balance_that_falls_in_the_minutes_of_the_change_back_tells_nothing_of_it() -> None:
    """The highest rate of these five is the other mode's, and the lowest balance is that of a load which goes on."""
    amid = faster_until_two_hours_ago(*[60] * (FASTER - 1), *range(58, 33, -1))
    assert len(steps_of_another_mode(amid)) == FASTER
    # Two in a row are a load on the credits of a larger size.
    before = faster_until_two_hours_ago(*[60] * (FASTER - 2), *range(58, 32, -1))
    assert steps_of_another_mode(before) == set()


@given(
    st.lists(st.sampled_from((0.0, 1.0, 5.0, 6.0, 11.0, 60.0, 200.0)), min_size=20, max_size=90),
    st.sampled_from((20, 100, 700, 1024, 3072)).map(lambda gib: gib * GIB),
    st.sampled_from((0.0, 0.001, 0.01, 0.5, 1.0)),
)
def test_no_load_on_credits_is_taken_for_one_at_a_provisioned_rate(
    loads_mib: list[float], standard_bytes: int, left_share: float
) -> None:
    """Whatever comes in whatever minute, at zero and on a full bucket too."""
    assert not steps_at_a_provisioned_rate(lived(loads_mib, standard_bytes=standard_bytes, left_share=left_share))


@pytest.mark.parametrize(("gib", "rate_mib"), [(100, 20), (100, 97), (100, 6), (1024, 80), (1024, 99), (3072, 200)])
def test_what_took_no_credits_was_let_through_by_a_provisioned_rate(gib: int, rate_mib: float) -> None:
    """Below what credits permit, and at it."""
    rates = [None] * 30 + [float(rate_mib)] * 120 + [None] * 30
    loads = [0.0] * 60 + [300.0] * 60 + [0.0] * 60
    situation = lived(loads, standard_bytes=gib * GIB, rates_mib=rates)
    steps = steps_at_a_provisioned_rate(situation)
    assert set(steps) == {situation.permitted_of_the_day[index][0] for index in range(12, 24)}
    assert set(steps.values()) == {rate_mib * MIB}


def test_the_quiet_hours_at_that_rate_took_no_credits_either() -> None:
    """Less was moved in them than is earned, which alone tells nothing."""
    rates = [None] * 30 + [20.0] * 120 + [None] * 30
    loads = [2.0] * 60 + [300.0] * 60 + [2.0] * 60
    situation = lived(loads, standard_bytes=100 * GIB, rates_mib=rates)
    assert steps_of_another_mode(situation) == {situation.permitted_of_the_day[index][0] for index in range(6, 30)}
    quiet = lived([2.0] * 180, standard_bytes=100 * GIB, rates_mib=rates)
    assert steps_of_another_mode(quiet) == {quiet.permitted_of_the_day[index][0] for index in range(6, 30)}
    # At a rate that the size gives nothing tells it.
    of_the_size = lived(loads, standard_bytes=100 * GIB, rates_mib=[100.0] * 180)
    assert steps_of_another_mode(of_the_size) == set(steps_at_a_provisioned_rate(of_the_size))


def test_a_provisioned_rate_that_the_size_does_not_give_ended_with_the_last_step_at_it() -> None:
    """Clients were idle by then; one that the size gives too leaves no trace of its end."""
    loads = [0.0] * 60 + [300.0] * 60 + [0.0] * 60
    rates = [None] * 30 + [20.0] * 120 + [None] * 30
    assert seems_changed(lived(loads, standard_bytes=100 * GIB, rates_mib=rates)) == NOW - timedelta(minutes=30)
    rates = [None] * 30 + [97.0] * 120 + [None] * 30
    assert seems_changed(lived(loads, standard_bytes=100 * GIB, rates_mib=rates)) is None


def test_a_rate_of_a_size_that_grew_since_is_none_of_another_mode() -> None:
    smaller = lived([120.0] * 90, standard_bytes=1536 * GIB)
    grown = dataclasses.replace(
        smaller,
        file_system=bursting(2048 * GIB),
        reference_bytes_per_second=200 * MIB,
        baseline_bytes_per_second=100 * MIB,
    )
    assert not steps_at_a_provisioned_rate(grown)
    assert seems_changed(grown) is None


def test_a_load_that_took_credits_of_a_size_that_shrank_since_is_none_of_another_mode() -> None:
    """It earned three times as much; the rate of less than 1 TiB is the same."""
    larger = lived([60.0] * 90, standard_bytes=900 * GIB)
    shrunk = dataclasses.replace(larger, file_system=bursting(300 * GIB), baseline_bytes_per_second=14.6 * MIB)
    assert not steps_at_a_provisioned_rate(shrunk)


def shrunk_after(loads_mib: Sequence[float], rates_mib: Sequence[float | None] = ()) -> Situation:
    """A size that earned three times as much: pulses leave some of that, and the balance rises."""
    pulses = [80.0 if minute % 10 < 3 else 0.0 for minute in range(180)]
    larger = lived([*loads_mib, *pulses], standard_bytes=900 * GIB, rates_mib=rates_mib)
    return dataclasses.replace(larger, file_system=bursting(300 * GIB), baseline_bytes_per_second=14.6 * MIB)


def test_what_follows_a_load_that_took_credits_took_them_too_at_a_size_that_shrank_since() -> None:
    """AWS lets nobody go back from provisioned throughput within 24 hours."""
    assert steps_at_a_provisioned_rate(shrunk_after([0.0] * 30))
    assert not steps_at_a_provisioned_rate(shrunk_after([90.0] * 30))


def test_throughput_may_be_provisioned_after_a_load_that_took_credits() -> None:
    by_now = dataclasses.replace(shrunk_after([90.0] * 30), file_system=provisioned(97, 300 * GIB))
    assert steps_at_a_provisioned_rate(by_now)


def test_a_bucket_that_became_too_small_is_no_load_that_took_credits() -> None:
    """It was full, and what was cut off is less than a load may take."""
    sizes = [TIB * 102 // 100] * 60 + [512 * GIB] * 120
    rates = [80.0] * 150 + [None] * 30
    shrunk = lived([70.0] * 150 + [0.0] * 30, standard_bytes=sizes, rates_mib=rates, left_share=1.0)
    balances = [one.balance_bytes for one in shrunk.balances_of_the_day]
    assert balances[20] < balances[0]
    assert shrunk.bucket_was_cut_at is None
    assert max(steps_at_a_provisioned_rate(shrunk)) == NOW - timedelta(minutes=35)


def test_without_a_balance_a_rate_that_the_size_does_not_give_tells_it() -> None:
    rates = [None] * 30 + [20.0] * 60
    known = lived([0.0] * 30 + [300.0] * 60, standard_bytes=100 * GIB, rates_mib=rates)
    unknown = dataclasses.replace(known, past_days=())
    assert steps_at_a_provisioned_rate(unknown) == steps_at_a_provisioned_rate(known)


def test_a_load_that_a_provisioned_rate_held_down_is_told_with_the_rate_and_how_long() -> None:
    rates = [None] * 30 + [20.0] * 120 + [None] * 30
    held = held_by_rate(lived([0.0] * 60 + [300.0] * 60 + [0.0] * 60, standard_bytes=100 * GIB, rates_mib=rates))
    assert held is not None
    assert (held.minutes, held.bytes_per_second) == (60, 20 * MIB)
    assert (held.began, held.ended) == (NOW - timedelta(minutes=120), NOW - timedelta(minutes=60))


@pytest.mark.parametrize(("wanted_mib", "minutes", "rate_mib"), [(15, 60, 20), (90, 10, 20), (300, 60, 100)])
def test_what_wanted_less_or_for_minutes_or_got_as_much_as_with_credits_was_not_held_down(
    wanted_mib: float, minutes: int, rate_mib: float
) -> None:
    loads = [0.0] * 60 + [float(wanted_mib)] * minutes + [0.0] * 60
    rates = [None] * 30 + [float(rate_mib)] * (minutes + 60) + [None] * 30
    assert held_by_rate(lived(loads, standard_bytes=100 * GIB, rates_mib=rates)) is None


def test_a_load_that_wanted_a_twentieth_less_than_a_smaller_size_was_permitted_got_it() -> None:
    loads = [0.0] * 60 + [95.0] * 60 + [0.0] * 240
    sizes = [round(0.9 * TIB)] * 300 + [round(1.9 * TIB)] * 60
    assert held_by_rate(lived(loads, standard_bytes=sizes)) is None


@pytest.mark.parametrize(("grown_tib", "is_told"), [(1.9, True), (1.0, False)])
def test_a_limit_of_credits_that_a_larger_size_lifts_held_clients_down(grown_tib: float, is_told: bool) -> None:
    """170 MiB/s were wanted for an hour, and 100 permitted; three hours later it has grown."""
    loads = [0.0] * 60 + [170.0] * 60 + [0.0] * 240
    sizes = [round(0.9 * TIB)] * 300 + [round(grown_tib * TIB)] * 60
    held = held_by_rate(lived(loads, standard_bytes=sizes))
    assert (held is not None) is is_told
    if held is not None:
        assert (held.minutes, held.bytes_per_second, held.is_provisioned) == (60, 100 * MIB, False)


def test_limits_of_sizes_that_grew_on_the_way_are_told_from_the_least_to_the_highest() -> None:
    loads = [0.0] * 60 + [170.0] * 120 + [0.0] * 180
    sizes = [round(0.9 * TIB)] * 120 + [round(1.2 * TIB)] * 180 + [round(1.9 * TIB)] * 60
    held = held_by_rate(lived(loads, standard_bytes=sizes))
    assert held is not None
    assert (held.minutes, held.least_bytes_per_second, round(held.bytes_per_second)) == (120, 100 * MIB, 120 * MIB)


def test_a_rate_below_the_least_that_credits_permit_was_provisioned_and_is_no_limit_of_a_smaller_size() -> None:
    """A load took credits before it, 54 MiB/s were provisioned for two hours, and 43 are earned now."""
    loads = [0.0] * 60 + [150.0] * 270
    rates = [None] * 120 + [54.0] * 120 + [None] * 90
    held = held_by_rate(lived(loads, standard_bytes=880 * GIB, rates_mib=rates))
    assert held is not None
    assert (held.is_provisioned, held.bytes_per_second, held.minutes) == (True, 54 * MIB, 120)


def test_a_limit_that_may_be_the_regions_is_told_as_no_smaller_size() -> None:
    loads = [0.0] * 60 + [170.0] * 60 + [0.0] * 240
    situation = lived(loads, standard_bytes=[round(0.9 * TIB)] * 300 + [round(1.9 * TIB)] * 60)
    assert held_by_rate(dataclasses.replace(situation, may_be_capped=True)) is None


def test_without_credits_clients_are_held_down_by_no_size() -> None:
    loads = [170.0] * 120 + [0.0] * 240
    sizes = [round(0.9 * TIB)] * 300 + [round(1.9 * TIB)] * 60
    assert held_by_rate(lived(loads, standard_bytes=sizes, left_share=0.001)) is None


@pytest.mark.whole
@pytest.mark.parametrize(("size_then_gib", "size_gib"), [(40, 32), (40, 10), (32, 40)])
def test_a_day_without_credits_is_of_no_provisioned_rate_whatever_size_it_was(
    size_then_gib: int, size_gib: int
) -> None:
    """A size has no whole MiB/s without credits: to provision so little would hold clients down for a day."""
    sizes = [size_then_gib * GIB] * 20 * 60 + [size_gib * GIB] * 6 * 60
    day = lived([10.0] * len(sizes), standard_bytes=sizes, left_share=0.0)
    assert end_of_another_mode(day) is None
    assert steps_at_a_provisioned_rate(day) == {}
    assert len(limited_steps(day)) == 24 * 12


def test_a_whole_rate_without_credits_was_provisioned() -> None:
    rates = [3.0] * 20 * 60 + [None] * 6 * 60
    day = lived([10.0] * len(rates), standard_bytes=40 * GIB, rates_mib=rates, left_share=0.0)
    assert end_of_another_mode(day) == NOW - timedelta(hours=6)
    assert set(steps_at_a_provisioned_rate(day).values()) == {3 * MIB}


def test_what_a_larger_size_had_without_credits_is_no_other_mode_and_what_the_load_needs_at_the_least() -> None:
    """146.5 MiB/s of 3,000 GiB, at zero for all that is known; 900 GiB may have 100 with credits."""
    sizes = [3000 * GIB] * 20 * 60 + [900 * GIB] * 6 * 60
    shrank = lived([200.0] * 20 * 60 + [0.0] * 6 * 60, standard_bytes=sizes, left_share=0.0)
    assert end_of_another_mode(shrank) is None
    assert steps_of_another_mode(shrank) == set()
    assert needed_mib_per_second(shrank) == 184


def test_a_rate_that_falls_step_by_step_is_that_of_a_size_that_shrinks_and_no_other_mode() -> None:
    """1,500 GiB become 700 within eight hours, the bucket of both being full all the while."""
    sizes = [1500 * GIB] * 120 + [(1500 - 100 * hour) * GIB for hour in range(1, 9) for _ in range(60)]
    permitted = lived([0.0] * len(sizes), standard_bytes=sizes, left_share=1.0)
    points = permitted.balances_of_the_day
    flat = PastDay(back=AHEAD, balances=tuple(one._replace(balance_bytes=2100 * GIB) for one in points))
    shrank = dataclasses.replace(permitted, past_days=(flat,))
    assert steps_of_another_mode(shrank) == set()
    assert end_of_another_mode(shrank) is None


def test_a_whole_rate_above_the_size_is_that_of_another_mode_at_zero_too() -> None:
    rates = [500.0] * 20 * 60 + [None] * 6 * 60
    day = lived([200.0] * len(rates), standard_bytes=900 * GIB, rates_mib=rates, left_share=0.0)
    assert end_of_another_mode(day) == NOW - timedelta(hours=6)


def test_a_load_that_another_mode_let_through_before_it_was_held_down_began_then() -> None:
    """120 MiB/s from ten hours ago on: for four of them in elastic throughput, and for four more at zero."""
    back = [EARNED * step for step in range(24)]
    day = a_day([0.0] * (POINTS_OF_THE_HOUR_BEFORE + 264) + back)
    metered = [0.0] * 168 + [6.0] * 48 + [5 * 5 / 100] * 48 + [0.0] * 24
    permitted = [500.0] * 216 + [5.0] * 48 + [100.0] * 24
    hidden = hidden_load(with_work(now_with(20, day), metered, permitted))
    assert hidden is not None
    assert (hidden.since, hidden.began) == (NOW - timedelta(hours=10), NOW - timedelta(hours=6))
    assert hidden.spends_from == NOW + timedelta(hours=14)
    alone = hidden_load(with_work(now_with(20, day), [0.0] * 216 + metered[216:], permitted))
    assert alone is not None
    assert (alone.since, alone.spends_from) == (None, NOW + timedelta(hours=18))


def by_steps(
    rates: Sequence[float], left: Sequence[float | None], moved: Mapping[int, float] | None = None, *, tib: float = 5
) -> Situation:
    """The first five minutes of five hours: what was permitted, and left, and moved, in MiB and seconds."""
    size_bytes = round(tib * TIB)
    balances = tuple(
        BalancePoint(time=FIRST + step * STEP, balance_bytes=one * MIB)
        for step, one in enumerate(left)
        if one is not None
    )
    return dataclasses.replace(
        now_with(60, PastDay(back=AHEAD, balances=balances)),
        file_system=bursting(size_bytes),
        reference_bytes_per_second=100 * tib * MIB,
        baseline_bytes_per_second=50 * tib * MIB,
        permitted_of_the_day=tuple((FIRST + step * STEP, rate * MIB) for step, rate in enumerate(rates)),
        last_day=tuple(
            Work(time=FIRST + step * STEP, metered_bytes=one * MIB) for step, one in sorted((moved or {}).items())
        ),
    )


def rising(*mib_per_second: float, start: float = 10_000_000) -> list[float]:
    """What is left after each five minutes at such a rate."""
    lived = [start]
    for rate in mib_per_second:
        lived.append(lived[-1] + 300 * rate)
    return lived


A_MINUTE_MIB = 500 * 60


@pytest.mark.parametrize(
    ("rates", "left", "number"),
    [
        ([600] * 4, rising(0, 0, 0), 4),
        # A size that grows has a rate by a tenth higher, and hardly one in whole MiB/s: of that a hundredth will do.
        ([549.5] * 4, rising(0, 0, 0), 0),
        ([505] * 4, rising(0, 0, 0), 0),
        ([506] * 4, rising(0, 0, 0), 4),
        ([550.5] * 4, rising(0, 0, 0), 4),
        # It fell: but for the last of more than three, which may be of after.
        ([600] * 3, rising(0, -1), 0),
        ([600] * 4, rising(0, 0, -1), 4),
        ([600] * 4, rising(0, -1, 0), 0),
        # It rose by no more than a tenth faster than is earned.
        ([600] * 2, rising(275), 2),
        ([600] * 2, rising(275.1), 0),
        # Without credits a rate that is not whole is that of a size.
        ([600.5] * 2, rising(0, start=A_MINUTE_MIB - 1), 0),
        ([600.5] * 2, rising(0, start=A_MINUTE_MIB), 2),
        ([600.5] * 2, rising(1, start=A_MINUTE_MIB - 1), 2),
        ([600, 600.5], rising(0, start=0), 0),
        ([600] * 2, rising(0, start=0), 2),
        ([600.5] * 2, [None, None], 2),
        # Three rates, each lower than the one before, are those of a size that shrinks; of whole ones one may be.
        ([700, 650.5, 600.5, 600.5], rising(0, 0, 0), 0),
        ([700, 650.5, 650.5, 650.5], rising(0, 0, 0), 4),
        ([700, 650.5, 600, 600], rising(0, 0, 0), 4),
        ([700, 650, 600.5, 600.5], rising(0, 0, 0), 4),
        ([700, 650.5, 690.5, 600.5], rising(0, 0, 0), 4),
    ],
)
def test_a_rate_above_that_of_the_size_was_of_another_mode_unless_the_size_was_larger(
    rates: Sequence[float], left: Sequence[float | None], number: int
) -> None:
    assert len(steps_above_the_size(by_steps(rates, left))) == number


FULL_MIB = NOT_FULL * full_bucket_bytes(5 * TIB) / MIB


@pytest.mark.parametrize(
    ("rates", "rises", "moved", "number"),
    [
        # A size that earns 500 MiB/s, of which clients moved 400; of four known points the last may be of after.
        ([1000] * 5, (100, 100, 100, 100), 400, 0),
        ([1000] * 4, (100, 100, 100), 400, 4),
        # A Region may cap from 1 GiB/s on.
        ([1023] * 5, (100, 100, 100, 100), 411.5, 0),
        ([1024] * 5, (100, 100, 100, 100), 412, 5),
        ([1023, 1024, 1023, 1023, 1023], (100, 100, 100, 100), 411.5, 5),
        # A twentieth of what it earned is what these books are short of; what is earned now would be 250.
        ([1000] * 5, (125, 125, 125, 125), 400, 0),
        ([1000] * 5, (126, 126, 126, 126), 400, 5),
        ([1000] * 5, (75, 75, 75, 75), 400, 0),
        ([1000] * 5, (74, 74, 74, 74), 400, 5),
        # All of it counts.
        ([1000] * 5, (270, 100, 100, 100), 400, 5),
        ([1000] * 5, (100, 100, 270, 100), 400, 5),
        ([1000] * 5, (100, 100, 100, 0), 400, 0),
        # Where both come to about the same, a rate that is whole was provisioned.
        ([1000] * 5, (200, 200, 200, 200), 300, 5),
        ([1000.5] * 5, (200, 200, 200, 200), 300.25, 0),
        ([1000.5, *[1000] * 4], (200, 200, 200, 200), 300, 0),
        ([1000] * 5, (199, 199, 199, 199), 301, 0),
    ],
)
def test_a_balance_that_rose_by_what_a_larger_size_earned_less_what_was_moved_was_of_that(
    rates: Sequence[float], rises: Sequence[float], moved: float, number: int
) -> None:
    situation = by_steps(rates, rising(*rises), dict.fromkeys(range(len(rates)), 300 * moved))
    assert len(steps_above_the_size(situation)) == number


def test_a_bucket_that_may_have_been_full_tells_nothing_of_what_was_earned() -> None:
    for below_full, number in ((0, 5), (1, 0)):
        left = rising(100, 100, 100, start=FULL_MIB - 3 * 30_000 - below_full)
        situation = by_steps(
            [1000] * 5, [*left[:3], min(left[3], FULL_MIB - below_full), left[3]], dict.fromkeys(range(5), 120_000.0)
        )
        assert len(steps_above_the_size(situation)) == number, below_full


EARNED_MIB = 250.0 * 300


@pytest.mark.parametrize(
    ("rates", "left", "moved", "found"),
    [
        # Clients moved more than is earned, and the balance rose by all of that, or by what ten minutes may bring.
        ([400, 400], rising(250), {1: 1.2 * EARNED_MIB}, [1]),
        ([400, 400], rising(275), {1: 1.1 * EARNED_MIB}, []),
        ([400, 400], rising(275), {1: 1.1 * EARNED_MIB + 1}, [1]),
        ([400, 400], rising(275), {1: 1.05 * EARNED_MIB}, []),
        ([400, 400], rising(225), {1: 1.2 * EARNED_MIB}, []),
        ([400, 400], rising(225.1), {1: 1.2 * EARNED_MIB}, [1]),
        ([400, 400], rising(224.9), {1: 1.2 * EARNED_MIB}, []),
        ([400, 400], rising(0), {1: 2.2 * EARNED_MIB}, [1]),
        ([400, 400], rising(-1), {1: 2.2 * EARNED_MIB}, []),
        # More than the size gives is another story.
        ([400, 549.5], rising(0), {1: 2.2 * EARNED_MIB}, [1]),
        ([400, 505], rising(0), {1: 2.2 * EARNED_MIB}, [1]),
        ([400, 506], rising(0), {1: 2.2 * EARNED_MIB}, []),
        ([400, 550.5], rising(0), {1: 2.2 * EARNED_MIB}, []),
        # Without the balance before it, it does not tell; without its own, a rate that the size does not give does.
        ([400, 400], [None, 10_000_000], {1: 2.2 * EARNED_MIB}, []),
        ([400, 400], [10_000_000, None], {1: 2.2 * EARNED_MIB}, [1]),
        ([400, 500], [10_000_000, None], {1: 2.2 * EARNED_MIB}, []),
        # With less than a minute's worth before it, a whole rate that the size does not give tells it.
        ([400, 400], rising(0, start=A_MINUTE_MIB - 1), {1: 2.2 * EARNED_MIB}, [1]),
        ([400, 400.5], rising(0, start=A_MINUTE_MIB - 1), {1: 2.2 * EARNED_MIB}, []),
        ([400, 400.5], rising(0, start=A_MINUTE_MIB), {1: 2.2 * EARNED_MIB}, [1]),
        ([400, 500], rising(0, start=A_MINUTE_MIB - 1), {1: 2.2 * EARNED_MIB}, []),
        ([400, 500], rising(0, start=A_MINUTE_MIB), {1: 2.2 * EARNED_MIB}, [1]),
        # What follows a load that took credits took them too; what no longer fits into a full bucket is none.
        ([400] * 4, rising(0, -1, 0), {1: 2.2 * EARNED_MIB, 2: 2.2 * EARNED_MIB, 3: 2.2 * EARNED_MIB}, [1]),
        ([400] * 4, rising(0, -1, 0, start=FULL_MIB), {1: 2.2 * EARNED_MIB, 3: 2.2 * EARNED_MIB}, [1, 3]),
    ],
)
def test_a_load_that_took_no_credits_was_let_through_by_a_provisioned_rate(
    rates: Sequence[float], left: Sequence[float | None], moved: Mapping[int, float], found: list[int]
) -> None:
    steps = steps_at_a_provisioned_rate(by_steps(rates, left, moved))
    assert steps == {FIRST + step * STEP: rates[step] * MIB for step in found}


def test_a_balance_in_whose_place_stands_what_fits_into_a_smaller_bucket_tells_no_provisioned_rate() -> None:
    """It stands still, whatever a load took of what did not fit."""
    still = by_steps([490, 490, 490], rising(0, 0), {1: 2.2 * EARNED_MIB})
    (day,) = still.past_days
    for cut, found in ((None, 1), (FIRST + STEP, 1), (FIRST + 2 * STEP, 0)):
        assert (
            len(steps_at_a_provisioned_rate(dataclasses.replace(still, past_days=(dataclasses.replace(day, cut=cut),))))
            == found
        )
    risen = by_steps([490, 490, 490], rising(1, 0), {1: 2.2 * EARNED_MIB})
    (day,) = risen.past_days
    cut_later = dataclasses.replace(risen, past_days=(dataclasses.replace(day, cut=FIRST + 2 * STEP),))
    assert len(steps_at_a_provisioned_rate(cut_later)) == 1


def test_what_little_was_moved_at_that_rate_took_none_either_until_a_load_took_some() -> None:
    for last, quiet in ((250, 4), (-1, 3)):
        situation = by_steps([400] * 4, rising(250, 250, last), {1: 1.2 * EARNED_MIB})
        assert steps_of_another_mode(situation) == {FIRST + step * STEP for step in range(quiet)}


def test_a_rate_is_of_no_size_and_of_none_of_two_at_their_bounds() -> None:
    situation = by_steps([100], [0])
    comfortable = 0.01 * full_bucket_bytes(5 * TIB)
    least = LOWEST_BURST_BYTES_PER_SECOND / SAME_RATE
    of_none = [
        is_of_no_size(rate, left, situation)
        for rate, left in ((least, comfortable), (least - 1, comfortable), (least - 1, comfortable - 1))
    ]
    assert of_none == [False, True, False]
    # The size gives 250 MiB/s without credits, and 500 with them.
    bounds = [
        ANOTHER_MODE * (250 * MIB),
        ANOTHER_MODE * (250 * MIB) + 1,
        500 * MIB / ANOTHER_MODE - 1,
        500 * MIB / ANOTHER_MODE,
    ]
    assert [is_neither(one, situation) for one in bounds] == [False, True, True, False]
    assert [is_whole((20 + fraction) * MIB) for fraction in (0, 0.00009, -0.00009, 0.0002, -0.0002, 0.5)] == [
        True,
        True,
        True,
        False,
        False,
        False,
    ]


def test_another_mode_ended_with_the_last_five_minutes_that_show_it() -> None:
    """Of minutes without a balance, of a rate above the size's, or of one that is of none and took no credits."""
    missing = by_steps([500] * 9, [*rising(0, 0), None, None, None, *rising(0, 0)])
    assert end_of_another_mode(missing) == FIRST + 6 * STEP
    two_missing = by_steps([500] * 8, [*rising(0, 0, 0), None, None, *rising(0, 0)])
    assert end_of_another_mode(two_missing) is None
    above = by_steps([500, 600, 600, 500], rising(0, 0, 0))
    assert end_of_another_mode(above) == FIRST + 3 * STEP
    loaded = by_steps([500, 400, 400, 400, 500], rising(0, 0, 0, 0), {2: 2.2 * EARNED_MIB})
    assert end_of_another_mode(loaded) == FIRST + 4 * STEP
    idle = by_steps([500, 400, 400, 400, 500], rising(0, 0, 0, 0))
    assert end_of_another_mode(idle) is None
