"""A home for the functions' code in this process: a file system, its alarms and topics, over real HTTP."""

import importlib.util
import io
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import ModuleType
from typing import Any

import botocore.retries.standard
import pytest
from botocore.client import BaseClient
from efs_monitor.alarms import AlarmKind, Wiring, alarm_name, definition
from efs_monitor.aws import runtime
from efs_monitor.aws.runtime import Clients
from efs_monitor.credits import GIB, burst_bytes_per_second
from efs_monitor.thresholds import Settings, thresholds_for

from sandbox.account import ACCOUNT_ID, REGION
from sandbox.clock import MINUTE
from sandbox.cloudwatch.metrics import MetricId
from sandbox.deployment import PROJECT
from sandbox.file_systems import Size
from sandbox.sandbox import Sandbox
from tests.sandbox.monitor.faults import Faults
from tests.sandbox.monitor.stack import Stack

STACK_NAME = "home"
FILE_SYSTEM_ID = "fs-0123456789abcdef0"
TOLD_PARAMETER = f"/efs-monitor/{STACK_NAME}/told"
SETTINGS = Settings(warning_minutes=180, critical_minutes=60, rise_tolerance_percent=10)
RECALCULATE_ARN = f"arn:aws:lambda:{REGION}:{ACCOUNT_ID}:function:{STACK_NAME}-Recalculate"


def topic_arn(severity: str) -> str:
    return f"arn:aws:sns:{REGION}:{ACCOUNT_ID}:{STACK_NAME}-{severity}"


WIRING = Wiring(
    file_system_id=FILE_SYSTEM_ID,
    warning_topic_arn=topic_arn("warning"),
    critical_topic_arn=topic_arn("critical"),
    explain_arn=f"arn:aws:lambda:{REGION}:{ACCOUNT_ID}:function:{STACK_NAME}-Explain",
)
ENVIRONMENT = {
    "STACK_NAME": STACK_NAME,
    "FILE_SYSTEM_ID": FILE_SYSTEM_ID,
    "ADVICE_TOPIC_ARN": topic_arn("advice"),
    "RUNBOOK_URL": "https://wiki.example.com/efs",
    "WARNING_MINUTES": "180",
    "CRITICAL_MINUTES": "60",
    "RISE_TOLERANCE_PERCENT": "10",
    "WARNING_TOPIC_ARN": WIRING.warning_topic_arn,
    "CRITICAL_TOPIC_ARN": WIRING.critical_topic_arn,
    "EXPLAIN_ARN": WIRING.explain_arn,
    "TOLD_PARAMETER": TOLD_PARAMETER,
    "AWS_DEFAULT_REGION": REGION,
    "AWS_ACCESS_KEY_ID": "ASIASANDBOXFUNCTION0",
    "AWS_SECRET_ACCESS_KEY": "sandbox",
}
HOURLY = {"source": "efs-monitor.schedule", "stack": STACK_NAME, "time": "2030-01-07T01:00:00Z"}


class Context:
    """What Lambda hands a handler beside the event, with time enough."""

    function_name = "home-function"
    memory_limit_in_mb = 256
    invoked_function_arn = RECALCULATE_ARN
    aws_request_id = "d1c2b3a4-0000-4000-8000-000000000001"

    def __init__(self, milliseconds: int = 28_000) -> None:
        self._milliseconds = milliseconds

    def get_remaining_time_in_millis(self) -> int:
        return self._milliseconds


