"""Plays a scenario from beginning to end: a sandbox, the real deployments, and the story that came of it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from localaws.clock import MINUTE, START
from localaws.sandbox import Sandbox
from stage.deployment import CommandFailed, Deployer
from stage.happenings import Deployment
from stage.instances.machines import Machines
from stage.scenario import Scenario
from stage.story import Story, tell
from stage.world import World

STACK_NAME = "efs-monitor-home"
DESCRIBE_ALARMS = (
    *("aws", "cloudwatch", "describe-alarms", "--alarm-name-prefix", STACK_NAME, "--output", "table"),
    *("--query", "MetricAlarms[].{Alarm:AlarmName,State:StateValue,Threshold:Threshold}"),
)


@dataclass(frozen=True, kw_only=True)
class Played:
    """A scenario while its sandbox still answers; `failures` holds what each refused deployment printed."""

    sandbox: Sandbox
    world: World
    deployer: Deployer
    story: Story
    failures: tuple[str, ...]


def _unseen(command: Sequence[str]) -> None:
    del command


@contextmanager
def played(
    scenario: Scenario,
    work_dir: Path,
    *,
    show: Callable[[Sequence[str]], None] = _unseen,
    minutes: Callable[[Iterable[int]], Iterable[int]] = iter,
    deployer_of: type[Deployer] = Deployer,
) -> Iterator[Played]:
    """Play all of it, with what `.aws-sam/build` holds. `minutes` may wrap the minutes, as a progress bar does.

    Deployments are the real `sam deploy`, unless another Deployer is given.
    """
    failures: list[str] = []
    # A minute early, because the world begins with the next full minute.
    with (
        Machines(scenario.machines, scenario.file_system_id, scenario.mount_model) as machines,
        Sandbox(work_dir, start=START - MINUTE) as sandbox,
    ):
        deployer = deployer_of(sandbox.endpoint_url, work_dir, show)
        world = World(sandbox, scenario, machines=machines)

        def deploy(deployment: Deployment) -> None:
            parameters = {"FileSystemId": scenario.file_system_id, **machines.filled(deployment.parameters)}
            template = None
            if deployment.new_code or deployment.breaks:
                template = deployer.changed_build(
                    f"build-{deployment.minute}", new_code=deployment.new_code, breaks=deployment.breaks
                )
            try:
                deployer.deploy(STACK_NAME, parameters, template)
            except CommandFailed as failure:
                failures.append(str(failure))
            # The end of an update sets off a recalculation: it sees the minute of the deployment and not the next.
            sandbox.events.wait_for_background()

        for _ in minutes(world.play(deploy)):
            pass
        yield Played(
            sandbox=sandbox,
            world=world,
            deployer=deployer,
            story=tell(world, STACK_NAME),
            failures=tuple(failures),
        )
