"""AWS::Scheduler: schedules."""

from __future__ import annotations

from localaws.cloudformation.resources.base import HandlerRequest, Properties, ResourceOutcome, ResourceType


class Schedule(ResourceType):
    type_name = "AWS::Scheduler::Schedule"

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        return self._put(call, "create_schedule", call.name())

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        del old
        return self._put(call, "update_schedule", call.physical_id)

    def delete(self, call: HandlerRequest) -> None:
        group = call.properties.get("GroupName", "default")
        call.aws.call("scheduler", "delete_schedule", Name=call.physical_id, GroupName=group)

    def _put(self, call: HandlerRequest, operation: str, name: str) -> ResourceOutcome:
        settings = {"GroupName": "default", **call.properties, "Name": name}
        answer = call.aws.call("scheduler", operation, **settings)
        return ResourceOutcome(name, {"Arn": answer["ScheduleArn"]})
