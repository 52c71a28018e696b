"""What CloudWatch remembers of alarms is read as it was, also where most of it is older than what is shown."""

import json
from datetime import timedelta
from itertools import permutations
from types import SimpleNamespace
from typing import Any

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.errors import AwsRefused

from operate.replay.replayed_account import ReplayedMail
from operate.report.alarm_history import (
    Remembered,
    messages_remembered,
    read_alarm_history,
    spans_remembered,
    suspensions_remembered,
    thresholds_remembered,
)
from operate.report.contents import AlarmSpan, ThresholdStep
from operate.report.of_stack import settings_of
from tests.unit.operate.histories import FULL, START, history

WARNING, CRITICAL, EXHAUSTED = AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED
PAST = history([FULL] * 600)


def entry(alarm: AlarmKind, minute: int, kind: str, **data: Any) -> Remembered:
    return Remembered(alarm=alarm, time=START + timedelta(minutes=minute), kind=kind, data=data)


def changed(alarm: AlarmKind, minute: int, old: str, new: str) -> Remembered:
    return entry(alarm, minute, "StateUpdate", oldState={"stateValue": old}, newState={"stateValue": new})


def written(alarm: AlarmKind, minute: int, threshold: float, before: float | None = None) -> Remembered:
    fields = {} if before is None else {"threshold": before}
    data = {"type": "Update", "updatedAlarm": {"threshold": threshold}, "originalUpdatedFields": fields}
    return entry(alarm, minute, "ConfigurationUpdate", **data)


def created(alarm: AlarmKind, minute: int, threshold: float) -> Remembered:
    return entry(alarm, minute, "ConfigurationUpdate", type="Create", createdAlarm={"threshold": threshold})


def test_an_alarm_that_was_there_before_is_in_its_state_from_the_first_minute_on() -> None:
    found = spans_remembered((changed(WARNING, 100, "OK", "ALARM"),), PAST)
    assert found[WARNING] == (
        AlarmSpan(begin=0, end=100, state="OK"),
        AlarmSpan(begin=100, end=601, state="ALARM"),
    )
    assert found[CRITICAL] == ()


def described(minute: int, after: str, before: str) -> Remembered:
    fields = {"alarmDescription": before}
    data = {"type": "Update", "updatedAlarm": {"alarmDescription": after}, "originalUpdatedFields": fields}
    return entry(WARNING, minute, "ConfigurationUpdate", **data)


def test_alarms_are_silent_while_their_description_says_so() -> None:
    silent, awake = "[suspended] elastic throughput", "Less than 180 minutes"
    found = suspensions_remembered((described(100, silent, awake), described(300, awake, silent)), PAST)
    assert [(one.begin, one.end) for one in found] == [(100, 300)]
    before = suspensions_remembered((described(-60, silent, awake), described(300, awake, silent)), PAST)
    assert [(one.begin, one.end) for one in before] == [(0, 300)]
    assert [(one.begin, one.end) for one in suspensions_remembered((described(300, awake, silent),), PAST)] == [
        (0, 300)
    ]
    assert suspensions_remembered((written(CRITICAL, 300, 1e12),), PAST) == ()


def test_of_what_is_older_the_last_state_counts() -> None:
    older = (changed(WARNING, -900, "OK", "ALARM"), changed(WARNING, -500, "ALARM", "OK"))
    assert spans_remembered(older, PAST)[WARNING] == (AlarmSpan(begin=0, end=601, state="OK"),)


def test_an_alarm_that_was_made_meanwhile_has_no_state_before() -> None:
    found = spans_remembered((created(WARNING, 50, 180.0), changed(WARNING, 53, "INSUFFICIENT_DATA", "OK")), PAST)
    assert [(one.begin, one.state) for one in found[WARNING]] == [(50, "INSUFFICIENT_DATA"), (53, "OK")]


def test_thresholds_are_those_that_were_written_and_before_it_those_that_were_replaced() -> None:
    remembered = (
        written(WARNING, -50, 180.0),
        written(CRITICAL, 100, 120.0, before=60.0),
        written(WARNING, 100, 360.0, before=180.0),
        written(EXHAUSTED, 100, 2.0, before=1.0),
        written(EXHAUSTED, 200, 2.0),
    )
    assert thresholds_remembered(remembered, PAST) == (
        ThresholdStep(minute=0, warning_bytes=180.0, critical_bytes=60.0, exhausted_bytes=1.0),
        ThresholdStep(minute=100, warning_bytes=360.0, critical_bytes=120.0, exhausted_bytes=2.0),
    )


def test_thresholds_of_alarms_that_were_suspended_are_those_of_before_until_they_wake() -> None:
    alarms = ((WARNING, 180.0), (CRITICAL, 60.0), (EXHAUSTED, 1.0))
    remembered = (
        *(written(alarm, 100, 0.0, before=first) for alarm, first in alarms),
        *(written(alarm, 200, 2 * first, before=0.0) for alarm, first in alarms),
    )
    found = thresholds_remembered(remembered, PAST)
    assert [(one.minute, one.warning_bytes) for one in found] == [(0, 180.0), (200, 360.0)]
    assert [one.minute for one in thresholds_remembered(remembered[3:], PAST)] == [200]


