"""Trials as they end when a function does what it should."""

import json
from dataclasses import replace
from typing import Any

from stage.invocation.effects import Message, Seen
from stage.invocation.findings import ADVICE, RIGHT_THRESHOLD_BYTES, WARNING
from stage.invocation.outcome import Outcome
from stage.invocation.trial import STALE_THRESHOLD_BYTES, Trial

SENTENCE = "The event is a list, not the JSON object an alarm sends"
POLICIES = "CriticalTopicArn: its policy lets this stack publish."
SUBJECT = "WARNING: 153 min of credits left at full speed, fs-0123456789abcdef0 (home)"


def seen(threshold_bytes: float = STALE_THRESHOLD_BYTES, memory: str = "{}", *messages: Message) -> Seen:
    alarms = {WARNING: {"Threshold": threshold_bytes}, "efs-monitor-home-critical": {"Threshold": 3.0}}
    return Seen(alarms=alarms, memory=memory, ledger="{}", notes="{}", messages=messages)


def outcome(answer: Any, *log: str) -> Outcome:
    return Outcome(answer=answer, error_type=None, error=None, log=log, seconds=0.1)


def refusal() -> Trial:
    log = json.dumps({"level": "ERROR", "message": SENTENCE})
    ended = Outcome(answer=None, error_type="EventRefused", error=SENTENCE, log=(log,), seconds=0.1)
    return Trial(event="[]", outcome=ended, before=seen(), after=seen(), answers=())


def recalculation() -> Trial:
    metrics = {"_aws": {}, "ReferenceThroughput": [104857600.0]}
    answer = {"cause": "schedule", "decision": "raise", "alarms_written": [WARNING], "mails": []}
    return Trial(
        event="{}",
        outcome=outcome(answer, json.dumps(metrics | {"FileSystemId": "fs-0123456789abcdef0"})),
        before=seen(),
        after=seen(RIGHT_THRESHOLD_BYTES, '{"reference_bytes_per_second": 104857600}'),
        answers=(),
    )


def explanation() -> Trial:
    message = Message(topic_name=ADVICE, subject=SUBJECT, body="Balance: 900 GiB")
    after = seen(STALE_THRESHOLD_BYTES, "{}", message)
    return Trial(event="{}", outcome=outcome({"mail": SUBJECT}), before=seen(), after=after, answers=())


def arming() -> Trial:
    answer = {"alarm": "warning", "from": "INSUFFICIENT_DATA", "to": "OK", "mail": None}
    return Trial(event="{}", outcome=outcome(answer), before=seen(), after=seen(), answers=())


def deployment() -> Trial:
    request = {"StackId": "s", "RequestId": "r", "LogicalResourceId": "l", "PhysicalResourceId": "p"}
    answer = {**request, "Status": "SUCCESS", "Data": {"WarningThresholdBytes": "1132462080000"}}
    return Trial(event=json.dumps(request), outcome=outcome(None), before=seen(), after=seen(), answers=(answer,))


def look_at_topics() -> Trial:
    return replace(deployment(), answers=({**deployment().answers[0], "Data": {"Policies": POLICIES}},))


def skip() -> Trial:
    metrics = {"_aws": {}, "Skipped": [1.0], "FileSystemId": "fs-0123456789abcdef0"}
    ended = outcome({"skipped": "no-target-online", "sentence": "None is online"}, json.dumps(metrics))
    return Trial(event="{}", outcome=ended, before=seen(), after=seen(), answers=())


def sweep() -> Trial:
    return Trial(event="{}", outcome=outcome({"collected": []}), before=seen(), after=seen(), answers=())


def reconciliation() -> Trial:
    subject = "ACTION: fleet efs-fleet: 1 refused; 0 watched"
    digest = Message(topic_name="efs-fleet-advice", subject=subject, body="By hand: left alone.")
    after = replace(seen(STALE_THRESHOLD_BYTES, "{}", digest), notes='{"told": "2030-01-07"}')
    ended = outcome({"steps": {"refuse": 1}, "refused": {}, "digest": True})
    return Trial(event="{}", outcome=ended, before=seen(), after=after, answers=())


def silence_report() -> Trial:
    return Trial(event="{}", outcome=outcome({"mails": []}), before=seen(), after=seen(), answers=())
