"""What moto's Lambda does when it is asked to invoke: ours instead of its container."""

import base64
import json
from collections.abc import Callable, Mapping, MutableMapping
from typing import Any

from moto.awslambda.models import LambdaBackend, LambdaFunction
from moto.core.exceptions import JsonRESTError

from localaws.functions.event_queue import EventQueue
from localaws.functions.executor import Executor

LOG_TAIL_BYTES = 4_096
LARGEST_EVENT_BYTES, LARGEST_REQUEST_BYTES = 1_048_576, 6_291_456
"""Of an asynchronous invocation and of another: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html."""

Invoke = Callable[[LambdaFunction, Any, Mapping[str, str], MutableMapping[str, str]], bytes]


def invoke_with(executor: Executor, events: EventQueue) -> Invoke:
    """A replacement for `LambdaFunction.invoke` that runs the deployed code."""

    def invoke(
        function: LambdaFunction, body: Any, headers: Mapping[str, str], response_headers: MutableMapping[str, str]
    ) -> bytes:
        payload = body if isinstance(body, bytes) else (body or "{}").encode()
        # moto calls without headers when it delivers for SNS or Logs; those invoke asynchronously.
        kind = headers.get("x-amz-invocation-type", "RequestResponse") if headers else "Event"
        _check_size(len(payload), kind)
        try:
            json.loads(payload)
        except ValueError as error:
            raise _error(
                400, "InvalidRequestContentException", f"Could not parse request body into json: {error}"
            ) from error
        if kind == "DryRun":
            return b""
        if kind == "Event":
            response_headers["x-amzn-requestid"] = events.accept(function.function_name, payload)
            return b""
        if str(function.reserved_concurrency) == "0":
            raise _error(429, "TooManyRequestsException", "Rate Exceeded.")
        invocation = executor.run(function, payload)
        response_headers["x-amz-executed-version"] = "$LATEST"
        tail = "\n".join(invocation.log).encode()[-LOG_TAIL_BYTES:]
        response_headers["x-amz-log-result"] = base64.b64encode(tail).decode()
        if invocation.failed:
            response_headers["x-amz-function-error"] = "Unhandled"
        return invocation.response

    return invoke


def _check_size(size_bytes: int, kind: str) -> None:
    """In AWS's words: https://github.com/ASFHyP3/hyp3/issues/2241, where an event had a quarter as much."""
    if kind == "Event" and size_bytes > LARGEST_EVENT_BYTES:
        told = (
            f"{size_bytes} byte payload is too large for the Event invocation type (limit {LARGEST_EVENT_BYTES} bytes)"
        )
        raise _error(413, "RequestEntityTooLargeException", told)
    if size_bytes > LARGEST_REQUEST_BYTES:
        told = f"Request must be smaller than {LARGEST_REQUEST_BYTES} bytes for the InvokeFunction operation"
        raise _error(413, "RequestEntityTooLargeException", told)


def _error(status: int, kind: str, message: str) -> JsonRESTError:
    error = JsonRESTError(kind, message)
    error.code = status
    return error


def deleting_with(executor: Executor, theirs: Callable[..., None]) -> Callable[..., None]:
    """`LambdaBackend.delete_function`, which also ends the processes that wait for the next invocation."""

    def delete_function(backend: LambdaBackend, function_name: str, qualifier: str | None = None) -> None:
        function = backend.get_function(function_name)
        theirs(backend, function_name, qualifier)
        if qualifier is None:
            executor.forget(function.function_name)

    return delete_function
