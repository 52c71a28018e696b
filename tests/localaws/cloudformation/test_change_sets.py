"""Change sets and the rest of the API, as the command line uses it."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

import pytest
from botocore.exceptions import ClientError, WaiterError

from tests.localaws.cloudformation.conftest import respond

if TYPE_CHECKING:
    from tests.localaws.cloudformation.conftest import EmulatedCloudFormation, EmulatedStack

ROLE = {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": {}}}


def topics(**display_names: str) -> str:
    resources = {
        name: {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": text}} for name, text in display_names.items()
    }
    return json.dumps({"Resources": resources})


def propose(stack: EmulatedStack, body: str, kind: str = "UPDATE", **arguments: Any) -> dict[str, Any]:
    cfn = stack.cfn
    answer = cfn.create_change_set(
        StackName=stack.name, ChangeSetName="change", ChangeSetType=kind, TemplateBody=body, **arguments
    )
    described: dict[str, Any] = cfn.describe_change_set(ChangeSetName=answer["Id"])
    return described


def test_a_change_set_creates_a_stack_when_it_is_executed(stack: EmulatedStack) -> None:
    proposed = propose(stack, topics(A="a"), "CREATE")
    assert proposed["Status"] == "CREATE_COMPLETE"
    assert [change["ResourceChange"]["Action"] for change in proposed["Changes"]] == ["Add"]
    assert stack.describe()["StackStatus"] == "REVIEW_IN_PROGRESS"
    stack.cfn.execute_change_set(StackName=stack.name, ChangeSetName="change")
    assert stack.describe()["StackStatus"] == "CREATE_COMPLETE"
    with pytest.raises(ClientError, match="InvalidChangeSetStatus"):
        stack.cfn.execute_change_set(ChangeSetName=proposed["ChangeSetId"])


def test_the_changes_name_what_is_added_modified_replaced_and_removed(stack: EmulatedStack) -> None:
    def parameter(name: str, value: Any) -> dict[str, Any]:
        name = f"/{stack.name}/{name}"
        return {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Name": name, "Value": value}}

    before = {
        "Same": parameter("same", "1"),
        "Changed": parameter("changed", "1"),
        "Renamed": parameter("old", "1"),
        "Gone": parameter("gone", "1"),
        "Follower": parameter("follower", {"Fn::GetAtt": "Changed.Value"}),
    }
    stack.create({"Resources": before})
    after = {
        **before,
        "Changed": parameter("changed", "2"),
        "Renamed": parameter("new", "1"),
        "New": parameter("n", "1"),
    }
    del after["Gone"]
    changes = [item["ResourceChange"] for item in propose(stack, json.dumps({"Resources": after}))["Changes"]]
    assert {item["LogicalResourceId"]: (item["Action"], item.get("Replacement")) for item in changes} == {
        "Changed": ("Modify", "False"),
        "Renamed": ("Modify", "True"),
        "Follower": ("Modify", "False"),
        "New": ("Add", None),
        "Gone": ("Remove", None),
    }
    (follower,) = [item for item in changes if item["LogicalResourceId"] == "Follower"]
    assert [detail["Evaluation"] for detail in follower["Details"]] == ["Dynamic"]
    assert stack.history("Changed")[-1] == "CREATE_COMPLETE"


def test_a_change_set_without_changes_fails_in_the_words_that_sam_recognises(stack: EmulatedStack) -> None:
    stack.create(json.loads(topics(A="a")))
    proposed = propose(stack, topics(A="a"))
    assert (proposed["Status"], proposed["ExecutionStatus"]) == ("FAILED", "UNAVAILABLE")
    assert proposed["StatusReason"].startswith("The submitted information didn't contain changes.")
    with pytest.raises(WaiterError, match="FAILED"):
        stack.cfn.get_waiter("change_set_create_complete").wait(ChangeSetName=proposed["ChangeSetId"])


def test_a_stack_that_is_a_change_set_alone_can_be_deleted(stack: EmulatedStack) -> None:
    propose(stack, topics(A="a"), "CREATE")
    assert stack.delete() == "DELETE_COMPLETE"


def test_an_update_of_an_absent_stack_and_a_creation_of_a_present_one_are_refused(stack: EmulatedStack) -> None:
    with pytest.raises(ClientError, match=f"Stack \\[{stack.name}\\] does not exist"):
        propose(stack, topics(A="a"))
    stack.create(json.loads(topics(A="a")))
    with pytest.raises(ClientError, match="already exists"):
        propose(stack, topics(A="b"), "CREATE")


def test_errors_of_the_transform_arrive_as_the_change_sets_status(stack: EmulatedStack) -> None:
    sam = {"Transform": "AWS::Serverless-2016-10-31", "Resources": {"A": {"Type": "AWS::Serverless::Nope"}}}
    proposed = propose(stack, json.dumps(sam), "CREATE")
    assert proposed["Status"] == "FAILED"
    assert "AWS::Serverless::Nope" in proposed["StatusReason"]


def test_capabilities_are_asked_for(stack: EmulatedStack) -> None:
    body = json.dumps({"Resources": {"Role": ROLE}})
    with pytest.raises(ClientError, match=r"InsufficientCapabilitiesException.*CAPABILITY_IAM"):
        propose(stack, body, "CREATE")
    sam = {"Transform": "AWS::Serverless-2016-10-31", **json.loads(topics(A="a"))}
    with pytest.raises(ClientError, match="CAPABILITY_AUTO_EXPAND"):
        stack.create(sam)
    assert stack.create(sam, Capabilities=["CAPABILITY_AUTO_EXPAND"]) == "CREATE_COMPLETE"


def test_a_template_can_come_from_s3_in_every_style_of_address(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    s3 = sandbox.client("s3")
    s3.create_bucket(Bucket="templates")
    s3.put_object(Bucket="templates", Key="a/b.json", Body=topics(A="a").encode())
    hosts = [
        f"{sandbox.endpoint}/templates/a/b.json",
        "https://s3.us-east-1.amazonaws.com/templates/a/b.json",
        "https://templates.s3.us-east-1.amazonaws.com/a/b.json",
    ]
    for url in hosts:
        assert stack.cfn.get_template_summary(TemplateURL=url)["ResourceTypes"] == ["AWS::SNS::Topic"]
    with pytest.raises(ClientError, match="S3 error"):
        stack.cfn.get_template_summary(TemplateURL=f"{sandbox.endpoint}/templates/absent")


def test_previous_values_and_the_previous_template_are_kept(stack: EmulatedStack) -> None:
    template = {
        "Parameters": {"Text": {"Type": "String"}, "Secret": {"Type": "String", "NoEcho": True}},
        "Resources": {"A": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Fn::Sub": "${Text}${Secret}"}}}},
    }
    first = [{"ParameterKey": "Text", "ParameterValue": "a"}, {"ParameterKey": "Secret", "ParameterValue": "s"}]
    stack.create(template, Parameters=first)
    second = [{"ParameterKey": "Text", "ParameterValue": "b"}, {"ParameterKey": "Secret", "UsePreviousValue": True}]
    stack.cfn.update_stack(StackName=stack.name, UsePreviousTemplate=True, Parameters=second)
    described = stack.describe()
    assert described["StackStatus"] == "UPDATE_COMPLETE"
    shown = {item["ParameterKey"]: item["ParameterValue"] for item in described["Parameters"]}
    assert shown == {"Text": "b", "Secret": "****"}
    arn = stack.physical_id("A")
    attributes = stack.sandbox.client("sns").get_topic_attributes(TopicArn=arn)["Attributes"]
    assert attributes["DisplayName"] == "bs"


def test_the_template_comes_back_as_submitted_and_as_processed(stack: EmulatedStack) -> None:
    sam = {"Transform": "AWS::Serverless-2016-10-31", **json.loads(topics(A="a"))}
    stack.create(sam, Capabilities=["CAPABILITY_AUTO_EXPAND"])
    original = stack.cfn.get_template(StackName=stack.name)
    processed = stack.cfn.get_template(StackName=stack.name, TemplateStage="Processed")
    assert original["TemplateBody"] == sam
    assert "Transform" not in processed["TemplateBody"]


def test_a_summary_names_parameters_capabilities_and_types(stack: EmulatedStack) -> None:
    template = {
        "Description": "d",
        "Parameters": {"P": {"Type": "Number", "Default": 5, "AllowedValues": [5, 6], "Description": "p"}},
        "Resources": {"Role": ROLE},
    }
    summary = stack.cfn.get_template_summary(TemplateBody=json.dumps(template))
    assert summary["Capabilities"] == ["CAPABILITY_IAM"]
    (parameter,) = summary["Parameters"]
    assert (parameter["DefaultValue"], parameter["ParameterConstraints"]) == ("5", {"AllowedValues": ["5", "6"]})
    assert parameter["Description"] == "p"


def test_stacks_and_resources_can_be_listed(stack: EmulatedStack) -> None:
    stack.create(json.loads(topics(A="a")))
    cfn = stack.cfn
    assert stack.name in [item["StackName"] for item in cfn.describe_stacks()["Stacks"]]
    (listed,) = cfn.list_stack_resources(StackName=stack.name)["StackResourceSummaries"]
    (described,) = cfn.describe_stack_resources(PhysicalResourceId=listed["PhysicalResourceId"])["StackResources"]
    assert (described["LogicalResourceId"], described["StackName"]) == ("A", stack.name)


def test_regions_do_not_see_each_others_stacks(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    stack.create(json.loads(topics(A="a")))
    with pytest.raises(ClientError, match=f"Stack with id {stack.name} does not exist"):
        sandbox.client("cloudformation", "eu-west-1").describe_stacks(StackName=stack.name)


def test_a_protected_stack_cannot_be_deleted(stack: EmulatedStack) -> None:
    stack.create(json.loads(topics(A="a")), EnableTerminationProtection=True)
    with pytest.raises(ClientError, match="TerminationProtection is enabled"):
        stack.delete()


@pytest.mark.whole
def test_a_stack_in_progress_can_be_watched_but_not_changed(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    go_on = threading.Event()

    def handler(event: dict[str, Any]) -> None:
        threading.Thread(target=answer_later, args=[event]).start()

    def answer_later(event: dict[str, Any]) -> None:
        go_on.wait(10)
        respond(event)

    thing = {"Type": "Custom::Thing", "Properties": {"ServiceToken": sandbox.function(handler)}}
    patience, sandbox.engine.patience_seconds = sandbox.engine.patience_seconds, 0.1
    try:
        stack.cfn.create_stack(StackName=stack.name, TemplateBody=json.dumps({"Resources": {"Thing": thing}}))
        assert stack.describe()["StackStatus"] == "CREATE_IN_PROGRESS"
        with pytest.raises(ClientError, match="cannot be deleted while in status CREATE_IN_PROGRESS"):
            stack.cfn.delete_stack(StackName=stack.name)
        with pytest.raises(ClientError, match="is in CREATE_IN_PROGRESS state and can not be updated"):
            stack.cfn.update_stack(StackName=stack.name, TemplateBody=topics(A="a"))
    finally:
        go_on.set()
        sandbox.engine.patience_seconds = patience
    stack.cfn.get_waiter("stack_create_complete").wait(StackName=stack.name, WaiterConfig={"Delay": 1})


def test_an_action_that_is_not_there_says_so(stack: EmulatedStack) -> None:
    with pytest.raises(ClientError, match=r"InvalidOperationException.*does not implement ListExports"):
        stack.cfn.list_exports()


def test_a_name_is_free_again_once_its_change_set_cannot_be_executed_any_more(stack: EmulatedStack) -> None:
    propose(stack, topics(A="a"), "CREATE")
    with pytest.raises(ClientError, match=r"ChangeSet \[change\] already exists"):
        propose(stack, topics(A="a"), "CREATE")
    stack.cfn.execute_change_set(StackName=stack.name, ChangeSetName="change")
    assert propose(stack, topics(A="a"))["Status"] == "FAILED"
    assert propose(stack, topics(A="b"))["Status"] == "CREATE_COMPLETE"
    stack.cfn.execute_change_set(StackName=stack.name, ChangeSetName="change")
    assert stack.describe()["StackStatus"] == "UPDATE_COMPLETE"
