"""One document on one instance, run as the SSM agent runs it.

The rules are those of the agent's own source, agent/executers and agent/plugins/runscript of
https://github.com/aws/amazon-ssm-agent: `sh -c` of a script file in a process group of its own; done when the script
has ended *and* nobody holds its output open; at the time-out or when cancelled SIGKILL to the whole group, without a
further wait.
"""

import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from sandbox.agents.document import Document, interpolated
from sandbox.agents.host import Host
from sandbox.agents.pipe import Pipe

KILLED_EXIT_CODE = 137
"""What the agent reports after its own SIGKILL. A script that ends with it counts as timed out, too."""
WORKING_DIRECTORY = "/usr/bin"
"""Where an agent of Amazon Linux starts what names no other place."""

type Status = Literal["Success", "Failed", "TimedOut", "Cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """How it ended; `duration_seconds` is real time, outputs are whole."""

    status: Status
    details: str
    response_code: int
    stdout: str
    stderr: str
    duration_seconds: float


def run_document(document: Document, parameters: Mapping[str, str], host: Host) -> Invocation:
    """Run the document on the host with checked parameters, and wait for its end."""
    return Execution(document, parameters, host).result()


class Execution:
    """A document under way, from its creation on."""

    def __init__(self, document: Document, parameters: Mapping[str, str], host: Host) -> None:
        # The agent knows the names, and pastes only what the document does not want in the environment.
        by_environment = {
            name
            for name, declared in document.parameters.items()
            if declared.is_environment_variable and host.passes_environment_variables
        }
        pasted = {name: value for name, value in parameters.items() if name not in by_environment}
        host.prepare()
        self.timeout_seconds = int(interpolated(document.timeout_seconds, parameters))
        self._news: queue.SimpleQueue[Literal["ended", "cancelled"]] = queue.SimpleQueue()
        self._result: Invocation | None = None
        self._finished = threading.Event()
        self._began = time.perf_counter()
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", str(_script(document, pasted, host))],
            cwd=interpolated(document.working_directory, pasted) or WORKING_DIRECTORY,
            env={**host.environment(), **{f"SSM_{name}": parameters[name] for name in by_environment}},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
        )
        assert self._process.stdout is not None  # noqa: S101 - asked for above
        assert self._process.stderr is not None  # noqa: S101
        self._stdout, self._stderr = Pipe(self._process.stdout), Pipe(self._process.stderr)
        threading.Thread(target=self._tell_end, daemon=True).start()
        threading.Thread(target=self._supervise, daemon=True).start()

    @property
    def process_id(self) -> int:
        """The script's process, and its process group."""
        return self._process.pid

    @property
    def elapsed_seconds(self) -> float:
        """Real seconds since it began, as long as it goes on."""
        return time.perf_counter() - self._began

    @property
    def stdout(self) -> str:
        """What the script has printed so far."""
        return self._stdout.text()

    @property
    def ended(self) -> Invocation | None:
        """How it ended, None while it goes on."""
        return self._result

    def wait(self, seconds: float) -> bool:
        """Wait for its end, at most so many real seconds; whether it has ended."""
        return self._finished.wait(max(seconds, 0))

    def result(self) -> Invocation:
        """Wait for its end."""
        self._finished.wait()
        assert self._result is not None  # noqa: S101 - set before the event
        return self._result

    def cancel(self) -> None:
        """Kill it, unless it has ended already."""
        self._news.put("cancelled")

    def _supervise(self) -> None:
        try:
            news: str = self._news.get(timeout=self.timeout_seconds)
        except queue.Empty:
            news = "timed out"
        if news == "ended":
            code = self._process.returncode
            self._finish(*_outcome(code), stderr_ends_with="" if code == 0 else _agents_words(code))
            return
        self._stdout.close()
        self._stderr.close()
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            # The script is gone and somebody outside its group still holds the output: a failure to the agent.
            self._finish("Failed", "Failed", 1, stderr_ends_with="failed to run commands: no such process")
            return
        if news == "cancelled":
            self._finish("Cancelled", "Cancelled", KILLED_EXIT_CODE)
        else:
            self._finish("TimedOut", "Execution Timed Out", KILLED_EXIT_CODE)

    def _finish(self, status: Status, details: str, code: int, *, stderr_ends_with: str = "") -> None:
        self._result = Invocation(
            status=status,
            details=details,
            response_code=code,
            stdout=self._stdout.text(),
            stderr=self._stderr.text() + stderr_ends_with,
            duration_seconds=self.elapsed_seconds,
        )
        self._finished.set()

    def _tell_end(self) -> None:
        self._process.wait()
        self._stdout.wait()
        self._stderr.wait()
        self._news.put("ended")


def _script(document: Document, pasted: Mapping[str, str], host: Host) -> Path:
    folder = host.folder / "document" / f"{time.time_ns():x}" / document.step
    folder.mkdir(parents=True)
    script = folder / "_script.sh"
    script.write_text("\n".join(interpolated(command, pasted) for command in document.commands) + "\n")
    script.chmod(0o700)
    return script


def _outcome(code: int) -> tuple[Status, str, int]:
    """Of a script that ended by itself, or by somebody else's signal: the agent reports that one as -1."""
    if code == 0:
        return "Success", "Success", 0
    if code == KILLED_EXIT_CODE:
        return "TimedOut", "Execution Timed Out", code
    return "Failed", "Failed", max(code, -1)


def _agents_words(code: int) -> str:
    """What the agent adds to the error output of a script that failed."""
    how = f"signal: {signal.strsignal(-code) or -code}".lower() if code < 0 else f"exit status {code}"
    return f"failed to run commands: {how}"
