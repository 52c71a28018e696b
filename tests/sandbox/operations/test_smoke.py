"""The proof for a real account, against the local one; and what a deleted stack leaves behind."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from sandbox.world import World
from tests.sandbox.operations.conftest import EMAIL, HEALTHY
from tools.operations.checklist import Checklist
from tools.operations.drill import Waiting
from tools.operations.environment import CONFIGURATION, Refused, environment
from tools.operations.smoke import smoke
from tools.operations.stack import Account

EXAMPLE = replace(
    environment("example"),
    region="us-east-1",
    parameters={"FileSystemId": HEALTHY.file_system_id, "AlertEmail": EMAIL, "LogRetentionDays": "7"},
)


@pytest.fixture
def sam(world: World, tmp_path: Path) -> Callable[[list[str]], None]:
    """Runs a command line against the sandbox, and lets two minutes pass after a deployment."""
    from sandbox.deployment import Deployer
    from sandbox.live import minute_passes

    deployer = Deployer(world.sandbox.endpoint_url, tmp_path, str)

    def run(command: list[str]) -> None:
        deployer.output(command)
        minute_passes(world)

    return run


def test_smoke_deploys_checks_drills_and_leaves_nothing(
    world: World, account: Account, sam: Callable[[list[str]], None]
) -> None:
    checklist = Checklist(show=lambda line: None)  # noqa: ARG005
    waiting = Waiting(attempts=5, pause=world.sandbox.events.wait_for_background)

    smoke(EXAMPLE, account, sam, checklist, waiting=waiting)

    assert checklist.ok, [line for line in checklist.lines if not line.ok]
    seen = {line.what: line.seen for line in checklist.lines}
    assert seen["WarningAlarm (AWS::CloudWatch::Alarm)"] == "CREATE_COMPLETE, exists"
    assert seen["efs-monitor-example-smoke-critical is as the code expects it"] == "OK, threshold 377,487,360,000"
    assert seen["SilenceSchedule is enabled"] == "ENABLED, cron(20 * * * ? *)"
    assert seen["ReportSilenceLogs is kept for 7 days"] == "7 days"
    assert seen[f"{EMAIL} is subscribed to AdviceTopic"] == "confirmed"
    assert seen["efs-monitor-example-smoke-critical ALARM, readable mail"].startswith("sent: DRILL - CRITICAL")
    assert seen["ToldParameter is deleted"] == "gone"
    deleted = {what.removesuffix(" is deleted") for what in seen if what.endswith(" is deleted")}
    assert {"WarningTopic", "ReportSilence", "ReportSilenceRole", "HourlySchedule", "MonitorLayer"} <= {
        name.rstrip("0123456789abcdef") if name.startswith("MonitorLayer") else name for name in deleted
    }


def test_smoke_deletes_its_stack_also_when_something_in_between_breaks(
    world: World, account: Account, sam: Callable[[list[str]], None]
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    checklist = Checklist(show=lambda line: None)  # noqa: ARG005
    with pytest.raises(KeyboardInterrupt):
        smoke(EXAMPLE, account, sam, checklist, waiting=Waiting(attempts=1, pause=interrupted))
    stacks = account.client("cloudformation").describe_stacks()["Stacks"]
    assert [stack["StackName"] for stack in stacks if stack["StackName"].startswith("efs-monitor")] == []
    assert checklist.ok


def test_smoke_is_refused_where_a_stack_of_its_name_is_left_over(account: Account) -> None:
    account.client("cloudformation").create_stack(
        StackName="left-over-smoke",
        TemplateBody=json.dumps(
            {"Resources": {"A": {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": "x"}}}}
        ),
    )
    with pytest.raises(Refused, match="There is a stack left-over-smoke in us-east-1 already"):
        smoke(replace(EXAMPLE, stack_name="left-over"), account, lambda command: None, Checklist())  # noqa: ARG005
    account.client("cloudformation").delete_stack(StackName="left-over-smoke")


def test_an_environment_is_read_as_sam_reads_it(tmp_path: Path) -> None:
    found = environment("example")
    assert (found.stack_name, found.region) == ("efs-monitor-example", "eu-central-1")
    assert found.parameters["FileSystemId"] == "fs-0123456789abcdef0"
    written = tmp_path / "samconfig.toml"
    written.write_text(
        '[a.global.parameters]\nregion = "eu-west-1"\n'
        '[a.deploy.parameters]\nstack_name = "home"\n'
        'parameter_overrides = "FileSystemId=fs-01234567 AlertEmail=\\"\\""\n'
        '[b.deploy.parameters]\nregion = "eu-west-1"\n'
    )
    other = environment("a", written)
    assert (other.region, other.parameters) == ("eu-west-1", {"FileSystemId": "fs-01234567", "AlertEmail": ""})
    with pytest.raises(Refused, match=r"\[b.deploy.parameters\] of samconfig.toml does not set stack_name"):
        environment("b", written)
    assert CONFIGURATION.is_file()
