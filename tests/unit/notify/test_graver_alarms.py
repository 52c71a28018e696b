"""One mail for one fall, however many alarms it sets off."""

import dataclasses
from datetime import timedelta
from itertools import permutations
from typing import Any

import pytest
from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.notify.graver_alarms import graver_alarm, told_since

from tests.unit.alarms.test_alarm import as_deployed
from tests.unit.strategies import NOW

WARNING, CRITICAL, EXHAUSTED, DRAINING = AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED, AlarmKind.DRAINING
THRESHOLDS = {WARNING: 180.0, CRITICAL: 60.0, EXHAUSTED: 1.0, DRAINING: 60.0}


def alarm(kind: AlarmKind, seconds: float | None = None, **changes: Any) -> LiveAlarm:
    """On for so many seconds, or OK for a day."""
    on = seconds is not None
    known = dataclasses.replace(
        as_deployed(kind),
        threshold=THRESHOLDS[kind],
        state="ALARM" if on else "OK",
        transitioned=NOW - timedelta(seconds=seconds if seconds is not None else 86_400),
    )
    return dataclasses.replace(known, **changes)


def graver(
    kind: AlarmKind, balance: float, *others: tuple[AlarmKind, LiveAlarm], falling_minutes: float | None = None
) -> AlarmKind | None:
    calm = {one: alarm(one) for one in THRESHOLDS}
    since = NOW - timedelta(minutes=falling_minutes) if falling_minutes is not None else None
    return graver_alarm(kind, calm | dict(others), balance, NOW, falling_since=since)


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
        alarm(CRITICAL, threshold=None),
        alarm(CRITICAL, 5, transitioned=None),
    ],
    ids=["silenced", "about to, silenced", "a drill", "no threshold", "since nobody knows when"],
)
def test_one_that_tells_nobody_of_this_fall_tells_for_none(critical: LiveAlarm) -> None:
    assert graver(WARNING, 50, (CRITICAL, critical)) is None


def test_one_that_is_missing_tells_for_none() -> None:
    assert graver_alarm(WARNING, {}, 0, NOW) is None


def test_one_that_was_set_by_a_drill_and_is_over_tells_of_the_fall_that_comes() -> None:
    assert graver(WARNING, 50, (CRITICAL, alarm(CRITICAL, state_reason="DRILL: tried"))) is CRITICAL


@pytest.mark.parametrize(("minutes", "told"), [(0, CRITICAL), (29, CRITICAL), (30, None)])
def test_critical_tells_of_a_fast_fall_for_half_an_hour(minutes: float, told: AlarmKind | None) -> None:
    assert graver(DRAINING, 50, (CRITICAL, alarm(CRITICAL, 60 * minutes))) is told


@pytest.mark.parametrize(
    ("minutes", "falling", "told"), [(80, 81, CRITICAL), (80, 79, None), (119, 200, CRITICAL), (120, 200, None)]
)
def test_critical_tells_for_two_hours_of_the_fall_in_which_it_went_off(
    minutes: float, falling: float, told: AlarmKind | None
) -> None:
    critical = alarm(CRITICAL, 60 * minutes)
    assert graver(DRAINING, 50, (CRITICAL, critical), falling_minutes=falling) is told


def test_while_the_credits_are_gone_a_fall_of_what_has_come_back_is_no_news() -> None:
    old = alarm(CRITICAL, 36_000)
    assert graver(DRAINING, 3, (CRITICAL, old), (EXHAUSTED, alarm(EXHAUSTED, 3600))) is EXHAUSTED
    assert graver(DRAINING, 3, (CRITICAL, old), (EXHAUSTED, alarm(EXHAUSTED))) is None
    assert graver(DRAINING, 3, (EXHAUSTED, alarm(EXHAUSTED, 3600, actions_enabled=False))) is None


def test_a_critical_that_is_about_to_go_off_does_not_put_off_the_mail_about_a_fast_fall() -> None:
    assert graver(DRAINING, 50) is None


def test_a_milder_alarm_that_went_off_later_has_told_how_it_stands() -> None:
    """Exhausted was on unheard while it was suspended; Critical has gone off on the way back."""
    since = NOW - timedelta(minutes=15)
    back = {WARNING: alarm(WARNING, 60), CRITICAL: alarm(CRITICAL, 60)}
    assert told_since(EXHAUSTED, back, since) is CRITICAL
    assert told_since(CRITICAL, back, since) is WARNING
    assert told_since(WARNING, back, since) is None
    assert told_since(DRAINING, back, since) is None
    assert told_since(EXHAUSTED, back, None) is None
    assert told_since(EXHAUSTED, {}, since) is None


@pytest.mark.parametrize(("minutes", "told"), [(14.1, None), (13.9, CRITICAL), (15, None), (60, None)])
def test_one_that_went_off_before_or_with_it_has_not(minutes: float, told: AlarmKind | None) -> None:
    since = NOW - timedelta(minutes=15)
    there = {WARNING: alarm(WARNING, 7200), CRITICAL: alarm(CRITICAL, minutes * 60)}
    assert told_since(EXHAUSTED, there, since) is told


@pytest.mark.parametrize(("minutes", "told"), [(89.9, CRITICAL), (90, None), (7200, None)])
def test_one_that_went_off_long_after_it_tells_of_another_fall(minutes: float, told: AlarmKind | None) -> None:
    there = {CRITICAL: alarm(CRITICAL, 60)}
    assert told_since(EXHAUSTED, there, NOW - timedelta(minutes=minutes + 1)) is told


@pytest.mark.parametrize("changes", [{"actions_enabled": False}, {"state_reason": "DRILL: by hand"}, {"state": "OK"}])
def test_nor_has_one_that_tells_nobody(changes: dict[str, Any]) -> None:
    there = {CRITICAL: alarm(CRITICAL, 60, **changes)}
    assert told_since(EXHAUSTED, there, NOW - timedelta(minutes=15)) is None
