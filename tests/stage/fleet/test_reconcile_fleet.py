"""The fleet's function, deployed with its own role, and CloudFormation's API over HTTP."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import botocore.endpoint
import pytest
import time_machine
from botocore.exceptions import ClientError
from botocore.retries.standard import ExponentialBackoff
from efs_monitor.aws import calls as aws_calls
from efs_monitor.aws.runtime import Clients
from efs_monitor.fleet.fleet_settings import fleet_settings_from
from efs_monitor.fleet.notes import Note
from efs_monitor.fleet.reasons import REASON_CHARACTERS
from efs_monitor.fleet.written_notes import PARTS
from moto.sns.models import sns_backends
from typer.testing import CliRunner

from localaws.account import REGION
from localaws.quotas import CALLS_PER_SECOND
from operate.cli import app
from proofs.faults.wire import Killed
from proofs.fleet.fleet_account import (
    BUCKET,
    EMAIL,
    KEY,
    SERVICES,
    FleetAccount,
    RunFailed,
    file_system_id,
    small_monitor,
)
from proofs.fleet.fleet_starting_points import TAKEN
from stage.direct_deployment import DeploymentRefused
from tests.quick import first_of
from tests.stage.privileges.whole_stack import KEY_POLICY

FORTY = range(40)
# Three times as many as forty stacks take, ten at a time.
MANY_RUNS = 15
# What the function asks of CloudFormation, EFS and SNS.
ASKED_OF_A_FLEET = (
    "DescribeStacks",
    "DescribeFileSystems",
    "CreateStack",
    "UpdateStack",
    "DeleteStack",
    "DescribeStackEvents",
    "ListSubscriptionsByTopic",
    "Publish",
)
# Longer than four attempts wait at most, and shorter than eight do at the half of their longest.
OTHERS_SECONDS = 9


def stack(number: int) -> str:
    return f"efs-fleet-{file_system_id(number)}"


def why_it_is_taken(fleet: FleetAccount) -> str:
    """What CloudFormation says of a name that is taken; the oldest boto3 does not know how to ask for that."""
    if not hasattr(fleet.sandbox.client("cloudformation"), "describe_events"):
        return "Validation failure detected. See the operation's FAILED event for details"
    return f"ToldParameter: Resource of type 'AWS::SSM::Parameter' with identifier '{TAKEN}' already exists."


def all_whole(fleet: FleetAccount, numbers: range) -> bool:
    whole = {"CREATE_COMPLETE", "UPDATE_COMPLETE"}
    return fleet.statuses().keys() == {stack(one) for one in numbers} and set(fleet.statuses().values()) <= whole


@pytest.mark.whole
def test_a_release_whose_defaults_are_others_is_given_the_fleets_own_and_updated_once(fleet: FleetAccount) -> None:
    """The fleet compares with the defaults that it was released with, and takes a template from where it is told to."""
    content = small_monitor()
    content["Parameters"]["WarningMinutes"]["Default"] = "240"
    fleet.release(content)
    fleet.file_system(1)
    assert fleet.run()["steps"] == {"create": 1}
    assert fleet.parameter(1, "WarningMinutes") == "180"
    for _ in range(3):
        fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
        assert fleet.run()["steps"] == {"keep": 1}
    assert "0 failed" in fleet.digests()[-1]


@pytest.mark.whole
def test_a_release_without_a_parameter_that_has_a_default_here_is_deployed(fleet: FleetAccount) -> None:
    """As an older one is, or one of a branch: CloudFormation refuses a parameter that a template does not have."""
    content = small_monitor()
    # The last three are given by the fleet itself, with the values that are their defaults.
    for name in ("ElasticDailyUSD", "SilentMetricsHours", "LogRetentionDays", "EncryptionKeyArn", "Dashboard"):
        del content["Parameters"][name]
    fleet.release(content)
    fleet.file_system(1)
    assert fleet.run() == {"steps": {"create": 1}, "refused": {}, "digest": True}
    fleet.file_system(1, WarningMinutes="240")
    assert fleet.run()["steps"] == {"update": 1}
    assert fleet.parameter(1, "WarningMinutes") == "240"
    # What somebody asked for is not left out: it would be as if it were done.
    fleet.file_system(2, SilentMetricsHours="5")
    refused = fleet.run()["refused"]
    assert "Parameters: [SilentMetricsHours] do not exist in the template" in refused[stack(2)]


@pytest.mark.more
def test_a_schedule_that_is_over_stays_where_it_is_and_leaves_no_new_file_system_unwatched(fleet: FleetAccount) -> None:
    fleet.deploy(MonitorParameters="BenchmarkSchedule=cron(0 3 * 1 ? 2030)")
    fleet.file_system(1, BenchmarkPath="/efs-monitor/efs-fleet-fs-one")
    fleet.run()
    assert fleet.parameter(1, "BenchmarkSchedule") == "cron(0 3 * 1 ? 2030)"
    # Its last start may still come: a schedule has a window of a quarter of an hour.
    fleet.sandbox.clock.move_to(datetime(2030, 1, 31, 3, 0, 2, tzinfo=UTC))
    assert fleet.run()["steps"] == {"keep": 1}
    fleet.file_system(2, BenchmarkPath="/efs-monitor/efs-fleet-fs-two")
    assert fleet.run()["steps"] == {"create": 1, "keep": 1}
    assert fleet.parameter(2, "BenchmarkSchedule") == ""
    assert fleet.run()["steps"] == {"keep": 2}
    # The fleet itself may be changed meanwhile, but not be given another that is over.
    fleet.deploy(MonitorParameters="BenchmarkSchedule=cron(0 3 * 1 ? 2030)", GraceHours="2")
    with pytest.raises(DeploymentRefused, match="which comes no more: its last time was 2029-12-31 03:00 UTC"):
        fleet.deploy(MonitorParameters="BenchmarkSchedule=cron(0 3 * * ? 2029)")


@pytest.mark.more
def test_forty_file_systems_of_which_one_fails_and_one_is_refused(fleet: FleetAccount) -> None:
    """Their lives, in one go: made, changed for all, one removed, and not one call refused by a policy."""
    for number in FORTY:
        fleet.file_system(number)
    fleet.sandbox.client("ssm").put_parameter(Name=TAKEN, Value="by somebody", Type="String")
    fleet.file_system(7, BenchmarkPath=TAKEN)
    fleet.file_system(8, WarningMinutes="9")
    steps = [fleet.run()["steps"] for _ in range(5)]
    assert steps[0] == {"create": 10, "keep": 29, "refuse": 1}
    assert steps[-1] == {"keep": 39, "refuse": 1}
    statuses = fleet.statuses()
    assert statuses.pop(stack(7)) == "ROLLBACK_COMPLETE"
    assert statuses == dict.fromkeys([stack(one) for one in FORTY if one not in {7, 8}], "CREATE_COMPLETE")

    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    fleet.run()
    digest = " ".join(fleet.digests()[-1].split())
    assert "The fleet efs-fleet watches every file system: 38 watched, 0 in an incident, 1 failed, 1 refused." in digest
    assert f"{file_system_id(7)}: {why_it_is_taken(fleet)}" in digest
    assert f"{file_system_id(8)}: Its tag efs-monitor:WarningMinutes is '9': WarningMinutes must be" in digest
    assert "38 monitor stacks cost about $30.40 a month" in digest

    fleet.file_system(7, BenchmarkPath="")
    fleet.file_system(8, WarningMinutes="90")
    fleet.deploy(MonitorParameters="WarningMinutes=240; RunbookUrl=https://example.com/efs")
    for _ in range(7):
        fleet.run()
    assert all_whole(fleet, FORTY)
    assert [fleet.parameter(one, "WarningMinutes") for one in (1, 8)] == ["240", "90"]
    assert fleet.parameter(1, "CriticalTopicArn").endswith(":efs-fleet-critical")

    fleet.sandbox.client("efs").delete_file_system(FileSystemId=file_system_id(39))
    fleet.run()
    drawn = fleet.sandbox.client("cloudwatch").get_dashboard(DashboardName="efs-fleet-us-east-1")["DashboardBody"]
    assert all(file_system_id(one) in drawn for one in FORTY)
    # A function starts some time after it is called.
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(hours=24, minutes=1))
    fleet.run()
    assert all_whole(fleet, range(39))
    assert fleet.run()["steps"] == {"keep": 39}
    assert fleet.sandbox.sessions.refusals == []
    # Of what AWS publishes a quota of, it asks for no more, but to write its notes, which it waits for.
    assert {what for _, what in fleet.sandbox.quotas.throttled} <= {"PutParameter"}


@pytest.mark.more
def test_forty_file_systems_where_every_call_is_answered_once_a_second(fleet: FleetAccount) -> None:
    """AWS publishes no rate for CloudFormation and EFS: however low it is, the fleet waits, and nothing counts as tried
    in vain. A run that does not even get its lists, for want of luck with botocore's pauses, leaves all to the next.
    """
    failures: list[str] = []

    def live_until(numbers: range) -> None:
        for _ in range(MANY_RUNS):
            try:
                if fleet.run()["steps"] == {"keep": len(numbers)}:
                    return
            except RunFailed as failed:
                failures.append(str(failed))

    for number in FORTY:
        fleet.file_system(number)
    fleet.sandbox.quotas.supposed = dict.fromkeys(ASKED_OF_A_FLEET, 1)
    live_until(FORTY)
    assert all_whole(fleet, FORTY)
    assert len({one["StackId"] for one in fleet.described().values()}) == len(FORTY)
    fleet.deploy(MonitorParameters="WarningMinutes=240", FleetTag="team=storage", GraceHours="0")
    for number in FORTY[:20]:
        fleet.file_system(number, team="storage")
    live_until(FORTY[:20])
    assert all_whole(fleet, FORTY[:20])
    assert {fleet.parameter(one, "WarningMinutes") for one in FORTY[:20]} == {"240"}
    assert {what for _, what in fleet.sandbox.quotas.throttled} >= {"CreateStack", "UpdateStack", "DeleteStack"}
    assert all("Rate exceeded" in one for one in failures)
    digests = fleet.digests()
    assert digests
    assert not any("ailed since" in one or "till failing" in one for one in digests)


def killed_at(call: int) -> Callable[[Clients], None]:
    """Ends the run before its call of that number."""
    calls = iter(range(1000))

    def count(**_: object) -> None:
        if next(calls) == call:
            raise Killed

    def disturb(clients: Clients) -> None:
        for service in SERVICES:
            getattr(clients, service).meta.events.register("before-call", count)

    return disturb


@pytest.mark.whole
def test_killed_before_each_of_its_calls_it_converges_and_makes_nothing_twice(fleet: FleetAccount) -> None:
    for number in range(3):
        fleet.file_system(number)
    killed = 0
    for call in range(20):
        try:
            fleet.run_here(killed_at(call))
        except Killed:
            killed += 1
        fleet.settle()
        fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(hours=1))
    assert killed >= 7
    assert all_whole(fleet, range(3))
    assert len({one["StackId"] for one in fleet.described().values()}) == 3


@pytest.mark.whole
def test_beside_itself_it_makes_each_stack_once_and_no_try_counts_as_a_failure(fleet: FleetAccount) -> None:
    for number in range(3):
        fleet.file_system(number)
    beside: list[object] = []

    def disturb(clients: Clients) -> None:
        def other_run(**_: object) -> None:
            if not beside:
                beside.append("began")
                beside.append(fleet.run_here())

        clients.cloudformation.meta.events.register("before-call.cloudformation.CreateStack", other_run)

    assert fleet.run_here(disturb)["refused"] == {}
    fleet.settle()
    assert all_whole(fleet, range(3))
    assert fleet.run()["steps"] == {"keep": 3}
    assert notes(fleet) == {}


@pytest.mark.more
def test_a_list_of_stacks_that_is_throttled_is_read_once_more(
    fleet: FleetAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without it a run does nothing, and some such runs in a row set off the alarm of the fleet."""
    monkeypatch.setattr(aws_calls, "sleep", lambda _: None)
    fleet.file_system(0)
    times = iter(range(1000))

    def disturb(clients: Clients) -> None:
        def throttled(**_: object) -> None:
            if not next(times):
                raise ClientError({"Error": {"Code": "Throttling", "Message": "Rate exceeded"}}, "DescribeStacks")

        clients.cloudformation.meta.events.register("before-call.cloudformation.DescribeStacks", throttled)

    assert fleet.run_here(disturb)["steps"] == {"create": 1}
    fleet.settle()
    assert fleet.statuses() == {stack(0): "CREATE_COMPLETE"}


