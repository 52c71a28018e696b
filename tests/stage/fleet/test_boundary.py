"""A release that somebody else wrote: whatever its roles say, they may not exceed what the fleet bounds them by."""

import json
import re
from datetime import timedelta
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from localaws.iam.sessions import LAMBDA
from proofs.fleet.fleet_account import FleetAccount, file_system_id, small_monitor
from stage.direct_deployment import DeploymentRefused
from tests.quick import first_of

STACK = f"efs-fleet-{file_system_id(0)}"
FREE = "/efs-monitor/efs-fleet-fs-free"
EVERYTHING = {"Effect": "Allow", "Action": "*", "Resource": "*"}
ADMINISTRATOR: dict[str, Any] = {
    "Type": "AWS::IAM::Role",
    "Properties": {
        "AssumeRolePolicyDocument": {
            "Version": "2012-10-17",
            "Statement": [{"Effect": "Allow", "Principal": {"Service": LAMBDA}, "Action": "sts:AssumeRole"}],
        },
        "Policies": [{"PolicyName": "all", "PolicyDocument": {"Version": "2012-10-17", "Statement": [EVERYTHING]}}],
    },
}


def with_a_role(**properties: Any) -> dict[str, Any]:
    monitor = small_monitor()
    role = {**ADMINISTRATOR, "Properties": {**ADMINISTRATOR["Properties"], **properties}}
    monitor["Resources"]["Anything"] = role
    return monitor


@pytest.mark.whole
@pytest.mark.parametrize(
    "given", [{}, {"PermissionsBoundary": "arn:aws:iam::aws:policy/AdministratorAccess"}], ids=["none", "another"]
)
def test_a_role_without_the_fleets_boundary_is_not_made(fleet: FleetAccount, given: dict[str, str]) -> None:
    fleet.release(with_a_role(**given))
    fleet.file_system(0)
    fleet.run()
    fleet.settle()
    assert fleet.statuses() == {STACK: "ROLLBACK_COMPLETE"}
    assert not [one for one in fleet.sandbox.client("iam").list_roles()["Roles"] if one["RoleName"].startswith(STACK)]
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    fleet.run()
    assert "is not authorized to perform: iam:CreateRole" in " ".join(fleet.digests()[-1].split())


def test_a_role_with_it_may_do_no_more_than_that_says(fleet: FleetAccount) -> None:
    fleet.release(with_a_role(PermissionsBoundary={"Ref": "PermissionsBoundaryArn"}))
    fleet.file_system(0)
    fleet.run()
    assert fleet.statuses() == {STACK: "CREATE_COMPLETE"}
    roles = fleet.sandbox.client("iam").list_roles()["Roles"]
    (role,) = [one["Arn"] for one in roles if one["RoleName"].startswith(STACK)]
    session = fleet.sandbox.sessions.assume(role, "anybody", LAMBDA, "arn:aws:lambda:us-east-1:123456789012:function:x")
    theirs = boto3.Session(aws_access_key_id=session.access_key_id, aws_secret_access_key="x", region_name="us-east-1")
    ssm = theirs.client("ssm", endpoint_url=fleet.sandbox.endpoint_url)
    fleet.sandbox.client("ssm").put_parameter(Name="/passwords/database", Value="secret", Type="String")
    with pytest.raises(ClientError, match="because no permissions boundary allows the ssm:GetParameter action"):
        ssm.get_parameter(Name="/passwords/database")
    assert ssm.get_parameter(Name=f"/efs-monitor/{STACK}/told")["Parameter"]["Value"]


@pytest.mark.more
def test_a_boundary_of_ones_own_stands_in_its_place(fleet: FleetAccount) -> None:
    document = json.dumps({"Version": "2012-10-17", "Statement": [EVERYTHING]})
    own = fleet.sandbox.client("iam").create_policy(PolicyName="developers", PolicyDocument=document)["Policy"]["Arn"]
    fleet.release(with_a_role(PermissionsBoundary={"Ref": "PermissionsBoundaryArn"}))
    fleet.deploy(PermissionsBoundaryPolicy="developers", FormerBoundaryPolicy=made_by_the_fleet(fleet))
    fleet.file_system(0)
    fleet.run()
    assert fleet.statuses() == {STACK: "CREATE_COMPLETE"}
    iam = fleet.sandbox.client("iam")
    bounds = {
        one["RoleName"].split("-")[-2]: iam.get_role(RoleName=one["RoleName"])["Role"]["PermissionsBoundary"]
        for one in iam.list_roles()["Roles"]
        if one["RoleName"].startswith("efs-fleet")
    }
    assert {name: one["PermissionsBoundaryArn"] for name, one in bounds.items()} == dict.fromkeys(
        ("Anything", "ReconcileFleetRole", "ReconcileFleetScheduleRole", "ServiceRole"), own
    )


def made_by_the_fleet(fleet: FleetAccount) -> str:
    """The name of the policy that bounds stacks where nobody gave one."""
    policies = fleet.sandbox.client("iam").list_policies(Scope="Local")["Policies"]
    (name,) = [one["PolicyName"] for one in policies if "MonitorBoundary" in one["PolicyName"]]
    return str(name)


LOG_GROUP = f"/efs-monitor/{STACK}"
# Whatever is in its way shows only when it is made, which is after the role has its new boundary.
FAILS_LAST = {
    "Type": "AWS::Logs::LogGroup",
    "Condition": "Named",
    "DependsOn": "Anything",
    "Properties": {"LogGroupName": {"Fn::Sub": "/efs-monitor/${AWS::StackName}"}},
}


