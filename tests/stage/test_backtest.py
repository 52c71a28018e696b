"""A backtest of a life in the local AWS tells what the deployed stack has told in it, at the time it has told it."""

from pathlib import Path

import pytest

from proofs.backtest.messages import WINDOW_MINUTES, Heard, deployed, differences, replayed
from stage.direct_deployment import DirectDeployer
from stage.runs import played
from stage.scenario import Scenario

# In this one the hourly run ends alarms, too: those that are on when it sees another throughput mode.
ENDED_HOURLY = "mode-switch"
MORE = [pytest.param(one, marks=pytest.mark.long) for one in ("growth", "mode-switch", "shrink", "slow-drain")]


@pytest.mark.days
@pytest.mark.parametrize("name", ["exhaustion", *MORE])
def test_what_a_backtest_tells_is_what_was_told(name: str, built: Path, tmp_path: Path) -> None:
    scenario = Scenario.named(name)
    with played(scenario, tmp_path, deployer_of=DirectDeployer) as life:
        mine, theirs = replayed(scenario, life), deployed(life)
    assert theirs.changes
    tolerance_minutes = WINDOW_MINUTES if name == ENDED_HOURLY else 0
    assert list(differences(mine, theirs, tolerance_minutes=tolerance_minutes)) == []


CHANGES = ((3, "warning", "OK"), (50, "warning", "ALARM"))
MAILS = ((50, "WARNING: 180 min", "text"), (80, "STILL WARNING for 30 min", "text"))
HEARD = Heard(changes=CHANGES, mails=MAILS)


@pytest.mark.parametrize(
    ("mine", "difference"),
    [
        (Heard(changes=CHANGES[:1], mails=MAILS), "alarm: [(3, 'warning', 'OK')] instead of"),
        (Heard(changes=(CHANGES[0], (51, "warning", "ALARM")), mails=MAILS), "alarm: (51, 'warning', 'ALARM')"),
        (Heard(changes=CHANGES, mails=MAILS[1:]), "mail missing: minute 50, WARNING: 180 min"),
        (Heard(changes=CHANGES, mails=((50, "WARNING: 180 min", "other"), MAILS[1])), "mail too many: minute 50"),
        (Heard(changes=CHANGES, mails=MAILS[:1]), "hourly mail: [] instead of [(80, 'STILL', '')]"),
        (Heard(changes=CHANGES, mails=(MAILS[0], (96, *MAILS[1][1:]))), "hourly mail: (96, 'STILL', '') instead of"),
    ],
)
def test_a_difference_is_noticed(mine: Heard, difference: str) -> None:
    assert next(differences(mine, HEARD)).startswith(difference)


def test_an_hourly_mail_of_another_minute_of_the_window_is_no_difference() -> None:
    assert list(differences(Heard(changes=CHANGES, mails=(MAILS[0], (70, *MAILS[1][1:]))), HEARD)) == []