@pytest.mark.whole
def test_throttled_it_leaves_the_rest_to_the_next_run_without_a_pause(fleet: FleetAccount) -> None:
    for number in range(3):
        fleet.file_system(number)
    calls = iter(range(1000))

    def disturb(clients: Clients) -> None:
        def throttled(**_: object) -> None:
            if next(calls):
                raise ClientError({"Error": {"Code": "Throttling", "Message": "Rate exceeded"}}, "CreateStack")

        clients.cloudformation.meta.events.register("before-call.cloudformation.CreateStack", throttled)

    fleet.run_here(disturb)
    fleet.settle()
    assert fleet.statuses() == {stack(0): "CREATE_COMPLETE"}
    assert fleet.run()["steps"] == {"create": 2, "keep": 1}
    assert all_whole(fleet, range(3))


@pytest.mark.whole
def test_stacks_of_others_are_left_alone_and_reported(fleet: FleetAccount) -> None:
    other = FleetAccount(fleet.sandbox, name="efs-other")
    other.deploy(FleetTag="team=other")
    for number in range(3):
        fleet.file_system(number)
    fleet.file_system(2, team="other")
    other.run()
    fleet.sandbox.client("cloudformation").create_stack(
        StackName="mine",
        TemplateBody=json.dumps(small_monitor()),
        Parameters=[{"ParameterKey": "FileSystemId", "ParameterValue": file_system_id(1)}],
    )
    assert fleet.run()["steps"] == {"create": 1, "refuse": 2}
    assert fleet.run()["steps"] == {"keep": 1, "refuse": 2}
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    fleet.run()
    digest = " ".join(fleet.digests()[-1].split())
    assert f"{file_system_id(1)}: mine, which was deployed by hand, watches it already: it is left alone" in digest
    assert "which belongs to the fleet efs-other, watches it already: it is left alone" in digest


