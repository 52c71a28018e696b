"""The built stack put into a sandbox directly, without the seconds of `sam deploy`."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from botocore.exceptions import ClientError
from efs_monitor.efs.credits import GIB, burst_bytes_per_second, full_bucket_bytes

from localaws.cloudwatch.metrics import MetricId
from localaws.file_systems import Size
from localaws.sandbox import Sandbox
from localaws.sns.mailbox import Publication
from stage.direct_deployment import Change, deploy, propose, uploaded

FAILED_WITHIN_SECONDS = 300


@dataclass(kw_only=True)
class StackUnderTest:
    """One stack and its file system, in the words of a test. Balances are in GiB, times in minutes."""

    sandbox: Sandbox
    built: Path
    name: str = "home"
    file_system_id: str = "fs-0123456789abcdef0"
    standard_bytes: int = 100 * GIB
    balance_gib: float = field(default=0)
    permitted_bytes_per_second: float = field(default=0)
    measured: bool = True
    template_url: str = ""

    def __post_init__(self) -> None:
        self.balance_gib = full_bucket_bytes(self.standard_bytes) / GIB
        self.permitted_bytes_per_second = burst_bytes_per_second(self.standard_bytes)

    def create_file_system(self, mode: str = "bursting", performance_mode: str = "generalPurpose") -> None:
        size = Size(standard_bytes=self.standard_bytes)
        self.sandbox.file_systems.create(
            self.file_system_id, size, throughput_mode=mode, performance_mode=performance_mode
        )

    def propose(self, **parameters: str) -> str | None:
        """Make a change set and leave it at that; raises DeploymentRefused with what CloudFormation says against it."""
        self.template_url = self.template_url or uploaded(self.sandbox.client("s3"), self.built / "template.yaml")
        given = {"FileSystemId": self.file_system_id, "AlertEmail": "team@example.com", **parameters}
        return propose(self.sandbox.client("cloudformation"), self.name, given, self.template_url)

    def deploy(self, **parameters: str) -> dict[str, str]:
        """Create or update the stack; its outputs. Raises DeploymentRefused where a resource failed."""
        return self._deploy(parameters)

    def tag(self, **tags: str) -> dict[str, str]:
        """What `sam deploy --tags` does when nothing else is different."""
        return self._deploy({}, tags=tags)

    def deploy_changed(self, change: Change, **parameters: str) -> dict[str, str]:
        """Create or update the stack from a template that `change` has been at; its outputs."""
        return self._deploy(parameters, change=change)

    def _deploy(self, parameters: Mapping[str, str], **settings: Any) -> dict[str, str]:
        self.sandbox.clock.let_run()
        cloudformation = self.sandbox.client("cloudformation")
        given = {"FileSystemId": self.file_system_id, "AlertEmail": "team@example.com", **parameters}
        deploy(self.sandbox.client("s3"), cloudformation, self.name, given, self.built / "template.yaml", **settings)
        (described,) = cloudformation.describe_stacks(StackName=self.name)["Stacks"]
        return {output["OutputKey"]: output["OutputValue"] for output in described["Outputs"]}

    def delete(self) -> None:
        """Delete the stack and wait until nothing is left of it."""
        self.sandbox.client("cloudformation").delete_stack(StackName=self.name)
        deadline = time.monotonic() + FAILED_WITHIN_SECONDS
        while self.status():
            assert time.monotonic() < deadline, self.status()
            time.sleep(0.02)

    def status(self) -> str | None:
        """The stack's status; None where there is no such stack, or only a change set for one."""
        try:
            (found,) = self.sandbox.client("cloudformation").describe_stacks(StackName=self.name)["Stacks"]
        except ClientError:
            return None
        status = str(found["StackStatus"])
        return None if status in {"REVIEW_IN_PROGRESS", "DELETE_COMPLETE"} else status

    def live(self, minutes: int = 1) -> None:
        """Let minutes pass: each is measured as the fields say, and ends with everything that is due."""
        for _ in range(minutes):
            if self.measured:
                self.record("BurstCreditBalance", self.balance_gib * GIB)
                self.record("PermittedThroughput", self.permitted_bytes_per_second)
            self.sandbox.advance()

    def live_until_next_run(self, each_minute: Callable[[], None] = lambda: None) -> None:
        """Until the schedule has started the recalculation once more, somewhere in the window of an hour."""
        before = self._scheduled_runs()
        for _ in range(76):
            each_minute()
            self.live()
            if self._scheduled_runs() > before:
                return
        raise AssertionError("the schedule did not start the recalculation")

    def _scheduled_runs(self) -> int:
        name = self.function("RecalculateThresholds")
        return sum(
            one.function_name == name and b"efs-monitor.schedule" in one.payload
            for one in self.sandbox.functions.invocations
        )

    def record(self, metric: str, value: float) -> None:
        """A datapoint of the minute that is now."""
        identity = MetricId.of("AWS/EFS", metric, FileSystemId=self.file_system_id)
        self.sandbox.metrics.record(identity, self.sandbox.clock.now(), value)

    def alarms(self) -> dict[str, dict[str, Any]]:
        """The stack's alarms, by the end of their name."""
        found = self.sandbox.client("cloudwatch").describe_alarms(AlarmNamePrefix=f"{self.name}-")["MetricAlarms"]
        return {alarm["AlarmName"].removeprefix(f"{self.name}-"): alarm for alarm in found}

    def published(self, severity: str) -> list[Publication]:
        """What reached one of the stack's topics."""
        topic = f"{self.name}-{severity}"
        return [one for one in self.sandbox.mailbox.publications if one.topic_name == topic]

    def subjects(self, severity: str) -> list[str | None]:
        """The subjects of that."""
        return [one.subject for one in self.published(severity)]

    def failures_told(self) -> list[dict[str, Any]]:
        """Lambda's records of invocations that failed for good, as they reached Advice."""
        records = [json.loads(one.message) for one in self.published("advice") if one.message.startswith("{")]
        return [record for record in records if "requestContext" in record]

    def logged(self, function: str) -> list[dict[str, Any]]:
        """The structured log lines of a function, by the last part of its log group."""
        lines = self.sandbox.logs.of(f"/efs-monitor/{self.name}/{function}")
        entries = [json.loads(line.message) for line in lines if line.message.startswith("{")]
        return [entry for entry in entries if "_aws" not in entry]

    def decisions(self) -> list[dict[str, Any]]:
        """What the recalculation decided so far."""
        return [entry for entry in self.logged("recalculate-thresholds") if entry["message"] == "decided"]

    def function(self, logical_id: str) -> str:
        """The name CloudFormation gave a function."""
        answer = self.sandbox.client("cloudformation").describe_stack_resource(
            StackName=self.name, LogicalResourceId=logical_id
        )
        return str(answer["StackResourceDetail"]["PhysicalResourceId"])

    def invoke(self, logical_id: str, event: object) -> dict[str, Any]:
        """Call a function and wait; an answer with `errorType` is a failure."""
        answer = self.sandbox.client("lambda").invoke(
            FunctionName=self.function(logical_id), Payload=json.dumps(event).encode()
        )
        payload: dict[str, Any] = json.loads(answer["Payload"].read())
        return payload

    def recalculate(self) -> dict[str, Any]:
        """What the hourly run answers when it runs now."""
        return self.invoke("RecalculateThresholds", {"source": "efs-monitor.schedule", "stack": self.name})
