"""A demo whose deployment goes otherwise than its file says ends with the reason and the status of an error."""

from functools import partial
from pathlib import Path

import pytest

from stage.demo import walkthrough
from stage.direct_deployment import DirectDeployer
from stage.runs import played
from stage.sam_deployment import Deployer

REFUSED = """
about = "A Critical that would come before its Warning; then a schedule without a path; and what comes too late."
days = 0.02
[file_system]
size_gib = 100
[[deploy]]
[deploy.parameters]
WarningMinutes = 60
CriticalMinutes = 120
[[deploy]]
at = "00:05"
[deploy.parameters]
BenchmarkSchedule = "rate(1 day)"
[[change]]
at = "05:00"
delete = true
"""


@pytest.mark.whole
@pytest.mark.parametrize("deployer", [DirectDeployer, pytest.param(Deployer, marks=pytest.mark.more)])
def test_a_deployment_that_is_refused_is_told_with_its_reason_and_status_1(
    built: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    deployer: type[Deployer],
) -> None:
    (tmp_path / "refused.toml").write_text(REFUSED)
    monkeypatch.setattr(walkthrough, "OUT", tmp_path / "out")
    monkeypatch.setattr(walkthrough, "played", partial(played, deployer_of=deployer))
    monkeypatch.setattr(Deployer, "build", lambda _: None)

    assert walkthrough.main([str(tmp_path / "refused.toml")]) == 1

    printed = capsys.readouterr()
    assert "Ended at 0d 00:06, after " in printed.out
    assert "no deployment made a stack, and none is left." in printed.out
    assert "report" not in printed.out
    told = " ".join(printed.err.split())
    assert "The [[change]] at 0d 05:00 never comes: the scenario is over at 0d 00:29." in told
    assert "The deployment at 0d 00:00 failed: Received response status [FAILED] from custom resource. Message" in told
    assert "CriticalMinutes is 120 and WarningMinutes is 60" in told
    if deployer is DirectDeployer:
        assert "The deployment at 0d 00:05 failed: Stack:" in told
        return
    assert "The deployment at 0d 00:05 failed: Failed to create changeset" in told
    log = (tmp_path / "out" / "sam.log").read_text()
    assert log.count("$ sam deploy") == 2
    assert "Error: Failed to create/update the stack" in log
