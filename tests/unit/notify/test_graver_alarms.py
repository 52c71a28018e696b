"""One mail for one fall, however many alarms it sets off."""

import dataclasses
from datetime import datetime, timedelta
from itertools import permutations
from typing import Any

import pytest
from efs_monitor.alarms.alarm import HELD_MARK, AlarmKind, LiveAlarm
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.situation import PastDay, Situation
from efs_monitor.notify.graver_alarms import (
    graver_alarm,
    graver_alarm_with_remedies,
    stood_for_draining,
    watched_since,
)

from tests.unit.alarms.test_alarm import as_deployed
from tests.unit.strategies import NOW, bursting, elastic

WARNING, CRITICAL, EXHAUSTED, DRAINING = AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED, AlarmKind.DRAINING
THRESHOLDS = {WARNING: 180 * 60.0, CRITICAL: 60 * 60.0, EXHAUSTED: 60.0, DRAINING: 60.0}
DAY = 1440.0


def alarm(kind: AlarmKind, seconds: float | None = None, **changes: Any) -> LiveAlarm:
    """On for so many seconds, or OK for a day."""
    on = seconds is not None
    known = as_deployed(kind)._replace(
        threshold=THRESHOLDS[kind],
        state="ALARM" if on else "OK",
        transitioned=NOW - timedelta(seconds=seconds if seconds is not None else 86_400),
    )
    return known._replace(**changes)


def lasting(minutes: float, *, falling: float = DAY, by: float = 1.0, before: float = -0.1, age: int = 2) -> Situation:
    """What lasts so many minutes at full speed, which is 1 byte a second: `falling` by so many of them each minute,
    for so many minutes, and by so many `before`. The newest datapoint is of `age` minutes.
    """

    def balance(of: datetime) -> BalancePoint:
        ago = (newest - of).total_seconds() / 60
        return BalancePoint(
            time=of, balance_bytes=60 * (minutes + by * min(ago, falling) + before * max(0.0, ago - falling))
        )

    newest = NOW - timedelta(minutes=age)
    a_step = timedelta(minutes=5)
    # The lowest of each five minutes is that of their end in a fall, and of their beginning before it.
    day = [min((balance(at), balance(at + a_step)), key=lambda one: one.balance_bytes) for at in each(a_step, 288)]
    return Situation(
        file_system=bursting(1),
        time=NOW,
        balances=tuple(balance(newest - timedelta(minutes=ago)) for ago in range(60, -1, -1)),
        permitted_bytes_per_second=1,
        reference_bytes_per_second=1,
        baseline_bytes_per_second=0.1,
        activity=None,
        past_days=(
            PastDay(
                back=timedelta(days=1),
                balances=tuple(one._replace(time=at) for one, at in zip(day, each(a_step, 288), strict=True)),
            ),
        ),
    )


def each(step: timedelta, times: int) -> list[datetime]:
    """The beginnings of the steps before the newest datapoint, oldest first."""
    return [NOW - timedelta(minutes=2) - step * number for number in range(times, 0, -1)]


def graver(kind: AlarmKind, minutes: float, *others: tuple[AlarmKind, LiveAlarm], **falling: Any) -> AlarmKind | None:
    calm = {one: alarm(one) for one in THRESHOLDS}
    return graver_alarm(kind, calm | dict(others), lasting(minutes, **falling))


@pytest.mark.parametrize(
    ("minutes_ago", "told"), [(4, CRITICAL), (29, CRITICAL), (30, None), (None, None)], ids=["4", "29", "30", "never"]
)
def test_a_mail_that_has_just_repeated_critical_tells_of_a_fall_that_sets_off_draining(
    minutes_ago: float | None, told: AlarmKind | None
) -> None:
    """The alarm itself went off a day ago, and this fall began within the half hour."""
    critical = {CRITICAL: alarm(CRITICAL, 24 * 3600), DRAINING: alarm(DRAINING, 0)}
    mailed = {} if minutes_ago is None else {"critical": NOW - timedelta(minutes=minutes_ago)}
    falling = lasting(50, falling=45, by=1.0)
    began_later = dataclasses.replace(falling, past_days=())
    assert graver_alarm(DRAINING, critical, began_later, mailed) is told


