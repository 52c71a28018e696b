"""When an alarm that stays on is mailed about again."""

import dataclasses
from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from itertools import pairwise

import pytest
from efs_monitor.alarms.alarm import SUSPENDED_MARK, AlarmKind, LiveAlarm
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.situation import STEP
from efs_monitor.notify.health_settings import RepeatHours
from efs_monitor.notify.repeats import (
    MAY_BE_LEFT_OUT,
    NEVER,
    TREND,
    awaits_its_first_fall,
    came_again_lately,
    draining_since,
    due_daily,
    due_repeat,
    exhausted_is_near,
    gone_since_told,
    lasting,
    on,
    tells,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.alarms.test_alarm import as_deployed, with_setting
from tests.unit.notify.seen_health import hours_ago
from tests.unit.strategies import NOW

WARNING, CRITICAL = AlarmKind.WARNING, AlarmKind.CRITICAL
HOURS = RepeatHours(warning=24, critical=4)


def alarm(kind: AlarmKind, hours: float, state: str = "ALARM") -> LiveAlarm:
    return as_deployed(kind)._replace(state=state, transitioned=hours_ago(hours))


def alarms(warning: LiveAlarm | None = None, critical: LiveAlarm | None = None) -> dict[AlarmKind, LiveAlarm]:
    return {
        WARNING: warning or alarm(WARNING, 1000, "OK"),
        CRITICAL: critical or alarm(CRITICAL, 1000, "OK"),
    }


def due(
    found: dict[AlarmKind, LiveAlarm], mailed: dict[str, datetime] | None = None, hours: RepeatHours = HOURS
) -> AlarmKind | None:
    """Of a balance that falls."""
    repeat = due_repeat(found, mailed or {}, hours, NOW, recovers=False)
    assert repeat is None or (repeat.brief, repeat.remembered_as) == (False, repeat.alarm)
    return repeat.alarm if repeat is not None else None


def line_due(
    found: dict[AlarmKind, LiveAlarm], mailed: dict[str, datetime] | None = None, hours: RepeatHours = HOURS
) -> AlarmKind | None:
    """Of one that recovers."""
    repeat = due_repeat(found, mailed or {}, hours, NOW, recovers=True)
    assert repeat is None or (repeat.brief, repeat.remembered_as) == (True, "recovering")
    return repeat.alarm if repeat is not None else None


def test_nothing_is_repeated_while_no_alarm_is_on() -> None:
    assert due(alarms()) is None
    assert due({}) is None


@pytest.mark.parametrize(("hours", "expected"), [(3.4, None), (3.5, CRITICAL), (4.4, CRITICAL)])
def test_critical_is_repeated_by_the_run_that_is_nearest_to_four_hours(hours: float, expected: AlarmKind) -> None:
    assert due(alarms(critical=alarm(CRITICAL, hours))) is expected


def test_a_fall_that_has_just_begun_is_left_to_the_draining_alarm_and_the_next_run() -> None:
    found = alarms(critical=alarm(CRITICAL, 50))
    assert due_repeat(found, {}, HOURS, NOW, recovers=False, tells_itself=True) is None
    assert due(found) is CRITICAL


@pytest.mark.parametrize(("hours", "is_due"), [(4, False), (23.4, False), (23.5, True)])
def test_a_slow_fall_is_said_again_once_a_day_while_the_credits_last_longer(hours: float, is_due: bool) -> None:
    found = alarms(critical=alarm(CRITICAL, hours))
    repeat = due_repeat(found, {}, HOURS, NOW, recovers=False, lasts_a_day=True)
    assert (repeat is not None) is is_due
    assert repeat is None or (repeat.brief, repeat.pause) == (False, timedelta(days=1))
    assert due_repeat(found, {}, HOURS, NOW, recovers=False) is not None


def test_what_is_new_is_not_put_off_by_credits_that_last() -> None:
    found = alarms(critical=alarm(CRITICAL, 5))
    lasts = partial(due_repeat, found, {}, HOURS, NOW, recovers=False, lasts_a_day=True)
    assert lasts() is None
    assert lasts(outgrown=hours_ago(1)) is not None
    assert lasts(unseen=hours_ago(1)) is not None
    assert lasts(gone=hours_ago(1)) is not None


@pytest.mark.parametrize(
    ("hours", "ends_soon", "is_due"),
    [(11.4, True, False), (11.5, True, True), (23.4, False, False), (23.5, False, True)],
)
def test_the_line_of_a_day_comes_half_a_day_after_the_last_mail_where_the_credits_end_within_hours(
    hours: float, ends_soon: bool, is_due: bool
) -> None:
    found = alarms(critical=alarm(CRITICAL, hours))
    repeat = due_repeat(found, {}, HOURS, NOW, recovers=True, ends_soon=ends_soon)
    assert (repeat is not None) is is_due
    # What it says of the next one: a line a day.
    assert repeat is None or (repeat.brief, repeat.pause) == (True, timedelta(days=1))
    assert due_repeat(found, {"recovering": hours_ago(23)}, HOURS, NOW, recovers=True, ends_soon=ends_soon) is None
    assert (
        due_repeat(found, {}, dataclasses.replace(HOURS, critical=0), NOW, recovers=True, ends_soon=ends_soon) is None
    )


def test_a_fall_that_nobody_was_told_of_is_told_when_it_has_outgrown_the_others() -> None:
    found = {**alarms(critical=alarm(CRITICAL, 5)), AlarmKind.DRAINING: alarm(AlarmKind.DRAINING, 0.5)}
    told_lately = {"critical": hours_ago(1)}
    assert due_repeat(found, told_lately, HOURS, NOW, recovers=False) is None
    repeat = due_repeat(found, told_lately, HOURS, NOW, recovers=False, tells_itself=True, outgrown=hours_ago(0.5))
    assert repeat is not None
    assert (repeat.alarm, repeat.brief) == (CRITICAL, False)
    since = {"critical": hours_ago(0.25)}
    assert due_repeat(found, since, HOURS, NOW, recovers=False, outgrown=hours_ago(0.5)) is None


@pytest.mark.parametrize("kind", [AlarmKind.DRAINING, AlarmKind.EXHAUSTED])
def test_an_alarm_that_had_no_mail_because_it_was_like_others_stands_for_no_repeat(kind: AlarmKind) -> None:
    found = {**alarms(critical=alarm(CRITICAL, 5)), kind: alarm(kind, 0.5)}
    assert due_repeat(found, {}, HOURS, NOW, recovers=False) is None
    other = next(one for one in MAY_BE_LEFT_OUT if one is not kind)
    assert due_repeat(found, {}, HOURS, NOW, recovers=False, left_out={other}) is None
    repeat = due_repeat(found, {}, HOURS, NOW, recovers=False, left_out={kind})
    assert repeat is not None
    assert repeat.last == hours_ago(5)
    assert due_repeat(found, {"critical": hours_ago(3)}, HOURS, NOW, recovers=False, left_out={kind}) is None


FELL = hours_ago(1)


@pytest.mark.parametrize("recovers", [False, True])
def test_a_fall_of_a_load_that_rests_for_most_of_the_time_is_told_once_amid_its_rests_too(recovers: bool) -> None:
    found = alarms(critical=alarm(CRITICAL, 2))
    told = partial(due_repeat, found, {}, HOURS, NOW, recovers=recovers, tells_itself=True)
    assert told() is None
    repeat = told(fell=FELL)
    assert repeat is not None
    assert (repeat.alarm, repeat.brief) == (CRITICAL, False)
    told_since = {"critical": hours_ago(0.9)}
    assert due_repeat(found, told_since, HOURS, NOW, recovers=recovers, fell=FELL) is None
    none_chosen = dataclasses.replace(HOURS, critical=0)
    assert due_repeat(found, {}, none_chosen, NOW, recovers=recovers, fell=FELL) is None


def test_a_warning_that_went_on_where_nothing_fell_awaits_its_first_fall() -> None:
    """It went on two hours ago, of a new stack or after an hour that is known; what fell since changes nothing."""
    found = alarms(warning=alarm(WARNING, 2))

    def awaits(*before: float, mailed: Mapping[str, datetime] | None = None) -> bool:
        times = [hours_ago(2) - (len(before) - index) * STEP for index in range(len(before))]
        balances = [*map(BalancePoint, times, before), BalancePoint(hours_ago(1), 10)]
        return awaits_its_first_fall(found, mailed or {}, balances)

    assert awaits()
    assert awaits(100, 99, 100)
    assert not awaits(101, 102, 100)
    # What was more than an hour before says nothing of then.
    assert awaits(101, *[100] * 12)
    assert awaits(mailed={WARNING: hours_ago(3)})
    assert not awaits(mailed={WARNING: hours_ago(1)})
    assert not awaits_its_first_fall({}, {}, [])
    # Critical of a new stack is armed some moments after Warning has gone off.
    for hours, was_critical in ((1.95, False), (1.9, True)):
        both = {**found, CRITICAL: alarm(CRITICAL, hours, "OK")}
        assert awaits_its_first_fall(both, {}, []) is not was_critical


@pytest.mark.parametrize(
    ("state", "minutes_after", "is_due"),
    # It judges the last half hour: one that was over by then may have gone off before.
    [("ALARM", 5, False), ("OK", 29, True), ("OK", 31, False), ("OK", -30, True)],
)
def test_a_fall_that_set_off_draining_was_told(state: str, minutes_after: float, is_due: bool) -> None:
    draining = alarm(AlarmKind.DRAINING, 1 - minutes_after / 60, state)
    found = {**alarms(critical=alarm(CRITICAL, 2)), AlarmKind.DRAINING: draining}
    assert (due_repeat(found, {}, HOURS, NOW, recovers=False, fell=FELL) is not None) is is_due


def test_what_helps_is_told_when_aws_takes_it_again_where_mails_had_to_leave_it_out() -> None:
    found = alarms(critical=alarm(CRITICAL, 3))
    told = {"critical": hours_ago(1)}
    assert due_repeat(found, told, HOURS, NOW, recovers=False) is None
    assert due_repeat(found, told, HOURS, NOW, recovers=False, unlocked=hours_ago(0.5)) is not None
    assert due_repeat(found, told, HOURS, NOW, recovers=False, unlocked=hours_ago(1.5)) is None
    assert due_repeat(found, told, HOURS, NOW, recovers=True, unlocked=hours_ago(0.5)) is None


def test_an_end_that_there_may_have_been_while_metrics_were_missing_is_told_once_though_the_balance_recovers() -> None:
    found = alarms(critical=alarm(CRITICAL, 5))
    told = {"critical": hours_ago(1), "recovering": hours_ago(2)}
    assert due_repeat(found, told, HOURS, NOW, recovers=True, unseen=hours_ago(1.1)) is None
    for recovers in (True, False):
        repeat = due_repeat(found, told, HOURS, NOW, recovers=recovers, unseen=hours_ago(0.9))
        assert repeat is not None
        assert repeat.brief is recovers
    told_since = {**told, "recovering": hours_ago(0.5)}
    assert due_repeat(found, told_since, HOURS, NOW, recovers=True, unseen=hours_ago(0.9)) is None


@pytest.mark.parametrize("recovers", [True, False])
def test_whoever_missed_the_mails_before_has_one_at_once_and_none_is_before_it(recovers: bool) -> None:
    found = alarms(critical=alarm(CRITICAL, 5))
    told = {"critical": hours_ago(1), "recovering": hours_ago(1)}
    assert due_repeat(found, told, HOURS, NOW, recovers=recovers) is None
    repeat = due_repeat(found, told, HOURS, NOW, recovers=recovers, missed=True)
    assert repeat is not None
    assert (repeat.alarm, repeat.brief, repeat.last) == (CRITICAL, recovers, NEVER)
    none_chosen = dataclasses.replace(HOURS, critical=0)
    assert due_repeat(found, told, none_chosen, NOW, recovers=recovers, missed=True) is None
    assert due_repeat(alarms(), told, HOURS, NOW, recovers=recovers, missed=True) is None


@pytest.mark.parametrize(("hours", "missing_steps", "is_so"), [(2.9, 2, True), (3.1, 2, False), (2.9, 1, False)])
def test_balances_came_again_lately_where_more_than_a_step_is_missing_before_some_of_the_last_runs(
    hours: float, missing_steps: int, is_so: bool
) -> None:
    again = hours_ago(hours)
    before = again - (missing_steps + 1) * STEP
    times = [before - ago * STEP for ago in (2, 1, 0)] + [again + ahead * STEP for ahead in range(30)]
    points = [BalancePoint(time=time, balance_bytes=1.0) for time in times]
    assert came_again_lately(points, NOW) is is_so
    assert not came_again_lately(points[:1], NOW)
    assert not came_again_lately((), NOW)


@pytest.mark.parametrize(("hours", "expected"), [(23, None), (24, WARNING)])
def test_warning_is_repeated_daily(hours: float, expected: AlarmKind) -> None:
    assert due(alarms(warning=alarm(WARNING, hours))) is expected


def test_a_repeat_counts_from_the_last_one() -> None:
    on_for_days = alarms(critical=alarm(CRITICAL, 50))
    assert due(on_for_days, {"critical": hours_ago(3)}) is None
    assert due(on_for_days, {"critical": hours_ago(4)}) is CRITICAL


def test_a_repeat_knows_when_the_mail_before_it_came() -> None:
    found, repeated = alarms(critical=alarm(CRITICAL, 9)), {"critical": hours_ago(5)}
    first = due_repeat(found, {}, HOURS, NOW, recovers=False)
    again = due_repeat(found, repeated, HOURS, NOW, recovers=False)
    assert first is not None
    assert again is not None
    assert (first.last, again.last) == (NOW - timedelta(hours=9), NOW - timedelta(hours=5))


def test_a_repeat_of_an_earlier_alarm_does_not_count() -> None:
    assert due(alarms(critical=alarm(CRITICAL, 5)), {"critical": hours_ago(30)}) is CRITICAL


def test_only_critical_is_repeated_where_both_are_on() -> None:
    both = alarms(warning=alarm(WARNING, 100), critical=alarm(CRITICAL, 4))
    assert due(both) is CRITICAL
    assert due(both, {"critical": hours_ago(1)}) is None


def test_a_mail_about_critical_is_one_about_warning_too() -> None:
    just_over = alarms(warning=alarm(WARNING, 100), critical=alarm(CRITICAL, 1, "OK"))
    assert due(just_over) is None
    assert due(alarms(warning=alarm(WARNING, 100)), {"critical": hours_ago(23)}) is None
    assert due(alarms(warning=alarm(WARNING, 100)), {"critical": hours_ago(24)}) is WARNING


def test_a_deleted_critical_alarm_does_not_keep_warning_from_being_repeated() -> None:
    only_warning = {WARNING: alarm(WARNING, 24)}
    assert on(only_warning) is WARNING
    assert due(only_warning) is WARNING


def test_an_alarm_of_which_cloudwatch_does_not_say_since_when_counts_from_its_last_mail() -> None:
    timeless = alarm(CRITICAL, 0)._replace(transitioned=None)
    assert due(alarms(critical=timeless)) is CRITICAL
    assert due(alarms(critical=timeless), {"critical": hours_ago(1)}) is None
    assert lasting(timeless, NOW) == timedelta()


def test_nothing_is_repeated_where_the_hours_are_zero() -> None:
    never = RepeatHours(warning=0, critical=0)
    assert due(alarms(warning=alarm(WARNING, 500)), hours=never) is None
    assert due(alarms(critical=alarm(CRITICAL, 500)), hours=never) is None


@pytest.mark.parametrize(("hours", "expected"), [(4, None), (23.4, None), (23.5, CRITICAL)])
def test_while_the_balance_recovers_there_is_a_line_a_day(hours: float, expected: AlarmKind | None) -> None:
    assert line_due(alarms(critical=alarm(CRITICAL, hours))) is expected
    assert line_due(alarms(critical=alarm(CRITICAL, 50)), {"critical": hours_ago(hours)}) is expected
    assert line_due(alarms(critical=alarm(CRITICAL, 50)), {"recovering": hours_ago(hours)}) is expected


def test_a_line_about_a_recovery_does_not_put_off_the_mail_about_the_next_fall() -> None:
    on_for_days = alarms(critical=alarm(CRITICAL, 50))
    assert due(on_for_days, {"recovering": hours_ago(0.5), "critical": hours_ago(20)}) is CRITICAL


def test_a_line_comes_no_more_often_than_its_mails_would() -> None:
    weekly = RepeatHours(warning=168, critical=168)
    assert line_due(alarms(critical=alarm(CRITICAL, 100)), hours=weekly) is None
    assert line_due(alarms(critical=alarm(CRITICAL, 168)), hours=weekly) is CRITICAL
    assert line_due(alarms(critical=alarm(CRITICAL, 168)), hours=RepeatHours(warning=24, critical=0)) is None


@pytest.mark.parametrize(("hours", "pause_hours"), [(1, 24), (4, 24), (24, 24), (25, 25), (72, 72), (168, 168)])
def test_a_line_knows_after_how_long_the_next_one_comes(hours: int, pause_hours: int) -> None:
    for kind in (WARNING, CRITICAL):
        on_for_weeks = {kind: alarm(kind, 1000)}
        of_both = RepeatHours(warning=hours, critical=hours)
        repeat = due_repeat(on_for_weeks, {}, of_both, NOW, recovers=True)
        assert repeat is not None
        assert repeat.pause == timedelta(hours=pause_hours)
        assert line_due(on_for_weeks, {"recovering": hours_ago(pause_hours - 0.6)}, of_both) is None
        assert line_due(on_for_weeks, {"recovering": hours_ago(pause_hours)}, of_both) is kind


def test_a_suspended_alarm_is_not_repeated() -> None:
    asleep = alarm(CRITICAL, 50)._replace(description=f"{SUSPENDED_MARK} asleep")
    assert due(alarms(critical=asleep)) is None


def test_a_drill_is_not_repeated() -> None:
    drilled = alarm(CRITICAL, 50)._replace(state_reason="DRILL: somebody tries the way")
    assert due(alarms(critical=drilled)) is None
    assert on(alarms(critical=drilled)) is None


EXHAUSTED = AlarmKind.EXHAUSTED
MINUTES_WORTH = as_deployed(EXHAUSTED).threshold or 0.0


def lately(*shares: float) -> list[BalancePoint]:
    """So much of a minute's worth, the last one now, in steps of five minutes."""
    first = NOW - (len(shares) - 1) * timedelta(minutes=5)
    return [
        BalancePoint(time=first + index * timedelta(minutes=5), balance_bytes=one * MINUTES_WORTH)
        for index, one in enumerate(shares)
    ]


def test_credits_that_end_a_while_after_their_alarm_are_untold() -> None:
    nearly = alarm(EXHAUSTED, 1)
    assert gone_since_told(nearly, lately(2, 0.9, 0.4, 0, 0)) == NOW - timedelta(minutes=5)
    assert gone_since_told(nearly, lately(1, 0.9, 0.01)) == NOW
    assert gone_since_told(nearly, lately(1, 0.9, 0.02)) is None
    # What came back for some minutes, and never for so long that the alarm went off, is the same end.
    assert gone_since_told(nearly, lately(0, 1, 1.5, 0)) == NOW - timedelta(minutes=15)
    # What lies before the alarm was told by the one before it.
    assert gone_since_told(alarm(EXHAUSTED, 0.5), lately(0, 0, 0, 2, 2, 0.5, 0.5, 0.5, 0.5, 0.5, 0)) == NOW


def test_an_end_is_another_one_after_two_hours_in_which_something_was_left() -> None:
    on_for_days = alarm(EXHAUSTED, 48)
    two_hours, less = (0.5,) * 24, (0.5,) * 23
    assert gone_since_told(on_for_days, lately(0, 0, *two_hours, 0, 0)) == NOW - timedelta(minutes=5)
    assert gone_since_told(on_for_days, lately(0, 0, *less, 0, 0)) == NOW - 26 * timedelta(minutes=5)
    foretold = alarm(EXHAUSTED, 135 / 60)
    assert gone_since_told(foretold, lately(2, 0.5, 0, *two_hours, 0, 0)) == NOW - timedelta(minutes=5)


def test_those_that_ended_with_it_are_told() -> None:
    drained = lately(2, 0.5, 0, 0, 0)
    assert gone_since_told(alarm(EXHAUSTED, 16 / 60), drained) == NOW - timedelta(minutes=10)
    assert gone_since_told(alarm(EXHAUSTED, 15 / 60), drained) is None
    assert gone_since_told(alarm(EXHAUSTED, 1, "OK"), drained) is None
    assert gone_since_told(None, drained) is None
    assert gone_since_told(alarm(EXHAUSTED, 1)._replace(transitioned=None), drained) is None
    assert gone_since_told(alarm(EXHAUSTED, 1)._replace(threshold=None), drained) is None


def test_an_end_that_is_known_to_five_minutes_may_have_come_at_the_last_of_them() -> None:
    """Gone in the step that began 13 minutes after the alarm, and so up to 18 minutes after it."""
    in_the_newest_step = lately(2, 0.5, 0.2, 0.1, 0)
    assert gone_since_told(alarm(EXHAUSTED, 13 / 60), in_the_newest_step) == NOW


def test_the_end_of_the_credits_is_said_by_the_next_run_once() -> None:
    found = alarms(critical=alarm(CRITICAL, 2))
    gone = hours_ago(0.5)
    assert due_repeat(found, {}, HOURS, NOW, recovers=False) is None
    assert due_repeat(found, {}, HOURS, NOW, recovers=False, gone=gone) is not None
    assert due_repeat(found, {}, HOURS, NOW, recovers=True, gone=gone) is None
    assert due_repeat(found, {CRITICAL: hours_ago(0.4)}, HOURS, NOW, recovers=False, gone=gone) is None
    assert due_repeat(found, {}, RepeatHours(warning=0, critical=0), NOW, recovers=False, gone=gone) is None


def test_a_mail_says_for_how_long() -> None:
    assert lasting(alarm(CRITICAL, 7.5), NOW) == timedelta(hours=7, minutes=30)


def test_the_trend_is_mailed_about_once_a_day() -> None:
    assert due_daily(TREND, {}, NOW)
    assert not due_daily(TREND, {TREND: hours_ago(23.4)}, NOW)
    assert due_daily(TREND, {TREND: hours_ago(23.5)}, NOW)
    assert due_daily(TREND, {TREND: hours_ago(24)}, NOW)


@given(st.integers(1, 168), st.integers(0, 59), st.integers(0, 500))
def test_while_critical_lasts_two_mails_are_as_far_apart_as_chosen_give_or_take_half_an_hour(
    pause_hours: int, minute: int, on_hours: int
) -> None:
    """Runs are hourly, and the alarm went on at some minute between two of them."""
    hours = RepeatHours(warning=24, critical=pause_hours)
    since = NOW - timedelta(minutes=minute)
    on_since = {CRITICAL: alarm(CRITICAL, 0)._replace(transitioned=since)}
    mails = [since]
    for run in range(on_hours):
        now = NOW + timedelta(hours=run)
        mailed = {"critical": mails[-1]} if mails[1:] else {}
        if due_repeat(on_since, mailed, hours, now, recovers=False) is not None:
            mails.append(now)
    apart = [later - earlier for earlier, later in pairwise(mails)]
    slack = timedelta(minutes=30)
    assert all(abs(one - timedelta(hours=pause_hours)) <= slack for one in apart)
    assert mails[-1] + timedelta(hours=pause_hours) + slack >= NOW + timedelta(hours=on_hours - 1)


@given(st.integers(1, 168), st.integers(0, 2000), st.booleans(), st.sampled_from([WARNING, CRITICAL]))
def test_a_bucket_that_stays_nearly_full_is_told_of_once_for_however_long_its_alarm_is_on(
    pause_hours: int, on_hours: int, recovers: bool, kind: AlarmKind
) -> None:
    """WarningMinutes may be 360, which is 98 % of what a bucket holds: of 94 % of it a day nothing is to be done."""
    hours = RepeatHours(warning=pause_hours, critical=pause_hours)
    found = alarms() | {kind: alarm(kind, on_hours)}
    assert due_repeat(found, {}, hours, NOW, recovers=recovers, stays_full=True) is None


def test_what_ends_the_credits_is_said_of_a_bucket_that_is_nearly_full_too() -> None:
    found = alarms(warning=alarm(WARNING, 100))
    assert due_repeat(found, {}, HOURS, NOW, recovers=True, stays_full=True, ends_soon=True) is not None
    outgrown = due_repeat(found, {}, HOURS, NOW, recovers=False, stays_full=True, outgrown=hours_ago(1))
    assert outgrown is not None


def falling_to(balance_bytes: float, a_minute_bytes: float) -> tuple[BalancePoint, ...]:
    """By the five minutes, the newest of five minutes ago."""
    return tuple(
        BalancePoint(time=NOW - minutes * MINUTE, balance_bytes=balance_bytes + (minutes - 5) * a_minute_bytes)
        for minutes in range(65, 0, -5)
    )


@pytest.mark.parametrize(("above", "near"), [(14.9, True), (15.1, False), (-0.1, False)])
def test_a_fall_that_ends_within_minutes_is_left_to_the_mail_about_its_end(above: float, near: bool) -> None:
    """Ten minutes from now, by a datapoint of five minutes ago."""
    exhausted = alarm(AlarmKind.EXHAUSTED, 1000, "OK")._replace(threshold=1000.0)
    assert exhausted_is_near(exhausted, falling_to(1000 + above, 1), NOW) is near


def test_an_end_that_no_mail_tells_of_is_not_waited_for() -> None:
    falls = falling_to(1001, 1)
    exhausted = alarm(AlarmKind.EXHAUSTED, 1000, "OK")._replace(threshold=1000.0)
    assert exhausted_is_near(exhausted, falls, NOW)
    for other in (
        None,
        exhausted._replace(threshold=None),
        exhausted._replace(actions_enabled=False),
        exhausted._replace(description=f"{SUSPENDED_MARK} {exhausted.description}"),
        exhausted._replace(state="ALARM"),
        with_setting(exhausted, "AlarmActions", []),
    ):
        assert not exhausted_is_near(other, falls, NOW)
    assert not exhausted_is_near(exhausted, (), NOW)
    assert not exhausted_is_near(exhausted, falls[-1:], NOW)
    assert not exhausted_is_near(exhausted, falling_to(1001, 0), NOW)


def test_an_alarm_tells_where_it_is_there_acts_and_has_an_action() -> None:
    draining = as_deployed(AlarmKind.DRAINING)
    assert tells(draining)
    assert tells(draining._replace(state="ALARM"))
    for other in (
        None,
        draining._replace(actions_enabled=False),
        draining._replace(description=f"{SUSPENDED_MARK} elastic"),
        with_setting(draining, "AlarmActions", []),
    ):
        assert not tells(other)


def test_draining_tells_since_it_went_off_and_is_meant() -> None:
    draining = alarm(AlarmKind.DRAINING, 2)
    assert draining_since({AlarmKind.DRAINING: draining}) == hours_ago(2)
    assert draining_since({}) is None
    for other in (
        draining._replace(state="OK"),
        draining._replace(state_reason="DRILL: by hand"),
        draining._replace(description=f"{SUSPENDED_MARK} elastic"),
        draining._replace(actions_enabled=False),
        with_setting(draining, "AlarmActions", []),
    ):
        assert draining_since({AlarmKind.DRAINING: other}) is None


def test_what_was_told_in_the_very_moment_of_the_end_has_told_of_it() -> None:
    critical = alarms(critical=alarm(CRITICAL, 2))
    for gone, told in ((2, None), (1.9, CRITICAL)):
        repeat = due_repeat(critical, {}, HOURS, NOW, recovers=False, gone=hours_ago(gone))
        assert (repeat and repeat.alarm) is told


def test_the_pace_towards_the_end_is_that_of_the_last_quarter_of_an_hour_and_no_older_than_an_hour() -> None:
    exhausted = alarm(AlarmKind.EXHAUSTED, 1000, "OK")._replace(threshold=60.0)

    def is_near(left: float, lost: float, minutes: int) -> bool:
        points = [
            BalancePoint(time=NOW - minutes * MINUTE, balance_bytes=left + lost),
            BalancePoint(time=NOW, balance_bytes=left),
        ]
        return exhausted_is_near(exhausted, points, NOW)

    # Within ten minutes it would take two thirds of it once more, or a sixth.
    assert [is_near(left, 90, 15) for left in (119, 120)] == [True, False]
    assert not is_near(119, 90, 14)
    assert [is_near(left, 360, 60) for left in (119, 120)] == [True, False]
    assert not is_near(119, 360, 61)
    # One that is at the threshold is not below it yet.
    assert [is_near(left, 90, 15) for left in (60, 59.9)] == [True, False]


def test_what_was_nothing_just_before_the_alarm_was_told_by_the_one_before_it() -> None:
    for before, ended in ((5, NOW), (4, None)):
        exhausted = alarm(AlarmKind.EXHAUSTED, 1)._replace(threshold=60.0)
        points = [
            BalancePoint(time=hours_ago(1) - before * MINUTE, balance_bytes=0.0),
            BalancePoint(time=NOW, balance_bytes=0.0),
        ]
        assert gone_since_told(exhausted, points) == ended
