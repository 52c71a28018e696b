"""Another script is deployed and the deployment fails: the stack works, with the old script, whatever Systems Manager
answers to content that it had before."""

from pathlib import Path
from typing import Any

import pytest

from localaws.cloudformation.error_codes import ResourceFailure
from localaws.sandbox import Sandbox
from stage.benchmark_hosts import BenchmarkHosts
from stage.direct_deployment import DeploymentRefused
from stage.home import Home, Names
from tests.quick import first_of
from tests.stage.monitor.stack_under_test import StackUnderTest


@pytest.fixture
def stack(sandbox: Sandbox, built: Path, tmp_path: Path) -> StackUnderTest:
    """With benchmarks, and one instance to run them."""
    deployed = StackUnderTest(sandbox=sandbox, built=built)
    deployed.create_file_system()
    deployed.deploy(BenchmarkPath="/mnt/efs", BenchmarkSchedule="")
    deployed.live(3)
    names = Names(deployed.name, deployed.file_system_id)
    home = Home(sandbox=sandbox, names=names)
    BenchmarkHosts(home=home, folder=tmp_path / "hosts").add()
    return deployed


def with_another_script(template: dict[str, Any]) -> None:
    """The document runs something else, and is named after it."""
    properties = template["Resources"]["BenchmarkDocument"]["Properties"]
    properties["Name"]["Fn::Join"][1][-1] = "0123456789ab"
    step = properties["Content"]["mainSteps"][0]
    step["inputs"]["runCommand"] = ["echo another script"]


def script_sent(stack: StackUnderTest) -> str:
    """What RunBenchmark has instances run, if asked now."""
    answer = stack.invoke("RunBenchmark", Names(stack.name, stack.file_system_id).daily_after(days=1))
    assert answer.get("command_id"), answer
    return "\n".join(stack.sandbox.agents.commands[-1].document.commands)


def fail_after_the_document(stack: StackUnderTest) -> None:
    """The update fails once another script is there."""
    contents = []
    for version in stack.sandbox.client("ssm").list_documents(Filters=[{"Key": "Owner", "Values": ["Self"]}])[
        "DocumentIdentifiers"
    ]:
        found = stack.sandbox.client("ssm").get_document(Name=version["Name"], DocumentVersion="$LATEST")
        contents.append(found["Content"])
    if any("another script" in one for one in contents):
        stack.sandbox.cloudformation.pause = lambda: None
        raise ResourceFailure("of the test")


@pytest.mark.parametrize("old_content_is_refused", [pytest.param(True, marks=pytest.mark.whole), False])
def test_a_rollback_ends_in_a_working_stack_with_the_old_script(
    stack: StackUnderTest, old_content_is_refused: bool
) -> None:
    stack.sandbox.documents.old_content_is_refused = old_content_is_refused
    stack.sandbox.cloudformation.pause = lambda: fail_after_the_document(stack)
    with pytest.raises(DeploymentRefused):
        stack.deploy_changed(with_another_script, BenchmarkPath="/mnt/efs", BenchmarkSchedule="")
    assert stack.status() == "UPDATE_ROLLBACK_COMPLETE"
    assert "another script" not in script_sent(stack)


@pytest.mark.whole
@pytest.mark.parametrize("old_content_is_refused", first_of([True, False]))
def test_the_old_script_deployed_again_is_what_is_sent(stack: StackUnderTest, old_content_is_refused: bool) -> None:
    stack.sandbox.documents.old_content_is_refused = old_content_is_refused
    stack.deploy_changed(with_another_script, BenchmarkPath="/mnt/efs", BenchmarkSchedule="")
    stack.deploy(BenchmarkPath="/mnt/efs", BenchmarkSchedule="")
    assert "another script" not in script_sent(stack)


def test_another_script_is_sent_once_it_is_deployed(stack: StackUnderTest) -> None:
    stack.deploy_changed(with_another_script, BenchmarkPath="/mnt/efs", BenchmarkSchedule="")
    assert script_sent(stack) == "echo another script"


@pytest.mark.whole
def test_a_start_that_is_repeated_after_another_script_was_deployed_is_not_sent_again(stack: StackUnderTest) -> None:
    start = Names(stack.name, stack.file_system_id).daily_after(days=1)
    first = stack.invoke("RunBenchmark", start)
    stack.deploy_changed(with_another_script, BenchmarkPath="/mnt/efs", BenchmarkSchedule="")
    # Lambda tries again and the scheduler delivers twice within the hour; what is under way is over by then.
    stack.live(30)
    again = stack.invoke("RunBenchmark", start)
    assert again["run_id"] == first["run_id"]
    assert len(stack.sandbox.agents.commands) == 1
