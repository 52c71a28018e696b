"""What an invocation did to a stack: alarms, memory, ledger of benchmarks, a fleet's notes, messages published."""

import json
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from stage.invocation.deployed_stack import DeployedStack


@dataclass(frozen=True, kw_only=True)
class ObservedMessage:
    """A message on one of the stack's topics."""

    topic_name: str
    subject: str
    body: str


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A stack at one moment. Alarms are whole but for their state, which CloudWatch itself changes at any time."""

    alarms: Mapping[str, Mapping[str, Any]]
    memory: str
    ledger: str
    notes: str
    messages: tuple[ObservedMessage, ...]


class Observer:
    """Looks at a stack over its API; messages are those published since the `with` block was entered."""

    def __init__(self, stack: DeployedStack) -> None:
        self._stack = stack
        self._messages: list[ObservedMessage] = []
        self._queue_url = ""
        self._subscriptions: list[str] = []

    def __enter__(self) -> Self:
        queue = self._stack.client("sqs")
        self._queue_url = queue.create_queue(QueueName=f"observer-{uuid.uuid4()}")["QueueUrl"]
        attributes = queue.get_queue_attributes(QueueUrl=self._queue_url, AttributeNames=["QueueArn"])
        for topic_arn in self._stack.physical_ids("AWS::SNS::Topic"):
            subscribed = self._stack.client("sns").subscribe(
                TopicArn=topic_arn, Protocol="sqs", Endpoint=attributes["Attributes"]["QueueArn"]
            )
            self._subscriptions.append(subscribed["SubscriptionArn"])
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for subscription in self._subscriptions:
            self._stack.client("sns").unsubscribe(SubscriptionArn=subscription)
        self._stack.client("sqs").delete_queue(QueueUrl=self._queue_url)

    def look(self) -> Seen:
        """The stack as it is now."""
        self._messages += self._received()
        described = self._stack.client("cloudwatch").describe_alarms(AlarmNamePrefix=f"{self._stack.name}-")
        return Seen(
            alarms={alarm["AlarmName"]: _without_state(alarm) for alarm in described["MetricAlarms"]},
            memory=self._parameter("told"),
            ledger=self._parameter("benchmarks"),
            notes=self._parameter("fleet-notes"),
            messages=tuple(self._messages),
        )

    def _parameter(self, end: str) -> str:
        """The value of one of the stack's parameters, with those below it; empty where there is none of this name."""
        names = [name for name in self._stack.physical_ids("AWS::SSM::Parameter") if f"/{end}/" in f"{name}/"]
        ssm = self._stack.client("ssm")
        return "".join(ssm.get_parameter(Name=name)["Parameter"]["Value"] for name in names)

    def _received(self) -> Iterator[ObservedMessage]:
        queue = self._stack.client("sqs")
        while found := queue.receive_message(QueueUrl=self._queue_url, MaxNumberOfMessages=10).get("Messages"):
            for one in found:
                told = json.loads(one["Body"])
                yield ObservedMessage(
                    topic_name=told["TopicArn"].rpartition(":")[2],
                    subject=told.get("Subject", ""),
                    body=told["Message"],
                )
                queue.delete_message(QueueUrl=self._queue_url, ReceiptHandle=one["ReceiptHandle"])


def changes(before: Seen, after: Seen) -> Iterator[str]:
    """What is different, a line each."""
    for name in sorted(before.alarms.keys() | after.alarms.keys()):
        yield from _alarm_changes(name, before.alarms.get(name), after.alarms.get(name))
    if before.memory != after.memory:
        yield f"told: {before.memory} → {after.memory}"
    if before.ledger != after.ledger:
        yield f"benchmarks: {before.ledger} → {after.ledger}"
    if before.notes != after.notes:
        yield f"fleet-notes: {before.notes} → {after.notes}"
    for message in after.messages[len(before.messages) :]:
        yield f"message on {message.topic_name}: {message.subject}"


def _alarm_changes(name: str, before: Mapping[str, Any] | None, after: Mapping[str, Any] | None) -> Iterator[str]:
    if before is None or after is None:
        yield f"{name}: {'created' if before is None else 'deleted'}"
        return
    for field in sorted(before.keys() | after.keys()):
        was, now = before.get(field), after.get(field)
        # The time alone would say that something was written, and the other fields say what.
        if was != now and field != "AlarmConfigurationUpdatedTimestamp":
            yield f"{name}: {field} {was} → {now}"


def _without_state(alarm: Mapping[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in alarm.items() if not field.startswith("State")}
