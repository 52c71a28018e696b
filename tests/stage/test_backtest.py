"""A backtest of a life in the local AWS tells what the deployed stack has told in it, at the time it has told it."""

from pathlib import Path

import pytest

from proofs.backtest.lives import life
from proofs.backtest.messages import Heard, deployed, differences, replayed
from stage.direct_deployment import DirectDeployer
from stage.runs import played
from stage.scenario import Scenario

MORE = [pytest.param(one, marks=pytest.mark.long) for one in ("growth", "mode-switch", "shrink", "slow-drain")]


@pytest.mark.days
@pytest.mark.parametrize("name", ["exhaustion", *MORE])
def test_what_a_backtest_tells_is_what_was_told(name: str, built: Path, tmp_path: Path) -> None:
    scenario = Scenario.named(name)
    with played(scenario, tmp_path, deployer_of=DirectDeployer) as life:
        mine, theirs = replayed(scenario, life), deployed(life)
    assert theirs.changes
    assert list(differences(mine, theirs)) == []


@pytest.mark.more
@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(39, id="hours are read finely that say whether a balance recovers"),
        pytest.param(67, id="a look for late metrics sets an alarm"),
    ],
)
@pytest.mark.usefixtures("built")
def test_what_a_backtest_tells_of_half_a_day_is_what_was_told(seed: int, tmp_path: Path) -> None:
    scenario = life(seed)
    with played(scenario, tmp_path, deployer_of=DirectDeployer) as lived:
        mine, theirs = replayed(scenario, lived), deployed(lived)
    assert theirs.changes
    assert list(differences(mine, theirs)) == []


CHANGES = ((3, "warning", "OK"), (50, "warning", "ALARM"))
MAILS = ((50, "WARNING: 180 min", "text"), (80, "STILL WARNING for 30 min", "text"))
HEARD = Heard(changes=CHANGES, mails=MAILS)


@pytest.mark.parametrize(
    ("mine", "difference"),
    [
        (Heard(changes=CHANGES[:1], mails=MAILS), "alarms: [(3, 'warning', 'OK')] instead of"),
        (Heard(changes=(CHANGES[0], (51, "warning", "ALARM")), mails=MAILS), "alarm: (51, 'warning', 'ALARM')"),
        (Heard(changes=CHANGES, mails=MAILS[1:]), "mail missing: minute 50, WARNING: 180 min"),
        (Heard(changes=CHANGES, mails=((50, "WARNING: 180 min", "other"), MAILS[1])), "mail too many: minute 50"),
        (
            Heard(changes=CHANGES, mails=(MAILS[0], (*MAILS[1][:2], "text\nmore"))),
            "mail too many: minute 80, STILL WARNING for 30 min: more",
        ),
        (Heard(changes=CHANGES, mails=MAILS[:1]), "mail missing: minute 80, STILL"),
        (Heard(changes=CHANGES, mails=(MAILS[0], (81, *MAILS[1][1:]))), "mail too many: minute 81, STILL"),
        (Heard(changes=CHANGES, mails=(*MAILS, MAILS[1])), "3 mails instead of 2"),
    ],
)
def test_a_difference_is_noticed(mine: Heard, difference: str) -> None:
    assert next(differences(mine, HEARD)).startswith(difference)
