"""`make sandbox` as a person runs it."""

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import boto3
import pytest
from botocore.exceptions import ClientError

import stage.__main__ as kept
from localaws.account import REGION
from localaws.clock import MINUTE, START
from stage.__main__ import main
from stage.player import Player
from stage.runs import living, minute_passes
from stage.sam_deployment import PROJECT, Deployer
from stage.scenario import Scenario
from tests.printed import too_wide


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the kept sandbox writes."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def introduced(out: Path) -> Iterator[str]:
    """What a sandbox prints before it waits, while it waits."""
    with started(out) as process:
        yield _introduction(process)


@contextmanager
def started(out: Path, **environment: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-m", "stage", "--port", "0", "--out", str(out)],
        cwd=PROJECT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            # Asked, not killed: it has folders and processes to take away.
            process.terminate()


def _introduction(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    told = []
    for line in process.stdout:
        told.append(line)
        if "make invoke" in line:
            break
    return "".join(told)


@pytest.mark.more
def test_a_file_system_with_a_past_lives_at_the_printed_endpoint(introduced: str) -> None:
    match = re.search(r"export AWS_ENDPOINT_URL=(http://localhost:\d+)", introduced)
    assert match is not None
    settings = {
        "endpoint_url": match[1],
        "region_name": REGION,
        "aws_access_key_id": "sandbox",
        "aws_secret_access_key": "sandbox",
    }
    now = datetime.now(UTC).replace(second=0, microsecond=0)
    cloudwatch = boto3.client("cloudwatch", **settings)  # type: ignore[call-overload] # arguments from a mapping
    found = cloudwatch.get_metric_statistics(
        Namespace="AWS/EFS",
        MetricName="BurstCreditBalance",
        Dimensions=[{"Name": "FileSystemId", "Value": "fs-0123456789abcdef0"}],
        StartTime=now - timedelta(hours=2),
        EndTime=now - timedelta(hours=1),
        Period=60,
        Statistics=["Minimum"],
    )
    cloudwatch.close()
    assert len(found["Datapoints"]) == 60


@pytest.mark.more
def test_the_printed_shell_is_in_the_region_of_the_sandbox_for_every_command_and_fits_a_terminal(
    tmp_path: Path,
) -> None:
    """One with a name as long as any has."""
    with started(tmp_path, SANDBOX_REGION="ap-southeast-1") as process:
        told = _introduction(process)
    for name in ("AWS_REGION", "AWS_DEFAULT_REGION", "SANDBOX_REGION"):
        assert re.search(rf"export (\S+ )*{name}=ap-southeast-1\b", told)
    assert too_wide(told) == []


@pytest.mark.typed
@pytest.mark.more
def test_the_environment_of_samconfig_can_be_deployed_deployed_again_and_deleted_in_its_region(
    built: Path, tmp_path: Path
) -> None:
    """And the sandbox ends cleanly when asked to by SIGTERM; by Ctrl-C in tests/stage/commands/test_interrupted.py."""
    del built  # `sam deploy` finds it by itself.
    with started(tmp_path, SANDBOX_REGION="eu-central-1") as process:
        match = re.search(r"export AWS_ENDPOINT_URL=(http://localhost:\d+)", _introduction(process))
        assert match is not None
        deployer = Deployer(match[1], tmp_path, str)
        deployed = deployer.output(["sam", "deploy", "--config-env", "example"])
        assert "Successfully created/updated stack - efs-monitor-example in eu-central-1" in deployed
        assert "No changes to deploy" in deployer.output(["sam", "deploy", "--config-env", "example"])
        listing = ["aws", "cloudwatch", "describe-alarms", "--region", "eu-central-1", "--query"]
        arns = deployer.output([*listing, "MetricAlarms[].AlarmArn"])
        assert "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:efs-monitor-example-critical" in arns
        deployer.output(["sam", "delete", "--config-env", "example", "--no-prompts"])
        assert "efs-monitor-example" not in deployer.output([*listing, "MetricAlarms[].AlarmArn"])
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=60)
    assert process.returncode == 0, rest
    assert rest.splitlines()[-1] == "The local AWS is gone, and everything in it."


@pytest.mark.whole
def test_another_region_is_refused_with_what_to_do(introduced: str) -> None:
    match = re.search(r"export AWS_ENDPOINT_URL=(http://localhost:\d+)", introduced)
    assert match is not None
    settings = {"endpoint_url": match[1], "aws_access_key_id": "sandbox", "aws_secret_access_key": "sandbox"}
    client = boto3.client("cloudformation", region_name="eu-central-1", **settings)  # type: ignore[call-overload] # arguments from a mapping
    with pytest.raises(ClientError, match="start it with make sandbox REGION=eu-central-1"):
        client.create_stack(StackName="elsewhere", TemplateBody="Resources: {Topic: {Type: AWS::SNS::Topic}}")
    client.close()


@pytest.fixture
def refusal_of(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What a sandbox says that is to start with these words, and does not."""

    def refusal(*words: str) -> str:
        assert main([*words]) == 2
        return " ".join(capsys.readouterr().err.split())

    return refusal


def test_an_unknown_scenario_is_refused_with_the_known_ones(refusal_of: Callable[..., str]) -> None:
    told = refusal_of("--scenario", "weekly")
    assert "There is no scenario 'weekly'; there are " in told
    assert "nightly-batch" in told


def test_a_file_that_is_no_toml_is_refused_as_such(refusal_of: Callable[..., str]) -> None:
    readme = str(PROJECT / "README.md")
    assert refusal_of("--scenario", readme) == (
        f"{readme} is no scenario, which is a .toml file: give the path of one, or its name"
    )


@pytest.mark.parametrize("option", [("--port", "99999"), ("--speed", "0"), ("--out",)])
def test_an_option_that_is_refused_is_said_within_80_columns(
    option: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*option]) == 2
    assert max(map(len, capsys.readouterr().err.splitlines())) <= 80


@pytest.mark.whole
@pytest.mark.parametrize(("region", "other"), [("nowhere-1", ""), ("us-gov-west-1", ", and this one is of aws-us-gov")])
def test_a_region_that_there_is_not_is_refused_like_everything_else(region: str, other: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "stage"],
        cwd=PROJECT,
        capture_output=True,
        check=False,
        env=os.environ | {"SANDBOX_REGION": region},
        text=True,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (
        2,
        "",
        (
            f"The Region of the local AWS (REGION of make, SANDBOX_REGION) is {region!r}:\n"
            f"it must be one of the partition aws, such as eu-central-1{other}\n"
        ),
    )


def test_a_port_in_use_is_refused_by_its_number(introduced: str, refusal_of: Callable[..., str]) -> None:
    match = re.search(r"export AWS_ENDPOINT_URL=http://localhost:(\d+)", introduced)
    assert match is not None
    told = refusal_of("--port", match[1])
    assert told.startswith(f"Port {match[1]} cannot be had (Address already in use): ")
    # Not that one again.
    assert f'make sandbox ARGS="--port {int(match[1]) + 1}"' in told


def test_what_no_sandbox_made_is_not_emptied(tmp_path: Path, refusal_of: Callable[..., str]) -> None:
    thesis = tmp_path / "thesis.txt"
    thesis.write_text("years of work")
    told = refusal_of("--port", "0", "--out", str(tmp_path))
    assert told == f"{tmp_path} would be emptied, and no sandbox made it: choose another with --out"
    assert thesis.read_text() == "years of work"


def test_a_folder_that_cannot_be_had_is_refused_with_why(tmp_path: Path, refusal_of: Callable[..., str]) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    for folder in (file, file / "in" / "it"):
        told = refusal_of("--port", "0", "--out", str(folder))
        assert told == (
            f"{folder} cannot be had, because {file} is a file: move or remove it (choose another with --out)"
        )
    assert file.read_text() == "no folder"
    long = tmp_path / ("a" * 300)
    told = refusal_of("--port", "0", "--out", str(long))
    assert told == f"{long} cannot be had (File name too long): choose another with --out"


@pytest.mark.whole
def test_another_sandbox_takes_nothing_away_from_the_first(
    introduced: str, out: Path, refusal_of: Callable[..., str]
) -> None:
    before = sorted(out.rglob("*"))
    assert before
    assert refusal_of("--port", "0", "--out", str(out)) == f"Another sandbox writes to {out}: choose another with --out"
    assert sorted(out.rglob("*")) == before


@pytest.mark.whole
def test_a_minute_that_fails_is_logged_and_the_next_one_is_lived(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Whoever works in it would lose what they deployed."""
    stop = threading.Event()
    begun: list[datetime] = []

    def fails_at_first(player: Player) -> None:
        begun.append(player.sandbox.clock.now())
        if len(begun) == 1:
            raise RuntimeError("of the test")
        minute_passes(player)
        stop.set()

    monkeypatch.setattr(kept, "minute_passes", fails_at_first)
    with living(tmp_path, Scenario.named("nightly-batch"), start=START) as player:
        kept._live(player, 6000, stop)
        assert player.sandbox.clock.now() >= START + MINUTE
    assert len(begun) == 2
    assert "of the test" in caplog.text
