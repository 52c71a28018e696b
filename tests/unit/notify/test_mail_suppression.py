"""Of which alarms that went off, or are over, CloudWatch's own message is enough."""

import dataclasses
from datetime import datetime, timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.events import AlarmChange
from efs_monitor.incidents.situation import Situation
from efs_monitor.notify.mail_suppression import (
    beginning_is_told,
    came_late,
    end_is_told,
    ended_at_once,
    has_changed_since,
    is_lowered,
    nothing_is_low,
    warning_tells_of_both,
)

from tests.unit.incidents.earlier_days import MINUTE_BYTES, now_with
from tests.unit.incidents.test_falls_alike import falling
from tests.unit.incidents.test_hovering import HOURLY, ONCE, TWICE, below
from tests.unit.notify.test_graver_alarms import alarm
from tests.unit.notify.test_same_fall import pulsed
from tests.unit.notify.test_same_story import about_a_minutes_worth
from tests.unit.strategies import DEFAULTS, NOW, elastic

WARNING, CRITICAL, EXHAUSTED, DRAINING = AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED, AlarmKind.DRAINING
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
LONG_AGO = {EXHAUSTED: alarm(EXHAUSTED, transitioned=NOW - timedelta(days=30))}
ALARMS_UNREAD: dict[AlarmKind, LiveAlarm] = {}


def went_off(
    kind: AlarmKind,
    *,
    time: datetime | None = NOW,
    since: datetime | None = None,
    threshold_minutes: float | None = None,
    drill: bool = False,
) -> AlarmChange:
    return AlarmChange(
        kind=kind,
        state="ALARM",
        previous_state="OK",
        reason="below",
        drill=drill,
        time=time,
        since=since,
        threshold_bytes=None if threshold_minutes is None else threshold_minutes * MINUTE_BYTES,
    )


def is_over(
    kind: AlarmKind,
    *,
    time: datetime | None = NOW,
    minutes: float | None = None,
    threshold_minutes: float | None = None,
) -> AlarmChange:
    since = None if minutes is None else NOW - minutes * MINUTE
    change = went_off(kind, time=time, since=since, threshold_minutes=threshold_minutes)
    return dataclasses.replace(change, state="OK", previous_state="ALARM")


def steady(minutes: float, falling_by: float = 0.0) -> Situation:
    """So many minutes' worth was left five minutes ago, after an hour of falling by so many in each minute."""
    hour = tuple(
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=MINUTE_BYTES * (minutes + falling_by * (age - 5)))
        for age in range(65, 4, -1)
    )
    return dataclasses.replace(now_with(minutes), balances=hour, past_days=())


def in_another_mode(situation: Situation) -> Situation:
    return dataclasses.replace(situation, file_system=elastic())


def capped(situation: Situation) -> Situation:
    """A Region's cap permits no more with credits than without."""
    reference = situation.reference_bytes_per_second
    return dataclasses.replace(situation, baseline_bytes_per_second=reference, permitted_bytes_per_second=1)


def beginning(change: AlarmChange, situation: Situation, alarms: dict[AlarmKind, LiveAlarm] = LONG_AGO) -> bool:
    return beginning_is_told(DEFAULTS, change, situation, alarms)


@pytest.mark.parametrize(("minutes", "late"), [(5, False), (5.1, True), (419, True), (420, False)])
def test_an_event_is_late_after_the_retries_and_kept_by_somebody_after_hours(minutes: float, late: bool) -> None:
    assert came_late(went_off(WARNING, time=NOW - minutes * MINUTE), NOW) is late


def test_an_event_of_a_drill_or_of_no_known_time_is_never_late() -> None:
    assert not came_late(went_off(WARNING, time=NOW - HOUR, drill=True), NOW)
    assert not came_late(went_off(WARNING, time=None), NOW)


@pytest.mark.parametrize(("seconds", "changed"), [(-30, False), (60, False), (61, True)])
def test_an_alarm_has_changed_since_where_it_came_to_its_state_after_the_event(seconds: float, changed: bool) -> None:
    one = alarm(WARNING, transitioned=NOW + timedelta(seconds=seconds))
    assert has_changed_since(went_off(WARNING), one) is changed


def test_nobody_knows_whether_an_alarm_has_changed_that_could_not_be_read() -> None:
    assert not has_changed_since(went_off(WARNING), None)
    assert not has_changed_since(went_off(WARNING), alarm(WARNING, transitioned=None))
    assert not has_changed_since(went_off(WARNING, time=None), alarm(WARNING))


def test_a_fall_like_the_last_ones_is_told_by_cloudwatch_whether_or_not_the_alarms_could_be_read() -> None:
    assert beginning(went_off(DRAINING), falling(60, 120, 180))
    assert beginning(went_off(DRAINING), falling(60, 120, 180), ALARMS_UNREAD)
    assert not beginning(went_off(DRAINING), falling(60, 120))


