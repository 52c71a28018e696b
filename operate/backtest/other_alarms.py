"""What other alarms on the balance would have said of the same history: AWS's recommended one, a fixed threshold."""

from collections.abc import Sequence
from dataclasses import dataclass

from operate.backtest.alarm_states import points_of, state_changes
from operate.backtest.spells import Spell
from operate.backtest.warnings import Record, on_times, record
from operate.history.file_system_history import History
from operate.history.recorded import AVERAGE_BALANCE, BALANCE
from operate.replay.replay import DEPLOYED_AT
from simulation.alarm_evaluation import AlarmRule, ComparisonOperator, TreatMissingData


@dataclass(frozen=True, kw_only=True)
class OtherAlarm:
    """An alarm that is not ours: what it is called here, on which statistic of the balance it is, and its rule."""

    name: str
    key: tuple[str, str]
    rule: AlarmRule


# CloudWatch user guide, "Recommended alarms", Amazon EFS: average ≤ 0 in 15 of 15 minutes.
RECOMMENDED = OtherAlarm(
    name="AWS's recommended alarm (average 0 for 15 min)",
    key=AVERAGE_BALANCE,
    rule=AlarmRule(
        ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
        threshold=0.0,
        evaluation_periods=15,
        datapoints_to_alarm=15,
        treat_missing_data=TreatMissingData.MISSING,
    ),
)
# The threshold of Cloud Posse's Terraform module efs-cloudwatch-sns-alarms, "last hour where you can burst at
# 100 MB/sec"; all else as our own alarms have it, so that the threshold alone makes the difference.
FIXED = OtherAlarm(
    name="a fixed threshold of 192 GB",
    key=BALANCE,
    rule=AlarmRule(
        ComparisonOperator.LESS_THAN_THRESHOLD,
        threshold=192e9,
        evaluation_periods=15,
        datapoints_to_alarm=1,
        treat_missing_data=TreatMissingData.IGNORE,
    ),
)


def recorded_by(other: OtherAlarm, history: History, spells: Sequence[Spell]) -> Record:
    """What the alarm would have been worth; its messages are its going on and its end."""
    changes = state_changes([(DEPLOYED_AT, other.rule)], points_of(history.metrics.values[other.key]))
    told = [(minute, str(state)) for minute, state in changes]
    messages = sum(1 for _, state in told if state in {"ALARM", "OK"})
    return record(on_times(told), spells, messages)
