"""The pace of a load that comes in pulses is that of whole ones, whatever minute it is."""

from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.aws.efs_metrics import AN_HOUR, BEFORE_THE_HOUR
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.pulses import falls_each_lower, pulse_after_the_end, pulses_in
from efs_monitor.incidents.situation import PULSES_SHOW_IN_HOURS, RECENT, seen_at
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.unit.incidents.earlier_days import MINUTE_BYTES, now_with
from tests.unit.strategies import NOW

EARNED = 0.05


def an_hour(changes: list[float], start: float = 100.0) -> tuple[BalancePoint, ...]:
    """A balance for each minute until now, in minutes at the permitted rate, by how much it changed before each."""
    balances = [start]
    for change in changes:
        balances.append(balances[-1] + change)
    return tuple(
        BalancePoint(time=NOW - (len(changes) - index) * MINUTE, balance_bytes=one * MINUTE_BYTES)
        for index, one in enumerate(balances)
    )


def span(points: tuple[BalancePoint, ...]) -> timedelta | None:
    found = pulses_in(points, MINUTE_BYTES)
    return None if found is None else found.span


def pulsed(on: int, period: int, phase: int, minutes: int = 60) -> list[float]:
    """So many minutes of each period take most of a minute's worth each; it is this minute of a period now."""
    return [-0.8 if (index - minutes + phase) % period < on else EARNED for index in range(minutes)]


@given(st.sampled_from([(1, 10), (2, 10), (3, 10), (4, 10), (2, 15), (4, 15), (6, 15), (1, 5), (3, 12)]), st.data())
def test_credits_last_as_long_in_every_minute_of_a_pulse(shape: tuple[int, int], data: st.DataObject) -> None:
    on, period = shape
    phase = data.draw(st.integers(0, period - 1))
    situation = replace(now_with(1), balances=an_hour(pulsed(on, period, phase)))
    net = (0.8 * on - EARNED * (period - on)) / period
    assert situation.drain_bytes_per_second == pytest.approx(net * MINUTE_BYTES / 60)


@given(
    st.sampled_from(
        [(3, 25), (7, 30), (10, 30), (20, 30), (5, 45), (35, 45), (20, 60), (30, 60), (40, 60), (50, 60), (20, 120)]
    ),
    st.data(),
)
def test_pulses_that_are_too_rare_for_an_hour_show_in_more_of_them(shape: tuple[int, int], data: st.DataObject) -> None:
    """Between two of them a quarter of an hour only rises: no mail may call that the end of the fall."""
    on, period = shape
    phase = data.draw(st.integers(0, period - 1))
    hours = an_hour(pulsed(on, period, phase, 480), 400)
    situation = replace(now_with(1), balances=hours[-61:], earlier_balances=hours[:-61])
    net = (0.8 * on - EARNED * (period - on)) / period
    assert situation.drain_bytes_per_second == pytest.approx(net * MINUTE_BYTES / 60)
    assert situation.pace_minutes % period == 0


@given(st.sampled_from([(3, 10), (7, 30), (5, 45), (20, 60), (30, 60)]), st.floats(3, 150), st.data())
def test_the_pulse_that_takes_the_last_is_told_to_the_minute(
    shape: tuple[int, int], left: float, data: st.DataObject
) -> None:
    """In a rest the balance at the pace of whole pulses would last for as much as a rest too long."""
    on, period = shape
    phase = data.draw(st.integers(0, period - 1))
    lived = pulsed(on, period, phase, 240)
    points = an_hour(lived, left - sum(lived))
    situation = replace(now_with(1), balances=points[-61:], earlier_balances=points[:-61])
    if situation.pulses is None:
        # The pulse under way may end what is left, and has a pace of its own.
        assert phase < on + 1
        return
    minutes, ahead = left, 0
    while minutes > 0:
        minutes += -0.8 if (ahead + phase) % period < on else EARNED
        # What ends to the byte with a pulse may as well end with the next.
        assume(abs(minutes) > 1e-6)
        ahead += 1
    assert situation.minutes_left_at_net == pytest.approx(ahead, abs=1.01)


