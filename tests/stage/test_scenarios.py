"""Every scenario shows what its file states: each threshold ever live, each transition and each mail, and no other."""

from pathlib import Path

import pytest

from operate.terminal import WIDTH
from proofs.figures.proof import wrong_figures
from stage.differences import as_stated, differences
from stage.direct_deployment import DirectDeployer
from stage.mount.mounted import ModelledMount
from stage.runs import played
from stage.sam_deployment import Deployer
from stage.scenario import FOLDER, Scenario
from stage.timeline import timeline
from tests.unit.docs.pages import shown_mails, shown_subjects

NAMES = sorted(path.stem for path in FOLDER.glob("*.toml"))
DEMO = "nightly-batch"
"""What `make demo` plays."""
SHORT = "growth"
"""What `make test` lives through: thresholds that move with the size. CI has the demo, with zero, recovery and falling
again, from `make demo`. The rest take days."""
SHORTEST_WITH_MACHINES, *MORE_WITH_MACHINES = sorted(
    (name for name in NAMES if Scenario.named(name).machines), key=lambda name: Scenario.named(name).minutes
)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name == SHORT else pytest.mark.days) for name in NAMES]
)
def test_a_scenario_goes_as_its_file_states(name: str, built: Path, tmp_path: Path) -> None:
    goes_as_its_file_states(name, tmp_path, DirectDeployer)


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(SHORTEST_WITH_MACHINES, marks=pytest.mark.days),
        *(pytest.param(name, marks=pytest.mark.long) for name in MORE_WITH_MACHINES),
    ],
)
def test_a_scenario_goes_the_same_way_where_nothing_can_be_mounted(
    name: str, built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ModelledMount, "why_not", staticmethod(lambda: "mounting needs root"))
    goes_as_its_file_states(name, tmp_path, DirectDeployer)


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_that_sam_deploys_goes_as_its_file_states(name: str, built: Path, tmp_path: Path) -> None:
    goes_as_its_file_states(name, tmp_path, Deployer)


def goes_as_its_file_states(name: str, work_dir: Path, deployer_of: type[Deployer]) -> None:
    scenario = Scenario.named(name)
    with played(scenario, work_dir, deployer_of=deployer_of) as result:
        wrong = wrong_figures(result)
        errors = [line.message for line in result.sandbox.logs.lines if '"level":"ERROR"' in line.message]
        told_of_people = [line.message for line in result.sandbox.logs.lines if "@example.com" in line.message]
    assert not differences(scenario.expected, result.observed)
    if name == DEMO:
        sent = result.observed.mails
        assert set(shown_mails()) <= set(sent)
        assert [one for one in shown_subjects() if not any(line.endswith(f": {one}") for line in sent)] == []
    assert len(result.failures) == sum(deployment.breaks for deployment in scenario.deployments)
    assert wrong == []
    printed = "\n".join(timeline(result.player.lived, result.observed))
    assert [line for line in printed.splitlines() if len(line) > WIDTH] == []
    assert errors == []
    assert told_of_people == []
    assert result.sandbox.sessions.refusals == []


def test_the_mails_that_the_readme_shows_are_among_those_of_the_demo() -> None:
    """As its scenario states them, without their figures: `make demo` fails where another mail comes."""
    assert set(map(as_stated, shown_mails())) <= set(Scenario.named(DEMO).expected.mails)


@pytest.mark.parametrize("name", NAMES)
def test_every_scenario_states_what_must_be_seen(name: str) -> None:
    expected = Scenario.named(name).expected
    assert expected.alarms
    assert expected.transitions
    assert expected.mails
