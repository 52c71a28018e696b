"""Whether people are told in time that a stack is about to be deleted."""

from datetime import timedelta

import pytest
from efs_monitor.fleet.departures import next_digest, told_too_late
from efs_monitor.fleet.notes import Note

from tests.unit.fleet.fake_account import NOW, file_system_id

ID = file_system_id(1)
SIX = NOW.replace(hour=6, minute=0)


@pytest.mark.parametrize(
    ("told_on", "hour", "due"),
    [
        ("2030-01-06", 6, SIX),
        ("", 18, NOW.replace(hour=18)),
        ("2030-01-07", 6, SIX + timedelta(days=1)),
        ("2030-01-07", 18, NOW.replace(hour=18) + timedelta(days=1)),
    ],
)
def test_the_next_digest_is_todays_until_it_was_sent(told_on: str, hour: int, due: object) -> None:
    assert next_digest(hour, told_on, NOW) == due


@pytest.mark.parametrize(
    ("note", "grace_hours", "too_late"),
    [
        (Note(gone=NOW), 0, True),
        (Note(gone=NOW), 12, True),
        (Note(gone=NOW), 18, True),
        (Note(gone=NOW), 19, False),
        (Note(gone=NOW), 24, False),
        (Note(gone=NOW, announced=True), 0, False),
        (Note(), 24, True),
    ],
)
def test_a_grace_that_ends_before_the_next_digest_is_told_of_at_once(
    note: Note, grace_hours: int, *, too_late: bool
) -> None:
    tomorrow = SIX + timedelta(days=1)
    assert told_too_late([ID], {ID: note}, timedelta(hours=grace_hours), tomorrow) is too_late


def test_where_nothing_leaves_nothing_is_told_too_late() -> None:
    assert not told_too_late([], {ID: Note(gone=NOW)}, timedelta(0), SIX)
