"""Whether AWS would refuse a change of throughput mode: it allows one in 24 hours, and tells nobody when the last was.

It allows none within 24 hours of more being provisioned either, which it takes at any time.

https://docs.aws.amazon.com/efs/latest/ug/managing-throughput.html
"""

from datetime import datetime, timedelta
from typing import NamedTuple

from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.incidents.mode_steps import end_of_another_mode, is_above_the_size, is_neither
from efs_monitor.incidents.situation import STEP, Situation

LOCK = timedelta(hours=24)
# The recalculation, which sees a change of mode, comes once an hour, some minutes earlier or later.
SEEN_WITHIN = timedelta(minutes=75)
# A few hourly runs, of which one may fail.
UNLOCKED_LATELY = timedelta(hours=3)


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
    seen = change_seen(situation.resumed, situation.time)
    return situation.resumed if seen is not None and seems_changed(situation) is None else None


class LockingChange(NamedTuple):
    """A change of the throughput mode, made between `earliest` and `latest`; `shown` is what metrics date it to, None
    where none shows it. It `is_certain` where the monitor saw it: metrics alone may be those of a size that shrank.
    """

    earliest: datetime
    latest: datetime
    shown: datetime | None
    is_certain: bool

    def is_refused_at(self, time: datetime) -> bool:
        """Whether AWS refuses another change then for certain, however early this one was made."""
        return self.is_certain and time < self.earliest + LOCK


def last_change(situation: Situation) -> LockingChange | None:
    """The change of less than 24 hours ago, as far as the monitor or metrics saw one.

    Metrics date what the monitor saw an hour later, but not where they show another time: AWS allows no second change.
    They do so to the end of five minutes, which may be later than what was seen by then, and than any mail about it.
    """
    shown, seen = seems_changed(situation), change_seen(situation.changed_seen, situation.time)
    if shown is None or (seen is not None and not seen.earliest <= shown <= seen.latest + STEP):
        return seen
    seen_by = situation.time if seen is None else seen.latest
    earliest = min(shown, seen_by)
    latest = max(earliest, min(changed_by(situation, shown), seen_by))
    return LockingChange(earliest=earliest, latest=latest, shown=shown, is_certain=seen is not None)


def unlocked_lately(changed_seen: datetime, now: datetime) -> datetime | None:
    """From when on AWS takes another mode again after a change that was seen then, if that is lately; else None."""
    unlocked = changed_seen + LOCK
    return unlocked if unlocked <= now < unlocked + UNLOCKED_LATELY else None


def change_seen(seen: datetime | None, time: datetime) -> LockingChange | None:
    """The change that the monitor has `seen` by then, where that is less than 24 hours before `time`."""
    if seen is None or time >= seen + LOCK:
        return None
    return LockingChange(earliest=seen - SEEN_WITHIN, latest=seen, shown=None, is_certain=True)


def changed_by(situation: Situation, changed: datetime) -> datetime:
    """Until when it may have been changed that `seems_changed` then: until metrics came again, where they are missing
    after it, or until now, where the newest are those of the other mode, and older than five minutes. The newest minute
    may be one of those five that has its rate no more.
    """
    following = [time for time, _ in situation.permitted_of_the_day if time >= changed]
    if following:
        return min(following)
    rate = situation.permitted_bytes_per_second
    is_of_the_size = not is_above_the_size(rate, situation) and not is_neither(rate, situation)
    is_seen = is_of_the_size or situation.time - changed <= STEP
    return changed if is_seen else situation.time


def is_locked(situation: Situation) -> bool:
    """Whether AWS may refuse another throughput mode, as far as metrics or a resume of the alarms show it."""
    return last_change(situation) is not None


def refuses_changes(situation: Situation) -> bool:
    """Whether AWS refuses another throughput mode for certain: less than 24 hours after a change that the monitor saw,
    however early it was made.
    """
    change = last_change(situation)
    return change is not None and change.is_refused_at(situation.time)


def locks_remedies(situation: Situation) -> bool:
    """Whether no remedy may be possible that changes the throughput: more of what is provisioned always is."""
    return is_locked(situation) and situation.file_system.mode is not ThroughputMode.PROVISIONED
