"""Creating and deleting a stack."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from botocore.exceptions import ClientError

if TYPE_CHECKING:
    from tests.localaws.cloudformation.conftest import EmulatedCloudFormation, EmulatedStack

BROKEN = {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "Nonsense", "Value": "x"}}


def parameter(value: Any, **extra: Any) -> dict[str, Any]:
    return {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": value}, **extra}


def test_resources_come_in_the_order_of_their_references_and_go_in_reverse(stack: EmulatedStack) -> None:
    template = {
        "Resources": {
            "Third": parameter({"Fn::Sub": "${Second}"}),
            "Second": parameter({"Fn::GetAtt": "First.Value"}),
            "First": parameter("1", DependsOn="Zeroth"),
            "Zeroth": parameter("0"),
        }
    }
    assert stack.create(template) == "CREATE_COMPLETE"
    created = [line.split()[0] for line in stack.history() if line.endswith("CREATE_COMPLETE")]
    assert created == ["Zeroth", "First", "Second", "Third", stack.name]
    stack_id = stack.describe()["StackId"]
    assert stack.delete() == "DELETE_COMPLETE"
    events = stack.cfn.describe_stack_events(StackName=stack_id)["StackEvents"]
    deleted = [item["LogicalResourceId"] for item in reversed(events) if item["ResourceStatus"] == "DELETE_COMPLETE"]
    assert deleted == ["Third", "Second", "First", "Zeroth", stack.name]


def test_a_name_that_is_made_up_has_no_two_hyphens_of_the_stacks_in_a_row(stack: EmulatedStack) -> None:
    stack.name = "a---stack"
    assert stack.create({"Resources": {"Topic": {"Type": "AWS::SNS::Topic"}}}) == "CREATE_COMPLETE"
    (topic,) = stack.cfn.describe_stack_resources(StackName=stack.name)["StackResources"]
    assert ":a-stack-Topic-" in topic["PhysicalResourceId"]


def test_names_that_are_taken_are_told_by_describe_events_alone_before_anything_is_made(stack: EmulatedStack) -> None:
    stack.sandbox.client("ssm").put_parameter(Name="/taken", Value="by somebody", Type="String")
    resources = {name: parameter("1") for name in ("Taken", "Free")}
    for name, one in resources.items():
        one["Properties"]["Name"] = f"/{name.lower()}"
    assert stack.create({"Resources": resources}) == "ROLLBACK_COMPLETE"
    assert (stack.history("Taken"), stack.history("Free")) == ([], [])
    assert "Validation failure detected. See the operation's FAILED event for details." in stack.reasons(stack.name)
    (told,) = stack.cfn.describe_events(StackName=stack.name, Filters={"FailedEvents": True})["OperationEvents"]
    assert (told["EventType"], told["LogicalResourceId"]) == ("VALIDATION_ERROR", "Taken")
    assert told["ValidationStatusReason"] == (
        "Resource of type 'AWS::SSM::Parameter' with identifier '/taken' already exists."
    )


def test_a_failed_creation_rolls_back_and_says_why(stack: EmulatedStack) -> None:
    template = {"Resources": {"Good": parameter("1"), "Bad": {**BROKEN, "DependsOn": "Good"}}}
    assert stack.create(template) == "ROLLBACK_COMPLETE"
    assert stack.history("Good") == [
        "CREATE_IN_PROGRESS",
        "CREATE_IN_PROGRESS",
        "CREATE_COMPLETE",
        "DELETE_IN_PROGRESS",
        "DELETE_COMPLETE",
    ]
    assert stack.history("Bad") == ["CREATE_IN_PROGRESS", "CREATE_FAILED", "DELETE_COMPLETE"]
    assert "The following resource(s) failed to create: [Bad]." in stack.reasons(stack.name)
    assert stack.parameters() == {}


def test_a_rolled_back_stack_can_only_be_deleted(stack: EmulatedStack) -> None:
    stack.create({"Resources": {"Bad": BROKEN}})
    with pytest.raises(stack.cfn.exceptions.ClientError, match="is in ROLLBACK_COMPLETE state and can not be updated"):
        stack.update({"Resources": {"Good": parameter("1")}})
    assert stack.delete() == "DELETE_COMPLETE"


def test_do_nothing_leaves_what_was_created(stack: EmulatedStack) -> None:
    template = {"Resources": {"Good": parameter("1"), "Bad": {**BROKEN, "DependsOn": "Good"}}}
    assert stack.create(template, OnFailure="DO_NOTHING") == "CREATE_FAILED"
    assert stack.history("Good")[-1] == "CREATE_COMPLETE"
    assert stack.delete() == "DELETE_COMPLETE"


def test_on_failure_delete_removes_the_stack(stack: EmulatedStack) -> None:
    answer = stack.cfn.create_stack(
        StackName=stack.name, TemplateBody=json.dumps({"Resources": {"Bad": BROKEN}}), OnFailure="DELETE"
    )
    assert stack.describe(answer["StackId"])["StackStatus"] == "DELETE_COMPLETE"


def test_what_is_to_be_retained_stays_after_the_deletion(stack: EmulatedStack) -> None:
    kept = parameter("1", DeletionPolicy="Retain")
    stack.create({"Resources": {"Kept": kept, "Gone": parameter("2")}})
    name = stack.physical_id("Kept")
    assert stack.delete() == "DELETE_COMPLETE"
    assert stack.parameters() == {name: "1"}


def test_a_resource_that_is_gone_already_does_not_hinder_the_deletion(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    stack.create({"Resources": {"One": parameter("1")}})
    sandbox.client("ssm").delete_parameter(Name=stack.physical_id("One"))
    assert stack.delete() == "DELETE_COMPLETE"


def test_what_cannot_be_deleted_keeps_what_it_needs_until_it_is_retained(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    bucket = {"Type": "AWS::S3::Bucket", "DependsOn": "Needed"}
    stack.create({"Resources": {"Needed": parameter("1"), "Bucket": bucket}})
    s3 = sandbox.client("s3")
    name = stack.physical_id("Bucket")
    s3.put_object(Bucket=name, Key="a", Body=b"")
    assert stack.delete() == "DELETE_FAILED"
    assert stack.describe()["StackStatusReason"] == "The following resource(s) failed to delete: [Bucket]. "
    assert stack.history("Needed")[-1] == "CREATE_COMPLETE"
    assert stack.delete(RetainResources=["Bucket"]) == "DELETE_COMPLETE"
    s3.delete_object(Bucket=name, Key="a")
    s3.delete_bucket(Bucket=name)


def test_a_deleted_stack_is_found_by_id_only_and_its_name_is_free_again(stack: EmulatedStack) -> None:
    stack.create({"Resources": {"One": parameter("1")}})
    first_id = stack.describe()["StackId"]
    stack.delete()
    with pytest.raises(stack.cfn.exceptions.ClientError, match=f"Stack with id {stack.name} does not exist"):
        stack.describe()
    assert stack.create({"Resources": {"One": parameter("1")}}) == "CREATE_COMPLETE"
    assert stack.describe()["StackId"] != first_id
    assert stack.describe(first_id)["StackStatus"] == "DELETE_COMPLETE"


def test_a_second_stack_of_the_same_name_is_refused(stack: EmulatedStack) -> None:
    stack.create({"Resources": {"One": parameter("1")}})
    with pytest.raises(stack.cfn.exceptions.AlreadyExistsException):
        stack.create({"Resources": {"One": parameter("1")}})


def test_a_name_that_exists_outside_the_stack_fails_the_creation(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    sandbox.client("sns").create_topic(Name=f"{stack.name}-topic")
    topic = {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": {"Fn::Sub": "${AWS::StackName}-topic"}}}
    assert stack.create({"Resources": {"Topic": topic}}) == "ROLLBACK_COMPLETE"
    assert "already exists" in stack.reasons("Topic")
    assert any(stack.name in item["TopicArn"] for item in sandbox.client("sns").list_topics()["Topics"])


def test_events_never_share_a_time_even_when_the_clock_stands_still(stack: EmulatedStack) -> None:
    with time_machine.travel("2030-01-07T00:00:00Z", tick=False):
        stack.create({"Resources": {"One": parameter("1")}})
    times = [item["Timestamp"] for item in stack.cfn.describe_stack_events(StackName=stack.name)["StackEvents"]]
    assert times == sorted(set(times), reverse=True)


def test_stack_tags_reach_resources_that_can_have_tags(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    topic = {"Type": "AWS::SNS::Topic", "Properties": {"Tags": [{"Key": "own", "Value": "1"}]}}
    stack.create({"Resources": {"Topic": topic}}, Tags=[{"Key": "team", "Value": "storage"}])
    tags = sandbox.client("sns").list_tags_for_resource(ResourceArn=stack.physical_id("Topic"))["Tags"]
    assert {item["Key"]: item["Value"] for item in tags} == {"own": "1", "team": "storage"}


def test_a_failed_creation_left_as_it_was_can_be_rolled_back_later(stack: EmulatedStack) -> None:
    template = {"Resources": {"Good": parameter("1"), "Bad": {**BROKEN, "DependsOn": "Good"}}}
    stack.create(template, OnFailure="DO_NOTHING")
    stack.cfn.rollback_stack(StackName=stack.name)
    assert stack.describe()["StackStatus"] == "ROLLBACK_COMPLETE"
    assert stack.parameters() == {}


@pytest.mark.parametrize(
    ("resource", "problem"),
    [
        (
            {"Type": "AWS::SSM::Document", "Properties": {"Name": "a" * 129, "Content": {}}},
            "for resource Named with message:\n#/Name: expected maxLength: 128, actual: 129",
        ),
        (
            {"Type": "AWS::SSM::Document", "Properties": {"Name": "Amazon-x", "Content": {}}},
            "Name Amazon-x of Named begins with amazon, which is reserved by AWS",
        ),
        (
            {"Type": "AWS::SSM::Parameter", "Properties": {"Name": "/SSM/x", "Type": "String", "Value": "x"}},
            "Name /SSM/x of Named begins with /ssm, which is reserved by AWS",
        ),
        (
            {"Type": "AWS::Lambda::Permission", "Properties": {"FunctionName": "x", "Principal": "x"}},
            "for resource Named with message:\n#: required key [Action] not found",
        ),
        (
            {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": "a b"}},
            "#/TopicName: failed validation constraint for keyword [pattern]",
        ),
    ],
)
def test_a_name_that_aws_does_not_take_fails_its_resource(
    stack: EmulatedStack, resource: dict[str, object], problem: str
) -> None:
    assert stack.create({"Resources": {"Named": resource}}) == "ROLLBACK_COMPLETE"
    assert problem in stack.reasons("Named")
    assert stack.history("Named")[-1] == "DELETE_COMPLETE"


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("1st", "satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*"),
        ("a_b", "satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*"),
        ("a" * 129, "have length less than or equal to 128"),
    ],
)
def test_a_stack_has_a_name_of_128_letters_digits_and_hyphens(
    sandbox: EmulatedCloudFormation, name: str, rule: str
) -> None:
    template = json.dumps({"Resources": {"One": {"Type": "AWS::SNS::Topic"}}})
    with pytest.raises(ClientError) as refused:
        sandbox.client("cloudformation").create_stack(StackName=name, TemplateBody=template)
    assert refused.value.response["Error"]["Message"] == (
        f"1 validation error detected: Value '{name}' at 'stackName' failed to satisfy constraint: Member must {rule}"
    )
