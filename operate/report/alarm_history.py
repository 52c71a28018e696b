"""What CloudWatch remembers of a stack's alarms: their states, what they were set to, and whom they told."""

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from efs_monitor.alarms.alarm import LEAD_ALARMS, SUSPENDED_MARK, AlarmKind, alarm_name
from efs_monitor.aws.calls import named, number
from efs_monitor.aws.cloudwatch_alarms import history_data

from operate.history.file_system_history import History
from operate.replay.replayed_account import ReplayedMail
from operate.replay.replayed_metrics import MINUTE
from operate.report.contents import LANES, UNJUDGED, AlarmSpan, ThresholdStep, alarm_spans, suspensions

if TYPE_CHECKING:
    from mypy_boto3_cloudwatch import CloudWatchClient

NEEDED = "cloudwatch:DescribeAlarmHistory"


@dataclass(frozen=True, kw_only=True)
class Remembered:
    """An entry of an alarm's history: its alarm, time and kind, and CloudWatch's own JSON about it."""

    alarm: AlarmKind
    time: datetime
    kind: str
    data: Mapping[str, Any]


def read_alarm_history(cloudwatch: "CloudWatchClient", stack_name: str) -> tuple[tuple[Remembered, ...], int]:
    """All that is remembered of the alarms, oldest first, and how many entries are no JSON object: CloudWatch keeps 30
    days of it, and tells it alarm by alarm. AwsDenied where the credentials may not ask.
    """
    found: list[Remembered] = []
    unreadable = 0
    for kind in LANES:
        name = alarm_name(stack_name, kind)
        with named(NEEDED, name):
            pages = cloudwatch.get_paginator("describe_alarm_history").paginate(
                AlarmName=name, ScanBy="TimestampAscending"
            )
            for item in (one for page in pages for one in page["AlarmHistoryItems"]):
                data = history_data(item)
                if data is None:
                    unreadable += 1
                    continue
                found.append(Remembered(alarm=kind, time=item["Timestamp"], kind=item["HistoryItemType"], data=data))
    return tuple(sorted(found, key=lambda one: one.time)), unreadable


def spans_remembered(remembered: tuple[Remembered, ...], history: History) -> dict[AlarmKind, tuple[AlarmSpan, ...]]:
    """The states of each alarm in the minutes of the history. One that was never judged has none.

    CloudWatch does not say in which order it tells changes of the same moment, so they count together: the state that
    was entered once more than left is the one after them, and the other way round the one before.
    """
    found: dict[AlarmKind, tuple[AlarmSpan, ...]] = {}
    for kind in LANES:
        steps: list[tuple[int, str]] = []
        of_alarm = (one for one in remembered if one.alarm is kind)
        for _, told in groupby(of_alarm, key=lambda one: one.time):
            entries = tuple(told)
            minute = _minute(entries[0], history)
            if any(one.kind == "ConfigurationUpdate" and one.data.get("type") == "Create" for one in entries):
                steps.append((minute, UNJUDGED))
            changes = [one for one in entries if one.kind == "StateUpdate"]
            if not changes:
                continue
            left = Counter(_state(one, "oldState") for one in changes)
            entered = Counter(_state(one, "newState") for one in changes)
            if not steps:
                steps.append((0, next(iter(left - entered), _state(changes[0], "oldState"))))
            steps.append((minute, next(iter(entered - left), steps[-1][1])))
        found[kind] = _within(alarm_spans(steps, history.minutes))
    return found


def thresholds_remembered(remembered: tuple[Remembered, ...], history: History) -> tuple[ThresholdStep, ...]:
    """What the alarms of lead times were set to, each from a minute on; none where one of them was never written. While
    they are suspended they stand at zero, and go on here as they were.
    """
    written = [
        (_minute(one, history), one)
        for one in remembered
        if one.kind == "ConfigurationUpdate" and one.alarm in LEAD_ALARMS
    ]
    live: dict[AlarmKind, float] = {}
    # From the newest to the oldest: what is left in the end is what was there before any of them.
    for _, one in reversed(written):
        fields = one.data.get("originalUpdatedFields", {})
        earlier = _amount(one, fields["threshold"]) if "threshold" in fields else _threshold(one)
        if one.data.get("type") == "Create" or earlier is None:
            live.pop(one.alarm, None)
        else:
            live[one.alarm] = earlier
    # The last of a minute counts, and of what lies before the history the last of all.
    steps = {0: _thresholds(0, live)}
    for minute, one in written:
        now = _threshold(one)
        if now is not None:
            live[one.alarm] = now
        steps[max(minute, 0)] = _thresholds(max(minute, 0), live)
    kept: list[ThresholdStep] = []
    for step in steps.values():
        if step is not None and (not kept or _amounts(kept[-1]) != _amounts(step)):
            kept.append(step)
    return tuple(kept)


