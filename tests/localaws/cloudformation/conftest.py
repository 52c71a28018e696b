"""A moto server with the sandbox's CloudFormation, and Lambda functions that are Python callables."""

from __future__ import annotations

import contextlib
import json
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import boto3
import pytest
from moto.awslambda.models import LambdaFunction
from moto.moto_api._internal.models import moto_api_backend
from moto.server import ThreadedMotoServer

from localaws.cloudformation import CloudFormation, install

REGION = "us-east-1"
ROLE_ARN = "arn:aws:iam::123456789012:role/for-functions"
FUNCTION_ARN = "arn:aws:lambda:us-east-1:123456789012:function:{}"

Handler = Callable[[dict[str, Any]], None]


@dataclass
class EmulatedCloudFormation:
    """The running server, clients for it, and the functions that custom resources call."""

    endpoint: str
    engine: CloudFormation
    functions: dict[str, Handler] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    clients: dict[tuple[str, str], Any] = field(default_factory=dict)

    def client(self, service: str, region: str = REGION) -> Any:
        key = (service, region)
        if key not in self.clients:
            session: Any = boto3.Session("testing", "testing", region_name=region)
            self.clients[key] = session.client(service, endpoint_url=self.endpoint)
        return self.clients[key]

    def function(self, handler: Handler) -> str:
        """Puts a function into Lambda that runs the handler; returns its ARN."""
        name = f"custom-{uuid.uuid4().hex[:8]}"
        self.functions[name] = handler
        self.client("lambda").create_function(
            FunctionName=name,
            Runtime="python3.13",
            Role=ROLE_ARN,
            Handler="app.handler",
            Code={"ZipFile": b"PK\x05\x06" + bytes(18)},
        )
        return FUNCTION_ARN.format(name)

    def run(self, name: str, event: dict[str, Any]) -> None:
        self.events.append(event)
        self.functions[name](event)


def respond(event: dict[str, Any], status: str = "SUCCESS", **answer: Any) -> None:
    """What a well-behaved function sends; `answer` adds or overrides keys."""
    body = {key: event[key] for key in ("StackId", "RequestId", "LogicalResourceId")}
    body |= {"PhysicalResourceId": event.get("PhysicalResourceId", "thing-1"), "Status": status, **answer}
    put(event, json.dumps(body).encode())


def put(event: dict[str, Any], body: bytes) -> None:
    request = urllib.request.Request(event["ResponseURL"], data=body, method="PUT", headers={"Content-Type": ""})
    with contextlib.suppress(urllib.error.HTTPError), urllib.request.urlopen(request):
        pass


def _invoke(sandbox: EmulatedCloudFormation) -> Callable[..., str]:
    """In place of moto's LambdaFunction.invoke, which wants Docker."""

    def invoke(function: Any, body: str, *_: Any) -> str:
        sandbox.run(function.function_name, json.loads(body))
        return "{}"

    return invoke


@pytest.fixture(scope="module")
def _server() -> Iterator[EmulatedCloudFormation]:
    """Of each file anew: what is plugged into moto is the process's, and other files have sandboxes of their own."""
    moto_api_backend.reset()
    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    engine = install(lambda: running.endpoint)
    engine.patience_seconds = 10  # an answer comes when its operation has ended
    server.start()
    running = EmulatedCloudFormation(f"http://localhost:{server.get_host_and_port()[1]}", engine)
    running.client("iam").create_role(RoleName="for-functions", AssumeRolePolicyDocument="{}")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LambdaFunction, "invoke", _invoke(running))
        yield running
    server.stop()


@pytest.fixture
def sandbox(_server: EmulatedCloudFormation) -> EmulatedCloudFormation:
    """One server for all tests of a file; each test has stacks, names and recorded events of its own."""
    _server.events.clear()
    return _server


@dataclass
class EmulatedStack:
    """One stack of a test, in the words of a test."""

    sandbox: EmulatedCloudFormation
    name: str

    @property
    def cfn(self) -> Any:
        return self.sandbox.client("cloudformation")

    def create(self, template: dict[str, Any], **arguments: Any) -> str:
        return self._status(self.cfn.create_stack, template, arguments)

    def update(self, template: dict[str, Any], **arguments: Any) -> str:
        return self._status(self.cfn.update_stack, template, arguments)

    def delete(self, **arguments: Any) -> str:
        stack_id = self.describe()["StackId"]
        self.cfn.delete_stack(StackName=self.name, **arguments)
        return str(self.describe(stack_id)["StackStatus"])

    def describe(self, name: str | None = None) -> dict[str, Any]:
        described: dict[str, Any] = self.cfn.describe_stacks(StackName=name or self.name)["Stacks"][0]
        return described

    def outputs(self) -> dict[str, str]:
        return {item["OutputKey"]: item["OutputValue"] for item in self.describe().get("Outputs", [])}

    def physical_id(self, logical_id: str) -> str:
        answer = self.cfn.describe_stack_resource(StackName=self.name, LogicalResourceId=logical_id)
        return str(answer["StackResourceDetail"]["PhysicalResourceId"])

    def history(self, logical_id: str | None = None) -> list[str]:
        """The statuses in the order they happened, of one resource or of all as `Logical STATUS`."""
        events = reversed(self.cfn.describe_stack_events(StackName=self.name)["StackEvents"])
        if logical_id is None:
            return [f"{item['LogicalResourceId']} {item['ResourceStatus']}" for item in events]
        return [item["ResourceStatus"] for item in events if item["LogicalResourceId"] == logical_id]

    def reasons(self, logical_id: str) -> str:
        events = self.cfn.describe_stack_events(StackName=self.name)["StackEvents"]
        found = [item.get("ResourceStatusReason", "") for item in events if item["LogicalResourceId"] == logical_id]
        return "\n".join(found)

    def parameters(self) -> dict[str, str]:
        """The SSM parameters that exist with a name of this stack, with their values."""
        pages = self.sandbox.client("ssm").get_paginator("get_parameters_by_path").paginate(Path="/")
        found = [item for page in pages for item in page["Parameters"] if self.name in item["Name"]]
        return {item["Name"]: item["Value"] for item in found}

    def _status(self, action: Callable[..., Any], template: dict[str, Any], arguments: dict[str, Any]) -> str:
        action(StackName=self.name, TemplateBody=json.dumps(template), **arguments)
        deadline = time.monotonic() + 300
        while (status := self.describe()["StackStatus"]).endswith("_IN_PROGRESS"):
            assert time.monotonic() < deadline, f"{self.name} is still {status}"
            time.sleep(0.05)
        return str(status)


@pytest.fixture
def stack(sandbox: EmulatedCloudFormation) -> EmulatedStack:
    return EmulatedStack(sandbox, f"test-{uuid.uuid4().hex[:8]}")
