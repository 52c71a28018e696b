"""What `make sandbox`, `make demo` and `make local-invoke HOLD=1` print can be pasted into a shell."""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from localaws.clock import START
from stage.demo import walkthrough
from stage.invocation.warm_containers import WarmContainers
from stage.runs import STACK_NAME, living
from stage.sam_deployment import PROJECT, Deployer
from stage.scenario import read
from tests.printed import indented, prompted, too_wide

pytestmark = pytest.mark.typed

# A day with values that a shell or `sam` would take apart.
SPACED = """
about = "A file system whose stack has values with spaces, quotes and signs in them."
days = 0.05
[file_system]
name = "home"
size_gib = 100
[[instance]]
id = "i-0123456789abcdef0"
[[deploy]]
[deploy.parameters]
AlertEmail = "o'neil@example.com"
RunbookUrl = "https://wiki.example.com/efs?page=runbook&lang=en#critical"
BenchmarkPath = "$MOUNT"
BenchmarkSchedule = "cron(0 3 * * ? *)"
BenchmarkSizeMiB = 16
"""
WANTED = {
    "AlertEmail": "o'neil@example.com",
    "RunbookUrl": "https://wiki.example.com/efs?page=runbook&lang=en#critical",
    "BenchmarkSchedule": "cron(0 3 * * ? *)",
}
TIMEOUT_SECONDS = 300


@pytest.fixture
def scenario_file(tmp_path: Path) -> Path:
    path = tmp_path / "spaced.toml"
    path.write_text(SPACED)
    return path


@pytest.fixture(params=["eu-central-1", "us-east-1"])
def introduced(request: pytest.FixtureRequest, scenario_file: Path, tmp_path: Path) -> Iterator[str]:
    """What `make sandbox` prints before it waits, while it waits."""
    command = [sys.executable, "-m", "stage", "--port", "0", "--out", str(tmp_path / "out")]
    with subprocess.Popen(
        [*command, "--scenario", str(scenario_file)],
        cwd=PROJECT,
        env=os.environ | {"SANDBOX_REGION": request.param},
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if "ACCEPT_GIB" in line:
                break
        yield "".join(lines)
        has_ended = process.poll()
        process.terminate()
        printed, _ = process.communicate()
    assert has_ended is None, f"the sandbox ended by itself with {has_ended}: {printed}"


def pasted(commands: list[str], folder: Path, environment: dict[str, str] | None = None) -> str:
    """What one shell prints for them, one after the other, until one fails; its temporary files go into the folder."""
    temporary = folder / "temporary"
    temporary.mkdir()
    # What was built lies there already; and a build would be in the way of other tests.
    script = "\n".join(command for command in commands if command != "sam build")
    done = subprocess.run(
        ["bash", "-e", "-c", script],
        cwd=PROJECT,
        env={
            "HOME": os.environ.get("HOME", "/"),
            "PATH": os.environ["PATH"],
            "TMPDIR": str(temporary),
            **(environment or {}),
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        timeout=TIMEOUT_SECONDS,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.more
@pytest.mark.usefixtures("built")
def test_everything_that_the_sandbox_says_to_type_does_what_it_says(introduced: str, tmp_path: Path) -> None:
    commands = [*indented(introduced)]
    assert [command.split()[0] for command in commands] == [
        *["export"] * 5,
        "sam",
        "sam",
        "aws",
        "make",
        "make",
        "make",
    ]
    *commands, plain, accepting = commands
    assert shlex.split(accepting) == [*shlex.split(plain), "ACCEPT_GIB=1"]
    # One of the two, as a person would: the next benchmark has to wait for half a minute.
    commands.append(accepting if "eu-central-1" in introduced else plain)

    # And twice, as who has changed nothing does; the code lies in a folder of the stack's own.
    deploy = next(command for command in commands if command.startswith("sam deploy"))
    commands.insert(commands.index(deploy), deploy)
    assert f"--s3-prefix {STACK_NAME}" in " ".join(deploy.replace("\\\n", " ").split())

    query = "Stacks[0].Parameters[].[ParameterKey, ParameterValue]"
    describe = f"aws cloudformation describe-stacks --stack-name {STACK_NAME} --output text --query '{query}'"
    told = pasted([*commands, "echo THEN", describe], tmp_path)

    deployed = dict(line.split("\t") for line in told.rpartition("THEN\n")[2].splitlines() if line.count("\t") == 1)
    assert WANTED.items() <= deployed.items()
    assert f"{STACK_NAME}-warning" in told
    assert told.count("published: ") == 1
    assert too_wide(introduced) == []
    # What stands before is printed by `sam` and `aws`.
    assert too_wide(told.partition(f"The stack {STACK_NAME} at ")[2].partition("THEN")[0]) == []


@pytest.mark.more
@pytest.mark.usefixtures("built")
def test_everything_that_the_demo_shows_can_be_run_by_hand(
    scenario_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(walkthrough, "OUT", tmp_path / "demo")
    # It is built already, and another build would be in the way of other tests.
    monkeypatch.setattr(Deployer, "build", lambda deployer: deployer._show(["sam", "build"]))
    assert walkthrough.main([str(scenario_file)]) == 0
    shown = capsys.readouterr().out
    assert too_wide(shown) == []
    assert (PROJECT / shown.splitlines()[-1]).resolve() == (tmp_path / "demo" / "report.html").resolve()
    assert "<!doctype html>" in (tmp_path / "demo" / "report.html").read_text()
    commands = [*prompted(shown)]
    assert [command.split()[:2] for command in commands] == [["sam", "build"], ["sam", "deploy"], ["aws", "cloudwatch"]]

    with living(tmp_path, read("spaced", SPACED), start=START) as player:
        told = pasted(commands, tmp_path, Deployer(player.sandbox.endpoint_url, tmp_path, str).environment())
        (stack,) = player.sandbox.client("cloudformation").describe_stacks(StackName=STACK_NAME)["Stacks"]
        deployed = {one["ParameterKey"]: one["ParameterValue"] for one in stack["Parameters"]}
    assert WANTED.items() <= deployed.items()
    assert f"{STACK_NAME}-warning" in told


def test_a_container_is_invoked_by_hand_as_it_was_by_the_command(tmp_path: Path) -> None:
    """Where no engine runs: a stand-in for `sam` says what it was given."""
    stand_in = tmp_path / "sam"
    stand_in.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    stand_in.chmod(0o755)
    warm = WarmContainers.__new__(WarmContainers)
    warm._options = ("--template", f"{PROJECT}/out/a b.json", "--add-host", "host.docker.internal:host-gateway")
    given = pasted([warm.by_hand], tmp_path, {"PATH": f"{tmp_path}:{os.environ['PATH']}"}).splitlines()
    assert given == [
        *("local", "invoke", "Explain", "--event", "events/warning-alarm.json"),
        *("--template", "out/a b.json", "--add-host", "host.docker.internal:host-gateway"),
    ]
    assert shlex.split(warm.by_hand.replace("\\\n", ""))[1:] == given
