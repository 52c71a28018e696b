"""CloudFormation's custom-resource protocol: a request in, and always exactly one answer out."""

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPSConnection
from itertools import accumulate
from time import sleep
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from efs_monitor.aws.runtime import logger
from efs_monitor.errors import AwsRefused, EventRefused, MonitorError

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

REQUEST_KINDS = ("Create", "Update", "Delete")
# CloudFormation takes no more; the names and numbers beside the reason need less than half.
LONGEST_ANSWER_BYTES = 4_096
LONGEST_REASON_BYTES = 1_500
SEND_ATTEMPTS = 3
# An attempt waits twice at most: for the connection, and for what comes back.
SEND_WAIT_SECONDS = 1.5
# Time kept back at the end of the function's own to say that it ran out: three attempts and the pauses between them.
MILLISECONDS_TO_ANSWER = 12_000
# CloudFormation counts from before the function is started, which takes as long at the most.
START_SECONDS = 3
# How long it waits where a resource has no ServiceTimeout
# (https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-cloudformation-customresource.html).
LONGEST_WAIT_SECONDS = 3_600


@dataclass(frozen=True, kw_only=True)
class Request:
    """A request of CloudFormation, checked but for its `kind`, since any that can be answered is; `properties` are the
    resource's, numbers as text, and `former_properties` those before an update.
    """

    kind: str
    response_url: str
    stack_id: str
    request_id: str
    logical_resource_id: str
    resource_type: str
    physical_resource_id: str
    properties: Mapping[str, object]
    former_properties: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def of(cls, event: object) -> "Request":
        """Read the event; EventRefused names what is missing or not CloudFormation's."""
        if not isinstance(event, Mapping):
            raise EventRefused(f"The event is a {type(event).__name__}, not the JSON object CloudFormation sends")
        from aws_lambda_powertools.utilities.data_classes import (  # noqa: PLC0415 - a cold start by a schedule does not pay for a class of each of AWS's events
            CloudFormationCustomResourceEvent,
        )

        found = CloudFormationCustomResourceEvent(dict(event))
        for name in ("ResponseURL", "StackId", "RequestId", "LogicalResourceId"):
            if not isinstance(event.get(name), str) or not event[name]:
                raise EventRefused(f"The request's {name} is {event.get(name)!r}, but CloudFormation always gives one")
        if not _is_web_address(found.response_url):
            raise EventRefused(f"ResponseURL is {found.response_url!r}, not an address to answer to")
        properties, former = found.resource_properties, found.old_resource_properties
        return cls(
            kind=str(event.get("RequestType")),
            response_url=found.response_url,
            stack_id=found.stack_id,
            request_id=found.request_id,
            logical_resource_id=found.logical_resource_id,
            resource_type=str(event.get("ResourceType", "")),
            # The same for the life of the resource: a changed one would make CloudFormation delete the old.
            physical_resource_id=str(found.physical_resource_id or f"{found.logical_resource_id}-{found.request_id}"),
            properties=properties if isinstance(properties, Mapping) else {},
            former_properties=former if isinstance(former, Mapping) else {},
        )

    def require_known_kind(self) -> None:
        """Raise EventRefused for what is neither a creation nor an update nor a deletion."""
        if self.kind not in REQUEST_KINDS:
            raise EventRefused(f"RequestType is {self.kind!r}, not one of {', '.join(REQUEST_KINDS)}")

    @property
    def wait_seconds(self) -> int:
        """How long CloudFormation waits for an answer: the resource's ServiceTimeout, which comes as text."""
        timeout = str(self.properties.get("ServiceTimeout", ""))
        return int(timeout) if re.fullmatch("[0-9]{1,4}", timeout) else LONGEST_WAIT_SECONDS


