"""The fall of this time of day a day ago, beside the one under way."""

import dataclasses
from collections.abc import Sequence
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import MIB, TIB
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.changed_earning import changed_earning
from efs_monitor.incidents.fall_of_a_day_ago import FallOfADayAgo, fall_of_a_day_ago
from efs_monitor.incidents.falls_alike import falls_alike
from efs_monitor.incidents.situation import BEFORE, DAY, STEP, PastDay, Situation

from tests.unit.incidents.earlier_days import EARNED, MINUTE_BYTES, now_with
from tests.unit.strategies import NOW, bursting

# In minutes at the permitted rate: what was left before both falls, and what one took in a minute.
TOP, PACE = 100.0, 0.8
# How long the one under way has lasted, and how long that of a day ago did.
FALLING, LASTED = 20, 60


def a_fall(
    *,
    top: float = TOP,
    falling: int = FALLING,
    pace: float = PACE,
    then: float = TOP,
    lasted: int = LASTED,
    then_pace: float = PACE,
    late: int = 0,
    missing: range = range(0),
    night: float | None = None,
) -> Situation:
    """Under way for so many minutes, and a day ago, so many minutes `late`, from `then` on; nothing is known of the
    steps `missing` since that began. In between it may have fallen by so much in two hours of the `night`.
    """
    began = NOW - falling * MINUTE
    points, left = [], then
    for step in range(-20, (DAY + falling * MINUTE) // STEP):
        time, minute = began - DAY + step * STEP, step * 5 - late
        # The lowest of its five minutes: that of their end while it falls.
        if minute < 0:
            left = then
        elif minute < lasted:
            left -= 5 * then_pace
        elif night is not None and 600 <= minute < 720:
            left -= night / 24
        elif time + STEP <= began:
            left = min(top, left + EARNED)
        elif time < began:
            left = top
        else:
            left = top - pace * min(falling, (time + STEP - began) / MINUTE)
        if step not in missing:
            points.append(BalancePoint(time=time, balance_bytes=left * MINUTE_BYTES))
    hour = [
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=MINUTE_BYTES * (top - taken))
        for age in range(59, -1, -1)
        for taken in [pace * (falling - age) if age < falling else (age - falling) * EARNED / 5]
    ]
    day = PastDay(back=DAY, balances=tuple(points))
    return dataclasses.replace(now_with(top, day), balances=tuple(hour), pace=15 * MINUTE)


def found(situation: Situation) -> FallOfADayAgo:
    earlier = fall_of_a_day_ago(situation)
    assert earlier is not None
    return earlier


def test_one_is_enough_and_tells_what_is_left_if_this_one_takes_no_more() -> None:
    earlier = found(a_fall())
    assert falls_alike(a_fall()) is None
    began = NOW - FALLING * MINUTE - DAY
    assert abs(earlier.began - began) <= STEP
    assert abs(earlier.ended - began - LASTED * MINUTE) <= STEP
    assert earlier.most_bytes / MINUTE_BYTES == pytest.approx(LASTED * PACE + 2 * EARNED, abs=0.01)
    assert earlier.left_bytes / MINUTE_BYTES == pytest.approx(TOP - LASTED * PACE - 2 * EARNED, abs=0.01)


def test_a_fall_of_hours_is_known_to_its_end_though_it_began_before_the_last_day() -> None:
    """The last day and an hour have no more of it than its second half: at the Critical of a night the mail had
    forgotten what the Warning had said.
    """
    of_hours = a_fall(top=300.0, then=300.0, falling=200, lasted=300)
    (day,) = of_hours.past_days
    since = NOW - DAY - BEFORE
    older, day_balances = (
        tuple(one for one in day.balances if (one.time >= since) is is_of_the_day) for is_of_the_day in (False, True)
    )
    at_critical = dataclasses.replace(
        of_hours, past_days=(PastDay(back=DAY, balances=day_balances, night_before=older),)
    )
    assert found(at_critical) == found(of_hours)
    forgotten = dataclasses.replace(of_hours, past_days=(PastDay(back=DAY, balances=day_balances),))
    assert fall_of_a_day_ago(forgotten) is None


