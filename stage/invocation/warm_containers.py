"""All functions at once in containers that stay: `sam local start-lambda`, where a Docker engine runs."""

import http.client
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from operate.terminal import command_line
from stage.deployment import PROJECT
from stage.invocation.answer_desk import AnswerDesk
from stage.invocation.built import BuiltFunction
from stage.invocation.container import CREATED
from stage.invocation.deployed_stack import DeployedFunction
from stage.invocation.docker import Docker, NoContainerError, docker_command, sam_environment
from stage.invocation.lambda_endpoint import LOOPBACK, LambdaEndpoint
from stage.invocation.local_template import local_template
from stage.invocation.outcome import Outcome

STOPS_WITHIN_SECONDS = 30
LISTEN_WITHIN_SECONDS = 60
ANSWERS_WITHIN_SECONDS = 60
EMULATOR_PORT = 8080


class WarmContainers(LambdaEndpoint):
    """A container for each function; NoContainerError when they do not come up."""

    # The first time, AWS's image is pulled.
    starts_within_seconds = 240

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
            port: int = held.getsockname()[1]
        log_path = work_dir / "sam-local-start-lambda.log"
        template = local_template(functions, docker.reachable(urlsplit(endpoint_url).port or 80))
        self._options = (*template.written(work_dir), *docker.options)
        with log_path.open("wb") as log:
            process = subprocess.Popen(
                [
                    *("sam", "local", "start-lambda", "--port", str(port)),
                    # It would end containers that stand already when the image of another is made anew.
                    *("--warm-containers", "EAGER", "--no-watch"),
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
        super().__init__(process, port, log_path)

    @property
    def by_hand(self) -> str:
        """What a person may type meanwhile to invoke a function in a container of its own."""
        options = [option.removeprefix(f"{PROJECT}/") for option in self._options]
        return command_line(["sam", "local", "invoke", "Explain", "--event", "events/warning-alarm.json", *options])

    def invoke(self, logical_id: str, event: str) -> Outcome:
        """Invoke a function with a JSON text and wait for it."""
        # What the containers printed since the last one is not of this invocation.
        self._log_read_bytes = self._log_path.stat().st_size
        return self._invoked(logical_id, self._desk.redirected(event, self._desk_url), ANSWERS_WITHIN_SECONDS)

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
        for container in self._containers():
            docker_command("rm", "--force", container)

    def _wait_until_it_listens(self) -> None:
        """Until every container answers. Sam waits until its port is open, which Docker opens before anyone listens."""
        super()._wait_until_it_listens()
        deadline = time.monotonic() + LISTEN_WITHIN_SECONDS
        for container in self._containers():
            while not _answers(container):
                if time.monotonic() > deadline:
                    raise self._not_started()
                time.sleep(0.1)

    def _containers(self) -> list[str]:
        return re.findall(rf"{CREATED} (\w+)", self._log_path.read_text(errors="replace"))

    def _not_started(self) -> Exception:
        return NoContainerError(f"`sam local start-lambda` did not start, see {self._log_path}")


def _answers(container: str) -> bool:
    """Whether the runtime interface emulator in a container answers HTTP, with whatever status."""
    published = docker_command("port", container, f"{EMULATOR_PORT}/tcp")
    if not published:
        return False
    host, port = published.split()[0].rsplit(":", 1)
    connection = http.client.HTTPConnection(host, int(port), timeout=5)
    try:
        connection.request("GET", "/")
        connection.getresponse()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True
