"""What is found wrong with an answer or an effect, and that nothing is found where nothing is wrong."""

from dataclasses import replace
from typing import Any

import pytest

from stage.invocation.effects import ObservedMessage
from stage.invocation.expected import (
    AnsweredCloudFormation,
    Expected,
    ExpectedRefusal,
    Mailed,
    NothingCollected,
    NothingReconciled,
    NothingToSay,
    Reported,
    Skipped,
    ThresholdRepaired,
)
from stage.invocation.findings import ADVICE, CHANGED, findings
from stage.invocation.invocation_outcome import InvocationOutcome
from stage.invocation.invocation_trial import InvocationTrial
from tests.unit.stage.invocation.invocation_trials import (
    POLICIES,
    arming,
    deployment,
    explanation,
    look_at_topics,
    outcome,
    recalculation,
    reconciliation,
    refusal,
    seen,
    silence_report,
    skip,
    sweep,
)

WARNING_MAIL = Mailed("WARNING")
GOOD: list[tuple[InvocationTrial, Expected]] = [
    (refusal(), ExpectedRefusal("The event is a list")),
    (recalculation(), ThresholdRepaired("schedule")),
    (explanation(), WARNING_MAIL),
    (arming(), NothingToSay()),
    (deployment(), AnsweredCloudFormation("1132462080000")),
    (look_at_topics(), AnsweredCloudFormation(policies=POLICIES)),
    (silence_report(), Reported()),
    (skip(), Skipped("no-target-online")),
    (sweep(), NothingCollected()),
    (reconciliation(), NothingReconciled()),
]
EACH = pytest.mark.parametrize(("trial", "expected"), GOOD, ids=[type(expected).__name__ for _, expected in GOOD])


def found(trial: InvocationTrial, expected: Expected | None) -> str:
    return "\n".join(findings(trial, expected))


@EACH
def test_nothing_is_found_where_all_is_as_expected(trial: InvocationTrial, expected: Expected) -> None:
    assert found(trial, expected) == ""


@EACH
def test_a_changed_threshold_is_found(trial: InvocationTrial, expected: Expected) -> None:
    changed = replace(trial, after=seen(7.0, trial.after.memory, *trial.after.messages))
    assert found(changed, expected) != ""


@EACH
def test_a_deleted_alarm_is_found(trial: InvocationTrial, expected: Expected) -> None:
    assert found(replace(trial, after=replace(trial.after, alarms={})), expected) != ""


@EACH
def test_a_message_too_many_is_found(trial: InvocationTrial, expected: Expected) -> None:
    message = ObservedMessage(topic_name=ADVICE, subject="INFO", body="")
    after = replace(trial.after, messages=(*trial.after.messages, message))
    assert found(replace(trial, after=after), expected) != ""


@EACH
def test_a_crash_is_found(trial: InvocationTrial, expected: Expected) -> None:
    crash = InvocationOutcome(answer=None, error_type="KeyError", error="'source'", log=(), seconds=0.1)
    assert "KeyError: 'source'" in found(replace(trial, outcome=crash), expected)


@EACH
def test_an_answer_to_cloudformation_is_found_where_none_belongs_and_missed_where_one_does(
    trial: InvocationTrial, expected: Expected
) -> None:
    answers = () if isinstance(expected, AnsweredCloudFormation) else ({"Status": "SUCCESS"},)
    assert "CloudFormation was" in found(replace(trial, answers=answers), expected)


def test_another_sentence_than_the_expected_is_found() -> None:
    assert "not in EventRefused: The event lacks" in found(refusal(), ExpectedRefusal("The event lacks"))


def test_a_refusal_that_is_not_logged_is_found() -> None:
    trial = refusal()
    assert "logged []" in found(
        replace(trial, outcome=replace(trial.outcome, log=())), ExpectedRefusal("The event is a list")
    )


def test_a_write_on_a_refused_event_is_found() -> None:
    assert found(replace(refusal(), after=seen(memory='{"a": 1}')), ExpectedRefusal("The event is a list")) == CHANGED


def test_a_missing_metric_is_found() -> None:
    trial = recalculation()
    assert "metrics is []" in found(
        replace(trial, outcome=replace(trial.outcome, log=())), ThresholdRepaired("schedule")
    )


def test_a_skip_without_its_metric_is_found() -> None:
    trial = skip()
    silent = replace(trial, outcome=replace(trial.outcome, log=()))
    assert "metrics is []" in found(silent, Skipped("no-target-online"))


@pytest.mark.parametrize(
    ("trial", "expected"), [(skip(), Skipped("no-target-online")), (sweep(), NothingCollected())], ids=["skip", "sweep"]
)
def test_a_written_ledger_is_found_where_nothing_was_run(trial: InvocationTrial, expected: Expected) -> None:
    assert found(replace(trial, after=replace(trial.after, ledger='{"month": "2030-01"}')), expected) == CHANGED


def test_a_fleet_that_changes_a_stack_is_found() -> None:
    trial = reconciliation()
    answer = {"steps": {"create": 1}, "refused": {}, "digest": True}
    assert "answer is" in found(replace(trial, outcome=outcome(answer)), NothingReconciled())
    assert found(replace(trial, after=replace(trial.after, memory="[]")), NothingReconciled()) == CHANGED
    assert "messages is []" in found(replace(trial, after=replace(trial.after, messages=())), NothingReconciled())


def test_a_mail_without_figures_is_found() -> None:
    trial = explanation()
    [message] = trial.messages
    after = replace(trial.after, messages=(replace(message, body="No figures."),))
    assert found(replace(trial, after=after), WARNING_MAIL) == "the mail has no figures"


@pytest.mark.parametrize(
    ("field", "value"),
    [("Status", "FAILED"), ("RequestId", "x"), ("PhysicalResourceId", "x"), ("Data", {"WarningThresholdBytes": "1"})],
)
def test_a_wrong_answer_to_cloudformation_is_found(field: str, value: Any) -> None:
    trial = deployment()
    answers = [{**trial.answers[0], field: value}]
    assert " is " in found(replace(trial, answers=answers), AnsweredCloudFormation("1132462080000"))


def test_other_words_about_the_given_topics_are_found() -> None:
    assert "Policies is " in found(look_at_topics(), AnsweredCloudFormation(policies="CriticalTopicArn: no"))


def test_an_event_of_which_nothing_is_stated_is_found() -> None:
    assert "does not say" in found(arming(), None)


def test_an_answer_that_is_no_object_is_found() -> None:
    assert "mails is None" in found(replace(silence_report(), outcome=outcome("done")), Reported())
