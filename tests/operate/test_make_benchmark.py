"""`make benchmark` against a real deployment of the stack, whose script really runs on this machine."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from efs_monitor.benchmarks.sent_commands import RUNNING
from typer.testing import CliRunner

from localaws.ssm.instances import instances
from operate.benchmark.on_demand_request import Wish
from operate.benchmark.on_demand_run import Clock, benchmark
from operate.cli import app
from operate.described_stack import Account, DescribedStack, find_stack
from operate.environment import Refused
from operate.interruption import Interrupted
from stage.manual_changes import ManualChanges
from stage.player import Player
from stage.runs import minute_passes
from stage.scenario import Scenario, read
from tests.deployed import deployed

STACK_NAME = "efs-monitor-example"
INSTANCE_ID = "i-0123456789abcdef0"
MEASURED: Scenario = read(
    "measured",
    f"""
    about = "A file system with an instance to measure it."
    days = 1
    [file_system]
    name = "home"
    size_gib = 100
    [[instance]]
    id = "{INSTANCE_ID}"
    type = "c5.2xlarge"
    [[deploy]]
    [deploy.parameters]
    BenchmarkPath = "$MOUNT"
    BenchmarkSchedule = ""
    BenchmarkSizeMiB = 16
    """,
)


@pytest.fixture(scope="module")
def player(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    """A stack with benchmarks by hand only, and alarms that are armed."""
    with deployed(tmp_path_factory.mktemp("measured"), MEASURED, STACK_NAME) as player:
        yield player


@pytest.fixture
def stack(player: Player) -> Iterator[DescribedStack]:
    account = Account("us-east-1")
    minute_passes(player)
    yield find_stack(account, STACK_NAME)
    account.close()


def clock(player: Player) -> Clock:
    """The sandbox's own: waiting lets a minute pass."""
    return Clock(now=lambda: player.sandbox.clock.now().timestamp(), pause=lambda: minute_passes(player))


def run(
    player: Player, stack: DescribedStack, wish: Wish | None = None, write: Callable[[object], None] = lambda _: None
) -> tuple[bool, list[str]]:
    lines: list[str] = []
    return benchmark(stack, wish or Wish(), show=lines.append, clock=clock(player), write=write), lines


@pytest.mark.more
def test_a_run_prints_each_workload_beside_what_was_published_and_puts_metrics_as_the_schedule_does(
    player: Player, stack: DescribedStack
) -> None:
    is_whole, lines = run(player, stack)
    assert is_whole, lines
    first, *headings, _, last = [*lines[:4], lines[-1]]
    rows = [f"{words} | {figures}" for words, figures in zip(lines[4:-1:2], lines[5:-1:2], strict=True)]
    assert first.startswith("run-")
    assert f"8 workloads on {INSTANCE_ID}" in " ".join(first.split())
    assert [one.strip() for one in " | ".join(headings).split("|")] == [
        *("workload", "instance type", "threads", "block", "sync", "duration", "rate", "published", "ratio")
    ]
    cells = {row[0]: row for row in ([one.strip() for one in line.split("|")] for line in rows)}
    assert next(iter(cells)) == "touch-serial"
    assert len(cells) == 8
    assert cells["dd-write-16m-each"][1:5] == ["c5.2xlarge", "1", "16 MiB", "each"]
    assert cells["touch-serial"][6].endswith(" files/s")
    assert all(float(row[8]) > 0 for row in cells.values())
    assert last.startswith("published: ")
    minute_passes(player)
    visible = player.sandbox.metrics.visible_metrics(player.sandbox.clock.now())
    names = {metric.name for metric in visible if metric.namespace == "EFSMonitor"}
    assert {"Throughput", "OperationRate", "Success", "CreditCost"} <= names


@pytest.mark.more
def test_an_alarm_that_is_on_is_named_and_so_is_the_cost_to_accept(player: Player, stack: DescribedStack) -> None:
    """A run that was accepted all the same writes whose file system it measured."""
    written: list[object] = []
    cloudwatch = stack.account.client("cloudwatch")
    cloudwatch.set_alarm_state(AlarmName=f"{STACK_NAME}-warning", StateValue="ALARM", StateReason="test")
    with pytest.raises(
        Refused, match=r"\(alarm-on\).* is in ALARM.*; here: --accept-gib [0-9.]+, with make ACCEPT_GIB="
    ) as refused:
        run(player, stack)
    accepted = float(str(refused.value).rpartition("ACCEPT_GIB=")[2])
    is_whole, _ = run(player, stack, Wish(accept_gib=accepted), write=written.append)
    assert is_whole
    (found,) = written
    assert isinstance(found, dict)
    assert found["file_system_id"] == stack.parameters["FileSystemId"]
    cloudwatch.set_alarm_state(AlarmName=f"{STACK_NAME}-warning", StateValue="OK", StateReason="test")