def test_credits_that_ended_in_a_pulse_that_nobody_has_seen_yet_ran_out() -> None:
    points = an_hour(pulsed(3, 10, 3, 60), 14)
    situation = replace(now_with(1), balances=points, time=NOW + timedelta(minutes=30))
    assert situation.ran_out is not None
    assert NOW < situation.ran_out < situation.time
    assert situation.minutes_left_at_net == 0
    assert replace(situation, time=NOW).ran_out is None


@pytest.mark.parametrize("late", [0, 1, 3])
def test_a_pulse_that_is_overdue_may_begin_now_and_has_not_taken_anything_yet(late: int) -> None:
    """Each takes 2.4 minutes' worth in three minutes of ten, and one more ends what is left, when it comes."""
    lived = pulsed(3, 10, 3, 50)
    rest = [EARNED] * (7 + late)
    points = an_hour([*lived, *rest], 2.0 - sum(lived) - sum(rest))
    situation = replace(now_with(1), balances=points)
    assert situation.pulses is not None
    assert situation.ran_out is None
    assert situation.minutes_left_at_net is not None
    assert 2 < situation.minutes_left_at_net <= 3


def test_pulses_that_take_no_more_than_is_earned_end_nothing() -> None:
    situation = replace(now_with(1), balances=an_hour([-0.5, *[0.1] * 9] * 6))
    assert situation.pulses is not None
    assert situation.minutes_left_at_net is None
    assert situation.ran_out is None


def test_a_pace_of_a_few_minutes_is_that_of_the_fall_that_is_under_way() -> None:
    hours = an_hour(pulsed(20, 30, 12, 180), 190)
    situation = replace(now_with(1), balances=hours[-61:], earlier_balances=hours[:-61])
    fall = replace(situation, pace=10 * MINUTE)
    assert fall.pace_minutes == 10
    assert fall.pulses is None


def test_what_a_moment_ago_was_known_of_pulses_is_what_is_known_of_them_then() -> None:
    hours = an_hour(pulsed(7, 30, 20, 200), 170)
    situation = replace(now_with(1), balances=hours[-61:], earlier_balances=hours[:-61])
    then = replace(situation, balances=hours[-81:-20], earlier_balances=hours[:-81], time=NOW - 20 * MINUTE)
    before = seen_at(situation, NOW - 20 * MINUTE)
    assert before is not None
    assert (before.balances, before.drain_bytes_per_second) == (then.balances, then.drain_bytes_per_second)
    assert before.pulses == then.pulses is not None


def test_a_load_that_pauses_for_a_minute_between_two_files_is_one_load() -> None:
    assert span(an_hour(([-0.8] * 9 + [EARNED]) * 6)) is None


@pytest.mark.parametrize(("on", "is_in_pulses"), [(49, True), (50, True), (51, False)])
def test_a_load_that_rests_for_less_than_half_of_the_time_comes_in_pulses_if_it_rests_for_ten_minutes(
    on: int, is_in_pulses: bool
) -> None:
    assert (span(an_hour(pulsed(on, 60, 55, 240), 300)) is not None) is is_in_pulses


@pytest.mark.parametrize(
    ("on", "period", "is_in_pulses"), [(11, 20, True), (12, 20, True), (15, 20, True), (16, 20, False), (8, 12, False)]
)
def test_a_job_of_most_minutes_that_rests_for_five_and_a_quarter_of_the_time_comes_in_pulses(
    on: int, period: int, *, is_in_pulses: bool
) -> None:
    """The minutes of a quarter of an hour told an end hours too late, and the next mail one hours too early."""
    found = {pulses_in(an_hour(pulsed(on, period, phase, 180), 1000.0), 1.0) is not None for phase in range(period)}
    assert found == {is_in_pulses}


@pytest.mark.parametrize(("minutes", "is_another"), [(3, False), (4, False), (5, True), (20, True)])
def test_what_goes_on_for_longer_than_the_pulses_before_it_is_another_load(minutes: int, is_another: bool) -> None:
    changes = [*pulsed(3, 10, 0, 50), *[-0.8] * minutes]
    assert (span(an_hour(changes)) is None) is is_another


