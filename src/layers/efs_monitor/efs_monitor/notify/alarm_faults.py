"""What is wrong with the stack's own alarms: deleted, or edited behind its back."""

import hashlib
from collections.abc import Collection, Mapping

from efs_monitor.alarms.alarm import AlarmKind, LiveAlarm, alarm_name
from efs_monitor.alarms.alarm_definition import Wiring
from efs_monitor.alarms.drift import edits
from efs_monitor.mail.alarm_fault_mails import alarm_edited, alarm_missing, alarm_restored, edit_undone
from efs_monitor.mail.layout import Message
from efs_monitor.mail.stack_context import StackContext


def faults_told(alarms: Mapping[AlarmKind, LiveAlarm], wiring: Wiring, stack: StackContext) -> dict[str, Message]:
    """A message for each deleted or edited alarm, by a key that lasts as long as the very same fault does."""
    found = {}
    for kind in AlarmKind:
        name = alarm_name(stack.stack_name, kind)
        if kind not in alarms:
            found[f"missing:{kind}"] = alarm_missing(name, wiring.file_system_id, stack)
        elif changed := edits(alarms[kind], kind, wiring):
            digest = hashlib.sha256("\n".join(changed).encode()).hexdigest()[:12]
            found[f"edited:{kind}:{digest}"] = alarm_edited(name, changed, wiring.file_system_id, stack)
    return found


def faults_over(
    told: Collection[str], found: Collection[str], file_system_id: str, stack: StackContext
) -> list[Message]:
    """A message for each deleted alarm that is back, and each edit that was undone; by the keys of `faults_told`.

    An alarm with which anything else is wrong now has that message alone, and this one once it is as its stack has it:
    it was edited further, deleted since, or is back but made differently.
    """
    messages, still_wrong = [], {_kind(key) for key in found}
    for key in sorted(set(told) - set(found)):
        what, kind = key.partition(":")[0], _kind(key)
        if kind not in AlarmKind or kind in still_wrong:
            continue
        name = alarm_name(stack.stack_name, AlarmKind(kind))
        if what == "missing":
            messages.append(alarm_restored(name, file_system_id, stack))
        elif what == "edited":
            messages.append(edit_undone(name, file_system_id, stack))
    return messages


def _kind(key: str) -> str:
    """The alarm that a key of `faults_told` is about; empty where a key is of another version."""
    return key.partition(":")[2].partition(":")[0]
