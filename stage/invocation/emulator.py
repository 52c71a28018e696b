"""The real Lambda runtime interface as a process: AWS's emulator, which SAM CLI carries, and its Python client.

Differs from Lambda: no memory limit, this machine's Python and boto3, and log group and account of the context are the
emulator's own inventions.
"""

import http.client
import os
import platform
import socket
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from localaws.account import REGION
from localaws.functions.deployment import RUNTIME_PACKAGES, linked_packages
from stage.deployment import PROJECT
from stage.invocation.outcome import Outcome, outcome_of
from stage.invocation.stack import DeployedFunction

LOOPBACK = "127.0.0.1"
INVOKE_PATH = "/2015-03-31/functions/function/invocations"
RUNTIME_CLIENT_PACKAGES = ("awslambdaric", "runtime_client", "simplejson", "snapshot_restore_py")
STARTS_WITHIN_SECONDS = 10
REPORTS_WITHIN_SECONDS = 2


class EmulatorMissingError(RuntimeError):
    """This machine cannot run the emulator."""


class Emulator:
    """One warm function while the `with` block lasts; the first invocation is its cold start."""

    def __init__(
        self,
        function: DeployedFunction,
        import_paths: Iterable[Path],
        endpoint_url: str,
        work_dir: Path,
        *,
        handler: str | None = None,
    ) -> None:
        runtime = linked_packages(work_dir / "runtime", (*RUNTIME_PACKAGES, *RUNTIME_CLIENT_PACKAGES))
        paths = [path.resolve() for path in (*import_paths, runtime)]
        self._timeout_seconds = function.timeout_seconds
        self._log_read_bytes = 0
        self._port, runtime_port = _free_ports()
        self._log_path = work_dir / f"{function.name}-{self._port}.log"
        with self._log_path.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    *(str(emulator_binary()), "--log-level", "error"),
                    *("--runtime-interface-emulator-address", f"{LOOPBACK}:{self._port}"),
                    *("--runtime-api-address", f"{LOOPBACK}:{runtime_port}"),
                    # Without site-packages: only what PYTHONPATH names can be imported, nothing of src/.
                    *(sys.executable, "-S", "-m", "awslambdaric", handler or function.handler),
                ],
                cwd=paths[0],
                env=_environment(function, endpoint_url, paths),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
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

    def invoke(self, event: str) -> Outcome:
        """Invoke the function with a JSON text and wait for it."""
        # The emulator ends a function that takes too long; this limit is for an emulator that hangs itself.
        connection = http.client.HTTPConnection(LOOPBACK, self._port, timeout=self._timeout_seconds + 10)
        begun = time.perf_counter()
        try:
            connection.request("POST", INVOKE_PATH, event.encode(), {"Content-Type": "application/json"})
            answered = connection.getresponse().read().decode()
        finally:
            connection.close()
        seconds = time.perf_counter() - begun
        return outcome_of(answered, self._new_log_lines(), seconds)

    def close(self) -> None:
        """End the emulator, which ends the function."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _wait_until_it_listens(self) -> None:
        deadline = time.monotonic() + STARTS_WITHIN_SECONDS
        while self._process.poll() is None and time.monotonic() < deadline:
            try:
                socket.create_connection((LOOPBACK, self._port), timeout=1).close()
            except OSError:
                time.sleep(0.01)
            else:
                return
        raise EmulatorMissingError(f"The runtime interface emulator did not start: {self._log_path.read_text()}")

    def _new_log_lines(self) -> list[str]:
        """What was printed since the last call. The report comes just after the answer, so it is waited for."""
        deadline = time.monotonic() + REPORTS_WITHIN_SECONDS
        while True:
            written = self._log_path.read_bytes()[self._log_read_bytes :]
            if b"\nREPORT RequestId:" in written or time.monotonic() > deadline or self._process.poll() is not None:
                self._log_read_bytes += len(written)
                return written.decode(errors="replace").splitlines()
            time.sleep(0.002)


def emulator_binary() -> Path:
    """The emulator for this processor inside SAM CLI's environment; EmulatorMissingError where there is none."""
    architecture = "arm64" if platform.machine() in {"arm64", "aarch64"} else "x86_64"
    name = f"aws-lambda-rie-{architecture}"
    found = sorted((PROJECT / ".venv-sam").glob(f"lib/python3*/site-packages/samcli/local/rapid/{name}"))
    if not found or sys.platform != "linux":
        raise EmulatorMissingError(
            f"Without a Docker engine a function needs {name} from SAM CLI and Linux; run `make setup`, or start Docker"
        )
    return found[-1]


def _environment(function: DeployedFunction, endpoint_url: str, paths: Iterable[Path]) -> Mapping[str, str]:
    """The variables Lambda reserves win over the function's own, and nothing of ours is inherited."""
    return {
        **function.environment,
        **function.credentials,
        "PATH": "/usr/local/bin:/usr/bin:/bin",
        "LANG": "en_US.UTF-8",
        "TZ": ":UTC",
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        # Lambda's file system takes no bytecode either: what was not compiled before is compiled each time.
        "PYTHONDONTWRITEBYTECODE": "1",
        "AWS_REGION": REGION,
        "AWS_DEFAULT_REGION": REGION,
        "AWS_ENDPOINT_URL": endpoint_url,
        "AWS_LAMBDA_FUNCTION_NAME": function.name,
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_LAMBDA_FUNCTION_TIMEOUT": str(function.timeout_seconds),
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(function.memory_megabytes),
    }


def _free_ports() -> tuple[int, int]:
    """Two ports that were free a moment ago: both are held until both are known."""
    with ExitStack() as held:
        first, second = (held.enter_context(socket.create_server((LOOPBACK, 0))) for _ in range(2))
        return first.getsockname()[1], second.getsockname()[1]
