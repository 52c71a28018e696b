"""Whether the end of an alarm is told by CloudWatch's own message alone."""

from efs_monitor.alarms.alarm import LASTING_ALARMS
from efs_monitor.alarms.thresholds import Settings
from efs_monitor.events import AlarmChange
from efs_monitor.incidents.situation import Situation
from efs_monitor.notify.graver_alarms import AT_ONCE
from efs_monitor.notify.same_story import end_needs_no_mail, rise_needs_no_mail


def end_is_told(settings: Settings, change: AlarmChange, situation: Situation) -> bool:
    """Whether CloudWatch's own message is enough about the end of an alarm."""
    if end_needs_no_mail(change.kind, situation, change.since):
        return True
    if change.kind not in LASTING_ALARMS:
        return False
    threshold = situation.threshold_bytes(settings.lead_minutes(change.kind))
    if change.time is not None and change.since is not None and is_lowered(change, threshold, situation):
        # Its threshold was written anew in the minute in which it went off: nobody was told that it did.
        return change.time - change.since < AT_ONCE
    return not situation.credits_change_nothing and rise_needs_no_mail(situation, threshold, change.since)


def is_lowered(change: AlarmChange, threshold_bytes: float, situation: Situation) -> bool:
    """Whether CloudWatch set the alarm off by a higher threshold than applies by now, by which nothing was low."""
    went_off_by = change.threshold_bytes
    return went_off_by is not None and threshold_bytes < went_off_by and not situation.was_below(threshold_bytes)
