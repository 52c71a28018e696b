"""When an alarm that stays on is mailed about again."""

import dataclasses
from datetime import datetime, timedelta

import pytest
from efs_monitor.alarms import SUSPENDED_MARK, AlarmKind, LiveAlarm
from efs_monitor.repeats import RepeatHours, due_repeat, due_trend, lasting, on
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.rules.strategies import NOW
from tests.unit.rules.surroundings import hours_ago
from tests.unit.rules.test_alarms import as_deployed

WARNING, CRITICAL = AlarmKind.WARNING, AlarmKind.CRITICAL
HOURS = RepeatHours(warning=24, critical=4)


def alarm(kind: AlarmKind, hours: float, state: str = "ALARM") -> LiveAlarm:
    return dataclasses.replace(as_deployed(kind), state=state, transitioned=hours_ago(hours))


def alarms(warning: LiveAlarm | None = None, critical: LiveAlarm | None = None) -> dict[AlarmKind, LiveAlarm]:
    return {
        WARNING: warning or alarm(WARNING, 1000, "OK"),
        CRITICAL: critical or alarm(CRITICAL, 1000, "OK"),
    }


def due(
    found: dict[AlarmKind, LiveAlarm], mailed: dict[str, datetime] | None = None, hours: RepeatHours = HOURS
) -> AlarmKind | None:
    return due_repeat(found, mailed or {}, hours, NOW)


def test_nothing_is_repeated_while_no_alarm_is_on() -> None:
    assert due(alarms()) is None
    assert due({}) is None


@pytest.mark.parametrize(("hours", "expected"), [(3.4, None), (3.5, CRITICAL), (4.4, CRITICAL)])
def test_critical_is_repeated_by_the_run_that_is_nearest_to_four_hours(hours: float, expected: AlarmKind) -> None:
    assert due(alarms(critical=alarm(CRITICAL, hours))) is expected


@pytest.mark.parametrize(("hours", "expected"), [(23, None), (24, WARNING)])
def test_warning_is_repeated_daily(hours: float, expected: AlarmKind) -> None:
    assert due(alarms(warning=alarm(WARNING, hours))) is expected


def test_a_repeat_counts_from_the_last_one() -> None:
    on_for_days = alarms(critical=alarm(CRITICAL, 50))
    assert due(on_for_days, {"critical": hours_ago(3)}) is None
    assert due(on_for_days, {"critical": hours_ago(4)}) is CRITICAL


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


def test_nothing_is_repeated_where_the_hours_are_zero() -> None:
    never = RepeatHours(warning=0, critical=0)
    assert due(alarms(warning=alarm(WARNING, 500)), hours=never) is None
    assert due(alarms(critical=alarm(CRITICAL, 500)), hours=never) is None


def test_a_suspended_alarm_is_not_repeated() -> None:
    asleep = dataclasses.replace(alarm(CRITICAL, 50), description=f"{SUSPENDED_MARK} asleep")
    assert due(alarms(critical=asleep)) is None


def test_a_drill_is_not_repeated() -> None:
    drilled = dataclasses.replace(alarm(CRITICAL, 50), state_reason="DRILL: somebody tries the way")
    assert due(alarms(critical=drilled)) is None
    assert on(alarms(critical=drilled)) is None


def test_a_mail_says_for_how_long() -> None:
    assert lasting(alarm(CRITICAL, 7.5), NOW) == timedelta(hours=7, minutes=30)


def test_the_trend_is_mailed_about_once_a_day() -> None:
    assert due_trend({}, NOW)
    assert not due_trend({"trend": hours_ago(23)}, NOW)
    assert due_trend({"trend": hours_ago(24)}, NOW)


@given(st.floats(0, 500), st.integers(1, 168), st.integers(0, 59))
def test_while_critical_lasts_no_two_mails_are_further_apart_than_chosen_and_half_an_hour(
    on_hours: float, pause_hours: int, minute: int
) -> None:
    """Runs are hourly; a mail that is not due now is due before the next run would be too late."""
    del minute
    hours = RepeatHours(warning=24, critical=pause_hours)
    lasting_alarm = alarms(critical=alarm(CRITICAL, on_hours))
    if due_repeat(lasting_alarm, {}, hours, NOW) is None:
        later = NOW + timedelta(hours=1)
        assert later - hours_ago(on_hours) <= timedelta(hours=pause_hours, minutes=30)
