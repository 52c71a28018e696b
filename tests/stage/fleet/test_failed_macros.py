"""A fleet whose template has macros that fail: CloudFormation takes the call, and says why afterwards."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from efs_monitor.aws.runtime import Clients

from proofs.fleet.fleet_account import BUCKET, FleetAccount, file_system_id, small_monitor
from proofs.fleet.fleet_starting_points import TAKEN
from tests.quick import first_of

INCLUDED = "efs-monitor-1/included.yaml"
SAM = "AWS::Serverless-2016-10-31"
INCLUDE = {"Name": "AWS::Include", "Parameters": {"Location": f"s3://{BUCKET}/{INCLUDED}"}}


def stack(number: int) -> str:
    return f"efs-fleet-{file_system_id(number)}"


def with_macros() -> dict[str, Any]:
    """The small monitor, with a file that it includes, and SAM as the monitor has it."""
    content = small_monitor()
    content["Resources"]["ToldParameter"]["Properties"]["Fn::Transform"] = INCLUDE
    return content | {"Transform": SAM}


def whole(fleet: FleetAccount) -> None:
    """A release of which every macro does what it should, or does again."""
    fleet.release(with_macros())
    fleet.sandbox.client("s3").put_object(Bucket=BUCKET, Key=INCLUDED, Body=b"Description: included")


def without_the_file(fleet: FleetAccount) -> None:
    fleet.sandbox.client("s3").delete_object(Bucket=BUCKET, Key=INCLUDED)


def with_a_broken_file(fleet: FleetAccount) -> None:
    fleet.sandbox.client("s3").put_object(Bucket=BUCKET, Key=INCLUDED, Body=b"Description: [")


def with_what_sam_does_not_take(fleet: FleetAccount) -> None:
    content = with_macros()
    content["Resources"]["Function"] = {"Type": "AWS::Serverless::Function", "Properties": {"Speed": 5}}
    fleet.release(content)


FAILURES = {
    "the file is gone": (without_the_file, "Transform AWS::Include failed with: An error occurred (NoSuchKey)"),
    "the file is broken": (
        with_a_broken_file,
        "Transform AWS::Include failed with: The specified S3 object's content should be valid Yaml/JSON",
    ),
    "SAM does not take it": (
        with_what_sam_does_not_take,
        f"Transform {SAM} failed with: Invalid Serverless Application Specification document.",
    ),
}
failures = pytest.mark.parametrize(("spoil", "said"), first_of(FAILURES.values(), in_ci=1), ids=FAILURES)
Spoil = Callable[[FleetAccount], None]


def why_it_failed(fleet: FleetAccount) -> dict[str, str]:
    """What the function's log has of it at last, by the file system."""
    lines = [json.loads(line.message)["step"] for line in fleet.sandbox.logs.lines if '"step":' in line.message]
    return {one["file_system_id"]: one["reason"] for one in lines if one["step"] == "failed"}


def digests(fleet: FleetAccount, said: str) -> int:
    """In how many digests this stands."""
    return sum(said in " ".join(one.split()) for one in fleet.digests())


def later(fleet: FleetAccount, **after: float) -> None:
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(**after))


@pytest.mark.whole
@failures
def test_a_stack_that_is_not_made_is_tried_again_with_pauses_and_digest_and_log_say_what_its_macro_said(
    fleet: FleetAccount, spoil: Spoil, said: str
) -> None:
    whole(fleet)
    fleet.file_system(0)
    fleet.run()
    spoil(fleet)
    fleet.file_system(1)
    assert fleet.run() == {"steps": {"create": 1, "keep": 1}, "refused": {}, "digest": False}
    assert fleet.statuses() == {stack(0): "CREATE_COMPLETE", stack(1): "ROLLBACK_COMPLETE"}
    later(fleet, minutes=5)
    assert fleet.run()["steps"] == {"keep": 2}
    assert why_it_failed(fleet)[file_system_id(1)].startswith(said)
    tried: list[str] = []

    def count(clients: Clients) -> None:
        def counted(**_: object) -> None:
            tried.append("CreateStack")

        clients.cloudformation.meta.events.register("before-call.cloudformation.CreateStack", counted)

    for _ in range(12):
        later(fleet, minutes=5)
        assert fleet.run_here(count)["refused"] == {}
        fleet.settle()
    # After a quarter of an hour, and again after half an hour more.
    assert len(tried) == 2
    # The same cause is said once.
    for _ in range(2):
        later(fleet, days=1)
        fleet.run()
    assert digests(fleet, f"Failed since the last of these mails: - {file_system_id(1)}: {said}") == 1
    assert digests(fleet, f"an earlier one of these mails said why: - {file_system_id(1)}") == 1
    assert digests(fleet, "1 watched, 0 in an incident, 1 failed, 0 refused.") == 2

    whole(fleet)
    fleet.file_system(2)
    later(fleet, hours=1)
    # One that was never tried waits for no pause.
    assert fleet.run()["steps"]["create"] >= 1
    assert fleet.statuses()[stack(2)] == "CREATE_COMPLETE"
    for _ in range(2):
        later(fleet, days=1)
        fleet.run()
    assert fleet.statuses() == dict.fromkeys(map(stack, range(3)), "CREATE_COMPLETE")