@pytest.mark.whole
@pytest.mark.parametrize("kind", ["a stack", "a change set"])
def test_whatever_else_has_the_name_of_a_stack_is_reported_and_no_stack_is_asked_for(
    fleet: FleetAccount, kind: str
) -> None:
    cloudformation = fleet.sandbox.client("cloudformation")
    other = json.dumps({"Description": "Not the monitor.", "Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}})
    if kind == "a stack":
        cloudformation.create_stack(StackName=stack(0), TemplateBody=other)
        fleet.settle()
    else:
        cloudformation.create_change_set(
            StackName=stack(0), ChangeSetName="first", ChangeSetType="CREATE", TemplateBody=other
        )
    fleet.file_system(0)
    fleet.file_system(1)
    assert fleet.run()["steps"] == {"create": 1, "refuse": 1}
    reason = {
        "a stack": f"there is a stack {stack(0)} that is not this fleet's: delete or rename it",
        "a change set": f"the name {stack(0)} is taken by a change set that nobody executed: aws cloudformation "
        f"delete-stack --stack-name {stack(0)} --region us-east-1",
    }[kind]
    assert logged(fleet)[-1]["reason"] == reason
    assert " ".join(fleet.digests()[-1].split()).count(f"{file_system_id(0)}: {reason}") == 1


@pytest.mark.more
def test_two_fleets_that_make_a_stack_for_one_file_system_at_once_both_tell_it_until_one_of_the_two_is_deleted(
    fleet: FleetAccount,
) -> None:
    other = FleetAccount(fleet.sandbox, name="efs-other")
    other.deploy()
    fleet.file_system(0)
    beside: list[object] = []

    def disturb(clients: Clients) -> None:
        def other_run(**_: object) -> None:
            if not beside:
                beside.append(other.run_here()["steps"])

        clients.cloudformation.meta.events.register("before-call.cloudformation.CreateStack", other_run)

    assert [fleet.run_here(disturb)["steps"], *beside] == [{"create": 1}] * 2
    fleet.settle()
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    for one, beside_it in ((fleet, other), (other, fleet)):
        assert one.run()["steps"] == {"refuse": 1}
        digest = " ".join(one.digests()[-1].split())
        assert (
            f"{file_system_id(0)}: {beside_it.name}-{file_system_id(0)}, which belongs to the fleet {beside_it.name}, "
            f"watches it as well as {one.name}-{file_system_id(0)}: delete one of the two" in digest
        )
    fleet.sandbox.client("cloudformation").delete_stack(StackName=f"{other.name}-{file_system_id(0)}")
    fleet.settle()
    assert [one.run()["steps"] for one in (fleet, other)] == [{"keep": 1}, {"refuse": 1}]
    assert stack(0) in fleet.statuses()


@pytest.mark.whole
@pytest.mark.parametrize(
    ("broken", "said"),
    [
        ("the template", "failed with ValidationError: S3 error"),
        ("the role", "is invalid or cannot be assumed"),
    ],
)
def test_what_keeps_cloudformation_from_beginning_is_one_sentence_in_the_digest(
    fleet: FleetAccount, broken: str, said: str
) -> None:
    fleet.file_system(0)
    if broken == "the template":
        fleet.sandbox.client("s3").delete_object(Bucket="releases", Key="efs-monitor-1/template.json")
    else:
        iam = fleet.sandbox.client("iam")
        (role,) = [one["RoleName"] for one in iam.list_roles()["Roles"] if "ServiceRole" in one["RoleName"]]
        for policy in iam.list_role_policies(RoleName=role)["PolicyNames"]:
            iam.delete_role_policy(RoleName=role, PolicyName=policy)
        iam.delete_role(RoleName=role)
    assert said in fleet.run()["refused"][stack(0)]
    assert said in " ".join(fleet.digests()[0].split())
    assert fleet.statuses() == {}
    # Said once; the next try is a quarter of an hour later.
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(minutes=10))
    assert fleet.run() == {"steps": {"keep": 1}, "refused": {}, "digest": False}


@pytest.mark.more
def test_another_reason_than_the_one_that_was_told_is_told_too(fleet: FleetAccount) -> None:
    fleet.file_system(1, BenchmarkPath=TAKEN)
    fleet.sandbox.client("ssm").put_parameter(Name=TAKEN, Value="by somebody", Type="String")
    fleet.run()

    def full(clients: Clients) -> None:
        def no_room(**_: object) -> None:
            said = "Limit for stack has been exceeded"
            raise ClientError({"Error": {"Code": "LimitExceededException", "Message": said}}, "CreateStack")

        clients.cloudformation.meta.events.register("before-call.cloudformation.CreateStack", no_room)

    def digest_of_next_day() -> str:
        began = fleet.sandbox.clock.now()
        # By the evening what was there is deleted, and making it again was tried.
        for hours in (12, 18, 24):
            fleet.sandbox.clock.move_to(began + timedelta(hours=hours))
            fleet.run_here(full)
            fleet.settle()
        return " ".join(fleet.digests()[-1].split())

    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now().replace(hour=1) + timedelta(days=1))
    fleet.run()
    assert f"Failed since the last of these mails: - {file_system_id(1)}: {why_it_is_taken(fleet)}" in " ".join(
        fleet.digests()[-1].split()
    )
    second, third = digest_of_next_day(), digest_of_next_day()
    assert f"Failed since the last of these mails: - {file_system_id(1)}: cloudformation:CreateStack on" in second
    assert f"Still failing; an earlier one of these mails said why: - {file_system_id(1)}" in third


