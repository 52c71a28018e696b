"""AWS::Scheduler: schedules."""

from __future__ import annotations

from localaws.cloudformation.resources.base import Call, Outcome, Properties, ResourceType


class Schedule(ResourceType):
    type_name = "AWS::Scheduler::Schedule"

    def create(self, call: Call) -> Outcome:
        return self._put(call, "create_schedule", call.name())

    def update(self, call: Call, old: Properties) -> Outcome:
        del old
        return self._put(call, "update_schedule", call.physical_id)

    def delete(self, call: Call) -> None:
        group = call.properties.get("GroupName", "default")
        call.aws.call("scheduler", "delete_schedule", Name=call.physical_id, GroupName=group)

    def _put(self, call: Call, operation: str, name: str) -> Outcome:
        settings = {"GroupName": "default", **call.properties, "Name": name}
        answer = call.aws.call("scheduler", operation, **settings)
        return Outcome(name, {"Arn": answer["ScheduleArn"]})
