"""What a fleet's deployment asks of the stacks that there are, answered as CloudFormation would."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from types import SimpleNamespace
from typing import Any

import boto3
import pytest
from botocore.stub import Stubber
from efs_monitor.aws.custom_resource import Request
from efs_monitor.errors import SettingsRefused
from efs_monitor.fleet.monitor_stack import DESCRIBED, FLEET_TAG
from efs_monitor.usecases.check_parameters import check_parameters

NOW = datetime(2030, 1, 7, tzinfo=UTC)
STACK_ID = "arn:aws:cloudformation:us-east-1:123456789012:stack/efs-fleet/1a2b3c4d"


def bounded_by(policy: str) -> str:
    return f"PermissionsBoundaryArn=arn:aws:iam::123456789012:policy/{policy}"


UPDATE = Request(
    kind="Update",
    response_url="https://example.com",
    stack_id=STACK_ID,
    request_id="1",
    logical_resource_id="GivenParameters",
    resource_type="Custom::EfsBurstCreditFleetParameters",
    physical_resource_id="1",
    properties={"FleetName": "efs-fleet", "MonitorParameters": bounded_by("operators"), "FormerBoundaryPolicy": ""},
    former_properties={"FleetName": "efs-fleet", "MonitorParameters": bounded_by("developers")},
)


def stack(status: str, policy: str) -> dict[str, Any]:
    given = {"FileSystemId": "fs-0123456789abcdef0", "PermissionsBoundaryArn": bounded_by(policy).partition("=")[2]}
    return {
        "StackName": "efs-fleet-fs-0123456789abcdef0",
        "StackId": STACK_ID,
        "Description": DESCRIBED,
        "CreationTime": NOW,
        "StackStatus": status,
        "Tags": [{"Key": FLEET_TAG, "Value": "efs-fleet"}],
        "Parameters": [{"ParameterKey": name, "ParameterValue": value} for name, value in given.items()],
    }


@pytest.fixture
def cloudformation() -> Iterator[Stubber]:
    """A client of which each answer is given beforehand; whatever else it is asked is an error."""
    client = boto3.client("cloudformation", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
    with Stubber(client) as stubber:
        yield stubber
        stubber.assert_no_pending_responses()


def is_no_rollback(cloudformation: Stubber) -> None:
    """What CloudFormation says first of the fleet's own stack."""
    fleet = {"StackName": "efs-fleet", "CreationTime": NOW, "StackStatus": "UPDATE_IN_PROGRESS"}
    cloudformation.add_response("describe_stacks", {"Stacks": [fleet]}, {"StackName": STACK_ID})


@pytest.fixture
def s3() -> Iterator[Stubber]:
    """Amazon S3, which is asked for nothing but the release."""
    client = boto3.client("s3", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
    with Stubber(client) as stubber:
        yield stubber


def checked(cloudformation: Stubber, request: Request, s3: Stubber | None = None) -> None:
    asked = s3.client if s3 else SimpleNamespace(get_object=lambda **_: {"Body": BytesIO()})
    clients = SimpleNamespace(cloudformation=cloudformation.client, s3=asked)
    assert check_parameters(clients, request, NOW).succeeded  # type: ignore[arg-type] # nothing else is asked


@pytest.mark.parametrize(
    ("status", "policy", "sentence"),
    [
        ("UPDATE_COMPLETE", "developers", "give FormerBoundaryPolicy as 'developers' until every stack is updated"),
        ("UPDATE_ROLLBACK_COMPLETE", "developers", "give FormerBoundaryPolicy as 'developers'"),
        ("UPDATE_IN_PROGRESS", "operators", "CloudFormation is at work on efs-fleet-fs-0123456789abcdef0: until that"),
    ],
)
def test_another_boundary_is_refused_while_a_stack_may_need_the_former_one(
    cloudformation: Stubber, status: str, policy: str, sentence: str
) -> None:
    is_no_rollback(cloudformation)
    cloudformation.add_response("describe_stacks", {"Stacks": [stack(status, policy)]})
    with pytest.raises(SettingsRefused, match=sentence):
        checked(cloudformation, UPDATE)


@pytest.mark.parametrize("status", ["ROLLBACK_COMPLETE", "UPDATE_COMPLETE"])
def test_stacks_without_roles_and_those_that_have_it_already_are_in_nobodys_way(
    cloudformation: Stubber, status: str
) -> None:
    policy = "developers" if status == "ROLLBACK_COMPLETE" else "operators"
    is_no_rollback(cloudformation)
    cloudformation.add_response("describe_stacks", {"Stacks": [stack(status, policy)]})
    checked(cloudformation, UPDATE)


def test_who_changes_no_boundary_is_not_kept_by_what_the_stacks_are_at(cloudformation: Stubber) -> None:
    """No list of them is asked for: CloudFormation's own calls to others may be many at that moment."""
    is_no_rollback(cloudformation)
    same = {**UPDATE.properties, "MonitorParameters": f"{bounded_by('developers')};WarningMinutes=240"}
    former = {**UPDATE.former_properties, "FormerBoundaryPolicy": ""}
    checked(cloudformation, replace(UPDATE, properties=same, former_properties=former))


@pytest.mark.parametrize("code", ["Throttling", "AccessDenied"])
def test_stacks_that_cannot_be_read_refuse_nothing(
    cloudformation: Stubber, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Refused in a rollback, too, the fleet's own stack would stay in UPDATE_ROLLBACK_FAILED."""
    monkeypatch.setattr("efs_monitor.aws.calls.sleep", lambda _: None)
    is_no_rollback(cloudformation)
    for _ in range(4 if code == "AccessDenied" else 2):
        cloudformation.add_client_error("describe_stacks", service_error_code=code)
    checked(cloudformation, UPDATE)


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ("NoSuchBucket", "There is no object efs-monitor-1/template.yaml in a bucket releases"),
        ("NoSuchKey", "There is no object efs-monitor-1/template.yaml in a bucket releases"),
        ("AccessDenied", "Not allowed to call s3:GetObject on s3://releases/efs-monitor-1/template.yaml"),
    ],
)
def test_a_release_that_cannot_be_read_is_refused_before_any_stack_is_made_of_it(
    cloudformation: Stubber, s3: Stubber, code: str, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("efs_monitor.aws.calls.sleep", lambda _: None)
    release = {"ReleaseBucket": "releases", "ReleaseTemplate": "efs-monitor-1/template.yaml"}
    for _ in range(4 if code == "AccessDenied" else 1):
        s3.add_client_error("get_object", service_error_code=code)
    with pytest.raises(SettingsRefused) as refused:
        checked(cloudformation, replace(UPDATE, kind="Create", properties={**UPDATE.properties, **release}), s3)
    assert str(refused.value).startswith(
        "ReleaseTemplate is 'efs-monitor-1/template.yaml', and no such object of ReleaseBucket 'releases' can be read: "
        f"put the packaged template there, and let this account read it. {sentence}"
    )
