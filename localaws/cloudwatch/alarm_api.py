"""The CloudWatch calls about alarms."""

from datetime import UTC
from typing import Any

from moto.core.responses import ActionResult
from moto.core.utils import get_service_model

from localaws.cloudwatch.alarm import SLIDING_WINDOW, Alarm, requested_configuration
from localaws.cloudwatch.history_items import HistoryItem
from localaws.cloudwatch.metric_stat import MetricStat
from localaws.cloudwatch.metrics import MetricId
from localaws.cloudwatch.registry import AlarmRegistry
from localaws.cloudwatch.unknown_member import FIELD_OF_TOMORROW
from localaws.cloudwatch.watched import WatchedQueries, described_query
from localaws.pagination import page
from localaws.service_error import ServiceError
from simulation.alarm_evaluation import State

NO_WARM_UP = {"WarmUpPeriodDurationInMinutes": 0, "OnlyStartEvaluatingAfterWarmUpPeriodEnds": False}
"""What PutMetricAlarm would refuse: a default that is told need not be one that may be asked for."""
HISTORY_ITEM_TYPES = tuple(get_service_model("cloudwatch").shape_for("HistoryItemType").enum)
NO_TAGS_IN_MESSAGES = {"AlarmTagsPropagation": {"Enabled": False}}
UNASKED: dict[str, Any] = {
    "EvaluationWindow": SLIDING_WINDOW,
    "WarmUpConfiguration": NO_WARM_UP,
    FIELD_OF_TOMORROW: {"Enabled": True, "Horizons": ["PT1H"]},
}
"""What is told of every alarm although nobody asked for it; a test may have more of it told."""


class AlarmApi:
    """A part of the CloudWatch endpoint; `alarms` comes with the class that is put together."""

    alarms: AlarmRegistry
    params: dict[str, Any]

    def put_metric_alarm(self) -> ActionResult:
        tags = {tag["Key"]: tag["Value"] for tag in self.params.get("Tags") or ()}
        self.alarms.put(requested_configuration(self.params), tags)
        return ActionResult({})

    def describe_alarms(self) -> ActionResult:
        for parameter in ("ChildrenOfAlarmName", "ParentsOfAlarmName"):
            if self.params.get(parameter):
                raise ServiceError("ValidationError", f"The sandbox has no composite alarms: {parameter} is not done.")
        names, prefix = self.params.get("AlarmNames"), self.params.get("AlarmNamePrefix")
        if names and prefix:
            raise ServiceError(
                "InvalidParameterCombination", "AlarmNames and AlarmNamePrefix cannot be given together."
            )
        state, action_prefix = self.params.get("StateValue"), self.params.get("ActionPrefix")
        kinds = self.params.get("AlarmTypes") or ["MetricAlarm"]
        fitting = [
            alarm
            for alarm in self.alarms.all()
            if "MetricAlarm" in kinds
            and (not names or alarm.configuration.name in names)
            and alarm.configuration.name.startswith(prefix or "")
            and (state is None or alarm.state.value == state)
            and (action_prefix is None or _has_action(alarm, action_prefix))
        ]
        on_page, token = page(fitting, self.params.get("MaxRecords") or 50, self.params.get("NextToken"))
        described = [described_alarm(alarm) for alarm in on_page]
        return ActionResult({"MetricAlarms": described, "CompositeAlarms": [], "NextToken": token})

    def describe_alarms_for_metric(self) -> ActionResult:
        dimensions = frozenset((one["Name"], one["Value"]) for one in self.params.get("Dimensions") or ())
        metric = MetricId(self.params["Namespace"], self.params["MetricName"], dimensions)
        asked = {"statistic": "Statistic", "period_seconds": "Period", "unit": "Unit"}
        fitting = [
            alarm
            for alarm in self.alarms.all()
            if isinstance(watched := alarm.configuration.watched, MetricStat)
            and watched.metric == metric
            and all(
                self.params.get(parameter) in (None, getattr(watched, attribute))
                for attribute, parameter in asked.items()
            )
        ]
        return ActionResult({"MetricAlarms": [described_alarm(alarm) for alarm in fitting]})

    def delete_alarms(self) -> ActionResult:
        self.alarms.delete(self.params["AlarmNames"])
        return ActionResult({})

    def set_alarm_state(self) -> ActionResult:
        value = self.params["StateValue"]
        if value not in tuple(State):
            raise ServiceError("ValidationError", f"StateValue is {value!r}; it must be one of {', '.join(State)}.")
        reason = self.params["StateReason"]
        self.alarms.set_state(self.params["AlarmName"], State(value), reason, self.params.get("StateReasonData"))
        return ActionResult({})

    def enable_alarm_actions(self) -> ActionResult:
        self.alarms.enable_actions(self.params["AlarmNames"], True)
        return ActionResult({})

    def disable_alarm_actions(self) -> ActionResult:
        self.alarms.enable_actions(self.params["AlarmNames"], False)
        return ActionResult({})

    def describe_alarm_history(self) -> ActionResult:
        name, kind = self.params.get("AlarmName"), self.params.get("HistoryItemType")
        if kind is not None and kind not in HISTORY_ITEM_TYPES:
            raise ServiceError(
                "ValidationError",
                f"1 validation error detected: Value '{kind}' at 'historyItemType' failed to satisfy constraint: "
                f"Member must satisfy enum value set: [{', '.join(HISTORY_ITEM_TYPES)}]",
            )
        start, end = self.params.get("StartDate"), self.params.get("EndDate")
        items = [
            item
            for item in self.alarms.history
            if (name is None or item.alarm_name == name)
            and (kind is None or item.kind == kind)
            and (start is None or item.time >= start.replace(tzinfo=UTC))
            and (end is None or item.time <= end.replace(tzinfo=UTC))
        ]
        if (self.params.get("ScanBy") or "TimestampDescending") == "TimestampDescending":
            items.reverse()
        on_page, token = page(items, self.params.get("MaxRecords") or 100, self.params.get("NextToken"))
        return ActionResult({"AlarmHistoryItems": [_described_item(item) for item in on_page], "NextToken": token})

    def list_tags_for_resource(self) -> ActionResult:
        tags = self.alarms.tagged(self.params["ResourceARN"])
        return ActionResult({"Tags": [{"Key": key, "Value": value} for key, value in sorted(tags.items())]})

    def tag_resource(self) -> ActionResult:
        tags = self.alarms.tagged(self.params["ResourceARN"])
        tags.update({tag["Key"]: tag["Value"] for tag in self.params["Tags"]})
        return ActionResult({})

    def untag_resource(self) -> ActionResult:
        tags = self.alarms.tagged(self.params["ResourceARN"])
        for key in self.params["TagKeys"]:
            tags.pop(key, None)
        return ActionResult({})


