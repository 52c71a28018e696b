"""EventBridge's default bus: an event reaches the functions of every rule whose pattern it matches.

moto matches patterns and stores rules; it delivers to queues and log groups only, through disabled rules too.
"""

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

from moto.awslambda.models import lambda_backends
from moto.core.exceptions import JsonRESTError
from moto.events.exceptions import InvalidEventPatternException, ValidationException
from moto.events.models import EventsBackend, Rule, events_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.functions.event_queue import EventQueue
from localaws.iam.resource_policy import ServiceRequest, allows
from localaws.schedule_expression import ExpressionError, parse

log = logging.getLogger(__name__)

SERVICE = "events.amazonaws.com"
LARGEST_PATTERN_CHARACTERS = 2_048
"""Unless AWS raised it: https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-quota.html."""
MOST_TARGETS = 5
"""Of a rule, by the same page; AWS raises it for nobody."""
CHANGED_INPUT = ("Input", "InputPath", "InputTransformer")


class EventBus:
    """Differs from AWS: targets are functions, which get the event as it is; what fails is logged and never retried."""

    def __init__(self, events: EventQueue) -> None:
        self._events = events

    def put(self, event: Mapping[str, Any]) -> None:
        """An event of an AWS service."""
        for rule in list(events_backends[ACCOUNT_ID][REGION].event_buses["default"].rules.values()):
            self.offer(rule, event)

    def offer(self, rule: Rule, event: Mapping[str, Any]) -> None:
        """The event goes to the rule's targets if the rule is on and wants it."""
        # A rule with a schedule alone has no pattern, and moto's empty pattern matches everything.
        if rule.state != "ENABLED" or rule.scheduled_expression or not rule.event_pattern.matches_event(event):
            return
        for target in rule.targets:
            if refusal := _refusal(rule, target):
                log.warning("rule %s: %s", rule.name, refusal)
            else:
                self._events.accept(target["Arn"].split(":")[6], json.dumps(event).encode())


def rule_put_with(theirs: Callable[..., Rule]) -> Callable[..., Rule]:
    """`EventsBackend.put_rule`, which refuses a pattern that is too long, in words of the sandbox, and a schedule that
    is none: rules have those of EventBridge Scheduler but for at(...).
    """

    def put(
        backend: EventsBackend,
        *request: Any,
        event_pattern: str | None = None,
        scheduled_expression: str | None = None,
        **named: Any,
    ) -> Rule:
        if scheduled_expression:
            try:
                parse(scheduled_expression)
            except ExpressionError as error:
                raise ValidationException("Parameter ScheduleExpression is not valid.") from error
        if (size := len(event_pattern or "")) > LARGEST_PATTERN_CHARACTERS:
            reason = f"it has {size} characters, and at most {LARGEST_PATTERN_CHARACTERS} are allowed"
            raise InvalidEventPatternException(reason=reason)
        schedule = {"scheduled_expression": scheduled_expression}
        return theirs(backend, *request, event_pattern=event_pattern, **schedule, **named)

    return put


def targets_put_with(theirs: Callable[..., None]) -> Callable[..., None]:
    """`EventsBackend.put_targets`, of no more than a rule has.

    https://github.com/aws-cloudformation/cfn-lint/issues/306
    """

    def put(backend: EventsBackend, name: str, event_bus_arn: str | None, targets: list[dict[str, Any]]) -> None:
        rule = backend.event_buses["default"].rules.get(name)
        ids = {one["Id"] for one in [*(rule.targets if rule else ()), *targets]}
        if len(ids) > MOST_TARGETS:
            code, sentence = "LimitExceededException", "The requested resource exceeds the maximum number allowed."
            raise JsonRESTError(code, sentence)
        theirs(backend, name, event_bus_arn, targets)

    return put


def sending_with(bus: EventBus) -> Callable[..., None]:
    """`Rule.send_to_targets`, which PutEvents calls."""

    def send_to_targets(rule: Rule, original_event: Mapping[str, Any], transform_input: bool = True) -> None:
        del transform_input
        bus.offer(rule, original_event)

    return send_to_targets


def _refusal(rule: Rule, target: Mapping[str, Any]) -> str | None:
    arn = target["Arn"]
    if not arn.startswith("arn:aws:lambda:"):
        return f"the sandbox delivers events to functions; not to {arn}"
    if changed := [name for name in CHANGED_INPUT if name in target]:
        return f"the sandbox delivers events as they are; not with {', '.join(changed)}"
    function = lambda_backends[ACCOUNT_ID][REGION].get_function_by_arn(arn)
    if function is None:
        return f"function {arn} does not exist"
    request = ServiceRequest(SERVICE, "lambda:InvokeFunction", arn, source_arn=rule.arn, source_account=ACCOUNT_ID)
    if not allows(function.policy.statements, request):
        return f"the policy of {arn} does not let EventBridge invoke it for this rule"
    return None
