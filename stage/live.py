"""A sandbox whose file system has lived for some hours already, so that whoever deploys to it finds data."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from localaws.sandbox import Sandbox
from stage.instances.machines import Machines
from stage.scenario import Scenario
from stage.world import World

HISTORY = timedelta(hours=3)
"""What the functions read at most of a small file system is the last hour; two more give the hour a past."""


@contextmanager
def living(
    work_dir: Path, scenario: Scenario, *, port: int = 0, start: datetime | None = None, has_machines: bool = False
) -> Iterator[World]:
    """The world of a scenario, three hours old, in real time unless a simulated `start` is given.

    Nobody has deployed anything. Time passes for it with each `minute_passes`. Without machines its instances are off,
    and no benchmark runs on this machine.
    """
    wanted = scenario.machines if has_machines else ()
    with (
        Machines(wanted, scenario.file_system_id, scenario.mount_model) as machines,
        Sandbox(work_dir, port=port, start=start) as sandbox,
    ):
        began = sandbox.clock.now().replace(second=0, microsecond=0) - HISTORY
        world = World(sandbox, scenario, began, machines)
        world.catch_up()
        yield world


def minute_passes(world: World) -> None:
    """Everything that is due by the sandbox's clock; a simulated clock goes on to its next full minute first."""
    clock = world.sandbox.clock
    if clock.is_simulated:
        clock.move_to(clock.next_minute())
    world.catch_up()
    world.sandbox.step()


def first_parameters(world: World) -> dict[str, str]:
    """The parameters that the first deployment of the world's scenario has."""
    scenario = world.scenario
    given = scenario.deployments[0].parameters if scenario.deployments else {}
    return {"FileSystemId": scenario.file_system_id, **world.machines.filled(given)}


def with_every_function(world: World) -> dict[str, str]:
    """The same, and benchmarks by hand: nothing is optional about the functions."""
    return {**first_parameters(world), "BenchmarkPath": "/mnt/efs", "BenchmarkSchedule": ""}


def without_an_instance(world: World) -> dict[str, str]:
    """The same, with benchmarks on an instance that there is not: their functions run, and nothing is measured."""
    return {**with_every_function(world), "BenchmarkInstanceIds": "i-0fedcba9876543210"}
