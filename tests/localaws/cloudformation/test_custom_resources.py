"""Custom resources: the event a function gets, and what its answer does."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest

from tests.localaws.cloudformation.conftest import EmulatedCloudFormation, EmulatedStack, put, respond


def template(token: str, **properties: Any) -> dict[str, Any]:
    """A custom resource whose answer becomes the value of a parameter that depends on it."""
    value = {"Fn::GetAtt": ["Thing", "Answer"]}
    thing = {"Type": "Custom::Thing", "Properties": {"ServiceToken": token, **properties}}
    return {
        "Resources": {
            "Thing": thing,
            "Dependent": {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": value}},
        },
        "Outputs": {"Thing": {"Value": {"Ref": "Thing"}}, "Answer": {"Value": value}},
    }


def test_the_event_has_the_shape_that_aws_sends(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    token = sandbox.function(lambda event: respond(event, Data={"Answer": "42"}))
    stack.create(template(token, Minutes=60, Enabled=True, Nested={"List": [1, 2.5]}, ServiceTimeout=30))
    (event,) = sandbox.events
    assert event.pop("ResponseURL").startswith(f"{sandbox.endpoint}/cloudformation_us-east-1/")
    assert event.pop("RequestId")
    assert event == {
        "RequestType": "Create",
        "ServiceToken": token,
        "StackId": stack.describe()["StackId"],
        "LogicalResourceId": "Thing",
        "ResourceType": "Custom::Thing",
        "ResourceProperties": {
            "ServiceToken": token,
            "Minutes": "60",
            "Enabled": "true",
            "Nested": {"List": ["1", "2.5"]},
            "ServiceTimeout": "30",
        },
    }


def test_its_data_reaches_dependents_and_outputs(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    token = sandbox.function(lambda event: respond(event, PhysicalResourceId="mine", Data={"Answer": "42"}))
    assert stack.create(template(token)) == "CREATE_COMPLETE"
    assert stack.outputs() == {"Thing": "mine", "Answer": "42"}
    name = stack.physical_id("Dependent")
    assert sandbox.client("ssm").get_parameter(Name=name)["Parameter"]["Value"] == "42"


def test_an_update_reaches_the_function_only_when_a_property_changed(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    token = sandbox.function(lambda event: respond(event, Data={"Answer": event["ResourceProperties"]["Size"]}))
    stack.create(template(token, Size="small"))
    changed = template(token, Size="small")
    changed["Outputs"]["More"] = {"Value": "x"}
    stack.update(changed)
    assert [event["RequestType"] for event in sandbox.events] == ["Create"]
    stack.update(template(token, Size="large"))
    update = sandbox.events[-1]
    assert update["RequestType"] == "Update"
    assert update["PhysicalResourceId"] == "thing-1"
    assert update["OldResourceProperties"]["Size"] == "small"
    assert stack.outputs()["Answer"] == "large"


def test_a_new_physical_id_deletes_the_old_one_in_the_clean_up(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    def handler(event: dict[str, Any]) -> None:
        size = event["ResourceProperties"]["Size"]
        respond(event, PhysicalResourceId=f"thing-{size}", Data={"Answer": size})

    token = sandbox.function(handler)
    stack.create(template(token, Size="a"))
    stack.update(template(token, Size="b"))
    seen = [(event["RequestType"], event.get("PhysicalResourceId")) for event in sandbox.events]
    assert seen == [("Create", None), ("Update", "thing-a"), ("Delete", "thing-a")]
    assert sandbox.events[-1]["ResourceProperties"]["Size"] == "a"
    assert stack.outputs()["Thing"] == "thing-b"


def test_a_failed_answer_fails_the_stack_with_its_reason_and_is_deleted(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    def handler(event: dict[str, Any]) -> None:
        failed = event["RequestType"] == "Create"
        respond(event, "FAILED" if failed else "SUCCESS", Reason="no file system fs-1 in us-east-1")

    assert stack.create(template(sandbox.function(handler))) == "ROLLBACK_COMPLETE"
    request_id = sandbox.events[0]["RequestId"]
    assert (
        "Received response status [FAILED] from custom resource. "
        f"Message returned: no file system fs-1 in us-east-1 (RequestId: {request_id})"
    ) in stack.reasons("Thing")
    assert [event["RequestType"] for event in sandbox.events] == ["Create", "Delete"]
    assert sandbox.events[1]["PhysicalResourceId"] == "thing-1"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"x" * 4_097, "Response object is too long."),
        (b"not json", "not JSON"),
        (b'{"Status": "OK"}', "Status must be SUCCESS or FAILED"),
        (b'{"Status": "SUCCESS", "StackId": "other"}', "StackId must be"),
    ],
)
def test_a_malformed_answer_fails_with_a_reason(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack, body: bytes, reason: str
) -> None:
    def handler(event: dict[str, Any]) -> None:
        if event["RequestType"] == "Create":
            put(event, body)
        else:
            respond(event)

    assert stack.create(template(sandbox.function(handler))) == "ROLLBACK_COMPLETE"
    assert reason in stack.reasons("Thing")


def test_an_answer_of_exactly_4096_bytes_is_accepted(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    def handler(event: dict[str, Any]) -> None:
        keys = ("StackId", "RequestId", "LogicalResourceId")
        body = {key: event[key] for key in keys} | {"PhysicalResourceId": "a", "Status": "SUCCESS"}
        body["Data"] = {"Answer": ""}
        body["Data"]["Answer"] = "x" * (4_096 - len(json.dumps(body)))
        put(event, json.dumps(body).encode())

    one = template(sandbox.function(handler))
    del one["Resources"]["Dependent"]
    assert stack.create(one) == "CREATE_COMPLETE"


def test_an_answer_without_a_physical_id_fails(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    def handler(event: dict[str, Any]) -> None:
        respond(event, PhysicalResourceId="" if event["RequestType"] == "Create" else "x")

    assert stack.create(template(sandbox.function(handler))) == "ROLLBACK_COMPLETE"
    assert "Invalid PhysicalResourceId" in stack.reasons("Thing")


@pytest.mark.whole
def test_silence_fails_after_the_service_timeout(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    def handler(event: dict[str, Any]) -> None:
        if event["RequestType"] == "Delete":
            respond(event)

    assert stack.create(template(sandbox.function(handler), ServiceTimeout=1)) == "ROLLBACK_COMPLETE"
    assert "did not receive a response from your Custom Resource" in stack.reasons("Thing")


def test_an_answer_may_come_long_after_the_function_returned(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    def handler(event: dict[str, Any]) -> None:
        threading.Timer(0.3, respond, [event], {"Data": {"Answer": "late"}}).start()

    assert stack.create(template(sandbox.function(handler))) == "CREATE_COMPLETE"
    assert stack.outputs()["Answer"] == "late"


def test_data_that_the_answer_lacks_fails_the_dependent(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    assert stack.create(template(sandbox.function(respond))) == "ROLLBACK_COMPLETE"
    assert "Vendor response doesn't contain Answer attribute" in stack.reasons("Dependent")


def test_a_missing_function_fails_at_once(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    token = "arn:aws:lambda:us-east-1:123456789012:function:absent"
    assert stack.create(template(token)) == "ROLLBACK_COMPLETE"
    assert "ResourceNotFoundException" in stack.reasons("Thing")


def test_a_delete_that_fails_can_be_tried_again(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    answers = iter(["SUCCESS", "FAILED", "SUCCESS"])
    token = sandbox.function(lambda event: respond(event, next(answers), Data={"Answer": "1"}, Reason="busy"))
    stack.create(template(token))
    assert stack.delete() == "DELETE_FAILED"
    assert "[Thing]" in stack.describe()["StackStatusReason"]
    assert stack.delete() == "DELETE_COMPLETE"


def test_what_is_not_to_be_echoed_reaches_dependents_but_no_output(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    token = sandbox.function(lambda event: respond(event, Data={"Answer": "secret"}, NoEcho=True))
    stack.create(template(token))
    assert stack.outputs()["Answer"] == "****"
    assert list(stack.parameters().values()) == ["secret"]


@pytest.mark.parametrize(
    ("number", "text"),
    [(9_999_999, "9999999"), (1_048_576, "1048576"), (104_857_600, "1.048576E8"), (10_000_000, "1.0E7"), (2.5, "2.5")],
)
def test_large_numbers_in_an_answer_arrive_in_scientific_form(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack, number: float, text: str
) -> None:
    stack.create(template(sandbox.function(lambda event: respond(event, Data={"Answer": number}))))
    assert stack.outputs()["Answer"] == text
