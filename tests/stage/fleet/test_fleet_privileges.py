"""Each privilege of the fleet's function is needed, and reaches no further than the fleet."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from localaws.account import REGION
from localaws.iam.policy import matches
from localaws.iam.sessions import LAMBDA
from localaws.sandbox import Sandbox
from operate.template_files import FLEET_TEMPLATE, as_written
from proofs.fleet.fleet_account import FleetAccount, RunFailed, file_system_id, in_sandbox, small_monitor
from proofs.fleet.fleet_starting_points import TAKEN
from tests.stage.privileges.whole_stack import KEY_POLICY
from tests.template.template_documents import listed

ROLE = as_written(FLEET_TEMPLATE)["Resources"]["ReconcileFleetRole"]
STATEMENTS = [
    one.get("Fn::If", [None, one])[1] for one in ROLE["Properties"]["Policies"][0]["PolicyDocument"]["Statement"]
]
# The small monitor of these tests has no macros, and the sandbox asks nobody for them.
NOT_JUDGED = {"ExpandMacros"}
NEEDS = [(one["Sid"], action) for one in STATEMENTS if one["Sid"] not in NOT_JUDGED for action in listed(one["Action"])]
NUMBERS = count()


@pytest.fixture(scope="module")
def fleet(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FleetAccount]:
    """A fleet without file systems, with encrypted topics, which forgets what left it at once."""
    assert built.is_dir()
    with Sandbox(tmp_path_factory.mktemp("fleet")) as sandbox, in_sandbox(sandbox):
        account = FleetAccount(sandbox)
        account.release(small_monitor())
        key = sandbox.client("kms").create_key(Policy=json.dumps(KEY_POLICY))["KeyMetadata"]
        account.deploy(GraceHours="0", EncryptionKeyArn=key["Arn"])
        sandbox.client("ssm").put_parameter(Name=TAKEN, Value="by somebody", Type="String")
        yield account


@contextmanager
def without(fleet: FleetAccount, sid: str, action: str) -> Iterator[list[str]]:
    """The function's role lacks one action of one statement; what was refused to it meanwhile."""
    iam = fleet.sandbox.client("iam")
    name = role_name(fleet)
    policy = iam.get_role_policy(RoleName=name, PolicyName="reconcile-fleet")["PolicyDocument"]
    lacking = json.loads(json.dumps(policy))
    for one in lacking["Statement"]:
        if one["Sid"] == sid:
            one["Action"] = [other for other in listed(one["Action"]) if other != action]
    lacking["Statement"] = [one for one in lacking["Statement"] if one["Action"]]
    before = len(fleet.sandbox.sessions.refusals)
    refused: list[str] = []
    iam.put_role_policy(RoleName=name, PolicyName="reconcile-fleet", PolicyDocument=json.dumps(lacking))
    try:
        yield refused
    finally:
        iam.put_role_policy(RoleName=name, PolicyName="reconcile-fleet", PolicyDocument=json.dumps(policy))
        refused += [one.ask.action for one in fleet.sandbox.sessions.refusals[before:]]


def again(fleet: FleetAccount) -> None:
    """Deploy the fleet with another value of a parameter, so that CloudFormation asks its function what it may be."""
    (stack,) = fleet.sandbox.client("cloudformation").describe_stacks(StackName=fleet.name)["Stacks"]
    given = {one["ParameterKey"]: one["ParameterValue"] for one in stack["Parameters"]}
    shared = fleet.sandbox.client("sns").create_topic(Name="shared")
    parameters = f"WarningMinutes={300 + next(NUMBERS)}; AdviceTopicArn={shared['TopicArn']}"
    fleet.deploy(**given | {"MonitorParameters": parameters})


def role_name(fleet: FleetAccount) -> str:
    names = [one["RoleName"] for one in fleet.sandbox.client("iam").list_roles()["Roles"]]
    (name,) = [name for name in names if "ReconcileFleetRole" in name]
    return str(name)


