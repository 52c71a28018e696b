"""Custom resources: the event to the function, and the answer it puts to the ResponseURL."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from botocore.exceptions import ClientError

from localaws.cloudformation.error_codes import ResourceFailure, validation_error
from localaws.cloudformation.intrinsics import Hidden, as_text
from localaws.cloudformation.resources.base import HandlerRequest, Properties, Registry, ResourceOutcome, ResourceType
from localaws.cloudformation.schemas import Schema

MAX_RESPONSE_BYTES = 4_096
DEFAULT_TIMEOUT_SECONDS = 3_600
RESPONSE_PATH = "/cloudformation_{region}/custom-resource-response"


@dataclass
class _Slot:
    arrived: threading.Event = field(default_factory=threading.Event)
    body: bytes = b""


class ResponseDesk:
    """Where functions hand in their answers: one single-use address for each request."""

    def __init__(self, endpoint: Callable[[], str]) -> None:
        self._endpoint = endpoint
        self._slots: dict[str, _Slot] = {}

    def open(self, request_id: str, region: str) -> str:
        self._slots[request_id] = _Slot()
        return f"{self._endpoint()}{RESPONSE_PATH.format(region=region)}?request={request_id}"

    def deliver(self, request_id: str, body: bytes) -> bool:
        """The first answer counts, as on AWS; False when nobody waits for one."""
        slot = self._slots.get(request_id)
        if slot is None or slot.arrived.is_set():
            return False
        slot.body = body
        slot.arrived.set()
        return True

    def wait(self, request_id: str, timeout_seconds: float) -> bytes | None:
        # threading waits on the monotonic clock, so simulated time neither shortens nor prolongs it.
        slot = self._slots[request_id]
        try:
            return slot.body if slot.arrived.wait(timeout_seconds) else None
        finally:
            del self._slots[request_id]


class CustomResource(ResourceType):
    """`Custom::...` and AWS::CloudFormation::CustomResource behind a Lambda function."""

    type_name = Registry.CUSTOM
    # What its properties and attributes are, its function alone knows.
    schema = Schema(Registry.CUSTOM)

    def __init__(self, desk: ResponseDesk) -> None:
        self._desk = desk

    def has_attribute(self, name: str) -> bool:
        """Only the function's answer knows; a missing one fails the resource that asks for it."""
        return bool(name)

    def check_properties(self, logical_id: str, properties: Properties) -> None:
        if "ServiceToken" not in properties:
            message = f"Custom resource {logical_id} needs the property ServiceToken"
            raise validation_error(message)

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        return self._ask("Create", call)

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        if old["ServiceToken"] != call.properties["ServiceToken"]:
            message = "Modifying service token is not allowed."
            raise ResourceFailure(message)
        return self._ask("Update", call, {"OldResourceProperties": _stringified(old)})

    def delete(self, call: HandlerRequest) -> None:
        self._ask("Delete", call)

    def _ask(self, request_type: str, call: HandlerRequest, extra: Mapping[str, Any] | None = None) -> ResourceOutcome:
        timeout_seconds = _timeout_seconds(call.properties)
        request_id = str(uuid.uuid4())
        event = {
            "RequestType": request_type,
            "ServiceToken": call.properties["ServiceToken"],
            "ResponseURL": self._desk.open(request_id, call.region),
            "StackId": call.stack_id,
            "RequestId": request_id,
            "LogicalResourceId": call.logical_id,
            "ResourceType": call.type,
            "ResourceProperties": _stringified(call.properties),
            **(extra or {}),
        }
        if request_type != "Create":
            event["PhysicalResourceId"] = call.physical_id
        self._invoke(call, event)
        body = self._desk.wait(request_id, timeout_seconds)
        try:
            answer = _answer(body, event, timeout_seconds)
        except ResourceFailure:
            if request_type == "Create":
                # Without a usable answer AWS sends the Delete for a name of its own making.
                call.exists(call.generated_name(128))
            raise
        if request_type == "Create":
            call.exists(answer["PhysicalResourceId"])
        if answer["Status"] == "FAILED":
            message = (
                "Received response status [FAILED] from custom resource. "
                f"Message returned: {answer.get('Reason', '')} (RequestId: {request_id})"
            )
            raise ResourceFailure(message)
        data = _flattened(answer.get("Data") or {})
        if answer.get("NoEcho"):
            data = {key: Hidden(value) if isinstance(value, str) else value for key, value in data.items()}
        return ResourceOutcome(answer["PhysicalResourceId"], data)

    def _invoke(self, call: HandlerRequest, event: Mapping[str, Any]) -> None:
        token = str(event["ServiceToken"])
        if ":lambda:" not in token:
            message = f"The sandbox knows only Lambda functions as ServiceToken, not {token}"
            raise ResourceFailure(message)
        try:
            call.aws.call(
                "lambda", "invoke", FunctionName=token, InvocationType="Event", Payload=json.dumps(event).encode()
            )
        except ClientError as error:
            raise ResourceFailure(str(error)) from error


