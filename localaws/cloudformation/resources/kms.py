"""AWS::KMS: keys and aliases, as far as encrypted topics need them."""

from __future__ import annotations

from localaws.cloudformation.intrinsics import as_text
from localaws.cloudformation.resources.base import Call, Outcome, Properties, ResourceType, picked, tags_by_key


class Key(ResourceType):
    type_name = "AWS::KMS::Key"
    properties = frozenset({"Description", "EnableKeyRotation", "KeyPolicy", "PendingWindowInDays"})
    attributes = frozenset({"Arn", "KeyId"})
    tag_form = "list"

    def create(self, call: Call) -> Outcome:
        tags = [{"TagKey": key, "TagValue": value} for key, value in tags_by_key(call.properties).items()]
        settings = picked(call.properties, "Description")
        if "KeyPolicy" in call.properties:
            settings["Policy"] = call.properties["KeyPolicy"]
        answer = call.aws.call("kms", "create_key", Tags=tags, **settings)["KeyMetadata"]
        call.exists(answer["KeyId"])
        self._put_rotation(call, answer["KeyId"])
        return Outcome(answer["KeyId"], {"Arn": answer["Arn"], "KeyId": answer["KeyId"]})

    def update(self, call: Call, old: Properties) -> Outcome:
        key_id = call.physical_id
        description = call.properties.get("Description", "")
        call.aws.call("kms", "update_key_description", KeyId=key_id, Description=description)
        if "KeyPolicy" in call.properties:
            policy = call.properties["KeyPolicy"]
            call.aws.call("kms", "put_key_policy", KeyId=key_id, PolicyName="default", Policy=policy)
        self._put_rotation(call, key_id)
        before, after = tags_by_key(old), tags_by_key(call.properties)
        if removed := sorted(before.keys() - after.keys()):
            call.aws.call("kms", "untag_resource", KeyId=key_id, TagKeys=removed)
        if before != after and after:
            tags = [{"TagKey": key, "TagValue": value} for key, value in after.items()]
            call.aws.call("kms", "tag_resource", KeyId=key_id, Tags=tags)
        arn = call.aws.call("kms", "describe_key", KeyId=key_id)["KeyMetadata"]["Arn"]
        return Outcome(key_id, {"Arn": arn, "KeyId": key_id})

    def delete(self, call: Call) -> None:
        days = call.properties.get("PendingWindowInDays", 30)
        call.aws.call("kms", "schedule_key_deletion", KeyId=call.physical_id, PendingWindowInDays=days)

    def _put_rotation(self, call: Call, key_id: str) -> None:
        rotates = as_text(call.properties.get("EnableKeyRotation", False)).lower() == "true"
        call.aws.call("kms", "enable_key_rotation" if rotates else "disable_key_rotation", KeyId=key_id)


class Alias(ResourceType):
    type_name = "AWS::KMS::Alias"
    properties = frozenset({"AliasName", "TargetKeyId"})
    immutable = frozenset({"AliasName"})

    def create(self, call: Call) -> Outcome:
        call.aws.call("kms", "create_alias", **call.properties)
        return Outcome(str(call.properties["AliasName"]))

    def update(self, call: Call, old: Properties) -> Outcome:
        del old
        call.aws.call("kms", "update_alias", **call.properties)
        return Outcome(call.physical_id)

    def delete(self, call: Call) -> None:
        call.aws.call("kms", "delete_alias", AliasName=call.physical_id)
