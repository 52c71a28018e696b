"""`make local-invoke`: every function with every file of `events/`, through the real `sam local`, answers and effects;
with `--own` only with those that it does not refuse, as CI does.

One `sam local start-lambda` with warm containers takes them all; beside it, each function has one `sam local invoke`,
with `--own` one function.
"""

import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from textwrap import indent

from operate.interruption import interruptible
from operate.terminal import print_in_any_encoding, show_command, wrapped
from stage.invocation.answer_desk import AnswerDesk
from stage.invocation.built import BuiltFunction, build_if_needed, built_function, function_ids
from stage.invocation.container import Container
from stage.invocation.deployed_stack import DeployedFunction, DeployedStack
from stage.invocation.docker import Docker, NoContainerError, require_engine
from stage.invocation.effects import Observer
from stage.invocation.emulator import Emulator, EmulatorMissingError
from stage.invocation.expected import EXPECTED, ExpectedRefusal
from stage.invocation.findings import findings
from stage.invocation.invocation_outcome import InvocationOutcome
from stage.invocation.invocation_trial import tried
from stage.invocation.sample_events import event_names
from stage.invocation.trial_table import HEADING, row
from stage.invocation.warm_containers import WarmContainers
from stage.runs import FLEET_NAME, STACK_NAME, deploy_fleet, living, with_every_function
from stage.sam_deployment import PROJECT, CommandFailed, Deployer, copied_build
from stage.scenario import Scenario

OUT = PROJECT / "out" / "local-invoke"
BUILT = OUT / "build"
CONTAINERS_REQUIRED = "--containers"
HOLD = "--hold"
OWN = "--own"

Functions = Mapping[str, tuple[BuiltFunction, DeployedFunction]]
Invoke = Callable[[str, str], InvocationOutcome]


@dataclass(frozen=True, kw_only=True)
class Way:
    """How functions are run: `invoke` takes a function's id and an event; `invoke_once` starts from nothing."""

    described: str
    by_hand: str
    invoke: Invoke
    invoke_once: Invoke | None


def main(arguments: list[str]) -> int:
    """0 when every function did with every event what it should, 1 when not, 2 when it could not be tried."""
    print_in_any_encoding()
    shutil.rmtree(OUT, ignore_errors=True)
    OUT.mkdir(parents=True)
    begun = time.monotonic()
    required = CONTAINERS_REQUIRED in arguments
    try:
        if required:
            # Said before anything is built and deployed; the image is made once.
            _image()
        build_if_needed(Deployer("", OUT, show_command))
        # `sam local start-lambda` ends a warm container when another build touches its code.
        copied_build(BUILT)
        with (
            _deployed() as stack,
            AnswerDesk() as desk,
            Observer(stack) as observer,
            _way(stack, desk, required=required) as way,
        ):
            print(f"\n{wrapped(way.described)}\n\n{HEADING}", flush=True)
            wrong = list(_trials(way, stack, observer, desk, only_own=OWN in arguments))
            seconds = time.monotonic() - begun
            print(f"\n{wrong.count(False)} of {len(wrong)} as expected, in {seconds:.0f} s, deployment included.")
            if HOLD in arguments:
                _hold(stack.endpoint_url, way)
                print("The local AWS is gone, and everything in it.", flush=True)
    except (NoContainerError, EmulatorMissingError, CommandFailed) as problem:
        print(wrapped(f"It could not be tried: {problem}"), file=sys.stderr)
        return 2
    return 1 if any(wrong) else 0


def _hold(endpoint_url: str, way: Way) -> None:
    """Leave everything running until Ctrl-C."""
    about = wrapped(f"Until Ctrl-C, the stack lives at {endpoint_url}. By hand, in another shell, in this folder:")
    print(f"\n{about}\n\n  export AWS_ENDPOINT_URL={endpoint_url}")
    print(f'  export PATH="$PWD/.venv/bin:$PWD/.venv-sam/bin:$PATH"\n\n{indent(way.by_hand, "  ")}', flush=True)
    with suppress(KeyboardInterrupt):
        signal.pause()


