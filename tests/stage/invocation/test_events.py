"""Every function with every event of `events/`, in the real runtime interface: its answer and its effects."""

import pytest

from stage.invocation.answer_desk import AnswerDesk
from stage.invocation.built import function_ids
from stage.invocation.deployed_stack import DeployedStack
from stage.invocation.effects import Observer
from stage.invocation.emulator import Emulator
from stage.invocation.expected import (
    EXPECTED,
    Answered,
    Collected,
    Expected,
    LookedAround,
    Mailed,
    NothingToSay,
    Recalculated,
    Reconciled,
    Refused,
    Skipped,
)
from stage.invocation.findings import findings
from stage.invocation.sample_events import event_names
from stage.invocation.trial import Trial, tried


@pytest.fixture
def trial(
    request: pytest.FixtureRequest,
    stack: DeployedStack,
    emulators: dict[str, Emulator],
    observer: Observer,
    desk: AnswerDesk,
) -> Trial:
    function, event = request.param
    emulator = emulators[function]
    return tried(event, lambda text: emulator.invoke(desk.redirected(text)), stack, observer, desk)


def cases(kind: type[Expected]) -> pytest.MarkDecorator:
    """The combinations of function and event that end in this way."""
    chosen = [
        pytest.param((function, event), expected, id=f"{function}-{event}")
        for function, events in EXPECTED.items()
        for event, expected in events.items()
        if isinstance(expected, kind)
    ]
    return pytest.mark.parametrize(("trial", "expected"), chosen, indirect=["trial"])


def test_each_event_has_an_expected_end_in_each_function() -> None:
    assert EXPECTED.keys() == set(function_ids())
    assert all(set(event_names()) == events.keys() for events in EXPECTED.values())


@pytest.mark.days
@cases(Refused)
def test_a_foreign_or_malformed_event_is_refused_with_a_sentence_and_nothing_is_written(
    trial: Trial, expected: Refused
) -> None:
    assert list(findings(trial, expected)) == []


@cases(Recalculated)
def test_a_recalculation_repairs_the_stale_alarm_and_no_other_and_publishes_its_reference(
    trial: Trial, expected: Recalculated
) -> None:
    assert list(findings(trial, expected)) == []


@cases(Mailed)
def test_an_alarm_that_went_off_or_recovered_is_explained_by_one_mail_to_advice(trial: Trial, expected: Mailed) -> None:
    assert list(findings(trial, expected)) == []


@cases(NothingToSay)
def test_an_alarm_that_was_armed_is_not_explained(trial: Trial, expected: NothingToSay) -> None:
    assert list(findings(trial, expected)) == []


@cases(Answered)
def test_cloudformation_is_answered_once_with_the_same_physical_id_and_nothing_is_written(
    trial: Trial, expected: Answered
) -> None:
    assert list(findings(trial, expected)) == []


@cases(LookedAround)
def test_the_look_around_writes_no_alarm_and_says_in_its_answer_what_it_mailed(
    trial: Trial, expected: LookedAround
) -> None:
    assert list(findings(trial, expected)) == []


@cases(Skipped)
def test_without_an_instance_a_benchmark_is_skipped_with_its_reason_and_a_metric(
    trial: Trial, expected: Skipped
) -> None:
    assert list(findings(trial, expected)) == []


@cases(Collected)
def test_with_nothing_to_collect_nothing_is_written(trial: Trial, expected: Collected) -> None:
    assert list(findings(trial, expected)) == []


@cases(Reconciled)
def test_a_fleet_leaves_the_stack_that_was_deployed_by_hand_alone_and_says_so_once_a_day(
    trial: Trial, expected: Reconciled
) -> None:
    assert list(findings(trial, expected)) == []
