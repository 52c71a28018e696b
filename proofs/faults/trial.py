"""One trial: a starting point, something that goes wrong in the run, and how the stack lives on afterwards."""

import json
from collections.abc import Callable
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from efs_monitor.aws.embedded_metrics import REFERENCE_THROUGHPUT, SKIPPED
from efs_monitor.efs.credits import full_bucket_bytes
from efs_monitor.errors import MonitorError
from moto.ssm.models import ssm_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.cloudwatch.alarm_api import described_alarm
from proofs.faults.starting_points import StartingPoint, live
from proofs.faults.wire import Killed, Wire
from proofs.faults.world import World
from stage.home import Home, configured

SEVERITIES = ("warning", "critical")
# How the reasons begin with which a function sets an alarm's state, so that its actions tell of it.
SET_BY_HAND = {
    "set_late_alarms": ("LATE METRICS:", "LATE METRICS, UNSEEN:"),
    "recalculate_thresholds": ("Over by a change of the throughput mode:",),
}
# CloudWatch ends an alarm after fifteen good minutes.
MINUTES_TO_RECOVER = 17


class End(StrEnum):
    """How a run ended."""

    SUCCEEDED = "succeeded"
    REFUSED = "refused"
    KILLED = "killed"
    CRASHED = "crashed"


@dataclass(frozen=True, kw_only=True)
class FunctionRun:
    """One run of a function, and the sentence of its error."""

    end: End
    sentence: str = ""


@dataclass(frozen=True, kw_only=True)
class StackState:
    """What the stack is like: its alarms, what they are in, and what its memory holds."""

    alarms: dict[str, dict[str, Any]]
    states: dict[str, str]
    told: Any
    ledger: Any = None
    runs_sent: tuple[str, ...] = ()

    def thresholds(self) -> dict[str, float]:
        """The threshold of each alarm."""
        return {end: alarm["Threshold"] for end, alarm in self.alarms.items()}


@dataclass(frozen=True, kw_only=True)
class ReceivedMessages:
    """What reached the topics during the trial: in order, subjects only."""

    severities: dict[str, tuple[str, ...]]
    advice: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Trial:
    """Everything the proofs look at afterwards."""

    runs: tuple[FunctionRun, ...]
    before: StackState
    right_after: StackState
    repaired: StackState
    judged: StackState
    final: StackState
    heard: ReceivedMessages
    heard_when_judged: ReceivedMessages
    answers: tuple[tuple[bytes, ...], ...]
    untrue: tuple[str, ...] = ()
    measured: frozenset[str] = frozenset()
    wire: Wire = field(default_factory=Wire)

    @property
    def run(self) -> FunctionRun:
        """The run in which it went wrong."""
        return self.runs[0]


def undisturbed(function: Callable[[], Any]) -> FunctionRun:
    """Run a function and say how it ended."""
    try:
        function()
    except MonitorError as error:
        return FunctionRun(end=End.REFUSED, sentence=str(error))
    except Killed:
        return FunctionRun(end=End.KILLED)
    except Exception as error:
        return FunctionRun(end=End.CRASHED, sentence=repr(error))
    return FunctionRun(end=End.SUCCEEDED)


def lived(world: World, start: StartingPoint, disturbed: Callable[[Home, Any], FunctionRun] | None = None) -> Trial:
    """Live through a starting point. `disturbed` is the run in which something goes wrong; without it nothing does.

    Then comes what the starting point has `meanwhile` (for the recalculation: the credits end), the function runs once
    more (the next hourly run, or Lambda's retry of an event that failed), the credits come back, and end once more.
    """
    # Here and not around all trials: pytest puts its own standard output in the place of any other for each test.
    with redirect_stdout(world.printed):
        return _lived(world, start, disturbed)


def _lived(world: World, start: StartingPoint, disturbed: Callable[[Home, Any], FunctionRun] | None) -> Trial:
    home = world.new_home()
    home.sandbox.subscribers.unconfirmed.clear()
    start.prepare(home)
    event = start.event(home, world.desk_url)
    published = len(home.sandbox.mailbox.publications)
    before = _state(home)
    wire = Wire()
    answers = []

    def call() -> FunctionRun:
        return undisturbed(lambda: home.call(start.function, event))

    began = home.sandbox.clock.now()
    with world.wired(wire):
        runs = [call() if disturbed is None else disturbed(home, event)]
    answers.append(tuple(world.desk))
    right_after = _state(home)
    start.meanwhile(home)
    if start.is_hourly or runs[0].end is not End.SUCCEEDED or _deployment_failed(world):
        world.desk.clear()
        runs.append(call())
        answers.append(tuple(world.desk))
    repaired = _state(home)
    live(home, 0, 2)
    judged, heard_when_judged = _state(home), _heard(home, published)
    live(home, full_bucket_bytes(0), MINUTES_TO_RECOVER)
    live(home, 0, 2)
    return Trial(
        runs=tuple(runs),
        before=before,
        right_after=right_after,
        repaired=repaired,
        judged=judged,
        heard_when_judged=heard_when_judged,
        final=_state(home),
        heard=_heard(home, published),
        answers=tuple(answers),
        untrue=_untrue(home, published, start),
        measured=_measured(world.printed.getvalue(), began),
        wire=wire,
    )