def asks_about(event: object, resource_type: str) -> bool:
    """Whether CloudFormation asks about a custom resource of this type."""
    return isinstance(event, Mapping) and event.get("ResourceType") == resource_type


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What to tell CloudFormation. `data` is what Fn::GetAtt can read: strings, because it has printed large
    numbers in scientific form.
    """

    succeeded: bool
    reason: str = ""
    data: Mapping[str, str] = field(default_factory=dict)


def answering(request: Request, context: "LambdaContext", work: Callable[[Request], Answer]) -> None:
    """Do the work and send its answer; whatever goes wrong, and before time runs out, send a failure instead."""
    once = _Once(request)
    remaining_seconds = min(context.get_remaining_time_in_millis() / 1000, request.wait_seconds - START_SECONDS)
    seconds = max(0.0, remaining_seconds - MILLISECONDS_TO_ANSWER / 1000)

    def out_of_time() -> None:
        try:
            once.send(_failure(f"no answer from AWS within {seconds:.0f} s", request))
        except AwsRefused as error:
            # The work goes on meanwhile, and its own answer is sent if it comes in time.
            logger.error(str(error))

    timer = threading.Timer(seconds, out_of_time)
    timer.daemon = True
    timer.start()
    try:
        request.require_known_kind()
        answer = _fitting(work(request), request)
    except MonitorError as error:
        logger.error(str(error), refused=type(error).__name__)
        answer = _failure(str(error), request)
    except Exception as error:
        # A crash without an answer would block the stack until its time-out; the trace is in the log.
        logger.exception("crashed")
        answer = _failure(f"an error of the monitor itself, {error!r}; its log has the details", request)
    finally:
        timer.cancel()
    once.send(answer)


class _Once:
    """Sends one answer: whichever comes first, or the next where that one could not be delivered."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._lock = threading.Lock()
        self._sent = False

    def send(self, answer: Answer) -> None:
        with self._lock:
            if not self._sent:
                _deliver(self._request, answer)
                self._sent = True


def _failure(reason: str, request: Request) -> Answer:
    _, _, _, region, account_id, *_ = [*request.stack_id.split(":"), "", "", "", "", ""]
    properties = {name: value for name, value in request.properties.items() if name in NAMED_IN_FAILURES}
    values = "".join(f"{name} {value}, " for name, value in properties.items()).removesuffix(", ")
    place = f"Region {region}, account {account_id}"
    return Answer(succeeded=False, reason=f"{reason.rstrip('.')}. ({'; '.join(filter(None, [values, place]))})")


# What a person may have mistyped.
NAMED_IN_FAILURES = ("FileSystemId", "WarningMinutes", "CriticalMinutes", "RiseTolerancePercent")


def _is_web_address(url: str) -> bool:
    """Whether every library reads the same host from it; what AWS signs is plain ASCII."""
    try:
        parts = urlsplit(url)
        named_host = bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
    return named_host and parts.scheme in {"http", "https"} and re.fullmatch(r"[!-\[\]-~]+", url) is not None


def _cut(reason: str) -> str:
    """The text, cut to what fits: at a word, with dots for the rest; within a word that takes more than half of it.

    In JSON a character outside ASCII takes 6 bytes, or 12.
    """
    ends = list(accumulate(len(json.dumps(character)) - 2 for character in reason))
    if not ends or ends[-1] <= LONGEST_REASON_BYTES:
        return reason
    kept = reason[: sum(end <= LONGEST_REASON_BYTES - len("...") for end in ends)]
    whole = kept.rpartition(" ")[0]
    return (whole if 2 * len(whole) >= len(kept) else kept) + "..."


def _fitting(answer: Answer, request: Request) -> Answer:
    """The answer, or a failure in its place where CloudFormation would not take it and wait for another."""
    size = len(_body(request, answer))
    if size <= LONGEST_ANSWER_BYTES:
        return answer
    return _failure(
        f"the answer would have {size:,} bytes, and CloudFormation takes 4,096: shorten its parameters", request
    )


def _status(answer: Answer) -> str:
    return "SUCCESS" if answer.succeeded else "FAILED"


def _body(request: Request, answer: Answer) -> bytes:
    body = {
        "Status": _status(answer),
        "Reason": _cut(answer.reason),
        "PhysicalResourceId": request.physical_resource_id,
        "StackId": request.stack_id,
        "RequestId": request.request_id,
        "LogicalResourceId": request.logical_resource_id,
        "Data": dict(answer.data),
    }
    return json.dumps(body).encode()


def _deliver(request: Request, answer: Answer) -> None:
    """Send the answer, and again after any error at all: without one the stack waits for its time-out."""
    body = _body(request, answer)
    for attempt in range(1, SEND_ATTEMPTS + 1):
        try:
            status = put(request.response_url, body)
        except Exception as failure:
            error = f"{type(failure).__name__}, {failure}"
        else:
            if status < 300:
                return
            error = f"it answered with {status}"
        if attempt < SEND_ATTEMPTS:
            sleep(1)
    raise AwsRefused(f"CloudFormation did not take the answer {_status(answer)}: {error}")


def put(url: str, body: bytes) -> int:
    """Put it to an address that AWS signed; returns the status.

    By the standard library: Lambda promises no version of urllib3, and its python3.13 has come with 1.26 and with 2.
    """
    parts = urlsplit(url)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=SEND_WAIT_SECONDS)
    try:
        # The signature covers the address as it is, and an empty content type.
        where = parts._replace(scheme="", netloc="", fragment="").geturl() or "/"
        connection.request("PUT", where, body, {"Content-Type": ""})
        return connection.getresponse().status
    finally:
        connection.close()
