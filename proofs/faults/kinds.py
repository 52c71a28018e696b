"""The faults: what AWS, the network or the machine may do to a call."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any
from unittest.mock import patch

import moto.sns.models

import localaws.ssm.api
from proofs.faults.wire import ANSWER, Ask, Asked, Fault, Killed, NotConnected, NotHeard, WireResponse

# How each paged action is told to make its pages small. SNS knows no such setting, and Systems Manager makes no page of
# instances as small as this; the sandbox's own have a size.
PAGE_SIZES = {
    "DescribeAlarms": "MaxRecords",
    "DescribeAlarmHistory": "MaxRecords",
    "GetMetricData": "MaxDatapoints",
    "ListCommands": "MaxResults",
    "ListCommandInvocations": "MaxResults",
}
PAGED = frozenset(PAGE_SIZES) | {"DescribeInstanceInformation", "ListSubscriptionsByTopic"}
SMALL_PAGE = 1
# Of thousands of datapoints, still a few pages.
SMALL_PAGE_OF_DATAPOINTS = 5

NOT_NUMBERS: Mapping[str, object] = {"text": "a few", "NaN": float("nan"), "Infinity": float("inf"), "null": None}


def refused(status: int, code: str, message: str) -> Fault:
    """Nothing is done, and an error comes back in the words of the service's protocol."""

    def answer(ask: Ask, asked: Asked) -> WireResponse:
        del ask
        if asked.body.startswith("Action=") or asked.call.action == ANSWER:
            text = f"<ErrorResponse><Error><Code>{code}</Code><Message>{message}</Message></Error></ErrorResponse>"
            return WireResponse(status, text.encode(), "text/xml")
        body = {"__type": code, "message": message, "ErrorCode": code}
        return WireResponse(status, json.dumps(body).encode(), "application/x-amz-json-1.1")

    return answer


def broken(ask: Ask, asked: Asked) -> WireResponse:
    """The bare page of a broken gateway."""
    del ask, asked
    return WireResponse(500, b"<html><body>Internal Server Error</body></html>", "text/html")


def not_connected(ask: Ask, asked: Asked) -> WireResponse:
    """The connection times out."""
    del ask, asked
    raise NotConnected


def not_heard(ask: Ask, asked: Asked) -> WireResponse:
    """The call is done, and its answer times out."""
    ask(asked)
    raise NotHeard


def emptied(ask: Ask, asked: Asked) -> WireResponse:
    """The call is done, and its answer has nothing in it."""
    answered = ask(asked)
    if answered.body.lstrip().startswith(b"<"):
        root = re.search(rb"<(\w+Response)", answered.body)
        return WireResponse(answered.status, b"<%s/>" % (root.group(1) if root else b"Response"), answered.content_type)
    return WireResponse(answered.status, b"{}", answered.content_type)


def cut(ask: Ask, asked: Asked) -> WireResponse:
    """The call is done, and its answer ends in its middle."""
    answered = ask(asked)
    return WireResponse(answered.status, answered.body[: len(answered.body) // 2], answered.content_type)


def paged(ask: Ask, asked: Asked) -> WireResponse:
    """The answer comes in the smallest pages."""
    with _small_pages():
        return ask(_in_small_pages(asked))


def pages_that_end(ask: Ask, asked: Asked) -> WireResponse:
    """The first page is a small one, and the others never come."""
    if "NextToken" in asked.body:
        return broken(ask, asked)
    return paged(ask, asked)


def killed_before(ask: Ask, asked: Asked) -> WireResponse:
    """The machine is gone before the call."""
    del ask, asked
    raise Killed


def killed_after(ask: Ask, asked: Asked) -> WireResponse:
    """The machine is gone after the call."""
    ask(asked)
    raise Killed


def garbled(place: str, value: object) -> Fault:
    """One number of the answer, or all at the same place of a list, is none."""

    def answer(ask: Ask, asked: Asked) -> WireResponse:
        answered = ask(asked)
        document = json.loads(answered.body)
        for where, set_to in _numbers(document):
            if where == place:
                set_to(value)
        return WireResponse(answered.status, json.dumps(document).encode(), answered.content_type)

    return answer


def number_places(body: bytes) -> tuple[str, ...]:
    """Where the numbers of an answer are, list positions left out."""
    try:
        document = json.loads(body)
    except ValueError:
        return ()
    return tuple(dict.fromkeys(where for where, _ in _numbers(document)))


def _numbers(document: Any, where: str = "") -> Iterator[tuple[str, Callable[[object], None]]]:
    entries = document.items() if isinstance(document, dict) else enumerate(document)
    for key, value in list(entries):
        inner = f"{where}.{key}".lstrip(".") if isinstance(key, str) else f"{where}[]"
        if isinstance(value, dict | list):
            yield from _numbers(value, inner)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield inner, partial(document.__setitem__, key)


def _in_small_pages(asked: Asked) -> Asked:
    setting = PAGE_SIZES.get(asked.call.action)
    if setting is None:
        return asked
    size = SMALL_PAGE_OF_DATAPOINTS if setting == "MaxDatapoints" else SMALL_PAGE
    return Asked(asked.call, json.dumps({**json.loads(asked.body), setting: size}))


@contextmanager
def _small_pages() -> Iterator[None]:
    subscriptions = patch.object(moto.sns.models, "DEFAULT_PAGE_SIZE", SMALL_PAGE)
    instances = patch.object(localaws.ssm.api, "MOST_A_PAGE", SMALL_PAGE)
    with subscriptions, instances:
        yield


THROTTLED = refused(400, "ThrottlingException", "Rate exceeded")
DENIED = refused(403, "AccessDeniedException", "no identity-based policy allows the action")
# What every call may meet, in the words of the report.
OF_EVERY_CALL: Mapping[str, Fault] = {
    "throttled": THROTTLED,
    "500": broken,
    "connection time-out": not_connected,
    "answer lost": not_heard,
    "access denied": DENIED,
    "empty answer": emptied,
    "answer cut short": cut,
}
