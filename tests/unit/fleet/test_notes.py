"""What a fleet remembers."""

from datetime import timedelta

import pytest
from efs_monitor.fleet.notes import MARKS, Note, mark, pause_after, times

from tests.unit.fleet.fake_account import NOW
from tests.unit.fleet.test_reasons import DENIED


def test_pauses_double_from_a_quarter_of_an_hour_to_a_day() -> None:
    assert [pause_after(tries) / timedelta(hours=1) for tries in range(1, 10)] == [0.25, 0.5, 1, 2, 4, 8, 16, 24, 24]
    assert pause_after(10**6) == timedelta(days=1)


def test_a_note_of_which_nothing_is_said_says_nothing() -> None:
    assert Note() == Note(
        gone=None,
        tries=0,
        tried=None,
        wanted="",
        why="",
        told="",
        looked=False,
        unchanged=False,
        announced=False,
    )


def test_a_mark_is_of_three_characters_and_another_for_another_reason() -> None:
    assert (mark("no role"), mark("no room")) == ("040", "6VQ")
    assert all(len(mark(str(number))) == 3 and set(mark(str(number))) <= set(MARKS) for number in range(1000))
    # As many as one draws from 46,656 that way.
    assert len({mark(str(number)) for number in range(1000)}) > 980


TRIED = Note().after_a_try("1a2b3c4d", NOW)


def test_a_reason_is_told_once_however_often_the_same_is_tried_in_vain() -> None:
    failed = TRIED.failed_because("no role")
    assert (failed.is_told, failed.looked) == (False, True)
    told = failed.once_told("no role")
    assert (told.is_told, told.why) == (True, "")
    again = told.after_a_try("1a2b3c4d", NOW)
    assert (again.is_told, again.looked) == (True, False)
    assert again.failed_because("no role").is_told
    assert again.failed_because("no role").once_told("tried 2 times") == again.failed_because("no role")


def test_another_reason_is_told_anew_and_so_is_whatever_keeps_something_else_from_being() -> None:
    told = TRIED.failed_because("no role").once_told("no role").after_a_try("1a2b3c4d", NOW)
    other = told.failed_because("no room")
    assert (other.is_told, other.why) == (False, "no room")
    assert not other.once_told("no room").after_a_try("1a2b3c4d", NOW).failed_because("no role").is_told
    changed = told.after_a_try("5e6f7a8b", NOW)
    assert not changed.is_told
    assert not changed.failed_because("no role").is_told


def test_a_denial_is_told_once_whichever_resource_meets_it_first_at_the_next_try() -> None:
    first, then = DENIED
    told = TRIED.failed_because(first).once_told(first).after_a_try("1a2b3c4d", NOW)
    assert told.failed_because(then).is_told


@pytest.mark.parametrize(("tries", "said"), [(1, "once"), (2, "2 times"), (12, "12 times")])
def test_how_often_something_was_tried_is_told_in_words(tries: int, said: str) -> None:
    assert times(tries) == said
