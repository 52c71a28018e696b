"""Runs deployed functions, each in warm workers of its own, and keeps what every invocation said."""

import json
import resource
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from moto.awslambda.models import LambdaFunction

from localaws.functions.function_deployment import FunctionDeployment, deployment_of, runtime_packages
from localaws.functions.function_logs import FunctionLogs, LogLine
from localaws.functions.process import ExitedError, TimedOutError, WorkerProcess
from localaws.iam.sessions import LAMBDA, NOT_ASSUMABLE, NotAssumable, Session, Sessions


@dataclass(frozen=True, slots=True)
class InvocationAttempt:
    """One attempt to run a function, and how it ended; `began` is by its own clock, `duration_seconds` real time."""

    time: datetime
    began: datetime
    function_name: str
    request_id: str
    payload: bytes
    response: bytes
    failed: bool
    log: tuple[str, ...]
    duration_seconds: float


class Executor:
    def __init__(
        self,
        folder: Path,
        endpoint_url: str,
        logs: FunctionLogs,
        sessions: Sessions,
        now: Callable[[], datetime],
        *,
        count: "Callable[[InvocationAttempt], None]",
        is_simulated: bool,
    ) -> None:
        self._folder = folder
        self._endpoint_url = endpoint_url
        self._logs = logs
        self._sessions = sessions
        self._now = now
        self._count = count
        self._is_simulated = is_simulated
        self._idle: dict[str, list[WorkerProcess]] = {}
        self._workers_started = 0
        self._lock = threading.Lock()
        _allow_open_files()
        self.invocations: list[InvocationAttempt] = []

    def run(
        self,
        function: LambdaFunction,
        payload: bytes,
        request_id: str | None = None,
        begins: datetime | None = None,
    ) -> InvocationAttempt:
        """Run the function once, now; its errors are part of the answer and never raised.

        Its own clock `begins` when it was due, so that what AWS would run in different seconds does so here too.
        Raises ValueError for a function the sandbox cannot run.
        """
        request_id = request_id or str(uuid.uuid4())
        deployment = deployment_of(function)
        now = self._now()
        try:
            worker = self._take(deployment)
        except NotAssumable:
            answer: dict[str, Any] = {"error": {"errorType": "AccessDeniedException", "errorMessage": NOT_ASSUMABLE}}
            log, duration_seconds = list[str](), 0.0
        else:
            started = time.perf_counter()
            answer = self._answer(worker, request_id, payload, begins or now)
            duration_seconds = time.perf_counter() - started
            log = worker.new_log_lines()
            lines = [LogLine(now, deployment.log_group, deployment.name, request_id, line) for line in log]
            self._logs.write(lines, worker.log_stream, worker.session)
            self._give_back(worker, usable="ended" not in answer)
        invocation = InvocationAttempt(
            time=now,
            began=begins or now,
            function_name=deployment.name,
            request_id=request_id,
            payload=payload,
            response=(answer["response"] if "response" in answer else json.dumps(answer["error"])).encode(),
            failed="error" in answer,
            log=tuple(log),
            duration_seconds=duration_seconds,
        )
        self.invocations.append(invocation)
        self._count(invocation)
        return invocation

    def session_of(self, function: LambdaFunction) -> Session:
        """The function's role, assumed by Lambda for it; NotAssumable where the role does not let it."""
        return self._sessions.assume(function.role, function.function_name, LAMBDA, function.function_arn)

    def forget(self, function_name: str) -> None:
        """End the workers of a function that is deleted."""
        with self._lock:
            idle = self._idle.pop(function_name, [])
        for worker in idle:
            worker.end()

    def close(self) -> None:
        """End every worker."""
        with self._lock:
            workers = [worker for idle in self._idle.values() for worker in idle]
            self._idle.clear()
        for worker in workers:
            worker.end()

    def _answer(self, worker: WorkerProcess, request_id: str, payload: bytes, now: datetime) -> dict[str, Any]:
        try:
            return worker.invoke(request_id, payload, now.timestamp() if self._is_simulated else None)
        except TimedOutError:
            timeout_seconds = worker.deployment.timeout_seconds
            return _ended(request_id, "Sandbox.Timedout", f"Task timed out after {timeout_seconds}.00 seconds")
        except ExitedError as ended:
            return _ended(request_id, "Runtime.ExitError", f"Runtime exited with error: {ended}")

    def _take(self, deployment: FunctionDeployment) -> WorkerProcess:
        """A warm worker of exactly this deployment, or a new one; those of an older deployment end."""
        with self._lock:
            idle = self._idle.pop(deployment.name, [])
            fitting = [worker for worker in idle if worker.deployment == deployment and worker.is_alive()]
            outdated = [worker for worker in idle if worker not in fitting]
            if fitting:
                self._idle[deployment.name] = fitting[1:]
            self._workers_started += 1
            number = self._workers_started
        for worker in outdated:
            worker.end()
        if fitting:
            return fitting[0]
        session = self._sessions.assume(deployment.role_arn, deployment.name, LAMBDA, deployment.arn)
        return WorkerProcess(
            deployment,
            session,
            runtime=runtime_packages(),
            endpoint_url=self._endpoint_url,
            folder=self._folder / "logs",
            number=number,
        )

    def _give_back(self, worker: WorkerProcess, *, usable: bool) -> None:
        if not usable:
            worker.end()
            return
        with self._lock:
            self._idle.setdefault(worker.deployment.name, []).append(worker)


def _ended(request_id: str, kind: str, message: str) -> dict[str, Any]:
    error = {"errorType": kind, "errorMessage": f"RequestId: {request_id} Error: {message}"}
    return {"error": error, "ended": True}


def _allow_open_files() -> None:
    """Let this process have as many open files as the system lets it ask for.

    Each warm worker holds two pipes: those of forty stacks are more than the 1,024 files that a process usually has.
    """
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Some systems let nobody have what they name as the most.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