def _deployment_failed(world: World) -> bool:
    return any(answer["Status"] == "FAILED" for answer in world.answers())


def _state(home: Home) -> StackState:
    # Read from where the sandbox keeps it: over HTTP this would be a third of all the time.
    described = [described_alarm(alarm) for alarm in home.sandbox.alarms.all()]
    alarms = {alarm["AlarmName"].removeprefix(f"{home.names.stack_name}-"): alarm for alarm in described}
    memory = ssm_backends[ACCOUNT_ID][REGION].get_parameter(home.names.state_parameter)
    told = json.loads(memory.value) if memory else None
    if told is not None:
        # When a mail about thresholds went out last only says when the next one may; each trial has days of its own.
        told.pop("moved", None)
        # When the alarms were resumed, or fell silent, is one of those days; that it is remembered counts.
        for when in ("resumed", "silent_since"):
            told[when] = when in told
        # So is when a change of the throughput was first seen, by a second run where the first saw none.
        if driven := told.get("driven"):
            driven["since"] = driven["since"] is not None
        # A mail that a second run had to send went out some minutes later.
        silence = told.setdefault("silence", {})
        silence["mailed"] = sorted(silence.get("mailed", {}))
        if other_mode := silence.get("other_mode"):
            # A day of its own in every trial, and some minutes later where a second run was the first to see it.
            for began in ("since", "locked_since"):
                other_mode[began] = datetime.fromisoformat(other_mode[began]).hour
    ledger = ssm_backends[ACCOUNT_ID][REGION].get_parameter(home.names.benchmarks_parameter)
    return StackState(
        alarms=configured(alarms),
        states={end: alarm["StateValue"] for end, alarm in alarms.items()},
        told=told,
        ledger=_told_apart(json.loads(ledger.value), home) if ledger else None,
        runs_sent=tuple(sorted(command.parameters["RunId"] for command in home.sandbox.agents.commands)),
    )


def _told_apart(ledger: Any, home: Home) -> Any:
    """Command ids and days are others in every trial: the runs take their place, in the order of their beginning."""
    runs = {command.id.replace("-", "")[:12]: command.parameters["RunId"] for command in home.sandbox.agents.commands}
    collected = [line.split(" ") for line in ledger.get("collected", [])]
    return ledger | {
        "month": "",
        "start": "",
        "collected": [(runs.get(one, one), succeeded) for one, _, succeeded in collected],
    }


def _measured(printed: str, began: datetime) -> frozenset[str]:
    """Every value that was published for a benchmark, once: its time counts from the beginning of the trial.

    That a run was skipped has the time at which that was decided, a minute later where it was tried again.
    """
    found = set()
    for line in printed.splitlines():
        blob = json.loads(line)
        if REFERENCE_THROUGHPUT in blob:
            continue
        seconds = round(blob["_aws"]["Timestamp"] / 1000 - began.timestamp())
        for metric in blob["_aws"]["CloudWatchMetrics"][0]["Metrics"]:
            name = metric["Name"]
            when = "" if name == SKIPPED else f" at {seconds} s"
            found.add(f"{name} {blob.get('Workload', 'run')}{when}: {blob[name]}")
    return frozenset(found)


def _untrue(home: Home, skipped: int, start: StartingPoint) -> tuple[str, ...]:
    """What the severity topics were told by a function's hand and not by CloudWatch's own evaluation.

    But for what is told of late metrics, and of the end of what falls silent, by the functions that are there for it.
    """
    judged = ("Threshold Crossed", *SET_BY_HAND.get(start.function, ()))
    arns = {home.names.topic_arn(severity) for severity in SEVERITIES}
    new = [one for one in home.sandbox.mailbox.publications[skipped:] if one.topic_arn in arns]
    reasons = [json.loads(one.message)["NewStateReason"] for one in new if one.message.startswith("{")]
    return tuple(reason for reason in reasons if not reason.startswith(judged))


def _heard(home: Home, skipped: int) -> ReceivedMessages:
    new = home.sandbox.mailbox.publications[skipped:]

    def of(severity: str) -> tuple[str, ...]:
        arn = home.names.topic_arn(severity)
        return tuple(str(one.subject) for one in new if one.topic_arn == arn)

    return ReceivedMessages(severities={severity: of(severity) for severity in SEVERITIES}, advice=of("advice"))
