"""A balance that falls below an alarm's threshold and rises above it by itself, again and again."""

import dataclasses
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.hovering import Dip, Hovering, dips, ended_alike, hovering, midnight_before
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay, Situation
from efs_monitor.notify.graver_alarms import graver_alarm
from efs_monitor.notify.same_story import low_needs_no_mail, may_have_had_no_mail, rise_needs_no_mail

from tests.unit.each_minute import each_minute
from tests.unit.incidents.earlier_days import MINUTE_BYTES, now_with
from tests.unit.notify.test_graver_alarms import alarm
from tests.unit.strategies import NOW

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
THRESHOLD = 60 * MINUTE_BYTES
HOURLY, TWICE, ONCE = (60, 120, 180), (60, 120), (60,)


def below(*ended_minutes_ago: int, depth: float = 8, top: float = 70, pace: float = 1.0, least: float = 0) -> Situation:
    """Dips of ten minutes that ended so long ago, each `depth` minutes below the threshold after a fall of so many
    minutes a minute from `top`, and one that has begun two minutes ago; the last so deep ended ten hours ago.
    """
    day = tuple(
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=MINUTE_BYTES * _left(age, ended_minutes_ago, depth, top))
        for age in range(26 * 60, 0, -5)
    )
    if least:
        day = tuple(
            one._replace(balance_bytes=least * MINUTE_BYTES) if one.time == NOW - 10 * HOUR else one for one in day
        )
    hour = tuple(
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=MINUTE_BYTES * min(top, 58 + pace * age))
        for age in range(59, -1, -1)
    )
    return dataclasses.replace(now_with(58, PastDay(back=AHEAD, balances=day)), balances=hour)


def _left(age: int, ends: Sequence[int], depth: float, top: float) -> float:
    """Down within ten minutes, and as low for ten; up at once."""
    for end in ends:
        if end < age <= end + 10:
            return 60 - depth
        if end + 10 < age <= end + 15:
            return 60 + depth / 4
    return top


def found(situation: Situation) -> Hovering:
    result = hovering(situation, THRESHOLD)
    assert result is not None
    return result


def test_each_is_counted_with_the_deepest_of_them() -> None:
    assert found(below(*HOURLY)).times == 3
    assert found(below(*HOURLY)).lowest_bytes == 52 * MINUTE_BYTES
    assert found(below(*HOURLY)).bound_bytes == 44 * MINUTE_BYTES


@pytest.mark.parametrize(("least", "is_alike"), [(43, False), (44, True)])
def test_one_that_was_deeper_half_an_hour_ago_is_not_like_those_before(least: float, is_alike: bool) -> None:
    """It has risen since, and even above the threshold for five minutes, which end no alarm."""
    lately = {30: least, 25: 55, 20: 61, 15: 59, 10: 59, 5: 58}
    goes_on = below(120, 180, 240)
    day = dataclasses.replace(
        goes_on.past_days[0],
        balances=tuple(
            one._replace(balance_bytes=lately[age] * MINUTE_BYTES)
            if (age := round((NOW - one.time) / MINUTE)) in lately
            else one
            for one in goes_on.balances_of_the_day
        ),
    )
    assert (hovering(dataclasses.replace(goes_on, past_days=(day,)), THRESHOLD) is not None) is is_alike


def test_a_deeper_one_of_another_load_that_is_over_says_nothing_of_this_one() -> None:
    """Twelve hours ago it was at a third of the threshold, after a fall of a tenth of a minute's worth a minute."""
    hovers = below(*HOURLY)
    slow = {age: 20 + abs(age - 720) / 10 for age in range(225, 1220, 5)}
    day = dataclasses.replace(
        hovers.past_days[0],
        balances=tuple(
            one._replace(balance_bytes=slow[age] * MINUTE_BYTES)
            if (age := round((NOW - one.time) / MINUTE)) in slow
            else one
            for one in hovers.balances_of_the_day
        ),
    )
    assert found(dataclasses.replace(hovers, past_days=(day,))) == found(hovers)