@pytest.mark.parametrize(("rate", "is_another"), [(-0.8, False), (-1.1, False), (-1.3, True), (-4.0, True)])
def test_what_takes_far_more_than_the_pulses_before_it_is_another_load(rate: float, is_another: bool) -> None:
    changes = [*pulsed(3, 10, 0, 50), *[rate] * 3]
    assert (span(an_hour(changes)) is None) is is_another


@pytest.mark.parametrize(("left", "may_end_them"), [(2.0, True), (2.3, True), (2.5, False), (4.0, False)])
def test_a_pulse_that_may_end_what_is_left_has_its_own_pace(left: float, may_end_them: bool) -> None:
    """Each takes 2.4 minutes' worth; so much was left when this one began."""
    before = pulsed(3, 10, 0, 50)
    points = an_hour([*before, -0.8], left - sum(before))
    assert (span(points) is None) is may_end_them


@pytest.mark.parametrize(("rest", "goes_on"), [(7, True), (8, True), (9, False), (30, False)])
def test_pulses_that_come_no_more_are_over(rest: int, goes_on: bool) -> None:
    """Three minutes of ten, the last of which ended so many minutes ago; the next was due after seven."""
    changes = [*pulsed(3, 10, 3, 43), *[EARNED] * (rest + 3)]
    assert (span(an_hour(changes)) is not None) is goes_on


def test_two_are_none_and_three_are() -> None:
    twice = [*[EARNED] * 20, *[-0.8] * 3, *[EARNED] * 7, *[-0.8] * 3, *[EARNED] * 5]
    assert span(an_hour(twice)) is None
    assert span(an_hour([*[-0.8] * 3, *[EARNED] * 7, *twice[10:]])) is None
    thrice = [*[-0.8] * 3, *[EARNED] * 7, *twice[20:]]
    assert span(an_hour(thrice)) == timedelta(minutes=20)


def test_what_breathes_between_the_pulses_is_none_of_them() -> None:
    breathing = [one - 0.1 * (index % 2) for index, one in enumerate(pulsed(3, 10, 0))]
    assert span(an_hour(breathing)) == timedelta(minutes=50)


def test_what_comes_now_and_then_comes_at_no_pace() -> None:
    gaps = [*[-0.8] * 2, *[EARNED] * 5, *[-0.8] * 2, *[EARNED] * 25, *[-0.8] * 2, *[EARNED] * 10]
    assert span(an_hour(gaps)) is None


def test_at_zero_pulses_have_no_pace_of_their_own() -> None:
    assert span(an_hour(pulsed(3, 10, 5), 10)) is None


def test_pulses_after_an_end_of_the_credits_have_one_when_there_are_three() -> None:
    lifted, pulse = [*[-0.8] * 4, *[5.0] * 2], [*[-0.8] * 3, *[EARNED] * 7]
    assert span(an_hour([*lifted, *pulse * 2], 4.0)) is None
    assert span(an_hour([*lifted, *pulse * 3], 4.0)) == timedelta(minutes=20)


@pytest.mark.parametrize(
    ("start", "earned", "is_told"),
    [
        # They end at 0.6, 0.47 and 0.34 minutes' worth; and three of them before any was below one.
        (1.0, 0.02, True),
        (2.0, 0.02, True),
        # The rests earn as much as each takes.
        (1.0, 0.4 / 13, False),
        # The second took the last of them.
        (0.5, 0.02, False),
    ],
)
def test_pulses_that_are_smaller_than_a_minutes_worth_go_on_below_one_while_they_take_it(
    start: float, earned: float, is_told: bool
) -> None:
    points = an_hour([*[-0.2] * 2, *[earned] * 13, *[-0.2] * 2, *[earned] * 13, *[-0.2] * 2, *[earned] * 5], start)
    above_zero = tuple(one._replace(balance_bytes=max(0.0, one.balance_bytes)) for one in points)
    found = pulses_in(above_zero, MINUTE_BYTES)
    assert (found is not None) is is_told
    if found is not None:
        assert found.depth_bytes == pytest.approx(0.4 * MINUTE_BYTES)