def test_a_repeat_that_named_the_end_of_many_pulses_does_not_tell_of_one_that_ends_them_within_minutes() -> None:
    """Pulses of ten minutes in each hour take all in some hours; that of now, if it goes on, in less than one."""
    newest = NOW - timedelta(minutes=2)

    def balance_bytes(ago_minutes: int) -> float:
        taken = sum(9 if minute % 60 < 10 else -1 for minute in range(ago_minutes))
        return 60 * (60 + float(taken))

    points = [
        BalancePoint(time=newest - timedelta(minutes=ago), balance_bytes=balance_bytes(ago)) for ago in range(481)
    ][::-1]
    pulsing = dataclasses.replace(
        lasting(60), balances=tuple(points[-61:]), earlier_balances=tuple(points[:-61]), past_days=()
    )
    assert pulsing.pulses is not None
    critical = {CRITICAL: alarm(CRITICAL, 24 * 3600), DRAINING: alarm(DRAINING, 0)}
    assert graver_alarm(DRAINING, critical, pulsing, {"critical": NOW - timedelta(minutes=4)}) is None


def test_a_repeat_of_before_the_alarm_went_off_again_tells_of_nothing() -> None:
    critical = {CRITICAL: alarm(CRITICAL, 24 * 3600), DRAINING: alarm(DRAINING, 0)}
    two_days_ago = {"critical": NOW - timedelta(days=2), "warning": NOW - timedelta(minutes=4)}
    assert graver_alarm(DRAINING, critical, lasting(50, falling=45), two_days_ago) is None


def test_a_warning_alone_tells_of_itself() -> None:
    assert graver(WARNING, 150, (WARNING, alarm(WARNING, 5))) is None


@pytest.mark.parametrize("late", [0, 300])
@pytest.mark.parametrize(("seconds", "told"), [(0, CRITICAL), (59, CRITICAL), (60, None), (3600, None)])
def test_a_critical_of_the_same_minute_tells_for_warning_however_late_that_is_explained(
    late: float, seconds: float, told: AlarmKind | None
) -> None:
    assert graver(WARNING, 50, (WARNING, alarm(WARNING, late)), (CRITICAL, alarm(CRITICAL, late + seconds))) is told
    assert graver(WARNING, 50, (WARNING, alarm(WARNING, late + seconds)), (CRITICAL, alarm(CRITICAL, late))) is told


@pytest.mark.parametrize("state", ["OK", "INSUFFICIENT_DATA"])
def test_one_that_is_about_to_go_off_tells_as_well(state: str) -> None:
    assert graver(WARNING, 59.9, (CRITICAL, alarm(CRITICAL, state=state))) is CRITICAL
    assert graver(WARNING, 60, (CRITICAL, alarm(CRITICAL, state=state))) is None


def test_the_gravest_of_three_in_one_minute_tells_in_whatever_order_they_went_off() -> None:
    for order in permutations((WARNING, CRITICAL, EXHAUSTED)):
        for gone_off in range(1, 4):
            alarms = [(one, alarm(one, 10)) for one in order[:gone_off]]
            told = [one for one in order[:gone_off] if graver(one, 0.5, *alarms) is None]
            assert told == [one for one in order[:gone_off] if one is EXHAUSTED]


def test_the_end_of_the_credits_is_always_told() -> None:
    assert graver(EXHAUSTED, 0, (CRITICAL, alarm(CRITICAL, 1)), (EXHAUSTED, alarm(EXHAUSTED, 1))) is None


@pytest.mark.parametrize(
    "critical",
    [
        alarm(CRITICAL, 5, actions_enabled=False),
        alarm(CRITICAL, actions_enabled=False),
        alarm(CRITICAL, 5, state_reason="DRILL: tried"),
        alarm(CRITICAL, 5, state_reason=f"{HELD_MARK} low"),
        alarm(CRITICAL, threshold=None),
        alarm(CRITICAL, 5, transitioned=None),
    ],
    ids=["silenced", "about to, silenced", "a drill", "set unheard", "no threshold", "since nobody knows when"],
)
def test_one_that_tells_nobody_of_this_fall_tells_for_none(critical: LiveAlarm) -> None:
    assert graver(WARNING, 50, (CRITICAL, critical)) is None


def test_one_that_is_missing_tells_for_none() -> None:
    assert graver_alarm(WARNING, {}, lasting(0)) is None


