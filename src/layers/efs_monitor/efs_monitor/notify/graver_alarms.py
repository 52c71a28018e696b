"""Whether another alarm says what the mail about an alarm would: one mail for one fall, whatever it sets off.

CloudWatch's own message comes for each of them all the same: this is about the readable mail beside it.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from types import MappingProxyType

from efs_monitor.alarms.alarm import LEAD_ALARMS, AlarmKind, LiveAlarm, is_drill, is_held
from efs_monitor.incidents.falls import fall_under_way
from efs_monitor.incidents.one_size import last_step_of_another
from efs_monitor.incidents.pace_of_a_fall import PACE_OF_A_FALL
from efs_monitor.incidents.situation import STEP, Situation, seen_at
from efs_monitor.notify.same_fall import TOLD_OF_THE_FALL, said_the_end
from efs_monitor.notify.same_story import may_have_had_no_mail

# CloudWatch evaluates each alarm once a minute, in any order.
AT_ONCE = timedelta(minutes=1)
# A first fast fall sets off Critical and Draining within minutes of each other.
TOLD_LATELY = timedelta(minutes=30)
NOTHING_MAILED: Mapping[str, datetime] = MappingProxyType({})


def graver_alarm(
    kind: AlarmKind,
    alarms: Mapping[AlarmKind, LiveAlarm],
    situation: Situation,
    mailed: Mapping[str, datetime] = NOTHING_MAILED,
) -> AlarmKind | None:
    """The alarm that tells of this fall in the place of `kind`, which has just gone off; None where none does.

    Of Warning or Critical a graver one that went off in the same minute, or is about to: the newest balance is below
    its threshold already. Of Draining a Critical that went off in the last half hour, or within two hours in the very
    fall that goes on, if there was a mail about it that said when the credits are gone, and stands, be it one that
    repeated it and was `mailed` then; and an Exhausted that is on: what little has come back was hardly there. An alarm
    that is missing, silenced, or set by a drill or while it was silent tells of nothing.
    """
    telling = {one: alarm for one, alarm in alarms.items() if _tells(alarm)}
    if kind is AlarmKind.DRAINING:
        return _tells_of_a_fall(telling, situation, mailed)
    if kind not in LEAD_ALARMS:
        return None
    graver = LEAD_ALARMS[LEAD_ALARMS.index(kind) + 1 :]
    went_off = _went_off(alarms.get(kind), situation.time)
    falling = (one for one in reversed(graver) if one in telling)
    return next((one for one in falling if _falls_now(telling[one], situation.balance_bytes, went_off)), None)


def graver_alarm_with_remedies(
    kind: AlarmKind,
    alarms: Mapping[AlarmKind, LiveAlarm],
    situation: Situation,
    critical_minutes: int,
    mailed: Mapping[str, datetime] = NOTHING_MAILED,
) -> AlarmKind | None:
    """The graver alarm whose mail takes the place of that of `kind`; None where none does. A Critical that went off by
    a threshold of before, below which nothing is by the right one, tells of the fall, but its mail has no remedies.
    """
    graver = graver_alarm(kind, alarms, situation, mailed)
    is_about_credits = situation.file_system.lives_on_credits and not situation.credits_change_nothing
    if graver is AlarmKind.CRITICAL and is_about_credits:
        return graver if situation.was_below(situation.threshold_bytes(critical_minutes)) else None
    return graver


def stood_for_draining(
    alarms: Mapping[AlarmKind, LiveAlarm], situation: Situation, since: datetime, mailed: Mapping[str, datetime]
) -> bool:
    """Whether the mail of a graver alarm stood for that of Draining when it went off, `since` then."""
    then = seen_at(situation, since)
    return then is not None and graver_alarm(AlarmKind.DRAINING, alarms, then, mailed) is not None


def watched_since(alarms: Mapping[AlarmKind, LiveAlarm]) -> datetime | None:
    """Since when the stack has been there for sure: its first alarm to come to its state had that from then on. None
    where nobody knows.
    """
    return min((one.transitioned for one in alarms.values() if one.transitioned is not None), default=None)


def _tells_of_a_fall(
    telling: Mapping[AlarmKind, LiveAlarm], situation: Situation, mailed: Mapping[str, datetime]
) -> AlarmKind | None:
    critical, exhausted = telling.get(AlarmKind.CRITICAL), telling.get(AlarmKind.EXHAUSTED)
    if critical is not None and critical.state == "ALARM" and critical.transitioned is not None:
        had_a_mail = critical.threshold is None or not may_have_had_no_mail(situation, critical.threshold)
        if had_a_mail and _has_told(critical.transitioned, situation, situation):
            return AlarmKind.CRITICAL
        # A mail that repeats says of a load in pulses when all of them have ended the credits, the one in whose place
        # it would be when this pulse has.
        repeated, of_the_fall = mailed.get(AlarmKind.CRITICAL), replace(situation, pace=PACE_OF_A_FALL)
        if repeated is not None and repeated > critical.transitioned and _has_told(repeated, situation, of_the_fall):
            return AlarmKind.CRITICAL
    return AlarmKind.EXHAUSTED if exhausted is not None and exhausted.state == "ALARM" else None


def _has_told(moment: datetime, situation: Situation, at_the_pace_of_now: Situation) -> bool:
    """Whether a mail of then said when the credits are gone, lately or in the very fall that goes on, and that stands
    by what there is to say now. In a slow fall Draining follows later, and says what Critical's mail has said. What it
    said of another size, or when it had only just changed, is not what there is to say now.
    """
    other_size = last_step_of_another(situation)
    if other_size is not None and moment - situation.pace < other_size + STEP:
        return False
    fall = fall_under_way(situation)
    same_fall = fall is not None and fall.began <= moment
    if situation.time - moment >= (TOLD_OF_THE_FALL if same_fall else TOLD_LATELY):
        return False
    seen = seen_at(situation, moment)
    return seen is not None and said_the_end(seen, at_the_pace_of_now)


def _tells(alarm: LiveAlarm) -> bool:
    is_set = is_drill(alarm.state_reason) or is_held(alarm.state_reason)
    return alarm.actions_enabled and not (alarm.state == "ALARM" and is_set)


def _went_off(alarm: LiveAlarm | None, now: datetime) -> datetime:
    """When the alarm itself went off: whoever explains it may have been started late, or again."""
    if alarm is None or alarm.state != "ALARM" or alarm.transitioned is None:
        return now
    return alarm.transitioned


def _falls_now(alarm: LiveAlarm, balance_bytes: float, went_off: datetime) -> bool:
    if alarm.state == "ALARM":
        return alarm.transitioned is not None and abs(went_off - alarm.transitioned) < AT_ONCE
    return alarm.threshold is not None and balance_bytes < alarm.threshold
