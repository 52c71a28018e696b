"""The proof for a real account, against the local one; and what a deleted stack leaves behind."""

import contextlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from operate.checklist import Checklist
from operate.cli import app
from operate.described_stack import Account, DescribedStack, Resource
from operate.drill import Waiting
from operate.environment import CONFIGURATION, Environment, Refused, environment
from operate.interruption import Interrupted
from operate.smoke.inventory import LOOKS, PARTS_OF_OTHERS
from operate.smoke.smoke_run import Run, look_for_what_is_left, smoke
from stage.player import Player
from stage.runs import minute_passes
from stage.sam_deployment import PROJECT
from tests.operate.conftest import EMAIL, written
from tests.printed import too_wide
from tests.template.template_documents import transformed
from tests.unit.docs.pages import blocks

EVERYTHING_ON = (
    *("UtilizationAlarm=on", "IoLimitAlarm=on", "BenchmarkFailuresAlarm=on", "RegressionsAlarm=on", "Dashboard=on"),
    "ChatMessages=on",
    *("BenchmarkPath=/mnt/efs", 'BenchmarkSchedule="cron(0 3 * * ? *)"', "BenchmarkInstanceIds=i-0123456789abcdef0"),
)


@pytest.mark.whole
def test_smoke_deploys_checks_drills_and_leaves_nothing(
    player: Player, account: Account, sam: Run, example: Environment
) -> None:
    checklist = Checklist(show=lambda line: None)
    waiting = Waiting(attempts=5, pause=player.sandbox.events.wait_for_background)

    smoke(example, account, sam, checklist, waiting=waiting)

    assert checklist.ok, [line for line in checklist.lines if not line.ok]
    seen = {line.what: line.seen for line in checklist.lines}
    assert seen["WarningAlarm (AWS::CloudWatch::Alarm)"] == "CREATE_COMPLETE, exists"
    assert seen["efs-monitor-example-smoke-critical is as the code expects it"] == "OK, threshold 377,487,360,000"
    assert seen["SilenceSchedule is enabled"] == "ENABLED, cron(20 * * * ? *)"
    assert seen["ReportSilenceLogs is kept for 7 days"] == "7 days"
    assert seen[f"{EMAIL} is subscribed to AdviceTopic"] == "confirmed"
    assert seen["efs-monitor-example-smoke-critical ALARM, readable mail"].startswith("sent: DRILL - CRITICAL")
    assert seen["ToldParameter is deleted"] == "gone"
    assert seen["Lambda has a version of the runtime for every function"]
    assert "the first start of a rate measures nothing" not in seen
    assert seen["the end of an update of tags alone starts a recalculation"] == "stack UPDATE_COMPLETE"
    assert seen["thresholds are right after an update of tags alone"].endswith(" of 1,132,462,080,000")
    assert not any("document" in what for what in seen)
    deleted = {what.removesuffix(" is deleted") for what in seen if what.endswith(" is deleted")}
    assert {"WarningTopic", "ReportSilence", "ReportSilenceRole", "HourlySchedule", "MonitorLayer"} <= {
        name.rstrip("0123456789abcdef") if name.startswith("MonitorLayer") else name for name in deleted
    }


@pytest.mark.whole
def test_smoke_deletes_its_stack_also_when_something_in_between_breaks(
    player: Player, account: Account, sam: Run, example: Environment
) -> None:
    def interrupted(line: str) -> None:
        if "-critical is as the code expects it" in line:
            raise KeyboardInterrupt

    checklist = Checklist(show=interrupted)
    with pytest.raises(Interrupted, match="efs-monitor-example-smoke was deleted first"):
        smoke(example, account, sam, checklist)
    stacks = account.client("cloudformation").describe_stacks()["Stacks"]
    assert [stack["StackName"] for stack in stacks if stack["StackName"].startswith("efs-monitor")] == []
    assert checklist.ok