def test_one_that_was_set_by_a_drill_and_is_over_tells_of_the_fall_that_comes() -> None:
    assert graver(WARNING, 50, (CRITICAL, alarm(CRITICAL, state_reason="DRILL: tried"))) is CRITICAL


@pytest.mark.parametrize(("minutes", "told"), [(0, CRITICAL), (29, CRITICAL), (30, None)])
def test_critical_tells_of_another_fall_for_half_an_hour(minutes: float, told: AlarmKind | None) -> None:
    """The fall that goes on has paused since, and ends the credits no earlier."""
    fall = lasting(30)
    later = NOW - timedelta(minutes=20)
    paused = dataclasses.replace(fall, past_days=(), balances=tuple(one for one in fall.balances if one.time >= later))
    whole = dataclasses.replace(fall, past_days=())
    critical = {CRITICAL: alarm(CRITICAL, 60 * minutes)}
    assert graver_alarm(DRAINING, critical, whole) is told
    # Where nothing is known of then, nothing says that it told.
    assert graver_alarm(DRAINING, critical, paused) is (told if minutes == 0 else None)


@pytest.mark.parametrize(
    ("minutes", "falling", "told"), [(80, 110, CRITICAL), (80, 85, None), (119, 200, CRITICAL), (120, 200, None)]
)
def test_critical_tells_for_two_hours_of_the_fall_in_which_it_went_off(
    minutes: float, falling: float, told: AlarmKind | None
) -> None:
    assert graver(DRAINING, 30, (CRITICAL, alarm(CRITICAL, 60 * minutes)), falling=falling) is told


@pytest.mark.parametrize(("changed_minutes_ago", "told"), [(40, None), (85, None), (110, CRITICAL)])
def test_a_critical_that_knew_another_size_has_not_said_what_there_is_to_say_now(
    changed_minutes_ago: int, told: AlarmKind | None
) -> None:
    """Its mail had a pace of before, or none at all, where the size had changed a minute before it."""
    falling = lasting(50, falling=200)
    newest = falling.balances[-1].time
    steps = each(timedelta(minutes=5), 288)
    permitted = tuple((at, 300e6 if newest - at > timedelta(minutes=changed_minutes_ago) else 1.0) for at in steps)
    grew = dataclasses.replace(falling, permitted_of_the_day=permitted)
    alarms = {CRITICAL: alarm(CRITICAL, 80 * 60), DRAINING: alarm(DRAINING, 0)}
    assert graver_alarm(DRAINING, alarms, falling) is CRITICAL
    assert graver_alarm(DRAINING, alarms, grew) is told


@pytest.mark.parametrize("age", [2, 5, 30])
def test_a_critical_that_went_off_before_the_balance_fell_has_told_nothing_of_the_fall(age: int) -> None:
    critical = (CRITICAL, alarm(CRITICAL, 28 * 60))
    assert graver(DRAINING, 50, critical, falling=27, before=-1.0, age=age) is None
    assert graver(DRAINING, 50, critical, falling=28 + 20, before=-1.0, age=age) is CRITICAL


@pytest.mark.parametrize(("falling", "told"), [(12 + 2, None), (12 + 3, CRITICAL), (12 + 15, CRITICAL)])
def test_a_critical_of_a_fall_that_had_just_begun_said_an_end_that_is_much_too_late(
    falling: float, told: AlarmKind | None
) -> None:
    """Its pace was that of the last quarter of an hour, of which the load was two minutes."""
    assert graver(DRAINING, 40, (CRITICAL, alarm(CRITICAL, 12 * 60)), falling=falling, before=0.0) is told


def test_a_critical_with_a_single_datapoint_could_not_say_how_fast_the_balance_falls() -> None:
    fall = lasting(30)
    new = dataclasses.replace(fall, past_days=(), balances=fall.balances[-26:])
    critical = {CRITICAL: alarm(CRITICAL, 25 * 60)}
    assert graver_alarm(DRAINING, critical, new) is None
    assert graver_alarm(DRAINING, {CRITICAL: alarm(CRITICAL, 24 * 60)}, new) is CRITICAL


def test_a_fall_that_has_slowed_down_is_no_news() -> None:
    assert graver(DRAINING, 50, (CRITICAL, alarm(CRITICAL, 20 * 60)), falling=15, before=3.0) is CRITICAL


