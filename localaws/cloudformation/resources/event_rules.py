"""AWS::Events: rules with their targets, on the default bus."""

from __future__ import annotations

from localaws.cloudformation.error_codes import ResourceFailure
from localaws.cloudformation.resources.base import (
    HandlerRequest,
    Properties,
    ResourceOutcome,
    ResourceType,
    listed,
    tag_changes,
)


class Rule(ResourceType):
    type_name = "AWS::Events::Rule"
    applied = frozenset(
        {"Description", "EventPattern", "Name", "RoleArn", "ScheduleExpression", "State", "Tags", "Targets"}
    )

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        return self._put(call, call.name(), {})

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        """Whatever has changed, if only tags, the rule and its targets are written: one that was disabled by hand is on
        again, since its state is the template's, and ENABLED where that has none.

        https://github.com/aws-cloudformation/aws-cloudformation-resource-providers-events/blob/5f8850a/aws-events-rule/src/main/java/software/amazon/events/rule/UpdateHandler.java
        """
        outcome = self._put(call, call.physical_id, old)
        arn = outcome.attributes["Arn"]
        removed, tags = tag_changes(old, call.properties)
        if removed:
            call.aws.call("events", "untag_resource", ResourceARN=arn, TagKeys=removed)
        if tags:
            call.aws.call("events", "tag_resource", ResourceARN=arn, Tags=listed(tags))
        return outcome

    def delete(self, call: HandlerRequest) -> None:
        self._remove_targets(call, call.physical_id, {item["Id"] for item in call.properties.get("Targets", [])})
        call.aws.call("events", "delete_rule", Name=call.physical_id)

    def _put(self, call: HandlerRequest, name: str, old: Properties) -> ResourceOutcome:
        # PutRule ignores tags on an existing rule.
        kept = {"Targets", "Tags"} if old else {"Targets"}
        settings = {key: value for key, value in call.properties.items() if key not in kept}
        answer = call.aws.call("events", "put_rule", **{**settings, "Name": name})
        if not old:
            call.exists(name)
        targets = call.properties.get("Targets", [])
        gone = {item["Id"] for item in old.get("Targets", [])} - {item["Id"] for item in targets}
        self._remove_targets(call, name, gone)
        if targets:
            result = call.aws.call("events", "put_targets", Rule=name, Targets=targets)
            if result["FailedEntryCount"]:
                message = f"Targets of {name} were refused: {result['FailedEntries']}"
                raise ResourceFailure(message)
        return ResourceOutcome(name, {"Arn": answer["RuleArn"]})

    def _remove_targets(self, call: HandlerRequest, name: str, ids: set[str]) -> None:
        if ids:
            call.aws.call("events", "remove_targets", Rule=name, Ids=sorted(ids))
