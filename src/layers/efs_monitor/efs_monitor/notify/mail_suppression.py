"""Whether an alarm that went off, or is over, has no mail of its own because CloudWatch's own message is enough, or the
mail about a later change of it.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta

from efs_monitor.alarms.alarm import LASTING_ALARMS, AlarmKind, LiveAlarm, is_drill
from efs_monitor.alarms.alarm_definition import EVALUATION_MINUTES
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.efs.observations import MINUTE
from efs_monitor.events import AlarmChange
from efs_monitor.incidents.situation import Situation
from efs_monitor.notify.graver_alarms import AT_ONCE, watched_since
from efs_monitor.notify.same_fall import fall_was_told
from efs_monitor.notify.same_story import (
    end_needs_no_mail,
    fall_needs_no_mail,
    low_needs_no_mail,
    nearly_gone_needs_no_mail,
    rise_needs_no_mail,
)

# Both retries of a run that failed have come by then. Lambda keeps an event for up to six hours where it is throttled,
# and tries it last some minutes later: what is older was kept by somebody, to try the function with.
MAY_BE_OVERTAKEN_AFTER, OLDEST_EVENT = timedelta(minutes=5), timedelta(hours=7)


def came_late(change: AlarmChange, now: datetime) -> bool:
    """Whether the event came so late that its alarm may have changed again since. One of a drill never does."""
    return change.time is not None and not change.drill and MAY_BE_OVERTAKEN_AFTER < now - change.time < OLDEST_EVENT


def has_changed_since(change: AlarmChange, alarm: LiveAlarm | None) -> bool:
    """Whether the alarm has changed again after the event, if only back: one that is over would read as one that has
    gone off. False where the alarm could not be read.
    """
    if change.time is None or alarm is None or alarm.transitioned is None:
        return False
    return alarm.transitioned - change.time > AT_ONCE


def beginning_is_told(
    settings: Settings, change: AlarmChange, situation: Situation, alarms: Mapping[AlarmKind, LiveAlarm]
) -> bool:
    """Whether CloudWatch's own message is enough about an alarm that went off: of a fall that is like the last ones, or
    of a balance that is not low any more by the threshold that the alarm has by now.
    """
    if not situation.file_system.lives_on_credits:
        return False
    if change.kind is AlarmKind.DRAINING:
        return fall_needs_no_mail(situation) or _draining_told_of_this_fall(settings, change, situation, alarms)
    if change.kind is AlarmKind.EXHAUSTED:
        return _nearly_gone_is_told(situation, alarms)
    return change.kind in LASTING_ALARMS and _dip_is_told(settings, change, situation, alarms)


def _draining_told_of_this_fall(
    settings: Settings, change: AlarmChange, situation: Situation, alarms: Mapping[AlarmKind, LiveAlarm]
) -> bool:
    """Whether Draining told of this fall before, as far as the alarms say since when they have been there."""
    since = watched_since(alarms)
    return since is not None and fall_was_told(situation, settings.critical_minutes, change.since, since)


def _nearly_gone_is_told(situation: Situation, alarms: Mapping[AlarmKind, LiveAlarm]) -> bool:
    """Whether earlier mails told of such times; False where the alarms could not be read."""
    since = watched_since(alarms)
    if since is None:
        return False
    return nearly_gone_needs_no_mail(situation) and nearly_gone_needs_no_mail(situation, since)


def _dip_is_told(
    settings: Settings, change: AlarmChange, situation: Situation, alarms: Mapping[AlarmKind, LiveAlarm]
) -> bool:
    """Whether earlier mails told of such dips, or the alarm already has its lower threshold; False where the alarms
    could not be read.
    """
    threshold = situation.threshold_bytes(settings.lead_minutes(change.kind))
    if is_lowered(change, threshold, situation):
        alarm = alarms.get(change.kind)
        written = alarm.threshold if alarm else None
        return written is not None and not situation.was_below(written)
    since = watched_since(alarms)
    if since is None or situation.credits_change_nothing:
        return False
    # By all dips of these hours, and by those since the stack has been there: of others nobody was told.
    return low_needs_no_mail(situation, threshold) and low_needs_no_mail(situation, threshold, since)


def end_is_told(settings: Settings, change: AlarmChange, situation: Situation) -> bool:
    """Whether CloudWatch's own message is enough about the end of an alarm."""
    if not situation.file_system.lives_on_credits:
        return False
    if end_needs_no_mail(change.kind, situation, change.since):
        return True
    if change.kind not in LASTING_ALARMS:
        return False
    threshold = situation.threshold_bytes(settings.lead_minutes(change.kind))
    if change.time is not None and change.since is not None and is_lowered(change, threshold, situation):
        # Its threshold was written anew in the minute in which it went off: nobody was told that it did.
        return change.time - change.since < AT_ONCE
    return not situation.credits_change_nothing and rise_needs_no_mail(situation, threshold, change.since)


