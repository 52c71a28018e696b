"""AWS::SSM: parameters and documents."""

from __future__ import annotations

from typing import Any

from localaws.cloudformation.resources.base import (
    HandlerRequest,
    Properties,
    ResourceOutcome,
    ResourceType,
    listed,
    picked,
    tag_changes,
    tags_by_key,
    untagged,
)
from localaws.cloudformation.resources.document_content import sent


class Parameter(ResourceType):
    type_name = "AWS::SSM::Parameter"
    more_attributes = frozenset({"Type", "Value"})

    def is_taken(self, call: HandlerRequest) -> bool:
        return bool(call.aws.call("ssm", "get_parameters", Names=[call.name()])["Parameters"])

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        return self._put(call, call.name(), Tags=listed(tags_by_key(call.properties)))

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        _update_tags(call, "Parameter", old)
        # As its handler does it: a value that was written since the deployment survives a change of tags.
        if untagged(old) == untagged(call.properties):
            return ResourceOutcome(call.physical_id, picked(call.properties, "Type", "Value"))
        return self._put(call, call.physical_id, Overwrite=True)

    def delete(self, call: HandlerRequest) -> None:
        call.aws.call("ssm", "delete_parameter", Name=call.physical_id)

    def _put(self, call: HandlerRequest, name: str, **extra: Any) -> ResourceOutcome:
        call.aws.call("ssm", "put_parameter", **{**untagged(call.properties), **extra, "Name": name})
        return ResourceOutcome(name, picked(call.properties, "Type", "Value"))


class Document(ResourceType):
    type_name = "AWS::SSM::Document"
    applied = frozenset(
        {"Content", "DocumentFormat", "DocumentType", "Name", "Tags", "TargetType", "UpdateMethod", "VersionName"}
    )

    def replaces(self, old: Properties, new: Properties, changed: frozenset[str]) -> bool:
        """Only `UpdateMethod: NewVersion` lets what a version consists of change in place."""
        in_place = new.get("UpdateMethod") == "NewVersion"
        return super().replaces(old, new, changed - self.schema.sometimes_replaced if in_place else changed)

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        name = call.name()
        call.aws.call(
            "ssm",
            "create_document",
            Name=name,
            Content=sent(call.properties["Content"]),
            DocumentFormat="JSON",
            DocumentType=call.properties.get("DocumentType", "Command"),
            Tags=call.properties.get("Tags", []),
            **picked(call.properties, "TargetType", "VersionName"),
        )
        return ResourceOutcome(name)

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        name = call.physical_id
        if any(old.get(key) != call.properties.get(key) for key in ("Content", "TargetType", "VersionName")):
            answer = call.aws.call(
                "ssm",
                "update_document",
                Name=name,
                Content=sent(call.properties["Content"]),
                DocumentFormat="JSON",
                DocumentVersion="$LATEST",
                **picked(call.properties, "TargetType", "VersionName"),
            )
            version = answer["DocumentDescription"]["DocumentVersion"]
            call.aws.call("ssm", "update_document_default_version", Name=name, DocumentVersion=version)
        _update_tags(call, "Document", old)
        return ResourceOutcome(name)

    def delete(self, call: HandlerRequest) -> None:
        call.aws.call("ssm", "delete_document", Name=call.physical_id)


def _update_tags(call: HandlerRequest, kind: str, old: Properties) -> None:
    removed, tags = tag_changes(old, call.properties)
    target = {"ResourceType": kind, "ResourceId": call.physical_id}
    if removed:
        call.aws.call("ssm", "remove_tags_from_resource", TagKeys=removed, **target)
    if tags:
        call.aws.call("ssm", "add_tags_to_resource", Tags=listed(tags), **target)
