"""AWS::Logs: log groups and saved queries."""

from __future__ import annotations

from localaws.cloudformation.resources.base import (
    HandlerRequest,
    Properties,
    ResourceOutcome,
    ResourceType,
    tag_changes,
    tags_by_key,
)


class LogGroup(ResourceType):
    type_name = "AWS::Logs::LogGroup"
    applied = frozenset({"KmsKeyId", "LogGroupClass", "LogGroupName", "RetentionInDays", "Tags"})

    def replaces(self, old: Properties, new: Properties, changed: frozenset[str]) -> bool:
        """The schema says nothing of the class, CreateLogGroup that it stays as it is: another one is another group."""
        return super().replaces(old, new, changed) or "LogGroupClass" in changed

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        name = call.name()
        settings = {
            "kmsKeyId": call.properties.get("KmsKeyId"),
            "logGroupClass": call.properties.get("LogGroupClass"),
            "tags": tags_by_key(call.properties),
        }
        call.aws.call(
            "logs",
            "create_log_group",
            logGroupName=name,
            **{key: value for key, value in settings.items() if value},
        )
        call.exists(name)
        self._put_retention(call, name)
        return self._outcome(call, name)

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        name = call.physical_id
        self._put_retention(call, name)
        if old.get("KmsKeyId") != call.properties.get("KmsKeyId"):
            if "KmsKeyId" in call.properties:
                key = call.properties["KmsKeyId"]
                call.aws.call("logs", "associate_kms_key", logGroupName=name, kmsKeyId=key)
            else:
                call.aws.call("logs", "disassociate_kms_key", logGroupName=name)
        removed, tags = tag_changes(old, call.properties)
        if removed:
            call.aws.call("logs", "untag_log_group", logGroupName=name, tags=removed)
        if tags:
            call.aws.call("logs", "tag_log_group", logGroupName=name, tags=tags)
        return self._outcome(call, name)

    def delete(self, call: HandlerRequest) -> None:
        call.aws.call("logs", "delete_log_group", logGroupName=call.physical_id)

    def _put_retention(self, call: HandlerRequest, name: str) -> None:
        days = call.properties.get("RetentionInDays")
        if days is None:
            call.aws.call("logs", "delete_retention_policy", logGroupName=name)
        else:
            call.aws.call("logs", "put_retention_policy", logGroupName=name, retentionInDays=days)

    def _outcome(self, call: HandlerRequest, name: str) -> ResourceOutcome:
        # The ARN of CloudFormation ends in `:*`; policies that forget it do not match the group's streams.
        return ResourceOutcome(name, {"Arn": f"arn:aws:logs:{call.region}:{call.account_id}:log-group:{name}:*"})


class QueryDefinition(ResourceType):
    type_name = "AWS::Logs::QueryDefinition"
    applied = frozenset({"LogGroupNames", "Name", "QueryString"})

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        return self._put(call)

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        del old
        return self._put(call, queryDefinitionId=call.physical_id)

    def delete(self, call: HandlerRequest) -> None:
        call.aws.call("logs", "delete_query_definition", queryDefinitionId=call.physical_id)

    def _put(self, call: HandlerRequest, **existing: str) -> ResourceOutcome:
        answer = call.aws.call(
            "logs",
            "put_query_definition",
            name=call.properties["Name"],
            queryString=call.properties["QueryString"],
            logGroupNames=call.properties.get("LogGroupNames", []),
            **existing,
        )
        query_id = answer["queryDefinitionId"]
        return ResourceOutcome(query_id, {"QueryDefinitionId": query_id})
