"""Whether AWS would refuse a change of throughput mode: it allows one in 24 hours, and tells nobody when the last was.

https://docs.aws.amazon.com/efs/latest/ug/managing-throughput.html
"""

from datetime import datetime, timedelta

from efs_monitor.incidents.comeback import STEP
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.situation import Situation

LOCK = timedelta(hours=24)


def seems_changed(situation: Situation) -> datetime | None:
    """When elastic or provisioned throughput ended, to five minutes, if that was less than 24 hours ago.

    By PermittedThroughput of the last day, which was higher until then. None where nothing shows it: a change in the
    other direction, or between two metrics.
    """
    changed = max(steps_of_another_mode(situation), default=None)
    if changed is None or changed + STEP + LOCK <= situation.time:
        return None
    return changed + STEP
