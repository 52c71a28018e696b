"""A home for the functions' own code in this process: a stack made by hand in a sandbox, over real HTTP."""

import importlib.util
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import ModuleType
from typing import Any

from botocore.client import BaseClient
from botocore.session import get_session
from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.alarms.alarm_definition import Wiring, definition
from efs_monitor.alarms.thresholds import thresholds_for
from efs_monitor.aws.runtime import Clients
from efs_monitor.efs.credits import GIB, burst_bytes_per_second

from localaws.account import ACCOUNT_ID, REGION
from localaws.clock import MINUTE
from localaws.cloudwatch.metrics import MetricId
from localaws.file_systems import Size
from localaws.sandbox import Sandbox
from localaws.sns.mailbox import Publication
from operate.template_defaults import REPEAT_HOURS, SETTINGS, SILENT_METRICS_HOURS
from stage.sam_deployment import PROJECT

# Tells the functions' calls from those of whoever plays the person at the console.
FUNCTIONS_KEY_ID = "ASIASANDBOXFUNCTION0"
RUNBOOK_URL = "https://wiki.example.com/efs"
ALERT_EMAIL = "team@example.com"


class Context:
    """What Lambda hands a handler beside the event, with time enough."""

    function_name = "home-function"
    memory_limit_in_mb = 256
    invoked_function_arn = f"arn:aws:lambda:{REGION}:{ACCOUNT_ID}:function:home-function"
    aws_request_id = "d1c2b3a4-0000-4000-8000-000000000001"

    def __init__(self, milliseconds: int = 28_000) -> None:
        self._milliseconds = milliseconds

    def get_remaining_time_in_millis(self) -> int:
        return self._milliseconds


def load(name: str) -> ModuleType:
    """A function's own code, with clients of its own, as a new Lambda environment has it."""
    path = PROJECT / "src" / "functions" / name / "app.py"
    spec = importlib.util.spec_from_file_location(f"home_{name}_app", path)
    if spec is None or spec.loader is None:
        raise LookupError(f"{path} is no module")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@dataclass(frozen=True)