@pytest.mark.more
def test_systems_manager_may_know_of_a_finished_run_some_moments_later(
    player: Player, stack: DescribedStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = iter([True, True])
    client = stack.account.client

    def late(service: Any) -> Any:
        made = client(service)

        def refuse(**_: object) -> None:
            if next(unknown, False):
                raise made.exceptions.InvocationDoesNotExist({"Error": {"Code": "InvocationDoesNotExist"}}, "Get")

        made.meta.events.register("before-call.ssm.GetCommandInvocation", refuse)
        return made

    monkeypatch.setattr(type(stack.account), "client", lambda _, service: late(service))
    is_whole, lines = run(player, stack)
    assert is_whole, lines
    assert next(unknown, None) is None


@pytest.mark.whole
def test_an_interrupt_says_that_the_run_goes_on_and_how_to_end_it(player: Player, stack: DescribedStack) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="goes on by itself") as told:
        benchmark(stack, Wish(), show=lambda line: None, clock=Clock(pause=interrupted))
    command = str(told.value).partition("to end it: ")[2].split()
    assert command[:4] == ["aws", "ssm", "cancel-command", "--command-id"]
    ssm = stack.account.client("ssm")
    ssm.cancel_command(CommandId=command[4])
    while any(
        one["Status"] in RUNNING for one in ssm.list_command_invocations(CommandId=command[4])["CommandInvocations"]
    ):
        minute_passes(player)


def test_without_an_instance_nothing_is_run(player: Player, stack: DescribedStack) -> None:
    hands = ManualChanges(player.sandbox)
    hands.disconnect(INSTANCE_ID)
    try:
        with pytest.raises(Refused, match=r"\(no-target-online\)"):
            run(player, stack)
    finally:
        hands.connect(INSTANCE_ID)


def test_a_replication_destination_is_not_measured(player: Player, stack: DescribedStack) -> None:
    file_systems, file_system_id = player.sandbox.file_systems, stack.parameters["FileSystemId"]
    file_systems.set_replicated(file_system_id)
    try:
        with pytest.raises(Refused, match=r"\(replication-destination\).* is a replication destination, which is read"):
            run(player, stack)
    finally:
        file_systems.set_replicated(file_system_id, is_destination=False)


def test_a_mount_that_is_gone_fails_every_workload_and_is_told(player: Player, stack: DescribedStack) -> None:
    player.machines.unmount(INSTANCE_ID)
    try:
        is_whole, lines = run(player, stack)
    finally:
        player.machines.mount(INSTANCE_ID)
    assert not is_whole
    assert any("is not on an NFS 4 mount" in line for line in lines)
    assert sum("| failed" in line or "|   failed" in line for line in lines) == 8


@pytest.mark.whole
def test_a_cancelled_run_says_so(player: Player, stack: DescribedStack) -> None:
    ssm = stack.account.client("ssm")

    def cancel_and_pass() -> None:
        ssm.cancel_command(CommandId=ssm.list_commands()["Commands"][0]["CommandId"])
        minute_passes(player)

    lines: list[str] = []
    patient = Clock(now=clock(player).now, pause=cancel_and_pass)
    assert not benchmark(stack, Wish(), show=lines.append, clock=patient)
    assert f"{INSTANCE_ID}: the command was cancelled" in lines


def test_an_unknown_profile_is_refused_with_the_known_ones(player: Player, stack: DescribedStack) -> None:
    with pytest.raises(Refused, match=r"'fast'.*quick, tutorial, sweep, copy"):
        run(player, stack, Wish(profile="fast"))


def test_a_stack_without_benchmarks_says_what_to_deploy() -> None:
    bare = DescribedStack(account=Account("us-east-1"), name="bare", resources={}, parameters={"BenchmarkPath": ""})
    with pytest.raises(Refused, match="BenchmarkPath"):
        benchmark(bare, Wish())


def test_nothing_is_left_on_the_mount(player: Player) -> None:
    # What was cancelled is removed by its reaper, a moment after the agent has given up.
    limit = time.monotonic() + 60
    while list(player.machines.mount_path.iterdir()) and time.monotonic() < limit:
        time.sleep(0.1)
    assert list(player.machines.mount_path.iterdir()) == []
    assert instances()[INSTANCE_ID].is_online


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--environment", "nowhere"], "samconfig.toml has no environment 'nowhere'"),
        (["--stack", "efs-monitor-nobody"], "There is no stack efs-monitor-nobody in us-east-1"),
        pytest.param(["--stack", STACK_NAME, "--size-mib", "99999"], "--size-mib is '99999'", marks=pytest.mark.whole),
    ],
)
def test_what_cannot_be_is_one_sentence(player: Player, arguments: list[str], said: str) -> None:
    minute_passes(player)
    found = CliRunner().invoke(app, ["benchmark", *arguments])
    assert found.exit_code == 2
    assert said in " ".join(found.stderr.split())