@pytest.fixture
def with_a_bounded_stack(fleet: FleetAccount) -> FleetAccount:
    """Its role is bounded by the policy `developers`; there are two others. Once its file system has a BenchmarkPath
    its updates fail, after the role was updated.
    """
    document = json.dumps({"Version": "2012-10-17", "Statement": [EVERYTHING]})
    for name in ("developers", "operators", "third"):
        fleet.sandbox.client("iam").create_policy(PolicyName=name, PolicyDocument=document)
    fleet.sandbox.client("logs").create_log_group(logGroupName=LOG_GROUP)
    monitor = with_a_role(PermissionsBoundary={"Ref": "PermissionsBoundaryArn"})
    fleet.release(monitor | {"Resources": {**monitor["Resources"], "FailsLast": FAILS_LAST}})
    fleet.deploy(PermissionsBoundaryPolicy="developers", FormerBoundaryPolicy=made_by_the_fleet(fleet))
    fleet.file_system(0)
    fleet.run()
    assert boundary(fleet) == "developers"
    return fleet


def boundary(fleet: FleetAccount) -> str:
    """What bounds the role of the stack."""
    iam = fleet.sandbox.client("iam")
    (name,) = [one["RoleName"] for one in iam.list_roles()["Roles"] if one["RoleName"].startswith(STACK)]
    arn = iam.get_role(RoleName=name)["Role"]["PermissionsBoundary"]["PermissionsBoundaryArn"]
    return str(arn.rpartition("/")[2])


@pytest.mark.more
def test_an_update_to_another_boundary_that_fails_gives_the_former_one_back(
    with_a_bounded_stack: FleetAccount,
) -> None:
    fleet = with_a_bounded_stack
    fleet.file_system(0, BenchmarkPath=FREE)
    fleet.deploy(PermissionsBoundaryPolicy="operators", FormerBoundaryPolicy="developers")
    fleet.run()
    fleet.settle()
    assert fleet.statuses() == {STACK: "UPDATE_ROLLBACK_COMPLETE"}
    assert boundary(fleet) == "developers"
    fleet.sandbox.client("logs").delete_log_group(logGroupName=LOG_GROUP)
    fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=1))
    fleet.run()
    assert fleet.statuses() == {STACK: "UPDATE_COMPLETE"}
    assert boundary(fleet) == "operators"
    # Then the former one is of no use, and is taken away.
    fleet.deploy(FormerBoundaryPolicy="")
    fleet.file_system(0, WarningMinutes="240")
    fleet.run()
    assert fleet.statuses() == {STACK: "UPDATE_COMPLETE"}


@pytest.mark.whole
@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (
            {"PermissionsBoundaryPolicy": "operators", "FormerBoundaryPolicy": ""},
            "bounded by 'developers', and are to be by 'operators': give FormerBoundaryPolicy as 'developers' until",
        ),
        (
            {"PermissionsBoundaryPolicy": "third", "FormerBoundaryPolicy": "operators"},
            "bounded by 'developers' and by 'operators', and are to be by 'third'. FormerBoundaryPolicy can give one",
        ),
    ],
    ids=["none", "one of two"],
)
def test_a_former_boundary_is_left_out_only_once_no_stack_has_it(
    with_a_bounded_stack: FleetAccount, given: dict[str, Any], sentence: str
) -> None:
    """A stack whose update failed has gone back to it, and would be given it again."""
    fleet = with_a_bounded_stack
    fleet.file_system(0, BenchmarkPath=FREE)
    fleet.deploy(PermissionsBoundaryPolicy="operators", FormerBoundaryPolicy="developers")
    fleet.file_system(1)
    fleet.run()
    fleet.settle()
    assert fleet.statuses()[STACK] == "UPDATE_ROLLBACK_COMPLETE"
    with pytest.raises(DeploymentRefused, match=sentence):
        fleet.deploy(**given)


@pytest.mark.more
@pytest.mark.parametrize("former", first_of(["", "operators"], in_ci=1))
def test_another_boundary_without_the_former_one_is_refused_with_its_name(
    with_a_bounded_stack: FleetAccount, former: str
) -> None:
    """An update of a stack that fails would end in UPDATE_ROLLBACK_FAILED, in which only a person can help."""
    fleet = with_a_bounded_stack
    with pytest.raises(DeploymentRefused, match="give FormerBoundaryPolicy as 'developers' until every stack is"):
        fleet.deploy(PermissionsBoundaryPolicy="operators", FormerBoundaryPolicy=former)
    fleet.file_system(0, WarningMinutes="240")
    fleet.run()
    assert fleet.statuses() == {STACK: "UPDATE_COMPLETE"}
    assert boundary(fleet) == "developers"


@pytest.mark.whole
@pytest.mark.parametrize(
    ("statement", "why"),
    [
        (None, "Scope ARN: arn:aws:iam::123456789012:policy/developers does not exist or is not attachable."),
        (
            {"Effect": "Deny", "NotAction": "s3:*", "Resource": "*"},
            "cannot judge a policy statement with NotAction, as",
        ),
        (
            {"Effect": "Deny", "Action": "*", "Resource": "*", "Condition": {"StringNotEquals": {"aws:x": "y"}}},
            "cannot judge the policy condition StringNotEquals aws:x, as",
        ),
    ],
    ids=["missing", "NotAction", "StringNotEquals"],
)
def test_a_boundary_that_is_not_there_or_cannot_be_judged_here_is_refused_with_the_role(
    fleet: FleetAccount, statement: dict[str, Any] | None, why: str
) -> None:
    if statement is not None:
        document = json.dumps({"Version": "2012-10-17", "Statement": [EVERYTHING, statement]})
        fleet.sandbox.client("iam").create_policy(PolicyName="developers", PolicyDocument=document)
    with pytest.raises(DeploymentRefused, match=re.escape(why)):
        fleet.deploy(PermissionsBoundaryPolicy="developers")