@pytest.mark.whole
def test_a_quota_that_is_reached_is_one_sentence_in_the_digest_and_keeps_no_stack_from_going_on(
    fleet: FleetAccount,
) -> None:
    fleet.file_system(0)
    fleet.run()
    fleet.file_system(1)

    def disturb(clients: Clients) -> None:
        def full(**_: object) -> None:
            said = "Limit for stack has been exceeded"
            raise ClientError({"Error": {"Code": "LimitExceededException", "Message": said}}, "CreateStack")

        clients.cloudformation.meta.events.register("before-call.cloudformation.CreateStack", full)

    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    said = "CreateStack on efs-fleet-fs-00000000000000001 failed with LimitExceededException: Limit for stack has been"
    assert said in fleet.run_here(disturb)["refused"][stack(1)]
    assert said in " ".join(fleet.digests()[-1].split())
    assert all_whole(fleet, range(1))
    # After its pause it is tried again, and there is room by then.
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(minutes=20))
    fleet.run()
    assert all_whole(fleet, range(2))


@pytest.mark.whole
@pytest.mark.parametrize("transform", [None, "AWS::Serverless-2016-10-31"])
def test_a_parameter_that_changes_nothing_in_a_stack_is_neither_a_failure_nor_asked_for_again(
    fleet: FleetAccount, transform: str | None
) -> None:
    """CloudFormation refuses such an update, or does it where a macro is in the template, and nothing changes."""
    fleet.release(small_monitor() | ({"Transform": transform} if transform else {}))
    fleet.file_system(0)
    fleet.run()
    fleet.file_system(0, RepeatWarningHours="12")
    assert fleet.run() == {"steps": {"update": 1}, "refused": {}, "digest": False}
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    for _ in range(2):
        assert fleet.run()["steps"] == {"keep": 1}
    assert "1 watched, 0 in an incident, 0 failed, 0 refused. Nothing is in the way" in " ".join(
        fleet.digests()[-1].split()
    )
    fleet.file_system(0, WarningMinutes="240")
    assert fleet.run()["steps"] == {"update": 1}
    assert fleet.parameter(0, "WarningMinutes") == "240"
    assert fleet.run()["steps"] == {"keep": 1}
    assert notes(fleet) == {}


@pytest.mark.whole
@pytest.mark.parametrize("operation", ["UpdateStack", "DeleteStack"])
def test_where_somebody_else_has_begun_to_work_on_a_stack_the_next_run_sees_what_came_of_it(
    fleet: FleetAccount, operation: str
) -> None:
    fleet.file_system(0)
    fleet.run()
    if operation == "UpdateStack":
        fleet.file_system(0, WarningMinutes="240")
        said = "Stack:arn:aws:x is in UPDATE_IN_PROGRESS state and can not be updated."
    else:
        fleet.deploy(GraceHours="0", FleetTag="team=nobody")
        said = "Stack [arn:aws:x] cannot be deleted while in status UPDATE_IN_PROGRESS"

    def disturb(clients: Clients) -> None:
        def busy(**_: object) -> None:
            raise ClientError({"Error": {"Code": "ValidationError", "Message": said}}, operation)

        clients.cloudformation.meta.events.register(f"before-call.cloudformation.{operation}", busy)

    assert fleet.run_here(disturb)["refused"] == {}
    fleet.run()
    assert fleet.statuses() == ({stack(0): "UPDATE_COMPLETE"} if operation == "UpdateStack" else {})


@pytest.mark.whole
def test_a_stack_that_cloudformation_leaves_in_progress_is_told_in_the_digest_and_left_alone(
    fleet: FleetAccount,
) -> None:
    fleet.file_system(0)
    fleet.run()
    began = fleet.sandbox.clock.now()
    fleet.sandbox.clock.move_to(began + timedelta(days=1))
    fleet.file_system(0, WarningMinutes="240")

    def disturb(clients: Clients) -> None:
        def still_at_work(parsed: dict[str, Any], **_: object) -> None:
            for one in parsed["Stacks"]:
                if one["StackName"] == stack(0):
                    one |= {"StackStatus": "UPDATE_IN_PROGRESS", "LastUpdatedTime": began}

        clients.cloudformation.meta.events.register("after-call.cloudformation.DescribeStacks", still_at_work)

    assert fleet.run_here(disturb) == {"steps": {"refuse": 1}, "refused": {}, "digest": True}
    digest = " ".join(fleet.digests()[-1].split())
    assert f"- {file_system_id(0)}: CloudFormation is at work on {stack(0)} since {began:%Y-%m-%d %H:%M} UTC" in digest
    assert f"aws cloudformation cancel-update-stack --stack-name {stack(0)} --region us-east-1" in digest


@pytest.mark.more
def test_a_stack_that_nobody_may_delete_is_tried_with_pauses_and_told(fleet: FleetAccount) -> None:
    """Such as one with termination protection, which never came into being."""
    fleet.sandbox.client("ssm").put_parameter(Name=TAKEN, Value="by somebody", Type="String")
    fleet.file_system(1, BenchmarkPath=TAKEN)
    fleet.run()
    asked: list[str] = []

    def disturb(clients: Clients) -> None:
        def protected(**_: object) -> None:
            asked.append("DeleteStack")
            said = f"Stack [{stack(1)}] cannot be deleted while TerminationProtection is enabled"
            raise ClientError({"Error": {"Code": "ValidationError", "Message": said}}, "DeleteStack")

        clients.cloudformation.meta.events.register("before-call.cloudformation.DeleteStack", protected)

    for _ in range(12):
        fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(minutes=5))
        fleet.run_here(disturb)
    assert len(asked) == 2
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    fleet.run_here(disturb)
    assert "cannot be deleted while TerminationProtection is enabled" in " ".join(fleet.digests()[-1].split())


