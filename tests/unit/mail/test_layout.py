"""How a message is bent into what SNS takes."""

import re

import pytest
from efs_monitor.mail.chat import chat
from efs_monitor.mail.layout import Message, as_drill, compose, cut, listed, plain, shortened, titled, wrapped
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.mail.mail_cases import HERE, a_file_system

CHAT = chat(HERE, "fs-1", "warning", ["text"])


def subject_of(start: str, about: str) -> str:
    return compose(subject=start, about=about, paragraphs=["text"], short="text", chat=CHAT).subject


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Zürich\nhome", "Zurich home"),
        ("  a \t b\x00 ", "a b?"),
        ("data 🗄", "data ?"),
        ("naïve", "naive"),
        ("", ""),
    ],
)
def test_a_name_becomes_one_line_of_ascii(name: str, text: str) -> None:
    assert plain(name) == text


def test_a_subject_ends_with_the_name_in_brackets() -> None:
    assert subject_of("CRITICAL: 42 min", "home") == "CRITICAL: 42 min (home)"


def test_a_subject_without_a_name_has_no_brackets() -> None:
    assert subject_of("CRITICAL: 42 min", " ") == "CRITICAL: 42 min"


def test_a_long_name_is_cut_and_the_numbers_before_it_stay() -> None:
    subject = subject_of("CRITICAL: 42 min", "n" * 256)
    assert subject.startswith("CRITICAL: 42 min (nnn")
    assert subject.endswith("n...)")
    assert len(subject) == 99


def test_a_name_that_has_no_room_left_is_dropped() -> None:
    assert subject_of("s" * 95, "home") == "s" * 95


def test_a_name_of_which_nothing_but_dots_would_be_left_is_dropped() -> None:
    assert subject_of("s" * 93, "home") == "s" * 93
    assert subject_of("s" * 92, "home") == "s" * 92 + " (home)"


def test_a_few_letters_of_a_name_are_no_name() -> None:
    assert subject_of("s" * 88, "home directories") == "s" * 88 + " (home...)"
    assert subject_of("s" * 89, "home directories") == "s" * 89


def test_a_subject_that_is_too_long_by_itself_is_cut() -> None:
    assert subject_of("s" * 200, "home") == "s" * 96 + "..."


def drill_of(subject: str) -> str:
    return as_drill(Message(subject=subject, body="text\n", short="text", chat=CHAT)).subject


def test_a_drill_has_its_subject_where_it_fits_to_the_last_character() -> None:
    subject = f"CRITICAL, fs-1 ({'n' * 74})"
    assert len(drill_of(subject)) == 99
    assert drill_of(subject) == f"DRILL - {subject}"


def test_of_a_drill_with_too_long_a_subject_the_name_in_brackets_goes() -> None:
    assert drill_of(f"CRITICAL, fs-1 ({'n' * 75})") == "DRILL - CRITICAL, fs-1"


def test_a_drill_with_too_long_a_subject_and_no_name_says_what_fits() -> None:
    assert drill_of("s" * 95) == "DRILL - " + "s" * 88 + "..."


ID = "fs-0123456789abcdef0"
# What mails say before the id, up to twice as much as there is room for: words, clauses and numbers.
SAYINGS = st.lists(
    st.sampled_from(
        ["DRAINING:", "credits", "gone", "at", "00:25", "UTC,", "in", "1", "h", "13", "min,", "rose;", "(a", "b)"]
    ),
    min_size=1,
    max_size=40,
).map(" ".join)


@given(SAYINGS, st.sampled_from(["fs-01234567", ID]), st.text(max_size=60) | st.just("home, fs-1 (of (us))"))
def test_however_much_is_said_before_it_a_subject_has_the_id_drilled_or_not(said: str, one_id: str, name: str) -> None:
    subject = subject_of(f"{said}, {one_id}", name)
    for found in (subject, drill_of(subject)):
        assert len(found) <= 99
        before = found.removeprefix("DRILL - ").partition(f", {one_id}")[0]
        assert f"{before}, {one_id}" in found
        # Of a number nothing is cut off.
        assert set(re.findall(r"[\d:]+", before)) <= set(re.findall(r"[\d:]+", said))


def test_what_is_said_last_goes_first_where_a_subject_has_no_room_for_all_of_it() -> None:
    end = f"credits gone at 00:25 UTC, in 1 h 13 min, unless it ends as 10 before, {ID}"
    assert subject_of(f"DRAINING: {end}", "home") == f"DRAINING: credits gone at 00:25 UTC, in 1 h 13 min, {ID} (home)"
    fits = subject_of(f"DRAIN: {end}", "home")
    assert fits == f"DRAIN: {end}"
    assert drill_of(fits) == f"DRILL - DRAIN: credits gone at 00:25 UTC, in 1 h 13 min, {ID}"
    hovering = f"STILL CRITICAL for 2 d 23 h: credits gone at 00:25 UTC, in 23 h 13 min; 47 before rose again, {ID}"
    assert subject_of(hovering, "home") == hovering.replace("; 47 before rose again", "") + " (home)"


def test_a_single_clause_that_is_too_long_or_would_take_more_than_half_along_is_cut_between_words() -> None:
    over = f"RECOVERED: Critical is over, under 1 min of credits left at full speed, {ID}"
    assert drill_of(over) == f"DRILL - RECOVERED: Critical is over, under 1 min of credits left at full..., {ID}"
    assert subject_of(f"{'word ' * 20}1,234 MiB/s, {ID}", "") == f"{('word ' * 15).rstrip()}..., {ID}"


def test_a_text_for_a_phone_is_cut_at_140_characters() -> None:
    assert len(compose(subject="s", about="", paragraphs=[], short="w" * 300, chat=CHAT).short) == 140


def test_a_text_that_fits_is_not_cut() -> None:
    assert cut("12345", 5) == "12345"
    assert cut("123456", 5) == "12..."


def test_sentences_that_are_cut_end_with_a_whole_word() -> None:
    assert shortened("a quota of 1,000 roles", 18) == "a quota of..."
    assert shortened("a quota of 1,000 roles", 19) == "a quota of 1,000..."
    assert shortened("a quota of 1,000 roles", 21) == "a quota of 1,000..."
    assert shortened("see https://example.com/efs", 20) == "see https://examp..."


def test_the_name_follows_the_id_where_there_is_one() -> None:
    assert titled(a_file_system(name="home")) == "fs-0123456789abcdef0 (home)"
    assert titled(a_file_system(name="")) == "fs-0123456789abcdef0"


def test_a_number_and_its_unit_stay_on_one_line() -> None:
    # "100" would be the last word that fits the line.
    text = "x" * 92 + " 100 MiB/s"
    assert wrapped(text).splitlines() == ["x" * 92, "100 MiB/s"]


def test_the_lines_of_a_list_item_stand_behind_its_dash() -> None:
    assert [line[:3] for line in listed("word " * 30).splitlines()] == ["- w", "  w"]
