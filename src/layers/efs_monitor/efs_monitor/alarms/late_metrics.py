"""What CloudWatch would have made of datapoints that came too late for it to look at.

An alarm looks back some minutes and leaves its state as it is where it finds nothing there. So metrics that come later
than that, for hours perhaps, look like calm: whatever the balance does, no alarm goes off and none ends.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from efs_monitor.alarms.alarm import EVALUATION_MINUTES, AlarmKind, LiveAlarm
from efs_monitor.efs.observations import BalancePoint

MINUTE = timedelta(minutes=1)
LOOKS_BACK = EVALUATION_MINUTES * MINUTE


@dataclass(frozen=True, kw_only=True)
class LateState:
    """The state that an alarm would have, had the datapoints come in time: `decisive` is the balance that says so."""

    kind: AlarmKind
    alarm: LiveAlarm
    state: Literal["ALARM", "OK"]
    decisive: BalancePoint
    newest: BalancePoint


def are_late(balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether the newest of the balances, in order, is older than an alarm looks back; False where there is none."""
    # The minute that is going on has no datapoint yet.
    begun = now.replace(second=0, microsecond=0)
    return bool(balances) and begun - balances[-1].time > LOOKS_BACK + MINUTE


def late_states(
    alarms: Mapping[AlarmKind, LiveAlarm], balances: Sequence[BalancePoint], now: datetime
) -> tuple[LateState, ...]:
    """The states to set at `now`; none while CloudWatch itself still sees the newest of the balances.

    Each alarm is judged as CloudWatch does: one minute of the last fifteen below its threshold is an alarm, and all of
    them above end it. With a minute missing among those nothing ends: the next look knows more. An alarm that is
    suspended, or that somebody made into another one, is left alone.
    """
    if not are_late(balances, now):
        return ()
    newest = balances[-1]
    judged = [point for point in balances if point.time > newest.time - LOOKS_BACK]
    found = []
    for kind, alarm in alarms.items():
        if alarm.suspended or alarm.threshold is None or not _judges_balance(alarm):
            continue
        below = [point for point in judged if point.balance_bytes < alarm.threshold]
        if below and alarm.state != "ALARM":
            found.append(LateState(kind=kind, alarm=alarm, state="ALARM", decisive=below[-1], newest=newest))
        elif not below and len(judged) == EVALUATION_MINUTES and alarm.state != "OK":
            found.append(LateState(kind=kind, alarm=alarm, state="OK", decisive=newest, newest=newest))
    return tuple(found)


def _judges_balance(alarm: LiveAlarm) -> bool:
    judged = {"MetricName": "BurstCreditBalance", "ComparisonOperator": "LessThanThreshold", "Statistic": "Minimum"}
    return all(alarm.settings.get(field) == value for field, value in judged.items())
