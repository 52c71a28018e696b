"""What is wrong with what a function did: its answer, its log, and its effects on the stack."""

import json
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

from efs_monitor.aws.embedded_metrics import REFERENCE_THROUGHPUT, SKIPPED

from stage.invocation.expected import (
    AnsweredCloudFormation,
    Expected,
    ExpectedRefusal,
    InTime,
    Mailed,
    NothingCollected,
    NothingReconciled,
    NothingToSay,
    Reported,
    Skipped,
    ThresholdRepaired,
)
from stage.invocation.invocation_trial import STALE_THRESHOLD_BYTES, InvocationTrial
from stage.runs import FLEET_NAME, STACK_NAME

ADVICE = f"{STACK_NAME}-advice"
WARNING = f"{STACK_NAME}-warning"
FILE_SYSTEM_ID = "fs-0123456789abcdef0"
REFERENCE_BYTES_PER_SECOND = 104_857_600.0
RIGHT_THRESHOLD_BYTES = 180 * 60 * REFERENCE_BYTES_PER_SECOND
CHANGED = "it changed what it must leave alone"


def findings(trial: InvocationTrial, expected: Expected | None) -> Iterator[str]:
    """What is not as it should be, a line each; nothing when all is well."""
    match expected:
        case None:
            yield "stage/invocation/expected.py does not say what this function does with this event"
        case ExpectedRefusal():
            yield from _refused(trial, expected)
        case ThresholdRepaired():
            yield from _recalculated(trial, expected)
        case Mailed():
            yield from _mailed(trial, expected)
        case NothingToSay():
            yield from _nothing_to_say(trial)
        case AnsweredCloudFormation():
            yield from _answered(trial, expected)
        case Reported():
            yield from _reported(trial)
        case InTime():
            yield from _in_time(trial)
        case Skipped():
            yield from _skipped(trial, expected)
        case NothingCollected():
            yield from _collected(trial)
        case NothingReconciled():
            yield from _reconciled(trial)
    if not isinstance(expected, AnsweredCloudFormation) and trial.answers:
        yield f"CloudFormation was told {list(trial.answers)}"


def _refused(trial: InvocationTrial, expected: ExpectedRefusal) -> Iterator[str]:
    outcome = trial.outcome
    if outcome.error_type != "EventRefused" or expected.sentence not in str(outcome.error):
        yield f"ended in {outcome.error_type}: {outcome.error}, not in EventRefused: {expected.sentence}"
    logged = [json.loads(line) for line in outcome.log if line.startswith("{")]
    if [(line.get("level"), line.get("message")) for line in logged] != [("ERROR", outcome.error)]:
        yield f"logged {logged}, not just the error's sentence"
    if trial.after != trial.before:
        yield CHANGED


def _recalculated(trial: InvocationTrial, expected: ThresholdRepaired) -> Iterator[str]:
    answer = yield from _answer(trial)
    for field, value in {"cause": expected.cause, "decision": "raise", "alarms_written": [WARNING]}.items():
        yield from _unequal(field, answer.get(field), value)
    yield from _unequal("mails", answer.get("mails"), [message.subject for message in trial.messages])
    before, after = trial.before.alarms, trial.after.alarms
    changed = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
    yield from _unequal("changed alarms", changed, [WARNING])
    for when, alarms, threshold in (("before", before, STALE_THRESHOLD_BYTES), ("after", after, RIGHT_THRESHOLD_BYTES)):
        yield from _unequal(f"threshold {when}", alarms.get(WARNING, {}).get("Threshold"), threshold)
    told = json.loads(trial.after.memory).get("reference_bytes_per_second")
    yield from _unequal("remembered reference", told, REFERENCE_BYTES_PER_SECOND)
    metrics = [json.loads(line) for line in trial.outcome.log if '"_aws"' in line]
    published = [tuple(map(one.get, (REFERENCE_THROUGHPUT, "FileSystemId"))) for one in metrics]
    yield from _unequal("metrics", published, [([REFERENCE_BYTES_PER_SECOND], FILE_SYSTEM_ID)])


