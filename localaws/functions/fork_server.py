"""Starts workers as copies of one process that has loaded the runtime's packages, as Lambda starts from a snapshot.

Loading them takes a fifth of a second of a processor each time, and a new stack has eight functions.
"""

import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import connection
from pathlib import Path

from localaws.functions.function_deployment import runtime_packages
from localaws.functions.made_once import made_once

WORKER = Path(__file__).with_name("worker.py")


class ForkedProcess:
    """A copy: nobody's child here, so how it ended comes through a pipe."""

    def __init__(self, descriptor: int, status: int) -> None:
        self._descriptor = descriptor
        self._status = status
        self._exit_code: int | None = None

    def is_alive(self) -> bool:
        """Whether it still runs."""
        return not connection.wait([self._descriptor], 0)

    def kill(self) -> None:
        """End it, whatever it does."""
        if self._exit_code is None:
            # Whoever interrupts a command interrupts what it runs, too: it may be gone already.
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._descriptor, signal.SIGKILL)

    def wait(self) -> int:
        """Wait until the process has ended; its exit code."""
        if self._exit_code is None:
            # Nothing where the process that it is a copy of was killed, and with it whoever would know.
            self._exit_code = int(os.read(self._status, 16) or -signal.SIGKILL)
            os.close(self._status)
            os.close(self._descriptor)
        return self._exit_code


class ForkServer:
    """The process that is copied, for as long as this one lasts."""

    def __init__(self) -> None:
        runtime = runtime_packages()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(
                # Isolated and without site-packages: only what it is told can be imported.
                [sys.executable, "-I", "-S", "-u", "-X", "utf8", str(WORKER), str(theirs.fileno()), str(runtime)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                # A Ctrl-C is for whoever asks: this one ends, with all that it made, when nobody is left to ask.
                process_group=0,
            )
        self._lock = threading.Lock()

    def fork(
        self,
        *,
        environment: Mapping[str, str],
        path: Sequence[str],
        folder: Path,
        requests: int,
        answers: int,
        log: int,
    ) -> ForkedProcess:
        """A worker that reads from `requests`, and writes to `answers` and `log`."""
        status, status_write = os.pipe()
        settings = {"environment": dict(environment), "path": list(path), "folder": str(folder)}
        try:
            with self._lock:
                socket.send_fds(self._control, [json.dumps(settings).encode()], [requests, answers, log, status_write])
                _, (descriptor,), *_ = socket.recv_fds(self._control, 16, 1)
        finally:
            os.close(status_write)
        return ForkedProcess(descriptor, status)

    def close(self) -> None:
        """End it; workers end when whoever they work for closes their pipe."""
        self._control.close()
        self._process.wait()


@made_once
def fork_server() -> ForkServer:
    """The one of this process, started when first needed."""
    started = ForkServer()
    atexit.register(started.close)
    return started
