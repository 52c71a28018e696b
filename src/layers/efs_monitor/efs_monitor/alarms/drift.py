"""What somebody changed in the stack's alarms by hand: it survives, and is reported."""

from collections.abc import Iterator, Mapping

from efs_monitor.alarms import draining
from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm
from efs_monitor.alarms.alarm_definition import Wiring, definition

# What the template sets, and what it leaves unset and CloudWatch does not fill in by itself, so that only a person can
# have: each decides what an alarm judges, or whom it tells. Any other field of DescribeAlarms may be a service default;
# of two of them it is known which value silences an alarm (`_silencings` below).
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


def edits(alarm: LiveAlarm, kind: AlarmKind, wiring: Wiring) -> tuple[str, ...]:
    """What somebody changed in an alarm by hand, a sentence each; empty when it is as the template has it.

    Only in fields that are known here: CloudWatch gets new ones, and may tell their defaults for any alarm.
    """
    expected = definition(kind, wiring)
    fields = set(JUDGED_FIELDS)
    if kind is AlarmKind.RISE and alarm.settings.get("AlarmActions"):
        fields -= {"AlarmActions", "OKActions"}
    found = [
        f"{field} is {_shown(there)}, the stack has {_shown(wanted)}"
        for field in sorted(fields)
        if (there := alarm.settings.get(field)) != (wanted := expected.get(field))
        and _comparable(there, field) != _comparable(wanted, field)
    ]
    found += _silencings(alarm.settings)
    if kind is AlarmKind.RISE and not alarm.settings.get("AlarmActions"):
        found.append("AlarmActions is not set, the stack has the recalculation there")
    if not alarm.actions_enabled and not alarm.suspended:
        found.append("its actions are switched off, the stack has them on")
    return tuple(found)


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
