"""Every function with every event of `events/`, in the real runtime interface: its answer and its effects."""

import pytest

from stage.invocation.answer_desk import AnswerDesk
from stage.invocation.built import function_ids
from stage.invocation.deployed_stack import DeployedStack
from stage.invocation.effects import Observer
from stage.invocation.emulator import Emulator
from stage.invocation.expected import EXPECTED, Expected, ExpectedRefusal
from stage.invocation.findings import findings
from stage.invocation.invocation_trial import InvocationTrial, tried
from stage.invocation.sample_events import event_names


@pytest.fixture
def trial(
    request: pytest.FixtureRequest,
    stack: DeployedStack,
    emulators: dict[str, Emulator],
    observer: Observer,
    desk: AnswerDesk,
) -> InvocationTrial:
    function, event = request.param
    emulator = emulators[function]
    return tried(event, lambda text: emulator.invoke(desk.redirected(text)), stack, observer, desk)


# All that a function may do with an event, and what refuses one.
ENDS = [
    pytest.param((function, event), expected, id=f"{function}-{event}")
    for function, events in EXPECTED.items()
    for event, expected in events.items()
]
DONE = [one for one in ENDS if not isinstance(one.values[1], ExpectedRefusal)]
REFUSED = [one for one in ENDS if isinstance(one.values[1], ExpectedRefusal)]


def test_each_event_has_an_expected_end_in_each_function() -> None:
    assert EXPECTED.keys() == set(function_ids())
    assert all(set(event_names()) == events.keys() for events in EXPECTED.values())


@pytest.mark.parametrize(("trial", "expected"), DONE, indirect=["trial"])
def test_a_function_ends_as_stated_with_an_event_that_it_is_for(trial: InvocationTrial, expected: Expected) -> None:
    """Its answer, what it wrote, whom it told, and that it wrote nothing else."""
    assert list(findings(trial, expected)) == []


@pytest.mark.days
@pytest.mark.parametrize(("trial", "expected"), REFUSED, indirect=["trial"])
def test_a_foreign_or_malformed_event_is_refused_with_a_sentence_and_nothing_is_written(
    trial: InvocationTrial, expected: Expected
) -> None:
    assert list(findings(trial, expected)) == []