def _answer(body: bytes | None, event: Mapping[str, Any], timeout_seconds: int) -> dict[str, Any]:
    """The function's answer, checked as AWS checks it; raises ResourceFailure for none and for a malformed one."""
    if body is None:
        message = (
            "CloudFormation did not receive a response from your Custom Resource. Please check your logs "
            f"for requestId [{event['RequestId']}]. (ServiceTimeout is {timeout_seconds} seconds)"
        )
        raise ResourceFailure(message)
    if len(body) > MAX_RESPONSE_BYTES:
        message = f"Response object is too long. ({len(body)} bytes, at most {MAX_RESPONSE_BYTES})"
        raise ResourceFailure(message)
    try:
        answer: Any = json.loads(body)
    except ValueError as error:
        message = f"Invalid response object: not JSON: {body[:80]!r}"
        raise ResourceFailure(message) from error
    if not isinstance(answer, dict) or answer.get("Status") not in ("SUCCESS", "FAILED"):
        message = "Invalid response object: Status must be SUCCESS or FAILED"
        raise ResourceFailure(message)
    for key in ("StackId", "RequestId", "LogicalResourceId"):
        if answer.get(key) != event[key]:
            message = f"Invalid response object: {key} must be {event[key]}, not {answer.get(key)}"
            raise ResourceFailure(message)
    physical_id = answer.get("PhysicalResourceId")
    if not isinstance(physical_id, str) or not 0 < len(physical_id.encode()) <= 1_024:
        message = "Invalid PhysicalResourceId"
        raise ResourceFailure(message)
    return answer


def _flattened(data: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """`GetAtt Resource.Outer.Inner` reads nested data, so every level is an attribute."""
    found: dict[str, Any] = {}
    for key, value in data.items():
        found[prefix + key] = _printed(value)
        if isinstance(value, dict):
            found |= _flattened(value, f"{prefix}{key}.")
    return found


def _printed(value: Any) -> Any:
    """Numbers from ten million on become what Java prints (1.048576E8): functions should answer with text."""
    if isinstance(value, bool) or not isinstance(value, int | float) or abs(value) < 1e7:
        return as_text(value) if isinstance(value, bool | int | float) else value
    number = Decimal(repr(float(value))).normalize()
    digits = "".join(str(digit) for digit in number.as_tuple().digits)
    return f"{'-' if value < 0 else ''}{digits[0]}.{digits[1:] or '0'}E{number.adjusted()}"


def _timeout_seconds(properties: Properties) -> int:
    seconds = int(properties.get("ServiceTimeout", DEFAULT_TIMEOUT_SECONDS))
    if not 1 <= seconds <= DEFAULT_TIMEOUT_SECONDS:
        message = f"ServiceTimeout must be 1 to {DEFAULT_TIMEOUT_SECONDS} seconds, not {seconds}"
        raise ResourceFailure(message)
    return seconds


def _stringified(value: Any) -> Any:
    """CloudFormation hands every scalar of a custom resource's properties over as text."""
    if isinstance(value, Mapping):
        return {key: _stringified(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_stringified(item) for item in value]
    return as_text(value)
