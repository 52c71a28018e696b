"""`make invoke FN=... EVENT=...`: one built function on one event, in the Lambda runtime interface, and what it did."""

import json
import os
import sys
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from operate.interruption import interruptible
from operate.terminal import print_in_any_encoding, show_command, wrapped
from stage.invocation.answer_desk import AnswerDesk
from stage.invocation.built import (
    BuiltFunction,
    UnknownFunctionError,
    build_if_needed,
    built_function,
    checked_function_id,
    fleet_function_ids,
)
from stage.invocation.container import Container
from stage.invocation.deployed_stack import DeployedStack, NotDeployedError, is_local_and_answers
from stage.invocation.docker import Docker, NoContainerError
from stage.invocation.effects import Observer, changes
from stage.invocation.emulator import Emulator, EmulatorMissingError
from stage.invocation.invocation_outcome import InvocationOutcome
from stage.invocation.sample_events import UnknownEventError, event_text
from stage.out_folder import OutFolderError, emptied
from stage.runs import FLEET_NAME, STACK_NAME, deploy_fleet, living, with_every_function
from stage.sam_deployment import PROJECT, CommandFailed, Deployer
from stage.scenario import Scenario

OUT = PROJECT / "out" / "invoke"
PROBLEMS = (
    UnknownFunctionError,
    UnknownEventError,
    NotDeployedError,
    EmulatorMissingError,
    CommandFailed,
    OutFolderError,
)


def main(arguments: list[str]) -> int:
    """0 when the function did its work, 1 when it failed or refused the event, 2 when it could not be tried."""
    print_in_any_encoding()
    name, event_name, *_ = [*arguments, "", ""]
    try:
        checked_function_id(name)
        event = event_text(event_name)
        with emptied(OUT, "every invocation writes there, one at a time"):
            build_if_needed(Deployer("", OUT, show_command))
            with _deployed(name) as stack, AnswerDesk() as desk, Observer(stack) as observer:
                before = observer.look()
                outcome = _invoke(built_function(name), stack, desk, stack.addressed(event))
                lines = [*changes(before, observer.look())]
                return _report(outcome, desk, lines)
    except PROBLEMS as problem:
        print(wrapped(str(problem)), file=sys.stderr)
        return 2


@contextmanager
def _deployed(function: str) -> Iterator[DeployedStack]:
    """The stack at AWS_ENDPOINT_URL if a local AWS answers there, else in a sandbox that lives as long as this.

    With the fleet beside it where the function is the fleet's.
    """
    beside = (FLEET_NAME,) if function in fleet_function_ids() else ()
    endpoint_url = os.environ.get("AWS_ENDPOINT_URL", "")
    if is_local_and_answers(endpoint_url):
        print(wrapped(f"{' and '.join((STACK_NAME, *beside))} at {endpoint_url} {'are' if beside else 'is'} used."))
        yield DeployedStack(endpoint_url, STACK_NAME, *beside)
        return
    if endpoint_url:
        print(wrapped(f"No local AWS answers at AWS_ENDPOINT_URL ({endpoint_url})."))
    print("A local AWS is started for this one invocation; `make sandbox` keeps one.", flush=True)
    scenario = Scenario.named("nightly-batch")
    with living(OUT, scenario) as player:
        Deployer(player.sandbox.endpoint_url, OUT, show_command).deploy(STACK_NAME, with_every_function(player))
        # The first hourly run and the alarms' first states belong to the deployment, not to what is tried here.
        player.sandbox.step()
        if beside:
            deploy_fleet(player.sandbox)
        yield DeployedStack(player.sandbox.endpoint_url, STACK_NAME, *beside)


def _invoke(function: BuiltFunction, stack: DeployedStack, desk: AnswerDesk, event: str) -> InvocationOutcome:
    deployed = stack.function(function.logical_id)
    try:
        with Docker() as docker:
            outcome = Container(docker, (function, deployed), stack.endpoint_url, desk, OUT).invoke(event)
            print(wrapped(f"It ran in a container: sam local invoke with {docker.described}."))
            return outcome
    except NoContainerError as reason:
        with Emulator(deployed, function.import_paths, stack.endpoint_url, OUT) as emulator:
            outcome = emulator.invoke(desk.redirected(event))
        print(wrapped(f"It ran as a process, in the Lambda runtime interface emulator of SAM CLI ({reason})."))
        return outcome


def _report(outcome: InvocationOutcome, desk: AnswerDesk, lines: list[str]) -> int:
    _section("Log", map(_logged, outcome.log))
    _section("Answer", [_as_json(outcome.answer)])
    for answer in desk.answers:
        _section("Answer to CloudFormation", [_as_json(answer)])
    _section("Changed", map(_in_words, lines))
    if outcome.failed:
        print(f"\n{wrapped(f'{outcome.error_type}: {outcome.error}')}", file=sys.stderr)
        return 1
    refused = [answer for answer in desk.answers if answer["Status"] == "FAILED"]
    for answer in refused:
        print(f"\n{wrapped(f'The deployment fails: {answer["Reason"]}')}", file=sys.stderr)
    return 1 if refused else 0


def _section(heading: str, entries: Iterable[str]) -> None:
    print(f"\n{heading}\n{'\n'.join(entries) or _in_words('(nothing)')}", flush=True)


def _logged(line: str) -> str:
    """A line of the log: most are JSON, those of Python itself are words."""
    try:
        return _as_json(json.loads(line))
    except ValueError:
        return _in_words(line)


def _as_json(value: Any) -> str:
    """Over several lines, and none broken to fit the terminal: a string that is broken is no JSON any more."""
    return textwrap.indent(json.dumps(value, indent=2, ensure_ascii=False), "  ")


def _in_words(line: str) -> str:
    return wrapped(line, first="  ", then="    ")


if __name__ == "__main__":
    sys.exit(interruptible(lambda: main(sys.argv[1:]), "Interrupted: nothing is left running."))
