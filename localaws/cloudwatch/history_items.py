"""What DescribeAlarmHistory tells: configuration updates, state updates and actions, each with its JSON."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from localaws.cloudwatch.alarm import Alarm, AlarmState
from localaws.cloudwatch.metric_stat import MetricStat
from localaws.cloudwatch.watched import WatchedQueries, described_query

CONFIGURATION_UPDATE = "ConfigurationUpdate"
STATE_UPDATE = "StateUpdate"
ACTION = "Action"


@dataclass(frozen=True, slots=True)
class HistoryItem:
    alarm_name: str
    time: datetime
    kind: str
    summary: str
    data: str


def created(alarm: Alarm, now: datetime) -> HistoryItem:
    data = {"version": "1.0", "type": "Create", "createdAlarm": described(alarm)}
    return _configuration_update(alarm, now, "created", data)


def updated(before: dict[str, Any], alarm: Alarm, now: datetime) -> HistoryItem:
    """`before` is what `described` said before the update; only what changed is repeated."""
    after = described(alarm)
    changed = {key: value for key, value in before.items() if after.get(key) != value}
    data = {"version": "1.0", "type": "Update", "updatedAlarm": after, "originalUpdatedFields": changed}
    return _configuration_update(alarm, now, "updated", data)


def deleted(alarm: Alarm, now: datetime) -> HistoryItem:
    data = {"version": "1.0", "type": "Delete", "deletedAlarm": described(alarm)}
    return _configuration_update(alarm, now, "deleted", data)


def state_updated(alarm: Alarm, old: AlarmState, now: datetime) -> HistoryItem:
    new = alarm.state
    data = {"version": "1.0", "oldState": _state(old), "newState": _state(new)}
    summary = f"Alarm updated from {old.value} to {new.value}"
    return HistoryItem(alarm.configuration.name, now, STATE_UPDATE, summary, json.dumps(data))


def action_executed(
    alarm_name: str, now: datetime, action: str, published: str | None, error: str | None
) -> HistoryItem:
    """`error` is None for an action that arrived; CloudWatch does not retry one that did not."""
    data = {
        "actionState": "Succeeded" if error is None else "Failed",
        "stateUpdateTimestamp": int(now.timestamp() * 1000),
        "notificationResource": action,
        "publishedMessage": published,
        "error": error,
    }
    summary = (
        f"Successfully executed action {action}"
        if error is None
        else f'Failed to execute action {action}. Received error: "{error}"'
    )
    return HistoryItem(alarm_name, now, ACTION, summary, json.dumps(data))


def _configuration_update(alarm: Alarm, now: datetime, verb: str, data: dict[str, Any]) -> HistoryItem:
    name = alarm.configuration.name
    return HistoryItem(name, now, CONFIGURATION_UPDATE, f'Alarm "{name}" {verb}', json.dumps(data))


def described(alarm: Alarm) -> dict[str, Any]:
    """The configuration in the words alarm history uses for it."""
    one = alarm.configuration
    return {
        "alarmName": one.name,
        "alarmArn": alarm.arn,
        "alarmDescription": one.description,
        "actionsEnabled": one.actions_enabled,
        "okActions": list(one.ok_actions),
        "alarmActions": list(one.alarm_actions),
        "insufficientDataActions": list(one.insufficient_data_actions),
        **_watched(one.watched),
        "evaluationPeriods": one.evaluation_periods,
        "datapointsToAlarm": one.datapoints_to_alarm,
        "threshold": one.threshold,
        "comparisonOperator": one.comparison_operator,
        "treatMissingData": one.treat_missing_data,
        "evaluateLowSampleCountPercentile": one.evaluate_low_sample_count_percentile,
    }


def _watched(watched: MetricStat | WatchedQueries) -> dict[str, Any]:
    if isinstance(watched, WatchedQueries):
        return {"metrics": [in_lower_case(described_query(query)) for query in watched.queries]}
    return {
        "namespace": watched.metric.namespace,
        "metricName": watched.metric.name,
        "dimensions": [{"name": name, "value": value} for name, value in watched.dimensions],
        "statistic": watched.statistic,
        "period": watched.period_seconds,
        "unit": watched.unit,
    }


def in_lower_case(value: Any) -> Any:
    """The API's words as history and events write them: `metricStat` for `MetricStat`."""
    if isinstance(value, list):
        return [in_lower_case(one) for one in value]
    if isinstance(value, dict):
        return {f"{key[0].lower()}{key[1:]}": in_lower_case(one) for key, one in value.items()}
    return value


def _state(state: AlarmState) -> dict[str, Any]:
    told: dict[str, Any] = {"stateValue": state.value, "stateReason": state.reason}
    if state.reason_data:
        told["stateReasonData"] = json.loads(state.reason_data)
    return told
