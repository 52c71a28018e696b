"""What a fleet remembers."""

from datetime import timedelta

from efs_monitor.fleet.notes import Note, alike, of_one, pause_after

from tests.unit.fleet.account import file_system_id


def test_pauses_double_from_a_quarter_of_an_hour_to_a_day() -> None:
    assert [pause_after(tries) / timedelta(hours=1) for tries in range(1, 10)] == [0.25, 0.5, 1, 2, 4, 8, 16, 24, 24]
    assert pause_after(10**6) == timedelta(days=1)


def test_a_note_of_which_nothing_is_said_says_nothing() -> None:
    assert Note() == Note(
        gone=None, tries=0, tried=None, wanted="", why="", told=False, unchanged=False, announced=False
    )


def test_what_two_file_systems_are_told_of_the_same_cause_is_one_reason() -> None:
    one, other = (f"CreateStack on fleet-{file_system_id(number)} failed" for number in (1, 2))
    assert alike(file_system_id(1), one) == alike(file_system_id(2), other) == "CreateStack on fleet-fs-* failed"
    assert of_one(file_system_id(2), alike(file_system_id(1), one)) == other