def test_the_first_two_are_told_and_the_second_says_so() -> None:
    assert hovering(below(), THRESHOLD) is None
    assert not found(below(*ONCE)).was_told
    assert not low_needs_no_mail(below(), THRESHOLD)
    assert not low_needs_no_mail(below(*ONCE), THRESHOLD)
    assert found(below(*TWICE)).was_told
    assert low_needs_no_mail(below(*TWICE), THRESHOLD)


def test_once_a_day_it_is_told_nevertheless() -> None:
    """At noon since midnight: of dips of the evening before a mail of the evening before has told."""
    assert not low_needs_no_mail(below(13 * 60, 15 * 60, 17 * 60), THRESHOLD)
    assert found(below(13 * 60, 15 * 60, 17 * 60)).times == 3
    assert low_needs_no_mail(below(11 * 60, 13 * 60, 15 * 60), THRESHOLD)


def test_what_is_older_than_most_of_a_day_is_another_story() -> None:
    assert found(below(*TWICE, 21 * 60)).times == 2


@pytest.mark.parametrize(("pace", "is_alike"), [(1.2, True), (2.6, False)])
def test_a_faster_one_is_told(pace: float, is_alike: bool) -> None:
    """The others fell by ten minutes in five."""
    assert low_needs_no_mail(below(*HOURLY, pace=pace, top=72), THRESHOLD) is is_alike


@pytest.mark.parametrize(("minutes_before", "is_alike"), [(25, True), (30, False)])
def test_how_fast_it_fell_long_before_it_was_low_says_nothing_of_a_dip(minutes_before: int, is_alike: bool) -> None:
    """By 20 minutes' worth in five, and by a tenth as much into the dip; this one falls by two in a minute."""
    slow = below(*ONCE, top=63, depth=1, pace=2)
    (day,) = slow.past_days
    fell = NOW - timedelta(minutes=75 + minutes_before)
    higher = [one._replace(balance_bytes=83 * MINUTE_BYTES) if one.time <= fell else one for one in day.balances]
    situation = dataclasses.replace(slow, past_days=(dataclasses.replace(day, balances=tuple(higher)),))
    assert (hovering(situation, THRESHOLD) is not None) is is_alike


def test_one_that_may_be_twice_as_deep_as_the_credits_is_told() -> None:
    assert low_needs_no_mail(below(*HOURLY, depth=29), THRESHOLD)
    assert not low_needs_no_mail(below(*HOURLY, depth=30), THRESHOLD)


def test_one_that_is_deeper_already_is_told() -> None:
    assert not low_needs_no_mail(below(*HOURLY, depth=0.9), THRESHOLD)


def test_a_relapse_after_a_recovery_is_told() -> None:
    """Above the threshold by half of it, in between."""
    assert low_needs_no_mail(below(*HOURLY, top=90), THRESHOLD)
    assert not low_needs_no_mail(below(*HOURLY, top=91), THRESHOLD)


def test_one_after_an_end_of_the_credits_is_told() -> None:
    assert low_needs_no_mail(below(*HOURLY, least=50), THRESHOLD)
    assert not low_needs_no_mail(below(*HOURLY, least=0.5), THRESHOLD)


def test_one_of_a_time_before_the_stack_is_no_story() -> None:
    assert low_needs_no_mail(below(*HOURLY), THRESHOLD, NOW - 4 * HOUR)
    assert not low_needs_no_mail(below(*HOURLY), THRESHOLD, NOW - 100 * MINUTE)


def test_what_is_behind_a_gap_is_not_known() -> None:
    situation = below(*HOURLY)
    (day,) = situation.past_days
    gap = tuple(one for one in day.balances if one.time != NOW - 90 * MINUTE)
    assert (
        len(dips(dataclasses.replace(situation, past_days=(dataclasses.replace(day, balances=gap),)), THRESHOLD)) == 1
    )


