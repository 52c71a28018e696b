"""What CloudWatch says when an alarm changes its state: to SNS topics, to mail readers, to Lambda functions."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Self

from localaws.account import ACCOUNT_ID, REGION, REGION_NAME
from localaws.cloudwatch.alarm import Alarm, AlarmConfiguration, AlarmState
from localaws.cloudwatch.history_items import in_lower_case
from localaws.cloudwatch.metric_stat import MetricStat
from localaws.cloudwatch.queries import MathQuery, Query, StatQuery
from localaws.cloudwatch.watched import WatchedQueries, described_query
from simulation.alarm_evaluation import State
from simulation.alarm_reason import java_double

MAXIMUM_SUBJECT = 99
"""SNS takes fewer than 100 characters; CloudWatch cuts a subject with a long alarm name."""


@dataclass(frozen=True, slots=True)
class StateChange:
    """An alarm with the state it left and the one it entered, as they were at that moment."""

    arn: str
    configuration: AlarmConfiguration
    configuration_updated: datetime
    old: AlarmState
    new: AlarmState

    @classmethod
    def of(cls, alarm: Alarm, old: AlarmState) -> Self:
        return cls(alarm.arn, alarm.configuration, alarm.configuration_updated, old, alarm.state)


def subject(change: StateChange) -> str:
    """The line pagers and chat tools parse."""
    whole = f'{change.new.value}: "{change.configuration.name}" in {REGION_NAME}'
    return whole if len(whole) <= MAXIMUM_SUBJECT else f"{whole[: MAXIMUM_SUBJECT - 3]}..."


def sns_message(change: StateChange) -> str:
    """The JSON every subscriber but an e-mail one receives."""
    one = change.configuration
    trigger: dict[str, Any] = {
        **_trigger_metrics(one.watched),
        "Period": one.watched.period_seconds,
        "EvaluationPeriods": one.evaluation_periods,
        "DatapointsToAlarm": one.datapoints_to_alarm,
        "ComparisonOperator": one.comparison_operator,
        "Threshold": one.threshold,
        "TreatMissingData": one.treat_missing_data or "missing",
        "EvaluateLowSampleCountPercentile": one.evaluate_low_sample_count_percentile or "",
    }
    if one.datapoints_to_alarm is None:
        del trigger["DatapointsToAlarm"]
    return json.dumps(
        {
            "AlarmName": one.name,
            "AlarmDescription": one.description,
            "AWSAccountId": ACCOUNT_ID,
            "AlarmConfigurationUpdatedTimestamp": cloudwatch_time(change.configuration_updated),
            "NewStateValue": change.new.value,
            "NewStateReason": change.new.reason,
            "StateChangeTime": cloudwatch_time(change.new.updated),
            "Region": REGION_NAME,
            "AlarmArn": change.arn,
            "OldStateValue": change.old.value,
            "OKActions": list(one.ok_actions),
            "AlarmActions": list(one.alarm_actions),
            "InsufficientDataActions": list(one.insufficient_data_actions),
            "Trigger": trigger,
        }
    )


def _trigger_metrics(watched: MetricStat | WatchedQueries) -> dict[str, Any]:
    if isinstance(watched, WatchedQueries):
        return {"Metrics": [_trigger_query(query) for query in watched.queries]}
    return {
        "MetricName": watched.metric.name,
        "Namespace": watched.metric.namespace,
        "StatisticType": "Statistic",
        "Statistic": watched.statistic.upper(),
        "Unit": watched.unit,
        "Dimensions": [{"value": value, "name": name} for name, value in watched.dimensions],
    }


def _trigger_query(query: Query) -> dict[str, Any]:
    """A query as in the API, but for the dimensions, which this message always writes in lower case."""
    told = described_query(query)
    if isinstance(query, StatQuery):
        metric = told["MetricStat"]["Metric"]
        metric["Dimensions"] = [{"value": one["Value"], "name": one["Name"]} for one in metric["Dimensions"]]
    return told


def lambda_event(change: StateChange) -> dict[str, Any]:
    """The event a Lambda action receives; the threshold is nowhere in it but inside `reasonData`."""
    one = change.configuration
    configuration: dict[str, Any] = {"metrics": _event_metrics(one.watched)}
    if one.description is not None:
        configuration["description"] = one.description
    return {
        "source": "aws.cloudwatch",
        "alarmArn": change.arn,
        "accountId": ACCOUNT_ID,
        "time": cloudwatch_time(change.new.updated),
        "region": REGION,
        "alarmData": {
            "alarmName": one.name,
            "state": _event_state(change.new),
            "previousState": _event_state(change.old),
            "configuration": configuration,
        },
    }


def _event_metrics(watched: MetricStat | WatchedQueries) -> list[dict[str, Any]]:
    queries = watched.queries if isinstance(watched, WatchedQueries) else (StatQuery("m1", watched, None, True),)
    return [_event_query(query) for query in queries]


def _event_query(query: Query) -> dict[str, Any]:
    told: dict[str, Any] = in_lower_case(described_query(query))
    if isinstance(query, StatQuery):
        metric = query.stat.metric
        told["metricStat"]["metric"] = {
            "namespace": metric.namespace,
            "name": metric.name,
            "dimensions": dict(query.stat.dimensions),
        }
    return told


def _event_state(state: AlarmState) -> dict[str, str]:
    told = {"value": str(state.value), "reason": state.reason, "timestamp": cloudwatch_time(state.updated)}
    if state.reason_data is not None:
        told["reasonData"] = state.reason_data
    return told


def cloudwatch_time(moment: datetime) -> str:
    """2030-01-07T12:05:00.000+0000, as CloudWatch writes times in messages and events."""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}+0000"


def mail_text(change: StateChange) -> str:
    """The body CloudWatch writes for e-mail subscribers; nothing of it can be customised but the description."""
    one, new = change.configuration, change.new
    moment = f"{new.updated:%A %d %B, %Y %H:%M:%S} UTC"
    console = f"https://{REGION}.console.aws.amazon.com/cloudwatch/deeplink.js?region={REGION}"
    period_seconds = one.watched.period_seconds
    lasting = (
        f"for {one.evaluation_periods * period_seconds} seconds"
        if one.datapoints_to_alarm is None
        else f"for at least {one.datapoints_to_alarm} of the last {one.evaluation_periods} period(s) of "
        f"{period_seconds} seconds"
    )
    actions = "\n".join(
        f"- {state}: {' '.join(f'[{action}]' for action in one.actions_for(state))}".rstrip() for state in State
    )
    return f"""\
