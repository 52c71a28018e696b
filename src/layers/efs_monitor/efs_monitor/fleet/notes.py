"""What a fleet remembers between two runs, of those file systems alone with which all is not as it should be.

Since when one is gone, and how often its stack was tried in vain. Everything else is read from AWS each time, so that
whatever is lost of this costs a longer grace or an earlier try, and nothing else.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

FIRST_PAUSE = timedelta(minutes=15)
LONGEST_PAUSE = timedelta(days=1)
REASON_CHARACTERS = 300


@dataclass(frozen=True, kw_only=True)
class Note:
    """`gone` since then; tried so many times, at last `tried`, to make it what `wanted` stands for; `why` it failed,
    and whether people were told that. `unchanged`: CloudFormation found nothing in the stack that this would change.
    """

    gone: datetime | None = None
    tries: int = 0
    tried: datetime | None = None
    wanted: str = ""
    why: str = ""
    told: bool = False
    unchanged: bool = False

    def next_try(self, wanted: str) -> datetime | None:
        """When it is tried again; None where nothing speaks against now: never tried, or something else is wanted."""
        if self.tried is None or self.wanted != wanted:
            return None
        return self.tried + pause_after(self.tries)

    def after_a_try(self, wanted: str, now: datetime) -> "Note":
        """Noted before the call, so that a run that breaks off counts as a try, too."""
        tries = self.tries + 1 if self.wanted == wanted else 1
        told = self.told and self.wanted == wanted
        return replace(self, tries=tries, tried=now, wanted=wanted, told=told, unchanged=False)


type Notes = Mapping[str, Note]
"""By the id of the file system."""


def pause_after(tries: int) -> timedelta:
    """15 minutes after the first failure, twice as long after each further one, at most a day."""
    return min(FIRST_PAUSE * (1 << min(tries - 1, 10)), LONGEST_PAUSE)


def as_text(notes: Notes, told_on: str, characters: int) -> str:
    """The notes as they are stored, with the day of the last digest, in at most so many characters.

    Where there are too many, reasons go first, then the notes themselves, newest first: whose note is lost has its
    grace begin again, or is tried a little early.
    """
    kept = dict(sorted(notes.items(), key=lambda one: one[1].gone or one[1].tried or datetime.max.replace(tzinfo=UTC)))
    text = _written(kept, told_on)
    if len(text) > characters:
        kept = {file_system_id: replace(note, why="") for file_system_id, note in kept.items()}
        text = _written(kept, told_on)
    while len(text) > characters:
        kept.popitem()
        text = _written(kept, told_on)
    return text


def from_text(text: str) -> tuple[dict[str, Note], str]:
    """The notes and the day of the last digest; none where somebody wrote something else there."""
    try:
        stored = json.loads(text)
        return {str(one): _read(*fields) for one, fields in stored["notes"].items()}, str(stored["told"])
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        return {}, ""


def _written(notes: Notes, told_on: str) -> str:
    fields = {
        file_system_id: [
            *(_seconds(one.gone), one.tries, _seconds(one.tried), one.wanted, one.why, int(one.told)),
            *([1] if one.unchanged else []),
        ]
        for file_system_id, one in notes.items()
    }
    return json.dumps({"told": told_on, "notes": fields}, separators=(",", ":"))


def _read(gone: int, tries: int, tried: int, wanted: str, why: str, told: int, unchanged: int = 0) -> Note:
    return Note(
        gone=_moment(gone),
        tries=int(tries),
        tried=_moment(tried),
        wanted=str(wanted),
        why=str(why),
        told=bool(told),
        unchanged=bool(unchanged),
    )


def _seconds(moment: datetime | None) -> int:
    return int(moment.timestamp()) if moment else 0


def _moment(seconds: int) -> datetime | None:
    return datetime.fromtimestamp(seconds, UTC) if seconds else None