@pytest.mark.whole
@pytest.mark.parametrize(
    ("given", "said"),
    first_of(
        [
            (
                "WarningMinutes=9",
                "MonitorParameters gives WarningMinutes as '9': WarningMinutes must be a whole number",
            ),
            ("minutes 240", "MonitorParameters must be Name=value; Name=value in ASCII, such as WarningMinutes=240"),
            (
                "CriticalTopicArn=arn:aws:sns:eu-west-1:123456789012:pager",
                "a topic in eu-west-1, but alarms reach only topics of their own Region, us-east-1",
            ),
            ("Warning=240", "MonitorParameters gives Warning as '240': there is no such parameter; the nearest is"),
            (
                "WarningMinutes=240, CriticalMinutes=90",
                "MonitorParameters gives WarningMinutes as '240, CriticalMinutes",
            ),
            ("WarningMinutes=60; CriticalMinutes=90", "CriticalMinutes is 90 and WarningMinutes is 60: "),
            ("AlertEmail=a@example.com", "MonitorParameters gives AlertEmail as 'a@example.com', but all three topics"),
        ],
        2,
        in_ci=2,
    ),
)
def test_what_no_stack_may_be_given_is_refused_at_deployment_and_the_fleet_stays_as_it_was(
    fleet: FleetAccount, given: str, said: str
) -> None:
    fleet.file_system(0)
    with pytest.raises(DeploymentRefused, match=re.escape(said)):
        fleet.deploy(MonitorParameters=given)
    assert fleet.run()["steps"] == {"create": 1}
    assert fleet.parameter(0, "WarningMinutes") == "180"


@pytest.mark.whole
@pytest.mark.parametrize(
    ("changed", "said"),
    first_of(
        [
            (
                {"ReleaseTemplate": "efs-monitor-9/template.json"},
                "and let this account read it. Not allowed to call s3:Get",
            ),
            ({"ReleaseBucket": "192.168.1.1"}, f"There is no object {KEY} in a bucket 192.168.1.1"),
            (
                {"ReleaseBucket": "a..b"},
                "ReleaseBucket must be the name of a bucket, 3 to 63 of a-z, 0-9, - and single",
            ),
            ({"ReleaseBucket": "ab"}, "ReleaseBucket must be the name of a bucket"),
        ],
        2,
        in_ci=2,
    ),
)
def test_a_release_that_is_not_there_is_refused_at_deployment(
    fleet: FleetAccount, changed: dict[str, str], said: str
) -> None:
    with pytest.raises(DeploymentRefused, match=re.escape(said)):
        fleet.deploy(None, **changed)


@pytest.mark.whole
def test_a_key_that_lets_no_alarm_in_is_refused_at_deployment_with_the_statement_to_paste(fleet: FleetAccount) -> None:
    kms = fleet.sandbox.client("kms")
    (root,) = [one for one in KEY_POLICY["Statement"] if "AWS" in one["Principal"]]
    key = kms.create_key(Policy=json.dumps({"Statement": [root]}))["KeyMetadata"]
    with pytest.raises(
        DeploymentRefused, match=r"The policy of .* does not let CloudWatch use it with kms:Decrypt"
    ) as refused:
        fleet.deploy(EncryptionKeyArn=key["Arn"])
    pasted = json.loads(refused.value.reason.partition("add to its statements ")[2].partition(". (")[0])
    kms.put_key_policy(KeyId=key["KeyId"], PolicyName="default", Policy=json.dumps({"Statement": [root, pasted]}))
    fleet.deploy(EncryptionKeyArn=key["Arn"])
    (deployed,) = fleet.sandbox.client("cloudformation").describe_stacks(StackName=fleet.name)["Stacks"]
    outputs = {one["OutputKey"]: one["OutputValue"] for one in deployed["Outputs"]}
    assert outputs["KeyPolicy"] == "EncryptionKeyArn: its policy lets CloudWatch use it."
    fleet.file_system(0)
    assert fleet.run()["steps"] == {"create": 1}


@pytest.mark.more
def test_a_topic_that_lets_no_alarm_in_is_refused_at_deployment_with_one_statement_for_all_stacks(
    fleet: FleetAccount,
) -> None:
    topic = fleet.sandbox.client("sns").create_topic(Name="storage", Attributes={"Policy": '{"Statement": []}'})
    given = f"WarningTopicArn={topic['TopicArn']}"
    with pytest.raises(DeploymentRefused, match="does not let the stacks of this fleet publish") as refused:
        fleet.deploy(MonitorParameters=given)
    pasted = refused.value.reason.partition("with its own ARN, ")[2].partition(". (")[0]
    assert f"alarm:{fleet.name}-fs-*" in pasted
    fleet.sandbox.client("sns").set_topic_attributes(
        TopicArn=topic["TopicArn"], AttributeName="Policy", AttributeValue=f'{{"Statement": [{pasted}]}}'
    )
    fleet.deploy(MonitorParameters=given)
    assert topic_policies(fleet).startswith("WarningTopicArn: its policy lets the stacks of this fleet publish.")
    fleet.run()
    assert "may tell nobody" not in fleet.digests()[-1]


