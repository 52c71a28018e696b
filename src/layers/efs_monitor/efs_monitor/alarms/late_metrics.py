"""What CloudWatch would have made of datapoints that came too late for it to look at.

An alarm looks back some minutes and leaves its state as it is where it finds nothing there. So metrics that come later
than that, for hours perhaps, look like calm: whatever the balance does, no alarm goes off and none ends. When they come
in time again all that was held back arrives at once, and credits that had ended and were back meanwhile show in no
alarm at all.

Draining looks back for longer than the others, and needs few minutes of those: it is blind last, and judged with them.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from efs_monitor.alarms import draining
from efs_monitor.alarms.alarm import UNSEEN_FALL_MARK, AlarmKind, LiveAlarm
from efs_monitor.alarms.alarm_definition import EVALUATION_MINUTES
from efs_monitor.alarms.thresholds import EXHAUSTED_MINUTES
from efs_monitor.efs.credits import HIGHEST_REGIONAL_CAP_BYTES_PER_SECOND, SECONDS_PER_MINUTE, threshold_bytes
from efs_monitor.efs.observations import MINUTE, BalancePoint

LOOKS_BACK = EVALUATION_MINUTES * MINUTE
# No file system that lives on credits has Exhausted at a higher balance; and what has none left is below any.
HIGHEST_EXHAUSTED_BYTES = threshold_bytes(EXHAUSTED_MINUTES, HIGHEST_REGIONAL_CAP_BYTES_PER_SECOND)
# How a reason begins that CloudWatch gives after it has judged datapoints.
CLOUDWATCHS_REASON = "Threshold Crossed"


class LateState(NamedTuple):
    """The state that an alarm would have, had the datapoints come in time: `decisive` is the balance that says so.
    `unseen_bytes_per_second` is the pace at which it says so of what no datapoint shows; None where datapoints do.
    """

    kind: AlarmKind
    alarm: LiveAlarm
    state: Literal["ALARM", "OK"]
    decisive: BalancePoint
    newest: BalancePoint
    unseen_bytes_per_second: float | None = None


def are_late(balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether the newest of the balances, in order, is older than an alarm looks back; False where there is none."""
    return bool(balances) and not _is_looked_at(balances[-1], now)


