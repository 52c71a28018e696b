"""AWS::CloudWatch: alarms and dashboards."""

from __future__ import annotations

from typing import Any

from localaws.cloudformation.errors import ResourceFailure
from localaws.cloudformation.resources.base import Call, Outcome, Properties, ResourceType, tags_by_key


class Alarm(ResourceType):
    """Every create and update is one PutMetricAlarm with all properties: it overwrites whatever is live."""

    type_name = "AWS::CloudWatch::Alarm"
    properties = frozenset(
        {
            "ActionsEnabled",
            "AlarmActions",
            "AlarmDescription",
            "AlarmName",
            "ComparisonOperator",
            "DatapointsToAlarm",
            "Dimensions",
            "EvaluateLowSampleCountPercentile",
            "EvaluationPeriods",
            "ExtendedStatistic",
            "InsufficientDataActions",
            "MetricName",
            "Metrics",
            "Namespace",
            "OKActions",
            "Period",
            "Statistic",
            "Threshold",
            "ThresholdMetricId",
            "TreatMissingData",
            "Unit",
        }
    )
    attributes = frozenset({"Arn"})
    immutable = frozenset({"AlarmName"})
    name_property = "AlarmName"
    tag_form = "list"

    def create(self, call: Call) -> Outcome:
        name = call.name()
        found = call.aws.call("cloudwatch", "describe_alarms", AlarmNames=[name])
        if found.get("MetricAlarms"):
            message = f"{name} already exists"
            raise ResourceFailure(message)
        call.aws.call("cloudwatch", "put_metric_alarm", **{**call.properties, "AlarmName": name})
        return self._outcome(call, name)

    def update(self, call: Call, old: Properties) -> Outcome:
        # PutMetricAlarm ignores tags on an existing alarm.
        settings = {key: value for key, value in call.properties.items() if key != "Tags"}
        call.aws.call("cloudwatch", "put_metric_alarm", **{**settings, "AlarmName": call.physical_id})
        outcome = self._outcome(call, call.physical_id)
        before, after = tags_by_key(old), tags_by_key(call.properties)
        if removed := sorted(before.keys() - after.keys()):
            call.aws.call("cloudwatch", "untag_resource", ResourceARN=outcome.attributes["Arn"], TagKeys=removed)
        if before != after and after:
            tags = [{"Key": key, "Value": value} for key, value in after.items()]
            call.aws.call("cloudwatch", "tag_resource", ResourceARN=outcome.attributes["Arn"], Tags=tags)
        return outcome

    def delete(self, call: Call) -> None:
        call.aws.call("cloudwatch", "delete_alarms", AlarmNames=[call.physical_id])

    def _outcome(self, call: Call, name: str) -> Outcome:
        return Outcome(name, {"Arn": f"arn:aws:cloudwatch:{call.region}:{call.account_id}:alarm:{name}"})


class Dashboard(ResourceType):
    type_name = "AWS::CloudWatch::Dashboard"
    properties = frozenset({"DashboardBody", "DashboardName"})
    immutable = frozenset({"DashboardName"})
    name_property = "DashboardName"

    def create(self, call: Call) -> Outcome:
        return self._put(call, call.name())

    def update(self, call: Call, old: Properties) -> Outcome:
        del old
        return self._put(call, call.physical_id)

    def delete(self, call: Call) -> None:
        call.aws.call("cloudwatch", "delete_dashboards", DashboardNames=[call.physical_id])

    def _put(self, call: Call, name: str) -> Outcome:
        body: Any = call.properties["DashboardBody"]
        call.aws.call("cloudwatch", "put_dashboard", DashboardName=name, DashboardBody=body)
        return Outcome(name)