@contextmanager
def _deployed() -> Iterator[DeployedStack]:
    scenario = Scenario.named("nightly-batch")
    with living(OUT, scenario) as player:
        # From where it was built: what the template includes, it names by the way from there.
        Deployer(player.sandbox.endpoint_url, OUT, show_command).deploy(STACK_NAME, with_every_function(player))
        # The first hourly run and the alarms' first states belong to the deployment, not to what is tried here.
        player.sandbox.step()
        deploy_fleet(player.sandbox)
        stack = DeployedStack(player.sandbox.endpoint_url, STACK_NAME, FLEET_NAME)
        try:
            yield stack
        finally:
            stack.close()


@contextmanager
def _way(stack: DeployedStack, desk: AnswerDesk, *, required: bool) -> Iterator[Way]:
    """Containers where they can be had; else, unless they are required, processes."""
    functions = {name: (built_function(name, BUILT), stack.function(name)) for name in function_ids()}
    with ExitStack() as running:
        try:
            way = _containers(functions, stack.endpoint_url, desk, running)
        except NoContainerError as reason:
            if required:
                raise
            way = _processes(functions, stack.endpoint_url, desk, running, reason)
        yield way


def _containers(functions: Functions, endpoint_url: str, desk: AnswerDesk, running: ExitStack) -> Way:
    docker = running.enter_context(Docker(_image()))
    warm = running.enter_context(WarmContainers(docker, functions.values(), endpoint_url, desk, OUT))
    once = OUT / "once"
    once.mkdir()
    return Way(
        described=f"In containers, by sam local start-lambda and sam local invoke with {docker.described}.",
        by_hand=warm.by_hand,
        invoke=warm.invoke,
        invoke_once=lambda name, event: Container(docker, functions[name], endpoint_url, desk, once).invoke(event),
    )


def _processes(
    functions: Functions, endpoint_url: str, desk: AnswerDesk, running: ExitStack, reason: NoContainerError
) -> Way:
    emulators = {
        name: running.enter_context(Emulator(deployed, built.import_paths, endpoint_url, OUT))
        for name, (built, deployed) in functions.items()
    }
    return Way(
        described=f"As processes, in the Lambda runtime interface emulator of SAM CLI ({reason}).",
        by_hand="make invoke FN=Explain EVENT=events/warning-alarm.json",
        invoke=lambda name, event: emulators[name].invoke(desk.redirected(event)),
        invoke_once=None,
    )


def _image() -> str:
    """The base image; NoContainerError with the sentence that says what is missing."""
    require_engine()
    found = subprocess.run([PROJECT / "tools" / "runtime-image"], stdout=subprocess.PIPE, text=True, check=False)
    if found.returncode != 0:
        raise NoContainerError("there is no image for containers, see above")
    return found.stdout.strip()


def _trials(way: Way, stack: DeployedStack, observer: Observer, desk: AnswerDesk, *, only_own: bool) -> Iterator[bool]:
    """Each trial's row is printed; whether it went wrong. Where `only_own`, those that a function refuses are none, and
    one function alone starts from nothing.
    """

    def try_one(invoke: Invoke, name: str, event: str, shown_as: str) -> bool:
        trial = tried(event, lambda text: invoke(name, text), stack, observer, desk)
        found = list(findings(trial, EXPECTED.get(name, {}).get(event)))
        print(row(name, shown_as, trial, found), flush=True)
        return bool(found)

    for name in function_ids():
        for event in event_names():
            expected = EXPECTED.get(name, {}).get(event)
            if not (only_own and isinstance(expected, ExpectedRefusal)):
                yield try_one(way.invoke, name, event, event)
    if way.invoke_once is not None:
        for name, events in list(EXPECTED.items())[: 1 if only_own else None]:
            event = next(event for event, expected in events.items() if not isinstance(expected, ExpectedRefusal))
            yield try_one(way.invoke_once, name, event, f"{event}, alone")


if __name__ == "__main__":
    sys.exit(interruptible(lambda: main(sys.argv[1:]), "Interrupted: the local AWS and all containers are gone."))