You are receiving this email because your Amazon CloudWatch Alarm "{one.name}" in the {REGION_NAME} region \
has entered the {new.value} state, because "{new.reason}" at "{moment}".

View this alarm in the AWS Management Console:
{console}#alarmsV2:alarm/{one.name}

Alarm Details:
- Name:                       {one.name}
- Description:                {one.description or ""}
- State Change:               {change.old.value} -> {new.value}
- Reason for State Change:    {new.reason}
- Timestamp:                  {moment}
- AWS Account:                {ACCOUNT_ID}
- Alarm Arn:                  {change.arn}

Threshold:
- The alarm is in the ALARM state when the metric is {one.comparison_operator} \
{java_double(one.threshold)} {lasting}.

{_monitored(one.watched)}
- TreatMissingData:                    {one.treat_missing_data or "missing"}


State Change Actions:
{actions}
"""


def _monitored(watched: MetricStat | WatchedQueries) -> str:
    """No sample shows an expression: its lines are a guess."""
    if isinstance(watched, WatchedQueries):
        lines = "".join(
            f"- {'MetricExpression' if isinstance(query, MathQuery) else 'Metric'}:".ljust(39)
            + f"{query.id} = {query.expression if isinstance(query, MathQuery) else _named(query.stat)}\n"
            for query in watched.queries
        )
        return f"Monitored Metrics:\n{lines}- Period:                              {watched.period_seconds} seconds"
    dimensions = " ".join(f"[{name} = {value}]" for name, value in watched.dimensions)
    return f"""\
Monitored Metric:
- MetricNamespace:                     {watched.metric.namespace}
- MetricName:                          {watched.metric.name}
- Dimensions:                          {dimensions}
- Period:                              {watched.period_seconds} seconds
- Statistic:                           {watched.statistic}
- Unit:                                {watched.unit or "not specified"}"""


def _named(stat: MetricStat) -> str:
    dimensions = " ".join(f"[{name} = {value}]" for name, value in stat.dimensions)
    return f"{stat.metric.namespace} {stat.metric.name} {dimensions} {stat.statistic}"
