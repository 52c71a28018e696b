"""Run Command over the API: what it refuses, what it tells while a script runs and afterwards."""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.clock import MINUTE
from localaws.sandbox import Sandbox
from localaws.ssm.host import Host
from localaws.ssm.instances import Instance, instances
from localaws.ssm.platforms import WINDOWS
from tests.localaws.ssm.conftest import content

FIRST, SECOND = "i-00000000000000001", "i-00000000000000002"

Send = Callable[..., str]


@pytest.fixture(autouse=True)
def still(sandbox: Sandbox) -> None:
    """Time stands still at a full minute, as in a played scenario."""
    sandbox.advance()


@pytest.fixture(autouse=True)
def managed(sandbox: Sandbox, tmp_path: Path) -> None:
    for instance_id in (FIRST, SECOND):
        host = Host(instance_id=instance_id, folder=tmp_path / instance_id)
        instances()[instance_id] = Instance(host=host, tags={"efs-monitor": "fs-12345678"})


@pytest.fixture
def create(sandbox: Sandbox) -> Callable[..., None]:
    def document(*lines: str, kind: str = "Command", name: str = "say", **settings: Any) -> None:
        sandbox.client("ssm").create_document(
            Name=name, Content=json.dumps(content(*lines, **settings)), DocumentType=kind, DocumentFormat="JSON"
        )

    return document


@pytest.fixture
def send(sandbox: Sandbox) -> Send:
    def command(**settings: Any) -> str:
        whole = {"DocumentName": "say", "InstanceIds": [FIRST], **settings}
        if "Targets" in settings:
            del whole["InstanceIds"]
        return str(sandbox.client("ssm").send_command(**whole)["Command"]["CommandId"])

    return command


def invocation(sandbox: Sandbox, command_id: str, instance_id: str = FIRST) -> dict[str, Any]:
    found: dict[str, Any] = sandbox.client("ssm").get_command_invocation(CommandId=command_id, InstanceId=instance_id)
    return found