class Names:
    """What a stack's things are called; many stacks live in one account."""

    stack_name: str
    file_system_id: str

    @property
    def state_parameter(self) -> str:
        """The stack's memory."""
        return f"/efs-monitor/{self.stack_name}/told"

    @property
    def benchmarks_parameter(self) -> str:
        """The ledger of the benchmarks."""
        return f"/efs-monitor/{self.stack_name}/benchmarks"

    @property
    def document_name(self) -> str:
        """What is sent to instances."""
        return f"{self.stack_name}-benchmark"

    def function_arn(self, name: str) -> str:
        """A function's ARN."""
        return f"arn:aws:lambda:{REGION}:{ACCOUNT_ID}:function:{self.stack_name}-{name}"

    def topic_arn(self, severity: str) -> str:
        """A topic's ARN."""
        return f"arn:aws:sns:{REGION}:{ACCOUNT_ID}:{self.stack_name}-{severity}"

    @property
    def wiring(self) -> Wiring:
        """What the alarms watch and whom they tell."""
        return Wiring(
            file_system_id=self.file_system_id,
            warning_topic_arn=self.topic_arn("warning"),
            critical_topic_arn=self.topic_arn("critical"),
            explain_arn=self.function_arn("Explain"),
        )

    @property
    def daily(self) -> dict[str, Any]:
        """The event of the benchmarks' timer."""
        return self.daily_after(days=0)

    def daily_after(self, days: int) -> dict[str, Any]:
        """The event of the benchmarks' timer so many days later, which is a start of its own."""
        scheduled = datetime(2030, 1, 7, 0, 10, tzinfo=UTC) + timedelta(days=days)
        return {
            "source": "efs-monitor.benchmark",
            "stack": self.stack_name,
            "schedule": "arn:aws:scheduler:us-east-1:123456789012:schedule/default/home-BenchmarkTimer-4T0YIQGGWHKA",
            "time": f"{scheduled:%Y-%m-%dT%H:%M:%SZ}",
        }

    @property
    def hourly(self) -> dict[str, Any]:
        """The event of the stack's schedules."""
        return {"source": "efs-monitor.schedule", "stack": self.stack_name, "time": "2030-01-07T01:00:00Z"}

    def environment(self, endpoint_url: str) -> dict[str, str]:
        """Every variable that the template gives any of the functions."""
        return {
            "STACK_NAME": self.stack_name,
            "STACK_ID": f"arn:aws:cloudformation:{REGION}:{ACCOUNT_ID}:stack/{self.stack_name}/of-the-proofs",
            "FILE_SYSTEM_ID": self.file_system_id,
            "ADVICE_TOPIC_ARN": self.topic_arn("advice"),
            "WARNING_TOPIC_ARN": self.topic_arn("warning"),
            "CRITICAL_TOPIC_ARN": self.topic_arn("critical"),
            "EXPLAIN_ARN": self.function_arn("Explain"),
            "TOLD_PARAMETER": self.state_parameter,
            "RUNBOOK_URL": RUNBOOK_URL,
            "WARNING_MINUTES": str(SETTINGS.warning_minutes),
            "CRITICAL_MINUTES": str(SETTINGS.critical_minutes),
            "RISE_TOLERANCE_PERCENT": str(SETTINGS.rise_tolerance_percent),
            "ALERT_EMAIL": ALERT_EMAIL,
            "OWN_TOPICS": "warning critical advice",
            "SILENT_METRICS_HOURS": str(SILENT_METRICS_HOURS),
            "REPEAT_WARNING_HOURS": str(REPEAT_HOURS.warning),
            "REPEAT_CRITICAL_HOURS": str(REPEAT_HOURS.critical),
            "ELASTIC_DAILY_USD": "0",
            "RECALCULATE_FUNCTION": f"{self.stack_name}-RecalculateThresholds",
            "EXPLAIN_FUNCTION": f"{self.stack_name}-Explain",
            "SET_LATE_ALARMS_FUNCTION": f"{self.stack_name}-SetLateAlarms",
            "AWS_LAMBDA_FUNCTION_NAME": f"{self.stack_name}-ReportSilence",
            "RUN_BENCHMARK_FUNCTION": f"{self.stack_name}-RunBenchmark",
            "COLLECT_BENCHMARK_FUNCTION": f"{self.stack_name}-CollectBenchmark",
            "DOCUMENT_NAME": self.document_name,
            "BENCHMARKS_PARAMETER": self.benchmarks_parameter,
            "BENCHMARK_PATH": "/mnt/efs",
            "BENCHMARK_LOCAL_PATH": "",
            "BENCHMARK_PROFILE": "quick",
            "BENCHMARK_SIZE_MIB": "0",
            "BENCHMARK_INSTANCE_IDS": "",
            "MAX_CREDIT_SHARE_PERCENT": "1",
            "MONTHLY_GIB_BUDGET": "30",
            "CHAT_MESSAGES": "off",
            "DASHBOARD": "on",
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ACCESS_KEY_ID": FUNCTIONS_KEY_ID,
            "AWS_SECRET_ACCESS_KEY": "sandbox",
            "AWS_ENDPOINT_URL": endpoint_url,
        }


FLEET_NAME = "efs-fleet"


def fleet_environment() -> dict[str, str]:
    """Every variable that fleet.yaml gives its function, for a fleet of every file system."""
    topic_arn = f"arn:aws:sns:{REGION}:{ACCOUNT_ID}:{FLEET_NAME}-advice"
    return {
        "FLEET_NAME": FLEET_NAME,
        "STACK_ID": f"arn:aws:cloudformation:{REGION}:{ACCOUNT_ID}:stack/{FLEET_NAME}/1",
        "TEMPLATE_URL": f"https://releases.s3.{REGION}.amazonaws.com/efs-monitor-1/template.yaml",
        "FLEET_TAG": "",
        "MONITOR_PARAMETERS": f"AdviceTopicArn={topic_arn};LogRetentionDays=30",
        "GRACE_HOURS": "24",
        "DIGEST_HOUR": "0",
        "ALERT_EMAIL": "storage-team@example.com",
        "SERVICE_ROLE_ARN": f"arn:aws:iam::{ACCOUNT_ID}:role/{FLEET_NAME}-ServiceRole",
        "NOTES_PARAMETER": f"/efs-monitor/{FLEET_NAME}/fleet-notes",
        "DASHBOARD_NAME": f"{FLEET_NAME}-{REGION}",
        # Lambda's own.
        "AWS_REGION": REGION,
    }


@contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """The process's environment with these variables, as a Lambda environment has them."""
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