def described_alarm(alarm: Alarm) -> dict[str, Any]:
    """A MetricAlarm as DescribeAlarms tells it; what was never set is absent, or has a default of the service.

    Whether AWS tells of the defaults of its newest fields is not documented; a caller that reads them as somebody's
    wish, or writes them back blindly, must notice here.
    """
    one, state = alarm.configuration, alarm.state
    described = {
        "AlarmName": one.name,
        "AlarmArn": alarm.arn,
        "AlarmDescription": one.description,
        "AlarmConfigurationUpdatedTimestamp": alarm.configuration_updated,
        "ActionsEnabled": one.actions_enabled,
        "OKActions": list(one.ok_actions),
        "AlarmActions": list(one.alarm_actions),
        "InsufficientDataActions": list(one.insufficient_data_actions),
        "StateValue": str(state.value),
        "StateReason": state.reason,
        "StateReasonData": state.reason_data,
        "StateUpdatedTimestamp": state.updated,
        "EvaluationState": alarm.evaluation_state,
        "StateTransitionedTimestamp": state.transitioned,
        **_described_watched(one.watched),
        "EvaluationPeriods": one.evaluation_periods,
        "DatapointsToAlarm": one.datapoints_to_alarm,
        "Threshold": one.threshold,
        "ComparisonOperator": one.comparison_operator,
        "TreatMissingData": one.treat_missing_data,
        "EvaluateLowSampleCountPercentile": one.evaluate_low_sample_count_percentile,
        "ActionConfiguration": one.action_configuration or NO_TAGS_IN_MESSAGES,
        **UNASKED,
    }
    return {key: value for key, value in described.items() if value is not None}


def _described_watched(watched: MetricStat | WatchedQueries) -> dict[str, Any]:
    if isinstance(watched, WatchedQueries):
        return {"Metrics": [described_query(query) for query in watched.queries]}
    return {
        "MetricName": watched.metric.name,
        "Namespace": watched.metric.namespace,
        "Statistic": watched.statistic,
        "Dimensions": [{"Name": name, "Value": value} for name, value in watched.dimensions],
        "Period": watched.period_seconds,
        "Unit": watched.unit,
    }


def _has_action(alarm: Alarm, prefix: str) -> bool:
    actions = [action for state in State for action in alarm.configuration.actions_for(state)]
    return any(action.startswith(prefix) for action in actions)


def _described_item(item: HistoryItem) -> dict[str, Any]:
    return {
        "AlarmName": item.alarm_name,
        "AlarmType": "MetricAlarm",
        "Timestamp": item.time,
        "HistoryItemType": item.kind,
        "HistorySummary": item.summary,
        "HistoryData": item.data,
    }