def test_a_load_of_another_hour_that_took_more_is_another_story() -> None:
    """As fast, and to almost nothing: no number of falls of any hour says how this one ends, that of its hour does."""
    situation = a_fall(then=LASTED * PACE + 2, night=95)
    assert falls_alike(situation) is None
    assert found(situation).left_bytes > 0


@pytest.mark.parametrize(("late", "is_that_of_the_hour"), [(-20, True), (20, True), (-30, False), (30, False)])
def test_it_began_within_twenty_minutes_of_that_time_of_day(late: int, is_that_of_the_hour: bool) -> None:
    assert (fall_of_a_day_ago(a_fall(late=late)) is not None) is is_that_of_the_hour


@pytest.mark.parametrize(("pace", "is_alike"), [(0.6, True), (0.98, True), (1.02, False)])
def test_a_fall_that_is_faster_by_more_than_a_quarter_is_another_load(pace: float, is_alike: bool) -> None:
    assert (fall_of_a_day_ago(a_fall(pace=pace)) is not None) is is_alike


def test_one_that_has_taken_more_or_lasted_longer_already_is_another_load() -> None:
    assert fall_of_a_day_ago(a_fall(lasted=20)) is not None
    assert fall_of_a_day_ago(a_fall(lasted=15)) is None
    assert fall_of_a_day_ago(a_fall(falling=35, pace=PACE / 2, lasted=20)) is None


def test_what_may_have_been_taken_since_the_newest_datapoint_counts() -> None:
    assert fall_of_a_day_ago(dataclasses.replace(a_fall(lasted=25), time=NOW + 3 * MINUTE)) is not None
    assert fall_of_a_day_ago(dataclasses.replace(a_fall(lasted=25), time=NOW + 8 * MINUTE)) is None


def test_nothing_is_said_where_it_ended_the_credits_or_would_this_time() -> None:
    takes = LASTED * PACE
    assert fall_of_a_day_ago(a_fall(then=takes + 0.9)) is None
    assert fall_of_a_day_ago(a_fall(then=takes + 1.1)) is not None
    for left, is_told in ((0.9, False), (1.1, True)):
        top = takes + 2 * EARNED + left
        assert (fall_of_a_day_ago(a_fall(top=top, then=top)) is not None) is is_told


