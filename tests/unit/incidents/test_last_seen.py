"""What a balance was doing when its datapoints stopped coming."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import GIB
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.last_seen import LastSeen, NewestSeen, last_seen_ending, newest_seen

from tests.unit.strategies import NOW

STEP = timedelta(minutes=5)
# Of the newest step of the balances below.
NEWEST = NOW - timedelta(hours=1)


def steps(*gib: float) -> tuple[BalancePoint, ...]:
    """The lowest balance of each five minutes, the last of which began an hour ago."""
    oldest = NEWEST - (len(gib) - 1) * STEP
    return tuple(BalancePoint(time=oldest + at * STEP, balance_bytes=one * GIB) for at, one in enumerate(gib))


def seen(
    points: Sequence[BalancePoint], minute_bytes: float = 6 * GIB, *, alarm_is_on: bool = False
) -> LastSeen | None:
    return last_seen_ending(points, minute_bytes, NOW, alarm_is_on=alarm_is_on)


def test_a_balance_that_fell_is_gone_when_its_pace_has_taken_the_rest() -> None:
    found = seen(steps(130, 120, 110))
    assert found is not None
    assert (found.balance_bytes, found.drain_bytes_per_second) == (110 * GIB, 10 * GIB / 300)
    assert found.gone == NEWEST + STEP + timedelta(minutes=55)


def test_of_a_step_that_may_have_its_first_minute_only_the_pace_is_that_of_the_step_before() -> None:
    """The end of the step before is that of all of its minutes: the rest is counted from there."""
    found = seen(steps(130, 120, 118))
    assert found is not None
    assert (found.balance_bytes, found.drain_bytes_per_second) == (118 * GIB, 10 * GIB / 300)
    assert found.gone == NEWEST + timedelta(minutes=60)


def test_a_load_that_began_in_the_newest_step_took_what_had_come_back_in_the_one_before_as_well() -> None:
    """The lowest of a step in which it rises is that at its beginning: at the end there were 2 GiB more."""
    found = seen(steps(118, 120, 112))
    assert found is not None
    assert found.drain_bytes_per_second == 10 * GIB / 300
    assert found.gone == NEWEST + timedelta(minutes=61)


def test_of_what_was_before_a_hole_no_pace_is_known() -> None:
    before = BalancePoint(time=NEWEST - 20 * STEP, balance_bytes=900 * GIB)
    assert seen((before, *steps(100))) is None
    found = seen((before, *steps(110, 100)))
    assert found is not None
    assert found.drain_bytes_per_second == 10 * GIB / 300


@pytest.mark.parametrize("gib", [0.0, 0.09])
def test_nothing_left_is_nothing_left_however_it_came_to_that(gib: float) -> None:
    found = seen(steps(gib))
    assert found is not None
    assert found.is_zero
    assert found.gone == NEWEST


@pytest.mark.parametrize(
    "points",
    [(), steps(100), steps(100, 100), steps(100, 101), steps(110, 100, 100)],
    ids=["none", "one", "flat", "rising", "ended"],
)
def test_a_balance_that_did_not_fall_heads_for_no_end(points: tuple[BalancePoint, ...]) -> None:
    assert seen(points) is None


@pytest.mark.parametrize(("hours", "is_told"), [(6.9, True), (7.1, False)])
def test_an_end_of_later_than_six_hours_from_now_is_none_of_tonight(hours: float, is_told: bool) -> None:
    """The pace is that of five minutes: of a large balance it says nothing."""
    left = hours * 12 * 10
    assert (seen(steps(left + 10, left, left - 10)) is not None) is is_told


@pytest.mark.parametrize(("hours", "is_told"), [(7.1, True), (12.9, True), (13.1, False)])
def test_with_an_alarm_on_an_end_within_half_a_day_is_told(hours: float, is_told: bool) -> None:
    """The mail that metrics come late said nothing of the credits, six hours and eleven minutes before their end."""
    left = hours * 12 * 10
    assert (seen(steps(left + 10, left, left - 10), alarm_is_on=True) is not None) is is_told


@pytest.mark.parametrize(("steps_fallen", "hours", "is_told"), [(12, 12.9, True), (12, 13.1, False), (11, 12.9, False)])
def test_so_it_is_of_a_balance_that_has_fallen_for_an_hour(steps_fallen: int, hours: float, is_told: bool) -> None:
    left = hours * 12 * 10
    fell = [left + 10 * ago for ago in range(steps_fallen - 1, -2, -1)]
    assert (seen(steps(fell[0], *fell)) is not None) is is_told
    holed = steps(fell[0], *fell)
    assert (
        seen((holed[0]._replace(time=holed[0].time - STEP), holed[1]._replace(time=holed[1].time - STEP), *holed[2:]))
        is None
    )


@pytest.mark.parametrize(("gib", "is_told"), [(0.0, True), (1 / GIB, False)])
def test_without_a_threshold_that_tells_a_minutes_worth_nothing_is_zero_to_the_byte(gib: float, is_told: bool) -> None:
    assert (seen(steps(0, 0, gib), minute_bytes=0.0) is not None) is is_told


def test_a_load_that_ends_it_in_just_six_hours_is_told() -> None:
    """Of 42 GiB half a GiB goes in five minutes: that is seven hours, of which one has passed."""
    found = seen(steps(42.5, 42, 41.5), minute_bytes=GIB)
    assert found is not None
    assert found.gone == NOW + timedelta(hours=6)


def test_a_fall_by_some_bytes_ends_in_no_year_that_could_be_told() -> None:
    assert seen(steps(2000, 2000 - 1 / GIB)) is None


def newest(*gib: float) -> NewestSeen:
    found = newest_seen(steps(*gib), 6 * GIB, NOW)
    assert found is not None
    return found


def test_the_newest_that_is_known_is_told_also_where_it_does_not_end() -> None:
    rising = newest(110, 120)
    assert (rising.since, rising.balance_bytes, rising.end) == (NEWEST, 120 * GIB, None)
    assert newest_seen([], 6 * GIB, NOW) is None


@pytest.mark.parametrize(("left_gib", "is_told"), [(5869, True), (5871, False)])
def test_its_end_is_told_where_it_is_no_more_than_two_days_from_now(left_gib: float, is_told: bool) -> None:
    """At 10 GiB in five minutes two days and an hour take 5,880 GiB."""
    found = newest(left_gib + 20, left_gib + 10, left_gib)
    assert (found.end is not None) is is_told
    assert seen(steps(left_gib + 20, left_gib + 10, left_gib)) is None


def minutes(*gib: float, oldest: timedelta = timedelta(0)) -> tuple[BalancePoint, ...]:
    """Minute by minute from the beginning of the newest step on."""
    first = NEWEST + oldest
    return tuple(BalancePoint(time=first + at * MINUTE, balance_bytes=one * GIB) for at, one in enumerate(gib))


# The first of them rose, and its lowest is that at its beginning.
LATELY = minutes(592, 590, 586, oldest=-MINUTE)


def test_the_pace_is_that_of_the_newest_minutes_where_they_are_known() -> None:
    """Two minutes of a load are no five: spread over these it would take four hours longer."""
    found = last_seen_ending(steps(590, 592, 586), 6 * GIB, NOW, LATELY, alarm_is_on=False)
    assert found is not None
    assert (found.balance_bytes, found.drain_bytes_per_second) == (586 * GIB, 4 * GIB / 60)
    assert found.gone == NEWEST + 2 * MINUTE + timedelta(minutes=586 / 4)
    newest = newest_seen(steps(590, 592, 586), 6 * GIB, NOW, LATELY)
    assert newest is not None
    assert newest.end == found


def test_a_rise_a_hole_and_a_quarter_of_an_hour_end_what_the_pace_is_of() -> None:
    """Of a load that has just begun the calm before it is no part, and what was missing has no pace."""

    def pace(*known: BalancePoint) -> float:
        found = last_seen_ending(steps(130, 120, 40), 6 * GIB, NOW, known, alarm_is_on=False)
        assert found is not None
        return found.drain_bytes_per_second * 60 / GIB

    assert pace(*minutes(40, 55, 50, 40)) == 10
    assert pace(*minutes(40, 48, 40)) == 8
    assert pace(*minutes(200), *minutes(55, 50, 40, oldest=2 * MINUTE)) == 10
    # One that stood still is no part of it.
    assert pace(*minutes(60, 50, 50, 40)) == 10
    slow_then_fast = [200.0 - at for at in range(20)] + [181.0 - 10 * at for at in range(1, 15)]
    assert pace(*minutes(*slow_then_fast, oldest=-29 * MINUTE)) == 10


def test_of_minutes_that_rise_at_last_the_steps_tell_the_pace() -> None:
    """A load that pauses for a minute is none that has ended."""
    found = last_seen_ending(steps(130, 120, 110), 6 * GIB, NOW, minutes(111, 110, 110.1), alarm_is_on=False)
    assert found == seen(steps(130, 120, 110))