@dataclass(kw_only=True)
class Home:
    """A stack's topics, memory, alarms and file system, made by hand, and the way to call its functions' handlers."""

    sandbox: Sandbox
    names: Names
    # For what lies on a disk of a benchmark host.
    folder: Path = field(default_factory=Path)
    modules: dict[str, ModuleType] = field(default_factory=dict)

    def module(self, name: str) -> ModuleType:
        """A function's own code, loaded once, as in a warm environment."""
        if name not in self.modules:
            self.modules[name] = load(name)
        return self.modules[name]

    def call(self, name: str, event: object, context: Context | None = None) -> Any:
        """Call a function's handler as Lambda would."""
        return self.module(name).handler(event, context or Context())

    @property
    def cloudwatch(self) -> Any:
        """CloudWatch, for the person at the console."""
        return self.sandbox.client("cloudwatch")

    def create_topics_and_memory(self) -> None:
        """Three topics with one subscriber, and a memory that remembers nothing."""
        for severity in ("warning", "critical", "advice"):
            self.sandbox.client("sns").create_topic(Name=f"{self.names.stack_name}-{severity}")
            self.subscribe(severity, ALERT_EMAIL)
        self.sandbox.client("ssm").put_parameter(Name=self.names.state_parameter, Value="{}", Type="String")

    def subscribe(self, severity: str, address: str) -> None:
        """Subscribe an address to the topic of a severity."""
        self.sandbox.client("sns").subscribe(
            TopicArn=self.names.topic_arn(severity), Protocol="email", Endpoint=address
        )

    def create_file_system(
        self, standard_bytes: int = 100 * GIB, mode: str = "bursting", performance_mode: str = "generalPurpose"
    ) -> None:
        """The file system that the stack watches."""
        size = Size(standard_bytes=standard_bytes)
        self.sandbox.file_systems.create(
            self.names.file_system_id, size, throughput_mode=mode, performance_mode=performance_mode
        )

    def create_alarms(self, standard_bytes: int = 100 * GIB) -> None:
        """Make the template's alarms, with the texts of an older version, so that the first run writes them."""
        thresholds = thresholds_for(burst_bytes_per_second(standard_bytes), SETTINGS)
        recalculate_arn = self.names.function_arn("Recalculate")
        for kind, threshold in (
            (AlarmKind.WARNING, thresholds.warning_bytes),
            (AlarmKind.CRITICAL, thresholds.critical_bytes),
            (AlarmKind.EXHAUSTED, thresholds.exhausted_bytes),
            (AlarmKind.DRAINING, SETTINGS.critical_minutes),
            (AlarmKind.RISE, thresholds.rise_bytes_per_second),
        ):
            rise = {"AlarmActions": [recalculate_arn], "OKActions": [recalculate_arn]}
            self.cloudwatch.put_metric_alarm(
                **definition(kind, self.names.wiring) | (rise if kind is AlarmKind.RISE else {}),
                AlarmName=alarm_name(self.names.stack_name, kind),
                Threshold=float(threshold),
                AlarmDescription="older",
            )

    def record(self, metric: str, value: float, *, minutes_ago: int = 1) -> None:
        """A datapoint of the file system, as CloudWatch has it."""
        self.sandbox.metrics.record(
            MetricId.of("AWS/EFS", metric, FileSystemId=self.names.file_system_id),
            self.sandbox.clock.now() - minutes_ago * MINUTE,
            value,
        )

    def alarms(self) -> dict[str, dict[str, Any]]:
        """The stack's alarms as DescribeAlarms has them, by the end of their name."""
        prefix = f"{self.names.stack_name}-"
        found = self.cloudwatch.describe_alarms(AlarmNamePrefix=prefix)["MetricAlarms"]
        return {alarm["AlarmName"].removeprefix(prefix): alarm for alarm in found}

    def told(self) -> dict[str, Any]:
        """What the parameter remembers."""
        stored = self.sandbox.client("ssm").get_parameter(Name=self.names.state_parameter)["Parameter"]["Value"]
        remembered: dict[str, Any] = json.loads(stored)
        return remembered

    def published(self, severity: str) -> list[Publication]:
        """What reached one of the stack's topics so far."""
        topic_arn = self.names.topic_arn(severity)
        return [one for one in self.sandbox.mailbox.publications if one.topic_arn == topic_arn]


def as_request(alarm: Mapping[str, Any]) -> dict[str, Any]:
    """An alarm that DescribeAlarms has told, as the console would put it again."""
    shape = get_session().get_service_model("cloudwatch").operation_model("PutMetricAlarm").input_shape
    # Told with a default that may not be asked for.
    fields = (shape.members.keys() if shape is not None else set()) - {"WarmUpConfiguration"}
    return {name: value for name, value in alarm.items() if name in fields}


def configured(alarms: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Alarms without their state, and without the time at which they were last written."""
    return {
        end: {
            name: value
            for name, value in alarm.items()
            if not name.startswith("State") and name != "AlarmConfigurationUpdatedTimestamp"
        }
        for end, alarm in alarms.items()
    }


def close(clients: Clients) -> None:
    """Close what was opened of the clients."""
    for opened in vars(clients).values():
        if isinstance(opened, BaseClient):
            opened.close()
