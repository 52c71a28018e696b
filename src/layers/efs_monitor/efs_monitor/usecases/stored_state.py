"""The stack's notification state where it lies: a parameter that two functions write, each its own part."""

from dataclasses import replace
from typing import TYPE_CHECKING

from efs_monitor.aws import parameter_store
from efs_monitor.notify.state import NotificationState, Part, notification_state_from_json

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient

# Two functions write here, once an hour each: a third attempt is never needed.
ATTEMPTS = 3


def read_state(
    ssm: "SSMClient", parameter_name: str, file_system_id: str, version: int | None = None
) -> NotificationState:
    """What was told so far of the file system; nothing, where the parameter is gone or unreadable."""
    stored = parameter_store.read(ssm, parameter_name, version)
    if stored is None:
        return NotificationState()
    return replace(notification_state_from_json(stored.text, file_system_id), version=stored.version)


def save_state(
    ssm: "SSMClient", parameter_name: str, file_system_id: str, state: NotificationState, part: Part
) -> NotificationState:
    """Replace `part` of what is stored; the rest stays as the other function left it. Returns what is stored then.

    Where somebody else wrote between our reading and our writing, the number of the version jumps, and what they wrote
    is taken over.
    """
    for _ in range(ATTEMPTS):
        written = parameter_store.write(ssm, parameter_name, state.to_json(file_system_id))
        if written <= state.version + 1:
            return replace(state, version=written)
        theirs = read_state(ssm, parameter_name, file_system_id, written - 1)
        merged = theirs.with_part_of(state, part)
        state = replace(state, version=written)
        if merged == state:
            return state
        state = replace(merged, version=written)
    return state
