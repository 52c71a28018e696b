"""Which alarms to write after a decision, worked out alarm by alarm, so that a half-done update completes."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from efs_monitor.alarms.alarm import CREDIT_ALARMS, LEAD_ALARMS, AlarmKind, LiveAlarm, is_held
from efs_monitor.alarms.decision import CurrentThresholds, Decision
from efs_monitor.alarms.thresholds import Thresholds


@dataclass(frozen=True, kw_only=True)
class AlarmUpdate:
    """The alarm of a kind as it is and as it shall be.

    `ends_by_itself` where a balance of before is below its threshold, and the newest one is above: it would go off for
    what is over, and end within minutes. `is_ended` where it is in ALARM and means nothing any more; `is_unheard` where
    nobody was told that it is, or would be if it went off before it is written. `is_held` where it has to be in ALARM,
    unheard: CloudWatch is about to judge it by a balance that is low, and nobody is to be told of that.
    """

    kind: AlarmKind
    before: LiveAlarm
    after: LiveAlarm
    ends_by_itself: bool = False
    is_ended: bool = False
    is_unheard: bool = False
    is_held: bool = False

    @property
    def wake(self) -> bool:
        """Whether the alarm comes back from suspension, and must be judged afresh: what it tells then is news."""
        was_silent = self.before.suspended or self.is_unheard
        return was_silent and not self.after.suspended and not self.ends_by_itself


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
    lowest_balance_bytes: float | None = None,
    *,
    was_suspended: bool = False,
) -> tuple[AlarmUpdate, ...]:
    """The alarms that must be written, with what `describe` says of each; empty when all are right. The newest balance
    is None where CloudWatch has none of the last half hour, and so is the lowest of those that it still looks at;
    `was_suspended` is whether people were told of that.

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
    found = []
    for kind, after in wanted.items():
        before = alarms[kind]
        is_over = kind in LEAD_ALARMS and not after.suspended and _is_above(after, newest_balance_bytes)
        # Below a threshold of zero it could not go off: it would as soon as it has another.
        is_held = is_over and before.suspended and before.state != "ALARM" and _is_below(after, lowest_balance_bytes)
        found.append(
            AlarmUpdate(
                kind=kind,
                before=before,
                after=after,
                ends_by_itself=is_over and (is_held or before.state == "ALARM"),
                is_ended=before.state == "ALARM" and after.suspended,
                is_unheard=kind in CREDIT_ALARMS and _is_unheard(before, was_suspended=was_suspended),
                is_held=is_held,
            )
        )
    return tuple(one for one in found if one.is_ended or one.wake or one.after != one.before)


def held_for_update(
    decision: Decision,
    alarms: Mapping[AlarmKind, LiveAlarm],
    describe: Callable[[AlarmKind], str],
    stored: Thresholds,
    lowest_balance_bytes: float | None,
    *,
    was_suspended: bool,
) -> tuple[AlarmUpdate, ...]:
    """What an update of the stack must not come upon, for CloudFormation is about to write the alarms: with what the
    custom resource answers, by which what is on would end and tell nobody, or with the thresholds and actions that it
    has `stored`, by which what is low would go off.

    So one that acts and is on is ended, heard. And one that is low by the stored threshold is put into ALARM, silent
    and at that threshold, so that this is no change of its state. One that CloudFormation has written already is
    silenced again. And one that CloudWatch put into ALARM while it was silent gets the reason that says so: by nothing
    else is it told, once it acts again, from one that somebody heard of.
    """
    if not decision.suspended:
        return ()
    found = []
    for kind in CREDIT_ALARMS:
        before = alarms.get(kind)
        if before is None or before.threshold is None or _is_off_by_hand(before, kind, decision):
            continue
        is_ended = before.state == "ALARM" and not _is_unheard(before, was_suspended=was_suspended)
        after = before.with_contents(_threshold(decision, kind), describe(kind), actions_enabled=False)
        held = after._replace(threshold=stored.of(kind)) if kind in LEAD_ALARMS else after
        is_low = kind in LEAD_ALARMS and _is_below(held, lowest_balance_bytes)
        is_ready = held == before and before.state == "ALARM" and is_held(before.state_reason)
        if is_low and not is_ready:
            found.append(AlarmUpdate(kind=kind, before=before, after=held, is_ended=is_ended, is_held=True))
        elif is_ended and not is_low:
            found.append(AlarmUpdate(kind=kind, before=before, after=after, is_ended=True))
    return tuple(found)


def ending_unheard(changes: Iterable[AlarmUpdate]) -> tuple[AlarmKind, ...]:
    """The alarms whose next message is an OK after no ALARM: they went off while they were suspended, are switched on
    again, and what they went off for is over.
    """
    return tuple(one.kind for one in changes if one.ends_by_itself and (one.is_held or one.is_unheard))


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


def _is_above(alarm: LiveAlarm, balance_bytes: float | None) -> bool:
    return balance_bytes is not None and alarm.threshold is not None and balance_bytes >= alarm.threshold


def _is_unheard(alarm: LiveAlarm, *, was_suspended: bool) -> bool:
    """Whether nobody was told that an alarm is on, or would be by now: it is silent, at a threshold that a balance can
    be below, or was silent until it was written last. What was put into ALARM silently nobody was told of either.
    """
    is_on = alarm.state == "ALARM"
    if not alarm.actions_enabled:
        return alarm.suspended and (is_on or alarm.threshold != 0)
    if is_on and is_held(alarm.state_reason):
        return True
    if not is_on or not (alarm.suspended or was_suspended):
        return False
    return alarm.transitioned is None or alarm.configured is None or alarm.transitioned < alarm.configured


def _falls_silent(decision: Decision, kind: AlarmKind) -> bool:
    return decision.suspended and kind in CREDIT_ALARMS


def _is_off_by_hand(alarm: LiveAlarm, kind: AlarmKind, decision: Decision) -> bool:
    """Whether a suspension leaves the alarm as it is: its description is what tells who switched it off."""
    return _falls_silent(decision, kind) and not (alarm.actions_enabled or alarm.suspended)


def _threshold(decision: Decision, kind: AlarmKind) -> int:
    return decision.draining_minutes if kind is AlarmKind.DRAINING else decision.standing.of(kind)
