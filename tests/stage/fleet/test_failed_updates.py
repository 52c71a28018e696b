"""Updates of a fleet's stacks that fail, as the API tells of them: asked for once more, unheard, or half undone."""

import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from botocore.session import get_session
from efs_monitor.aws.runtime import Clients

from proofs.fleet.fleet_account import FleetAccount, file_system_id, small_monitor, wait
from proofs.fleet.fleet_starting_points import TAKEN
from tests.stage.fleet.test_fleet_privileges import without

STACK = f"efs-fleet-{file_system_id(0)}"
TEMPLATE_TAG = "efs-monitor:template"


@pytest.fixture
def spoilt(fleet: FleetAccount) -> FleetAccount:
    """Its stack cannot have what the tag of its file system says by now."""
    fleet.file_system(0)
    fleet.run()
    fleet.sandbox.client("ssm").put_parameter(Name=TAKEN, Value="by somebody", Type="String")
    fleet.file_system(0, BenchmarkPath=TAKEN)
    return fleet


def later(fleet: FleetAccount, **after: float) -> None:
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(**after))


@pytest.mark.whole
@pytest.mark.parametrize("taken_already", [pytest.param(False, marks=pytest.mark.more), True])
def test_an_update_whose_answer_is_lost_is_one_try(spoilt: FleetAccount, taken_already: bool) -> None:
    """It was taken, and is sent again: AWS takes the same token for the same request, or says that it has it."""
    asked: list[str] = []
    other = spoilt.sandbox.client("cloudformation")

    def disturb(clients: Clients) -> None:
        def lost(params: Mapping[str, Any], **_: object) -> None:
            asked.append(params["ClientRequestToken"])
            other.update_stack(**params)
            if taken_already:
                raise clients.cloudformation.exceptions.TokenAlreadyExistsException(
                    {"Error": {"Code": "TokenAlreadyExistsException", "Message": "It exists already"}}, "UpdateStack"
                )

        clients.cloudformation.meta.events.register("provide-client-params.cloudformation.UpdateStack", lost)

    for _ in range(12):
        assert spoilt.run_here(disturb)["refused"] == {}
        settle(spoilt)
        later(spoilt, hours=1)
    # After pauses of 15 and 30 minutes, and of one, two, four and eight hours, in the runs of each hour.
    assert len(asked) == len(set(asked)) == 6
    shape = get_session().get_service_model("cloudformation").shape_for("ClientRequestToken").metadata
    assert all(re.fullmatch(shape["pattern"], one) for one in asked)
    longest_name = 16
    assert max(map(len, asked)) + longest_name - len(spoilt.name) <= shape["max"]
    spoilt.run()
    later(spoilt, days=1)
    spoilt.run()
    said = " ".join(spoilt.digests()[-1].split())
    assert "1 watched, 0 in an incident, 1 failed, 0 refused." in said


def test_a_release_that_may_not_be_read_is_one_sentence_for_all(fleet: FleetAccount) -> None:
    for number in range(3):
        fleet.file_system(number)
    with without(fleet, "ReadRelease", "s3:GetObject"):
        fleet.run()
        later(fleet, days=1)
        fleet.run()
    assert fleet.statuses() == {}
    said = " ".join(" ".join(fleet.digests()).split())
    assert said.count("S3 error: Access Denied") == 1
    assert f"{file_system_id(0)}, {file_system_id(1)} and {file_system_id(2)}: cloudformation:CreateStack" in said


def settle(fleet: FleetAccount) -> None:
    """Wait until the update has gone back, as every one here does."""
    wait(fleet.sandbox.client("cloudformation").get_waiter("stack_rollback_complete"), STACK)


@pytest.mark.more
def test_a_stack_that_went_back_is_tried_again_whatever_its_tags_say(fleet: FleetAccount) -> None:
    """Of parameters and template AWS says that they go back with a failed update, and of tags it says nothing."""
    fleet.file_system(0)
    fleet.run()
    spoilt = small_monitor()
    spoilt["Resources"]["ToldParameter"]["Properties"]["Name"] = TAKEN
    fleet.sandbox.client("ssm").put_parameter(Name=TAKEN, Value="by somebody", Type="String")
    fleet.release(spoilt, "efs-monitor-2/template.json")
    fleet.deploy(ReleaseTemplate="efs-monitor-2/template.json")
    released = fleet.variables["TEMPLATE_URL"]

    def disturb(clients: Clients) -> None:
        def tags_stay(parsed: dict[str, Any], **_: object) -> None:
            for one in parsed["Stacks"]:
                if one["StackName"] == STACK and one["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE":
                    one["Tags"] = [tag for tag in one["Tags"] if tag["Key"] != TEMPLATE_TAG]
                    one["Tags"].append({"Key": TEMPLATE_TAG, "Value": released})

        clients.cloudformation.meta.events.register("after-call.cloudformation.DescribeStacks", tags_stay)

    steps = []
    for _ in range(4):
        steps.append(fleet.run_here(disturb)["steps"])
        settle(fleet)
        later(fleet, days=2)
    assert steps == [{"update": 1}] * 4
    assert "1 failed" in fleet.digests()[-1]
    fleet.release(small_monitor(), "efs-monitor-2/template.json")
    fleet.run_here(disturb)
    fleet.settle()
    assert fleet.statuses() == {STACK: "UPDATE_COMPLETE"}
    assert fleet.run()["steps"] == {"keep": 1}


@pytest.mark.whole
@pytest.mark.parametrize("status", ["CREATE_IN_PROGRESS", "ROLLBACK_IN_PROGRESS"])
def test_what_comes_into_being_or_goes_back_is_not_watched_yet(spoilt: FleetAccount, status: str) -> None:
    def disturb(clients: Clients) -> None:
        def comes(parsed: dict[str, Any], **_: object) -> None:
            for one in parsed["Stacks"]:
                if one["StackName"] == STACK:
                    one["StackStatus"] = status

        clients.cloudformation.meta.events.register("after-call.cloudformation.DescribeStacks", comes)

    later(spoilt, days=1)
    spoilt.run_here(disturb)
    said = " ".join(spoilt.digests()[-1].split())
    assert "0 watched" in said
    assert "goes back to what it was" not in said
