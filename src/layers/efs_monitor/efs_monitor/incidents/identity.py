"""Which incident a mail belongs to: from the first alarm that goes off to the end of Warning, and another for the next.

Nothing is remembered for it. The incident is named by the minute in which it began, and that is what CloudWatch keeps
of the alarms: Warning is the first to go off and the last to end, so its last transition stands until all is over.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from efs_monitor.alarms.alarm import LEAD_ALARMS, AlarmKind, LiveAlarm, is_drill


def incident_began(
    alarms: Mapping[AlarmKind, LiveAlarm], told: datetime | None = None, *, drill: bool = False
) -> datetime | None:
    """When the first alarm went off of those that are on now; or the one that is `told`, which went off then, and may
    be over already. None where none is on. Of a `drill` those count that it set, otherwise the others.

    A graver alarm counts too: where several go off in one minute, CloudWatch may come to Warning last.
    """
    lasting = (alarms[kind] for kind in LEAD_ALARMS if kind in alarms)
    began = [one.transitioned for one in lasting if one.state == "ALARM" and is_drill(one.state_reason) is drill]
    return min((moment for moment in (told, *began) if moment is not None), default=None)


def incident_id(file_system_id: str, began: datetime, *, drill: bool = False) -> str:
    """What names an incident of a file system, or a drill: the minute in which it began."""
    return f"{'drill-' * drill}{file_system_id}-{began.astimezone(UTC):%Y%m%dT%H%MZ}"
