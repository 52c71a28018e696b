"""One document on one instance, run as the SSM agent runs it.

The rules are those of the agent's own source, https://github.com/aws/amazon-ssm-agent: `sh -c` of a script file in a
process group of its own (agent/plugins/runscript/runshellscript.go, agent/executers/executers_unix.go); done when the
script has ended *and* nobody holds its output open; at the time-out or when cancelled SIGKILL to the whole group,
without a further wait (agent/executers/executers.go, ExecuteCommand); the status by the exit code
(agent/plugins/pluginutil/pluginutil_unix.go, GetStatus).

Differs: any time-out is taken. The agent takes 5 seconds to two days, and an hour in the place of all others.
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

from localaws.ssm.document import Document, interpolated
from localaws.ssm.host import Host
from localaws.ssm.pipe import Pipe
from localaws.ssm.power import power_off
from localaws.ssm.truncation import shortened, summary

KILLED_EXIT_CODE = 137
"""What the agent reports after its own SIGKILL. A script that ends with it counts as timed out, too: one whose only
process was killed by somebody else, where `sh` is dash. Bash becomes the script, and the agent sees the signal."""
REBOOT_EXIT_CODE = 194
"""By this a script asks for a reboot (agent/appconfig/constants_unix.go). Then it runs again from its beginning."""
MOST_RUNS = 15
"""How often the agent takes up again what it was at (agent/appconfig/constants.go, DefaultCommandRetryLimit)."""
WORKING_DIRECTORY = "/usr/bin"
"""The directory of the agent's service (packaging/linux/amazon-ssm-agent.service), where a document names no other."""
UMASK = 0o022
"""The mask of systemd, which the agent and its scripts inherit."""
LOST = (
    "document process failed unexpectedly: ipc messaging received timeout signal , check [ssm-document-worker]/"
    "[ssm-session-worker] log for crash reason"
)
"""All that is known of a script whose outputs the agent has lost: its worker is gone, or the instance was rebooted
(agent/framework/processor/executer/outofproc/master.go)."""

type News = Literal["ended", "cancelled", "lost", "timed out"]
type Status = Literal["Success", "Failed", "TimedOut", "Cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionResult:
    """How it ended; `duration_seconds` is real time, outputs and their `summary` are as the agent sends them."""

    status: Status
    details: str
    response_code: int
    stdout: str
    stderr: str
    summary: str
    duration_seconds: float


class Execution:
    """A document under way, from its creation on."""

    def __init__(self, document: Document, parameters: Mapping[str, str], host: Host, command_id: str = "") -> None:
        self.timeout_seconds = int(interpolated(document.timeout_seconds, parameters))
        self._host = host
        self._news: queue.SimpleQueue[News] = queue.SimpleQueue()
        self._result: ExecutionResult | None = None
        self._finished = threading.Event()
        self._began = time.perf_counter()
        self._stdout, self._stderr = Pipe(), Pipe()
        if why_skipped := document.why_skipped(host.platform.type):
            self._finish("Success", 0, summary_is=why_skipped)
            return
        # The agent knows the names, and pastes only what the document does not want in the environment.
        by_environment = {
            name
            for name, declared in document.parameters.items()
            if declared.is_environment_variable and host.passes_environment_variables
        }
        pasted = {name: value for name, value in parameters.items() if name not in by_environment}
        host.prepare()
        self._script = _script(document, pasted, host)
        self._working_directory = interpolated(document.working_directory, pasted) or WORKING_DIRECTORY
        # agent/plugins/runscript/runscript.go, setCommandIdEnvironment
        own = {"SSM_COMMAND_ID": command_id} if command_id else {}
        self._environment = {
            **host.environment(),
            **{f"SSM_{name}": parameters[name] for name in by_environment},
            **own,
        }
        self._start()
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
        return self._stdout.written().decode(errors="replace")

    @property
    def ended(self) -> ExecutionResult | None:
        """How it ended, None while it goes on."""
        return self._result

    def wait(self, seconds: float) -> bool:
        """Wait for its end, at most so many real seconds; whether it has ended."""
        return self._finished.wait(max(seconds, 0))

    def result(self) -> ExecutionResult:
        """Wait for its end."""
        self._finished.wait()
        assert self._result is not None  # noqa: S101 - set before the event
        return self._result

    def cancel(self) -> None:
        """Kill it, unless it has ended already."""
        self._news.put("cancelled")

    def lose(self) -> None:
        """The agent's worker that holds its outputs is gone. The script goes on, until it writes something."""
        self._news.put("lost")

    def _start(self) -> None:
        self._process = subprocess.Popen(
            ["sh", "-c", str(self._script)],
            executable=self._host.platform.sh_path,
            cwd=self._working_directory,
            env=self._environment,
            umask=UMASK,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,
        )
        assert self._process.stdout is not None  # noqa: S101 - asked for above
        assert self._process.stderr is not None  # noqa: S101 - asked for above
        # Outputs are files that are appended to, also after a reboot (iohandler/iomodule/commandoutput.go).
        self._stdout.follow(self._process.stdout)
        self._stderr.follow(self._process.stderr)
        threading.Thread(target=self._tell_end, daemon=True).start()

    def _supervise(self) -> None:
        for _ in range(MOST_RUNS):
            news = self._next()
            if news != "ended" or self._process.returncode != REBOOT_EXIT_CODE:
                break
            power_off(self._host)
            self._start()
        else:
            news = "lost"
        if news == "ended":
            self._finish_by_itself(self._process.returncode)
        elif news == "lost":
            self._stdout.hang_up()
            self._stderr.hang_up()
            self._finish("Failed", 1, summary_is=LOST)
        else:
            self._kill(news)

    def _next(self) -> News:
        try:
            return self._news.get(timeout=self.timeout_seconds)
        except queue.Empty:
            return "timed out"

    def _finish_by_itself(self, code: int) -> None:
        if code == 0:
            self._finish("Success", 0)
        elif code == KILLED_EXIT_CODE:
            self._finish("TimedOut", code)
        else:
            self._finish("Failed", max(code, -1), stderr_ends_with=_agents_words(code))

    def _kill(self, news: News) -> None:
        self._stdout.close()
        self._stderr.close()
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            # The script is gone and somebody outside its group still holds the output: a failure to the agent.
            self._finish("Failed", 1, stderr_ends_with="failed to run commands: no such process")
            return
        self._finish("Cancelled" if news == "cancelled" else "TimedOut", KILLED_EXIT_CODE)

    def _finish(self, status: Status, code: int, *, stderr_ends_with: str = "", summary_is: str | None = None) -> None:
        """`summary_is` where the agent has its own words, and no outputs."""
        silent = summary_is is not None
        stdout = b"" if silent else self._stdout.written()
        stderr = b"" if silent else self._stderr.written() + stderr_ends_with.encode()
        self._result = ExecutionResult(
            status=status,
            details="Execution Timed Out" if status == "TimedOut" else status,
            response_code=code,
            stdout=shortened(stdout),
            stderr=shortened(stderr),
            summary=summary(stdout, stderr) if summary_is is None else summary_is,
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
    script.write_text(
        "\n".join(interpolated(command, pasted) for command in document.commands) + "\n", encoding="utf-8"
    )
    script.chmod(0o700)
    return script


def _agents_words(code: int) -> str:
    """What the agent adds to the error output of a script that failed."""
    how = f"signal: {signal.strsignal(-code) or -code}".lower() if code < 0 else f"exit status {code}"
    return f"failed to run commands: {how}"
