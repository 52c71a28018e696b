"""The role with which CloudFormation works must be one that it can assume, and that its caller may pass."""

import json

import boto3
import pytest
from botocore.exceptions import ClientError

from localaws.account import ACCOUNT_ID, REGION
from localaws.iam.sessions import CLOUDFORMATION, LAMBDA
from localaws.sandbox import Sandbox
from tests.localaws.roles import role

TEMPLATE = json.dumps({"Resources": {"One": {"Type": "AWS::SNS::Topic"}}})
STACKS = f"arn:aws:cloudformation:{REGION}:{ACCOUNT_ID}:stack/mine-*/*"


def test_one_that_trusts_cloudformation_is_taken(sandbox: Sandbox) -> None:
    arn = role(sandbox, "service", [], (CLOUDFORMATION,))
    cloudformation = sandbox.client("cloudformation")
    cloudformation.create_stack(StackName="mine", TemplateBody=TEMPLATE, RoleARN=arn)
    cloudformation.delete_stack(StackName="mine", RoleARN=arn)


@pytest.mark.parametrize("known", [True, False])
def test_one_that_does_not_or_is_not_there_is_refused_before_anything_is_made(sandbox: Sandbox, *, known: bool) -> None:
    trusted = role(sandbox, "service", [], (LAMBDA,))
    arn = trusted if known else f"{trusted}-of-nobody"
    with pytest.raises(ClientError, match=f"Role {arn} is invalid or cannot be assumed"):
        sandbox.client("cloudformation").create_stack(StackName="mine", TemplateBody=TEMPLATE, RoleARN=arn)
    assert sandbox.client("cloudformation").describe_stacks()["Stacks"] == []


def test_whoever_may_not_pass_it_is_refused(sandbox: Sandbox) -> None:
    service = role(sandbox, "service", [], (CLOUDFORMATION,))
    statement = {"Effect": "Allow", "Action": "cloudformation:*", "Resource": STACKS}
    session = sandbox.sessions.assume(role(sandbox, "caller", [statement]), "caller", LAMBDA, "")
    client = boto3.client(
        "cloudformation",
        region_name=REGION,
        endpoint_url=sandbox.endpoint_url,
        aws_access_key_id=session.access_key_id,
        aws_secret_access_key="sandbox",
    )
    try:
        with pytest.raises(ClientError, match="is not authorized to perform: iam:PassRole on resource: " + service):
            client.create_stack(StackName="mine-1", TemplateBody=TEMPLATE, RoleARN=service)
        with pytest.raises(ClientError, match="is not authorized to perform: cloudformation:CreateStack on resource"):
            client.create_stack(StackName="other-1", TemplateBody=TEMPLATE)
        client.create_stack(StackName="mine-1", TemplateBody=TEMPLATE)
    finally:
        client.close()
