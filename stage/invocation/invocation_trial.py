"""One function that is given one event, on a stack where whatever writes is seen to write."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.aws import cloudwatch_alarms

from stage.invocation.answer_desk import AnswerDesk
from stage.invocation.deployed_stack import DeployedStack
from stage.invocation.effects import ObservedMessage, Observer, Seen
from stage.invocation.invocation_outcome import InvocationOutcome
from stage.invocation.sample_events import event_text

STALE_THRESHOLD_BYTES = 1_073_741_824.0


@dataclass(frozen=True, kw_only=True)
class InvocationTrial:
    """A function's answer to an event, and the stack before and after. `answers` went to CloudFormation."""

    event: str
    outcome: InvocationOutcome
    before: Seen
    after: Seen
    answers: Sequence[Mapping[str, Any]]

    @property
    def messages(self) -> tuple[ObservedMessage, ...]:
        """What was published meanwhile."""
        return self.after.messages[len(self.before.messages) :]


def tried(
    event_name: str,
    invoke: Callable[[str], InvocationOutcome],
    stack: DeployedStack,
    observer: Observer,
    desk: AnswerDesk,
) -> InvocationTrial:
    """Invoke a function while a recalculation would find something to repair, and nothing is remembered."""
    _make_stale(stack)
    event = stack.addressed(event_text(event_name))
    answered = len(desk.answers)
    before = observer.look()
    outcome = invoke(event)
    after = observer.look()
    return InvocationTrial(event=event, outcome=outcome, before=before, after=after, answers=desk.answers[answered:])


def _make_stale(stack: DeployedStack) -> None:
    """A wrong Warning threshold, and no memory of what was said, in the stack and in a fleet beside it."""
    cloudwatch = stack.client("cloudwatch")
    warning = cloudwatch_alarms.read(cloudwatch, stack.name)[AlarmKind.WARNING]
    cloudwatch_alarms.write(cloudwatch, warning._replace(threshold=STALE_THRESHOLD_BYTES))
    for name in stack.physical_ids("AWS::SSM::Parameter"):
        if name.endswith("/told") or "/fleet-notes" in name:
            stack.client("ssm").put_parameter(Name=name, Value="{}", Overwrite=True)
