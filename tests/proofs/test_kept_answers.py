"""A proof that was broken off goes on where it was, and no answer outlives the code that gave it."""

from functools import partial
from pathlib import Path

from proofs.kept_answers import folder_of, kept_or_asked


def test_what_was_answered_is_not_asked_again(tmp_path: Path) -> None:
    asked: list[int] = []

    def doubled(number: int) -> int:
        asked.append(number)
        return 2 * number

    assert [kept_or_asked(tmp_path / "twice", doubled, (at, at)) for at in (1, 2, 1)] == [2, 4, 2]
    assert asked == [1, 2]


def test_a_question_that_was_broken_off_is_asked_again(tmp_path: Path) -> None:
    def broken_off(_: int) -> int:
        raise KeyboardInterrupt

    try:
        kept_or_asked(tmp_path, broken_off, (1, 1))
    except KeyboardInterrupt:
        assert kept_or_asked(tmp_path, abs, (1, -1)) == 1


def test_an_answer_is_of_the_code_that_gave_it(tmp_path: Path) -> None:
    rule = tmp_path / "src" / "rule.py"
    rule.parent.mkdir()
    rule.write_text("LIMIT = 1\n")
    folder = partial(folder_of, "lives", code=("src",), kept=tmp_path / "kept", project=tmp_path)
    before = folder()
    (tmp_path / "page.md").write_text("Another page\n")
    assert folder() == before
    rule.write_text("LIMIT = 2\n")
    assert folder() != before


def test_what_may_not_be_kept_is_asked_again(tmp_path: Path) -> None:
    answers = iter([-1, 2, 3])

    def is_positive(answer: int) -> bool:
        return answer > 0

    assert [kept_or_asked(tmp_path, lambda _: next(answers), ("a", 0), is_positive) for _ in "123"] == [-1, 2, 2]
