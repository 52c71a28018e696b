"""What a chat says of a mail: the same facts in a few lines, for a reader with a phone.

Slack and Teams each render a markdown of their own. What is marked here reads alike in both: commands between
backticks, and bare addresses. Whatever else either of them would take for markup, a mention or a link is written
otherwise, because the name of a file system is anybody's.
"""

import re
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from efs_monitor.mail.layout import CUT, plain
from efs_monitor.mail.stack_context import StackContext

# A block of Slack takes 3,000 characters. Nothing comes near but what others wrote: an error, a list of findings.
LINE_CHARACTERS, TEXT_CHARACTERS = 500, 2_500
# Of findings there may be many, each with its command.
MOST_STEPS = 8
MARKUP = str.maketrans({"<": "(", ">": ")", "[": "(", "]": ")", "`": "'", "*": "-", "~": "-", "|": "/", "@": "(at)"})
# An emoji's name between colons, an underscore at the edge of a word, and the beginning of an address.
EMOJI = re.compile(r"(?<![\w:]):([a-z0-9_+'-]+):(?![\w:])", re.IGNORECASE)
EDGE_UNDERSCORES = re.compile(r"(?<!\w)_+|_+(?!\w)")
IN_CODE = str.maketrans({"<": "(", ">": ")", "`": "'"})


class ChatStep(NamedTuple):
    """A thing to do or to look at: in words, with a command or an address where there is one."""

    words: str
    command: str = ""
    address: str = ""

    def __str__(self) -> str:
        """The step in one line: its words, and its command as code or its address."""
        words = unmarked(self.words)
        if self.command:
            return f"{words}: `{plain(self.command).translate(IN_CODE)}`"
        return f"{words}: {self.address}" if self.address else words


@dataclass(frozen=True, kw_only=True)
class Chat:
    """A message as a chat shows it: `title`, `text`, and a list of `steps`; `summary` is all of it in one line.

    Messages of one `thread` are shown together, one without stands alone. `file_system_id` is what it is about.
    """

    file_system_id: str
    text: str
    steps: tuple[str, ...]
    keywords: tuple[str, ...]
    title: str = ""
    summary: str = ""
    thread: str = ""

    def headed(self, title: str, summary: str) -> "Chat":
        """This message with the title and the summary of its mail."""
        return replace(self, title=unmarked(title), summary=unmarked(summary))

    def of_drill(self, title: str, summary: str) -> "Chat":
        """This message as part of a drill, which it says before anything else."""
        drill = "This is a drill: somebody set the alarm by hand to try its way to you. Nothing is wrong."
        return replace(self.headed(title, summary), text=f"{drill}\n{self.text}")


def chat(
    stack: StackContext,
    file_system_id: str,
    anchor: str,
    lines: Iterable[str],
    steps: Iterable[ChatStep] = (),
    alarm_name: str | None = None,
) -> Chat:
    """What happened in a few `lines`, what to do, and where to look: the runbook at `anchor` where there is one, and
    the page of the alarm or else of the file system, where the console's address is known.
    """
    page = stack.file_system_page(file_system_id) if alarm_name is None else stack.alarm_page(alarm_name)
    pages = (
        ChatStep(words="Runbook", address=stack.runbook(anchor) or ""),
        ChatStep(words="File system" if alarm_name is None else "Alarm", address=page or ""),
    )
    return Chat(
        file_system_id=file_system_id,
        text=_text(unmarked(line) for line in lines if line),
        steps=tuple(map(str, (*islice(steps, MOST_STEPS), *(one for one in pages if one.address)))),
        keywords=(file_system_id, stack.stack_name, stack.account_id, stack.region),
    )


def _text(lines: Iterable[str]) -> str:
    """What fits of the lines. A cut goes between words: half of a number would be another."""
    text = ""
    for line in lines:
        short = textwrap.shorten(line, LINE_CHARACTERS, placeholder=CUT)
        longer = f"{text}\n{short}" if text else short
        if len(longer) > TEXT_CHARACTERS:
            break
        text = longer
    return text


def unmarked(text: str) -> str:
    """`text` on one line, without what a chat would take for markup, a mention or a link."""
    text = EMOJI.sub(r"(\1)", plain(text).translate(MARKUP)).replace("://", ": //")
    return EDGE_UNDERSCORES.sub("-", text)
