"""The stack's notification state where it lies: a parameter that two functions write, each its own part."""

from dataclasses import replace
from typing import TYPE_CHECKING

from efs_monitor.aws import parameter_store
from efs_monitor.notify.state import NotificationState, Part, notification_state_from_json

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient

# Two functions write here, once an hour each: that another one writes during each of three attempts is not to be
# expected.
ATTEMPTS = 3


def read_state(ssm: "SSMClient", parameter_name: str, file_system_id: str) -> NotificationState:
    """What was told so far of the file system; nothing, where the parameter is gone or unreadable."""
    return _stored(ssm, parameter_name, file_system_id) or NotificationState()


def save_state(
    ssm: "SSMClient", parameter_name: str, file_system_id: str, state: NotificationState, part: Part
) -> NotificationState:
    """Replace `part` of what is stored; the rest stays as the other function left it. Returns what is stored then.

    Where somebody else wrote between our reading and our writing, the number of the version jumps, and what they wrote
    is taken over. Where that version is not found, the rest stays as we have read it, or as whoever wrote since has it:
    an empty one would be written over what was told.
    """
    for _ in range(ATTEMPTS):
        written = parameter_store.write(ssm, parameter_name, state.to_json(file_system_id))
        ours = replace(state, version=written)
        if written <= state.version + 1:
            return ours
        newest, theirs = ours, _stored(ssm, parameter_name, file_system_id, written - 1)
        if theirs is None:
            found = _stored(ssm, parameter_name, file_system_id)
            theirs = newest = found if found is not None and found.version > written else ours
        state = replace(theirs.with_part_of(ours, part), version=newest.version)
        if state == newest:
            return state
    return state


def _stored(
    ssm: "SSMClient", parameter_name: str, file_system_id: str, version: int | None = None
) -> NotificationState | None:
    """What the newest version holds, or an earlier one; None where that is not found."""
    stored = parameter_store.read(ssm, parameter_name, version)
    if stored is None:
        return None
    return replace(notification_state_from_json(stored.text, file_system_id), version=stored.version)
