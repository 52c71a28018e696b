"""The stack's own alarms: what they are called, how they are defined, and what may change in them.

The recalculation owns threshold, description and (to suspend) whether actions are enabled. Everything else is
the template's; where somebody edited it by hand it survives, and is reported.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from efs_monitor.alarms import draining

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
# How the reason begins with which Exhausted is set for credits that were back before CloudWatch could look at them.
ENDED_UNSEEN_MARK = "LATE METRICS, OVER:"
# CloudWatch counts 15 one-minute datapoints back: one bad one alarms, 15 good ones in a row end it.
EVALUATION_MINUTES = 15
# What the template sets, and what it leaves unset and CloudWatch does not fill in by itself, so that only a person can
# have: each decides what an alarm judges, or whom it tells. Any other field of DescribeAlarms may be a service default;
# of two of them it is known which value silences an alarm (`_silencings`).
JUDGED_FIELDS = frozenset(
    {
        "AlarmActions",
        "OKActions",
        "InsufficientDataActions",
        "Namespace",
        "MetricName",
        "Dimensions",
        "Statistic",
        "ExtendedStatistic",
        "Period",
        "Unit",
        "Metrics",
        "EvaluationPeriods",
        "DatapointsToAlarm",
        "ComparisonOperator",
        "TreatMissingData",
        "ThresholdMetricId",
        "EvaluateLowSampleCountPercentile",
        "EvaluationCriteria",
    }
)


class AlarmKind(StrEnum):
    """The alarms of a stack; the value ends the alarm's name."""

    WARNING = "warning"
    CRITICAL = "critical"
    EXHAUSTED = "exhausted"
    DRAINING = "draining"
    RISE = "permitted-throughput-rise"


# The mildest first: each goes off below fewer minutes of credits than the one before it.
LEAD_ALARMS = (AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED)
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


@dataclass(frozen=True, kw_only=True)
class LiveAlarm:
    """An alarm as CloudWatch holds it. `settings` is everything PutMetricAlarm takes besides the named fields.

    It has been in its state, for the reason CloudWatch gives, since it `transitioned`, and is as it was `configured` by
    the last write. `evaluation_state` is CloudWatch's word for why it cannot evaluate it as it should; empty where it
    can, or where the runtime's botocore does not know that there is such a word. `threshold` is None where somebody
    turned it into an alarm on anomalies or a query: it has none that could be kept right.
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
        return replace(self, threshold=threshold, description=description, actions_enabled=actions_enabled)


@dataclass(frozen=True, kw_only=True)
class Wiring:
    """What the alarms watch and whom they tell, as ARNs and names of the stack."""

    file_system_id: str
    warning_topic_arn: str
    critical_topic_arn: str
    explain_arn: str


def definition(kind: AlarmKind, wiring: Wiring) -> dict[str, object]:
    """The settings the template gives an alarm, in PutMetricAlarm's words; a template test holds both equal.

    The actions of Rise are left out: the recalculation cannot know its own ARN from the template.
    """
    if kind is AlarmKind.DRAINING:
        return _draining(wiring)
    rise = kind is AlarmKind.RISE
    settings: dict[str, object] = {
        "InsufficientDataActions": [],
        "Namespace": "AWS/EFS",
        "MetricName": "PermittedThroughput" if rise else "BurstCreditBalance",
        "Dimensions": [{"Name": "FileSystemId", "Value": wiring.file_system_id}],
        "Statistic": "Minimum",
        "Period": 60,
        "EvaluationPeriods": EVALUATION_MINUTES,
        "DatapointsToAlarm": 1,
        "ComparisonOperator": "GreaterThanThreshold" if rise else "LessThanThreshold",
        "TreatMissingData": "ignore",
    }
    if not rise:
        topic = wiring.warning_topic_arn if kind is AlarmKind.WARNING else wiring.critical_topic_arn
        settings["AlarmActions"] = settings["OKActions"] = [topic, wiring.explain_arn]
    return settings


def _draining(wiring: Wiring) -> dict[str, object]:
    return {
        "InsufficientDataActions": [],
        "Metrics": draining.metrics(wiring.file_system_id),
        "EvaluationPeriods": draining.POINTS_EVALUATED,
        "DatapointsToAlarm": draining.POINTS_TO_ALARM,
        "ComparisonOperator": "LessThanThreshold",
        "TreatMissingData": "ignore",
        "AlarmActions": [wiring.warning_topic_arn, wiring.explain_arn],
        # So that what a pager has open is closed, and rings at the next fall.
        "OKActions": [wiring.warning_topic_arn],
    }


def edits(alarm: LiveAlarm, kind: AlarmKind, wiring: Wiring) -> tuple[str, ...]:
    """What somebody changed in an alarm by hand, a sentence each; empty when it is as the template has it.

    Only in fields that are known here: CloudWatch gets new ones, and may tell their defaults for any alarm.
    """
    expected = definition(kind, wiring)
    fields = set(JUDGED_FIELDS)
    if kind is AlarmKind.RISE and alarm.settings.get("AlarmActions"):
        fields -= {"AlarmActions", "OKActions"}
    found = [
        f"{field} is {_shown(alarm.settings.get(field))}, the stack has {_shown(expected.get(field))}"
        for field in sorted(fields)
        if _comparable(alarm.settings.get(field), field) != _comparable(expected.get(field), field)
    ]
    found += _silencings(alarm.settings)
    if kind is AlarmKind.RISE and not alarm.settings.get("AlarmActions"):
        found.append("AlarmActions is not set, the stack has the recalculation there")
    if not alarm.actions_enabled and not alarm.suspended:
        found.append("its actions are switched off, the stack has them on")
    return tuple(found)


def is_drill(state_reason: str) -> bool:
    """Whether an alarm was set to its state by a drill."""
    return state_reason.startswith(DRILL_MARK)


def is_ended_by_mode(state_reason: str) -> bool:
    """Whether an alarm was ended because it fell silent."""
    return state_reason.startswith(ENDED_BY_MODE_MARK)


def is_ended_unseen(state_reason: str) -> bool:
    """Whether Exhausted was set for credits that had ended and were back before CloudWatch could look at them."""
    return state_reason.startswith(ENDED_UNSEEN_MARK)


def _silencings(settings: Mapping[str, object]) -> Iterator[str]:
    """Where one of CloudWatch's newer fields keeps an alarm from judging; a default of the service says nothing."""
    window, warm_up = settings.get("EvaluationWindow"), settings.get("WarmUpConfiguration")
    if isinstance(window, Mapping) and isinstance(by_clock := window.get("WallClockWindow"), Mapping):
        zone = by_clock.get("Timezone", "UTC")
        yield f"EvaluationWindow follows the wall clock of {zone}, the stack has a sliding window"
    if isinstance(warm_up, Mapping) and (minutes := warm_up.get("WarmUpPeriodDurationInMinutes")):
        yield (
            f"WarmUpConfiguration silences it for up to {minutes} min after it is created or changed, "
            "the stack has no warm-up"
        )


def _comparable(value: object, field: str) -> object:
    """CloudWatch answers an unset list and an empty one alike, and may reorder the actions of one."""
    if field == "Metrics" and isinstance(value, list):
        return sorted((draining.judged(one) for one in value), key=lambda one: str(one.get("Id")))
    if isinstance(value, list):
        return sorted(map(str, value))
    return value if value is not None else []


def _shown(value: object) -> str:
    return "not set" if value is None or value == [] else str(value)
