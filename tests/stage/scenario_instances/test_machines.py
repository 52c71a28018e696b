"""A scenario's instances: where their file system is, and that a benchmark on it is one on the simulated one."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from localaws.clock import MINUTE, START
from localaws.sandbox import Sandbox
from localaws.ssm.instances import instances
from stage.mount.mounted import ModelledMount
from stage.player import Player
from stage.scenario import Scenario, read
from stage.scenario_instances.machines import Machines
from stage.scenario_tables import ScenarioError, ScenarioInstance
from tests.localaws.ssm.conftest import content

ONE = ScenarioInstance(id="i-0123456789abcdef0", type="c5.2xlarge")
SCENARIO: Scenario = read(
    "one",
    """
    about = "One instance."
    days = 1
    [file_system]
    size_gib = 100
    balance_percent = 50
    [[instance]]
    id = "i-0123456789abcdef0"
    type = "c5.2xlarge"
    """,
)
PLAN = "id=dd-write-1m-end,on=efs,do=write,threads=1,block=1048576,sync=end,files=1,bytes=4194304"
WRITTEN_BYTES = 4 * 2**20
LINE = json.dumps({"type": "workload", "id": "dd-write-1m-end", "status": "ok"})


@pytest.fixture(params=[pytest.param("mount", marks=pytest.mark.needs("FUSE")), "plain directory"])
def player(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Player]:
    if request.param == "plain directory":
        monkeypatch.setattr(ModelledMount, "why_not", staticmethod(lambda: "not wanted"))
    with (
        Machines(SCENARIO.machines, SCENARIO.file_system_id) as machines,
        Sandbox(tmp_path, start=START - MINUTE) as sandbox,
    ):
        yield Player(sandbox, SCENARIO, machines=machines)


def write(player: Player) -> None:
    """Four MiB by a command that writes and says so, as the script does."""
    ssm = player.sandbox.client("ssm")
    path = {"allowedPattern": "^/"}
    script = (
        "dd if=/dev/zero of={{ MountPath }}/file bs=1M count=4 conv=fsync 2>/dev/null",
        "rm {{ MountPath }}/file",
        f"echo '{LINE}'",
    )
    document = json.dumps(content(*script, MountPath=path, Plan={}))
    ssm.create_document(Name="write", Content=document, DocumentType="Command", DocumentFormat="JSON")
    parameters = {"MountPath": [str(player.machines.mount_path)], "Plan": [PLAN]}
    ssm.send_command(DocumentName="write", InstanceIds=[ONE.id], Parameters=parameters)


def test_what_a_benchmark_writes_leaves_the_balance(player: Player) -> None:
    minutes = player.play(lambda _: None)
    next(minutes)
    before = player.lived[-1].metered_bytes
    write(player)
    next(minutes)
    next(minutes)
    assert before == 0
    assert player.lived[1].metered_bytes >= WRITTEN_BYTES
    assert player.lived[1].metered_bytes < 2 * WRITTEN_BYTES
    assert player.lived[2].metered_bytes == 0


def test_an_instance_is_tagged_with_its_file_system(player: Player) -> None:
    instance = instances()[ONE.id]
    assert instance.tags == {"efs-monitor": SCENARIO.file_system_id}
    assert instance.host.instance_type == "c5.2xlarge"


def test_the_parameters_of_a_stack_get_the_folders(player: Player) -> None:
    filled = player.machines.filled(
        {"BenchmarkPath": "$MOUNT", "BenchmarkLocalPath": "$LOCAL", "AlertEmail": "$MOUNT@a.b"}
    )
    assert filled["BenchmarkPath"] == str(player.machines.mount_path)
    assert filled["BenchmarkLocalPath"] == str(player.machines.local_path)
    assert filled["AlertEmail"] == "$MOUNT@a.b"


def test_whoever_the_script_becomes_gets_through_to_the_mount(player: Player) -> None:
    for folder in (player.machines.mount_path, *player.machines.mount_path.parents):
        assert folder.stat().st_mode & 0o001


def test_nothing_is_left_afterwards() -> None:
    with Machines((ONE,), "fs-12345678") as machines:
        place = machines.mount_path.parent
        assert place.exists()
    assert not place.exists()


def test_the_mount_lies_where_a_stack_may_have_its_benchmarks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No parameter takes a path with a space in it."""
    (tmp_path / "my files").mkdir()
    monkeypatch.setattr(ModelledMount, "why_not", staticmethod(lambda: "not wanted"))
    for temporary, is_used in ((tmp_path, True), (tmp_path / "my files", False)):
        monkeypatch.setattr(tempfile, "tempdir", str(temporary))
        with Machines(SCENARIO.machines, SCENARIO.file_system_id) as machines:
            assert (temporary in machines.mount_path.parents) is is_used
            assert " " not in str(machines.mount_path)


def test_without_instances_there_is_no_folder_and_nothing_to_explain() -> None:
    with Machines((), "fs-12345678") as machines:
        assert not machines.mount_path.exists()
        assert machines.why_plain is None
        assert machines.new_load() is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[[instance]]\nid = "i-0123456789abcdef0"\ncolour = "red"', "colour"),
        ("[[instance]]\ntype = 'm5.large'", "'id' is missing"),
        ('[[change]]\nat = "01:00"\nunplug = "i-1"', "unplug"),
    ],
)
def test_a_scenario_names_what_it_does_not_know_of_an_instance(text: str, said: str) -> None:
    whole = f'about = "x"\ndays = 1\n[file_system]\nsize_gib = 1\n{text}\n'
    with pytest.raises(ScenarioError, match=said):
        read("wrong", whole)


def test_a_scenario_names_the_mounts_that_there_are() -> None:
    with pytest.raises(ScenarioError, match="plain"):
        read("wrong", 'about = "x"\ndays = 1\n[file_system]\nsize_gib = 1\nmount = "slow"\n')