def ended_at_once(
    kind: AlarmKind, change: AlarmChange, alarms: Mapping[AlarmKind, LiveAlarm], situation: Situation
) -> bool:
    """Whether the alarm `kind` ended in the same minute as the one of the change, or is about to: nothing of the last
    quarter of an hour is below its threshold. A lower threshold ends both, or a hole in the metrics. One without data
    ends nothing that anybody was told of.
    """
    alarm = alarms.get(kind)
    if (
        alarm is None
        or kind is change.kind
        or not alarm.actions_enabled
        or alarm.suspended
        or is_drill(alarm.state_reason)
    ):
        return False
    if alarm.state == "OK":
        return alarm.transitioned is not None and abs((change.time or situation.time) - alarm.transitioned) < AT_ONCE
    if alarm.state != "ALARM":
        return False
    judged = (one for one in situation.balances if one.time > situation.balances[-1].time - EVALUATION_MINUTES * MINUTE)
    return alarm.threshold is not None and all(one.balance_bytes >= alarm.threshold for one in judged)


def warning_tells_of_both(
    settings: Settings, change: AlarmChange, alarms: Mapping[AlarmKind, LiveAlarm], situation: Situation
) -> bool:
    """Whether the mail that Warning is over tells of a Critical that ended with it. One that hovers has none. Where
    Critical was on for a minute only, as after a deployment, that Warning is OK may be its first state. Nor is it told
    by a threshold that somebody lowered: the next run puts it right, and Warning goes on.
    """
    warning_bytes = situation.threshold_bytes(settings.warning_minutes)
    if change.time is None or change.since is None or change.time - change.since < 2 * AT_ONCE:
        return False
    if change.kind is not AlarmKind.CRITICAL or not ended_at_once(AlarmKind.WARNING, change, alarms, situation):
        return False
    return situation.balance_bytes >= warning_bytes and not rise_needs_no_mail(situation, warning_bytes, change.since)


def is_lowered(change: AlarmChange, threshold_bytes: float, situation: Situation) -> bool:
    """Whether CloudWatch set the alarm off by a higher threshold than applies by now, by which nothing was low."""
    went_off_by = change.threshold_bytes
    return went_off_by is not None and threshold_bytes < went_off_by and not situation.was_below(threshold_bytes)


def nothing_is_low(settings: Settings, change: AlarmChange, situation: Situation) -> bool:
    """Whether the alarm went off by a threshold that is still to be lowered, while nothing is low by the right one, at
    the pace of now neither. A drill is for the mail of an alarm that is meant.
    """
    if change.drill or change.kind not in LASTING_ALARMS:
        return False
    if not situation.file_system.lives_on_credits or situation.credits_change_nothing:
        return False
    threshold = situation.threshold_bytes(settings.lead_minutes(change.kind))
    return is_lowered(change, threshold, situation) and situation.balance_bytes_by_now >= threshold
