"""The proof beside file systems that no drill suits: that is none of its stack's failings, and is told as not tried."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from localaws.clock import START
from operate.checklist import Checklist
from operate.described_stack import Account
from operate.drill import Waiting
from operate.environment import Environment
from operate.smoke.smoke_run import Run, smoke
from stage.player import Player
from stage.runs import living
from stage.sam_deployment import Deployer
from stage.scenario import read
from tests.quick import first_of

WARNING = "efs-monitor-example-smoke-warning"
SYSTEMS = {
    "elastic": 'mode = "elastic"',
    "provisioned": 'mode = "provisioned"\nprovisioned_mib_per_second = 200',
    "low": "balance_percent = 40",
    "exhausted": "balance_percent = 0.1",
}
WHY = {
    "elastic": f"{WARNING} is suspended: fs-0123456789abcdef0 is in elastic throughput mode, where burst credits are "
    "neither earned nor spent; smoke again while it lives on burst credits",
    "provisioned": f"{WARNING} is suspended: fs-0123456789abcdef0 has 200 MiB/s provisioned, more than its size earns, "
    "so burst credits mean nothing there; smoke again while it lives on burst credits",
    "low": f"{WARNING} is really on; smoke again once it is over",
    "exhausted": f"{WARNING} is really on; smoke again once it is over",
}


@pytest.fixture(scope="module", params=first_of(SYSTEMS, 2, in_ci=2))
def system(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def player(
    system: str, built: Path, tmp_path_factory: pytest.TempPathFactory, shell: pytest.MonkeyPatch
) -> Iterator[Player]:
    about = 'about = "A file system nobody drills."\ndays = 1\n[file_system]\nname = "home"\nsize_gib = 100\n'
    with living(tmp_path_factory.mktemp(system), read(system, about + SYSTEMS[system]), start=START) as player:
        for name, value in Deployer(player.sandbox.endpoint_url, built.parent, str).environment().items():
            shell.setenv(name, value)
        yield player


@pytest.mark.usefixtures("built")
def test_smoke_ends_well_and_says_why_nothing_was_drilled(
    player: Player, account: Account, sam: Run, example: Environment, system: str
) -> None:
    checklist = Checklist(show=lambda line: None)
    waiting = Waiting(attempts=5, pause=player.sandbox.events.wait_for_background)

    smoke(example, account, sam, checklist, waiting=waiting)

    assert [(line.ok, line.what, line.seen) for line in checklist.lines if not line.ok] == [
        (None, "drill", WHY[system])
    ]
    assert checklist.verdict().endswith(" checks hold. 1 could not be tried.")
