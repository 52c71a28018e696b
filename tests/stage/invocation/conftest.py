"""A sandbox in real time with the stack deployed, and each function warm in the emulator."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from stage.direct_deployment import DirectDeployer
from stage.invocation.answer_desk import AnswerDesk
from stage.invocation.built import built_function, function_ids
from stage.invocation.deployed_stack import DeployedStack
from stage.invocation.effects import Observer
from stage.invocation.emulator import Emulator
from stage.runs import FLEET_NAME, STACK_NAME, deploy_fleet, living, with_every_function
from stage.scenario import Scenario


@pytest.fixture(scope="module")
def stack(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeployedStack]:
    work_dir = tmp_path_factory.mktemp("sandbox")
    scenario = Scenario.named("nightly-batch")
    with living(work_dir, scenario) as player:
        DirectDeployer(player.sandbox.endpoint_url, work_dir, str).deploy(STACK_NAME, with_every_function(player))
        # With the alarms' first states, as `make local-invoke` tries them.
        player.sandbox.step()
        deploy_fleet(player.sandbox)
        found = DeployedStack(player.sandbox.endpoint_url, STACK_NAME, FLEET_NAME)
        yield found
        found.close()


@pytest.fixture(scope="module")
def emulators(stack: DeployedStack, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Emulator]]:
    """One process for each function, warm after its first event."""
    work_dir = tmp_path_factory.mktemp("emulators")
    with ExitStack() as running:
        yield {
            name: running.enter_context(
                Emulator(stack.function(name), built_function(name).import_paths, stack.endpoint_url, work_dir)
            )
            for name in function_ids()
        }


@pytest.fixture(scope="module")
def observer(stack: DeployedStack) -> Iterator[Observer]:
    with Observer(stack) as observing:
        yield observing


@pytest.fixture
def desk() -> Iterator[AnswerDesk]:
    with AnswerDesk() as open_desk:
        yield open_desk
