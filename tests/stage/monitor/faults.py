"""Between a client and the sandbox's server: counts what is asked of AWS, and lets chosen calls fail as AWS's do."""

import io
import json
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs

from localaws.sandbox import Sandbox

type Environ = dict[str, Any]
type StartResponse = Callable[..., Any]

# Functions work with the temporary credentials of their role, operators and deployments with lasting ones.
TEMPORARY_KEY = "Credential=ASIA"
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, kw_only=True)
class ObservedCall:
    """One request: the action in IAM's words, whether a function made it, and its body."""

    action: str
    by_function: bool
    body: str


@dataclass(frozen=True, kw_only=True)
class InjectedFailure:
    """What is answered instead; `code` None is the bare page of a broken gateway, `seconds` how long it takes.

    `in_xml` is the body for whoever asks in a form: older libraries have another protocol for the same service.
    """

    status: int = 500
    code: str | None = None
    message: str = "of the test"
    body: str | None = None
    in_xml: str | None = None
    seconds: float = 0


THROTTLED = InjectedFailure(status=400, code="ThrottlingException", message="Rate exceeded")
# PutParameter while another one for the same parameter is at work: nothing is written, and botocore does not try again.
CONCURRENT = InjectedFailure(
    status=400,
    code="TooManyUpdates",
    message="There are concurrent updates for a resource that supports one update at a time.",
)
BROKEN = InjectedFailure(status=503)
DENIED = InjectedFailure(status=403, code="AccessDenied", message="no identity-based policy allows the action")
GARBAGE = InjectedFailure(status=200, body='{"surprise": true}')
# Of one metric, in an answer that is none of an error.
INTERNAL_ERROR = InjectedFailure(
    status=200,
    body='{"MetricDataResults": [{"Id": "m0", "StatusCode": "InternalError", "Timestamps": [], "Values": []}]}',
    in_xml="<GetMetricDataResponse><GetMetricDataResult><MetricDataResults><member>"
    "<Id>m0</Id><StatusCode>InternalError</StatusCode><Timestamps/><Values/>"
    "</member></MetricDataResults></GetMetricDataResult></GetMetricDataResponse>",
)
# Longer than the functions wait for an answer.
SILENT = InjectedFailure(status=503, seconds=5)


def stack_in(name: str, status: str, created: str = "2030-01-01T00:00:00Z", more: str = "") -> InjectedFailure:
    """What DescribeStacks answers of a stack in this status, with fields of the API in XML besides."""
    fields = f"<StackName>{name}</StackName><StackStatus>{status}</StackStatus><CreationTime>{created}</CreationTime>"
    stacks = f"<Stacks><member>{fields}{more}</member></Stacks>"
    answer = f"<DescribeStacksResult>{stacks}</DescribeStacksResult>"
    return InjectedFailure(status=200, body=f"<DescribeStacksResponse>{answer}</DescribeStacksResponse>")


@dataclass(kw_only=True)
class _Plan:
    action: str
    failure: InjectedFailure
    about: str
    skip: int
    times: int | None


class FaultInjector:
    """A WSGI application around the server's own; `with` is not needed, it ends with the sandbox."""

    def __init__(self, sandbox: Sandbox) -> None:
        server = sandbox._server._server
        self._application = server.app
        server.app = self
        self._plans: list[_Plan] = []
        self._lock = threading.Lock()
        self.calls: list[ObservedCall] = []

    def fail(
        self, action: str, failure: InjectedFailure, *, about: str = "", skip: int = 0, times: int | None = None
    ) -> None:
        """Answer `action` with a failure, where its body holds `about`: not the first `skip` times, then `times`."""
        self._plans.append(_Plan(action=action, failure=failure, about=about, skip=skip, times=times))

    def heal(self) -> None:
        """From here on everything works."""
        self._plans.clear()

    def forget(self) -> None:
        """Count from here."""
        self.calls.clear()

    def of_functions(self) -> list[str]:
        """The actions that functions asked for, in order, retries included."""
        return [call.action for call in self.calls if call.by_function]

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        call = _read(environ)
        with self._lock:
            self.calls.append(call)
            failure = self._planned(call)
        if failure is None:
            return self._application(environ, start_response)
        time.sleep(failure.seconds)
        kind, body = _answer(failure, environ)
        start_response(f"{failure.status} Failed", [("Content-Type", kind), ("Content-Length", str(len(body)))])
        return [body]

    def _planned(self, call: ObservedCall) -> InjectedFailure | None:
        for plan in self._plans:
            if not call.by_function or call.action != plan.action or plan.about not in call.body:
                continue
            if plan.skip:
                plan.skip -= 1
            elif plan.times is None:
                return plan.failure
            elif plan.times:
                plan.times -= 1
                return plan.failure
        return None


def _read(environ: Environ) -> ObservedCall:
    length = int(str(environ.get("CONTENT_LENGTH") or 0))
    body = environ["wsgi.input"].read(length) if length else b""
    environ["wsgi.input"] = io.BytesIO(body)
    text = body.decode(errors="replace")
    target = str(environ.get("HTTP_X_AMZ_TARGET", ""))
    path = str(environ["PATH_INFO"])
    if target:
        action = target.rpartition(".")[2]
    elif path.startswith("/2015-02-01/file-systems"):
        action = "DescribeFileSystems"
    else:
        action = parse_qs(text).get("Action", [f"{environ['REQUEST_METHOD']} {path}"])[0]
    by_function = TEMPORARY_KEY in str(environ.get("HTTP_AUTHORIZATION", ""))
    return ObservedCall(action=action, by_function=by_function, body=text)


def _answer(failure: InjectedFailure, environ: Environ) -> tuple[str, bytes]:
    if failure.in_xml is not None and str(environ.get("CONTENT_TYPE", "")).startswith(FORM):
        return "text/xml", failure.in_xml.encode()
    if failure.body is not None:
        return "application/x-amz-json-1.0", failure.body.encode()
    if failure.code is None:
        return "text/html", b"<html><body>Service Unavailable</body></html>"
    if "HTTP_X_AMZ_TARGET" in environ or str(environ["PATH_INFO"]).startswith("/2015-"):
        return "application/x-amz-json-1.0", json.dumps(
            {"__type": failure.code, "message": failure.message, "ErrorCode": failure.code}
        ).encode()
    return "text/xml", (
        f"<ErrorResponse><Error><Type>Sender</Type><Code>{failure.code}</Code>"
        f"<Message>{failure.message}</Message></Error></ErrorResponse>"
    ).encode()
