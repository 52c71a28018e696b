"""Runs the actions of an alarm that changed its state, where the target's own policy lets CloudWatch in."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Protocol

from moto.awslambda.models import lambda_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.cloudwatch import history_items, notification
from localaws.cloudwatch.alarm import Alarm, AlarmState
from localaws.cloudwatch.notification import StateChange
from localaws.cloudwatch.registry import AlarmRegistry
from localaws.encryption_keys import AWS_MANAGED_SNS_KEY, KeyNotUsable, require_usable_key
from localaws.iam.owned import stored_key, stored_topic
from localaws.iam.resource_policy import ServiceRequest, allows


class Functions(Protocol):
    def accept(self, function_name: str, payload: bytes) -> str: ...


class NotDeliveredError(Exception):
    """Why an action failed, as the alarm's history tells it."""


class ActionDelivery:
    """Sends state changes to topics and functions; what fails goes into the alarm's history and nowhere else."""

    def __init__(self, alarms: AlarmRegistry, functions: Functions, now: Callable[[], datetime]) -> None:
        self._alarms = alarms
        self._functions = functions
        self._now = now

    def deliver(self, alarm: Alarm, old: AlarmState) -> None:
        change = StateChange.of(alarm, old)
        for action in change.configuration.actions_for(change.new.value):
            published: str | None = None
            error: str | None = None
            try:
                published = (
                    self._publish(action, change) if action.startswith("arn:aws:sns:") else self._invoke(action, change)
                )
            except (NotDeliveredError, ValueError) as refusal:
                error = str(refusal)
            item = history_items.action_executed(change.configuration.name, self._now(), action, published, error)
            self._alarms.history.append(item)

    def _publish(self, topic_arn: str, change: StateChange) -> str:
        topic = stored_topic(topic_arn)
        if topic is None:
            message = f"SNS topic {topic_arn} does not exist"
            raise NotDeliveredError(message)
        request = _asks("cloudwatch.amazonaws.com", "SNS:Publish", topic_arn, change)
        if not allows(json.loads(topic.policy)["Statement"], request):
            message = f"CloudWatch Alarms is not authorized to perform: SNS:Publish on resource: {topic_arn}"
            raise NotDeliveredError(message)
        if topic.kms_master_key_id:
            _require_key_that_lets_in(topic.kms_master_key_id, topic.account_id, change)
        try:
            require_usable_key(topic)
        except KeyNotUsable as refused:
            message = f"Received error: {refused.message}"
            raise NotDeliveredError(message) from refused
        message = json.dumps({"default": notification.sns_message(change), "email": notification.mail_text(change)})
        topic.sns_backend.publish(
            message, arn=topic_arn, subject=notification.subject(change), message_structure="json"
        )
        return message

    def _invoke(self, function_arn: str, change: StateChange) -> str:
        statements = _function_policy(function_arn)
        request = _asks("lambda.alarms.cloudwatch.amazonaws.com", "lambda:InvokeFunction", function_arn, change)
        if not allows(statements, request):
            message = (
                f"CloudWatch Alarms is not authorized to perform: lambda:InvokeFunction on the resource: "
                f"{function_arn} because no resource-based policy allows the lambda:InvokeFunction action"
            )
            raise NotDeliveredError(message)
        event = json.dumps(notification.lambda_event(change))
        self._functions.accept(function_arn.split(":")[6], event.encode())
        return event


def _asks(service: str, action: str, resource: str, change: StateChange) -> ServiceRequest:
    return ServiceRequest(service, action, resource, source_arn=change.arn, source_account=ACCOUNT_ID)


def _function_policy(function_arn: str) -> list[Mapping[str, Any]]:
    function = lambda_backends[ACCOUNT_ID][REGION].get_function_by_arn(function_arn)
    if function is None:
        message = f"Lambda function {function_arn} does not exist"
        raise NotDeliveredError(message)
    statements: list[Mapping[str, Any]] = function.policy.statements
    return statements


def _require_key_that_lets_in(key: str, owner_account_id: str, change: StateChange) -> None:
    """CloudWatch must be let in by the topic's key, too; the AWS managed key of SNS never lets it in."""
    needed = ("kms:Decrypt", "kms:GenerateDataKey")
    known = None if key.endswith(AWS_MANAGED_SNS_KEY) else stored_key(key, owner_account_id)
    statements = json.loads(known.policy)["Statement"] if known else []
    arn = known.arn if known else key
    for action in needed:
        if not allows(statements, _asks("cloudwatch.amazonaws.com", action, arn, change)):
            message = f"CloudWatch Alarms does not have authorization to access the SNS topic encryption key {key}"
            raise NotDeliveredError(message)