@dataclass(kw_only=True)
class Home:
    """The stack of these tests, made by hand, and the way to call its functions' handlers."""

    sandbox: Sandbox
    faults: Faults
    written: io.StringIO
    modules: dict[str, ModuleType] = field(default_factory=dict)

    def module(self, name: str) -> ModuleType:
        """A function's own code, loaded once, as in a warm environment."""
        if name not in self.modules:
            path = PROJECT / "src" / "functions" / name / "app.py"
            spec = importlib.util.spec_from_file_location(f"tests_{name}_app", path)
            assert spec is not None
            assert spec.loader is not None
            self.modules[name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(self.modules[name])
        return self.modules[name]

    def call(self, name: str, event: object, context: Context | None = None) -> Any:
        """Call a function's handler as Lambda would."""
        return self.module(name).handler(event, context or Context())

    def recalculate(self, event: object = HOURLY) -> Any:
        return self.call("recalculate_thresholds", event)

    def logged(self, message: str | None = None) -> list[dict[str, Any]]:
        """The structured log lines so far, or those with this message."""
        entries = [json.loads(line) for line in self.written.getvalue().splitlines()]
        return [entry for entry in entries if message is None or entry["message"] == message]

    def create_file_system(self, standard_bytes: int = 100 * GIB, mode: str = "bursting") -> None:
        self.sandbox.file_systems.create(FILE_SYSTEM_ID, Size(standard_bytes=standard_bytes), throughput_mode=mode)

    def create_alarms(self, standard_bytes: int = 100 * GIB) -> None:
        """As the template makes them; the texts are those of an older version, so the first run writes them."""
        thresholds = thresholds_for(burst_bytes_per_second(standard_bytes), SETTINGS)
        for kind, threshold in (
            (AlarmKind.WARNING, thresholds.warning_bytes),
            (AlarmKind.CRITICAL, thresholds.critical_bytes),
            (AlarmKind.RISE, thresholds.rise_bytes_per_second),
        ):
            rise = {"AlarmActions": [RECALCULATE_ARN], "OKActions": [RECALCULATE_ARN]}
            self.cloudwatch.put_metric_alarm(
                **definition(kind, WIRING) | (rise if kind is AlarmKind.RISE else {}),
                AlarmName=alarm_name(STACK_NAME, kind),
                Threshold=float(threshold),
                AlarmDescription="older",
            )

    def record(self, metric: str, value: float, *, minutes_ago: int = 1) -> None:
        """A datapoint of the file system, as CloudWatch has it."""
        self.sandbox.metrics.record(
            MetricId.of("AWS/EFS", metric, FileSystemId=FILE_SYSTEM_ID),
            self.sandbox.clock.now() - minutes_ago * MINUTE,
            value,
        )

    def alarms(self) -> dict[str, dict[str, Any]]:
        """The alarms as DescribeAlarms has them, by the end of their name."""
        found = self.cloudwatch.describe_alarms()["MetricAlarms"]
        return {alarm["AlarmName"].removeprefix(f"{STACK_NAME}-"): alarm for alarm in found}

    def told(self) -> dict[str, Any]:
        """What the parameter remembers."""
        stored = self.sandbox.client("ssm").get_parameter(Name=TOLD_PARAMETER)["Parameter"]["Value"]
        remembered: dict[str, Any] = json.loads(stored)
        return remembered

    def subjects(self) -> list[str | None]:
        """The subjects published to Advice."""
        return [one.subject for one in self.sandbox.mailbox.publications if one.topic_name.endswith("-advice")]

    @property
    def cloudwatch(self) -> Any:
        return self.sandbox.client("cloudwatch")


@pytest.fixture
def faults(sandbox: Sandbox) -> Faults:
    return Faults(sandbox)


@pytest.fixture
def stack(sandbox: Sandbox, faults: Faults, built: Path) -> Stack:
    """The built stack, to be deployed by the test; its file system has 100 GiB, full credits, and is not made yet."""
    return Stack(sandbox=sandbox, built=built)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """botocore's retries in this process wait no time in between."""
    monkeypatch.setattr(botocore.retries.standard.ExponentialBackoff, "delay_amount", lambda *_: 0)


@pytest.fixture
def home(sandbox: Sandbox, faults: Faults, monkeypatch: pytest.MonkeyPatch, impatient: None) -> Iterator[Home]:
    """Topics, memory and alarms of a stack; the file system is for the test to create."""
    for name, value in (ENVIRONMENT | {"AWS_ENDPOINT_URL": sandbox.endpoint_url}).items():
        monkeypatch.setenv(name, value)
    written = io.StringIO()
    handler = runtime.logger.registered_handler
    assert hasattr(handler, "setStream")
    before = handler.setStream(written)
    for severity in ("warning", "critical", "advice"):
        sandbox.client("sns").create_topic(Name=f"{STACK_NAME}-{severity}")
    sandbox.client("ssm").put_parameter(Name=TOLD_PARAMETER, Value="{}", Type="String")
    made = Home(sandbox=sandbox, faults=faults, written=written)
    made.create_alarms()
    yield made
    handler.setStream(before)
    for module in made.modules.values():
        close(module.clients)


def close(clients: Clients) -> None:
    """Close what was opened of the clients."""
    for opened in vars(clients).values():
        if isinstance(opened, BaseClient):
            opened.close()


def configured(alarms: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Alarms without their state, and without the time at which they were last written."""
    return {
        end: {
            name: value
            for name, value in alarm.items()
            if not name.startswith("State") and name != "AlarmConfigurationUpdatedTimestamp"
        }
        for end, alarm in alarms.items()
    }


@dataclass(frozen=True)
class Desk:
    """Where a custom resource's function puts its answer; `refusals` is how often it is turned away first."""

    url: str
    answers: list[dict[str, Any]]
    content_types: list[str | None]
    refusals: list[int]


@pytest.fixture
def desk() -> Iterator[Desk]:
    class Taking(BaseHTTPRequestHandler):
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

    with ThreadingHTTPServer(("127.0.0.1", 0), Taking) as server:
        made = Desk(f"http://localhost:{server.server_port}/answer?signature=x", [], [], [])
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield made
        server.shutdown()
        thread.join()
