"""Runs one Lambda function in a process of its own; started by `process.py`, never imported.

Arguments: the descriptors to read invocations from and to answer to. One JSON line in, one JSON line out; standard
output and error stay the function's own and become its log. sys.path comes in SANDBOX_PATH and is all there is beside
the standard library.
"""

import importlib
import json
import logging
import os
import sys
import time
import traceback
from typing import Any

sys.path[:0] = os.environ.pop("SANDBOX_PATH").split(os.pathsep)


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


def answer(handler: Any, request: dict[str, Any]) -> dict[str, Any]:
    request_id = request["request_id"]
    try:
        returned = handler(json.loads(request["payload"]), Context(request))
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


def travel_to(seconds: float | None, position: Any) -> Any:
    """Follow the sandbox's clock; None is real time, in which nothing is patched."""
    if seconds is None:
        return None
    if position is None:
        import time_machine  # noqa: PLC0415 (costs a cold start in real time)

        return time_machine.travel(seconds, tick=True).start()
    position.move_to(seconds)
    return position


def main() -> None:
    log_like_lambda()
    position = handler = None
    with open(int(sys.argv[1]), encoding="utf-8") as requests, open(int(sys.argv[2]), "w", encoding="utf-8") as answers:
        for line in requests:
            request = json.loads(line)
            position = travel_to(request["now"], position)
            load_error: dict[str, Any] | None = None
            if handler is None:
                try:
                    handler = load_handler(os.environ["_HANDLER"])
                except LoadError as error:
                    load_error = failure(error.kind, error, request["request_id"])
                except Exception as error:
                    load_error = failure(type(error).__name__, error, request["request_id"])
            told = {"error": load_error, "ended": True} if load_error else answer(handler, request)
            sys.stdout.flush()
            print(json.dumps(told), file=answers, flush=True)
            if load_error:
                sys.exit(1)


if __name__ == "__main__":
    main()
