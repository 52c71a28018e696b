"""Whether AWS would refuse a change of throughput mode: it allows one in 24 hours, and tells nobody when the last was.

https://docs.aws.amazon.com/efs/latest/ug/managing-throughput.html
"""

from datetime import datetime, timedelta

from efs_monitor.incidents.comeback import STEP
from efs_monitor.incidents.situation import Situation

LOCK = timedelta(hours=24)
# More than the size gives by so much was permitted by another mode. A size that shrinks lowers it too, which is why a
# mail says only that it seems so.
ANOTHER_MODE = 1.1


def steps_of_another_mode(situation: Situation) -> set[datetime]:
    """The five minutes of the last day in which more was permitted than the size gives."""
    limit_bytes_per_second = ANOTHER_MODE * situation.reference_bytes_per_second
    return {time for time, rate in situation.permitted_of_the_day if rate > limit_bytes_per_second}


def seems_changed(situation: Situation) -> datetime | None:
    """When elastic or provisioned throughput ended, to five minutes, if that was less than 24 hours ago.

    By PermittedThroughput of the last day, which was higher until then. None where nothing shows it: a change in the
    other direction, or between two metrics.
    """
    changed = max(steps_of_another_mode(situation), default=None)
    if changed is None or changed + STEP + LOCK <= situation.time:
        return None
    return changed + STEP
