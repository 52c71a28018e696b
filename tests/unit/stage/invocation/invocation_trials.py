"""Trials as they end when a function does what it should."""

import json
from dataclasses import replace
from typing import Any

from efs_monitor.aws.embedded_metrics import REFERENCE_THROUGHPUT

from stage.invocation.effects import ObservedMessage, Seen
from stage.invocation.findings import ADVICE, RIGHT_THRESHOLD_BYTES, WARNING
from stage.invocation.invocation_outcome import InvocationOutcome
from stage.invocation.invocation_trial import STALE_THRESHOLD_BYTES, InvocationTrial

SENTENCE = "The event is a list, not the JSON object an alarm sends"
POLICIES = "CriticalTopicArn: its policy lets this stack publish."
SUBJECT = "WARNING: 153 min of credits left at full speed, fs-0123456789abcdef0 (home)"


def seen(threshold_bytes: float = STALE_THRESHOLD_BYTES, memory: str = "{}", *messages: ObservedMessage) -> Seen:
    alarms = {WARNING: {"Threshold": threshold_bytes}, "efs-monitor-home-critical": {"Threshold": 3.0}}
    return Seen(alarms=alarms, memory=memory, ledger="{}", notes="{}", messages=messages)


def outcome(answer: Any, *log: str) -> InvocationOutcome:
    return InvocationOutcome(answer=answer, error_type=None, error=None, log=log, seconds=0.1)


def refusal() -> InvocationTrial:
    log = json.dumps({"level": "ERROR", "message": SENTENCE})
    ended = InvocationOutcome(answer=None, error_type="EventRefused", error=SENTENCE, log=(log,), seconds=0.1)
    return InvocationTrial(event="[]", outcome=ended, before=seen(), after=seen(), answers=())


def recalculation() -> InvocationTrial:
    metrics = {"_aws": {}, REFERENCE_THROUGHPUT: [104857600.0]}
    answer = {"cause": "schedule", "decision": "raise", "alarms_written": [WARNING], "mails": []}
    return InvocationTrial(
        event="{}",
        outcome=outcome(answer, json.dumps(metrics | {"FileSystemId": "fs-0123456789abcdef0"})),
        before=seen(),
        after=seen(RIGHT_THRESHOLD_BYTES, '{"reference_bytes_per_second": 104857600}'),
        answers=(),
    )


def explanation() -> InvocationTrial:
    message = ObservedMessage(topic_name=ADVICE, subject=SUBJECT, body="Balance: 900 GiB")
    after = seen(STALE_THRESHOLD_BYTES, "{}", message)
    return InvocationTrial(event="{}", outcome=outcome({"mail": SUBJECT}), before=seen(), after=after, answers=())


def arming() -> InvocationTrial:
    answer = {"alarm": "warning", "from": "INSUFFICIENT_DATA", "to": "OK", "mail": None}
    return InvocationTrial(event="{}", outcome=outcome(answer), before=seen(), after=seen(), answers=())


def deployment() -> InvocationTrial:
    request = {"StackId": "s", "RequestId": "r", "LogicalResourceId": "l", "PhysicalResourceId": "p"}
    answer = {**request, "Status": "SUCCESS", "Data": {"WarningThresholdBytes": "1132462080000"}}
    return InvocationTrial(
        event=json.dumps(request), outcome=outcome(None), before=seen(), after=seen(), answers=(answer,)
    )


def look_at_topics() -> InvocationTrial:
    return replace(deployment(), answers=({**deployment().answers[0], "Data": {"Policies": POLICIES}},))


def skip() -> InvocationTrial:
    metrics = {"_aws": {}, "Skipped": [1.0], "FileSystemId": "fs-0123456789abcdef0"}
    ended = outcome({"skipped": "no-target-online", "sentence": "None is online"}, json.dumps(metrics))
    return InvocationTrial(event="{}", outcome=ended, before=seen(), after=seen(), answers=())


def sweep() -> InvocationTrial:
    return InvocationTrial(event="{}", outcome=outcome({"collected": []}), before=seen(), after=seen(), answers=())


def reconciliation() -> InvocationTrial:
    subject = "ACTION: fleet efs-fleet: 1 refused; 0 watched"
    digest = ObservedMessage(topic_name="efs-fleet-advice", subject=subject, body="By hand: left alone.")
    after = replace(seen(STALE_THRESHOLD_BYTES, "{}", digest), notes='{"told": "2030-01-07"}')
    ended = outcome({"steps": {"refuse": 1}, "refused": {}, "digest": True})
    return InvocationTrial(event="{}", outcome=ended, before=seen(), after=after, answers=())


def silence_report() -> InvocationTrial:
    return InvocationTrial(event="{}", outcome=outcome({"mails": []}), before=seen(), after=seen(), answers=())