@pytest.mark.parametrize(
    "change", [lambda one: dataclasses.replace(one, time=NOW + 20 * MINUTE), lambda one: _with(one, one.balances[-1:])]
)
def test_nothing_is_left_out_where_the_balance_is_late_or_its_pace_unknown(
    change: Callable[[Situation], Situation],
) -> None:
    assert not low_needs_no_mail(change(below(*HOURLY)), THRESHOLD)


def _with(situation: Situation, balances: tuple[BalancePoint, ...]) -> Situation:
    return dataclasses.replace(situation, balances=balances)


def ending(*ended_minutes_ago: int, depths: tuple[float, ...]) -> Situation:
    """The last dip has ended, and the dips were so deep."""
    situation = below(*ended_minutes_ago)
    (day,) = situation.past_days
    deep = dict(zip(ended_minutes_ago, depths, strict=True))
    balances = tuple(
        one._replace(balance_bytes=(60 - depth) * MINUTE_BYTES)
        if (depth := next((deep[end] for end in deep if end < age <= end + 10), 0))
        else one
        for one in day.balances
        for age in [(NOW - one.time) // MINUTE]
    )
    return dataclasses.replace(situation, past_days=(dataclasses.replace(day, balances=balances),))


def test_the_end_of_the_first_is_told_and_the_end_of_the_second_is_not() -> None:
    since = NOW - 25 * MINUTE
    assert not rise_needs_no_mail(ending(20, depths=(8,)), THRESHOLD, since)
    assert rise_needs_no_mail(ending(20, 80, depths=(8, 8)), THRESHOLD, since)
    assert not rise_needs_no_mail(ending(20, 80, depths=(8, 8)), THRESHOLD, None)


def test_the_end_of_one_that_went_further_is_told() -> None:
    since = NOW - 25 * MINUTE
    assert ended_alike(ending(20, 80, depths=(6, 3)), THRESHOLD, since)
    assert not ended_alike(ending(20, 80, depths=(7, 3)), THRESHOLD, since)


def test_an_end_that_late_metrics_show_for_a_few_minutes_alone_is_like_the_others_too() -> None:
    """CloudWatch ends an alarm by the minutes that it has: that it has ended is known."""
    assert ended_alike(ending(10, 80, depths=(6, 3)), THRESHOLD, NOW - 15 * MINUTE)
    assert not ended_alike(ending(10, 80, depths=(7, 3)), THRESHOLD, NOW - 15 * MINUTE)
    assert len(dips(ending(10, 80, depths=(6, 3)), THRESHOLD)) == 1


def test_the_end_of_an_alarm_that_no_dip_explains_is_told() -> None:
    """Its threshold was another one."""
    assert not ended_alike(ending(120, 180, depths=(8, 8)), THRESHOLD, NOW - 60 * MINUTE)


def test_a_rise_that_may_not_have_ended_the_alarm_is_no_mail_that_has_told() -> None:
    """Ten minutes above it, and then fifteen."""
    assert [one.set_it_off for one in dips(below(20, 20 + 20), THRESHOLD)] == [True, False]
    assert [one.set_it_off for one in dips(below(20, 20 + 25), THRESHOLD)] == [True, True]
    assert not found(below(20, 20 + 20)).was_told


def test_a_critical_without_a_mail_tells_of_no_fall() -> None:
    """Draining, which follows, is told where Critical may not have been."""
    on = {AlarmKind.CRITICAL: alarm(AlarmKind.CRITICAL, 60)._replace(threshold=THRESHOLD)}
    assert may_have_had_no_mail(below(*TWICE), THRESHOLD)
    assert graver_alarm(AlarmKind.DRAINING, on, below(*TWICE)) is None
    assert not may_have_had_no_mail(below(*ONCE), THRESHOLD)
    assert graver_alarm(AlarmKind.DRAINING, on, below(*ONCE)) is AlarmKind.CRITICAL


def by_steps(*left: float | None, falling: float = 0.0) -> Situation:
    """The lowest of each five minutes until now, in minutes' worth, of which the last ten minutes fell by so much."""
    times = [NOW - (len(left) - 1 - index) * STEP for index in range(len(left))]
    day = tuple(
        BalancePoint(time=time, balance_bytes=one * MINUTE_BYTES)
        for time, one in zip(times, left, strict=True)
        if one is not None
    )
    newest = day[-1].balance_bytes
    hour = each_minute(
        BalancePoint(time=NOW - 8 * MINUTE, balance_bytes=newest + falling * MINUTE_BYTES),
        BalancePoint(time=NOW, balance_bytes=newest),
    )
    return dataclasses.replace(now_with(60, PastDay(back=AHEAD, balances=day)), balances=hour)


def a_dip(*, began: int, ended: int, lowest: float, fell: float, set_it_off: bool = False) -> Dip:
    """So many steps before now, to so many minutes' worth, and by so many in its fastest five minutes."""
    return Dip(
        began=NOW - began * STEP,
        ended=NOW - ended * STEP,
        lowest_bytes=lowest * MINUTE_BYTES,
        bytes_per_second=fell * MINUTE_BYTES / 300,
        set_it_off=set_it_off,
    )


DOWN = (70, 50, 45, 58)


@pytest.mark.parametrize(
    ("left", "found"),
    [
        # It is over after fifteen minutes above the threshold, of which five are coarse.
        ((*DOWN, 70, 70, 60), [a_dip(began=5, ended=2, lowest=45, fell=20)]),
        ((*DOWN, 70, 60), []),
        # The alarm had ended after fifteen minutes above it.
        ((70, 70, *DOWN, 61, 61, 61), [a_dip(began=5, ended=2, lowest=45, fell=20)]),
        ((70, 70, 70, 70, 59, 70, 70, 70), [a_dip(began=3, ended=2, lowest=59, fell=11, set_it_off=True)]),
        ((70, 70, 70, 59, 70, 70, 70), [a_dip(began=3, ended=2, lowest=59, fell=11)]),
        # Ten minutes above it are between two, and five within one; its fastest fall may be amid it.
        (
            (70, 50, 70, 70, 40, 60, 60, 60),
            [a_dip(began=6, ended=5, lowest=50, fell=20), a_dip(began=3, ended=2, lowest=40, fell=30)],
        ),
        ((70, 58, 70, 40, 60, 60, 60), [a_dip(began=5, ended=2, lowest=40, fell=30)]),
        # What was below it at first, or after a gap, began nobody knows when.
        ((50, 70, 70, 70), []),
        ((70, 70, None, 50, 70, 70, 70), []),
        ((50, None, 70, 50, 70, 70, 70), [a_dip(began=3, ended=2, lowest=50, fell=20)]),
        # After a recovery, half the threshold above it, another story begins.
        ((70, 50, 70, 70, 91, 70, 50, 70, 70, 70), [a_dip(began=3, ended=2, lowest=50, fell=20)]),
        ((90, 50, 90, 90, 90), [a_dip(began=3, ended=2, lowest=50, fell=40)]),
    ],
)
def test_a_dip_is_told_with_when_it_began_and_ended_and_how_deep_and_fast_it_was(
    left: Sequence[float | None], found: list[Dip]
) -> None:
    told = [one._replace(bytes_per_second=round(one.bytes_per_second)) for one in dips(by_steps(*left), THRESHOLD)]
    assert told == [one._replace(bytes_per_second=round(one.bytes_per_second)) for one in found]


def test_dips_are_told_since_a_moment_or_of_twenty_hours() -> None:
    situation = by_steps(70, 50, 70, 70, 70)
    assert [len(dips(situation, THRESHOLD, NOW - 3 * STEP + later * MINUTE)) for later in (0, 1)] == [1, 0]
    long_ago = by_steps(70, 50, *[70] * 240)
    assert [len(dips(dataclasses.replace(long_ago, time=NOW + later * MINUTE), THRESHOLD)) for later in (0, 1)] == [
        1,
        0,
    ]


@pytest.mark.parametrize(("falling", "times", "lowest"), [(40, 2, 40), (41, 1, 50), (50, 1, 50), (51, None, None)])
def test_those_count_that_were_as_fast_but_for_a_quarter(
    falling: float, times: int | None, lowest: float | None
) -> None:
    """They fell by 25 and by 20 minutes' worth in five; this one by so much in eight."""
    situation = by_steps(75, 50, 70, 70, 70, 60, 40, 70, 70, 70, 59, falling=falling)
    found = hovering(situation, THRESHOLD)
    assert (found is None) is (times is None)
    if found is not None:
        assert (found.times, found.lowest_bytes) == (times, lowest and lowest * MINUTE_BYTES)


def test_one_that_would_leave_a_minutes_worth_twice_as_deep_is_like_those() -> None:
    assert [
        hovering(by_steps(70, lowest, 70, 70, 70, 59, falling=8), THRESHOLD) is not None for lowest in (30.5, 30.4)
    ] == [True, False]


def test_the_alarm_that_has_ended_was_about_its_own_dips_and_as_deep_and_fast_as_all_of_them() -> None:
    """Those that ended ten minutes before it went off are none of its own."""
    calm = (70, 70, 70)
    shallow, deep, fast = (60.5, 55, 58), (60.5, 50, 49, 58), (75, 50, 58)

    def is_alike(*own: float, since: int) -> bool:
        return ended_alike(by_steps(70, 45, *calm, *own, *calm), THRESHOLD, NOW - since * STEP)

    assert is_alike(*shallow, since=4)
    # Of two that it was about, the one that was deeper counts, and the one that was faster.
    assert is_alike(*shallow, *calm, *shallow, since=10)
    assert not is_alike(20, 58, *calm, *shallow, since=9)
    assert not is_alike(*shallow, *calm, 20, 58, since=10)
    assert is_alike(*deep, since=5)
    assert is_alike(*fast, since=4)
    before_it = by_steps(70, 45, 70, 70, 70, 50, 70, 70, 70)
    assert [ended_alike(before_it, THRESHOLD, NOW - since * STEP) for since in (3, 2, 1, 0)] == [
        True,
        True,
        True,
        False,
    ]


def test_the_first_dip_of_a_day_is_the_one_that_begins_at_midnight_or_later() -> None:
    moment = datetime(2030, 1, 7, 13, 14, 15, 16, tzinfo=UTC)
    assert midnight_before(moment) == datetime(2030, 1, 7, tzinfo=UTC)
    # Half a day ago it was midnight.
    dip = (70, 70, 70, 70, 50, 70, 70, 70, 70)
    for steps, was_told in ((144, True), (145, False)):
        rest = [70] * (steps - 4)
        found = hovering(by_steps(*dip[:4], 50, 70, 70, 70, 70, 50, *rest, 70, 70, 70, 59, falling=8), THRESHOLD)
        assert found is not None
        assert found.was_told is was_told


@pytest.mark.parametrize(("rate_mib", "left"), [(100, 1), (110, 1), (111, 0), (90, 1), (5, 1), (293, 0)])
def test_a_dip_of_another_size_is_none(rate_mib: float, left: int) -> None:
    """An hour's worth was more then, or less, than it is now. No size with credits is permitted less than 100 MiB/s."""
    situation = by_steps(75, 50, 70, 70, 70, 59, falling=8)
    times = [one.time for one in situation.balances_of_the_day]
    permitted = tuple((time, (rate_mib if index <= 1 else 100) * MIB) for index, time in enumerate(times))
    assert len(dips(dataclasses.replace(situation, permitted_of_the_day=permitted), THRESHOLD)) == left