def test_while_the_credits_are_gone_a_fall_of_what_has_come_back_is_no_news() -> None:
    old = alarm(CRITICAL, 36_000)
    assert graver(DRAINING, 3, (CRITICAL, old), (EXHAUSTED, alarm(EXHAUSTED, 3600))) is EXHAUSTED
    assert graver(DRAINING, 3, (CRITICAL, old), (EXHAUSTED, alarm(EXHAUSTED))) is None
    assert graver(DRAINING, 3, (EXHAUSTED, alarm(EXHAUSTED, 3600, actions_enabled=False))) is None


def test_a_critical_that_said_that_they_may_be_gone_by_now_leaves_nothing_to_say() -> None:
    """On the way back from another mode both wake in the same minute, and the newest datapoint has a minute's worth."""
    assert graver(DRAINING, 1, (CRITICAL, alarm(CRITICAL, 0))) is CRITICAL
    assert graver(DRAINING, 3, (CRITICAL, alarm(CRITICAL, 0))) is CRITICAL
    assert graver(DRAINING, 1, (CRITICAL, alarm(CRITICAL, 0, actions_enabled=False))) is None


def test_a_critical_that_is_about_to_go_off_does_not_put_off_the_mail_about_a_fast_fall() -> None:
    assert graver(DRAINING, 50) is None


@pytest.mark.parametrize(("critical_minutes", "told"), [(51, CRITICAL), (50, None)])
def test_a_critical_that_went_off_by_a_threshold_of_before_leaves_the_remedies_to_the_milder_mail(
    critical_minutes: int, told: AlarmKind | None
) -> None:
    """No balance of the hour was below 50 minutes, and by its own threshold, which is higher, it is about to go off."""
    calm = {one: alarm(one) for one in THRESHOLDS}
    situation = lasting(50)
    assert graver_alarm(WARNING, calm, situation) is CRITICAL
    assert graver_alarm_with_remedies(WARNING, calm, situation, critical_minutes) is told


def test_where_credits_mean_nothing_no_mail_has_remedies_and_the_gravest_tells() -> None:
    calm = {one: alarm(one) for one in THRESHOLDS}
    in_another_mode = dataclasses.replace(lasting(50), file_system=elastic())
    capped = dataclasses.replace(lasting(50), baseline_bytes_per_second=1, permitted_bytes_per_second=0)
    assert graver_alarm_with_remedies(WARNING, calm, in_another_mode, 50) is CRITICAL
    assert graver_alarm_with_remedies(WARNING, calm, capped, 50) is CRITICAL


def test_another_graver_alarm_than_critical_tells_by_whatever_threshold_it_went_off() -> None:
    calm = {one: alarm(one) for one in THRESHOLDS}
    on = calm | {EXHAUSTED: alarm(EXHAUSTED, 3600)}
    assert graver_alarm_with_remedies(DRAINING, on, lasting(3), 1) is EXHAUSTED
    assert graver_alarm_with_remedies(EXHAUSTED, on, lasting(3), 1) is None


def test_the_stack_is_there_since_its_first_alarm_came_to_its_state() -> None:
    old, new = alarm(WARNING, 7200), alarm(CRITICAL, 60)
    assert watched_since({WARNING: old, CRITICAL: new}) == old.transitioned
    assert watched_since({WARNING: alarm(WARNING, transitioned=None), CRITICAL: new}) == new.transitioned
    assert watched_since({}) is None


@pytest.mark.parametrize(
    ("falling", "critical_minutes_ago", "stood"),
    [(DAY, 100, True), (DAY, 140, False), (40, 30, True), (40, 46, False)],
)
def test_whether_the_mail_of_critical_stood_for_that_of_draining_is_known_later(
    falling: float, critical_minutes_ago: float, stood: bool
) -> None:
    """Draining went off a quarter of an hour ago, in the very fall of Critical or in one that began 40 minutes ago."""
    now, since = lasting(30, falling=falling), NOW - timedelta(minutes=15)
    critical = {CRITICAL: alarm(CRITICAL, 60 * critical_minutes_ago)}
    assert stood_for_draining(critical, now, since, {}) is stood
    assert not stood_for_draining({}, now, since, {})
    assert not stood_for_draining(critical, now, NOW - timedelta(days=30), {})
