"""What a fleet remembers."""

from datetime import timedelta

import pytest
from efs_monitor.fleet.notes import Note, as_text, from_text, pause_after
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.fleet.account import NOW, file_system_id

moments = st.one_of(st.none(), st.integers(1, 10**6).map(lambda seconds: NOW + timedelta(seconds=seconds)))
notes = st.dictionaries(
    st.integers(0, 200).map(file_system_id),
    st.builds(
        Note,
        gone=moments,
        tries=st.integers(0, 50),
        tried=moments,
        wanted=st.text(max_size=8),
        why=st.text(),
        unchanged=st.booleans(),
    ),
    max_size=200,
)


@given(notes)
def test_what_is_written_is_read_again(written: dict[str, Note]) -> None:
    assert from_text(as_text(written, "2030-01-07", characters=10**6)) == (written, "2030-01-07")


@given(notes)
def test_however_many_there_are_the_oldest_fit_into_what_a_parameter_holds(written: dict[str, Note]) -> None:
    text = as_text(written, "2030-01-07", characters=4096)
    assert len(text) <= 4096
    assert from_text(text)[0].keys() <= written.keys()


def test_reasons_go_before_any_note_does() -> None:
    many = {file_system_id(one): Note(gone=NOW, why="x" * 100) for one in range(40)}
    kept, _ = from_text(as_text(many, "", characters=4096))
    assert kept.keys() == many.keys()


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"notes": {"fs-1": [1]}, "told": ""}', '{"notes": 3}'])
def test_what_somebody_else_wrote_there_is_no_note(text: str) -> None:
    assert from_text(text) == ({}, "")


def test_a_note_of_the_version_before_is_read() -> None:
    stored = '{"told":"","notes":{"fs-1":[0,2,0,"1a2b3c4d","why",1]}}'
    assert from_text(stored)[0] == {"fs-1": Note(tries=2, wanted="1a2b3c4d", why="why", told=True)}


def test_pauses_double_from_a_quarter_of_an_hour_to_a_day() -> None:
    assert [pause_after(tries) / timedelta(hours=1) for tries in range(1, 10)] == [0.25, 0.5, 1, 2, 4, 8, 16, 24, 24]
    assert pause_after(10**6) == timedelta(days=1)
