"""All functions at once in containers that stay: `sam local start-lambda`, where a Docker engine runs."""

import http.client
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from operate.terminal import command_line
from stage.deployment import PROJECT
from stage.invocation.answer_desk import AnswerDesk
from stage.invocation.built import BuiltFunction
from stage.invocation.container import CREATED
from stage.invocation.docker import Docker, NoContainerError, docker_command, sam_environment
from stage.invocation.local_template import local_template
from stage.invocation.outcome import Outcome, outcome_of
from stage.invocation.stack import DeployedFunction

LOOPBACK = "127.0.0.1"
STARTS_WITHIN_SECONDS = 240
"""The first time, AWS's image is pulled."""

STOPS_WITHIN_SECONDS = 30
ANSWERS_WITHIN_SECONDS = 60
REPORTS_WITHIN_SECONDS = 2


class WarmContainers:
    """A container for each function while the `with` block lasts; NoContainerError when they do not come up."""

    def __init__(
        self,
        docker: Docker,
        functions: Iterable[tuple[BuiltFunction, DeployedFunction]],
        endpoint_url: str,
        desk: AnswerDesk,
        work_dir: Path,
    ) -> None:
        self._desk = desk
        self._desk_url = f"{docker.reachable(desk.port)}/answer"
        with socket.create_server((LOOPBACK, 0)) as held:
            self._port: int = held.getsockname()[1]
        self._log_path = work_dir / "sam-local-start-lambda.log"
        self._log_read_bytes = 0
        template = local_template(functions, docker.reachable(urlsplit(endpoint_url).port or 80))
        self._options = (*template.written(work_dir), *docker.options)
        with self._log_path.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    *("sam", "local", "start-lambda", "--warm-containers", "EAGER", "--port", str(self._port)),
                    *self._options,
                ],
                cwd=PROJECT,
                env=sam_environment(endpoint_url),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                # Ctrl-C is for us, and we end it once: a second interrupt would break off its cleaning up.
                start_new_session=True,
            )

    def __enter__(self) -> Self:
        try:
            self._wait_until_it_listens()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def by_hand(self) -> str:
        """What a person may type meanwhile to invoke a function in a container of its own."""
        options = [option.removeprefix(f"{PROJECT}/") for option in self._options]
        return command_line(["sam", "local", "invoke", "Explain", "--event", "events/warning-alarm.json", *options])

    def invoke(self, logical_id: str, event: str) -> Outcome:
        """Invoke a function with a JSON text and wait for it."""
        self._log_read_bytes = self._log_path.stat().st_size
        connection = http.client.HTTPConnection(LOOPBACK, self._port, timeout=ANSWERS_WITHIN_SECONDS)
        begun = time.perf_counter()
        try:
            path = f"/2015-03-31/functions/{logical_id}/invocations"
            body = self._desk.redirected(event, self._desk_url).encode()
            connection.request("POST", path, body, {"Content-Type": "application/json"})
            answered = connection.getresponse().read().decode()
        finally:
            connection.close()
        seconds = time.perf_counter() - begun
        return outcome_of(answered, self._new_log_lines(), seconds)

    def close(self) -> None:
        """End the containers. An interrupt, for at any other signal `sam` leaves a container behind."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)
        try:
            self._process.wait(timeout=STOPS_WITHIN_SECONDS)
        except subprocess.TimeoutExpired:
            # Seen when it waits for an answer that a container of its own can no longer give.
            self._process.kill()
            self._process.wait()
        for container in re.findall(rf"{CREATED} (\w+)", self._log_path.read_text(errors="replace")):
            docker_command("rm", "--force", container)

    def _wait_until_it_listens(self) -> None:
        deadline = time.monotonic() + STARTS_WITHIN_SECONDS
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                socket.create_connection((LOOPBACK, self._port), timeout=1).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        raise NoContainerError(f"`sam local start-lambda` did not start, see {self._log_path}")

    def _new_log_lines(self) -> list[str]:
        """What was printed since the invocation began, up to the report, which may come just after the answer."""
        deadline = time.monotonic() + REPORTS_WITHIN_SECONDS
        while True:
            with self._log_path.open("rb") as log:
                log.seek(self._log_read_bytes)
                written = log.read().decode(errors="replace")
            if "\nREPORT RequestId:" in written or time.monotonic() > deadline:
                return written.splitlines()
            time.sleep(0.005)
