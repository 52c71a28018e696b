"""A deployed stack with instances that measure, for tests of commands that reach it as a person's shell does."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from localaws.clock import START
from stage.direct_deployment import DirectDeployer
from stage.player import Player
from stage.runs import first_parameters, living, minute_passes
from stage.scenario import Scenario


@contextmanager
def deployed(work_dir: Path, scenario: Scenario, stack_name: str) -> Iterator[Player]:
    """The stack a minute after its deployment; this process's own boto3 finds it, as after `make sandbox`."""
    with living(work_dir, scenario, start=START, has_machines=True) as player, pytest.MonkeyPatch.context() as shell:
        deployer = DirectDeployer(player.sandbox.endpoint_url, work_dir, str)
        for name, value in deployer.environment().items():
            shell.setenv(name, value)
        deployer.deploy(stack_name, first_parameters(player))
        minute_passes(player)
        yield player