def _mailed(trial: InvocationTrial, expected: Mailed) -> Iterator[str]:
    answer = yield from _answer(trial)
    if [message.topic_name for message in trial.messages] != [ADVICE]:
        yield f"published {[(message.topic_name, message.subject) for message in trial.messages]}, not one Advice mail"
        return
    [message] = trial.messages
    severity, _, rest = message.subject.partition(": ")
    if severity != expected.severity or FILE_SYSTEM_ID not in rest:
        yield f"the subject is {message.subject!r}, not {expected.severity!r} of {FILE_SYSTEM_ID}"
    # With the figures of the file system itself: the words for a missing figure would be others.
    if "Balance: " not in message.body:
        yield "the mail has no figures"
    yield from _unequal("mail", answer.get("mail"), message.subject)
    if trial.after != replace(trial.before, messages=trial.after.messages):
        yield CHANGED


def _nothing_to_say(trial: InvocationTrial) -> Iterator[str]:
    answer = yield from _answer(trial)
    armed = {"alarm": "warning", "from": "INSUFFICIENT_DATA", "to": "OK", "mail": None}
    yield from _unequal("answer", answer, armed)
    if trial.after != trial.before:
        yield CHANGED


def _answered(trial: InvocationTrial, expected: AnsweredCloudFormation) -> Iterator[str]:
    yield from _answer(trial)
    request = json.loads(trial.event)
    if len(trial.answers) != 1:
        yield f"CloudFormation was answered {len(trial.answers)} times"
    for answer in trial.answers:
        yield from _unequal("status", answer["Status"], "FAILED" if expected.failure else "SUCCESS")
        if expected.failure not in answer.get("Reason", ""):
            yield f"the reason is {answer.get('Reason')!r}, not {expected.failure!r}"
        for field in ("StackId", "RequestId", "LogicalResourceId"):
            yield from _unequal(field, answer[field], request[field])
        physical_id = request.get("PhysicalResourceId", answer["PhysicalResourceId"])
        yield from _unequal("PhysicalResourceId", answer["PhysicalResourceId"], physical_id)
        wanted = {"WarningThresholdBytes": expected.warning_threshold_bytes, "Policies": expected.policies}
        for attribute, value in wanted.items():
            yield from _unequal(attribute, answer["Data"].get(attribute), value)
    if trial.after != trial.before:
        yield CHANGED


def _reported(trial: InvocationTrial) -> Iterator[str]:
    answer = yield from _answer(trial)
    yield from _unequal("mails", answer.get("mails"), [])
    if trial.after.alarms != trial.before.alarms or trial.messages:
        yield CHANGED


def _in_time(trial: InvocationTrial) -> Iterator[str]:
    answer = yield from _answer(trial)
    yield from _unequal("alarms set", answer.get("alarms_set"), [])
    if not answer.get("newest"):
        yield "it found no balance"
    if trial.after != trial.before:
        yield CHANGED


def _skipped(trial: InvocationTrial, expected: Skipped) -> Iterator[str]:
    answer = yield from _answer(trial)
    yield from _unequal("skipped", answer.get("skipped"), expected.reason)
    metrics = [json.loads(line) for line in trial.outcome.log if '"_aws"' in line]
    published = [tuple(map(one.get, (SKIPPED, "FileSystemId"))) for one in metrics]
    yield from _unequal("metrics", published, [([1.0], FILE_SYSTEM_ID)])
    if trial.after != trial.before:
        yield CHANGED


def _collected(trial: InvocationTrial) -> Iterator[str]:
    answer = yield from _answer(trial)
    yield from _unequal("collected", answer.get("collected"), [])
    if trial.after != trial.before:
        yield CHANGED


def _reconciled(trial: InvocationTrial) -> Iterator[str]:
    answer = yield from _answer(trial)
    yield from _unequal("answer", answer, {"steps": {"refuse": 1}, "refused": {}, "digest": True})
    subjects = [(message.topic_name, message.subject) for message in trial.messages]
    subject = f"ACTION: fleet {FLEET_NAME}: 1 refused; 0 watched"
    yield from _unequal("messages", subjects, [(f"{FLEET_NAME}-advice", subject)])
    if trial.after != replace(trial.before, messages=trial.after.messages, notes=trial.after.notes):
        yield CHANGED


def _answer(trial: InvocationTrial) -> Generator[str, None, dict[str, Any]]:
    """Yields that the function failed, if it did; returns its answer, empty where it gave none."""
    if trial.outcome.failed:
        yield f"it failed with {trial.outcome.error_type}: {trial.outcome.error}"
    answer = trial.outcome.answer
    return answer if isinstance(answer, dict) else {}


def _unequal(what: str, found: object, wanted: object) -> Iterator[str]:
    if found != wanted:
        yield f"{what} is {found!r}, not {wanted!r}"