def test_a_command_is_in_progress_until_as_much_simulated_time_has_passed_as_it_took(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    create("echo hello; sleep 0.3")
    began = sandbox.clock.now()
    command_id = send()
    sandbox.agents.wait_until(began + MINUTE)
    during = invocation(sandbox, command_id)
    assert (during["Status"], during["ResponseCode"], during["StandardOutputContent"]) == ("InProgress", -1, "")
    sandbox.advance()
    after = invocation(sandbox, command_id)
    assert (after["Status"], after["StatusDetails"], after["ResponseCode"]) == ("Success", "Success", 0)
    assert after["StandardOutputContent"] == "hello\n"
    assert after["ExecutionStartDateTime"] == f"{began:%Y-%m-%dT%H:%M:%S}.000Z"
    seconds = float(after["ExecutionElapsedTime"].removeprefix("PT").removesuffix("S"))
    assert 0.3 <= seconds < 30
    assert after["ExecutionEndDateTime"] < f"{began + timedelta(seconds=30):%Y-%m-%dT%H:%M:%S}"


def test_outputs_are_cut_as_the_api_cuts_them(sandbox: Sandbox, create: Callable[..., None], send: Send) -> None:
    create("head -c 30000 /dev/zero | tr '\\0' x; head -c 9000 /dev/zero | tr '\\0' y >&2")
    command_id = send()
    sandbox.advance()
    whole = invocation(sandbox, command_id)
    assert whole["StandardOutputContent"] == "x" * 23_980 + "--output truncated--"
    assert whole["StandardErrorContent"] == "y" * 8_000
    (listed,) = sandbox.client("ssm").list_command_invocations(CommandId=command_id, Details=True)["CommandInvocations"]
    assert listed["CommandPlugins"][0]["Output"].startswith("x" * 1_215 + "\n---Output truncated---")
    assert len(listed["CommandPlugins"][0]["Output"]) == 2_500


@pytest.mark.parametrize(
    ("settings", "refusal"),
    [
        ({"DocumentName": "nothing"}, ("InvalidDocument", "nothing")),
        ({"DocumentName": "runbook"}, ("InvalidDocument", "Automation")),
        ({"DocumentVersion": "7"}, ("InvalidDocumentVersion", "7")),
        ({"Parameters": {"Who": ["x"], "Colour": ["red"]}}, ("InvalidParameters", "Colour")),
        ({"Parameters": {}}, ("InvalidParameters", "Who requires a value")),
        ({"Parameters": {"Who": ["x", "y"]}}, ("InvalidParameters", "one value, not 2")),
        ({"Parameters": {"Who": ["x y"]}}, ("InvalidParameters", "allowed pattern")),
        ({"Parameters": {"Who": ["x\n"]}}, ("InvalidParameters", "allowed pattern")),
        ({"InstanceIds": ["i-0000000000000dead"]}, ("InvalidInstanceId", "i-0000000000000dead")),
        ({"InstanceIds": [FIRST, FIRST]}, ("DuplicateInstanceId", FIRST)),
    ],
)
def test_what_send_command_refuses(
    sandbox: Sandbox, create: Callable[..., None], send: Send, settings: dict[str, Any], refusal: tuple[str, str]
) -> None:
    create("echo {{ Who }}", Who={"allowedPattern": "^[a-z]+$"})
    sandbox.client("ssm").create_document(
        Name="runbook",
        Content=json.dumps({"schemaVersion": "0.3", "mainSteps": []}),
        DocumentType="Automation",
        DocumentFormat="JSON",
    )
    with pytest.raises(ClientError) as refused:
        send(**{"Parameters": {"Who": ["x"]}, **settings})
    code, said = refusal
    assert refused.value.response["Error"]["Code"] == code
    assert said in refused.value.response["Error"]["Message"]
    assert sandbox.agents.commands == []


def test_a_document_has_64_kib_with_the_values_that_it_is_sent_with(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    create("#" * 60_000 + "{{ Who }}", Who={"maxChars": 9_000})
    stored = len(sandbox.client("ssm").get_document(Name="say")["Content"].encode())
    fits = 64 * 1_024 - stored - len(json.dumps({"Who": [""]}))
    with pytest.raises(ClientError, match="The size limit of a document is 64 KB") as refused:
        send(Parameters={"Who": ["x" * (fits + 1)]})
    assert refused.value.response["Error"]["Code"] == "MaxDocumentSizeExceeded"
    assert sandbox.agents.commands == []
    assert send(Parameters={"Who": ["x" * fits]})


def test_a_failure_is_one_of_the_whole_command_and_says_its_exit_status(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    create("exit 2")
    command_id = send(InstanceIds=[FIRST, SECOND])
    sandbox.advance()
    (command,) = sandbox.client("ssm").list_commands(CommandId=command_id)["Commands"]
    assert (command["Status"], command["CompletedCount"], command["ErrorCount"]) == ("Failed", 2, 2)
    assert invocation(sandbox, command_id, SECOND)["ResponseCode"] == 2


def test_instances_run_at_the_same_time(
    sandbox: Sandbox, create: Callable[..., None], send: Send, tmp_path: Path
) -> None:
    create(
        f"touch {tmp_path}/$AWS_SSM_INSTANCE_ID",
        f"while [ ! -e {tmp_path}/{FIRST} ] || [ ! -e {tmp_path}/{SECOND} ]; do sleep 0.02; done",
    )
    command_id = send(Targets=[{"Key": "tag:efs-monitor", "Values": ["fs-12345678"]}])
    sandbox.advance()
    listed = sandbox.client("ssm").list_command_invocations(CommandId=command_id)["CommandInvocations"]
    assert {one["InstanceId"]: one["Status"] for one in listed} == {FIRST: "Success", SECOND: "Success"}


def test_one_at_a_time_stops_at_the_first_failure_where_none_is_tolerated(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    create("exit 1")
    command_id = send(InstanceIds=[FIRST, SECOND], MaxConcurrency="1", MaxErrors="0")
    sandbox.advance()
    assert invocation(sandbox, command_id, FIRST)["StatusDetails"] == "Failed"
    assert invocation(sandbox, command_id, SECOND)["StatusDetails"] == "Terminated"


def test_a_tag_that_nobody_has_is_told_in_the_details(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    create("true")
    command_id = send(Targets=[{"Key": "tag:efs-monitor", "Values": ["fs-00000000"]}])
    (command,) = sandbox.client("ssm").list_commands(CommandId=command_id)["Commands"]
    assert (command["TargetCount"], command["StatusDetails"]) == (0, "No Instances In Tag")


def test_a_command_waits_for_an_instance_that_is_away(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    create("echo late")
    away = replace(instances()[FIRST], presence="ConnectionLost")
    instances()[FIRST] = away
    command_id = send()
    assert invocation(sandbox, command_id)["Status"] == "Pending"
    sandbox.advance()
    assert invocation(sandbox, command_id)["Status"] == "Delayed"
    instances()[FIRST] = replace(away, presence="Online")
    sandbox.advance()
    sandbox.advance()
    assert invocation(sandbox, command_id)["StandardOutputContent"] == "late\n"


def test_a_command_that_is_not_delivered_in_time_never_runs(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    create("echo never")
    instances()[FIRST] = replace(instances()[FIRST], presence="ConnectionLost")
    command_id = send(TimeoutSeconds=60)
    sandbox.advance()
    sandbox.advance()
    found = invocation(sandbox, command_id)
    assert (found["Status"], found["StatusDetails"]) == ("TimedOut", "Delivery Timed Out")
    assert (found["ResponseCode"], found["ExecutionStartDateTime"]) == (-1, "")


def test_a_command_for_an_instance_that_was_terminated_meanwhile_is_undeliverable(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    create("echo never")
    instances()[FIRST] = replace(instances()[FIRST], presence="ConnectionLost")
    command_id = send()
    del instances()[FIRST]
    sandbox.advance()
    found = invocation(sandbox, command_id)
    assert (found["Status"], found["StatusDetails"]) == ("Failed", "Undeliverable")


def test_what_was_cut_off_has_its_error_output_and_no_standard_output(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    create("echo measured; echo why >&2; sleep 20", timeout_seconds="1")
    command_id = send()
    sandbox.advance()
    sandbox.advance()
    found = invocation(sandbox, command_id)
    assert (found["Status"], found["StatusDetails"]) == ("TimedOut", "Execution Timed Out")
    assert (found["StandardOutputContent"], found["StandardErrorContent"].split()[0]) == ("", "why")


def test_cancelling_ends_what_runs_and_what_waits(sandbox: Sandbox, create: Callable[..., None], send: Send) -> None:
    create("sleep 20")
    instances()[SECOND] = replace(instances()[SECOND], presence="ConnectionLost")
    command_id = send(InstanceIds=[FIRST, SECOND])
    sandbox.client("ssm").cancel_command(CommandId=command_id)
    sandbox.advance()
    for instance_id in (FIRST, SECOND):
        assert invocation(sandbox, command_id, instance_id)["Status"] == "Cancelled"


def test_commands_are_listed_by_document_status_and_time(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    ssm = sandbox.client("ssm")
    create("true")
    create("exit 1", name="fail")
    first = send()
    sandbox.advance()
    second = send(DocumentName="fail")
    sandbox.advance()

    def listed(**filters: str) -> list[str]:
        wanted = [{"key": key, "value": value} for key, value in filters.items()]
        settings = {"Filters": wanted} if wanted else {}
        return [one["CommandId"] for one in ssm.list_commands(**settings)["Commands"]]

    assert listed() == [second, first]
    assert listed(DocumentName="say") == [first]
    assert listed(Status="Failed") == [second]
    assert listed(InvokedAfter=f"{sandbox.clock.now() - MINUTE:%Y-%m-%dT%H:%M:%SZ}") == [second]
    pages = ssm.get_paginator("list_commands").paginate(PaginationConfig={"PageSize": 1})
    assert [one["CommandId"] for page in pages for one in page["Commands"]] == [second, first]


def test_a_script_knows_the_command_that_it_belongs_to(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    create('echo "$SSM_COMMAND_ID"')
    command_id = send()
    sandbox.advance()
    assert invocation(sandbox, command_id)["StandardOutputContent"] == f"{command_id}\n"


def test_an_instance_of_another_platform_succeeds_without_a_word(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    create("echo never", precondition={"StringEquals": ["platformType", "Linux"]})
    instances()[FIRST] = replace(instances()[FIRST], host=replace(instances()[FIRST].host, platform=WINDOWS))
    command_id = send()
    sandbox.advance()
    found = invocation(sandbox, command_id)
    assert (found["Status"], found["ResponseCode"], found["StandardOutputContent"]) == ("Success", 0, "")
    listed = sandbox.client("ssm").describe_instance_information()["InstanceInformationList"]
    assert {one["InstanceId"]: one["PlatformType"] for one in listed} == {FIRST: "Windows", SECOND: "Linux"}


@pytest.mark.parametrize("rebooted", [True, False])
def test_after_a_reboot_or_without_its_worker_a_command_has_failed_without_a_word(
    sandbox: Sandbox, create: Callable[..., None], send: Send, *, rebooted: bool
) -> None:
    create("echo begun; sleep 20")
    command_id = send()
    execution = sandbox.agents.commands[0].invocations[0].execution
    assert execution is not None
    while not execution.stdout:
        time.sleep(0.01)
    (sandbox.agents.reboot if rebooted else sandbox.agents.lose_workers)(FIRST)
    sandbox.advance()
    found = invocation(sandbox, command_id)
    assert (found["Status"], found["ResponseCode"]) == ("Failed", 1)
    assert (found["StandardOutputContent"], found["StandardErrorContent"]) == ("", "")
    (listed,) = sandbox.client("ssm").list_command_invocations(CommandId=command_id, Details=True)["CommandInvocations"]
    assert "check [ssm-document-worker]" in listed["CommandPlugins"][0]["Output"]
    assert Path(f"/proc/{execution.process_id}").exists() != rebooted
    sandbox.agents.terminate(FIRST)


def test_instances_are_described_by_tag_and_presence(sandbox: Sandbox) -> None:
    instances()[SECOND] = replace(instances()[SECOND], presence="ConnectionLost")

    def described(**filters: str) -> list[str]:
        wanted = [{"Key": key, "Values": [value]} for key, value in filters.items()]
        found = sandbox.client("ssm").describe_instance_information(Filters=wanted)["InstanceInformationList"]
        return [one["InstanceId"] for one in found]

    assert described(**{"tag:efs-monitor": "fs-12345678"}) == [FIRST, SECOND]
    assert described(PingStatus="Online") == [FIRST]
    assert described(**{"tag:efs-monitor": "fs-00000000"}) == []


def test_a_filter_by_tag_combines_with_no_other(sandbox: Sandbox) -> None:
    filters = [{"Key": "tag:efs-monitor", "Values": ["fs-12345678"]}, {"Key": "PingStatus", "Values": ["Online"]}]
    with pytest.raises(ClientError, match="Tag filters can't be combined"):
        sandbox.client("ssm").describe_instance_information(Filters=filters)


def test_an_unknown_command_or_instance_has_no_invocation(
    sandbox: Sandbox, create: Callable[..., None], send: Send
) -> None:
    create("true")
    command_id = send()
    for wanted, code in (
        ({"CommandId": "0" * 36, "InstanceId": FIRST}, "InvalidCommandId"),
        ({"CommandId": command_id, "InstanceId": SECOND}, "InvocationDoesNotExist"),
    ):
        with pytest.raises(ClientError) as refused:
            sandbox.client("ssm").get_command_invocation(**wanted)
        assert refused.value.response["Error"]["Code"] == code


@pytest.mark.whole
def test_what_runs_on_an_instance_that_is_terminated_times_out_without_a_word(
    sandbox: Sandbox, create: Callable[..., None], send: Send, tmp_path: Path
) -> None:
    create("echo begun", f"setsid sh -c 'sleep 1; touch {tmp_path}/outlived' & sleep 20", timeout_seconds="60")
    command_id = send(TimeoutSeconds=60)
    execution = sandbox.agents.commands[0].invocations[0].execution
    assert execution is not None
    while not execution.stdout:
        time.sleep(0.01)
    sandbox.agents.terminate(FIRST)
    sandbox.advance()
    assert invocation(sandbox, command_id)["Status"] == "InProgress"
    sandbox.advance()
    found = invocation(sandbox, command_id)
    assert (found["Status"], found["StatusDetails"], found["ResponseCode"]) == ("TimedOut", "Execution Timed Out", -1)
    assert found["StandardOutputContent"] == ""
    time.sleep(1.2)
    assert not (tmp_path / "outlived").exists()
