"""When another throughput mode was on, read off what was permitted."""

import dataclasses
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from math import inf

import pytest
from efs_monitor.efs.credits import GIB, MIB, earned_bytes_per_second
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.comeback import AHEAD
from efs_monitor.incidents.held_down import held_by_rate
from efs_monitor.incidents.mode_lock import seems_changed
from efs_monitor.incidents.mode_steps import steps_at_a_provisioned_rate, steps_of_another_mode
from efs_monitor.incidents.situation import STEP, PastDay, Situation, Work
from hypothesis import given
from hypothesis import strategies as st

from simulation import burst_credits
from simulation.file_system import Bursting, Load, Provisioned, created, step
from tests.unit.incidents.earlier_days import MINUTE_BYTES, now_with
from tests.unit.strategies import NOW, bursting

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


def test_a_balance_that_falls_after_it_tells_nothing_of_it() -> None:
    fallen_since = faster_until_two_hours_ago(*[60] * FASTER, *range(59, 35, -1))
    assert len(steps_of_another_mode(fallen_since)) == FASTER


def lived(
    loads_mib: Sequence[float], *, standard_bytes: int, rates_mib: Sequence[float | None] = (), left_share: float = 0.5
) -> Situation:
    """A minute of so much each, on credits or at a provisioned rate, by the model of EFS; as the metrics have it."""
    state = replace(created(standard_bytes), balance_bytes=left_share * burst_credits.bucket_bytes(standard_bytes))
    first = NOW - len(loads_mib) * timedelta(minutes=1)
    lowest, moved, permitted = dict[datetime, float](), dict[datetime, float](), dict[datetime, float]()
    for minute, mib in enumerate(loads_mib):
        rate_mib = rates_mib[minute] if rates_mib else None
        mode = Bursting() if rate_mib is None else Provisioned(rate_mib * MIB)
        state, went = step(replace(state, mode=mode), Load(write_bytes=mib * MIB * 60))
        points = {one.name: one for one in went.datapoints}
        time = first + (minute - minute % 5) * timedelta(minutes=1)
        lowest[time] = min(lowest.get(time, inf), points["BurstCreditBalance"].minimum)
        moved[time] = moved.get(time, 0.0) + went.credits.served_bytes
        permitted[time] = max(permitted.get(time, 0.0), points["PermittedThroughput"].maximum)
    reference = burst_credits.burst_bytes_per_second(standard_bytes, 3 * GIB)
    return dataclasses.replace(
        now_with(
            60, PastDay(back=AHEAD, balances=tuple(BalancePoint(time=at, balance_bytes=lowest[at]) for at in lowest))
        ),
        file_system=bursting(standard_bytes),
        reference_bytes_per_second=reference,
        baseline_bytes_per_second=burst_credits.baseline_bytes_per_second(standard_bytes, reference),
        last_day=tuple(Work(time=at, metered_bytes=moved[at]) for at in moved if moved[at]),
        permitted_of_the_day=tuple(permitted.items()),
    )


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
