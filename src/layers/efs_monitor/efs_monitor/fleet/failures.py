"""Which file systems of a fleet were tried in vain, and why."""

from collections.abc import Collection, Mapping
from datetime import datetime

from efs_monitor.fleet.monitor_stack import MonitorStack
from efs_monitor.fleet.notes import Note, Notes, times
from efs_monitor.fleet.reconciliation import DELETED


def failing(
    notes: Notes, stacks: Mapping[str, MonitorStack], refused: Collection[str], now: datetime
) -> dict[str, str]:
    """Why, by the file system; `stacks` by theirs. `refused` are those whose try of `now` CloudFormation did not take.

    Tries say so, and not whether a reason is known: of one that is over with nothing to show, such as of a run that
    broke off, nobody may have said any.
    """
    return {
        file_system_id: note.why or f"tried {times(note.tries)}; if anything said why, it is in the function's log"
        for file_system_id, note in notes.items()
        if not note.unchanged and note.tries > _open(note, stacks.get(file_system_id), file_system_id in refused, now)
    }


def _open(note: Note, stack: MonitorStack | None, refused: bool, now: datetime) -> int:
    """How many tries have not ended yet: one, at most."""
    if note.tried == now:
        return int(not refused)
    if stack is None or not stack.in_progress or stack.failed:
        return 0
    # What never came into being is deleted to be tried again: that try has ended.
    return int(stack.status != "DELETE_IN_PROGRESS" or note.wanted == DELETED)
