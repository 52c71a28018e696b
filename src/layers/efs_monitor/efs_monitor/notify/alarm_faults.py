"""What is wrong with the stack's own alarms: deleted, or edited behind its back."""

import hashlib
from collections.abc import Collection, Mapping

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm, Wiring, alarm_name, edits
from efs_monitor.mail import Message, StackContext, alarm_edited, alarm_missing, alarm_restored, edit_undone


def findings(alarms: Mapping[AlarmKind, LiveAlarm], wiring: Wiring, stack: StackContext) -> dict[str, Message]:
    """A message for each deleted or edited alarm, by a key that lasts as long as the very same finding does."""
    found = {}
    for kind in AlarmKind:
        name = alarm_name(stack.stack_name, kind)
        if kind not in alarms:
            found[f"missing:{kind}"] = alarm_missing(name, wiring.file_system_id, stack)
        elif changed := edits(alarms[kind], kind, wiring):
            digest = hashlib.sha256("\n".join(changed).encode()).hexdigest()[:12]
            found[f"edited:{kind}:{digest}"] = alarm_edited(name, changed, wiring.file_system_id, stack)
    return found


def ended(told: Collection[str], found: Collection[str], file_system_id: str, stack: StackContext) -> list[Message]:
    """A message for each deleted alarm that is back, and each edit that was undone; by the keys of `findings`.

    An alarm that was edited further, or deleted since, is no edit undone.
    """
    messages = []
    for key in sorted(set(told) - set(found)):
        what, _, rest = key.partition(":")
        kind = rest.partition(":")[0]
        if kind not in AlarmKind:
            continue
        name = alarm_name(stack.stack_name, AlarmKind(kind))
        if what == "missing":
            messages.append(alarm_restored(name, file_system_id, stack))
        elif what == "edited" and not any(other.split(":")[1:2] == [kind] for other in found):
            messages.append(edit_undone(name, file_system_id, stack))
    return messages
