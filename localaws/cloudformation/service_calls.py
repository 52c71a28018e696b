"""The AWS APIs as the engine calls them, with values shaped as each API wants them."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import boto3
from botocore.config import Config
from botocore.model import ListShape, MapShape, Shape, StructureShape

from localaws.cloudformation.intrinsics import as_text

if TYPE_CHECKING:
    from collections.abc import Callable


# One for all: each session reads botocore's models and endpoints anew, which is most of what a client costs.
_SESSION = boto3.Session("testing", "testing")
# Sessions may not make clients in two threads at once.
_MAKING = threading.Lock()


type Connected = Callable[[Any], Any]
"""Gives a new client of botocore back with its way to the endpoint."""


def over_http(client: Any) -> Any:
    """The client as botocore has made it."""
    return client


class ServiceCalls:
    """Clients of one Region, made once each."""

    def __init__(self, endpoint: Callable[[], str], region: str, connected: Connected) -> None:
        self._endpoint = endpoint
        self._region = region
        self._connected = connected
        self._clients: dict[str, Any] = {}

    def client(self, service: str) -> Any:
        with _MAKING:
            if service not in self._clients:
                client = _SESSION.client(
                    service,  # type: ignore[call-overload] # the name is a variable
                    region_name=self._region,
                    endpoint_url=self._endpoint(),
                    # It waits for what an account may ask in a second, as CloudFormation does.
                    config=Config(retries={"mode": "standard", "max_attempts": 8}),
                )
                self._clients[service] = self._connected(client)
            return self._clients[service]

    def call(self, service: str, operation: str, **arguments: Any) -> dict[str, Any]:
        """One API call. Templates may write numbers and booleans as text, and documents as objects:
        they are converted to what the API's model asks for. Unknown keys are refused by botocore."""
        client = self.client(service)
        model = client.meta.service_model.operation_model(client.meta.method_to_api_mapping[operation])
        shaped = _shaped(arguments, model.input_shape)
        answer: dict[str, Any] = getattr(client, operation)(**shaped)
        return answer


def _shaped(value: Any, shape: Shape | None) -> Any:
    if isinstance(shape, StructureShape) and isinstance(value, dict):
        return {key: _shaped(item, shape.members.get(key)) for key, item in value.items()}
    if isinstance(shape, ListShape) and isinstance(value, list):
        return [_shaped(item, shape.member) for item in value]
    if isinstance(shape, MapShape) and isinstance(value, dict):
        return {key: _shaped(item, shape.value) for key, item in value.items()}
    return _scalar(value, shape.type_name if shape else "")


def _scalar(value: Any, type_name: str) -> Any:
    if type_name == "string":
        return json.dumps(value) if isinstance(value, dict | list) else as_text(value)
    if isinstance(value, str):
        if type_name in ("integer", "long"):
            return int(value)
        if type_name in ("float", "double"):
            return float(value)
        if type_name == "boolean" and value.lower() in ("true", "false"):
            return value.lower() == "true"
    return value
