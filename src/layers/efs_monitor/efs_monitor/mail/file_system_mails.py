"""The mails about the file system itself: it is gone, and it is there again."""

from efs_monitor.mail.chat import ChatStep, chat
from efs_monitor.mail.earlier_mails import STILL_TO_BE_DONE
from efs_monitor.mail.layout import INDENT, Message, compose, wrapped
from efs_monitor.mail.links import links, runbook_link, sender
from efs_monitor.mail.stack_context import StackContext


def file_system_gone(file_system_id: str, stack: StackContext) -> Message:
    """EFS does not know the file system any more; said once, and the alarms stay as they are."""
    gone = (
        f"{file_system_id} is not there any more: it was deleted, or is not in {stack.region} of account "
        f"{stack.account_id}."
    )
    return compose(
        subject=f"ACTION: file system not found, {file_system_id}",
        about="",
        paragraphs=[
            wrapped(gone),
            wrapped(
                "Its alarms keep the state they have, because no new datapoints come in. Nothing else happens, and "
                "this mail is not repeated."
            ),
            "If it was deleted on purpose, remove the stack that watched it:",
            INDENT + stack.delete_command(),
            "If it was not, look for who did it (CloudTrail, event DeleteFileSystem) and restore a backup.",
            *runbook_link(stack, "file-system-gone"),
            sender(stack),
        ],
        short=f"ACTION {file_system_id}: the file system is not there any more. Remove its stack if that is meant.",
        chat=chat(
            stack,
            file_system_id,
            "file-system-gone",
            [gone, "If it was not on purpose, look for who did it, and restore a backup."],
            [
                ChatStep(
                    words="If it was deleted on purpose, remove the stack that watched it",
                    command=stack.delete_command(),
                )
            ],
        ),
    )


def file_system_back(file_system_id: str, stack: StackContext) -> Message:
    """EFS knows the file system again."""
    is_back = (
        f"{file_system_id} is there again. The monitor watches it as before. Nothing is to be done about that; "
        f"{STILL_TO_BE_DONE}."
    )
    return compose(
        subject=f"INFO: file system found again, {file_system_id}",
        about="",
        paragraphs=[
            wrapped(f"{is_back} What kept it from being found may have been a mistake in a policy."),
            *links(stack, "file-system-gone", file_system_id),
        ],
        short=f"INFO {file_system_id}: the file system is there again.",
        chat=chat(
            stack,
            file_system_id,
            "file-system-gone",
            [is_back],
        ),
    )
