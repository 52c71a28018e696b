"""How a fleet's notes are written down: in sixteen parts, each what a standard parameter of Systems Manager holds.

The last digit of a file system's id says which part has its note, so that a run writes those alone in which something
changed. A note takes some forty characters, so there is room for those of a thousand, and for reasons.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from string import ascii_lowercase, digits

from efs_monitor.fleet.notes import MARKS, Note, Notes
from efs_monitor.fleet.reasons import alike, of_one

PARTS = "0123456789abcdef"
CHARACTERS = 4096
PREFIX = "fs-"
DIGITS = digits + ascii_lowercase
# Parameter Store takes no value with something between two braces, in which it sees another parameter.
# https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_PutParameter.html
NESTED = re.compile(r"\{(?=\{)")
LOOKED, UNCHANGED, ANNOUNCED = "l", "u", "a"
# What stands for a reason that an older version had told and did not keep: it is like no other.
TOLD = "t"
FIELDS = 7


def as_texts(notes: Notes) -> dict[str, str]:
    """The text of each part."""
    parts: dict[str, dict[str, Note]] = {part: {} for part in PARTS}
    for file_system_id, note in notes.items():
        # What ends otherwise is no id of EFS; it has its place, too.
        parts[PARTS[max(PARTS.find(file_system_id[-1:]), 0)]][file_system_id] = note
    return {part: _as_text(of_it) for part, of_it in parts.items()}


def from_texts(texts: Mapping[str, str]) -> dict[str, Note]:
    """The notes; none of a part in which somebody wrote something else."""
    return {file_system_id: note for text in texts.values() for file_system_id, note in _from_text(text).items()}


def _as_text(notes: Notes) -> str:
    """The notes of one part as text, no longer than a parameter may be. If it is too long, reasons are dropped first,
    beginning with those that the fewest notes share, and then whole notes, the newest first. A file system that loses
    its note has its grace begin again, or is tried a little early.
    """
    kept = sorted(notes.items(), key=lambda one: (one[1].gone or one[1].tried or datetime.max.replace(tzinfo=UTC), one))
    whys = [why for why, _ in Counter(alike(one, note.why) for one, note in kept if note.why).most_common()]
    while len(text := _written(kept, whys)) > CHARACTERS:
        (whys or kept).pop()
    return text


def _written(notes: list[tuple[str, Note]], whys: list[str]) -> str:
    if not notes:
        return "{}"
    lines = " ".join(_line(file_system_id, note, whys) for file_system_id, note in notes)
    text = json.dumps({"why": whys, "notes": lines}, separators=(",", ":"))
    # Of a reason that has two braces, as of a dynamic reference, only in JSON's other way to write one.
    return NESTED.sub(r"\\u007b", text)


def _line(file_system_id: str, note: Note, whys: list[str]) -> str:
    why = alike(file_system_id, note.why)
    fields = (
        file_system_id.removeprefix(PREFIX),
        _seconds(note.gone),
        str(note.tries or ""),
        _seconds(note.tried),
        note.wanted,
        note.looked * LOOKED + note.unchanged * UNCHANGED + note.announced * ANNOUNCED + note.told,
        str(whys.index(why)) if why in whys else "",
    )
    return ",".join(fields).rstrip(",")


def _from_text(text: str) -> dict[str, Note]:
    try:
        stored = json.loads(text)
        return dict(_read(line, stored["why"]) for line in stored["notes"].split()) if stored else {}
    except (AttributeError, IndexError, KeyError, OSError, OverflowError, TypeError, ValueError):
        return {}


def _read(line: str, whys: list[str]) -> tuple[str, Note]:
    name, gone, tries, tried, wanted, flags, why = (line + "," * FIELDS).split(",")[:FIELDS]
    file_system_id = PREFIX + name
    return file_system_id, Note(
        gone=_moment(gone),
        tries=int(tries or 0),
        tried=_moment(tried),
        wanted=wanted,
        why=of_one(file_system_id, whys[int(why)]) if why else "",
        told="".join(one for one in flags if one in MARKS + TOLD),
        looked=LOOKED in flags,
        unchanged=UNCHANGED in flags,
        announced=ANNOUNCED in flags,
    )


def _seconds(moment: datetime | None) -> str:
    return _in_digits(int(moment.timestamp())) if moment else ""


def _in_digits(number: int) -> str:
    """The number in base 36, as `int` reads it again."""
    return (_in_digits(number // len(DIGITS)) if number >= len(DIGITS) else "") + DIGITS[number % len(DIGITS)]


def _moment(text: str) -> datetime | None:
    return datetime.fromtimestamp(int(text, len(DIGITS)), UTC) if text else None
