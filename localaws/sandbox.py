"""A local AWS: one account, one Region, one process, and a clock that can be moved."""

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

import boto3
from botocore.config import Config

from localaws.account import OPERATOR_KEY_ID, OPERATOR_SECRET, REGION
from localaws.clock import START, SimulatedClock
from localaws.cloudwatch.alarm import Transition
from localaws.cloudwatch.alarm_evaluator import AlarmEvaluator
from localaws.cloudwatch.delivery import ActionDelivery
from localaws.cloudwatch.metrics import MetricStore
from localaws.cloudwatch.registry import AlarmRegistry
from localaws.event_bus import EventBus
from localaws.file_systems import FileSystems
from localaws.functions.event_queue import EventQueue
from localaws.functions.executor import Executor
from localaws.functions.function_logs import FunctionLogs
from localaws.functions.function_metrics import FunctionMetrics
from localaws.functions.settings import RuntimeVersions
from localaws.iam.sessions import Sessions
from localaws.quotas import Quotas
from localaws.schedules import Schedules
from localaws.server import Server, Services
from localaws.sns.mailbox import Mailbox
from localaws.sns.subscribers import Subscribers
from localaws.ssm.agents import Agents
from localaws.ssm.document_versions import Documents

MAXIMUM_ROUNDS = 5
"""Alarms and functions that keep changing each other go on in the next minute."""


class Sandbox:
    """Everything at one endpoint while the `with` block lasts; two in one process, one after the other, share nothing.

    `work_dir` takes the mails and the workers' output. `start=None` follows real time. `seed`
    chooses in which order a stack's resources come into being where they do not depend on each other.
    """

    def __init__(self, work_dir: Path, *, port: int = 0, start: datetime | None = START, seed: int = 0) -> None:
        self._order = Random(seed)  # noqa: S311 - no secret
        self.clock = SimulatedClock(start)
        self._server = Server(port)
        self.endpoint_url = self._server.endpoint_url
        now = self.clock.now
        self.metrics = MetricStore()
        self.alarms = AlarmRegistry(now)
        self.mailbox = Mailbox(work_dir / "mails", now)
        self.subscribers = Subscribers()
        self.logs = FunctionLogs(self.metrics)
        self.sessions = Sessions()
        self.functions = Executor(
            work_dir / "functions",
            self.endpoint_url,
            self.logs,
            self.sessions,
            now,
            count=FunctionMetrics(self.metrics).count,
            is_simulated=self.clock.is_simulated,
        )
        self.events = EventQueue(self.functions, now)
        self.schedules = Schedules(self.events, self.sessions)
        self._bus = EventBus(self.events)
        self.agents = Agents(self._bus, now, is_simulated=self.clock.is_simulated)
        self.file_systems = FileSystems()
        self.documents = Documents()
        self.runtime_versions = RuntimeVersions()
        self.quotas = Quotas()
        self._evaluator = AlarmEvaluator(self.metrics, self.alarms)
        self.alarms.deliver = ActionDelivery(self.alarms, self.events, now).deliver
        self._undo = ExitStack()
        self._clients: dict[tuple[str, str], Any] = {}

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            undo.callback(self._server.close)
            undo.enter_context(self.clock)
            services = Services(
                self.metrics,
                self.alarms,
                self.mailbox,
                self.subscribers,
                self.functions,
                self.events,
                self.sessions,
                self._bus,
                self.agents,
                self.quotas,
                self.schedules,
                self.clock.is_simulated,
                self._order,
                self.documents,
                self.runtime_versions,
            )
            self.cloudformation = undo.enter_context(self._server.running(services))
            undo.callback(self.functions.close)
            undo.callback(self.events.wait_for_background)
            undo.callback(self.agents.close)
            self._undo = undo.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for client in self._clients.values():
            client.close()
        self._undo.close()

    @property
    def transitions(self) -> Sequence[Transition]:
        """Every change of an alarm's state so far, oldest first."""
        return self.alarms.transitions

    def client(self, service: str, region: str = REGION) -> Any:
        """A boto3 client for the sandbox, for this process only, with credentials that mean nothing."""
        if (service, region) not in self._clients:
            client = boto3.client(
                service,  # type: ignore[call-overload] # any service
                endpoint_url=self.endpoint_url,
                region_name=region,
                aws_access_key_id=OPERATOR_KEY_ID,
                aws_secret_access_key=OPERATOR_SECRET,
                # What is refused here stays refused: a second try would only hide it for a while.
                config=Config(retries={"total_max_attempts": 1}),
            )
            self._clients[service, region] = self._server.own_calls.take_over(client)
        return self._clients[service, region]

    def advance(self) -> None:
        """Move the clock to the next full minute and make its step."""
        self.clock.move_to(self.clock.next_minute())
        self.step()

    def step(self) -> None:
        """Do everything that is due at this moment: retries, ends of commands, schedules, alarms, what they set off."""
        now = self.clock.now()
        self.events.begin_step()
        try:
            self.events.run_due_retries()
            self.agents.catch_up(now)
            self.schedules.run_due(now)
            while True:
                self._settle(now)
                if self.events.end_step():
                    return
        finally:
            self.events.abort_step()

    def _settle(self, now: datetime) -> None:
        self.events.run_accepted()
        for _ in range(MAXIMUM_ROUNDS):
            changed = self._evaluator.evaluate_all(now)
            ran = self.events.run_accepted()
            if not changed and not ran:
                return
