"""The stack's notification state where it lies: a parameter that two functions write, each its own part."""

from dataclasses import replace
from typing import TYPE_CHECKING

from efs_monitor.aws import parameter_store
from efs_monitor.notify.state import NotificationState, Part, notification_state_from_json
from efs_monitor.usecases.shared_parameter import save_together

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient


def read_state(ssm: "SSMClient", parameter_name: str, file_system_id: str) -> NotificationState:
    """What was told so far of the file system; nothing, where the parameter is gone or unreadable."""
    return _stored(ssm, parameter_name, file_system_id) or NotificationState()


def save_state(
    ssm: "SSMClient", parameter_name: str, file_system_id: str, state: NotificationState, part: Part
) -> NotificationState:
    """Replace `part` of what is stored; the rest stays as the other function left it. Returns what is stored then."""
    return save_together(
        state,
        state,
        write=lambda ours: parameter_store.write(ssm, parameter_name, ours.to_json(file_system_id)),
        read=lambda version: _stored(ssm, parameter_name, file_system_id, version),
        together=lambda theirs, ours, _: theirs.with_part_of(ours, part),
    )


def _stored(
    ssm: "SSMClient", parameter_name: str, file_system_id: str, version: int | None = None
) -> NotificationState | None:
    """What the newest version holds, or an earlier one; None where that is not found."""
    stored = parameter_store.read(ssm, parameter_name, version)
    if stored is None:
        return None
    return replace(notification_state_from_json(stored.text, file_system_id), version=stored.version)
