"""Lambda's asynchronous invocation: accept an event, try, retry after one and two minutes, tell the destination.

https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
"""

import json
import logging
import threading
import uuid
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from moto.awslambda.models import LambdaFunction

from localaws.functions import destinations
from localaws.functions.destinations import stored_function
from localaws.functions.executor import Executor, InvocationAttempt
from localaws.iam.sessions import AccessRefused, NotAssumable

log = logging.getLogger(__name__)

RETRY_AFTER = (timedelta(minutes=1), timedelta(minutes=2))
DEFAULT_MAXIMUM_AGE_SECONDS = 6 * 3_600
LONGEST_BACKGROUND_SECONDS = 900
"""Lambda's longest time-out: nothing that runs in the background can take longer."""


@dataclass(slots=True)
class QueuedEvent:
    function_name: str
    request_id: str
    payload: bytes
    accepted: datetime
    due: datetime
    attempts: int = 0


class EventQueue:
    """Events that functions are to be invoked with.

    While the sandbox makes a step, events wait their turn in that step, so that every run has the same order. At any
    other time an event is tried at once in the background: a deployment waits for its custom resource while no
    simulated time passes. Retries always wait for simulated time.
    """

    def __init__(self, executor: Executor, now: Callable[[], datetime]) -> None:
        self._executor = executor
        self._now = now
        self._accepted: deque[QueuedEvent] = deque()
        self._retries: list[QueuedEvent] = []
        self._background: set[threading.Thread] = set()
        self._lock = threading.Lock()
        self._is_stepping = False

    def accept(self, function_name: str, payload: bytes, due: datetime | None = None) -> str:
        """Take an event for a function and return its request id; the function need not exist by the time it runs.

        `due` is when it was to run, where a step only comes to it at the full minute.
        """
        now = self._now()
        event = QueuedEvent(function_name, str(uuid.uuid4()), payload, accepted=now, due=due or now)
        with self._lock:
            if self._is_stepping:
                self._accepted.append(event)
                return event.request_id
            thread = threading.Thread(target=self._run_in_background, args=(event,), daemon=True)
            self._background.add(thread)
            # Within the lock: who waits for all of them must not meet one that has not begun.
            thread.start()
        return event.request_id

    def begin_step(self) -> None:
        """From here on events wait for `run_accepted`; what runs in the background is waited for first."""
        self.wait_for_background()
        with self._lock:
            self._is_stepping = True

    def end_step(self) -> bool:
        """False when events were accepted in the meantime and the step has to go on."""
        with self._lock:
            self._is_stepping = bool(self._accepted)
            return not self._is_stepping

    def abort_step(self) -> None:
        with self._lock:
            self._is_stepping = False

    def run_due_retries(self) -> bool:
        """Try again what is due by now; True when something was."""
        now = self._now()
        with self._lock:
            due = sorted((event for event in self._retries if event.due <= now), key=lambda event: event.due)
            self._retries = [event for event in self._retries if event.due > now]
        for event in due:
            self._attempt(event)
        return bool(due)

    def run_accepted(self) -> bool:
        """Run what was accepted during this step, in order; True when something was."""
        ran = False
        while True:
            with self._lock:
                if not self._accepted:
                    return ran
                event = self._accepted.popleft()
            self._attempt(event)
            ran = True

    def wait_for_background(self) -> None:
        with self._lock:
            running = list(self._background)
        for thread in running:
            thread.join(LONGEST_BACKGROUND_SECONDS)

    def _run_in_background(self, event: QueuedEvent) -> None:
        try:
            self._attempt(event)
        finally:
            with self._lock:
                self._background.discard(threading.current_thread())

    def _attempt(self, event: QueuedEvent) -> None:
        function = stored_function(event.function_name)
        if function is None:
            log.warning("event %s dropped: no function named %s", event.request_id, event.function_name)
            return
        if str(function.reserved_concurrency) == "0":
            # Documented: with a reserved concurrency of zero events go to the destination, without any retries.
            self._give_up(function, event, "ZeroReservedConcurrency", None)
            return
        event.attempts += 1
        invocation = self._executor.run(function, event.payload, event.request_id, begins=event.due)
        if not invocation.failed:
            self._tell_destination(function, event, "OnSuccess", "Success", invocation)
            return
        settings = _settings(function)
        if event.attempts > settings.get("MaximumRetryAttempts", len(RETRY_AFTER)):
            self._give_up(function, event, "RetriesExhausted", invocation)
            return
        event.due = self._now() + RETRY_AFTER[event.attempts - 1]
        oldest = timedelta(seconds=settings.get("MaximumEventAgeInSeconds", DEFAULT_MAXIMUM_AGE_SECONDS))
        if event.due - event.accepted > oldest:
            self._give_up(function, event, "EventAgeExceeded", invocation)
            return
        with self._lock:
            self._retries.append(event)

    def _give_up(
        self, function: LambdaFunction, event: QueuedEvent, condition: str, invocation: InvocationAttempt | None
    ) -> None:
        log.warning("event %s of %s given up: %s", event.request_id, event.function_name, condition)
        self._tell_destination(function, event, "OnFailure", condition, invocation)
        if dead_letter_target := function.dead_letter_config.get("TargetArn"):
            self._send(function, event, dead_letter_target, event.payload.decode())

    def _tell_destination(
        self,
        function: LambdaFunction,
        event: QueuedEvent,
        outcome: str,
        condition: str,
        invocation: InvocationAttempt | None,
    ) -> None:
        configured = _settings(function).get("DestinationConfig", {}).get(outcome, {})
        if destination := configured.get("Destination"):
            self._send(
                function, event, destination, json.dumps(_record(function, event, condition, invocation, self._now()))
            )

    def _send(self, function: LambdaFunction, event: QueuedEvent, target: str, text: str) -> None:
        """Lambda delivers with the function's own role; what it cannot deliver is lost."""
        try:
            self._executor.session_of(function).require(*destinations.sending(target))
            if target.startswith("arn:aws:lambda:"):
                self.accept(target.split(":")[6], text.encode())
            else:
                destinations.put(target, text)
        except (AccessRefused, LookupError, NotAssumable) as reason:
            log.warning("event %s: %s was not told: %s", event.request_id, target, reason)


def _settings(function: LambdaFunction) -> dict[str, Any]:
    configs = function.event_invoke_config
    settings: dict[str, Any] = configs[-1].config if configs else {}
    return settings


def _record(
    function: LambdaFunction, event: QueuedEvent, condition: str, invocation: InvocationAttempt | None, now: datetime
) -> dict[str, Any]:
    record: dict[str, Any] = {
        "version": "1.0",
        "timestamp": f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z",
        "requestContext": {
            "requestId": event.request_id,
            "functionArn": f"{function.function_arn}:$LATEST",
            "condition": condition,
            "approximateInvokeCount": event.attempts,
        },
        "requestPayload": json.loads(event.payload),
    }
    if invocation is not None:
        context: dict[str, Any] = {"statusCode": 200, "executedVersion": "$LATEST"}
        if invocation.failed:
            context["functionError"] = "Unhandled"
        record["responseContext"] = context
        record["responsePayload"] = json.loads(invocation.response)
    return record