def test_a_fall_that_draining_told_of_before_is_told_where_it_is_known_since_when_the_alarms_are_there() -> None:
    again = went_off(DRAINING, since=NOW - 3 * MINUTE)
    assert beginning(again, pulsed(4, left=4))
    assert not beginning(again, pulsed(4, left=4), ALARMS_UNREAD)
    assert not beginning(went_off(DRAINING), pulsed(4, left=4))


def test_a_time_that_is_nearly_gone_like_the_last_ones_is_told_where_it_is_known_since_when_the_alarms_are_there() -> (
    None
):
    hovers = about_a_minutes_worth(3)
    assert beginning(went_off(EXHAUSTED), hovers)
    assert not beginning(went_off(EXHAUSTED), about_a_minutes_worth(1))
    assert not beginning(went_off(EXHAUSTED), hovers, ALARMS_UNREAD)
    lately = {EXHAUSTED: alarm(EXHAUSTED, transitioned=NOW - 100 * MINUTE)}
    assert not beginning(went_off(EXHAUSTED), hovers, lately)


def test_a_dip_like_the_last_ones_is_told_where_it_is_known_since_when_the_alarms_are_there() -> None:
    assert beginning(went_off(CRITICAL), below(*TWICE))
    assert not beginning(went_off(CRITICAL), below(*ONCE))
    assert not beginning(went_off(CRITICAL), below(*TWICE), ALARMS_UNREAD)


@pytest.mark.parametrize(("minutes", "told"), [(100, False), (240, True)])
def test_a_dip_of_before_the_alarms_were_there_is_none_that_somebody_was_told_of(minutes: float, told: bool) -> None:
    assert beginning(went_off(CRITICAL), below(*HOURLY), {WARNING: alarm(WARNING, 60 * minutes)}) is told


def test_the_end_of_the_credits_always_has_a_mail() -> None:
    assert not beginning(went_off(EXHAUSTED), below(*TWICE))


def test_where_credits_mean_nothing_the_mail_that_says_so_comes() -> None:
    assert not beginning(went_off(DRAINING), in_another_mode(falling(60, 120, 180)))
    assert not beginning(went_off(CRITICAL), in_another_mode(below(*TWICE)))
    assert not beginning(went_off(CRITICAL), capped(below(*TWICE)))
    assert not beginning(went_off(EXHAUSTED), in_another_mode(about_a_minutes_worth(3)))
    assert not beginning(went_off(EXHAUSTED), capped(about_a_minutes_worth(3)))
    assert not end_is_told(DEFAULTS, is_over(CRITICAL, minutes=25), in_another_mode(below(25)))


@pytest.mark.parametrize(("written_minutes", "told"), [(60, True), (75, True), (90, False), (None, False)])
def test_an_alarm_that_has_its_lower_threshold_by_now_is_told_where_nothing_is_below_that(
    written_minutes: float | None, told: bool
) -> None:
    written = None if written_minutes is None else written_minutes * MINUTE_BYTES
    alarms = {CRITICAL: alarm(CRITICAL, 60, threshold=written)}
    assert beginning(went_off(CRITICAL, threshold_minutes=90), steady(80), alarms) is told


def test_an_alarm_of_an_old_threshold_is_not_told_where_the_alarms_could_not_be_read() -> None:
    assert not beginning(went_off(CRITICAL, threshold_minutes=90), steady(80), ALARMS_UNREAD)


@pytest.mark.parametrize(
    ("went_off_minutes", "left", "lowered"),
    [(90, 80, True), (90, 60, True), (90, 59, False), (60, 80, False), (None, 80, False)],
)
def test_a_threshold_is_lowered_where_the_alarm_went_off_by_a_higher_one_and_nothing_was_below_the_right_one(
    went_off_minutes: float | None, left: float, lowered: bool
) -> None:
    change = went_off(CRITICAL, threshold_minutes=went_off_minutes)
    assert is_lowered(change, 60 * MINUTE_BYTES, steady(left)) is lowered


def test_nothing_is_low_where_an_old_threshold_set_the_alarm_off() -> None:
    change = went_off(CRITICAL, threshold_minutes=90)
    assert nothing_is_low(DEFAULTS, change, steady(80))
    assert not nothing_is_low(DEFAULTS, change, steady(50))
    assert not nothing_is_low(DEFAULTS, went_off(CRITICAL), steady(80))


@pytest.mark.parametrize(("falling_by", "is_low"), [(0.1, False), (0.5, True)])
def test_what_is_low_by_now_at_its_pace_is_low(falling_by: float, is_low: bool) -> None:
    """The newest datapoint is five minutes old, and has two minutes more than the threshold."""
    change = went_off(CRITICAL, threshold_minutes=90)
    assert nothing_is_low(DEFAULTS, change, steady(62, falling_by)) is not is_low


