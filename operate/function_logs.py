"""What the stack's functions have logged, line by line."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from operate.described_stack import Account


@dataclass(frozen=True, kw_only=True)
class LogLine:
    """A line, when its log group got it, and its fields; none where it is not one of a function's own."""

    timestamp_milliseconds: int
    fields: dict[str, Any]


def log_lines(account: Account, log_group: str, *, since_milliseconds: int = 0) -> Iterator[LogLine]:
    """Every line of a log group, oldest first in each of its streams."""
    pages = account.client("logs").get_paginator("filter_log_events")
    for page in pages.paginate(logGroupName=log_group, startTime=since_milliseconds):
        for event in page["events"]:
            yield LogLine(timestamp_milliseconds=event["timestamp"], fields=_fields(event["message"]))


def _fields(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
