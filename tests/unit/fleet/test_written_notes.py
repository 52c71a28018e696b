"""How a fleet's notes are written down, and what of them is lost where there is no room."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from efs_monitor.fleet.notes import Note
from efs_monitor.fleet.reasons import REASON_CHARACTERS
from efs_monitor.fleet.reconciliation import DELETED
from efs_monitor.fleet.written_notes import CHARACTERS, PARTS, TOLD, as_texts, from_texts
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.quick import first_of
from tests.unit.fleet.fake_account import NOW, file_system_id

MANY = 1_000
moments = st.one_of(st.none(), st.integers(1, 10**6).map(lambda seconds: NOW + timedelta(seconds=seconds)))
wanted = st.one_of(st.just(""), st.just(DELETED), st.integers(0, 16**8 - 1).map(lambda number: f"{number:08x}"))
each = st.builds(
    Note,
    gone=moments,
    tries=st.integers(0, 50),
    tried=moments,
    wanted=wanted,
    # Such as the dynamic reference that a resource's handler repeats.
    why=st.text(max_size=REASON_CHARACTERS) | st.text("{}a", max_size=REASON_CHARACTERS),
    told=st.sampled_from(["", TOLD, "000", "A1Z"]),
    looked=st.booleans(),
    unchanged=st.booleans(),
    announced=st.booleans(),
)
notes = st.dictionaries(st.integers(0, 10**20).map(lambda number: f"fs-{number:x}"), each, max_size=30)


def ids(seed: int = 0) -> list[str]:
    """As many ids as an account may have file systems, as EFS makes them up."""
    drawn = Random(seed)  # noqa: S311 - no secret
    return [f"fs-0{drawn.getrandbits(64):016x}" for _ in range(MANY)]


def read_again(written: dict[str, Note]) -> dict[str, Note]:
    return from_texts(as_texts(written))


def without_reasons(written: dict[str, Note]) -> dict[str, Note]:
    return {one: replace(note, why="") for one, note in written.items()}


@given(notes)
def test_what_is_written_is_read_again_and_fits_whatever_the_reasons_say(written: dict[str, Note]) -> None:
    assert without_reasons(read_again(written)) == without_reasons(written)
    assert {len(text) <= CHARACTERS for text in as_texts(written).values()} == {True}
    assert all(text.isascii() for text in as_texts(written).values())
    assert not any("{{" in text for text in as_texts(written).values())


@pytest.mark.more
@settings(max_examples=40)
@given(each, st.integers(0, 10**6))
def test_of_a_thousand_file_systems_everything_is_remembered_but_what_is_no_reason(note: Note, seed: int) -> None:
    # What is gone waits to be deleted; only what is there is held against what is wanted of it.
    shaped = replace(note, wanted=DELETED) if note.gone else note
    written = dict.fromkeys(ids(seed), shaped)
    assert without_reasons(read_again(written)) == without_reasons(written)


def test_one_cause_that_a_thousand_share_is_stored_for_all_of_them_whatever_stack_it_names() -> None:
    said = "cloudformation:CreateStack on efs-fleet-{} failed with ValidationError: " + "x" * 200
    written = {
        one: Note(tries=12, tried=NOW, wanted="1a2b3c4d", why=said.format(one), told="A1Z" * (number % 2))
        for number, one in enumerate(ids())
    }
    assert read_again(written) == written


@pytest.mark.whole
def test_where_there_is_no_room_reasons_go_first_and_those_that_most_share_go_last() -> None:
    whys = {one: "shared" if number % 2 else f"{number}" + "x" * 290 for number, one in enumerate(ids())}
    written = {one: Note(tries=3, tried=NOW, wanted="1a2b3c4d", why=why) for one, why in whys.items()}
    kept = read_again(written)
    assert without_reasons(kept) == without_reasons(written)
    assert {one for one, note in kept.items() if note.why == "shared"} == {one for one in whys if whys[one] == "shared"}


@pytest.mark.more
@pytest.mark.parametrize("step", first_of([1, -1]))
def test_where_even_then_there_is_no_room_the_newest_notes_go_whichever_was_noted_first(step: int) -> None:
    """Four thousand: more than the roles of any account let a fleet have."""
    numbers = range(4 * MANY)[::step]
    written = {file_system_id(one): Note(gone=NOW + timedelta(seconds=one), why="x") for one in numbers}
    kept = read_again(written)
    assert len(kept) > MANY
    assert kept.keys() == {file_system_id(one) for one in range(len(kept))}


def test_a_part_is_full_with_its_last_character_and_not_before() -> None:
    fits = CHARACTERS - len(as_texts({"fs-1": Note(why="x")})["1"]) + 1
    full = {"fs-1": Note(why="x" * fits)}
    assert len(as_texts(full)["1"]) == CHARACTERS
    assert read_again(full) == full
    assert read_again({"fs-1": Note(why="x" * (fits + 1))}) == {"fs-1": Note()}


@pytest.mark.parametrize(
    "note",
    [
        # Two braces are written otherwise, for Systems Manager sees another parameter in them.
        Note(why="no secret {{resolve:secretsmanager:{{{name}}}}} here"),
        # Whatever letter a mark ends with.
        Note(told="A1X"),
        # In base 36 its seconds have a digit more than those of today, and begin with 10.
        Note(gone=datetime(2039, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_note_is_read_again_as_it_was_written(note: Note) -> None:
    assert read_again({"fs-1": note}) == {"fs-1": note}


def test_of_a_stack_that_is_to_go_the_note_says_so_in_the_sign_of_every_version() -> None:
    """Another sign, and a release would take the tries of the one before it for those of something else."""
    (note,) = from_texts({"1": '{"why":[],"notes":"1,vbndc0,1,vbndc0,-"}'}).values()
    assert note == Note(gone=NOW, tries=1, tried=NOW, wanted=DELETED)


def test_a_note_that_changes_changes_the_text_of_its_part_alone() -> None:
    written = {one: Note(gone=NOW) for one in ids()}
    changed = written | {"fs-0123456789abcdef7": Note(tries=1, tried=NOW)}
    before, after = as_texts(written), as_texts(changed)
    assert [part for part in PARTS if before[part] != after[part]] == ["7"]


def test_a_note_is_a_line_with_its_moments_in_seconds_of_base_36() -> None:
    failed = Note(tries=12, tried=NOW, wanted="1a2b3c4d", why="no fs-1 here", told="A1Z", looked=True, unchanged=True)
    written = as_texts({"fs-1": failed, "fs-11": Note(gone=NOW, announced=True)})
    assert written["1"] == '{"why":["no fs-* here"],"notes":"1,,12,vbndc0,1a2b3c4d,luA1Z,0 11,vbndc0,,,,a"}'
    assert list(written) == list("0123456789abcdef")


def test_a_note_of_the_version_before_is_told_of_a_reason_that_is_like_no_other() -> None:
    """It had a letter for that people were told, and not of what."""
    (note,) = from_texts({"1": '{"why":[],"notes":"1,,2,vbndc0,1a2b3c4d,tu"}'}).values()
    assert note == Note(tries=2, tried=NOW, wanted="1a2b3c4d", told=TOLD, unchanged=True)
    assert note.is_told
    assert not note.failed_because("whatever").is_told


def test_a_part_holds_what_a_standard_parameter_does() -> None:
    """https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-advanced-parameters.html"""
    assert CHARACTERS == 4_096


def test_without_notes_each_part_is_as_the_template_makes_it() -> None:
    assert as_texts({}) == dict.fromkeys(PARTS, "{}")


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}", "[]", "null", "3", '{"notes": 3, "why": []}', '{"notes": "a,_", "why": []}'),
        *('{"notes": "a,,1,,,,1", "why": []}', '{"notes": "a,zzzzzzzzzzzzzz", "why": []}', '{"told":"","notes":{}}'),
    ],
)
def test_what_somebody_else_wrote_in_one_part_is_no_note_and_costs_no_other_part_its_own(text: str) -> None:
    written = {file_system_id(number): Note(gone=NOW) for number in range(16)}
    found = from_texts(as_texts(written) | {"3": text})
    assert found == {one: note for one, note in written.items() if one != file_system_id(3)}
