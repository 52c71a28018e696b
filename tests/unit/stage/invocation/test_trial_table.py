"""A row says what was answered and done, and what was wrong about it."""

from dataclasses import replace

from stage.invocation.trial_table import HEADING, row
from tests.unit.stage.invocation.invocation_trials import (
    SENTENCE,
    arming,
    deployment,
    explanation,
    outcome,
    recalculation,
    refusal,
)


def cells(printed: str) -> list[str]:
    return [cell.strip() for cell in printed.splitlines()[0].split(" | ")]


def below(printed: str) -> dict[str, str]:
    """What stands below a row, by the word it begins with; wrapped lines put together again."""
    told: dict[str, str] = {}
    for line in printed.splitlines()[1:]:
        if line.startswith("      "):
            told[[*told][-1]] += f" {line.strip()}"
        else:
            what, _, text = line.strip().partition(": ")
            told[what] = text
    return told


def test_the_heading_stands_above_the_columns() -> None:
    first, *_ = row("Explain", "warning-alarm", explanation(), []).splitlines()
    assert cells(HEADING) == ["function", "event", "ok"]
    assert [len(part) for part in HEADING.split(" | ")[:-1]] == [len(part) for part in first.split(" | ")[:-1]]


def test_no_line_is_wider_than_a_terminal() -> None:
    for trial in (refusal(), recalculation(), explanation(), deployment(), arming()):
        assert all(len(line) <= 80 for line in row("RecalculateThresholds", "e" * 35, trial, ["w " * 80]).splitlines())


def test_a_refusal_is_shown_with_its_sentence_and_no_effects() -> None:
    printed = row("Explain", "refused/list", refusal(), [])
    assert cells(printed) == ["Explain", "refused/list", "yes"]
    assert below(printed) == {"answer": f"EventRefused: {SENTENCE}", "effects": "nothing"}


def test_written_alarms_the_memory_and_mails_are_effects() -> None:
    assert below(row("R", "e", recalculation(), []))["effects"] == "warning written, memory"
    assert below(row("R", "e", explanation(), []))["effects"] == "mail on advice"


def test_the_answer_to_cloudformation_is_shown_instead_of_that_to_nobody() -> None:
    answer = below(row("A", "e", deployment(), []))["answer"]
    assert answer == "SUCCESS to CloudFormation: WarningThresholdBytes 1132462080000"


def test_the_file_system_is_not_repeated_in_every_row() -> None:
    trial = replace(arming(), outcome=outcome({"file_system_id": "fs-0123456789abcdef0", "decision": "keep"}))
    assert below(row("R", "e", trial, []))["answer"] == "decision keep"


def test_what_is_wrong_stands_below_its_row() -> None:
    first, *_, last_but_one, last = row("Explain", "warning-armed", arming(), ["it mailed", "it wrote"]).splitlines()
    assert first.endswith("| NO")
    assert (last_but_one, last) == ("    WRONG: it mailed", "    WRONG: it wrote")
