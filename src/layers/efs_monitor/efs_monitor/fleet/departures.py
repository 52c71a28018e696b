"""When the next digest is due: before a fleet deletes the stack of a file system that left it, somebody is told."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from efs_monitor.fleet.notes import Notes


def next_digest(hour: int, told_on: str, now: datetime) -> datetime:
    """When the next daily digest is due, in the past where it is due already; `told_on` is the day of the last."""
    today = now.replace(hour=hour, minute=0, second=0, microsecond=0)
    return today + timedelta(days=1) if told_on == f"{now:%Y-%m-%d}" else today


def told_too_late(leaving: Iterable[str], notes: Notes, grace: timedelta, digest: datetime) -> bool:
    """Whether a grace ends before that digest, of a file system of which no digest has said that it left.

    Then one is sent at once: a tag that was lost by mistake can be given back while its stacks are there.
    """
    return any(
        note.gone is None or note.gone + grace <= digest
        for note in (notes[one] for one in leaving)
        if not note.announced
    )
