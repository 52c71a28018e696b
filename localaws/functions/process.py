"""A warm worker: one subprocess that has loaded a function and answers one invocation at a time."""

import json
import os
import sys
import time
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from localaws.account import ACCOUNT_ID, REGION
from localaws.functions.fork_server import fork_server
from localaws.functions.function_deployment import FunctionDeployment
from localaws.iam.sessions import Session


class TimedOutError(Exception):
    """The function did not answer within its own time-out; its worker is gone."""


class ExitedError(Exception):
    """The worker ended without an answer."""

    def __init__(self, exit_code: int) -> None:
        super().__init__(f"exit status {exit_code}")


class WorkerProcess:
    def __init__(
        self,
        deployment: FunctionDeployment,
        session: Session,
        *,
        runtime: Path,
        endpoint_url: str,
        folder: Path,
        number: int,
    ) -> None:
        self.deployment = deployment
        self.session = session
        self.log_stream = f"[$LATEST]{number:032x}"
        folder.mkdir(parents=True, exist_ok=True)
        self._log_path = folder / f"{deployment.name}-{number}.log"
        self._log_read_bytes = 0
        request_read, self._requests = os.pipe()
        self._answers, answer_write = os.pipe()
        with self._log_path.open("wb") as log:
            self._process = fork_server().fork(
                environment=_environment(deployment, session, runtime, endpoint_url, self.log_stream),
                path=deployment.search_path(runtime),
                folder=deployment.code_path,
                requests=request_read,
                answers=answer_write,
                log=log.fileno(),
            )
        os.close(request_read)
        os.close(answer_write)

    def invoke(self, request_id: str, payload: bytes, now_seconds: float | None) -> dict[str, Any]:
        """`{"response": json}` or `{"error": {...}}`, with "ended" where the worker is of no further use.

        Raises TimedOutError or ExitedError, after either it is dead."""
        request = {
            "request_id": request_id,
            "payload": payload.decode(),
            "now": now_seconds,
            "function_arn": self.deployment.arn,
            "timeout_seconds": self.deployment.timeout_seconds,
        }
        try:
            self._send(json.dumps(request).encode() + b"\n")
            line = self._receive(time.monotonic() + self.deployment.timeout_seconds)
        except BrokenPipeError:
            line = b""
        if not line:
            raise ExitedError(self._process.wait())
        answer: dict[str, Any] = json.loads(line)
        return answer

    def new_log_lines(self) -> list[str]:
        """What the function has written since the last call."""
        with self._log_path.open("rb") as log:
            log.seek(self._log_read_bytes)
            written = log.read()
        self._log_read_bytes += len(written)
        return written.decode(errors="replace").splitlines()

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def end(self) -> None:
        self._process.kill()
        self._process.wait()
        for descriptor in (self._requests, self._answers):
            os.close(descriptor)

    def _send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._requests, data) :]

    def _receive(self, deadline: float) -> bytes:
        received = b""
        while not received.endswith(b"\n"):
            left_seconds = deadline - time.monotonic()
            # Not select(): it knows none of a process's files beyond the first 1,024.
            if left_seconds <= 0 or not wait([self._answers], left_seconds):
                self._process.kill()
                self._process.wait()
                raise TimedOutError
            chunk = os.read(self._answers, 65_536)
            if not chunk:
                return b""
            received += chunk
        return received


def _environment(
    deployment: FunctionDeployment, session: Session, runtime: Path, endpoint_url: str, log_stream: str
) -> dict[str, str]:
    """The variables Lambda reserves win over the function's own, and nothing of ours is inherited."""
    return {
        **dict(deployment.environment),
        "AWS_ACCESS_KEY_ID": session.access_key_id,
        "AWS_SECRET_ACCESS_KEY": "sandbox",
        "AWS_SESSION_TOKEN": "sandbox",
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "en_US.UTF-8",
        "TZ": ":UTC",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ACCOUNT_ID": ACCOUNT_ID,
        "AWS_ENDPOINT_URL": endpoint_url,
        "AWS_EXECUTION_ENV": f"AWS_Lambda_python{sys.version_info.major}.{sys.version_info.minor}",
        "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
        "AWS_LAMBDA_FUNCTION_NAME": deployment.name,
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(deployment.memory_megabytes),
        "AWS_LAMBDA_LOG_GROUP_NAME": deployment.log_group,
        "AWS_LAMBDA_LOG_STREAM_NAME": log_stream,
        "LAMBDA_TASK_ROOT": str(deployment.code_path),
        "LAMBDA_RUNTIME_DIR": str(runtime),
        "_HANDLER": deployment.handler,
    }