def suspensions_remembered(remembered: tuple[Remembered, ...], history: History) -> tuple[AlarmSpan, ...]:
    """When the alarms on credits were silent, by what Warning's description said: all of them fall silent together."""
    steps: list[tuple[int, bool]] = []
    for one in remembered:
        if one.kind != "ConfigurationUpdate" or one.alarm is not AlarmKind.WARNING:
            continue
        before = one.data.get("originalUpdatedFields", {}).get("alarmDescription")
        if not steps and before is not None:
            steps.append((0, str(before).startswith(SUSPENDED_MARK)))
        alarm = one.data.get("createdAlarm") or one.data.get("updatedAlarm") or {}
        steps.append((_minute(one, history), str(alarm.get("alarmDescription", "")).startswith(SUSPENDED_MARK)))
    return _within(suspensions(steps, history.minutes))


def messages_remembered(
    remembered: tuple[Remembered, ...],
    alarms: Mapping[AlarmKind, tuple[AlarmSpan, ...]],
    history: History,
    stack_name: str,
) -> tuple[ReplayedMail, ...]:
    """CloudWatch's own messages to topics, in the words `ALARM: warning`; the stack's own by the end of their name.

    Where CloudWatch does not tell what it published, as of what failed, the state is that in which the minute ended.
    """
    found: list[ReplayedMail] = []
    for one in remembered:
        target = str(one.data.get("notificationResource", ""))
        minute = _minute(one, history)
        if one.kind != "Action" or ":sns:" not in target or minute < 0:
            continue
        state = _told_state(one) or next(
            (span.state for span in alarms[one.alarm] if span.begin <= minute < span.end), ""
        )
        failed = f" (failed: {one.data.get('error')})" if one.data.get("actionState") == "Failed" else ""
        topic = target.rpartition(":")[2].removeprefix(f"{stack_name}-")
        found.append(ReplayedMail(minute, topic, f"{state}: {one.alarm}{failed}", "", by_cloudwatch=True))
    return tuple(sorted(found, key=lambda mail: mail.minute))


def _minute(one: Remembered, history: History) -> int:
    return (one.time - history.metrics.start) // MINUTE


def _state(one: Remembered, which: str) -> str:
    return str(one.data.get(which, {}).get("stateValue", ""))


def _told_state(one: Remembered) -> str:
    """The state that a message was about, empty where it cannot be read: what was published is JSON within JSON."""
    try:
        message = json.loads(json.loads(one.data["publishedMessage"])["default"])
        return str(message["NewStateValue"])
    except (KeyError, TypeError, ValueError):
        return ""


def _within(spans: tuple[AlarmSpan, ...]) -> tuple[AlarmSpan, ...]:
    return tuple(AlarmSpan(begin=max(one.begin, 0), end=one.end, state=one.state) for one in spans if one.end > 0)


def _threshold(one: Remembered) -> float | None:
    alarm = one.data.get("createdAlarm") or one.data.get("updatedAlarm") or {}
    return _amount(one, alarm.get("threshold"))


def _amount(one: Remembered, value: object) -> float | None:
    with named(NEEDED, str(one.alarm)):
        return None if value is None else number(value)


def _thresholds(minute: int, live: Mapping[AlarmKind, float]) -> ThresholdStep | None:
    if any(not live.get(kind) for kind in LEAD_ALARMS):
        return None
    return ThresholdStep(
        minute=minute,
        warning_bytes=live[AlarmKind.WARNING],
        critical_bytes=live[AlarmKind.CRITICAL],
        exhausted_bytes=live[AlarmKind.EXHAUSTED],
    )


def _amounts(one: ThresholdStep) -> tuple[float, float, float]:
    return one.warning_bytes, one.critical_bytes, one.exhausted_bytes