def test_as_many_hours_are_read_as_pulses_may_take_to_show() -> None:
    assert max(PULSES_SHOW_IN_HOURS) * RECENT == AN_HOUR + BEFORE_THE_HOUR


def after_the_end(on: int, period: int, rest: int) -> tuple[BalancePoint, ...]:
    """Four pulses of a minute's worth in each minute of theirs, the last of which takes all that is left in its middle,
    and so many minutes of rest after it.
    """
    one = [*([-1.0] * on), *([EARNED] * (period - on))]
    last = [*([-1.0] * (on // 2)), *([0.0] * (on - on // 2)), *([EARNED] * rest)]
    changes = [*([EARNED] * (period - on)), *one * 3, *last]
    return an_hour(changes, -sum(changes[: len(changes) - rest]))


@pytest.mark.parametrize(("on", "period"), [(20, 60), (25, 60), (10, 30), (30, 120)])
def test_a_pulse_that_took_the_last_credits_is_followed_by_the_next_of_them(on: int, period: int) -> None:
    rest = (period - on) // 2
    points = after_the_end(on, period, rest)
    found = pulse_after_the_end(points, MINUTE_BYTES)
    assert found is not None
    assert found.begins - NOW == (period - on - rest) * MINUTE
    assert found.every == period * MINUTE
    assert found.depth_bytes == pytest.approx(on * MINUTE_BYTES)


@pytest.mark.parametrize("minutes", [-5, 0])
def test_one_that_is_overdue_or_under_way_is_not_to_come(minutes: int) -> None:
    assert pulse_after_the_end(after_the_end(20, 60, 40 - minutes), MINUTE_BYTES) is None
    under_way = after_the_end(20, 60, 30)
    falling = under_way[-1]._replace(balance_bytes=under_way[-2].balance_bytes - 1)
    assert pulse_after_the_end((*under_way[:-1], falling), MINUTE_BYTES) is None


def test_other_falls_that_end_the_credits_tell_nothing_of_a_next_one() -> None:
    never_gone = an_hour([*([EARNED] * 40), *([-1.0] * 20)] * 4, 200)
    assert pulse_after_the_end(never_gone, MINUTE_BYTES) is None
    two = after_the_end(20, 60, 30)[-150:]
    assert pulse_after_the_end(two, MINUTE_BYTES) is None
    # One that leaves some of what has come back by then ends nothing.
    much_came_back = [one._replace(balance_bytes=one.balance_bytes + 25 * MINUTE_BYTES) for one in two[-29:]]
    assert pulse_after_the_end((*after_the_end(20, 60, 1), *much_came_back), MINUTE_BYTES) is None


def minute_points(*left: float) -> list[BalancePoint]:
    """In bytes, of which ten last a minute."""
    return [BalancePoint(time=NOW + index * MINUTE, balance_bytes=one) for index, one in enumerate(left)]


def train(*rests: int, pulse: tuple[float, ...] = (-60,), start: float = 500, rise: float = 15) -> list[float]:
    """A pulse before each rest of so many minutes."""
    left = [start]
    for rest in rests:
        for change in (*pulse, *[rise] * rest):
            left.append(left[-1] + change)
    return left


@pytest.mark.parametrize(
    ("left", "number"),
    [
        (train(3, 3, 2), 3),
        (train(3, 2), None),
        # Only what came since less than a minute's worth was left, and all of that.
        ([900, 9, *train(3, 3, 2)], 3),
        ([900, 10, *train(3, 3, 2)], None),
        ([9, *train(3, 3, 2)], 3),
        # One that is half as deep counts.
        ([*train(3), 455, 470, 485, 500, 440, 455], 3),
        ([*train(3), 456, 470, 485, 500, 440, 455], None),
        # The longest of them may be half as long as the shortest time from one to the next.
        (train(4, 4, 4, pulse=(-30, -30)), 3),
        (train(3, 3, 3, pulse=(-20, -20, -20)), 3),
        (train(2, 3, 3, pulse=(-20, -20, -20)), None),
        (train(2, 2, 2, pulse=(-20, -20, -20)), None),
        ([*train(3, 3), 460, 440, 420, 435], None),
        # The times between may differ by a half.
        (train(3, 5, 3), 3),
        (train(3, 6, 3), None),
        # The next may be a minute late after the longest of them.
        (train(3, 4, 6), 3),
        (train(3, 4, 7), None),
        # One under way may last a minute longer, be half as deep again, and leave something.
        ([*train(5, 5, 5, rise=12), 470, 460], 3),
        ([*train(5, 5, 5, rise=12), 470, 460, 450], None),
        ([*train(3, 3, 3, rise=20), 500 - 90], 3),
        ([*train(3, 3, 3, rise=20), 500 - 91], None),
        ([*train(3, 3, 3, start=106), 50], 3),
        ([*train(3, 3, 3, start=105), 50], None),
        # It may begin lower by half of one than they go on, after a rest that was shorter.
        ([*train(5, 5, 3, rise=12), 450], 3),
        ([*train(5, 5, 2, rise=12), 450], None),
        ([*train(5, 5, 5, rise=6), 460], 3),
    ],
)
def test_pulses_are_alike_in_depth_length_and_distance(left: list[float], number: int | None) -> None:
    found = pulses_in(minute_points(*left), 10)
    assert (None if found is None else found.number) == number


@pytest.mark.parametrize(("rise", "ends_in"), [(20, None), (19.75, True), (21, None)])
def test_pulses_end_what_they_take_more_of_than_their_rests_earn(rise: float, ends_in: bool | None) -> None:
    found = pulses_in(minute_points(*train(3, 3, 3, rise=rise)), 10)
    assert found is not None
    assert (found.credits_end is not None) is bool(ends_in)


def due_after(*after: float, before: tuple[float, ...] = (), last_rest: int = 3) -> timedelta | None:
    """In how long the next is due, after pulses of 60 every four minutes of which the last left what comes first."""
    left = [*before, *train(3, 3, last_rest, start=130, rise=13), *after]
    found = pulse_after_the_end(minute_points(*left), 10)
    if found is None:
        return None
    assert (found.every, found.depth_bytes) == (4 * MINUTE, 60)
    return found.begins - (NOW + (len(left) - 1) * MINUTE)


def test_the_pulse_after_the_end_is_due_as_long_after_the_last_as_that_came_after_the_one_before() -> None:
    assert due_after(7, 20) == 2 * MINUTE
    assert due_after(7, 20, 20) == MINUTE
    assert due_after(7, 20, 20, 20) is None
    # What is left is more than nothing, or all that it left falls, or has not risen.
    assert due_after(10, 20) is None
    assert due_after(9, 20) == 2 * MINUTE
    assert due_after(7, 6) is None
    assert due_after(7, 7) is None
    # All that comes back until then is no more than one takes.
    assert due_after(6, 24) == 2 * MINUTE
    assert due_after(6, 24.5) is None
    # What was gone before all of them is none of it.
    assert due_after(7, 20, before=(900, 5, 3, 4)) == 2 * MINUTE
    # It may have come earlier or later by half of the time between two.
    assert due_after(7, 20, last_rest=5) == 2 * MINUTE
    assert due_after(7, 20, last_rest=6) is None


def test_falls_are_each_lower_by_the_last_two_of_those_that_are_about_as_deep() -> None:
    ends = {
        (100, 40, 60, 80, 30, 50): [40, 30],
        (100, 40, 60, 80, 40, 50): [],
        (100, 40, 60, 80, 45, 50): [],
        (100, 40, 60, 30, 50): [40, 30],
        (100, 40, 60, 31, 50): [],
        (100, 40, 110, 50, 105, 45): [40, 50, 45],
        (100, 50, 90, 40, 100, 45): [],
        (100, 70, 70, 40): [70, 40],
        (100, 40): [],
        (40, 100): [],
        (): [],
    }
    told = {left: [one.balance_bytes for one in falls_each_lower(minute_points(*left))] for left in ends}
    assert told == ends
