"""A home with benchmark hosts, and the two functions' own code in this process, over real HTTP."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import botocore.retries.standard
import pytest
from efs_monitor.aws import runtime
from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.efs.credits import GIB

from localaws.cloudwatch.metrics import MetricId, at
from localaws.sandbox import Sandbox
from localaws.ssm.command import Command
from localaws.ssm.platforms import Platform
from proofs.faults.starting_points import live
from stage.benchmark_hosts import BenchmarkHosts
from stage.home import Context, Home, Names, close

NAMES = Names("home", "fs-0123456789abcdef0")
QUICK = workloads_of("quick")
SWEEP = NAMES.hourly


@dataclass(kw_only=True)
class Stage:
    """The home, its hosts, and what the functions wrote: log lines, and metrics as lines of the embedded format."""

    home: Home
    hosts: BenchmarkHosts
    written: io.StringIO
    captured: pytest.CaptureFixture[str]
    printed: str = ""
    asked: int = 0

    @property
    def sandbox(self) -> Sandbox:
        return self.home.sandbox

    def run(self, event: object = None) -> dict[str, Any]:
        """What RunBenchmark answers; without an event to its timer."""
        answer: dict[str, Any] = self.home.call("run_benchmark", NAMES.daily if event is None else event)
        return answer

    def collect(self, event: object = SWEEP) -> dict[str, Any]:
        """What CollectBenchmark answers; without an event to the sweep."""
        answer: dict[str, Any] = self.home.call("collect_benchmark", event)
        return answer

    def by_hand(self, **wishes: Any) -> dict[str, Any]:
        """What RunBenchmark answers to a person who asks anew."""
        self.asked += 1
        context = Context()
        context.aws_request_id = f"request-{self.asked}"
        event = {"source": "efs-monitor.benchmark-by-hand", "stack": NAMES.stack_name, **wishes}
        answer: dict[str, Any] = self.home.call("run_benchmark", event, context)
        return answer

    def run_offline(self) -> dict[str, Any]:
        """What RunBenchmark answers, and its instance's agent is gone the moment it has seen it."""
        return self._run_after_which(self.hosts.lose)

    def run_elsewhere(self, platform: Platform) -> dict[str, Any]:
        """What RunBenchmark answers, and its instance turns out to run on another platform."""
        return self._run_after_which(lambda instance_id: self.hosts.runs_on(instance_id, platform))

    def _run_after_which(self, change: Callable[[str], None]) -> dict[str, Any]:
        theirs = self.sandbox.agents.send

        def send(command: Command) -> None:
            for instance_id in self.hosts.ids:
                change(instance_id)
            theirs(command)

        with patch.object(self.sandbox.agents, "send", send):
            return self.run()

    def record_what_was_published(self) -> None:
        """CloudWatch has what is printed in the embedded format; here nobody reads it off a log group."""
        self.sandbox.metrics.clear()
        live(self.home, 2000 * GIB)
        for blob in self.blobs():
            dimensions = {name: blob[name] for name in blob["_aws"]["CloudWatchMetrics"][0]["Dimensions"][0]}
            for metric in blob["_aws"]["CloudWatchMetrics"][0]["Metrics"]:
                identity = MetricId.of("EFSMonitor", metric["Name"], **dimensions)
                self.sandbox.metrics.record(identity, at(blob["_aws"]["Timestamp"] / 1000), blob[metric["Name"]][0])

    def wait(self, minutes: int = 1) -> None:
        """Let so many minutes pass, with credits enough."""
        live(self.home, 2000 * GIB, minutes)

    def logged(self, message: str) -> list[dict[str, Any]]:
        """The log lines with this message."""
        lines = [json.loads(line) for line in self.written.getvalue().splitlines()]
        return [line for line in lines if line["message"] == message]

    def blobs(self) -> list[dict[str, Any]]:
        """Everything published so far."""
        self.printed += self.captured.readouterr().out
        return [json.loads(line) for line in self.printed.splitlines()]

    def published(self, name: str) -> list[list[float]]:
        """The values of a metric, one list each time it was published."""
        return [blob[name] for blob in self.blobs() if name in blob]


@pytest.fixture
def stage(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[Stage]:
    """A file system with 100 GiB and full credits, its alarms, and one instance that measures the quick profile."""
    monkeypatch.setattr(botocore.retries.standard.ExponentialBackoff, "delay_amount", lambda *_: 0)
    for name, value in NAMES.environment(sandbox.endpoint_url).items():
        monkeypatch.setenv(name, value)
    home = Home(sandbox=sandbox, names=NAMES)
    home.create_topics_and_memory()
    home.create_file_system()
    home.create_alarms()
    hosts = BenchmarkHosts(home=home, folder=tmp_path / "hosts")
    hosts.create()
    hosts.add()
    hosts.measures(QUICK)
    live(home, 2000 * GIB, 2)
    written = io.StringIO()
    handler = runtime.logger.registered_handler
    assert hasattr(handler, "setStream")
    before = handler.setStream(written)
    yield Stage(home=home, hosts=hosts, written=written, captured=capsys)
    handler.setStream(before)
    for module in home.modules.values():
        close(module.clients)
