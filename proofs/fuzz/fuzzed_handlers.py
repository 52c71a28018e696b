"""Every event goes to a handler, and what the handler does with it is judged."""

import json
from collections.abc import Iterator
from contextlib import ExitStack, redirect_stdout
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from random import Random
from typing import Any
from urllib.parse import urlsplit

from efs_monitor.aws import runtime
from efs_monitor.errors import EventRefused, MonitorError

from proofs.fuzz.edges import NAMES, Edges, edges
from proofs.fuzz.fuzzed_events import events
from stage.home import FLEET_NAME, Context, environment, fleet_environment, load

HANDLERS = (
    *("recalculate_thresholds", "report_silence", "set_late_alarms", "explain", "apply_on_deploy"),
    *("run_benchmark", "collect_benchmark", "reconcile_fleet"),
)
BY_SCHEDULE = ("recalculate_thresholds", "report_silence", "set_late_alarms", "collect_benchmark")
OF_A_FLEET = "Custom::EfsBurstCreditFleetParameters"
BY_DEPLOYMENT = ("apply_on_deploy", "reconcile_fleet")
BY_ALARM = ("recalculate_thresholds", "report_silence", "explain")
ANSWER_BYTES = 4096
# What the identifiers that an answer must repeat may take of its 4,096 bytes: AWS gives far less.
USUAL_IDENTIFIER_CHARACTERS = 300
IDENTIFIERS = ("StackId", "RequestId", "LogicalResourceId", "PhysicalResourceId")
SHOWN_CHARACTERS = 600


@dataclass(frozen=True, kw_only=True)
class Tally:
    """How many events were refused and how many accepted, and a sentence for each that was treated wrongly."""

    refused: int
    accepted: int
    wrong: tuple[str, ...]


def fuzzed(count: int, seed: int) -> Tally:
    """Send so many events from this seed to the handlers."""
    refused, accepted, wrong = 0, 0, []
    random = Random(seed)  # noqa: S311 - no secret
    with ExitStack() as closing:
        edge = closing.enter_context(edges())
        closing.enter_context(environment(NAMES.environment("http://127.0.0.1:9") | fleet_environment()))
        handler = runtime.logger.registered_handler
        written = StringIO()
        closing.callback(handler.setStream, handler.setStream(written))  # type: ignore[attr-defined] # Powertools gives it to every stream
        closing.enter_context(redirect_stdout(written))
        modules = {name: load(name) for name in HANDLERS}
        for event in islice(events(seed, edge.desk_url), count):
            name = _handler_of(event, random)
            edge.forget()
            written.seek(0)
            written.truncate()
            error: Exception | None = None
            try:
                modules[name].handler(event, Context())
            except Exception as raised:
                error = raised
            refused += isinstance(error, EventRefused)
            accepted += not isinstance(error, EventRefused)
            wrong += [
                f"{name}: {sentence}: {_shown(event)}"
                for sentence in judged(name, event, error, edge, written.getvalue())
            ]
    return Tally(refused=refused, accepted=accepted, wrong=tuple(wrong))


def _handler_of(event: Any, random: Random) -> str:
    """Mostly the handler that such an event is for; any other gets some, too."""
    if random.random() < 0.3 or not isinstance(event, dict):
        return random.choice(HANDLERS)
    if "RequestType" in event or "ResponseURL" in event:
        return "reconcile_fleet" if event.get("ResourceType") == OF_A_FLEET else "apply_on_deploy"
    match event.get("source"):
        case "efs-monitor.schedule":
            return "reconcile_fleet" if event.get("stack") == FLEET_NAME else random.choice(BY_SCHEDULE)
        case "efs-monitor.benchmark" | "efs-monitor.benchmark-by-hand":
            return "run_benchmark"
        case "aws.ssm":
            return "collect_benchmark"
    return random.choice(BY_ALARM)


def judged(name: str, event: Any, error: Exception | None, edge: Edges, logged: str) -> Iterator[str]:
    """What is wrong with how an event was treated."""
    if error is not None and not isinstance(error, MonitorError):
        yield f"an exception nobody declared, {error!r}"
    if isinstance(error, MonitorError) and '"level":"ERROR"' not in logged:
        yield "failed without a logged error"
    if isinstance(error, EventRefused) and (edge.calls or edge.looked_up or edge.desk):
        yield f"refused, and yet {edge.calls} {edge.looked_up} was asked"
    address = event.get("ResponseURL") if isinstance(event, dict) else None
    if edge.looked_up and (name not in BY_DEPLOYMENT or not _given(str(address), edge.looked_up)):
        yield f"contacted {edge.looked_up}"
    if len(edge.desk) > 1:
        yield f"answered {len(edge.desk)} times"
    for body in edge.desk:
        answer = json.loads(body)
        if "an error of the monitor itself" in answer["Reason"]:
            yield f"crashed, {answer['Reason'][:200]}"
        usual = all(len(json.dumps(answer[one])) <= USUAL_IDENTIFIER_CHARACTERS for one in IDENTIFIERS)
        if len(body) > ANSWER_BYTES and usual:
            yield f"answered with {len(body)} bytes"


def _given(address: str, contacted: list[tuple[str, int]]) -> bool:
    parts = urlsplit(address)
    if parts.scheme not in {"http", "https"}:
        return False
    return all(host.strip("[]").lower() == (parts.hostname or "").lower() for host, _ in contacted)


def _shown(event: Any) -> str:
    text = json.dumps(event)
    return text if len(text) <= SHOWN_CHARACTERS else f"{text[:SHOWN_CHARACTERS]}... ({len(text)} characters)"
