"""Macros in a stack that is made or changed directly: the call is taken, and where one fails the stack goes back.

In the words that AWS was recorded with, in LocalStack's snapshots (TestMacros::test_failed_state) and in people's
consoles: only events of the stack itself, of which none ends with _FAILED, have the reason.
"""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError

from tests.localaws.cloudformation.test_includes import including

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.localaws.cloudformation.conftest import EmulatedCloudFormation, EmulatedStack

type Template = dict[str, Any]

EXPAND = {"Capabilities": ["CAPABILITY_AUTO_EXPAND"]}
SAM = "AWS::Serverless-2016-10-31"
WHOLE = {"Resources": {"One": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": "hello"}}}}
ROLE = {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {}}}


def of_sam(**resources: Any) -> Template:
    return {"Transform": SAM, "Resources": resources}


def broken_file(sandbox: EmulatedCloudFormation) -> str:
    bucket = f"bucket-{uuid.uuid4().hex[:8]}"
    sandbox.client("s3").create_bucket(Bucket=bucket)
    sandbox.client("s3").put_object(Bucket=bucket, Key="one", Body=b"DisplayName: [")
    return f"s3://{bucket}/one"


# What fails, and how the reason begins: a macro, or what came out of it.
FAILURES: dict[str, tuple[Callable[[EmulatedCloudFormation], Template], str]] = {
    "a bucket that is not there": (
        lambda _: including("s3://bucket-of-nobody/one.yaml"),
        "Transform AWS::Include failed with: S3 bucket [bucket-of-nobody] does not exist.",
    ),
    "a file that is broken": (
        lambda sandbox: including(broken_file(sandbox)),
        "Transform AWS::Include failed with: The specified S3 object's content should be valid Yaml/JSON",
    ),
    "a resource that SAM does not take": (
        lambda _: of_sam(A={"Type": "AWS::Serverless::Function", "Properties": {"Speed": 5}}),
        f"Transform {SAM} failed with: Invalid Serverless Application Specification document.",
    ),
    "a macro that nobody has": (
        lambda _: {"Transform": "Upper", **WHOLE},
        "No transform named Upper found",
    ),
    "a template that is wrong once it is whole": (
        lambda _: of_sam(A={"Type": "AWS::SNS::Topic", "DependsOn": "B"}),
        "Template format error: Unresolved resource dependencies [B] in the Resources block of the template",
    ),
    "a role that nobody allowed": (lambda _: of_sam(A=ROLE), "Requires capabilities : [CAPABILITY_IAM]"),
}


@pytest.fixture(params=FAILURES)
def failure(request: pytest.FixtureRequest, sandbox: EmulatedCloudFormation) -> tuple[Template, str]:
    make, reason = FAILURES[request.param]
    return {"Parameters": {"Size": {"Type": "Number", "Default": 1}}, **make(sandbox)}, reason


def events(stack: EmulatedStack, stack_id: str | None = None) -> list[tuple[str, str]]:
    """Status and reason of every event since somebody asked for something last, oldest first; all are the stack's."""
    found = stack.cfn.describe_stack_events(StackName=stack_id or stack.name)["StackEvents"]
    said = [(one["ResourceStatus"], one.get("ResourceStatusReason", "")) for one in found]
    began = [reason for _, reason in said].index("User Initiated")
    assert {one["PhysicalResourceId"] == one["StackId"] for one in found[: began + 1]} == {True}
    return said[began::-1]


def test_a_stack_that_is_made_goes_back_and_says_why_in_events_of_its_own(
    stack: EmulatedStack, failure: tuple[Template, str]
) -> None:
    template, begins = failure
    given = {"Parameters": [{"ParameterKey": "Size", "ParameterValue": "7"}], "Tags": [{"Key": "a", "Value": "b"}]}
    assert stack.create(template, **EXPAND, **given) == "ROLLBACK_COMPLETE"
    (_, reason) = events(stack)[1]
    assert reason.startswith(begins)
    assert events(stack) == [
        ("CREATE_IN_PROGRESS", "User Initiated"),
        ("CREATE_IN_PROGRESS", reason),
        ("ROLLBACK_IN_PROGRESS", f"{reason}. Rollback requested by user."),
        ("ROLLBACK_COMPLETE", ""),
    ]
    described = stack.describe()
    assert "StackStatusReason" not in described
    assert {key: described[key] for key in given} == given
    assert stack.cfn.describe_stack_resources(StackName=stack.name)["StackResources"] == []
    assert stack.delete() == "DELETE_COMPLETE"


@pytest.mark.whole
def test_a_stack_that_is_updated_stays_what_it_was_and_says_why_in_events_of_its_own(
    stack: EmulatedStack, failure: tuple[Template, str]
) -> None:
    template, begins = failure
    before = {"Parameters": template["Parameters"], **WHOLE}
    stack.create(before)
    given = {"Parameters": [{"ParameterKey": "Size", "ParameterValue": "7"}], "Tags": [{"Key": "a", "Value": "b"}]}
    assert stack.update(template, **EXPAND, **given) == "UPDATE_ROLLBACK_COMPLETE"
    (_, reason) = events(stack)[1]
    assert reason.startswith(begins)
    assert events(stack) == [
        ("UPDATE_IN_PROGRESS", "User Initiated"),
        ("UPDATE_IN_PROGRESS", reason),
        ("UPDATE_ROLLBACK_IN_PROGRESS", ""),
        ("UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS", ""),
        ("UPDATE_ROLLBACK_COMPLETE", ""),
    ]
    described = stack.describe()
    assert "StackStatusReason" not in described
    assert described["Parameters"] == [{"ParameterKey": "Size", "ParameterValue": "1"}]
    assert described["Tags"] == []
    assert stack.history("One") == ["CREATE_IN_PROGRESS", "CREATE_IN_PROGRESS", "CREATE_COMPLETE"]
    # It can be updated again, and deleted.
    again = {**before, "Resources": {"One": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": "bye"}}}}
    assert stack.update(again) == "UPDATE_COMPLETE"


def test_where_every_macro_does_what_it_should_the_stack_says_that_too(stack: EmulatedStack) -> None:
    """As people's logs of a creation without a change set have it."""
    template = {"Transform": SAM, **WHOLE}
    assert stack.create(template, **EXPAND) == "CREATE_COMPLETE"
    said = [one for one in stack.reasons(stack.name).splitlines() if one]
    assert said == ["Transformation succeeded", "User Initiated"]
    assert stack.update(template, **EXPAND) == "UPDATE_COMPLETE"
    said = [one for one in stack.reasons(stack.name).splitlines() if one]
    assert said == ["Transformation succeeded", "User Initiated"] * 2
    # Without a macro there is nothing to say.
    assert stack.update({**WHOLE, "Resources": {"Two": {"Type": "AWS::SNS::Topic"}}}) == "UPDATE_COMPLETE"
    assert stack.reasons(stack.name).count("Transformation succeeded") == 2


@pytest.mark.parametrize(
    ("on_failure", "ends"),
    [
        ("DO_NOTHING", [("CREATE_FAILED", "{reason}")]),
        ("DELETE", [("DELETE_IN_PROGRESS", "{reason}. Delete requested by user."), ("DELETE_COMPLETE", "")]),
    ],
)
def test_without_a_rollback_a_stack_that_is_made_ends_as_whoever_made_it_wanted(
    stack: EmulatedStack, on_failure: str, ends: list[tuple[str, str]]
) -> None:
    made = stack.cfn.create_stack(
        StackName=stack.name, TemplateBody=json.dumps(including("nowhere")), OnFailure=on_failure, **EXPAND
    )
    reason = "Transform AWS::Include failed with: The location parameter is not a valid S3 uri."
    assert events(stack, made["StackId"])[2:] == [(status, said.format(reason=reason)) for status, said in ends]


def test_without_a_rollback_a_stack_that_is_updated_has_failed_and_the_next_update_goes_on(
    stack: EmulatedStack,
) -> None:
    stack.create(WHOLE)
    assert stack.update(including("nowhere"), DisableRollback=True, **EXPAND) == "UPDATE_FAILED"
    reason = "Transform AWS::Include failed with: The location parameter is not a valid S3 uri."
    assert events(stack)[1:] == [("UPDATE_IN_PROGRESS", reason), ("UPDATE_FAILED", reason)]
    assert stack.update({"Resources": {"Two": {"Type": "AWS::SNS::Topic"}}}) == "UPDATE_COMPLETE"


def test_what_can_be_judged_before_a_macro_is_called_is_refused_in_the_call(stack: EmulatedStack) -> None:
    """As of any template: its form, its parameters, and its rules about them."""
    size = {"Size": {"Type": "Number", "MaxValue": 8}}
    rule = {"Small": {"Assertions": [{"Assert": {"Fn::Not": [{"Fn::Equals": [{"Ref": "Size"}, "7"]}]}}]}}
    template = {"Parameters": size, "Rules": rule, **including("nowhere")}
    for given, said in (
        ([], "must have values"),
        ([{"ParameterKey": "Size", "ParameterValue": "9"}], "must be a number not greater than 8"),
        ([{"ParameterKey": "Size", "ParameterValue": "7"}], "rule Small failed"),
        ([{"ParameterKey": "Other", "ParameterValue": "7"}], "do not exist in the template"),
    ):
        with pytest.raises(ClientError, match=said):
            stack.create(template, Parameters=given, **EXPAND)
    with pytest.raises(ClientError, match=r"Requires capabilities : \[CAPABILITY_AUTO_EXPAND\]"):
        stack.create(template)
    assert stack.name not in {one["StackName"] for one in stack.cfn.describe_stacks()["Stacks"]}
    stack.create({"Parameters": size, **WHOLE}, Parameters=[{"ParameterKey": "Size", "ParameterValue": "1"}])
    with pytest.raises(ClientError, match="must be a number not greater than 8"):
        stack.update(template, Parameters=[{"ParameterKey": "Size", "ParameterValue": "9"}], **EXPAND)
    assert stack.describe()["StackStatus"] == "CREATE_COMPLETE"


@pytest.mark.parametrize("section", ["Parameters", "Rules"])
def test_no_macro_is_taken_where_parameters_are_judged(stack: EmulatedStack, section: str) -> None:
    """In Parameters AWS takes no include; of Rules with one the sandbox knows nothing."""
    include = including("s3://bucket/one")["Resources"]["One"]["Properties"]
    with pytest.raises(ClientError, match=f"no macro in {section}"):
        stack.create({section: include, **WHOLE}, **EXPAND)