def test_topics_of_another_account_are_in_doubt_until_their_policies_let_the_stacks_in_and_the_fleet_look(
    fleet: FleetAccount,
) -> None:
    """No stack could say so: its mails go there, too."""
    shared = sns_backends["111122223333"][REGION].create_topic("storage-critical")
    fleet.deploy(MonitorParameters=f"CriticalTopicArn={shared.arn}")
    said = topic_policies(fleet)
    assert said.startswith("CriticalTopicArn: its policy may not be read from here, and must let the stacks of this")

    def next_digest() -> str:
        fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
        fleet.run()
        mail = fleet.sandbox.mailbox.mails[-1]
        return f"{mail.subject} {' '.join(mail.body.split())}"

    in_doubt = f"- CriticalTopicArn ({shared.arn}): its policy "
    digest = next_digest()
    assert digest.startswith(f"ACTION: fleet {fleet.name}: 1 topic in doubt; 0 watched")
    assert f"{in_doubt}may not be read from here, so whether it lets the alarms in is not known" in digest
    shared.policy = f'{{"Statement": [{said.partition("Such as: ")[2]}]}}'
    assert "in doubt" not in next_digest()
    # Only the fleet may look.
    shared.policy = f'{{"Statement": [{said.partition("Such as: ")[2].partition("}, {")[2].join(["{", ""])}]}}'
    assert f"{in_doubt}keeps the alarms or the functions out" in next_digest()
    del sns_backends["111122223333"][REGION].topics[shared.arn]
    assert f"- CriticalTopicArn ({shared.arn}): there is no such topic" in next_digest()


def topic_policies(fleet: FleetAccount) -> str:
    (deployed,) = fleet.sandbox.client("cloudformation").describe_stacks(StackName=fleet.name)["Stacks"]
    return str({one["OutputKey"]: one["OutputValue"] for one in deployed["Outputs"]}["TopicPolicies"])


def test_a_key_that_lets_no_alarm_in_any_more_keeps_no_update_from_being_rolled_back(fleet: FleetAccount) -> None:
    kms = fleet.sandbox.client("kms")
    key = kms.create_key(Policy=json.dumps(KEY_POLICY))["KeyMetadata"]
    fleet.deploy(EncryptionKeyArn=key["Arn"])
    (root,) = [one for one in KEY_POLICY["Statement"] if "AWS" in one["Principal"]]
    kms.put_key_policy(KeyId=key["KeyId"], PolicyName="default", Policy=json.dumps({"Statement": [root]}))
    with pytest.raises(DeploymentRefused, match="does not let CloudWatch use it"):
        fleet.deploy(EncryptionKeyArn=key["Arn"], MonitorParameters="WarningMinutes=240")
    (deployed,) = fleet.sandbox.client("cloudformation").describe_stacks(StackName=fleet.name)["Stacks"]
    assert deployed["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"


@pytest.mark.more
def test_a_function_that_is_not_started_is_told_and_a_deployment_mails_nothing(fleet: FleetAccount) -> None:
    scheduler, cloudwatch = fleet.sandbox.client("scheduler"), fleet.sandbox.client("cloudwatch")

    def state_after(minutes: int) -> str:
        for _ in range(minutes):
            fleet.sandbox.advance()
        found = cloudwatch.describe_alarms(AlarmNames=[f"{fleet.name}-reconciliation-not-run"])["MetricAlarms"]
        return str(found[0]["StateValue"])

    def mails() -> list[str]:
        subjects = [mail.subject or "" for mail in fleet.sandbox.mailbox.mails]
        return [one.partition(":")[0] for one in subjects if "reconciliation-not-run" in one]

    assert (state_after(15), mails()) == ("OK", ["OK"])
    (name,) = [one["Name"] for one in scheduler.list_schedules()["Schedules"]]
    schedule = scheduler.get_schedule(Name=name)
    kept = ("ScheduleExpression", "FlexibleTimeWindow", "Target")
    scheduler.update_schedule(Name=name, State="DISABLED", **{one: schedule[one] for one in kept})
    assert (state_after(25), mails()) == ("OK", ["OK"])
    assert (state_after(25), mails()) == ("INSUFFICIENT_DATA", ["OK", "INSUFFICIENT_DATA"])
    scheduler.update_schedule(Name=name, State="ENABLED", **{one: schedule[one] for one in kept})
    assert (state_after(10), mails()) == ("OK", ["OK", "INSUFFICIENT_DATA", "OK"])


@pytest.mark.more
def test_who_is_mailed_stands_in_no_log(fleet: FleetAccount) -> None:
    fleet.file_system(0)
    fleet.deploy(MonitorParameters="AlertEmail=storage-team@example.com; WarningTopicArn=")
    fleet.run()
    assert fleet.parameter(0, "AlertEmail") == "storage-team@example.com"
    fleet.deploy(MonitorParameters="AlertEmail=other-team@example.com; WarningTopicArn=")
    fleet.run()
    assert "parameters differ: AlertEmail '(an address)' -> '(an address)'" in logged(fleet)[-1]["reason"]
    assert [line.message for line in fleet.sandbox.logs.lines if "@example.com" in line.message] == []


def logged(fleet: FleetAccount) -> list[dict[str, str]]:
    """What the function's log has of its steps, oldest first."""
    lines = [json.loads(line.message) for line in fleet.sandbox.logs.lines if '"step":' in line.message]
    return [line["step"] for line in lines]


def test_each_change_and_each_refusal_is_in_the_log_with_its_reason(fleet: FleetAccount) -> None:
    for number in (1, 2):
        fleet.file_system(number)
    fleet.file_system(2, WarningMinutes="9")
    fleet.run()
    refusal = {
        "file_system_id": file_system_id(2),
        "step": "refuse",
        "reason": logged(fleet)[1]["reason"],
    }
    assert logged(fleet) == [{"file_system_id": file_system_id(1), "step": "create", "reason": "has no stack"}, refusal]
    assert "Its tag efs-monitor:WarningMinutes is '9': WarningMinutes must be" in refusal["reason"]
    fleet.file_system(1, WarningMinutes="240")
    fleet.run()
    reason = "parameters differ: WarningMinutes '180' -> '240'"
    assert logged(fleet)[2:] == [{"file_system_id": file_system_id(1), "step": "update", "reason": reason}, refusal]
    # What is as it should be says nothing.
    fleet.run()
    assert logged(fleet)[4:] == [refusal]


@pytest.mark.whole
def test_why_a_try_failed_is_in_the_log_whoever_refused_it(fleet: FleetAccount) -> None:
    fleet.sandbox.client("ssm").put_parameter(Name=TAKEN, Value="by somebody", Type="String")
    logged_by = {
        "Type": "AWS::Logs::LogGroup",
        "Properties": {"LogGroupName": {"Fn::Sub": "/efs-monitor/${AWS::StackName}"}},
    }
    content = small_monitor()
    fleet.release(content | {"Resources": {"Log": logged_by, **content["Resources"]}})
    fleet.sandbox.client("logs").create_log_group(logGroupName=f"/efs-monitor/{stack(1)}")
    fleet.file_system(1)
    fleet.file_system(3, BenchmarkPath=TAKEN)
    fleet.run()
    fleet.sandbox.client("s3").delete_object(Bucket=BUCKET, Key=KEY)
    fleet.file_system(2)
    fleet.run()
    failed = {one["file_system_id"]: one["reason"] for one in logged(fleet) if one["step"] == "failed"}
    assert failed.keys() == {file_system_id(1), file_system_id(2), file_system_id(3)}
    assert failed[file_system_id(1)].startswith('Log: Resource handler returned message: "The specified log group')
    # Of what AWS refuses before it makes anything the stack's own events say only that it did.
    assert failed[file_system_id(3)] == why_it_is_taken(fleet)
    assert "Request ID" not in failed[file_system_id(1)]
    assert "failed with ValidationError: S3 error" in failed[file_system_id(2)]


def test_of_a_reason_that_the_digest_cuts_the_log_has_all(fleet: FleetAccount) -> None:
    """Such as a statement to paste into the policy of a topic: its stack, whose events have it, is soon deleted."""
    reserved = f"/ssm/{'-'.join(['reserved'] * 26)}"
    fleet.file_system(1, BenchmarkPath=reserved)
    fleet.run()
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    fleet.run()
    (failed,) = [one["reason"] for one in logged(fleet) if one["step"] == "failed"]
    why = f"Name {reserved} of ToldParameter begins with /ssm, which is reserved by AWS"
    assert len(why) > REASON_CHARACTERS
    assert why in failed
    assert why not in " ".join(fleet.digests()[-1].split())


@pytest.mark.whole
@pytest.mark.parametrize(("state", "step"), [("error", "keep"), ("updating", "keep"), ("deleting", "delete")])
def test_only_a_file_system_that_is_deleted_is_gone(fleet: FleetAccount, state: str, step: str) -> None:
    """One that EFS cannot bring out of an error holds its data, and credits, as before."""
    fleet.file_system(1)
    fleet.run()
    fleet.sandbox.file_systems.set_state(file_system_id(1), state)
    fleet.deploy(GraceHours="0")
    assert fleet.run()["steps"] == {step: 1}


@pytest.mark.whole
@pytest.mark.parametrize("state", ["creating", "deleting", "deleted"])
def test_what_is_not_there_yet_or_any_more_is_not_watched(fleet: FleetAccount, state: str) -> None:
    fleet.file_system(1)
    fleet.sandbox.file_systems.set_state(file_system_id(1), state)
    assert fleet.run()["steps"] == {}


@pytest.mark.whole
def test_what_would_be_done_is_nothing_where_the_fleet_has_done_it(fleet: FleetAccount) -> None:
    """Its own topics, key, retention and architecture nobody names: they are read off the stacks that it has."""
    for number in range(3):
        fleet.file_system(number)
    fleet.file_system(0, LogRetentionDays="7")
    fleet.deploy(Architecture="x86_64", LogRetentionDays="90", MonitorParameters="WarningMinutes=240")
    fleet.run()
    url = f"https://{BUCKET}.s3.us-east-1.amazonaws.com/{KEY}"
    words = ["fleet", fleet.name, "--template-url", url, "--region", "us-east-1", "--parameters"]
    assert (
        CliRunner()
        .invoke(app, [*words, "WarningMinutes=240"])
        .stdout.startswith("Fleet efs-fleet, every file system: keep 3\n")
    )
    changed = CliRunner().invoke(app, [*words, "WarningMinutes=300"]).stdout
    assert "parameters differ: WarningMinutes '240' -> '300'" in " ".join(changed.split())


@pytest.mark.more
def test_what_would_be_done_is_what_the_fleet_does_also_after_a_grace_and_in_a_pause(fleet: FleetAccount) -> None:
    def would_be_done(number: int) -> str:
        words = ["fleet", fleet.name, "--region", "us-east-1", "--json"]
        steps = json.loads(CliRunner().invoke(app, words).stdout)["steps"]
        (found,) = [one for one in steps if one["file_system_id"] == file_system_id(number)]
        return f"{found['step']}: {found['reason']}"

    fleet.sandbox.client("ssm").put_parameter(Name=TAKEN, Value="by somebody", Type="String")
    for number in (0, 1):
        fleet.file_system(number)
    fleet.run()
    fleet.sandbox.client("efs").delete_file_system(FileSystemId=file_system_id(1))
    fleet.run()
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(hours=25))
    assert would_be_done(1).startswith("delete: gone, since")
    fleet.file_system(2, BenchmarkPath=TAKEN)
    fleet.run()
    assert would_be_done(2).startswith("keep: failed once, and is tried again after")
    assert would_be_done(0) == "keep: as it should be"


