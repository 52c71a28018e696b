"""A sandbox of its own for every test, and the two things most tests want in it: functions and metrics."""

import io
import json
import textwrap
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from localaws.cloudwatch.metrics import MetricId
from localaws.sandbox import Sandbox
from tests.localaws.roles import unlimited_role

Deploy = Callable[..., str]


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[Sandbox]:
    with Sandbox(tmp_path) as running:
        yield running


@pytest.fixture
def deploy(sandbox: Sandbox) -> Deploy:
    """Create a function from source text; returns its ARN."""
    role = unlimited_role(sandbox)

    def create(name: str, source: str, **settings: Any) -> str:
        created = sandbox.client("lambda").create_function(
            FunctionName=name,
            Runtime="python3.13",
            Role=role,
            Handler="app.handler",
            Code={"ZipFile": zipped({"app.py": textwrap.dedent(source)})},
            **settings,
        )
        return str(created["FunctionArn"])

    return create


@pytest.fixture
def zip_of() -> Callable[[dict[str, str]], bytes]:
    return zipped


@pytest.fixture
def balance() -> MetricId:
    return MetricId.of("AWS/EFS", "BurstCreditBalance", FileSystemId="fs-0123456789abcdef0")


@pytest.fixture
def put_alarm(sandbox: Sandbox) -> Callable[..., None]:
    """Put an alarm on the balance with the settings the stack uses; any of them can be given."""

    def put(name: str = "low", **settings: Any) -> None:
        sandbox.client("cloudwatch").put_metric_alarm(
            **{
                "AlarmName": name,
                "Namespace": "AWS/EFS",
                "MetricName": "BurstCreditBalance",
                "Dimensions": [{"Name": "FileSystemId", "Value": "fs-0123456789abcdef0"}],
                "Statistic": "Minimum",
                "Period": 60,
                "EvaluationPeriods": 3,
                "DatapointsToAlarm": 1,
                "Threshold": 100.0,
                "ComparisonOperator": "LessThanThreshold",
                "TreatMissingData": "ignore",
                **settings,
            }
        )

    return put


@pytest.fixture
def pass_minutes(sandbox: Sandbox, balance: MetricId) -> Callable[..., None]:
    """One minute for each value: it is measured in that minute, then the minute ends; None measures nothing."""

    def go(*values: float | None) -> None:
        for value in values:
            if value is not None:
                sandbox.metrics.record(balance, sandbox.clock.now(), value, unit="Bytes")
            sandbox.advance()

    return go


@pytest.fixture
def subscribed_topic(sandbox: Sandbox) -> str:
    """A topic with one mail subscriber and SNS's own default policy."""
    sns = sandbox.client("sns")
    arn = str(sns.create_topic(Name="warning")["TopicArn"])
    sns.subscribe(TopicArn=arn, Protocol="email", Endpoint="ops@example.com")
    return arn


def zipped(files: dict[str, str]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return packed.getvalue()


@pytest.fixture
def invoke(sandbox: Sandbox) -> Callable[..., dict[str, Any]]:
    """Invoke a function over the API and wait for it; the answer has its payload parsed."""

    def call(name: str, event: Any = None, **settings: Any) -> dict[str, Any]:
        answer = sandbox.client("lambda").invoke(FunctionName=name, Payload=json.dumps(event).encode(), **settings)
        return {**answer, "Payload": json.loads(answer["Payload"].read() or "null")}

    return call
