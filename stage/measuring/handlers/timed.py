"""Runs beside a deployed function in its runtime: tells the time its handler took outside AWS calls.

A call's time is all that passes inside botocore's `_make_api_call`: signing, the network, parsing. What is left is the
function's own: reading the event, deciding, logging.
"""

import time
from typing import Any

import app  # type: ignore[import-not-found] # the function under measurement
from botocore.client import BaseClient

make_api_call = BaseClient._make_api_call  # type: ignore[attr-defined] # no stub has it
spent_seconds = 0.0


def timed_call(client: Any, operation_name: str, arguments: Any) -> Any:
    global spent_seconds  # noqa: PLW0603 - one invocation at a time
    begun = time.perf_counter()
    try:
        return make_api_call(client, operation_name, arguments)
    finally:
        spent_seconds += time.perf_counter() - begun


BaseClient._make_api_call = timed_call  # type: ignore[attr-defined] # no stub has it


def handler(event: Any, context: Any) -> dict[str, Any]:
    global spent_seconds  # noqa: PLW0603 - one invocation at a time, too
    spent_seconds = 0.0
    begun = time.perf_counter()
    answer = app.handler(event, context)
    return {"answer": answer, "own_seconds": time.perf_counter() - begun - spent_seconds}