def test_it_writes_the_notes_alone_in_which_something_changed_and_the_fleets_stack_takes_all_with_it(
    fleet: FleetAccount,
) -> None:
    def versions() -> dict[str, int]:
        pages = fleet.sandbox.client("ssm").get_paginator("get_parameters_by_path")
        found = pages.paginate(Path=f"/efs-monitor/{fleet.name}", Recursive=True).build_full_result()["Parameters"]
        return {one["Name"].rpartition("/")[2]: one["Version"] for one in found}

    assert versions() == {"fleet-notes": 1} | dict.fromkeys(PARTS, 1)
    fleet.sandbox.client("ssm").put_parameter(Name=TAKEN, Value="by somebody", Type="String")
    fleet.file_system(7, BenchmarkPath=TAKEN)
    fleet.run()
    assert versions() == {"fleet-notes": 2} | dict.fromkeys(PARTS, 1) | {"7": 2}
    fleet.deploy(tags={"team": "storage"})
    assert notes(fleet).keys() == {file_system_id(7)}
    fleet.sandbox.client("cloudformation").delete_stack(StackName=fleet.name)
    assert versions() == {}


@pytest.mark.more
def test_the_digest_says_who_has_not_confirmed_and_goes_where_somebody_has(fleet: FleetAccount) -> None:
    sns, unconfirmed = fleet.sandbox.client("sns"), fleet.sandbox.subscribers.unconfirmed

    def next_digest() -> tuple[str, str, str]:
        fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
        fleet.run()
        mail = fleet.sandbox.mailbox.mails[-1]
        return mail.topic_arn.rpartition("-")[2], (mail.subject or "").partition(":")[0], " ".join(mail.body.split())

    assert next_digest()[:2] == ("advice", "INFO")
    topics = fleet_settings_from({**fleet.variables, "AWS_REGION": REGION}).topic_arns
    sns.subscribe(TopicArn=topics["critical"], Protocol="email", Endpoint="night-shift@example.com")
    unconfirmed.add("night-shift@example.com")
    where, head, body = next_digest()
    assert (where, head) == ("advice", "ACTION")
    assert "Not told anything on these topics: - critical: email night-shift@example.com has not confirmed" in body
    unconfirmed.clear()
    assert next_digest()[:2] == ("advice", "INFO")
    # One address is lost, and somebody else's stays; of the other topic everybody is.
    for topic in ("critical", "warning"):
        for one in sns.list_subscriptions_by_topic(TopicArn=topics[topic])["Subscriptions"]:
            if one["Endpoint"] == EMAIL:
                sns.unsubscribe(SubscriptionArn=one["SubscriptionArn"])
    where, head, body = next_digest()
    assert (where, head) == ("advice", "ACTION")
    assert f"- warning: nobody is subscribed - critical: {EMAIL} is not subscribed" in body
    for topic in ("critical", "warning"):
        sns.subscribe(TopicArn=topics[topic], Protocol="email", Endpoint=EMAIL)
    assert next_digest()[:2] == ("advice", "INFO")
    # Nobody gets the mails of Advice.
    for one in sns.list_subscriptions_by_topic(TopicArn=topics["advice"])["Subscriptions"]:
        sns.unsubscribe(SubscriptionArn=one["SubscriptionArn"])
    where, head, body = next_digest()
    assert (where, head) == ("warning", "ACTION")
    assert "- advice: nobody is subscribed" in body


