"""What is wrong with the stack's own alarms: deleted, or edited behind its back."""

import hashlib
from collections.abc import Mapping

from efs_monitor.alarms import AlarmKind, LiveAlarm, Wiring, alarm_name, edits
from efs_monitor.messages import Message, Place, alarm_edited, alarm_missing


def findings(alarms: Mapping[AlarmKind, LiveAlarm], wiring: Wiring, place: Place) -> dict[str, Message]:
    """A message for each deleted or edited alarm, by a key that lasts as long as the very same finding does."""
    found = {}
    for kind in AlarmKind:
        name = alarm_name(place.stack_name, kind)
        if kind not in alarms:
            found[f"missing:{kind}"] = alarm_missing(name, wiring.file_system_id, place)
        elif changed := edits(alarms[kind], kind, wiring):
            digest = hashlib.sha256("\n".join(changed).encode()).hexdigest()[:12]
            found[f"edited:{kind}:{digest}"] = alarm_edited(name, changed, wiring.file_system_id, place)
    return found