def live(fleet: FleetAccount) -> bool:
    """A file system whose stack fails at first, comes into being, is changed, and goes; whether all of it happened."""
    number = next(NUMBERS)
    seen = []

    def run() -> None:
        with suppress(RunFailed):
            fleet.run()
        seen.append(fleet.statuses().get(f"{fleet.name}-{file_system_id(number)}", "none"))
        fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(hours=25))

    fleet.file_system(number, BenchmarkPath=TAKEN)
    run()
    fleet.file_system(number, BenchmarkPath="")
    run()
    run()
    fleet.file_system(number, WarningMinutes="240")
    run()
    fleet.sandbox.client("efs").delete_file_system(FileSystemId=file_system_id(number))
    run()
    return seen == ["ROLLBACK_COMPLETE", "none", "CREATE_COMPLETE", "UPDATE_COMPLETE", "none"]


@pytest.mark.whole
def test_with_all_of_them_nothing_is_refused(fleet: FleetAccount) -> None:
    before, digests = len(fleet.sandbox.sessions.refusals), len(fleet.digests())
    assert live(fleet)
    assert len(fleet.sandbox.sessions.refusals) == before
    assert len(fleet.digests()) == digests + 5


@pytest.mark.more
@pytest.mark.parametrize(("sid", "action"), NEEDS)
def test_each_is_needed(fleet: FleetAccount, sid: str, action: str) -> None:
    with without(fleet, sid, action) as refused:
        # A log stream is made by a worker that is new.
        fleet.sandbox.functions.close()
        if sid in {"ReadKeyPolicy", "ReadTopicPolicies"}:
            again(fleet)
        else:
            live(fleet)
    assert any(matches(action.lower(), one.lower()) for one in refused)
    # What was left of it goes with the whole role, so that the next begins with nothing.
    for _ in range(3):
        fleet.run()
        fleet.sandbox.clock.move_to(fleet.sandbox.clock.now() + timedelta(days=2))
    assert fleet.statuses() == {}


def test_none_reaches_a_stack_topic_parameter_or_role_of_somebody_else(fleet: FleetAccount) -> None:
    arn = fleet.sandbox.client("iam").get_role(RoleName=role_name(fleet))["Role"]["Arn"]
    session = fleet.sandbox.sessions.assume(arn, "reaching", LAMBDA, "")
    reaches: dict[str, tuple[str, Callable[[Any], object]]] = {
        "cloudformation:CreateStack": (
            "cloudformation",
            lambda one: one.create_stack(StackName="x", TemplateBody="{}"),
        ),
        "cloudformation:UpdateStack": (
            "cloudformation",
            lambda one: one.update_stack(StackName="x", TemplateBody="{}"),
        ),
        "cloudformation:DeleteStack": ("cloudformation", lambda one: one.delete_stack(StackName=fleet.name)),
        "cloudformation:DescribeStackEvents": (
            "cloudformation",
            lambda one: one.describe_stack_events(StackName=fleet.name),
        ),
        "cloudformation:DescribeEvents": (
            "cloudformation",
            lambda one: one.describe_events(StackName=fleet.name),
        ),
        "iam:PassRole": (
            "cloudformation",
            lambda one: one.delete_stack(StackName=f"{fleet.name}-fs-0", RoleARN=arn),
        ),
        "cloudwatch:PutDashboard": (
            "cloudwatch",
            lambda one: one.put_dashboard(DashboardName="other", DashboardBody="{}"),
        ),
        "ssm:GetParameters": ("ssm", lambda one: one.get_parameters(Names=[TAKEN])),
        "ssm:PutParameter": ("ssm", lambda one: one.put_parameter(Name=TAKEN, Value="x", Overwrite=True)),
        "kms:GetKeyPolicy": (
            "kms",
            lambda one: one.get_key_policy(
                KeyId=fleet.sandbox.client("kms").create_key()["KeyMetadata"]["Arn"], PolicyName="default"
            ),
        ),
        "SNS:Publish": (
            "sns",
            lambda one: one.publish(TopicArn=f"arn:aws:sns:{REGION}:123456789012:other", Message="x"),
        ),
    }
    for action, (service, call) in reaches.items():
        client = boto3.client(
            service,  # type: ignore[call-overload] # the name is a variable
            region_name=REGION,
            endpoint_url=fleet.sandbox.endpoint_url,
            aws_access_key_id=session.access_key_id,
            aws_secret_access_key="sandbox",
        )
        try:
            with pytest.raises(ClientError) as refused:
                call(client)
        finally:
            client.close()
        assert f"is not authorized to perform: {action} on resource" in str(refused.value)
