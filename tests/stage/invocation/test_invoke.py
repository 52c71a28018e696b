"""`make invoke` as a person runs it."""

import pytest

from localaws.account import REGION
from stage import invoke
from stage.invocation.deployed_stack import DeployedStack, NotDeployedError
from stage.invocation.sample_events import event_text


@pytest.fixture
def _no_docker(stack: DeployedStack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere.sock")
    monkeypatch.setenv("AWS_ENDPOINT_URL", stack.endpoint_url)


def test_an_unknown_function_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["Recalculate", "hourly-schedule"]) == 2
    told = capsys.readouterr().err
    assert "no function 'Recalculate'" in told
    assert all(name in told for name in ("Explain", "RecalculateThresholds", "ApplyOnDeploy"))


def test_an_unknown_event_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["Explain", "events/alarm.json"]) == 2
    told = capsys.readouterr().err
    assert "no event 'events/alarm.json'" in told
    assert "warning-alarm" in told
    assert "refused/list" in told


def test_without_arguments_both_are_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main([]) == 2
    assert "Explain" in capsys.readouterr().err


@pytest.mark.usefixtures("_no_docker")
def test_it_says_how_it_ran_and_what_changed(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["Explain", "events/critical-alarm.json"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "It ran as a process, in the Lambda runtime interface emulator of SAM CLI (no Docker engine runs" in told
    assert "message on efs-monitor-home-advice: CRITICAL: " in told


def test_a_stack_that_is_not_there_is_missed_with_the_region_that_was_looked_in(stack: DeployedStack) -> None:
    with pytest.raises(NotDeployedError) as refused:
        DeployedStack(stack.endpoint_url, "efs-monitor-nobody")
    assert str(refused.value) == (
        f"There is no stack efs-monitor-nobody in {REGION} at {stack.endpoint_url}: deploy it there, or set "
        "SANDBOX_REGION to the Region that it is in"
    )


@pytest.mark.usefixtures("_no_docker")
def test_the_function_of_a_fleet_is_tried_on_the_fleet_that_is_deployed_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert invoke.main(["ReconcileFleet", "fleet-schedule"]) == 0
    assert '"refuse": 1' in capsys.readouterr().out


@pytest.mark.usefixtures("_no_docker")
def test_the_answer_to_cloudformation_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["ApplyOnDeploy", "deploy-create"]) == 0
    told = capsys.readouterr().out
    assert '"WarningThresholdBytes": "1132462080000"' in told


@pytest.mark.usefixtures("_no_docker")
def test_a_refused_event_ends_in_1_and_its_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["RecalculateThresholds", "refused/list"]) == 1
    printed = capsys.readouterr()
    assert "EventRefused: The event is a list" in printed.err
    assert "Changed\n  (nothing)" in printed.out


@pytest.mark.usefixtures("_no_docker")
def test_a_failed_deployment_ends_in_1_and_its_reason(
    capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("events") / "too-critical.json"
    path.write_text(event_text("deploy-create").replace('"CriticalMinutes": "60"', '"CriticalMinutes": "180"'))
    assert invoke.main(["ApplyOnDeploy", str(path)]) == 1
    assert "The deployment fails: CriticalMinutes is 180" in capsys.readouterr().err
