"""The stack's own document on an agent of the sandbox: what it measures, and what agents must be like for it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from efs_monitor.benchmarks.plan import decode
from efs_monitor.benchmarks.results import Report, Status, parse

from localaws.ssm.document import Document, read
from localaws.ssm.execution import Execution, ExecutionResult
from localaws.ssm.host import Host, Mount
from operate.template_files import template
from stage.scenario_instances.machines import Machines
from stage.scenario_tables import ScenarioInstance

FILE_SYSTEM_ID = "fs-0123456789abcdef0"
PLAN = (
    "id=touch-serial,on=efs,do=touch,threads=1,files=16,directories=1;"
    "id=dd-write-1m-end,on=efs,do=write,threads=1,block=1048576,sync=end,files=1,bytes=2097152;"
    "id=dd-read-4,on=efs,do=read,threads=4,block=1048576,files=4,bytes=1048576"
)

Run = Callable[..., ExecutionResult]


@pytest.fixture(scope="module")
def document() -> Document:
    return read(template()["Resources"]["BenchmarkDocument"]["Properties"]["Content"])


@pytest.fixture
def machines() -> Iterator[Machines]:
    with Machines((ScenarioInstance(id="i-0123456789abcdef0"),), FILE_SYSTEM_ID) as machines:
        yield machines


@pytest.fixture
def mounted(host: Host, machines: Machines) -> Host:
    mount = Mount(path=machines.mount_path, file_system_id=FILE_SYSTEM_ID)
    return replace(host, instance_type="c5.2xlarge", mounts=(mount,))


@pytest.fixture
def run(document: Document, machines: Machines) -> Run:
    def measured(host: Host, **parameters: str) -> ExecutionResult:
        given = {
            "RunId": "run-20300107t000000z-0a1b2c3d",
            "FileSystemId": FILE_SYSTEM_ID,
            "MountPath": str(machines.mount_path),
            "Plan": PLAN,
            "DeadlineSeconds": "60",
            "ExecutionTimeout": "120",
            **parameters,
        }
        checked = document.checked({name: [value] for name, value in given.items()})
        return Execution(document, checked, host).result()

    return measured


def report(invocation: ExecutionResult) -> Report:
    return parse(invocation.stdout, decode(PLAN))


@pytest.mark.whole
def test_it_measures_every_workload_and_says_what_the_host_is(run: Run, mounted: Host) -> None:
    invocation = run(mounted)
    assert (invocation.status, invocation.stderr) == ("Success", "")
    found = report(invocation)
    assert [result.status for result in found.results] == [Status.OK] * 3
    machine = found.machine
    assert machine is not None
    assert (machine.instance_id, machine.instance_type) == (mounted.instance_id, "c5.2xlarge")
    assert machine.agent == mounted.agent_version
    assert machine.mount_options.startswith(f"{FILE_SYSTEM_ID}.efs.us-east-1.amazonaws.com:/ rw")
    assert machine.user.isdecimal()
    assert machine.user != "0"


@pytest.mark.whole
def test_it_leaves_nothing_behind(run: Run, mounted: Host, machines: Machines) -> None:
    run(mounted)
    assert list(machines.mount_path.iterdir()) == []


def test_an_agent_that_passes_no_environment_is_told_to_be_updated(run: Run, mounted: Host) -> None:
    invocation = run(replace(mounted, agent_version="3.2.582.0"))
    assert (invocation.status, invocation.response_code) == ("Failed", 2)
    assert "update it to 3.3.2746.0 or later" in invocation.stderr


@pytest.mark.whole
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"mounts": ()}, "is not on an NFS 4 mount but on xfs"),
        ({"kind": "ext4"}, "is not on an NFS 4 mount but on ext4"),
        ({"file_system_id": "fs-12345678"}, f"is fs-12345678, not {FILE_SYSTEM_ID}"),
        ({"options": "ro,vers=4.1"}, "is mounted read-only"),
    ],
)
def test_another_mount_is_refused_by_what_it_is(run: Run, mounted: Host, change: dict[str, Any], said: str) -> None:
    mounts = () if "mounts" in change else (replace(mounted.mounts[0], **change),)
    invocation = run(replace(mounted, mounts=mounts))
    assert invocation.status == "Failed"
    assert said in invocation.stderr
    assert said in report(invocation).results[0].reason
