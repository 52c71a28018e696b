"""AWS::SSM: parameters and documents."""

from __future__ import annotations

import json
from typing import Any

import yaml

from localaws.cloudformation.resources.base import Call, Outcome, Properties, ResourceType, picked, tags_by_key


class Parameter(ResourceType):
    type_name = "AWS::SSM::Parameter"
    properties = frozenset({"AllowedPattern", "DataType", "Description", "Name", "Policies", "Tier", "Type", "Value"})
    attributes = frozenset({"Type", "Value"})
    immutable = frozenset({"DataType", "Name"})
    name_property = "Name"
    tag_form = "map"

    def create(self, call: Call) -> Outcome:
        tags = [{"Key": key, "Value": value} for key, value in tags_by_key(call.properties).items()]
        return self._put(call, call.name(), Tags=tags)

    def update(self, call: Call, old: Properties) -> Outcome:
        _update_tags(call, "Parameter", old)
        # As its handler does it: a value that was written since the deployment survives a change of tags.
        if _untagged(old) == _untagged(call.properties):
            return Outcome(call.physical_id, picked(call.properties, "Type", "Value"))
        return self._put(call, call.physical_id, Overwrite=True)

    def delete(self, call: Call) -> None:
        call.aws.call("ssm", "delete_parameter", Name=call.physical_id)

    def _put(self, call: Call, name: str, **extra: Any) -> Outcome:
        call.aws.call("ssm", "put_parameter", **{**_untagged(call.properties), **extra, "Name": name})
        return Outcome(name, picked(call.properties, "Type", "Value"))


class Document(ResourceType):
    type_name = "AWS::SSM::Document"
    properties = frozenset(
        {"Content", "DocumentFormat", "DocumentType", "Name", "TargetType", "UpdateMethod", "VersionName"}
    )
    immutable = frozenset({"DocumentFormat", "DocumentType", "Name"})
    name_property = "Name"
    tag_form = "list"

    def replaces(self, old: Properties, new: Properties, changed: frozenset[str]) -> bool:
        """Only `UpdateMethod: NewVersion` lets the content change in place."""
        in_place = new.get("UpdateMethod") == "NewVersion"
        content = frozenset({"Content", "TargetType", "VersionName"})
        return super().replaces(old, new, changed) or bool(changed & content and not in_place)

    def create(self, call: Call) -> Outcome:
        name = call.name()
        call.aws.call(
            "ssm",
            "create_document",
            Name=name,
            Content=_json(call.properties),
            DocumentFormat="JSON",
            DocumentType=call.properties.get("DocumentType", "Command"),
            Tags=call.properties.get("Tags", []),
            **picked(call.properties, "TargetType", "VersionName"),
        )
        return Outcome(name)

    def update(self, call: Call, old: Properties) -> Outcome:
        name = call.physical_id
        if any(old.get(key) != call.properties.get(key) for key in ("Content", "TargetType", "VersionName")):
            answer = call.aws.call(
                "ssm",
                "update_document",
                Name=name,
                Content=_json(call.properties),
                DocumentFormat="JSON",
                DocumentVersion="$LATEST",
                **picked(call.properties, "TargetType", "VersionName"),
            )
            version = answer["DocumentDescription"]["DocumentVersion"]
            call.aws.call("ssm", "update_document_default_version", Name=name, DocumentVersion=version)
        _update_tags(call, "Document", old)
        return Outcome(name)

    def delete(self, call: Call) -> None:
        call.aws.call("ssm", "delete_document", Name=call.physical_id)


def _untagged(properties: Properties) -> dict[str, Any]:
    return {key: value for key, value in properties.items() if key != "Tags"}


def _json(properties: Properties) -> str:
    """One form for the store, whichever the template used: an object, JSON text or YAML text."""
    content = properties["Content"]
    return json.dumps(yaml.safe_load(content) if isinstance(content, str) else content)


def _update_tags(call: Call, kind: str, old: Properties) -> None:
    before, after = tags_by_key(old), tags_by_key(call.properties)
    target = {"ResourceType": kind, "ResourceId": call.physical_id}
    if removed := sorted(before.keys() - after.keys()):
        call.aws.call("ssm", "remove_tags_from_resource", TagKeys=removed, **target)
    if before != after and after:
        tags = [{"Key": key, "Value": value} for key, value in after.items()]
        call.aws.call("ssm", "add_tags_to_resource", Tags=tags, **target)
