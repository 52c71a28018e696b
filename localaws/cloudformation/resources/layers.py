"""AWS::Lambda::LayerVersion: never changed, always published anew."""

from __future__ import annotations

from localaws.cloudformation.errors import ResourceFailure
from localaws.cloudformation.resources.base import Call, Outcome, Properties, ResourceType, picked


class LayerVersion(ResourceType):
    type_name = "AWS::Lambda::LayerVersion"

    def create(self, call: Call) -> Outcome:
        settings = picked(
            call.properties,
            "CompatibleArchitectures",
            "CompatibleRuntimes",
            "Content",
            "Description",
            "LicenseInfo",
        )
        name = call.properties.get("LayerName", call.logical_id)
        answer = call.aws.call("lambda", "publish_layer_version", LayerName=name, **settings)
        arn = answer["LayerVersionArn"]
        return Outcome(arn, {"LayerVersionArn": arn})

    def update(self, call: Call, old: Properties) -> Outcome:
        message = f"{self.type_name} has no property that can change in place: {old} to {call.properties}"
        raise ResourceFailure(message)

    def delete(self, call: Call) -> None:
        layer, version = call.physical_id.rsplit(":", 1)
        name = layer.rsplit(":", 1)[1]
        call.aws.call("lambda", "delete_layer_version", LayerName=name, VersionNumber=version)