@pytest.mark.parametrize("missing", [range(-3, 0), range(4, 6), range(LASTED // 5, LASTED // 5 + 2)])
def test_nor_where_it_was_not_seen_whole(missing: range) -> None:
    assert fall_of_a_day_ago(a_fall(missing=missing)) is None


def test_nor_where_the_last_day_is_not_known_or_the_balance_does_not_fall() -> None:
    situation = a_fall()
    assert fall_of_a_day_ago(dataclasses.replace(situation, past_days=())) is None
    assert fall_of_a_day_ago(dataclasses.replace(situation, balances=situation.balances[:30])) is None
    assert fall_of_a_day_ago(a_fall(lasted=0)) is None


def test_nor_of_two_in_so_short_a_time() -> None:
    """Pulses: the next one may come."""
    situation = a_fall(lasted=10, pace=PACE / 2, late=20)
    (day,) = situation.past_days
    began = NOW - FALLING * MINUTE - DAY
    again = tuple(
        one._replace(balance_bytes=(TOP - 30) * MINUTE_BYTES)
        if timedelta(minutes=-20) <= one.time - began < timedelta(minutes=-15)
        else one
        for one in day.balances
    )
    assert fall_of_a_day_ago(situation) is not None
    pulsed = dataclasses.replace(situation, past_days=(PastDay(back=DAY, balances=again),))
    assert fall_of_a_day_ago(pulsed) is None


def with_another(situation: Situation, *, began_minutes_later: int, took: float) -> Situation:
    """With one more fall a day ago, so many minutes after that one began: to so much less, within half an hour."""
    (day,) = situation.past_days
    began = NOW - FALLING * MINUTE - DAY + began_minutes_later * MINUTE
    points = tuple(
        one._replace(balance_bytes=one.balance_bytes - min(1.0, (one.time - began) / (30 * MINUTE)) * took)
        if began <= one.time < began + 40 * MINUTE
        else one
        for one in day.balances
    )
    return dataclasses.replace(situation, past_days=(PastDay(back=DAY, balances=points),))


def test_nor_where_a_load_that_came_within_hours_after_it_would_end_the_credits() -> None:
    """The second stage of a job, after a pause: what this fall leaves is not what the night leaves."""
    stage = 60 * MINUTE_BYTES
    assert fall_of_a_day_ago(with_another(a_fall(), began_minutes_later=LASTED + 60, took=stage)) is None
    assert fall_of_a_day_ago(with_another(a_fall(), began_minutes_later=LASTED + 60, took=stage / 3)) is not None
    assert fall_of_a_day_ago(with_another(a_fall(), began_minutes_later=9 * 60, took=stage)) is not None


def test_nor_where_a_change_of_the_throughput_mode_ended_it() -> None:
    """The load went on, at a rate that was provisioned: credits are not what let it through."""
    situation = a_fall(lasted=30)
    began = NOW - FALLING * MINUTE - DAY
    times = [began + minutes * MINUTE for minutes in range(-60, 24 * 60 + FALLING, 5)]
    for switched, is_told in ((30, False), (35, False), (85, False), (95, True)):
        until = began + (switched + 60) * MINUTE
        permitted = tuple(
            (time, 200 * MIB if began + switched * MINUTE <= time < until else 100 * MIB) for time in times
        )
        seen = dataclasses.replace(situation, permitted_of_the_day=permitted)
        assert (fall_of_a_day_ago(seen) is not None) is is_told, switched


def test_nor_where_the_alarms_were_resumed_within_the_day() -> None:
    """What no metric shows may have ended it: a provisioned rate that is about what the size gives with credits."""
    assert fall_of_a_day_ago(dataclasses.replace(a_fall(), resumed=NOW - timedelta(hours=2))) is None
    assert fall_of_a_day_ago(dataclasses.replace(a_fall(), resumed=NOW - timedelta(hours=25))) is not None


def slowed_down(*, fast_minutes: int) -> Situation:
    """A day ago it fell by 0.8 minutes a minute for so long, and by a fifth of that for the rest of three hours."""
    situation = a_fall(lasted=180, then_pace=PACE / 5)
    (day,) = situation.past_days
    began = NOW - FALLING * MINUTE - DAY

    def more(time: timedelta) -> float:
        return PACE * 0.8 * min(max(0.0, (time + STEP) / MINUTE), fast_minutes)

    points = tuple(
        one._replace(balance_bytes=one.balance_bytes - more(one.time - began) * MINUTE_BYTES)
        if timedelta(0) <= one.time - began < 180 * MINUTE
        else one
        for one in day.balances
    )
    return dataclasses.replace(situation, past_days=(PastDay(back=DAY, balances=points),))


@pytest.mark.parametrize(("fast_minutes", "is_alike"), [(5, False), (10, False), (25, True), (60, True)])
def test_nor_where_it_was_slower_by_this_age_though_it_had_begun_as_fast(fast_minutes: int, is_alike: bool) -> None:
    assert (fall_of_a_day_ago(slowed_down(fast_minutes=fast_minutes)) is not None) is is_alike


def test_one_that_is_too_small_yet_to_count_as_a_fall_has_its_top_among_the_minutes() -> None:
    """After five minutes Draining goes off, and a slow load has taken less than five minutes' worth by ten."""
    assert fall_of_a_day_ago(a_fall(falling=10, pace=PACE / 2, then_pace=PACE / 2)) is not None
    assert fall_of_a_day_ago(a_fall(falling=10, pace=PACE / 2, then_pace=PACE / 4)) is None


def is_told(situation: Situation) -> bool:
    return fall_of_a_day_ago(situation) is not None


@pytest.mark.parametrize(("late", "is_that_of_the_hour"), [(-20, True), (-25, False), (25, True), (30, False)])
def test_its_beginning_is_known_to_five_minutes_more_than_twenty(late: int, is_that_of_the_hour: bool) -> None:
    """The one under way fell from the minute after the highest on."""
    assert is_told(a_fall(late=late)) is is_that_of_the_hour


def test_a_minutes_worth_must_be_left_and_no_more_than_there_is_by_now() -> None:
    """100 GiB earn 125 of 256 minutes' worth in ten."""
    takes = 45 + 125 / 256
    assert [is_told(a_fall(top=takes + left, then=60, pace=0.75, then_pace=0.75)) for left in (1, 0.99)] == [
        True,
        False,
    ]
    slower = (15 - 125 / 256) / 20
    assert [is_told(a_fall(pace=0.75, then_pace=pace, lasted=20)) for pace in (slower, slower - 0.01)] == [True, False]
    assert [is_told(a_fall(then=45 + left, pace=0.75, then_pace=0.75)) for left in (1, 0.99)] == [True, False]


@pytest.mark.parametrize(
    ("missing", "is_seen"),
    [((12,), False), ((13,), False), ((14,), True), ((-2,), False), ((-3,), True), ((11,), False), ((3,), False)],
)
def test_each_five_minutes_of_it_and_ten_minutes_after_it_must_be_known(missing: Sequence[int], is_seen: bool) -> None:
    assert is_told(a_fall(missing=range(missing[0], missing[0] + 1))) is is_seen


def test_another_mode_in_the_five_minutes_before_it_or_within_an_hour_after_it_may_have_ended_it() -> None:
    situation = a_fall(lasted=30)
    began = NOW - FALLING * MINUTE - DAY
    times = [began + minutes * MINUTE for minutes in range(-60, 24 * 60 + FALLING, 5)]
    for other, told in ((-10, True), (-5, False), (0, False), (85, False), (90, True)):
        permitted = tuple((time, (200 if time == began + other * MINUTE else 100) * MIB) for time in times)
        assert is_told(dataclasses.replace(situation, permitted_of_the_day=permitted)) is told, other


def test_a_quarter_more_is_as_fast() -> None:
    assert [is_told(a_fall(pace=0.75, then_pace=pace)) for pace in (0.6, 0.599)] == [True, False]


def test_where_no_minute_tells_when_it_began_five_are_as_coarse() -> None:
    for late, told in ((-30, False), (-25, True), (25, True), (30, False)):
        situation = a_fall(late=late)
        assert is_told(dataclasses.replace(situation, balances=situation.balances[-15:])) is told, late


def test_it_may_have_lasted_ten_minutes_longer_as_both_of_its_ends_are_known_to_five() -> None:
    lasted = [is_told(a_fall(falling=falling, pace=0.3, then_pace=0.6, lasted=20)) for falling in (30, 31)]
    assert lasted == [True, False]


def slower_at_first(then_pace: float, *, falling: int) -> Situation:
    """A day ago it took so much in each of the first thirty minutes, and 0.75 in those of the next half an hour."""
    situation = a_fall(falling=falling, pace=0.75, then_pace=0.75)
    began = NOW - falling * MINUTE - DAY
    (day,) = situation.past_days
    points = tuple(
        one._replace(
            balance_bytes=one.balance_bytes
            + min(6, (one.time - began) // STEP + 1) * 5 * (0.75 - then_pace) * MINUTE_BYTES,
        )
        if timedelta(0) <= one.time - began < 2 * LASTED * MINUTE
        else one
        for one in day.balances
    )
    return dataclasses.replace(situation, past_days=(PastDay(back=DAY, balances=points),))


def test_it_may_have_taken_a_quarter_more_than_that_one_five_minutes_after_the_same_age() -> None:
    """By twenty minutes 15 minutes' worth, and by 25 of them 18.75."""
    assert [is_told(slower_at_first(pace, falling=20)) for pace in (0.4, 0.399)] == [True, False]
    assert is_told(slower_at_first(0.4, falling=25))


def test_with_another_size_what_falls_as_fast_is_another_load() -> None:
    """It earned half as much then: a load that takes as much beside what is earned is larger by that now."""
    larger = dataclasses.replace(
        a_fall(), file_system=bursting(3 * TIB), reference_bytes_per_second=300.0 * MIB, permitted_of_the_day=()
    )
    assert fall_of_a_day_ago(larger) is not None
    permitted = tuple((one.time, 153.3 * MIB) for one in larger.balances_of_the_day if one.time < NOW - DAY / 2)
    grown = dataclasses.replace(larger, permitted_of_the_day=permitted)
    assert not changed_earning(grown).earns_less
    assert fall_of_a_day_ago(grown) is None
