"""Which incident a mail belongs to: from the first alarm that goes off to the end of Warning, and another for the next.

Nothing is remembered for it. The incident is named by the minute in which it began, and that is what CloudWatch keeps
of the alarms: Warning is the first to go off and the last to end, so its last transition stands until all is over.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from efs_monitor.alarms.alarm import CREDIT_ALARMS, LEAD_ALARMS, AlarmKind, LiveAlarm, is_drill, is_held


class EndedByMode(NamedTuple):
    """An incident that a change of the throughput mode ended, as it is seen at `time`: the alarms that were on, and
    when it began, None where nobody knows any more.
    """

    alarms: tuple[AlarmKind, ...]
    began: datetime | None
    time: datetime


def ended_by_mode(alarms: Mapping[AlarmKind, LiveAlarm], time: datetime) -> EndedByMode | None:
    """The incident of alarms that fall silent while they are on; None where none is.

    What goes off while it is silent already is none: nobody was told of it.
    """
    were_on = tuple(kind for kind in CREDIT_ALARMS if kind in alarms and _was_on(alarms[kind]))
    return EndedByMode(alarms=were_on, began=incident_began(alarms), time=time) if were_on else None


def _was_on(alarm: LiveAlarm) -> bool:
    is_set = is_drill(alarm.state_reason) or is_held(alarm.state_reason)
    return alarm.actions_enabled and alarm.state == "ALARM" and not is_set


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


def alarms_on(alarms: Mapping[AlarmKind, LiveAlarm]) -> tuple[tuple[AlarmKind, datetime], ...]:
    """The alarms of a lead time that are on and tell somebody, the mildest first, each with since when."""
    lasting = [(kind, alarms[kind]) for kind in LEAD_ALARMS if kind in alarms and _was_on(alarms[kind])]
    return tuple((kind, alarm.transitioned) for kind, alarm in lasting if alarm.transitioned is not None)


def alarms_missing(alarms: Mapping[AlarmKind, LiveAlarm]) -> tuple[AlarmKind, ...]:
    """The alarms of a lead time that there are not, the mildest first; none where no alarm could be read."""
    return tuple(kind for kind in LEAD_ALARMS if kind not in alarms) if alarms else ()


def incident_id(file_system_id: str, began: datetime, *, drill: bool = False) -> str:
    """What names an incident of a file system, or a drill: the minute in which it began."""
    return f"{'drill-' * drill}{file_system_id}-{began.astimezone(UTC):%Y%m%dT%H%MZ}"