def test_of_a_drill_of_another_alarm_or_where_credits_mean_nothing_the_usual_mail_comes() -> None:
    change = went_off(CRITICAL, threshold_minutes=90)
    assert not nothing_is_low(DEFAULTS, dataclasses.replace(change, drill=True), steady(80))
    assert not nothing_is_low(DEFAULTS, dataclasses.replace(change, kind=EXHAUSTED), steady(80))
    assert not nothing_is_low(DEFAULTS, change, in_another_mode(steady(80)))
    assert not nothing_is_low(DEFAULTS, change, capped(steady(80)))


@pytest.mark.parametrize(("minutes", "told"), [(0.9, True), (1, False), (None, False)])
def test_the_end_of_an_alarm_whose_threshold_was_lowered_in_its_minute_is_told(
    minutes: float | None, told: bool
) -> None:
    change = is_over(CRITICAL, minutes=minutes, threshold_minutes=90)
    assert end_is_told(DEFAULTS, change, steady(80)) is told


def test_the_end_of_a_dip_like_those_before_it_is_told() -> None:
    """The dip ended 25 minutes ago, and the alarm was on for as long as CloudWatch looks back."""
    change = is_over(CRITICAL, minutes=40)
    assert end_is_told(DEFAULTS, change, below(25, 85, 145))
    assert not end_is_told(DEFAULTS, change, capped(below(25, 85, 145)))
    assert not end_is_told(DEFAULTS, change, below(25))
    assert not end_is_told(DEFAULTS, is_over(EXHAUSTED, minutes=40), below(25, 85, 145))


@pytest.mark.parametrize(("seconds", "at_once"), [(0, True), (59, True), (60, False)])
def test_one_mail_tells_of_a_critical_and_a_warning_that_end_in_the_same_minute(seconds: float, at_once: bool) -> None:
    """By lower thresholds, or after a hole in the metrics: there were two, with the same figures."""
    ended = {WARNING: alarm(WARNING, transitioned=NOW - timedelta(seconds=seconds))}
    assert warning_tells_of_both(DEFAULTS, is_over(CRITICAL, minutes=2), ended, steady(200)) is at_once
    # Of a Critical that was on for less, the other alarm may have its first state.
    assert not warning_tells_of_both(DEFAULTS, is_over(CRITICAL, minutes=1.9), ended, steady(200))
    assert not warning_tells_of_both(DEFAULTS, is_over(CRITICAL), ended, steady(200))
    assert not warning_tells_of_both(DEFAULTS, is_over(WARNING, minutes=2), ended, steady(200))
    critical = {CRITICAL: alarm(CRITICAL, transitioned=NOW - timedelta(seconds=seconds))}
    assert ended_at_once(CRITICAL, is_over(WARNING), critical, steady(200)) is at_once


def test_a_warning_that_is_about_to_end_tells_of_a_critical_that_ended_before_it() -> None:
    on = alarm(WARNING, 3600)._replace(threshold=180 * MINUTE_BYTES)
    assert warning_tells_of_both(DEFAULTS, is_over(CRITICAL, minutes=2), {WARNING: on}, steady(181))
    assert not warning_tells_of_both(DEFAULTS, is_over(CRITICAL, minutes=2), {WARNING: on}, steady(179))
    # Of a quarter of an hour, one minute is below.
    assert not warning_tells_of_both(
        DEFAULTS, is_over(CRITICAL, minutes=2), {WARNING: on}, steady(181, falling_by=-0.1)
    )


def test_a_warning_that_ends_by_a_threshold_that_somebody_lowered_or_has_no_data_leaves_the_mail_to_critical() -> None:
    on = alarm(WARNING, 3600)._replace(threshold=MINUTE_BYTES)
    assert not warning_tells_of_both(DEFAULTS, is_over(CRITICAL, minutes=2), {WARNING: on}, steady(179))
    unknown = on._replace(state="INSUFFICIENT_DATA")
    assert warning_tells_of_both(DEFAULTS, is_over(CRITICAL, minutes=2), {WARNING: on}, steady(181))
    assert not warning_tells_of_both(DEFAULTS, is_over(CRITICAL, minutes=2), {WARNING: unknown}, steady(181))


@pytest.mark.parametrize(
    "warning",
    [
        alarm(WARNING, transitioned=NOW, actions_enabled=False),
        alarm(WARNING, transitioned=NOW, state_reason="DRILL: over"),
        alarm(WARNING, 3600, threshold=None),
        alarm(WARNING, transitioned=None),
    ],
    ids=["silenced", "a drill", "no threshold", "since nobody knows when"],
)
def test_a_warning_that_tells_nobody_leaves_the_mail_to_critical(warning: LiveAlarm) -> None:
    assert not warning_tells_of_both(DEFAULTS, is_over(CRITICAL, minutes=2), {WARNING: warning}, steady(200))
    assert not warning_tells_of_both(DEFAULTS, is_over(CRITICAL, minutes=2), {}, steady(200))
