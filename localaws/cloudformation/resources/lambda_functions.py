"""AWS::Lambda: functions and what belongs to one."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from botocore.exceptions import ClientError

from localaws.cloudformation.error_codes import ResourceFailure
from localaws.cloudformation.resources.base import (
    HandlerRequest,
    Properties,
    ResourceOutcome,
    ResourceType,
    Unchangeable,
    picked,
    tag_changes,
    tags_by_key,
)

# What UpdateFunctionConfiguration sets, with the value that a removed property falls back to.
CONFIGURATION: dict[str, Any] = {
    "DeadLetterConfig": {},
    "Description": "",
    "Environment": {"Variables": {}},
    "EphemeralStorage": {"Size": 512},
    "Handler": None,
    "Layers": [],
    "LoggingConfig": {"LogFormat": "Text"},
    "MemorySize": 128,
    "Role": None,
    "Runtime": None,
    "Timeout": 3,
    "TracingConfig": {"Mode": "PassThrough"},
}
CODE = ("S3Bucket", "S3Key", "S3ObjectVersion")


class Function(ResourceType):
    type_name = "AWS::Lambda::Function"
    applied = frozenset(
        {"Architectures", "Code", "FunctionName", "PackageType", "ReservedConcurrentExecutions", "Tags", *CONFIGURATION}
    )

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        name = call.name()
        settings = picked(call.properties, *CONFIGURATION, "Architectures", "PackageType")
        _require_code(call)
        answer = call.aws.call(
            "lambda",
            "create_function",
            FunctionName=name,
            Code=_code(call.properties),
            Tags=tags_by_key(call.properties),
            **settings,
        )
        call.exists(name)
        self._put_concurrency(call, name, {})
        return ResourceOutcome(name, {"Arn": answer["FunctionArn"]})

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        name, new = call.physical_id, call.properties
        if (old["Code"], old.get("Architectures")) != (new["Code"], new.get("Architectures")):
            architectures = new.get("Architectures", ["x86_64"])
            _require_code(call)
            call.aws.call(
                "lambda",
                "update_function_code",
                FunctionName=name,
                Architectures=architectures,
                **_code(new),
            )
        changed = {key: new.get(key, default) for key, default in CONFIGURATION.items() if old.get(key) != new.get(key)}
        if changed:
            call.aws.call("lambda", "update_function_configuration", FunctionName=name, **changed)
        self._put_concurrency(call, name, old)
        arn = f"arn:aws:lambda:{call.region}:{call.account_id}:function:{name}"
        removed, tags = tag_changes(old, new)
        if removed:
            call.aws.call("lambda", "untag_resource", Resource=arn, TagKeys=removed)
        if tags:
            call.aws.call("lambda", "tag_resource", Resource=arn, Tags=tags)
        return ResourceOutcome(name, {"Arn": arn})

    def delete(self, call: HandlerRequest) -> None:
        call.aws.call("lambda", "delete_function", FunctionName=call.physical_id)

    def _put_concurrency(self, call: HandlerRequest, name: str, old: Properties) -> None:
        key = "ReservedConcurrentExecutions"
        if key in call.properties:
            amount = call.properties[key]
            call.aws.call("lambda", "put_function_concurrency", FunctionName=name, **{key: amount})
        elif key in old:
            call.aws.call("lambda", "delete_function_concurrency", FunctionName=name)


def _require_code(call: HandlerRequest) -> None:
    """Refused in Lambda's words where the code is gone from its bucket, which moto would not notice."""
    code = call.properties["Code"]
    if "S3Key" not in code:
        return
    try:
        call.aws.call("s3", "head_object", Bucket=code["S3Bucket"], Key=code["S3Key"])
    except ClientError as error:
        message = (
            'Resource handler returned message: "Error occurred while GetObject. S3 Error Code: NoSuchKey. S3 Error '
            f'Message: The specified key does not exist." ({code["S3Bucket"]}/{code["S3Key"]})'
        )
        raise ResourceFailure(message) from error


class Permission(Unchangeable):
    type_name = "AWS::Lambda::Permission"

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        statement_id = call.generated_name(100)
        call.aws.call("lambda", "add_permission", StatementId=statement_id, **call.properties)
        return ResourceOutcome(statement_id, {"Id": statement_id})

    def delete(self, call: HandlerRequest) -> None:
        function = call.properties["FunctionName"]
        call.aws.call("lambda", "remove_permission", FunctionName=function, StatementId=call.physical_id)


class EventInvokeConfig(ResourceType):
    type_name = "AWS::Lambda::EventInvokeConfig"

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        return self._put(call, call.generated_name(128))

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        del old
        return self._put(call, call.physical_id)

    def delete(self, call: HandlerRequest) -> None:
        call.aws.call(
            "lambda",
            "delete_function_event_invoke_config",
            FunctionName=call.properties["FunctionName"],
            **self._qualifier(call),
        )

    def _put(self, call: HandlerRequest, physical_id: str) -> ResourceOutcome:
        settings = {key: value for key, value in call.properties.items() if key != "Qualifier"}
        call.aws.call("lambda", "put_function_event_invoke_config", **settings, **self._qualifier(call))
        return ResourceOutcome(physical_id)

    def _qualifier(self, call: HandlerRequest) -> dict[str, str]:
        """$LATEST is what the API means when no qualifier is given."""
        qualifier = str(call.properties.get("Qualifier", "$LATEST"))
        return {} if qualifier == "$LATEST" else {"Qualifier": qualifier}


def _code(properties: Properties) -> dict[str, Any]:
    code = properties["Code"]
    if unknown := sorted(set(code) - {*CODE, "ZipFile"}):
        message = f"The sandbox does not know Code.{unknown[0]} of AWS::Lambda::Function"
        raise ResourceFailure(message)
    if "ZipFile" not in code:
        return picked(code, *CODE)
    # Inline code becomes index.py: the handler has to be `index.<function>`.
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        # A fixed date: the same code has the same hash.
        archive.writestr(zipfile.ZipInfo("index.py"), code["ZipFile"])
    return {"ZipFile": buffer.getvalue()}