def may_be_unseen(balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether an older balance is lower than all that an alarm looks at, and so low that credits may have been gone: it
    may have come too late for Exhausted.

    A balance that comes back was lower before, for hours or days: by the first alone most looks would ask for alarms.
    """
    looked_at = [point.balance_bytes for point in balances if _is_looked_at(point, now)]
    older = [point.balance_bytes for point in balances if not _is_looked_at(point, now)]
    return bool(looked_at and older) and min(older) < min(*looked_at, HIGHEST_EXHAUSTED_BYTES)


def late_states(
    alarms: Mapping[AlarmKind, LiveAlarm],
    balances: Sequence[BalancePoint],
    now: datetime,
    *,
    falls_unseen: bool = True,
) -> tuple[LateState, ...]:
    """The states to set at `now`. While CloudWatch sees the newest of the balances it judges by itself, and what may be
    left to set is Exhausted, for credits that ended unseen. Draining comes last: whoever explains it finds the others
    as they are.

    Each alarm is judged as CloudWatch does: one minute of the last fifteen below its threshold is an alarm, and all of
    them above end it. With a minute missing among those nothing ends: the next look knows more. A minute below that
    CloudWatch was done with when it ended the alarm begins no other. An alarm that is suspended, or that somebody made
    into another one, is left alone.

    `falls_unseen` is whether a balance that fell is taken to fall on where no datapoint shows it.
    """
    if not are_late(balances, now):
        return _ended_unseen(alarms.get(AlarmKind.EXHAUSTED), balances, now)
    by_pace = _late_by_pace(alarms.get(AlarmKind.DRAINING), balances, now, falls_unseen=falls_unseen)
    return (*_late_by_balance(alarms, balances), *by_pace)


def _late_by_balance(alarms: Mapping[AlarmKind, LiveAlarm], balances: Sequence[BalancePoint]) -> tuple[LateState, ...]:
    newest = balances[-1]
    judged = [point for point in balances if point.time > newest.time - LOOKS_BACK]
    found = []
    for kind, alarm in alarms.items():
        if not _judges_balance(alarm):
            continue
        below = _below(alarm, judged)
        untold = [point for point in below if not _is_told_and_over(point, alarm)]
        if untold and alarm.state != "ALARM":
            found.append(LateState(kind=kind, alarm=alarm, state="ALARM", decisive=untold[-1], newest=newest))
        elif not below and len(judged) == EVALUATION_MINUTES and alarm.state != "OK":
            found.append(LateState(kind=kind, alarm=alarm, state="OK", decisive=newest, newest=newest))
    return tuple(found)


def _late_by_pace(
    alarm: LiveAlarm | None, balances: Sequence[BalancePoint], now: datetime, *, falls_unseen: bool
) -> tuple[LateState, ...]:
    """The state of Draining as it would be, had the balances come in time; and it goes off only while these still fall,
    as far as is known. A fall that goes on since, unseen, sets it off as well: where metrics stop amid one nothing else
    would tell of its end in time.

    A fall is told once. Where CloudWatch ended the alarm by a minute of the very fall, being one of few that it saw,
    that fall has been told.
    """
    if alarm is None or alarm.threshold is None or alarm.suspended or not draining.is_as_made(alarm.settings):
        return ()
    newest, unseen = balances[-1], None
    since = draining.went_off(balances, alarm.threshold)
    if since is None and falls_unseen and not _is_in_sight(newest, alarm):
        unseen = draining.unseen_pace_bytes_per_minute(balances, alarm.threshold, now)
    state: Literal["ALARM", "OK"] = "OK" if since is None and unseen is None else "ALARM"
    if alarm.state == state:
        return ()
    if state == "OK":
        is_settled = _is_over(alarm.threshold, balances, now) or is_forgotten(newest, alarm, now)
    else:
        is_told = since is not None and _is_told_fall(since, alarm, newest, now)
        is_settled = unseen is not None or (draining.still_falls(balances, alarm.threshold) and not is_told)
    if not is_settled:
        return ()
    set_to = LateState(kind=AlarmKind.DRAINING, alarm=alarm, state=state, decisive=newest, newest=newest)
    return (set_to._replace(unseen_bytes_per_second=unseen / SECONDS_PER_MINUTE if unseen else None),)


def _is_over(threshold_minutes: float, balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether nothing in a whole half hour fell so fast as what may have set off Draining unseen: a load in pulses ends
    it in none of its rests.
    """
    newest = balances[-1]
    is_half_an_hour = balances[-draining.POINTS_EVALUATED - 1 :][0].time == newest.time - draining.RANGE
    fast_minutes = threshold_minutes + (now - newest.time) / MINUTE
    return is_half_an_hour and draining.went_off(balances, fast_minutes) is None


def is_forgotten(newest: BalancePoint, alarm: LiveAlarm, now: datetime) -> bool:
    """Whether Draining was set for a fall that nobody saw, and nobody knows any more whether it goes on: it would stay
    on, and tell of no other, until metrics are back.
    """
    return now - newest.time > draining.FORGOTTEN_AFTER and alarm.state_reason.startswith(UNSEEN_FALL_MARK)


def _is_in_sight(newest: BalancePoint, alarm: LiveAlarm) -> bool:
    """Whether CloudWatch has ended the alarm when the newest balance was older than it is taken to look back: AWS does
    not say how far that is, and it would do so again a minute after each time that the alarm is set.
    """
    if alarm.state != "OK" or alarm.transitioned is None or not alarm.state_reason.startswith(CLOUDWATCHS_REASON):
        return False
    return alarm.transitioned > newest.time + draining.OUT_OF_SIGHT


def _is_told_fall(since: datetime, alarm: LiveAlarm, newest: BalancePoint, now: datetime) -> bool:
    """Whether the fall of this minute had set off Draining when CloudWatch ended it.

    The newest balance of that moment was as old as that of now, or younger: of those further back CloudWatch sees none.
    """
    if alarm.state != "OK" or alarm.transitioned is None or not alarm.state_reason.startswith(CLOUDWATCHS_REASON):
        return False
    return since <= alarm.transitioned - min(_begun(now) - newest.time, draining.RANGE)


def _ended_unseen(
    exhausted: LiveAlarm | None, balances: Sequence[BalancePoint], now: datetime
) -> tuple[LateState, ...]:
    """ALARM for credits that ended, and came back, before CloudWatch could look at them. It ends the alarm in the next
    minute. Such a Warning or Critical asks for nothing any more, and is left.

    An alarm that saw a low balance has become OK after it, or by later ones, where the monitor ended it; and one that
    was written since may have had another threshold then.
    """
    if exhausted is None or not _judges_balance(exhausted) or exhausted.transitioned is None:
        return ()
    seen = exhausted.judged_until or exhausted.transitioned
    since = max(seen, exhausted.configured or seen)
    below = [point for point in _below(exhausted, balances) if point.time > since]
    if exhausted.state != "OK" or not below or _is_looked_at(below[-1], now):
        return ()
    unseen = LateState(
        kind=AlarmKind.EXHAUSTED, alarm=exhausted, state="ALARM", decisive=below[-1], newest=balances[-1]
    )
    return (unseen,)


def _is_told_and_over(point: BalancePoint, alarm: LiveAlarm) -> bool:
    """Whether CloudWatch has ended the alarm by later points than this one, which it did not look at any more then.

    One that anybody else ended says nothing of the points of that time.
    """
    if alarm.state != "OK" or alarm.transitioned is None or not alarm.state_reason.startswith(CLOUDWATCHS_REASON):
        return False
    return not _is_looked_at(point, alarm.transitioned)


def _is_looked_at(point: BalancePoint, now: datetime) -> bool:
    return _begun(now) - point.time <= LOOKS_BACK + MINUTE


def _begun(now: datetime) -> datetime:
    """When the minute began that is going on, which has no datapoint yet."""
    return now.replace(second=0, microsecond=0)


def _below(alarm: LiveAlarm, balances: Sequence[BalancePoint]) -> list[BalancePoint]:
    return [point for point in balances if alarm.threshold is not None and point.balance_bytes < alarm.threshold]


def _judges_balance(alarm: LiveAlarm) -> bool:
    """Whether it acts, on what the template has it judge."""
    judged = {"MetricName": "BurstCreditBalance", "ComparisonOperator": "LessThanThreshold", "Statistic": "Minimum"}
    as_made = all(alarm.settings.get(field) == value for field, value in judged.items())
    return as_made and alarm.threshold is not None and not alarm.suspended
