"""Runs Lambda functions, each in a process of its own; started by `fork_server.py`, never imported.

Arguments: a socket's descriptor, and the folder of the runtime's packages. They are loaded once, here; whoever asks on
the socket gets a copy of this process that runs one function. It reads one invocation from each line of JSON and
answers each with another; standard output and error stay the function's own and become its log. What can be imported
is the function's own path and the standard library.
"""

import gc
import importlib
import json
import logging
import os
import runpy
import signal
import socket
import sys
import time
import traceback
from pathlib import Path
from types import SimpleNamespace
from typing import Any

LOADED = ("boto3", "botocore.session", "time_machine")
"""What nearly every function of a sandbox imports, and what takes long."""
SERVICES = ("cloudformation", "cloudwatch", "efs", "kms", "sns", "ssm")

type Settings = dict[str, Any]


class Context:
    """What a handler gets as its second argument; the deadline is real time, like the time-out."""

    identity = None
    client_context = None

    def __init__(self, request: dict[str, Any]) -> None:
        self.function_name = os.environ["AWS_LAMBDA_FUNCTION_NAME"]
        self.function_version = os.environ["AWS_LAMBDA_FUNCTION_VERSION"]
        self.memory_limit_in_mb = os.environ["AWS_LAMBDA_FUNCTION_MEMORY_SIZE"]
        self.log_group_name = os.environ["AWS_LAMBDA_LOG_GROUP_NAME"]
        self.log_stream_name = os.environ["AWS_LAMBDA_LOG_STREAM_NAME"]
        self.invoked_function_arn = request["function_arn"]
        self.aws_request_id = request["request_id"]
        self._deadline = time.monotonic() + request["timeout_seconds"]

    def get_remaining_time_in_millis(self) -> int:
        return max(0, int((self._deadline - time.monotonic()) * 1000))

    def spend(self, seconds: float) -> None:
        """Move the deadline as though so much time had passed."""
        self._deadline -= seconds


class WorkerClock:
    """The sandbox's, followed; in real time nothing is patched.

    A pause of the function's, or of botocore's before it asks again, takes as long by that clock, and no time of ours.
    A pause that would outlast the function is real: it is ended in the midst of it.
    """

    def __init__(self) -> None:
        self._position: Any = None
        self._sleep = time.sleep
        self.context: Context | None = None

    def take_over_pauses(self) -> None:
        """Before a function is loaded, which may keep `time.sleep` as it is then; real until a time is known."""
        time.sleep = self._pause  # type: ignore[assignment] # nobody here gives it an index

    def follow(self, seconds: float | None) -> None:
        if seconds is None:
            return
        if self._position is not None:
            self._position.move_to(seconds)
            return
        # Only the runtime's folder has them.
        import botocore.endpoint  # noqa: PLC0415 - only the runtime's folder has it
        import time_machine  # noqa: PLC0415 - only the runtime's folder has it

        self._position = time_machine.travel(seconds, tick=True).start()
        botocore.endpoint.time = SimpleNamespace(sleep=self._position.shift)  # type: ignore[attr-defined] # the module looks it up there
        self.take_over_pauses()

    def _pause(self, seconds: float) -> None:
        if self._position is None or self.context is None:
            self._sleep(seconds)
            return
        if seconds * 1000 >= self.context.get_remaining_time_in_millis():
            self._sleep(seconds)
            return
        self._position.shift(seconds)
        self.context.spend(seconds)


class LoadError(Exception):
    """The handler cannot be had; `kind` is Lambda's name for the reason."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def load_handler(name: str) -> Any:
    module_name, _, function_name = name.rpartition(".")
    try:
        module = importlib.import_module(module_name.replace("/", "."))
    except ImportError as error:
        message = f"Unable to import module '{module_name}': {error}"
        raise LoadError("Runtime.ImportModuleError", message) from error
    except SyntaxError as error:
        message = f"Syntax error in module '{module_name}': {error}"
        raise LoadError("Runtime.UserCodeSyntaxError", message) from error
    if not hasattr(module, function_name):
        message = f"Handler '{function_name}' missing on module '{module_name}'"
        raise LoadError("Runtime.HandlerNotFound", message)
    return getattr(module, function_name)


def failure(kind: str, error: BaseException, request_id: str) -> dict[str, Any]:
    """Lambda's shape of an error, written to the log as well."""
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename != __file__ and not frame.filename.startswith("<frozen importlib")
    ]
    stack = traceback.format_list(frames)
    print(f"[ERROR] {kind}: {error}\nTraceback (most recent call last):\n{''.join(stack)}", end="")
    return {"errorMessage": str(error), "errorType": kind, "requestId": request_id, "stackTrace": stack}


