"""Three agents of a deployed stack on one mount: together they get what is permitted, and the stack says so."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from efs_monitor.benchmarks.profiles import workloads_of
from efs_monitor.benchmarks.workloads import Do

from operate.benchmark.on_demand_request import Wish
from operate.benchmark.on_demand_run import Clock, benchmark
from operate.described_stack import Account, find_stack
from simulation.burst_credits import BURST_FLOOR_BYTES_PER_SECOND
from stage.player import Player
from stage.runs import minute_passes
from stage.scenario import Scenario, read
from tests.deployed import deployed

pytestmark = [pytest.mark.needs("FUSE"), pytest.mark.days]

STACK_NAME = "efs-monitor-fleet"
SIZE_MIB = 32
INSTANCE_IDS = tuple(f"i-{number:017x}" for number in (1, 2, 3))
FLEET: Scenario = read(
    "fleet",
    f"""
    about = "Three instances on one file system."
    days = 1
    [file_system]
    size_gib = 100
    {"".join(f'[[instance]]{chr(10)}id = "{one}"{chr(10)}' for one in INSTANCE_IDS)}
    [[deploy]]
    [deploy.parameters]
    BenchmarkPath = "$MOUNT"
    BenchmarkSchedule = ""
    BenchmarkSizeMiB = {SIZE_MIB}
    """,
)


@pytest.fixture(scope="module")
def player(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Player]:
    """After a run of all three."""
    with deployed(tmp_path_factory.mktemp("fleet"), FLEET, STACK_NAME) as player:
        account = Account("us-east-1")
        lines: list[str] = []
        passing = Clock(now=lambda: player.sandbox.clock.now().timestamp(), pause=lambda: minute_passes(player))
        is_whole = benchmark(find_stack(account, STACK_NAME), Wish(), show=lines.append, clock=passing)
        account.close()
        assert is_whole, "\n".join(lines)
        minute_passes(player)
        yield player


def values(player: Player, name: str, workload: str) -> list[float]:
    """Sum and number of a metric's values."""
    cloudwatch = player.sandbox.client("cloudwatch")
    now = player.sandbox.clock.now()
    [point] = cloudwatch.get_metric_statistics(
        Namespace="EFSMonitor",
        MetricName=name,
        Dimensions=[{"Name": "FileSystemId", "Value": FLEET.file_system_id}, {"Name": "Workload", "Value": workload}],
        StartTime=now - timedelta(hours=1),
        EndTime=now,
        Period=3600,
        Statistics=["Sum", "SampleCount"],
    )["Datapoints"]
    return [point["Sum"], point["SampleCount"]]


@pytest.mark.speed
@pytest.mark.parametrize("workload", ["dd-write-1m-end", "dd-write-1m-each"])
def test_together_they_write_what_is_permitted(player: Player, workload: str) -> None:
    total, count = values(player, "FleetThroughput", workload)
    assert count == 1
    assert total == pytest.approx(BURST_FLOOR_BYTES_PER_SECOND, rel=0.1)


@pytest.mark.speed
def test_each_of_them_gets_its_own_part(player: Player) -> None:
    total, _ = values(player, "Throughput", "dd-write-1m-end")
    assert total == pytest.approx(BURST_FLOOR_BYTES_PER_SECOND, rel=0.1)


def test_each_of_them_reports_its_own_part(player: Player) -> None:
    assert values(player, "Throughput", "dd-write-1m-end")[1] == len(INSTANCE_IDS)


def test_what_they_did_left_the_balance_and_no_more_than_was_foreseen(player: Player) -> None:
    workloads = workloads_of("quick", size_mib=SIZE_MIB)
    spent_bytes = sum(minute.metered_bytes for minute in player.lived)
    assert spent_bytes > len(INSTANCE_IDS) * sum(one.bytes for one in workloads if one.do is Do.WRITE)
    assert spent_bytes <= len(INSTANCE_IDS) * sum(one.metered_bytes for one in workloads)


def test_nothing_is_left_on_the_mount(player: Player) -> None:
    assert list(player.machines.mount_path.iterdir()) == []
