"""AWS::Lambda::LayerVersion: never changed, always published anew."""

from __future__ import annotations

from localaws.cloudformation.resources.base import HandlerRequest, ResourceOutcome, Unchangeable, picked


class LayerVersion(Unchangeable):
    type_name = "AWS::Lambda::LayerVersion"

    def create(self, call: HandlerRequest) -> ResourceOutcome:
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
        return ResourceOutcome(arn, {"LayerVersionArn": arn})

    def delete(self, call: HandlerRequest) -> None:
        layer, version = call.physical_id.rsplit(":", 1)
        name = layer.rsplit(":", 1)[1]
        call.aws.call("lambda", "delete_layer_version", LayerName=name, VersionNumber=version)