@pytest.mark.whole
@failures
def test_a_stack_that_is_not_updated_watches_as_before_and_digest_and_log_say_what_its_macro_said(
    fleet: FleetAccount, spoil: Spoil, said: str
) -> None:
    whole(fleet)
    for number in range(3):
        fleet.file_system(number)
    fleet.run()
    spoil(fleet)
    fleet.file_system(1, WarningMinutes="240")
    fleet.sandbox.client("efs").delete_file_system(FileSystemId=file_system_id(2))
    assert fleet.run()["steps"] == {"update": 1, "keep": 2}
    assert fleet.statuses()[stack(1)] == "UPDATE_ROLLBACK_COMPLETE"
    assert fleet.parameter(1, "WarningMinutes") == "180"
    later(fleet, minutes=10)
    assert fleet.run()["steps"] == {"keep": 3}
    assert why_it_failed(fleet)[file_system_id(1)].startswith(said)
    later(fleet, minutes=10)
    assert fleet.run()["steps"] == {"update": 1, "keep": 2}
    later(fleet, days=2)
    fleet.run()
    assert digests(fleet, f"Failed since the last of these mails: - {file_system_id(1)}: {said}") == 1
    # What left is deleted meanwhile.
    assert fleet.statuses() == {stack(0): "CREATE_COMPLETE", stack(1): "UPDATE_ROLLBACK_COMPLETE"}

    whole(fleet)
    later(fleet, days=1)
    fleet.run()
    assert fleet.parameter(1, "WarningMinutes") == "240"
    assert fleet.statuses()[stack(1)] == "UPDATE_COMPLETE"


def test_a_name_that_is_taken_is_told_also_after_every_macro_did_what_it_should(fleet: FleetAccount) -> None:
    """CloudFormation says first that they did, and of the name only where to look."""
    whole(fleet)
    fleet.sandbox.client("ssm").put_parameter(Name=TAKEN, Value="by somebody", Type="String")
    fleet.file_system(1, BenchmarkPath=TAKEN)
    fleet.run()
    fleet.run()
    said = f"ToldParameter: Resource of type 'AWS::SSM::Parameter' with identifier '{TAKEN}' already exists."
    assert why_it_failed(fleet) == {file_system_id(1): said}


@pytest.mark.whole
def test_a_stack_that_failed_is_made_again_also_where_cloudformation_lists_no_parameters_of_it(
    fleet: FleetAccount,
) -> None:
    """As of one that is only a change set. Whether it does of one whose macros failed, AWS does not say."""
    whole(fleet)
    without_the_file(fleet)
    fleet.file_system(1)
    fleet.run()

    def lists_none(clients: Clients) -> None:
        def without_parameters(parsed: dict[str, Any], **_: object) -> None:
            for one in parsed["Stacks"]:
                one["Parameters"] = []

        clients.cloudformation.meta.events.register("after-call.cloudformation.DescribeStacks", without_parameters)

    later(fleet, minutes=20)
    assert fleet.run_here(lists_none)["steps"] == {"delete": 1}
    whole(fleet)
    assert fleet.run()["steps"] == {"create": 1}
    assert fleet.statuses() == {stack(1): "CREATE_COMPLETE"}
