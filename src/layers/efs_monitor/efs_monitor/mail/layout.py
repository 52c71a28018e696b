"""A message as SNS takes it, and the rules its text is bent to so that SNS never refuses one."""

import re
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from efs_monitor.efs.file_system import FileSystem

if TYPE_CHECKING:
    from efs_monitor.mail.chat import Chat

# SNS: a subject has fewer than 100 characters and no line breaks; some mail gateways garble anything but ASCII.
SUBJECT_CHARACTERS = 99
SHORT_CHARACTERS = 140
LINE_CHARACTERS = 96
# As far in as a command stands below the sentence that it belongs to.
INDENT = "   "
# EFS allows 256 characters; a mail is read by people who know the file system by the first few.
NAME_CHARACTERS = 50
CUT = "..."
FEWEST_OF_A_NAME = 8
# A number and its unit stay on one line; the stand-in is no character that plain text could hold.
BEFORE_UNIT = re.compile(r"(?<=\d) (?=(?:[KMGT]iB|min|h|UTC|%)(?!\w))")
GLUE = "\x7f"
# What no phone and no old mail program shows alike.
UNPRINTABLE = re.compile(r"[^ -~\n]")
# What a subject says, up to the file system's id; a name in brackets may follow. And the last clause before the id.
UP_TO_THE_ID = re.compile(r".*?, fs-[0-9a-f]+")
LAST_CLAUSE = re.compile(r"[,;] (?!.*[,;] ).*$")


@dataclass(frozen=True, kw_only=True)
class Message:
    """What is published: a mail's subject and body, `short` for a phone, and what a chat shows. Printable ASCII
    throughout.
    """

    subject: str
    body: str
    short: str
    chat: "Chat"


def compose(*, subject: str, about: str, paragraphs: list[str], short: str, chat: "Chat") -> Message:
    """A message that keeps SNS's rules; where the subject is too long, `about` at its end is cut, and then what is said
    last before the file system's id, never the id nor a number. The `chat` gets its title and summary here.
    """
    subject, short = _subject(plain(subject), plain(about)), shortened(plain(short), SHORT_CHARACTERS)
    return Message(
        subject=subject,
        body="\n\n".join(_printable(paragraph) for paragraph in paragraphs) + "\n",
        short=short,
        chat=chat.headed(subject, short),
    )


def as_drill(message: Message) -> Message:
    """The message of a drill: nobody may take it for a real one, in whatever part of it they see."""
    subject = f"DRILL - {message.subject}"
    if len(subject) > SUBJECT_CHARACTERS:
        # The name in brackets at its end goes first; the id before it stays.
        up_to_the_id = UP_TO_THE_ID.match(subject)
        subject = _fitted(up_to_the_id[0] if up_to_the_id else subject)
    short = shortened(f"DRILL - {message.short}", SHORT_CHARACTERS)
    return Message(
        subject=subject,
        body=f"THIS IS A DRILL: somebody set the alarm by hand to try its way to you. Nothing is wrong.\n\n"
        f"{message.body}",
        short=short,
        chat=message.chat.of_drill(subject, short),
    )


def in_thread(message: Message, thread: str) -> Message:
    """The message as one of several that a chat shows together."""
    return replace(message, chat=replace(message.chat, thread=thread))


def wrapped(text: str, indent: str = "") -> str:
    """`text` as one paragraph of short lines; for words, not for commands and links, which must stay in one piece."""
    glued = BEFORE_UNIT.sub(GLUE, plain(text))
    return textwrap.fill(
        glued, LINE_CHARACTERS, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    ).replace(GLUE, " ")


def sentences(*texts: str) -> str:
    """A line each, or several; what is empty is left out."""
    return "\n".join(wrapped(text) for text in texts if text)


def listed(*items: str) -> str:
    """A line each, or several with the dash standing out."""
    return "\n".join(f"- {wrapped(item, '  ').lstrip()}" for item in items)


def enumerated(names: Sequence[str]) -> str:
    """Names within a sentence, each with a capital: "Warning, Draining and Critical"."""
    *others, last = (name.capitalize() for name in names)
    return f"{', '.join(others)} and {last}" if others else last


def titled(file_system: FileSystem) -> str:
    """The file system's id, and in brackets the name by which people know it, if it has one."""
    name = cut(plain(file_system.name), NAME_CHARACTERS)
    return f"{file_system.file_system_id} ({name})" if name else file_system.file_system_id


def plain(text: str) -> str:
    """`text` on one line of printable ASCII: accents go, what has no ASCII becomes a question mark."""
    decomposed = unicodedata.normalize("NFKD", " ".join(text.split()))
    if not decomposed.isascii():
        decomposed = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return _printable(decomposed).strip()


def cut(text: str, characters: int) -> str:
    """A name in at most so many characters, with dots where something is missing."""
    return text if len(text) <= characters else text[: characters - len(CUT)].rstrip() + CUT


def shortened(text: str, characters: int) -> str:
    """Sentences in at most so many characters, with dots where something is missing.

    Between words, for half of a number would be another; within one only where it takes more than half of the room.
    """
    if len(text) <= characters:
        return text
    room = characters - len(CUT)
    whole = text[: room + 1].rpartition(" ")[0]
    return (whole if 2 * len(whole) >= room else text[:room]).rstrip() + CUT


def _subject(start: str, about: str) -> str:
    start = _fitted(start)
    room = SUBJECT_CHARACTERS - len(start) - len(" ()")
    # A few letters of a name are none.
    if about and room >= min(len(about), FEWEST_OF_A_NAME):
        return f"{start} ({cut(about, room)})"
    return start


def _fitted(start: str) -> str:
    """A subject without a name, cut to what SNS takes: where it ends with an id, what is said last before that
    goes, clause by clause. Where more than half would go so, it is cut between words.
    """
    if len(start) <= SUBJECT_CHARACTERS or not UP_TO_THE_ID.fullmatch(start):
        return cut(start, SUBJECT_CHARACTERS)
    said, separator, file_system_id = start.rpartition(", ")
    room = SUBJECT_CHARACTERS - len(separator + file_system_id)
    shorter = said
    while len(shorter) > room and (clause := LAST_CLAUSE.search(shorter)) is not None:
        shorter = shorter[: clause.start()]
    if not room / 2 <= len(shorter) <= room:
        shorter = shortened(said, room)
    return f"{shorter}{separator}{file_system_id}"


def _printable(text: str) -> str:
    return UNPRINTABLE.sub("?", text)
