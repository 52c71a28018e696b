"""The real Lambda runtime interface in a container: `sam local invoke`, where a Docker engine runs."""

import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

from stage.invocation.answer_desk import AnswerDesk
from stage.invocation.built import BuiltFunction
from stage.invocation.deployed_stack import DeployedFunction
from stage.invocation.docker import STAND_IN, Docker, NoContainerError, sam_environment
from stage.invocation.invocation_outcome import InvocationOutcome, outcome_of
from stage.invocation.local_template import local_template
from stage.sam_deployment import PROJECT

TIMEOUT_SECONDS = 300
CREATED = "SAM_CONTAINER_ID:"
"""From this line of sam's on the function may have run; the emulator's own first line is sometimes lost."""


class Container:
    """A function as it was built and configured, in a container for each invocation."""

    def __init__(
        self,
        docker: Docker,
        function: tuple[BuiltFunction, DeployedFunction],
        endpoint_url: str,
        desk: AnswerDesk,
        work_dir: Path,
    ) -> None:
        self._logical_id = function[0].logical_id
        self._endpoint_url = endpoint_url
        self._desk = desk
        self._desk_url = f"{docker.reachable(desk.port)}/answer"
        self._work_dir = work_dir
        template = local_template([function], docker.reachable(urlsplit(endpoint_url).port or 80))
        self._options = (*template.written(work_dir), *docker.options)

    def invoke(self, event: str) -> InvocationOutcome:
        """Invoke the function once; NoContainerError when it never began."""
        event_file = self._work_dir / "event.json"
        event_file.write_text(self._desk.redirected(event, self._desk_url), encoding="utf-8")
        begun = time.perf_counter()
        done = subprocess.run(
            ["sam", "local", "invoke", self._logical_id, "--event", str(event_file), *self._options],
            cwd=PROJECT,
            env=sam_environment(self._endpoint_url),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
        printed = done.stderr.splitlines()
        created = next((number for number, line in enumerate(printed) if line.startswith(CREATED)), None)
        if created is None:
            (self._work_dir / "sam-local-invoke.log").write_text(done.stderr + done.stdout, encoding="utf-8")
            raise NoContainerError(f"Docker runs, but there is neither an image {STAND_IN} nor could AWS's be pulled")
        *_, answered = done.stdout.strip().splitlines() or [""]
        return outcome_of(answered, _until_end(printed[created + 1 :]), time.perf_counter() - begun)


def _until_end(printed: list[str]) -> list[str]:
    """What was printed, without what the runtime complains of when its container is stopped."""
    end = next((number for number, line in enumerate(printed) if line.startswith("END RequestId:")), len(printed))
    return printed[:end]
