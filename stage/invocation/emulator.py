"""The real Lambda runtime interface as a process: AWS's emulator, which SAM CLI carries, and its Python client.

Differs from Lambda: no memory limit, this machine's Python and boto3, and log group and account of the context are the
emulator's own inventions.
"""

import os
import platform
import socket
import subprocess
import sys
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from pathlib import Path

from localaws.account import REGION
from localaws.functions.function_deployment import RUNTIME_PACKAGES, linked_packages
from stage.invocation.deployed_stack import DeployedFunction
from stage.invocation.invocation_outcome import InvocationOutcome
from stage.invocation.lambda_endpoint import LOOPBACK, LambdaEndpoint
from stage.sam_deployment import PROJECT

RUNTIME_CLIENT_PACKAGES = ("awslambdaric", "runtime_client", "simplejson", "snapshot_restore_py")


class EmulatorMissingError(RuntimeError):
    """This machine cannot run the emulator."""


class Emulator(LambdaEndpoint):
    """One warm function; the first invocation is its cold start."""

    starts_within_seconds = 10

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
        port, runtime_port = _free_ports()
        log_path = work_dir / f"{function.name}-{port}.log"
        with log_path.open("wb") as log:
            process = subprocess.Popen(
                [
                    *(str(emulator_binary()), "--log-level", "error"),
                    *("--runtime-interface-emulator-address", f"{LOOPBACK}:{port}"),
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
        super().__init__(process, port, log_path)

    def invoke(self, event: str) -> InvocationOutcome:
        """Invoke the function with a JSON text and wait for it; the emulator ends one that takes too long."""
        return self._invoked("function", event, self._timeout_seconds + 10)

    def close(self) -> None:
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def _not_started(self) -> Exception:
        return EmulatorMissingError(
            f"The runtime interface emulator did not start: {self._log_path.read_text(encoding='utf-8')}"
        )


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
