"""Whether AWS would refuse a change of throughput mode: it allows one in 24 hours, and tells nobody when the last was.

It allows none within 24 hours of more being provisioned either, which it takes at any time.

https://docs.aws.amazon.com/efs/latest/ug/managing-throughput.html
"""

from datetime import datetime, timedelta

from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.incidents.mode_steps import ANOTHER_MODE, end_of_another_mode, is_neither
from efs_monitor.incidents.situation import STEP, Situation

LOCK = timedelta(hours=24)
# The recalculation, which sees a change of mode, comes once an hour, some minutes earlier or later.
SEEN_WITHIN = timedelta(minutes=75)


def seems_changed(situation: Situation) -> datetime | None:
    """When elastic or provisioned throughput ended, to five minutes, if that was less than 24 hours ago.

    By PermittedThroughput of the last day, which was one that the size does not give until then, or had no balance
    beside it. None where nothing shows it: a change in the other direction, or between two metrics.
    """
    changed = end_of_another_mode(situation)
    return None if changed is None or changed + LOCK <= situation.time else changed


def resumed_lately(situation: Situation) -> datetime | None:
    """When the monitor saw that another mode was over, if that was less than 24 hours ago and no metric shows it: the
    mode was changed some time before, as the monitor looks once an hour. A provisioned rate that is about what the size
    gives with credits shows in none.
    """
    if situation.resumed is None or seems_changed(situation) is not None:
        return None
    return situation.resumed if situation.time < situation.resumed + LOCK else None


def changed_by(situation: Situation, changed: datetime) -> datetime:
    """Until when it may have been changed that `seems_changed` then: until now, where the newest metrics are those of
    the other mode, and older than five minutes. The newest minute may be one of those five that has its rate no more.
    """
    newest = max(time for time, _ in situation.permitted_of_the_day)
    rate = situation.permitted_bytes_per_second
    is_of_the_size = rate <= ANOTHER_MODE * situation.reference_bytes_per_second and not is_neither(rate, situation)
    is_seen = newest >= changed or is_of_the_size or situation.time - changed <= STEP
    return changed if is_seen else situation.time


def is_locked(situation: Situation) -> bool:
    """Whether AWS may refuse another throughput mode, as far as metrics or a resume of the alarms show it."""
    return seems_changed(situation) is not None or resumed_lately(situation) is not None


def locks_remedies(situation: Situation) -> bool:
    """Whether no remedy may be possible that changes the throughput: more of what is provisioned always is."""
    return is_locked(situation) and situation.file_system.mode is not ThroughputMode.PROVISIONED
