"""A parameter that two functions write at any time: what one writes is put together with what the other has written
meanwhile.

Parameter Store has no write that depends on what is stored. But it numbers the versions, and keeps the last hundred: a
number that jumped tells of somebody who wrote between our reading and our writing.
"""

from collections.abc import Callable
from dataclasses import Field, replace
from typing import Any, ClassVar, Protocol

# Each of the two writes some times an hour: that the other does during each of three attempts is not to be expected.
ATTEMPTS = 3


class Stored(Protocol):
    """A dataclass that is stored, with the version that it was read or written as."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def version(self) -> int: ...


def save_together[Value: Stored](
    ours: Value,
    before: Value,
    *,
    write: Callable[[Value], int],
    read: Callable[[int | None], Value | None],
    together: Callable[[Value, Value, Value], Value],
) -> Value:
    """Write ours, which was made of what was read as `before`; returns what is stored then.

    `write` answers with the number of the version, `read` with the newest version or the one of a number, None where
    that is not found, and `together` makes one of theirs, ours and `before`. Where the version that somebody else wrote
    cannot be read, theirs is what whoever wrote since has put together with it, or else ours stays: put together with
    none, all that was stored before would be lost.
    """
    for _ in range(ATTEMPTS):
        written = write(ours)
        ours = replace(ours, version=written)
        if written <= before.version + 1:
            return ours
        newest, theirs = ours, read(written - 1)
        if theirs is None:
            theirs = read(None)
            if theirs is None or theirs.version <= written:
                return ours
            newest = theirs
        both = replace(together(theirs, ours, before), version=newest.version)
        if both == newest:
            return both
        before, ours = replace(theirs, version=newest.version), both
    return ours
