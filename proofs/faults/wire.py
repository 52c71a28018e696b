"""Where faults are put: between a function and the network, under botocore and under the answer to CloudFormation.

Everything above is the real thing: botocore builds, signs, retries and parses as in Lambda.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from unittest.mock import patch
from urllib.parse import parse_qs, urlsplit

import botocore.retries.quota
import botocore.retries.standard
from botocore.awsrequest import AWSPreparedRequest, AWSResponse
from botocore.compat import HTTPHeaders
from botocore.exceptions import ConnectTimeoutError, ReadTimeoutError
from botocore.httpsession import URLLib3Session
from efs_monitor.aws import calls, cloudwatch_metrics, custom_resource, parameter_store

from stage.home import FUNCTIONS_KEY_ID

ANSWER = "AnswerToCloudFormation"
WRITES = frozenset({"PutMetricAlarm", "SetAlarmState", "Publish", "PutParameter", "SendCommand", ANSWER})


class NotConnected(Exception):
    """The connection timed out: nothing was done."""


class NotHeard(Exception):
    """The answer timed out: it was done, and nobody knows."""


class Killed(BaseException):
    """The function's process is gone: no code of it runs any more, `except Exception` least of all."""


@dataclass(frozen=True)
class Call:
    """The so-and-so-many-th request for an action in one run, counted from 0."""

    action: str
    occurrence: int

    def __str__(self) -> str:
        return self.action if self.occurrence == 0 else f"{self.action} {self.occurrence + 1}"


@dataclass
class Asked:
    """A request on its way; a fault may change its body."""

    call: Call
    body: str


@dataclass(frozen=True)
class WireResponse:
    """What comes back."""

    status: int
    body: bytes
    content_type: str


@dataclass(frozen=True)
class _Raw:
    """As much of a connection's response as botocore reads."""

    body: bytes

    def stream(self) -> Iterator[bytes]:
        yield self.body


type Ask = Callable[[Asked], WireResponse]
type Fault = Callable[[Ask, Asked], WireResponse]


def _unhurt(ask: Ask, asked: Asked) -> WireResponse:
    return ask(asked)


@dataclass(kw_only=True)
class Wire:
    """Notes every request of the functions; lets `fault` have those for which `hits` is true."""

    fault: Fault | None = None
    hits: Callable[[Call], bool] = lambda call: False  # noqa: ARG005 - called with one
    calls: list[Call] = field(default_factory=list)
    answers: list[WireResponse | None] = field(default_factory=list)

    def through(self, action: str, body: str, ask: Ask) -> WireResponse:
        """Put one request through, or into the hands of the fault."""
        asked = Asked(Call(action, Counter(call.action for call in self.calls)[action]), body)
        self.calls.append(asked.call)
        index = len(self.answers)
        self.answers.append(None)
        answered = (self.fault if self.fault is not None and self.hits(asked.call) else _unhurt)(ask, asked)
        self.answers[index] = answered
        return answered


def passing(call: Call) -> Callable[[Call], bool]:
    """Whether a call is this very request, and none of its retries."""
    return lambda other: other == call


def for_good(call: Call) -> Callable[[Call], bool]:
    """From that request on, every one for the same action."""
    return lambda other: other.action == call.action and other.occurrence >= call.occurrence


@contextmanager
def listening(wire: Callable[[], Wire]) -> Iterator[None]:
    """Put everything the functions ask through the wire that is there at the moment, without any waiting."""
    send = URLLib3Session.send

    def sent(session: URLLib3Session, request: AWSPreparedRequest) -> AWSResponse:
        if FUNCTIONS_KEY_ID not in _text(request.headers.get("Authorization", "")):
            return send(session, request)

        def ask(asked: Asked) -> WireResponse:
            request.body = asked.body.encode()
            if "Content-Length" in request.headers:
                request.headers["Content-Length"] = str(len(request.body))
            response = send(session, request)
            return WireResponse(response.status_code, response.content, response.headers.get("Content-Type", ""))

        try:
            answered = wire().through(_action(request), _text(request.body or b""), ask)
        except NotConnected as error:
            raise ConnectTimeoutError(endpoint_url=request.url) from error
        except NotHeard as error:
            raise ReadTimeoutError(endpoint_url=request.url) from error
        return AWSResponse(request.url, answered.status, _headers(answered), _Raw(answered.body))

    put_to_cloudformation = custom_resource.put

    def put(url: str, body: bytes) -> int:
        try:
            return wire().through(ANSWER, "", lambda _: WireResponse(put_to_cloudformation(url, body), b"", "")).status
        except (NotConnected, NotHeard) as error:
            raise TimeoutError("timed out") from error

    with ExitStack() as patched:
        for owner, name, ours in (
            (URLLib3Session, "send", sent),
            (custom_resource, "put", put),
            *(
                (waiting, "sleep", lambda _: None)
                for waiting in (calls, cloudwatch_metrics, custom_resource, parameter_store)
            ),
            (botocore.retries.standard.ExponentialBackoff, "delay_amount", lambda *_: 0),
            # A client may spend 500 tokens on retries, 5 or 10 each: no single run comes near, but thousands of runs
            # with one client would.
            (botocore.retries.quota.RetryQuota, "acquire", lambda *_: True),
        ):
            patched.enter_context(patch.object(owner, name, ours))
        yield


def _headers(answered: WireResponse) -> HTTPHeaders:
    headers = HTTPHeaders()
    headers["Content-Type"] = answered.content_type
    return headers


def _action(request: AWSPreparedRequest) -> str:
    target = _text(request.headers.get("X-Amz-Target", ""))
    if target:
        return target.rpartition(".")[2]
    if urlsplit(request.url).path.startswith("/2015-02-01/file-systems"):
        return "DescribeFileSystems"
    return parse_qs(_text(request.body or b"")).get("Action", [f"{request.method} {request.url}"])[0]


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
