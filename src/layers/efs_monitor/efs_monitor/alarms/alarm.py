"""The stack's own alarms: what they are called, how CloudWatch holds them, and how reasons of ours begin.

The recalculation owns threshold, description and (to suspend) whether actions are enabled. Everything else is
the template's; where somebody edited it by hand it survives, and is reported.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

# The mark lives in the alarm itself: it tells our own suspension from actions that a person switched off, and
# needs no stored state.
SUSPENDED_MARK = "[suspended]"
# What a suspended alarm says while it is being switched on again: still marked, so that an interrupted resume
# is taken up by the next run.
WAKING = f"{SUSPENDED_MARK} Burst credits matter again; the next hourly run switches this alarm on."
# How the reason begins with which a drill sets an alarm's state: what comes of it says so.
DRILL_MARK = "DRILL:"
# How the reason begins with which an alarm is ended that falls silent: what pagers have open is closed by it, and the
# mail about the suspension tells of it.
ENDED_BY_MODE_MARK = "Over by a change of the throughput mode:"
# How the reason begins with which an alarm is put into ALARM while it is silent, so that nothing sets it off when it
# acts again: nobody is told that it is on.
HELD_MARK = "Set while it was silent:"
# How the reason begins with which Exhausted is set for credits that were back before CloudWatch could look at them.
ENDED_UNSEEN_MARK = "LATE METRICS, OVER:"
# How the reason begins with which Draining is set for a fall of which no datapoint shows that it goes on, and ended
# when nobody knows that any more.
UNSEEN_FALL_MARK = "LATE METRICS, UNSEEN:"


class AlarmKind(StrEnum):
    """The alarms of a stack; the value ends the alarm's name."""

    WARNING = "warning"
    CRITICAL = "critical"
    EXHAUSTED = "exhausted"
    DRAINING = "draining"
    RISE = "permitted-throughput-rise"


# The mildest first: each goes off below fewer minutes of credits than the one before it.
LEAD_ALARMS = (AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED)
# Those that are repeated while a balance stays low for hours. Exhausted is on beside Critical, which says as well that
# the credits are gone.
LASTING_ALARMS = (AlarmKind.WARNING, AlarmKind.CRITICAL)
# All that mean nothing where credits do.
CREDIT_ALARMS = (*LEAD_ALARMS, AlarmKind.DRAINING)


def alarm_name(stack_name: str, kind: AlarmKind) -> str:
    """The alarm's name, which carries the stack's so that two stacks live in one account and Region."""
    return f"{stack_name}-{kind}"


def warning_stack(name: str, action_arns: Iterable[str]) -> str | None:
    """The stack whose Warning alarm this is: it is called after the stack, and tells the topic that is called alike, or
    the stack's Explain where the topic is somebody else's.

    None for any other alarm, such as one of somebody's own on the same metric.
    """
    stack_name = name.removesuffix(alarm_name("", AlarmKind.WARNING))
    ours = stack_name != name and any(
        arn.rpartition(":")[2] == name or _is_explain_of(stack_name, arn) for arn in action_arns
    )
    return stack_name if ours else None


def _is_explain_of(stack_name: str, arn: str) -> bool:
    """CloudFormation calls a function STACK-Explain-SOMETHING, and cuts the stack's name where that is too long."""
    beginning, is_explain, _ = arn.rpartition(":function:")[2].partition("-Explain-")
    return bool(is_explain) and stack_name.startswith(beginning)


class LiveAlarm(NamedTuple):
    """An alarm as CloudWatch holds it. `settings` is everything PutMetricAlarm takes besides the named fields.

    It has been in its state, for the reason CloudWatch gives, since it `transitioned`, and is as it was `configured` by
    the last write. `evaluation_state` is CloudWatch's word for why it cannot evaluate it as it should; empty where it
    can, or where the runtime's botocore does not know that there is such a word. `threshold` is None where somebody
    turned it into an alarm on anomalies or a query: it has none that could be kept right. Where the monitor itself set
    the state, because metrics were late, `judged_until` is the newest datapoint that it had for that; else None.
    """

    name: str
    threshold: float | None
    description: str
    actions_enabled: bool
    state: str
    settings: Mapping[str, object]
    state_reason: str = ""
    transitioned: datetime | None = None
    configured: datetime | None = None
    evaluation_state: str = ""
    judged_until: datetime | None = None

    @property
    def targets(self) -> frozenset[str]:
        """The ARNs that its actions tell."""
        lists = (self.settings.get(field) for field in ("AlarmActions", "OKActions"))
        return frozenset(str(target) for one in lists if isinstance(one, list) for target in one)

    @property
    def suspended(self) -> bool:
        """Whether the monitor itself silenced the alarm, or is in the middle of waking it."""
        return self.description.startswith(SUSPENDED_MARK)

    def watches(self, file_system_id: str) -> bool:
        """Whether the alarm is about this file system."""
        watched = [{"Name": "FileSystemId", "Value": file_system_id}]
        metrics = self.settings.get("Metrics")
        if isinstance(metrics, list) and metrics:
            sources = [one["MetricStat"]["Metric"] for one in metrics if "MetricStat" in one]
            return all(source.get("Dimensions") == watched for source in sources)
        return self.settings.get("Dimensions") == watched

    def with_contents(self, threshold: float, description: str, *, actions_enabled: bool) -> "LiveAlarm":
        """This alarm with the three fields that the recalculation owns set to these values."""
        return self._replace(threshold=threshold, description=description, actions_enabled=actions_enabled)


def is_drill(state_reason: str) -> bool:
    """Whether an alarm was set to its state by a drill."""
    return state_reason.startswith(DRILL_MARK)


def is_ended_by_mode(state_reason: str) -> bool:
    """Whether an alarm was ended because it fell silent."""
    return state_reason.startswith(ENDED_BY_MODE_MARK)


def is_held(state_reason: str) -> bool:
    """Whether an alarm was put into ALARM while it was silent."""
    return state_reason.startswith(HELD_MARK)


def is_ended_unseen(state_reason: str) -> bool:
    """Whether Exhausted was set for credits that had ended and were back before CloudWatch could look at them."""
    return state_reason.startswith(ENDED_UNSEEN_MARK)
