"""A stack that was given a role: CloudFormation does to its resources what that role may do, and nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.localaws.cloudformation.conftest import EmulatedStack

TRUST = {"Effect": "Allow", "Principal": {"Service": "cloudformation.amazonaws.com"}, "Action": "sts:AssumeRole"}
TO_MAKE = ["ssm:PutParameter", "ssm:AddTagsToResource", "ssm:GetParameters", "ssm:ListTagsForResource"]
TO_CHANGE = [*TO_MAKE, "ssm:RemoveTagsFromResource"]
ARN = "arn:aws:ssm:us-east-1:123456789012:parameter/mine/"


def given(stack: EmulatedStack) -> str:
    """The ARN of a role of the stack's name, which CloudFormation may assume."""
    document = json.dumps({"Version": "2012-10-17", "Statement": [TRUST]})
    made = stack.sandbox.client("iam").create_role(RoleName=stack.name, AssumeRolePolicyDocument=document)
    return str(made["Role"]["Arn"])


def may(stack: EmulatedStack, actions: list[str], resource: str = f"{ARN}*", **condition: Any) -> None:
    """From now on the role may do this."""
    statement = {"Effect": "Allow", "Action": actions, "Resource": resource, "Condition": condition}
    document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    stack.sandbox.client("iam").put_role_policy(RoleName=stack.name, PolicyName="work", PolicyDocument=document)


def parameter(stack: EmulatedStack, value: str = "1", folder: str = "mine") -> dict[str, Any]:
    properties = {"Name": f"/{folder}/{stack.name}", "Type": "String", "Value": value}
    return {"Resources": {"It": {"Type": "AWS::SSM::Parameter", "Properties": properties}}}


def why(stack: EmulatedStack) -> str:
    """The reason of the newest failure of its resource."""
    events = stack.cfn.describe_stack_events(StackName=stack.describe()["StackId"])["StackEvents"]
    failed = [one for one in events if one["LogicalResourceId"] == "It" and one["ResourceStatus"].endswith("_FAILED")]
    return str(failed[0]["ResourceStatusReason"])


@pytest.mark.parametrize("missing", TO_MAKE)
def test_without_one_action_of_the_schema_a_resource_is_not_made(stack: EmulatedStack, missing: str) -> None:
    role = given(stack)
    may(stack, [one for one in TO_MAKE if one != missing])
    assert stack.create(parameter(stack), RoleARN=role, OnFailure="DO_NOTHING") == "CREATE_FAILED"
    assert (
        f"User: arn:aws:sts::123456789012:assumed-role/{stack.name}/AWSCloudFormation is not authorized to perform: "
        f"{missing} on resource: {ARN}{stack.name} because no identity-based policy allows the {missing} action"
    ) in why(stack)
    assert "HandlerErrorCode: AccessDenied" in why(stack)
    assert stack.sandbox.client("ssm").get_parameters(Names=[f"/mine/{stack.name}"])["Parameters"] == []


def test_a_resource_of_another_name_is_not_made_either(stack: EmulatedStack) -> None:
    role = given(stack)
    may(stack, TO_MAKE)
    other = parameter(stack, folder="other")
    assert stack.create(other, RoleARN=role, OnFailure="DO_NOTHING") == "CREATE_FAILED"
    assert f"ssm:AddTagsToResource on resource: {ARN.replace('mine', 'other')}{stack.name} because" in why(stack)


def test_later_operations_have_the_role_that_the_stack_was_given(stack: EmulatedStack) -> None:
    role = given(stack)
    may(stack, TO_MAKE)
    assert stack.create(parameter(stack), RoleARN=role) == "CREATE_COMPLETE"
    assert stack.update(parameter(stack, "2"), DisableRollback=True) == "UPDATE_FAILED"
    assert "ssm:RemoveTagsFromResource" in why(stack)
    may(stack, TO_CHANGE)
    assert stack.update(parameter(stack, "2")) == "UPDATE_COMPLETE"
    assert stack.delete() == "DELETE_FAILED"
    assert "ssm:DeleteParameter" in why(stack)
    may(stack, ["ssm:DeleteParameter"])
    assert stack.delete() == "DELETE_COMPLETE"


@pytest.mark.parametrize(
    ("service", "status"), [("lambda.amazonaws.com", "CREATE_FAILED"), ("scheduler.amazonaws.com", "CREATE_COMPLETE")]
)
def test_a_role_is_passed_to_the_service_alone_that_is_to_use_it(
    stack: EmulatedStack, service: str, status: str
) -> None:
    role = given(stack)
    target = {"Arn": "arn:aws:lambda:us-east-1:123456789012:function:x", "RoleArn": role}
    properties = {"ScheduleExpression": "rate(1 day)", "FlexibleTimeWindow": {"Mode": "OFF"}, "Target": target}
    template = {"Resources": {"It": {"Type": "AWS::Scheduler::Schedule", "Properties": properties}}}
    document = {
        "Version": "2012-10-17",
        "Statement": [
            {"Effect": "Allow", "Action": "scheduler:*", "Resource": "*"},
            {
                "Effect": "Allow",
                "Action": "iam:PassRole",
                "Resource": role,
                "Condition": {"StringEquals": {"iam:PassedToService": service}},
            },
        ],
    }
    stack.sandbox.client("iam").put_role_policy(
        RoleName=stack.name, PolicyName="work", PolicyDocument=json.dumps(document)
    )
    assert stack.create(template, RoleARN=role, OnFailure="DO_NOTHING") == status
    if status == "CREATE_FAILED":
        assert f"is not authorized to perform: iam:PassRole on resource: {role}" in why(stack)


def test_without_a_role_it_works_with_the_rights_of_whoever_asks(stack: EmulatedStack) -> None:
    assert stack.create(parameter(stack)) == "CREATE_COMPLETE"
