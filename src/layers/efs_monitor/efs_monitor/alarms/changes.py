"""Which alarms to write after a decision, worked out alarm by alarm, so that a half-done update completes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from efs_monitor.alarms.alarm import CREDIT_ALARMS, LEAD_ALARMS, AlarmKind, LiveAlarm
from efs_monitor.alarms.decision import CurrentThresholds, Decision


@dataclass(frozen=True, kw_only=True)
class AlarmUpdate:
    """The alarm of a kind as it is and as it shall be.

    `ends_by_itself` where it is still in ALARM for a balance of before, and the newest one is above its threshold:
    judged afresh, it would go off for what is over, and end within minutes. `is_ended` where it is in ALARM and means
    nothing any more: it falls silent, and whoever has it open is told, or it is silent and without a balance to go by.
    `ends_unheard` where people know already that it is suspended: CloudFormation had switched it on again.
    """

    kind: AlarmKind
    before: LiveAlarm
    after: LiveAlarm
    ends_by_itself: bool
    is_ended: bool
    ends_unheard: bool = False

    @property
    def wake(self) -> bool:
        """Whether the alarm comes back from suspension, and must be judged afresh: what it tells then is news."""
        return self.before.suspended and not self.after.suspended and not self.ends_by_itself


def current_thresholds(alarms: Mapping[AlarmKind, LiveAlarm]) -> CurrentThresholds:
    """What `decide` needs of the alarms."""

    def threshold(kind: AlarmKind) -> float | None:
        return alarms[kind].threshold if kind in alarms else None

    return CurrentThresholds(
        warning_bytes=threshold(AlarmKind.WARNING),
        critical_bytes=threshold(AlarmKind.CRITICAL),
        exhausted_bytes=threshold(AlarmKind.EXHAUSTED),
        rise_bytes_per_second=threshold(AlarmKind.RISE),
        suspended=any(alarm.suspended for alarm in alarms.values()),
    )


def updates(
    decision: Decision,
    alarms: Mapping[AlarmKind, LiveAlarm],
    describe: Callable[[AlarmKind], str],
    newest_balance_bytes: float | None = None,
    *,
    was_suspended: bool = False,
) -> tuple[AlarmUpdate, ...]:
    """The alarms that must be written, with what `describe` says of each; empty when all are right. The newest balance
    is None where CloudWatch has none of the last half hour; `was_suspended` is whether people were told of that.

    A suspension silences only alarms that are on, so that one switched off by hand is not switched on later. An alarm
    that somebody left without a threshold is reported and not written: nothing here fits it.
    """
    wanted = {
        kind: alarm.with_contents(
            _threshold(decision, kind),
            describe(kind),
            actions_enabled=(alarm.actions_enabled or alarm.suspended) and not _falls_silent(decision, kind),
        )
        for kind, alarm in alarms.items()
        if alarm.threshold is not None and not _is_off_by_hand(alarm, kind, decision)
    }
    found = (
        AlarmUpdate(
            kind=kind,
            before=alarms[kind],
            after=after,
            ends_by_itself=_ends_by_itself(kind, alarms, after, newest_balance_bytes),
            is_ended=_is_ended(alarms[kind], after, newest_balance_bytes),
            ends_unheard=was_suspended,
        )
        for kind, after in wanted.items()
    )
    return tuple(one for one in found if one.is_ended or one.after != one.before)


def ending_unheard(changes: Iterable[AlarmUpdate]) -> tuple[AlarmKind, ...]:
    """The alarms whose next message is an OK after no ALARM: they went off while they were suspended, are switched on
    again, and what they went off for is over.
    """
    return tuple(one.kind for one in changes if one.ends_by_itself and one.before.suspended)


def going_off(
    alarms: Mapping[AlarmKind, LiveAlarm], changes: Iterable[AlarmUpdate], newest_balance_bytes: float | None
) -> tuple[AlarmKind, ...]:
    """The alarms that are awake after the changes, on a balance below their thresholds: each goes off at once or has
    already, and its own mail tells.
    """
    after = {**alarms, **{one.kind: one.after for one in changes}}
    awake = {kind: alarm for kind, alarm in after.items() if alarm.actions_enabled and not alarm.suspended}
    return tuple(kind for kind in LEAD_ALARMS if kind in awake and _is_below(awake[kind], newest_balance_bytes))


def _is_below(alarm: LiveAlarm, balance_bytes: float | None) -> bool:
    return balance_bytes is not None and alarm.threshold is not None and balance_bytes < alarm.threshold


def _ends_by_itself(
    kind: AlarmKind, alarms: Mapping[AlarmKind, LiveAlarm], after: LiveAlarm, balance_bytes: float | None
) -> bool:
    is_above = balance_bytes is not None and after.threshold is not None and balance_bytes >= after.threshold
    return kind in LEAD_ALARMS and alarms[kind].state == "ALARM" and is_above


def _is_ended(before: LiveAlarm, after: LiveAlarm, balance_bytes: float | None) -> bool:
    """Whether the alarm must be set to OK: it falls silent now, or is silent and no balance is published. By one
    that is published CloudWatch goes on judging a silent alarm.
    """
    falls_silent = not before.suspended
    return before.state == "ALARM" and after.suspended and (falls_silent or balance_bytes is None)


def _falls_silent(decision: Decision, kind: AlarmKind) -> bool:
    return decision.suspended and kind in CREDIT_ALARMS


def _is_off_by_hand(alarm: LiveAlarm, kind: AlarmKind, decision: Decision) -> bool:
    """Whether a suspension leaves the alarm as it is: its description is what tells who switched it off."""
    return _falls_silent(decision, kind) and not (alarm.actions_enabled or alarm.suspended)


def _threshold(decision: Decision, kind: AlarmKind) -> int:
    thresholds = decision.thresholds
    match kind:
        case AlarmKind.WARNING:
            return thresholds.warning_bytes
        case AlarmKind.CRITICAL:
            return thresholds.critical_bytes
        case AlarmKind.EXHAUSTED:
            return thresholds.exhausted_bytes
        case AlarmKind.DRAINING:
            return decision.settings.critical_minutes
        case AlarmKind.RISE:
            return thresholds.rise_bytes_per_second
