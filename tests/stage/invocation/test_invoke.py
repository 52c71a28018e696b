"""`make invoke` as a person runs it."""

import json
from pathlib import Path

import pytest

from localaws.account import REGION
from stage import invoke
from stage.invocation.deployed_stack import DeployedStack, NotDeployedError
from stage.invocation.sample_events import FOLDER, UnknownEventError, event_text


@pytest.fixture
def _no_docker(stack: DeployedStack, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///nowhere.sock")
    monkeypatch.setenv("AWS_ENDPOINT_URL", stack.endpoint_url)


def test_an_unknown_function_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["Recalculate", "hourly-schedule"]) == 2
    told = capsys.readouterr().err
    assert "no function 'Recalculate'" in told
    assert all(name in told for name in ("Explain", "RecalculateThresholds", "ApplyOnDeploy"))


def test_who_names_no_function_is_told_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["", ""]) == 2
    assert capsys.readouterr().err.startswith("It is not said which function, with make FN=NAME: ")


def test_an_unknown_event_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["Explain", "events/alarm.json"]) == 2
    told = capsys.readouterr().err
    assert "no event 'events/alarm.json'" in told
    assert "warning-alarm" in told
    assert "refused/list" in told


def test_who_names_no_event_is_told_how_and_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["Explain", ""]) == 2
    told = capsys.readouterr().err
    assert told.startswith("It is not said which event, with make EVENT=NAME: ")
    assert "warning-alarm" in told


def test_a_folder_that_cannot_be_written_is_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setattr(invoke, "OUT", tmp_path / "file" / "invoke")
    assert invoke.main(["Explain", "warning-alarm"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert told == (
        f"{tmp_path}/file/invoke cannot be had, because {tmp_path}/file is a file: move or remove it (every invocation "
        "writes there, one at a time)"
    )


def test_without_arguments_both_are_missing(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main([]) == 2
    assert "Explain" in capsys.readouterr().err


@pytest.mark.whole
@pytest.mark.usefixtures("_no_docker")
def test_it_says_how_it_ran_and_what_changed(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["Explain", "events/critical-alarm.json"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "It ran as a process, in the Lambda runtime interface emulator of SAM CLI (no Docker engine runs" in told
    assert "message on efs-monitor-home-advice: CRITICAL: " in told


def documents(printed: str, heading: str) -> list[dict[str, object]]:
    """The JSON that stands below a heading, as `jq` reads what is copied from there."""
    text = printed.partition(f"\n{heading}\n")[2].partition("\n\n")[0].strip()
    found = []
    while text:
        one, end = json.JSONDecoder().raw_decode(text)
        found.append(one)
        text = text[end:].lstrip()
    return found


@pytest.mark.more
@pytest.mark.usefixtures("_no_docker")
def test_answers_and_lines_of_the_log_can_be_pasted_into_jq(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["RecalculateThresholds", "hourly-schedule"]) == 0
    told = capsys.readouterr().out
    (answer,) = documents(told, "Answer")
    (decided,) = [one for one in documents(told, "Log") if one.get("message") == "decided"]
    assert decided["reason"] == answer["reason"]
    assert '\n    "decision": "keep",\n' in told

    assert invoke.main(["ApplyOnDeploy", "deploy-create"]) == 0
    (answer,) = documents(capsys.readouterr().out, "Answer to CloudFormation")
    assert answer["Status"] == "SUCCESS"


def test_a_line_of_the_log_that_is_no_json_is_wrapped_by_words(capsys: pytest.CaptureFixture[str]) -> None:
    invoke._section("Log", map(invoke._logged, [f"Traceback: {'word ' * 30}", '{"told": "' + "word " * 30 + '"}']))
    printed = capsys.readouterr().out
    assert [line[:7] for line in printed.splitlines()] == [
        "",
        "Log",
        "  Trace",
        "    wor",
        "    wor",
        "  {",
        '    "to',
        "  }",
    ]


def test_a_stack_that_is_not_there_is_missed_with_the_region_that_was_looked_in(stack: DeployedStack) -> None:
    with pytest.raises(NotDeployedError) as refused:
        DeployedStack(stack.endpoint_url, "efs-monitor-nobody")
    assert str(refused.value) == (
        f"There is no stack efs-monitor-nobody in {REGION} at {stack.endpoint_url}: deploy it there, or set "
        "SANDBOX_REGION to the Region that it is in"
    )


def test_a_stack_whose_deployment_was_refused_has_no_function_and_that_is_a_sentence(stack: DeployedStack) -> None:
    stack.client("cloudformation").create_change_set(
        StackName="refused",
        ChangeSetName="first",
        ChangeSetType="CREATE",
        TemplateBody='{"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}',
    )
    with pytest.raises(NotDeployedError) as refused:
        DeployedStack(stack.endpoint_url, "refused").function("Explain")
    assert str(refused.value) == (
        f"The stack refused in {REGION} at {stack.endpoint_url} has no Explain: its deployment was refused or failed. "
        "Delete it, and deploy it again"
    )


@pytest.mark.more
@pytest.mark.usefixtures("_no_docker")
def test_the_function_of_a_fleet_is_tried_on_the_fleet_that_is_deployed_there(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert invoke.main(["ReconcileFleet", "fleet-schedule"]) == 0
    assert '"refuse": 1' in capsys.readouterr().out


@pytest.mark.whole
@pytest.mark.usefixtures("_no_docker")
def test_the_answer_to_cloudformation_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["ApplyOnDeploy", "deploy-create"]) == 0
    told = capsys.readouterr().out
    assert '"WarningThresholdBytes": "1132462080000"' in told


@pytest.mark.whole
@pytest.mark.usefixtures("_no_docker")
def test_a_refused_event_ends_in_1_and_its_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke.main(["RecalculateThresholds", "refused/list"]) == 1
    printed = capsys.readouterr()
    assert "EventRefused: The event is a list" in printed.err
    assert "Changed\n  (nothing)" in printed.out


@pytest.mark.whole
@pytest.mark.usefixtures("_no_docker")
def test_a_failed_deployment_ends_in_1_and_its_reason(
    capsys: pytest.CaptureFixture[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("events") / "too-critical.json"
    path.write_text(event_text("deploy-create").replace('"CriticalMinutes": "60"', '"CriticalMinutes": "180"'))
    assert invoke.main(["ApplyOnDeploy", str(path)]) == 1
    assert "The deployment fails: CriticalMinutes is 180" in capsys.readouterr().err


def test_an_event_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "latin.json"
    path.write_bytes(b'{"a": "\xff"}')
    with pytest.raises(UnknownEventError, match=r"latin\.json is not a text in UTF-8: save it as one"):
        event_text(str(path))


@pytest.mark.parametrize("name", ["events", str(FOLDER)])
def test_a_folder_of_events_is_called_one(name: str) -> None:
    with pytest.raises(UnknownEventError, match=f"^{name} is a folder: give the path of a JSON file in it$"):
        event_text(name)