def test_smoke_is_refused_where_a_stack_of_its_name_is_left_over(account: Account, example: Environment) -> None:
    account.client("cloudformation").create_stack(
        StackName="left-over-smoke",
        TemplateBody=json.dumps(
            {"Resources": {"A": {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": "x"}}}}
        ),
    )
    with pytest.raises(Refused, match="There is a stack left-over-smoke in us-east-1 already"):
        smoke(replace(example, stack_name="left-over"), account, lambda command: True, Checklist())
    account.client("cloudformation").delete_stack(StackName="left-over-smoke")


@pytest.mark.parametrize(("gone_after_looks", "is_left"), [(1, False), (3, True)])
def test_a_queue_that_takes_its_time_to_go_is_looked_for_again(
    account: Account, *, gone_after_looks: int, is_left: bool
) -> None:
    """SQS takes up to a minute to delete one, and tells its attributes meanwhile."""
    sqs = account.client("sqs")
    url = sqs.create_queue(QueueName=f"going-after-{gone_after_looks}")["QueueUrl"]
    looks = iter(range(1, 100))

    def time_passes() -> None:
        if next(looks) == gone_after_looks:
            sqs.delete_queue(QueueUrl=url)

    queue = Resource(logical_id="BenchmarkTimerQueue", physical_id=url, kind="AWS::SQS::Queue", status="")
    stack = DescribedStack(account=account, name="home", resources={queue.logical_id: queue}, parameters={})
    checklist = Checklist(show=lambda line: None)
    look_for_what_is_left(stack, checklist, Waiting(attempts=2, pause=time_passes))
    (line,) = checklist.lines
    assert (line.ok, line.seen) == (not is_left, "STILL THERE" if is_left else "gone")


def key_for_topics(account: Account) -> str:
    """A key whose policy is the one to paste."""
    (policy,) = [
        json.loads(block.text) for block in blocks("docs/integrations.md", "json") if '"Statement"' in block.text
    ]
    return str(account.client("kms").create_key(Policy=json.dumps(policy))["KeyMetadata"]["Arn"])


@pytest.mark.typed
@pytest.mark.more
def test_the_command_proves_a_stack_with_everything_on(player: Player, account: Account, tmp_path: Path) -> None:
    """As a person runs it, while the minutes of the sandbox pass."""
    configuration = written(tmp_path, *EVERYTHING_ON, f"EncryptionKeyArn={key_for_topics(account)}")
    command = [sys.executable, "-m", "operate", "smoke", "example", "--configuration", str(configuration)]
    output = tmp_path / "output"
    with output.open("w") as file, subprocess.Popen(command, cwd=PROJECT, stdout=file, stderr=file) as process:
        while process.poll() is None:
            minute_passes(player)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=1)
    printed = output.read_text()
    lines = joined(printed)

    assert process.returncode == 0, printed
    assert lines[-1].endswith("checks hold.")
    for what in (
        "BenchmarkDocument (AWS::SSM::Document): CREATE_COMPLETE, exists",
        "BenchmarkQuery (AWS::Logs::QueryDefinition): CREATE_COMPLETE, exists",
        "BenchmarkTimer is enabled: ENABLED, cron(0 3 * * ? *)",
        "efs-monitor-example-smoke-critical ALARM, readable mail: sent: DRILL - CRITICAL",
        "CloudFormation has put in what the template includes: into Thresholds, FileSystemDashboard, BenchmarkDocument",
        "the end of an update of tags alone starts a recalculation: stack UPDATE_COMPLETE",
        "thresholds are right after an update of tags alone: ",
        "the beginning of an update is heard, for alarms that are suspended: made ready for the update ",
        "an update of tags alone leaves what the stack remembers: /efs-monitor/efs-monitor-example-smoke/",
        "a deployment that changes the document and fails leaves the old script: UPDATE_ROLLBACK_COMPLETE, efs-",
        "BenchmarkTimerQueue is deleted: gone",
        "BenchmarkDocument is deleted: gone",
    ):
        assert any(line.startswith(f"[ok] {what}") for line in lines), f"{what}\n{printed}"
    # But for the paths of this test, with what continues the command.
    assert [line for line in too_wide(printed) if str(tmp_path) not in line] == []


def joined(printed: str) -> list[str]:
    """The lines of the checklist, each put together again."""
    lines: list[str] = []
    for line in printed.splitlines():
        if line.startswith("  ") and lines and lines[-1].startswith("["):
            lines[-1] += f" {line.strip()}"
        else:
            lines.append(line)
    return lines


@pytest.mark.parametrize("kind", sorted({one["Type"] for one in transformed()["Resources"].values()}))
def test_every_type_of_resource_that_can_be_deployed_is_one_that_is_looked_for(kind: str) -> None:
    assert kind in LOOKS.keys() | PARTS_OF_OTHERS


def test_an_environment_is_read_alike_whatever_the_locale_is(tmp_path: Path) -> None:
    path = tmp_path / "samconfig.toml"
    path.write_bytes('[a.deploy.parameters]\nstack_name="a"\nregion="us-east-1"\ntags="Team=Köln"\n'.encode())
    script = "import sys; from pathlib import Path; from operate.environment import environment as read\n"
    script += "print(ascii(read('a', Path(sys.argv[1])).tags))"
    chosen = os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-c", script, str(path)]
    found = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False, env=chosen)
    assert (found.stdout, found.stderr) == (f"{('Team=Köln',)!a}\n", "")


def test_an_environment_is_read_as_sam_reads_it(tmp_path: Path) -> None:
    found = environment("example")
    assert (found.stack_name, found.region) == ("efs-monitor-example", "eu-central-1")
    path = tmp_path / "samconfig.toml"
    path.write_text(
        '[a.global.parameters]\nregion = "eu-west-1"\n'
        '[a.deploy.parameters]\nstack_name = "home"\ntags = "one=1 two=2"\n'
        '[b.deploy.parameters]\nregion = "eu-west-1"\n'
    )
    other = environment("a", path)
    assert (other.region, other.tags) == ("eu-west-1", ("one=1", "two=2"))
    with pytest.raises(Refused, match=r"\[b.deploy.parameters\] of samconfig.toml does not set stack_name"):
        environment("b", path)
    assert CONFIGURATION.is_file()


@pytest.mark.parametrize(
    ("key", "value"), [("region", "7"), ("region", '["eu-west-1"]'), ("stack_name", "5"), ("profile", "true")]
)
def test_a_value_that_is_no_text_is_refused_as_it_is_written(tmp_path: Path, key: str, value: str) -> None:
    values = {"stack_name": '"home"', "region": '"eu-west-1"'} | {key: value}
    path = tmp_path / "samconfig.toml"
    path.write_text("[a.deploy.parameters]\n" + "\n".join(f"{name} = {text}" for name, text in values.items()))
    with pytest.raises(Refused, match=rf"\[a.deploy.parameters\] of samconfig.toml gives {key} as .*in quotes"):
        environment("a", path)


def test_nothing_is_built_for_an_environment_that_there_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sam").write_text("#!/bin/sh\necho building")
    (tmp_path / "sam").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    configuration = tmp_path / "samconfig.toml"
    configuration.write_text("[example.deploy.parameters]\n")
    found = CliRunner().invoke(app, ["smoke", "home", "--configuration", str(configuration), "--build"])
    assert (found.exit_code, found.stdout) == (2, "")
    assert "has no environment 'home' to deploy, only example" in " ".join(found.stderr.split())


@pytest.mark.usefixtures("account")
def test_what_cannot_be_built_is_not_deployed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sam").write_text("#!/bin/sh\necho $* is run >&2\nexit 1")
    (tmp_path / "sam").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    configuration = tmp_path / "samconfig.toml"
    configuration.write_text('[example.deploy.parameters]\nstack_name = "home"\nregion = "eu-west-1"\n')
    with pytest.raises(SystemExit, match="2"):
        app(["smoke", "example", "--configuration", str(configuration), "--build"])
    said = capfd.readouterr()
    # Both of its outputs, in the order in which it wrote them.
    assert said.out.splitlines()[-1] == "build is run"
    assert "deploy" not in said.out
    assert "What would be deployed cannot be built" in said.err