def answer(handler: Any, request: dict[str, Any], clock: WorkerClock) -> dict[str, Any]:
    request_id = request["request_id"]
    clock.context = Context(request)
    try:
        returned = handler(json.loads(request["payload"]), clock.context)
    except Exception as error:
        return {"error": failure(type(error).__name__, error, request_id)}
    try:
        return {"response": json.dumps(returned)}
    except (TypeError, ValueError) as error:
        unserialisable = ValueError(f"Unable to marshal response: {error}")
        return {"error": failure("Runtime.MarshalError", unserialisable, request_id)}


def log_like_lambda() -> None:
    """The real runtime puts a handler on the root logger, so a plain `logging.warning` reaches the log."""
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        logging.Formatter("[%(levelname)s]\t%(asctime)s.%(msecs)03dZ\t%(message)s", "%Y-%m-%dT%H:%M:%S")
    )
    logging.getLogger().addHandler(handler)


def load_runtime(runtime: str) -> None:
    """Load what the runtime brings along, as every copy has it."""
    sys.path.insert(0, runtime)
    for name in LOADED:
        importlib.import_module(name)
    part("service_data.py")["read_once"]()
    read_services()
    # Shared by all copies as long as nobody writes to it.
    gc.freeze()
    # A Ctrl-C is for whoever asks; it ends this process by going.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def part(name: str) -> dict[str, Any]:
    """What a file beside this one defines; as a module, functions could import it."""
    return runpy.run_path(str(Path(__file__).with_name(name)))


def read_services() -> None:
    """Have at hand what botocore reads for the clients that functions make."""
    from botocore.session import get_session  # noqa: PLC0415 - only the runtime's folder has it

    for service in SERVICES:
        get_session().create_client(
            service,
            region_name="us-east-1",
            aws_access_key_id="none",
            aws_secret_access_key="none",
        )


def become(settings: Settings, runtime: str) -> None:
    """Take on a function's environment, folder and path."""
    take_on_environment(settings)
    sys.path[sys.path.index(runtime) : sys.path.index(runtime) + 1] = settings["path"]
    # What a function brings along hides what the runtime has of it.
    brought = {package.name for package in Path(runtime).iterdir()} & {
        package.name for folder in settings["path"][:-1] for package in Path(folder).glob("*")
    }
    for name in [name for name in sys.modules if name.partition(".")[0] in brought]:
        del sys.modules[name]


def take_on_environment(settings: Settings) -> None:
    """Take on a function's environment and folder."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.clear()
    os.environ.update(settings["environment"])
    time.tzset()
    os.chdir(settings["folder"])


def loaded() -> tuple[Any, WorkerClock]:
    """A function's handler, and the clock that its pauses will follow; raises whatever its module does."""
    log_like_lambda()
    clock = WorkerClock()
    clock.take_over_pauses()
    return load_handler(os.environ["_HANDLER"]), clock


def main() -> None:
    runtime = sys.argv[2]
    load_runtime(runtime)
    ours = part("forked_workers.py")
    steps = ours["Steps"](lambda settings: become(settings, runtime), take_on_environment, loaded)
    order = ours["Copies"](socket.socket(fileno=int(sys.argv[1])), steps).serve()
    handler, clock = order.loaded or (None, WorkerClock())
    if handler is None:
        log_like_lambda()
    with (
        open(order.requests, encoding="utf-8") as requests,
        open(order.answers, "w", encoding="utf-8") as answers,
    ):
        for line in requests:
            request = json.loads(line)
            clock.follow(request["now"])
            load_error: dict[str, Any] | None = None
            if handler is None:
                try:
                    handler = load_handler(os.environ["_HANDLER"])
                except LoadError as error:
                    load_error = failure(error.kind, error, request["request_id"])
                except Exception as error:
                    load_error = failure(type(error).__name__, error, request["request_id"])
            told = {"error": load_error, "ended": True} if load_error else answer(handler, request, clock)
            sys.stdout.flush()
            print(json.dumps(told), file=answers, flush=True)
            if load_error:
                sys.exit(1)


if __name__ == "__main__":
    main()