def test_thresholds_that_moved_twice_are_those_of_their_time() -> None:
    """CloudWatch is asked alarm by alarm, and tells the whole past of each."""
    entries = [
        entry
        for alarm, first in ((WARNING, 180.0), (CRITICAL, 60.0), (EXHAUSTED, 1.0))
        for entry in (
            created(alarm, 0, first),
            written(alarm, 100, 2 * first, before=first),
            written(alarm, 200, 3 * first, before=2 * first),
        )
    ]

    def pages(AlarmName: str, **_: str) -> list[dict[str, Any]]:  # noqa: N803 - as boto3 spells it
        return [{"AlarmHistoryItems": [as_told(one) for one in entries if f"home-{one.alarm}" == AlarmName]}]

    cloudwatch: Any = SimpleNamespace(get_paginator=lambda _: SimpleNamespace(paginate=pages))
    remembered, _ = read_alarm_history(cloudwatch, "home")
    found = thresholds_remembered(remembered, PAST)
    assert [(one.minute, one.warning_bytes, one.critical_bytes, one.exhausted_bytes) for one in found] == [
        (0, 180.0, 60.0, 1.0),
        (100, 360.0, 120.0, 2.0),
        (200, 540.0, 180.0, 3.0),
    ]


def as_told(one: Remembered) -> dict[str, Any]:
    return {"Timestamp": one.time, "HistoryItemType": one.kind, "HistoryData": json.dumps(one.data)}


def test_changes_of_one_moment_end_in_the_same_state_in_whichever_order_they_are_told() -> None:
    """CloudWatch says nothing of the order of entries that have the same time."""
    before = changed(WARNING, 50, "OK", "ALARM")
    silenced = [changed(WARNING, 100, "ALARM", "OK"), changed(WARNING, 100, "OK", "ALARM")]
    woken = [
        changed(WARNING, 200, "ALARM", "INSUFFICIENT_DATA"),
        changed(WARNING, 200, "INSUFFICIENT_DATA", "ALARM"),
        changed(WARNING, 200, "ALARM", "OK"),
    ]
    for some in permutations(silenced):
        for others in permutations(woken):
            found = spans_remembered((before, *some, *others), PAST)[WARNING]
            states = [next(one.state for one in found if one.begin <= at < one.end) for at in (49, 50, 150, 200)]
            assert states == ["OK", "ALARM", "ALARM", "OK"]
            first = spans_remembered(tuple(others), PAST)[WARNING]
            assert [one.state for one in first] == ["ALARM", "OK"]


def test_thresholds_begin_when_the_last_of_the_alarms_was_made() -> None:
    remembered = (created(WARNING, 40, 180.0), created(CRITICAL, 40, 60.0), created(EXHAUSTED, 41, 1.0))
    (one,) = thresholds_remembered(remembered, PAST)
    assert (one.minute, one.warning_bytes) == (41, 180.0)
    assert thresholds_remembered(remembered[:2], PAST) == ()


def test_the_lead_times_are_told_by_the_thresholds_unless_somebody_has_changed_them() -> None:
    (one,) = thresholds_remembered(
        (created(WARNING, 1, 200.0), created(CRITICAL, 1, 40.0), created(EXHAUSTED, 1, 1.0)), PAST
    )
    found = settings_of((one,))
    assert found is not None
    assert (found.warning_minutes, found.critical_minutes) == (200, 40)
    edited = ThresholdStep(minute=1, warning_bytes=10.0, critical_bytes=40.0, exhausted_bytes=1.0)
    assert settings_of((edited,)) is None
    zero = ThresholdStep(minute=1, warning_bytes=10.0, critical_bytes=4.0, exhausted_bytes=0.0)
    assert settings_of((zero,)) is None


@pytest.mark.parametrize("threshold", ["many", float("nan")])
def test_a_threshold_that_is_no_amount_is_refused(threshold: Any) -> None:
    with pytest.raises(AwsRefused):
        thresholds_remembered((created(WARNING, 1, threshold),), PAST)


def test_messages_are_what_cloudwatch_sent_to_topics_and_say_what_failed() -> None:
    topic, function = "arn:aws:sns:us-east-1:1:home-warning", "arn:aws:lambda:us-east-1:1:function:home-Explain"
    remembered = (
        changed(WARNING, 100, "OK", "ALARM"),
        entry(WARNING, 100, "Action", actionState="Succeeded", notificationResource=topic),
        entry(WARNING, 100, "Action", actionState="Succeeded", notificationResource=function),
        entry(
            WARNING, 101, "Action", actionState="Succeeded", notificationResource="arn:aws:sns:us-east-1:2:their-pager"
        ),
        changed(WARNING, 200, "ALARM", "OK"),
        entry(WARNING, 200, "Action", actionState="Failed", notificationResource=topic, error="denied"),
    )
    assert messages_remembered(remembered, spans_remembered(remembered, PAST), PAST, "home") == (
        ReplayedMail(100, "warning", "ALARM: warning", "", by_cloudwatch=True),
        ReplayedMail(101, "their-pager", "ALARM: warning", "", by_cloudwatch=True),
        ReplayedMail(200, "warning", "OK: warning (failed: denied)", "", by_cloudwatch=True),
    )


def test_a_message_says_the_state_that_it_told_also_where_the_alarm_was_in_two_within_the_minute() -> None:
    topic = "arn:aws:sns:us-east-1:1:home-warning"
    told = json.dumps({"default": json.dumps({"AlarmName": "home-warning", "NewStateValue": "OK"}), "email": "text"})
    sent = {"actionState": "Succeeded", "notificationResource": topic}
    closed = (changed(WARNING, 100, "ALARM", "OK"), changed(WARNING, 100, "OK", "ALARM"))
    for published, state in ((told, "OK"), (None, "ALARM"), ("text", "ALARM"), ('{"default": "1"}', "ALARM")):
        remembered = (*closed, entry(WARNING, 100, "Action", publishedMessage=published, **sent))
        (mail,) = messages_remembered(remembered, spans_remembered(remembered, PAST), PAST, "home")
        assert mail.subject == f"{state}: warning"
