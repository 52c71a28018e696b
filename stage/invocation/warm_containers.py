"""All functions in containers that stay: `sam local start-lambda`, where a Docker engine runs."""

import re
import signal
import socket
import subprocess
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from operate.terminal import command_line
from stage.invocation.answer_desk import AnswerDesk
from stage.invocation.built import BuiltFunction
from stage.invocation.container import CREATED
from stage.invocation.deployed_stack import DeployedFunction
from stage.invocation.docker import Docker, NoContainerError, docker_command, sam_environment
from stage.invocation.invocation_outcome import InvocationOutcome
from stage.invocation.lambda_endpoint import LOOPBACK, LambdaEndpoint
from stage.invocation.local_template import local_template
from stage.sam_deployment import PROJECT

STOPS_WITHIN_SECONDS = 30
# The first time, AWS's image is pulled.
ANSWERS_WITHIN_SECONDS = 240
ATTEMPTS = 5


class WarmContainers(LambdaEndpoint):
    """A container for each function; NoContainerError when there can be none."""

    starts_within_seconds = 60

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
                # EAGER starts them in threads, which now and then forget a container and start another. Without
                # --no-watch, sam ends a container when its image is built anew.
                [
                    *("sam", "local", "start-lambda", "--port", str(port)),
                    *("--warm-containers", "LAZY", "--no-watch"),
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

    def invoke(self, logical_id: str, event: str) -> InvocationOutcome:
        """Invoke a function with a JSON text and wait for it; again where sam did not get as far as the function."""
        for _ in range(ATTEMPTS):
            # What the containers printed since the last one is not of this invocation.
            self._log_read_bytes = self._log_path.stat().st_size
            outcome = self._invoked(logical_id, self._desk.redirected(event, self._desk_url), ANSWERS_WITHIN_SECONDS)
            if not _failed_in_sam(outcome):
                break
        return outcome

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
        for container in re.findall(rf"{CREATED} (\w+)", self._log_path.read_text(errors="replace", encoding="utf-8")):
            docker_command("rm", "--force", container)

    def _not_started(self) -> Exception:
        return NoContainerError(f"`sam local start-lambda` did not start, see {self._log_path}")


def _failed_in_sam(outcome: InvocationOutcome) -> bool:
    """Whether sam had no connection to its container, or answers with its web server's page for an error of its own."""
    no_response = any("No response from invoke container" in line for line in outcome.log)
    return no_response or (outcome.error or "").startswith("<!doctype html>")
