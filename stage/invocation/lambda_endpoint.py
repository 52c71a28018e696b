"""A process that answers Lambda's Invoke call at a port of this machine, and what functions print meanwhile."""

import http.client
import socket
import time
from abc import ABC, abstractmethod
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar, Self

from stage.invocation.invocation_outcome import InvocationOutcome, outcome_of

if TYPE_CHECKING:
    import subprocess

LOOPBACK = "127.0.0.1"
# It comes within milliseconds; a busy machine may take longer.
REPORTS_WITHIN_SECONDS = 20


class LambdaEndpoint(ABC):
    """Runs while the `with` block lasts. Whoever makes one has started the process, whose output is the log."""

    starts_within_seconds: ClassVar[int]

    def __init__(self, process: "subprocess.Popen[bytes]", port: int, log_path: Path) -> None:
        self._process = process
        self._port = port
        self._log_path = log_path
        self._log_read_bytes = 0

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

    @abstractmethod
    def close(self) -> None:
        """End the process, and with it the functions."""

    @abstractmethod
    def _not_started(self) -> Exception:
        """What to raise when it does not come up."""

    def _invoked(self, function: str, event: str, timeout_seconds: float) -> InvocationOutcome:
        """Invoke a function with a JSON text and wait for it; `timeout_seconds` are for an endpoint that hangs."""
        connection = http.client.HTTPConnection(LOOPBACK, self._port, timeout=timeout_seconds)
        begun = time.perf_counter()
        try:
            path = f"/2015-03-31/functions/{function}/invocations"
            connection.request("POST", path, event.encode(), {"Content-Type": "application/json"})
            answered = connection.getresponse().read().decode()
        finally:
            connection.close()
        seconds = time.perf_counter() - begun
        return outcome_of(answered, self._new_log_lines(), seconds)

    def _wait_until_it_listens(self) -> None:
        deadline = time.monotonic() + self.starts_within_seconds
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                socket.create_connection((LOOPBACK, self._port), timeout=1).close()
            except OSError:
                time.sleep(0.01)
            else:
                return
        raise self._not_started()

    def _new_log_lines(self) -> list[str]:
        """What was printed since the last call. The report comes just after the answer, so it is waited for."""
        deadline = time.monotonic() + REPORTS_WITHIN_SECONDS
        while True:
            with self._log_path.open("rb") as log:
                log.seek(self._log_read_bytes)
                written = log.read()
            if b"\nREPORT RequestId:" in written or time.monotonic() > deadline or self._process.poll() is not None:
                self._log_read_bytes += len(written)
                return written.decode(errors="replace").splitlines()
            time.sleep(0.002)
