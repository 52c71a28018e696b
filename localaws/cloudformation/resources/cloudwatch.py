"""AWS::CloudWatch: alarms and dashboards."""

from __future__ import annotations

from typing import Any

from localaws.cloudformation.error_codes import ResourceFailure
from localaws.cloudformation.resources.base import (
    HandlerRequest,
    Properties,
    ResourceOutcome,
    ResourceType,
    listed,
    tag_changes,
)


class Alarm(ResourceType):
    """Every create and update is one PutMetricAlarm with all properties: it overwrites whatever is live."""

    type_name = "AWS::CloudWatch::Alarm"

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        name = call.name()
        found = call.aws.call("cloudwatch", "describe_alarms", AlarmNames=[name])
        if found.get("MetricAlarms"):
            message = f"{name} already exists"
            raise ResourceFailure(message)
        call.aws.call("cloudwatch", "put_metric_alarm", **{**call.properties, "AlarmName": name})
        return self._outcome(call, name)

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        # PutMetricAlarm ignores tags on an existing alarm.
        settings = {key: value for key, value in call.properties.items() if key != "Tags"}
        call.aws.call("cloudwatch", "put_metric_alarm", **{**settings, "AlarmName": call.physical_id})
        outcome = self._outcome(call, call.physical_id)
        removed, tags = tag_changes(old, call.properties)
        if removed:
            call.aws.call("cloudwatch", "untag_resource", ResourceARN=outcome.attributes["Arn"], TagKeys=removed)
        if tags:
            call.aws.call("cloudwatch", "tag_resource", ResourceARN=outcome.attributes["Arn"], Tags=listed(tags))
        return outcome

    def delete(self, call: HandlerRequest) -> None:
        call.aws.call("cloudwatch", "delete_alarms", AlarmNames=[call.physical_id])

    def _outcome(self, call: HandlerRequest, name: str) -> ResourceOutcome:
        return ResourceOutcome(name, {"Arn": f"arn:aws:cloudwatch:{call.region}:{call.account_id}:alarm:{name}"})


class Dashboard(ResourceType):
    """Every create and update is one PutDashboard, also where its tags alone are others, which nobody asks for."""

    type_name = "AWS::CloudWatch::Dashboard"

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        return self._put(call, call.name())

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        del old
        return self._put(call, call.physical_id)

    def delete(self, call: HandlerRequest) -> None:
        call.aws.call("cloudwatch", "delete_dashboards", DashboardNames=[call.physical_id])

    def _put(self, call: HandlerRequest, name: str) -> ResourceOutcome:
        body: Any = call.properties["DashboardBody"]
        call.aws.call("cloudwatch", "put_dashboard", DashboardName=name, DashboardBody=body)
        return ResourceOutcome(name)
