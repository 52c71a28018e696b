"""What a fleet remembers between two runs, of those file systems alone with which all is not as it should be.

Since when one is gone, and how often its stack was tried in vain. Everything else is read from AWS each time, so that
whatever is lost of this costs a longer grace or an earlier try, and nothing else.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from string import ascii_uppercase, digits

from efs_monitor.fleet.reasons import cause

FIRST_PAUSE = timedelta(minutes=15)
LONGEST_PAUSE = timedelta(days=1)
MARKS, MARK_CHARACTERS = digits + ascii_uppercase, 3


@dataclass(frozen=True, kw_only=True)
class Note:
    """`gone` since then; tried so many times, at last `tried`, to make it what `wanted` stands for; `why` it failed,
    where people do not know, and what stands for the reason that they were `told`. `looked`: for why the last try
    failed. `unchanged`: CloudFormation found nothing in the stack that this would change. `announced`: people were told
    that it is gone, before its stack is deleted.
    """

    gone: datetime | None = None
    tries: int = 0
    tried: datetime | None = None
    wanted: str = ""
    why: str = ""
    told: str = ""
    looked: bool = False
    unchanged: bool = False
    announced: bool = False

    @property
    def is_told(self) -> bool:
        """Whether people know why it fails, as far as anybody does: of a try under way nothing is known yet."""
        return bool(self.told) and not self.why

    def next_try(self, wanted: str) -> datetime | None:
        """When it is tried again; None where nothing speaks against now: never tried, or something else is wanted."""
        if self.tried is None or self.wanted != wanted:
            return None
        return self.tried + pause_after(self.tries)

    def after_a_try(self, wanted: str, now: datetime) -> "Note":
        """Noted before the call, so that a run that breaks off counts as a try, too."""
        tries = self.tries + 1 if self.wanted == wanted else 1
        told = self.told if self.wanted == wanted else ""
        return replace(self, tries=tries, tried=now, wanted=wanted, told=told, looked=False, unchanged=False)

    def failed_because(self, why: str) -> "Note":
        """The note with the reason of the last try, unless people were told the same of an earlier one."""
        return replace(self, why="" if mark(cause(why)) == self.told else why, looked=True)

    def once_told(self, why: str) -> "Note":
        """After a digest gave this reason, which need not be kept any longer, or said that it still fails."""
        return self if self.is_told else replace(self, why="", told=mark(cause(why)))


type Notes = Mapping[str, Note]
"""By the id of the file system."""


def pause_after(tries: int) -> timedelta:
    """15 minutes after the first failure, twice as long after each further one, at most a day."""
    return min(FIRST_PAUSE * (1 << min(tries - 1, 10)), LONGEST_PAUSE)


def mark(why: str) -> str:
    """Three characters that stand for a reason: another has others, but for one of 46,656."""
    number = int.from_bytes(hashlib.sha256(why.encode()).digest()[:8])
    return "".join(MARKS[number // len(MARKS) ** place % len(MARKS)] for place in range(MARK_CHARACTERS))


def times(tries: int) -> str:
    """How often something was tried, in words."""
    return "once" if tries == 1 else f"{tries} times"
