"""A row says what was answered and done, and what was wrong about it."""

from dataclasses import replace

from sandbox.invocation.trial_table import HEADING, row
from tests.unit.invocation.trials import arming, deployment, explanation, outcome, recalculation, refusal


def cells(printed: str) -> list[str]:
    return [cell.strip() for cell in printed.splitlines()[0].split(" | ")]


def test_the_heading_stands_above_the_columns() -> None:
    assert cells(HEADING) == ["function", "event", "answer", "effects", "ok"]
    assert [len(part) for part in HEADING.split(" | ")[:-1]] == [
        len(part) for part in row("Explain", "warning-alarm", explanation(), []).split(" | ")[:-1]
    ]


def test_a_refusal_is_shown_with_its_sentence_and_no_effects() -> None:
    name, event, answer, effects, ok = cells(row("Explain", "refused/list", refusal(), []))
    assert (name, event, effects, ok) == ("Explain", "refused/list", "nothing", "yes")
    assert answer == "EventRefused: The event is a list, not the JSON object an alarm…"


def test_written_alarms_the_memory_and_mails_are_effects() -> None:
    assert cells(row("R", "e", recalculation(), []))[3] == "warning written, memory"
    assert cells(row("R", "e", explanation(), []))[3] == "mail on advice"


def test_the_answer_to_cloudformation_is_shown_instead_of_that_to_nobody() -> None:
    assert cells(row("A", "e", deployment(), []))[2] == "SUCCESS to CloudFormation: WarningThresholdBytes 1132462080000"


def test_the_file_system_is_not_repeated_in_every_row() -> None:
    trial = replace(arming(), outcome=outcome({"file_system_id": "fs-0123456789abcdef0", "decision": "keep"}))
    assert cells(row("R", "e", trial, []))[2] == "decision keep"


def test_what_is_wrong_stands_below_its_row() -> None:
    first, *rest = row("Explain", "warning-armed", arming(), ["it mailed", "it wrote"]).splitlines()
    assert first.endswith("| NO")
    assert rest == ["    it mailed", "    it wrote"]
