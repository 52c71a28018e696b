"""A home for the functions' code in this process: a file system, its alarms and topics, over real HTTP."""

import io
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import botocore.retries.standard
import pytest
from efs_monitor.aws import calls, cloudwatch_metrics, parameter_store, runtime

from localaws.sandbox import Sandbox
from stage.home import Context, Home, Names, close, configured
from stage.sam_deployment import PROJECT
from tests.stage.monitor.faults import FaultInjector
from tests.stage.monitor.stack_under_test import StackUnderTest

__all__ = ["Context", "close", "configured"]

STACK_NAME = "home"
FILE_SYSTEM_ID = "fs-0123456789abcdef0"
NAMES = Names(STACK_NAME, FILE_SYSTEM_ID)
STATE_PARAMETER = NAMES.state_parameter
HOURLY = NAMES.hourly
topic_arn = NAMES.topic_arn


@dataclass(kw_only=True)
class WatchedHome(Home):
    """The stack of these tests, its calls counted and its log lines kept."""

    names: Names = NAMES
    faults: FaultInjector
    written: io.StringIO

    def recalculate(self, event: object = HOURLY) -> Any:
        return self.call("recalculate_thresholds", event)

    def logged(self, message: str | None = None) -> list[dict[str, Any]]:
        """The structured log lines so far, or those with this message."""
        entries = [json.loads(line) for line in self.written.getvalue().splitlines()]
        return [entry for entry in entries if message is None or entry["message"] == message]

    def subjects(self) -> list[str | None]:
        """The subjects published to Advice."""
        return [one.subject for one in self.published("advice")]


@pytest.fixture
def faults(sandbox: Sandbox) -> FaultInjector:
    return FaultInjector(sandbox)


@pytest.fixture
def stack(sandbox: Sandbox, faults: FaultInjector, built: Path) -> StackUnderTest:
    """The built stack, to be deployed by the test; its file system has 100 GiB, full credits, and is not made yet."""
    return StackUnderTest(sandbox=sandbox, built=built)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retries in this process wait no time in between, botocore's and the monitor's own."""
    monkeypatch.setattr(botocore.retries.standard.ExponentialBackoff, "delay_amount", lambda *_: 0)
    for waiting in (calls, cloudwatch_metrics, parameter_store):
        monkeypatch.setattr(waiting, "sleep", lambda _: None)


@pytest.fixture(name="home")
def _home(
    sandbox: Sandbox, faults: FaultInjector, monkeypatch: pytest.MonkeyPatch, impatient: None
) -> Iterator[WatchedHome]:
    """Topics, memory and alarms of a stack; the file system is for the test to create."""
    for name, value in NAMES.environment(sandbox.endpoint_url).items():
        monkeypatch.setenv(name, value)
    written = io.StringIO()
    handler = runtime.logger.registered_handler
    assert hasattr(handler, "setStream")
    before = handler.setStream(written)
    for severity in ("warning", "critical", "advice"):
        sandbox.client("sns").create_topic(Name=f"{STACK_NAME}-{severity}")
    sandbox.client("ssm").put_parameter(Name=STATE_PARAMETER, Value="{}", Type="String")
    made = WatchedHome(sandbox=sandbox, faults=faults, written=written)
    made.create_alarms()
    yield made
    handler.setStream(before)
    for module in made.modules.values():
        close(module.clients)


def stack_updated(stack_name: str) -> dict[str, Any]:
    """What CloudFormation tells of the end of a stack's update."""
    text = (PROJECT / "events" / "stack-updated.json").read_text()
    event: dict[str, Any] = json.loads(text.replace("efs-monitor-home", stack_name))
    return event


@dataclass(frozen=True)
class Desk:
    """Where a custom resource's function puts its answer; `refusals` is how often it is turned away first."""

    url: str
    answers: list[dict[str, Any]]
    content_types: list[str | None]
    refusals: list[int]


@pytest.fixture
def desk() -> Iterator[Desk]:
    class TakingAnswers(BaseHTTPRequestHandler):
        def do_PUT(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if made.refusals:
                self.send_response(made.refusals.pop())
            else:
                made.answers.append(json.loads(body))
                made.content_types.append(self.headers["Content-Type"])
                self.send_response(200)
            self.end_headers()

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - theirs
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), TakingAnswers) as server:
        made = Desk(f"http://localhost:{server.server_port}/answer?signature=x", [], [], [])
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield made
        server.shutdown()
        thread.join()
