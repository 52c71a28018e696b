"""A load of another mode that went on without credits after it.

100 GiB, whose 4.88 MiB/s are there without credits. The load of 60 MiB/s began two hours after the first step, elastic
throughput ended two hours later, and nothing was left then.
"""

import dataclasses
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import GIB, MIB, earned_bytes_per_second
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.held_down_after_another_mode import WentOn, went_on_held_down
from efs_monitor.incidents.situation import AHEAD, DAY, STEP, PastDay, Situation
from efs_monitor.incidents.unlimited_load import unlimited_load
from efs_monitor.mail.load_that_comes_again import unlimited_comes_back

from tests.unit.incidents.earlier_days import MINUTE_BYTES
from tests.unit.incidents.test_unlimited_load import FIRST, HOUR, a_load, elastic_until

BACK_STEP = 48
EARNED_MIB = earned_bytes_per_second(100 * GIB) / MIB
ELASTIC = a_load(24, BACK_STEP)


def held_until(
    step: int, *, load: dict[int, float] = ELASTIC, since: int = BACK_STEP, minutes: float = 120
) -> Situation:
    """All that is there without credits is taken from one step until another; nothing is left as long."""
    situation = elastic_until(BACK_STEP, load | dict.fromkeys(range(since, step), EARNED_MIB), minutes=minutes)
    balances = tuple(
        BalancePoint(FIRST + index * STEP, 0.0 if index < max(step, since) else minutes * MINUTE_BYTES)
        for index in range(BACK_STEP, 288)
    )
    return dataclasses.replace(situation, past_days=(PastDay(back=AHEAD, balances=balances),))


def went_on(situation: Situation) -> WentOn | None:
    load = unlimited_load(situation, 180)
    assert load is not None
    return went_on_held_down(load, situation)


def test_it_ends_the_credits_where_it_goes_on_as_it_did_before() -> None:
    """Of 120 minutes at 100 MiB/s, two hours earn 4.88 MiB/s and two hours take 55.1 MiB/s."""
    left_mib = 120 * 6000 + 7200 * EARNED_MIB - 7200 * (60 - EARNED_MIB)
    found = went_on(held_until(BACK_STEP + 96))
    assert found is not None
    assert found.gone is not None
    seconds = left_mib / (60 - EARNED_MIB)
    assert abs(found.gone - (FIRST + 4 * HOUR + DAY + timedelta(seconds=seconds))) < timedelta(seconds=1)
    assert (found.bytes_per_second, found.left_bytes) == (60 * MIB, 0.0)


def test_it_leaves_some_where_it_was_held_down_for_less_than_that() -> None:
    left_mib = 120 * 6000 + 7200 * EARNED_MIB - 10800 * (60 - EARNED_MIB)
    found = went_on(held_until(BACK_STEP + 12))
    assert found is not None
    assert found.gone is None
    assert found.left_bytes == pytest.approx(left_mib * MIB)


def test_how_fast_it_was_says_the_fastest_of_its_last_three_steps_and_no_more_than_credits_permit() -> None:
    earlier = ELASTIC | {BACK_STEP - 4: 90.0, BACK_STEP - 3: 80.0, BACK_STEP - 1: 12.0}
    found = went_on(held_until(BACK_STEP + 12, load=earlier))
    assert found is not None
    assert found.bytes_per_second == 80 * MIB
    beyond = went_on(held_until(BACK_STEP + 12, load=ELASTIC | {BACK_STEP - 1: 300.0}))
    assert beyond is not None
    assert beyond.bytes_per_second == 100 * MIB


@pytest.mark.parametrize(
    ("since", "until", "is_of_it"),
    [
        (BACK_STEP, BACK_STEP + 3, True),
        (BACK_STEP, BACK_STEP + 2, False),
        (BACK_STEP + 5, BACK_STEP + 12, True),
        (BACK_STEP + 6, BACK_STEP + 12, False),
        (BACK_STEP, BACK_STEP, False),
    ],
)
def test_what_is_held_down_for_a_quarter_of_an_hour_and_soon_after_is_that_load(
    since: int, until: int, is_of_it: bool
) -> None:
    assert (went_on(held_until(until, since=since)) is not None) is is_of_it


def test_of_one_that_ends_the_credits_before_nothing_more_is_said() -> None:
    assert went_on(held_until(BACK_STEP + 96, minutes=20)) is None


@pytest.mark.parametrize(
    ("held_steps", "says"),
    [
        (96, "After that it went on without credits until about 00:00 UTC, and how much more it wanted is in no "),
        (96, ": if it then goes on at 60 MiB/s, they are gone at about 17:48 UTC."),
        (12, ": if it then goes on at 60 MiB/s for as long, 26 minutes are left at 17:00 UTC."),
    ],
)
def test_the_mail_says_what_comes_of_it(held_steps: int, says: str) -> None:
    situation = held_until(BACK_STEP + held_steps)
    load = unlimited_load(situation, 180)
    assert load is not None
    assert says in unlimited_comes_back(load, situation)