@pytest.mark.whole
@pytest.mark.parametrize(
    ("grace_hours", "hours_until_deleted"), first_of([("12", 12), ("0", 0), ("24", 24)], 2, in_ci=2)
)
def test_no_stack_is_deleted_before_a_mail_told_of_it_and_the_next_digest_says_that_it_was(
    fleet: FleetAccount, grace_hours: str, hours_until_deleted: int
) -> None:
    for number in range(2):
        fleet.file_system(number, team="storage")
    fleet.deploy(FleetTag="team=storage", GraceHours=grace_hours)
    fleet.run()
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now().replace(hour=5, minute=1) + timedelta(days=1))
    fleet.run()
    told, began = len(fleet.digests()), fleet.sandbox.clock.now()
    for number in range(2):
        fleet.sandbox.client("efs").untag_resource(ResourceId=file_system_id(number), TagKeys=["team"])
    deleted_when: list[int] = []

    def note(**_: object) -> None:
        deleted_when.append(len(fleet.digests()))

    def disturb(clients: Clients) -> None:
        clients.cloudformation.meta.events.register("before-call.cloudformation.DeleteStack", note)

    for hours in range(0, hours_until_deleted + 1, 6):
        fleet.sandbox.clock.move_to(began + timedelta(hours=hours, minutes=2))
        assert fleet.run_here(disturb)["refused"] == {}
        fleet.settle()
    assert deleted_when == [told + 1] * 2
    assert fleet.statuses() == {}
    announced = [mail for mail in fleet.sandbox.mailbox.mails if ": fleet " in (mail.subject or "")][told]
    assert announced.subject == "ACTION: fleet efs-fleet: 2 leaving; 2 watched"
    assert "gone, or without the tag team=storage, since" in " ".join(announced.body.split())
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    for _ in range(2):
        fleet.run()
        fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    *_, next_one, last = fleet.digests()
    said = f"because the file system left: - {file_system_id(0)} - {file_system_id(1)}"
    assert [said in " ".join(one.split()) for one in (next_one, last)] == [True, False]
    assert notes(fleet) == {}


@pytest.mark.more
def test_where_others_use_up_what_parameter_store_takes_in_a_second_it_waits_and_remembers_everything(
    fleet: FleetAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(len(PARTS)):
        fleet.file_system(number)
    while not all_whole(fleet, range(len(PARTS))):
        fleet.run()
    fleet.deploy(FleetTag="team=nobody")
    fleet.sandbox.clock.move_to(began := fleet.sandbox.clock.next_minute() + timedelta(minutes=1))
    quotas = fleet.sandbox.quotas
    quotas.counts_everybody = True
    for second in range(OTHERS_SECONDS):
        quotas.take("PutParameter", CALLS_PER_SECOND["PutParameter"], began + timedelta(seconds=second))
    with time_machine.travel(began, tick=False) as clock:
        # Neither the shortest pauses by chance nor the longest: botocore keeps its dice as a default of its own.
        theirs = ExponentialBackoff.__init__.__defaults__ or ()
        dice = tuple((lambda: 0.5) if one is random.random else one for one in theirs)
        monkeypatch.setattr(ExponentialBackoff.__init__, "__defaults__", dice)
        monkeypatch.setattr(botocore.endpoint, "time", SimpleNamespace(sleep=clock.shift))
        assert fleet.run_here()["steps"] == {"keep": len(PARTS)}
    quotas.counts_everybody = False
    assert {one.gone for one in notes(fleet).values()} == {began}
    assert len(notes(fleet)) == len(PARTS)
    assert Counter(what for _, what in quotas.throttled).keys() == {"PutParameter"}


@pytest.mark.whole
def test_a_fleet_of_the_version_before_begins_its_notes_anew_and_sends_no_second_digest(fleet: FleetAccount) -> None:
    """It kept them all in the one parameter that still has the day."""
    fleet.file_system(0)
    today = f"{fleet.sandbox.clock.now():%Y-%m-%d}"
    before = json.dumps({"told": today, "notes": {file_system_id(0): [0, 2, 0, "1a2b3c4d", "why", 1]}})
    parameter = fleet.variables["NOTES_PARAMETER"]
    fleet.sandbox.client("ssm").put_parameter(Name=parameter, Value=before, Overwrite=True)
    assert fleet.run() == {"steps": {"create": 1}, "refused": {}, "digest": False}
    assert fleet.memory().texts[parameter] == json.dumps({"told": today})


def notes(fleet: FleetAccount) -> Mapping[str, Note]:
    return fleet.memory().notes
