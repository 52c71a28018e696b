"""The Advice mail about where the balance is heading, days before an alarm."""

from datetime import datetime

from efs_monitor.efs.credits import TIB
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.mail.chat import chat
from efs_monitor.mail.layout import Message, compose, titled, wrapped
from efs_monitor.mail.links import links
from efs_monitor.mail.numbers import counted
from efs_monitor.mail.stack_context import StackContext


def warning_ahead(expected: datetime, lead_minutes: int, file_system: FileSystem, stack: StackContext) -> Message:
    """The trend of the last seven days reaches Warning on the day of `expected`; at most once a day."""
    day = f"{expected:%A} {expected.day} {expected:%B}"
    heading = (
        f"If the days go on as the last seven did, the burst credits of {titled(file_system)} are down to "
        f"{counted(lead_minutes)} on {day}, and the Warning alarm goes off."
    )
    return compose(
        subject=f"INFO: Warning expected on {expected:%a} {expected.day} {expected:%b}, {file_system.file_system_id}",
        about=file_system.name,
        paragraphs=[
            wrapped(heading),
            wrapped(
                "This is a straight line through the lowest balance of each of the last seven days. It knows nothing "
                f"of what is planned. {_if_it_grows(file_system)}There is time: find out what is growing, or plan for "
                "more throughput."
            ),
            wrapped("This mail comes once a day while that is so."),
            *links(stack, "warning-expected", file_system.file_system_id),
        ],
        short=f"INFO {file_system.file_system_id}: at the trend of the last week, Warning goes off on {day}.",
        chat=chat(
            stack,
            file_system.file_system_id,
            "warning-expected",
            [heading, "There is time: find out what is growing, or plan for more throughput."],
        ),
    )


def _if_it_grows(file_system: FileSystem) -> str:
    """Up to 1 TiB the threshold is the same at every size."""
    if file_system.standard_bytes <= TIB:
        return ""
    return "The threshold is that of the size of now: if more is stored, it rises, and Warning comes sooner. "
