"""What the template makes of each alarm: what it watches, how it is evaluated, and whom it tells."""

from typing import NamedTuple

from efs_monitor.alarms import draining
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.alarm_topics import TOLD_ON, Topic

# CloudWatch counts 15 one-minute datapoints back: one bad one alarms, 15 good ones in a row end it.
EVALUATION_MINUTES = 15


class Wiring(NamedTuple):
    """What the alarms watch and whom they tell, as ARNs and names of the stack."""

    file_system_id: str
    warning_topic_arn: str
    critical_topic_arn: str
    explain_arn: str

    def told_on(self, kind: AlarmKind) -> str:
        """The topic that an alarm about credits tells."""
        return self.warning_topic_arn if TOLD_ON[kind] is Topic.WARNING else self.critical_topic_arn


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
        settings["AlarmActions"] = settings["OKActions"] = [wiring.told_on(kind), wiring.explain_arn]
    return settings


def _draining(wiring: Wiring) -> dict[str, object]:
    return {
        "InsufficientDataActions": [],
        "Metrics": draining.metrics(wiring.file_system_id),
        "EvaluationPeriods": draining.POINTS_EVALUATED,
        "DatapointsToAlarm": draining.POINTS_TO_ALARM,
        "ComparisonOperator": "LessThanThreshold",
        "TreatMissingData": "ignore",
        "AlarmActions": [wiring.told_on(AlarmKind.DRAINING), wiring.explain_arn],
        # So that what a pager has open is closed, and rings at the next fall.
        "OKActions": [wiring.told_on(AlarmKind.DRAINING)],
    }
