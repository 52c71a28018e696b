"""Updating a stack: only what differs is touched, and a failed update is rolled back as on AWS."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from tests.localaws.cloudformation.conftest import EmulatedCloudFormation, EmulatedStack, respond

BROKEN = {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "Nonsense", "Value": "x"}}


def parameter(value: Any, **extra: Any) -> dict[str, Any]:
    return {"Type": "AWS::SSM::Parameter", "Properties": {"Type": "String", "Value": value}, **extra}


def alarm(threshold: Any, **properties: Any) -> dict[str, Any]:
    """An alarm on the credits, with the name `<stack>-credits`."""
    fixed = {
        "AlarmName": {"Fn::Sub": "${AWS::StackName}-credits"},
        "Namespace": "AWS/EFS",
        "MetricName": "BurstCreditBalance",
        "Statistic": "Minimum",
        "Period": 60,
        "EvaluationPeriods": 1,
        "ComparisonOperator": "LessThanThreshold",
        "Threshold": threshold,
    }
    return {"Type": "AWS::CloudWatch::Alarm", "Properties": {**fixed, **properties}}


def live_threshold(stack: EmulatedStack) -> float:
    found = stack.sandbox.client("cloudwatch").describe_alarms(AlarmNames=[f"{stack.name}-credits"])
    return float(found["MetricAlarms"][0]["Threshold"])


def move_threshold(stack: EmulatedStack, threshold: float) -> None:
    """What the recalculation does between two deployments: it re-puts the live alarm."""
    cloudwatch = stack.sandbox.client("cloudwatch")
    (found,) = cloudwatch.describe_alarms(AlarmNames=[f"{stack.name}-credits"])["MetricAlarms"]
    keys = ("AlarmName", "Namespace", "MetricName", "Statistic", "Period", "EvaluationPeriods", "ComparisonOperator")
    cloudwatch.put_metric_alarm(**{key: found[key] for key in keys}, Threshold=threshold)


class ChangingThreshold:
    """A custom resource that answers with another threshold every time it is asked."""

    def __init__(self) -> None:
        self.value = 0

    def __call__(self, event: dict[str, Any]) -> None:
        self.value += 100
        respond(event, Data={"Warning": str(self.value)})


def alerting(token: str, minutes: int = 180, **alarm_properties: Any) -> dict[str, Any]:
    thresholds = {"Type": "Custom::Thresholds", "Properties": {"ServiceToken": token, "Minutes": minutes}}
    return {
        "Resources": {
            "Thresholds": thresholds,
            "Alarm": alarm({"Fn::GetAtt": "Thresholds.Warning"}, **alarm_properties),
        }
    }


def test_an_untouched_resource_keeps_its_live_drift(stack: EmulatedStack) -> None:
    template = {"Resources": {"Alarm": alarm(100), "Other": parameter("1")}}
    stack.create(template)
    move_threshold(stack, 170)
    template["Resources"]["Other"] = parameter("2")
    assert stack.update(template) == "UPDATE_COMPLETE"
    assert live_threshold(stack) == 170
    assert "UPDATE_IN_PROGRESS" not in stack.history("Alarm")


def test_any_changed_property_applies_the_templates_threshold_again(stack: EmulatedStack) -> None:
    stack.create({"Resources": {"Alarm": alarm(100)}})
    move_threshold(stack, 170)
    stack.update({"Resources": {"Alarm": alarm(100, EvaluationPeriods=2)}})
    assert live_threshold(stack) == 100


def test_the_same_number_written_as_text_is_no_change(stack: EmulatedStack) -> None:
    stack.create({"Resources": {"Alarm": alarm(100)}})
    with pytest.raises(stack.cfn.exceptions.ClientError, match="No updates are to be performed"):
        stack.update({"Resources": {"Alarm": alarm("100", Period="60")}})


def test_a_changed_alarm_gets_the_stored_answer_when_the_custom_resource_is_not_asked(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    token = sandbox.function(ChangingThreshold())
    stack.create(alerting(token))
    move_threshold(stack, 170)
    stack.update(alerting(token, EvaluationPeriods=2))
    assert len(sandbox.events) == 1
    assert live_threshold(stack) == 100


def test_a_changed_alarm_gets_the_fresh_answer_when_the_custom_resource_is_asked_first(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    token = sandbox.function(ChangingThreshold())
    stack.create(alerting(token))
    stack.update(alerting(token, minutes=120, EvaluationPeriods=2))
    assert live_threshold(stack) == 200


def test_a_new_answer_alone_updates_the_dependents(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    token = sandbox.function(ChangingThreshold())
    stack.create(alerting(token))
    stack.update(alerting(token, minutes=120))
    assert live_threshold(stack) == 200


def test_a_rollback_asks_the_custom_resource_again_and_applies_its_new_answer(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    token = sandbox.function(ChangingThreshold())
    stack.create(alerting(token))
    failing = alerting(token, minutes=120, EvaluationPeriods=2)
    failing["Resources"]["Bad"] = {**BROKEN, "DependsOn": "Alarm"}
    assert stack.update(failing) == "UPDATE_ROLLBACK_COMPLETE"
    back = sandbox.events[-1]
    assert (back["RequestType"], back["PhysicalResourceId"]) == ("Update", "thing-1")
    assert (back["ResourceProperties"]["Minutes"], back["OldResourceProperties"]["Minutes"]) == ("180", "120")
    assert live_threshold(stack) == 300


def test_a_rollback_applies_the_stored_old_answer_when_the_custom_resource_was_not_part_of_the_update(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    token = sandbox.function(ChangingThreshold())
    stack.create(alerting(token))
    move_threshold(stack, 170)
    failing = alerting(token, EvaluationPeriods=2)
    failing["Resources"]["Bad"] = {**BROKEN, "DependsOn": "Alarm"}
    stack.update(failing)
    assert live_threshold(stack) == 100


def test_a_rollback_does_not_touch_what_the_update_had_not_reached(stack: EmulatedStack) -> None:
    last = parameter("1", DependsOn="First")
    stack.create({"Resources": {"First": parameter("1"), "Alarm": {**alarm(100), "DependsOn": "First"}, "Last": last}})
    move_threshold(stack, 170)
    failing = {
        "Resources": {
            "First": parameter("2"),
            "Bad": {**BROKEN, "DependsOn": "First"},
            "Alarm": {**alarm(100, EvaluationPeriods=2), "DependsOn": "Bad"},
            "Last": last,
        }
    }
    assert stack.update(failing) == "UPDATE_ROLLBACK_COMPLETE"
    assert live_threshold(stack) == 170
    assert stack.history("Alarm")[-1] == "CREATE_COMPLETE"


def test_a_rollback_restores_updated_resources_and_deletes_new_ones(stack: EmulatedStack) -> None:
    stack.create({"Resources": {"Kept": parameter("old"), "Removed": parameter("1")}})
    failing = {
        "Resources": {
            "Kept": parameter("new"),
            "Added": parameter("1", DependsOn="Kept"),
            "Bad": {**BROKEN, "DependsOn": "Added"},
        }
    }
    assert stack.update(failing) == "UPDATE_ROLLBACK_COMPLETE"
    assert stack.parameters() == {stack.physical_id("Kept"): "old", stack.physical_id("Removed"): "1"}
    assert stack.history(stack.name)[-5:] == [
        "CREATE_COMPLETE",
        "UPDATE_IN_PROGRESS",
        "UPDATE_ROLLBACK_IN_PROGRESS",
        "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
        "UPDATE_ROLLBACK_COMPLETE",
    ]
    assert "failed to update: [Bad]" in stack.reasons(stack.name)


def test_a_custom_resource_whose_update_failed_gets_its_old_properties_again(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    def handler(event: dict[str, Any]) -> None:
        failed = event["ResourceProperties"]["Minutes"] == "120"
        respond(event, "FAILED" if failed else "SUCCESS", Data={"Warning": "100"}, Reason="Critical >= Warning")

    token = sandbox.function(handler)
    stack.create(alerting(token))
    assert stack.update(alerting(token, minutes=120)) == "UPDATE_ROLLBACK_COMPLETE"
    assert [event["ResourceProperties"]["Minutes"] for event in sandbox.events] == ["180", "120", "180"]
    assert "Critical >= Warning" in stack.reasons("Thresholds")


def test_a_rolled_back_stack_can_be_updated_and_deleted(stack: EmulatedStack) -> None:
    stack.create({"Resources": {"One": parameter("1")}})
    stack.update({"Resources": {"One": parameter("2"), "Bad": {**BROKEN, "DependsOn": "One"}}})
    assert stack.update({"Resources": {"One": parameter("3")}}) == "UPDATE_COMPLETE"
    assert stack.delete() == "DELETE_COMPLETE"


def test_a_rollback_that_fails_says_so_and_the_stack_can_still_be_deleted(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    def handler(event: dict[str, Any]) -> None:
        respond(event, "FAILED" if event["RequestType"] == "Update" else "SUCCESS", Data={"Warning": "1"})

    token = sandbox.function(handler)
    stack.create(alerting(token))
    assert stack.update(alerting(token, minutes=120)) == "UPDATE_ROLLBACK_FAILED"
    assert stack.delete() == "DELETE_COMPLETE"


def test_with_rollback_disabled_the_next_update_goes_on_from_there(stack: EmulatedStack) -> None:
    stack.create({"Resources": {"One": parameter("1")}})
    failing = {"Resources": {"One": parameter("2"), "Bad": {**BROKEN, "DependsOn": "One"}}}
    assert stack.update(failing, DisableRollback=True) == "UPDATE_FAILED"
    assert stack.parameters() == {stack.physical_id("One"): "2"}
    mended = copy.deepcopy(failing)
    mended["Resources"]["Bad"] = parameter("good")
    assert stack.update(mended) == "UPDATE_COMPLETE"


def test_a_replacement_is_created_first_and_the_old_one_deleted_in_the_clean_up(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    def topic(name: str) -> dict[str, Any]:
        full = {"Fn::Sub": f"${{AWS::StackName}}-{name}"}
        return {
            "Resources": {
                "Topic": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": full}},
                "Arn": parameter({"Ref": "Topic"}),
            }
        }

    stack.create(topic("a"))
    assert stack.update(topic("b")) == "UPDATE_COMPLETE"
    arns = [item["TopicArn"] for item in sandbox.client("sns").list_topics()["Topics"]]
    assert [arn.rsplit(":", 1)[1] for arn in arns if stack.name in arn] == [f"{stack.name}-b"]
    lines = stack.history()
    assert lines.index("Arn UPDATE_COMPLETE") < lines.index("Topic DELETE_COMPLETE")


def test_a_replacement_is_undone_by_a_rollback(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    def template(name: str) -> dict[str, Any]:
        full = {"Fn::Sub": f"${{AWS::StackName}}-{name}"}
        return {"Resources": {"Topic": {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": full}}}}

    stack.create(template("a"))
    failing = template("b")
    failing["Resources"]["Bad"] = {**BROKEN, "DependsOn": "Topic"}
    assert stack.update(failing) == "UPDATE_ROLLBACK_COMPLETE"
    assert stack.physical_id("Topic").endswith(f"{stack.name}-a")
    arns = [item["TopicArn"] for item in sandbox.client("sns").list_topics()["Topics"]]
    assert [arn.rsplit(":", 1)[1] for arn in arns if stack.name in arn] == [f"{stack.name}-a"]


def test_a_custom_name_with_a_change_that_needs_replacement_is_refused(stack: EmulatedStack) -> None:
    def role(path: str) -> dict[str, Any]:
        trust = {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}
        properties = {
            "AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": [trust]},
            "Path": path,
            "RoleName": {"Ref": "AWS::StackName"},
        }
        return {"Resources": {"Role": {"Type": "AWS::IAM::Role", "Properties": properties}}}

    capabilities = {"Capabilities": ["CAPABILITY_NAMED_IAM"]}
    stack.create(role("/one/"), **capabilities)
    assert stack.update(role("/two/"), **capabilities) == "UPDATE_ROLLBACK_COMPLETE"
    assert "custom-named resource requires replacing" in stack.reasons("Role")


def test_another_class_of_a_log_group_is_another_log_group(stack: EmulatedStack) -> None:
    def group(kind: str) -> dict[str, Any]:
        return {"Resources": {"Group": {"Type": "AWS::Logs::LogGroup", "Properties": {"LogGroupClass": kind}}}}

    stack.create(group("STANDARD"))
    before = stack.physical_id("Group")
    assert stack.update(group("INFREQUENT_ACCESS")) == "UPDATE_COMPLETE"
    assert stack.physical_id("Group") != before


def test_removed_resources_go_in_the_clean_up_unless_they_are_retained(stack: EmulatedStack) -> None:
    gone, kept = parameter("1"), parameter("2", DeletionPolicy="Retain")
    stack.create({"Resources": {"One": parameter("1"), "Gone": gone, "Kept": kept}})
    names = {name: stack.physical_id(name) for name in ("Gone", "Kept")}
    assert stack.update({"Resources": {"One": parameter("1")}}) == "UPDATE_COMPLETE"
    lines = stack.history()
    assert lines.index("Gone DELETE_COMPLETE") > lines.index(f"{stack.name} UPDATE_COMPLETE_CLEANUP_IN_PROGRESS")
    assert stack.parameters().keys() == {names["Kept"], stack.physical_id("One")}


def test_a_change_of_stack_tags_updates_every_resource_that_can_have_tags(stack: EmulatedStack) -> None:
    stack.create({"Resources": {"Alarm": alarm(100)}})
    move_threshold(stack, 170)
    stack.update({"Resources": {"Alarm": alarm(100)}}, Tags=[{"Key": "team", "Value": "storage"}])
    assert live_threshold(stack) == 100


def test_a_change_of_stack_tags_alone_writes_a_dashboard_again_whatever_was_put_there_meanwhile(
    stack: EmulatedStack,
) -> None:
    body = '{"widgets":[]}'
    template = {
        "Resources": {"Dashboard": {"Type": "AWS::CloudWatch::Dashboard", "Properties": {"DashboardBody": body}}}
    }
    stack.create(template)
    name, cloudwatch = stack.physical_id("Dashboard"), stack.sandbox.client("cloudwatch")
    cloudwatch.put_dashboard(DashboardName=name, DashboardBody='{"widgets":[],"start":"-P1D"}')
    stack.update(template, Tags=[{"Key": "team", "Value": "storage"}])
    assert stack.physical_id("Dashboard") == name
    assert cloudwatch.get_dashboard(DashboardName=name)["DashboardBody"] == body


def test_another_resource_type_under_the_same_name_is_refused(stack: EmulatedStack) -> None:
    stack.create({"Resources": {"One": parameter("1")}})
    with pytest.raises(stack.cfn.exceptions.ClientError, match="Update of resource type is not permitted"):
        stack.update({"Resources": {"One": {"Type": "AWS::SNS::Topic"}}})


def test_changed_outputs_alone_are_an_update(stack: EmulatedStack) -> None:
    template: dict[str, Any] = {"Resources": {"One": parameter("1")}}
    stack.create(template)
    template["Outputs"] = {"One": {"Value": {"Ref": "One"}, "Description": "the first"}}
    assert stack.update(template) == "UPDATE_COMPLETE"
    assert stack.outputs() == {"One": stack.physical_id("One")}


def test_a_changed_description_alone_is_no_update(stack: EmulatedStack) -> None:
    stack.create({"Resources": {"One": parameter("1")}})
    with pytest.raises(stack.cfn.exceptions.ClientError, match="No updates are to be performed"):
        stack.update({"Description": "new", "Resources": {"One": parameter("1")}})


def test_with_a_macro_in_its_template_a_stack_is_updated_though_nothing_changes(stack: EmulatedStack) -> None:
    template = {"Transform": "AWS::Serverless-2016-10-31", "Resources": {"One": parameter("1")}}
    stack.create(template, Capabilities=["CAPABILITY_AUTO_EXPAND"])
    assert stack.update(template, Capabilities=["CAPABILITY_AUTO_EXPAND"]) == "UPDATE_COMPLETE"
    assert "UPDATE_IN_PROGRESS" not in stack.history("One")


def test_the_old_one_of_a_replacement_stays_when_it_is_to_be_retained(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    def topic(name: str) -> dict[str, Any]:
        properties = {"TopicName": {"Fn::Sub": f"${{AWS::StackName}}-{name}"}}
        kept = {"UpdateReplacePolicy": "Retain", "DeletionPolicy": "Delete"}
        return {"Resources": {"Topic": {"Type": "AWS::SNS::Topic", "Properties": properties, **kept}}}

    stack.create(topic("a"))
    old = stack.physical_id("Topic")
    stack.update(topic("b"))
    assert "DELETE_SKIPPED" in stack.history("Topic")
    assert old in [item["TopicArn"] for item in sandbox.client("sns").list_topics()["Topics"]]


@pytest.mark.parametrize(("policy", "left"), [("Delete", 1), ("RetainExceptOnCreate", 1), ("Retain", 2)])
def test_a_rollback_deletes_what_is_new_unless_it_is_always_to_be_retained(
    stack: EmulatedStack, policy: str, left: int
) -> None:
    stack.create({"Resources": {"One": parameter("1")}})
    new = parameter("2", DeletionPolicy=policy)
    stack.update({"Resources": {"One": parameter("1"), "New": new, "Bad": {**BROKEN, "DependsOn": "New"}}})
    assert len(stack.parameters()) == left


def test_dependents_of_a_replacement_are_updated_to_the_new_one_and_back_again_by_a_rollback(
    stack: EmulatedStack,
) -> None:
    def template(name: str) -> dict[str, Any]:
        topic = {"Type": "AWS::SNS::Topic", "Properties": {"TopicName": {"Fn::Sub": f"${{AWS::StackName}}-{name}"}}}
        return {"Resources": {"Topic": topic, "Arn": parameter({"Ref": "Topic"})}}

    stack.create(template("a"))
    failing = template("b")
    failing["Resources"]["Bad"] = {**BROKEN, "DependsOn": "Arn"}
    stack.update(failing)
    assert stack.history("Arn")[-4:] == ["UPDATE_IN_PROGRESS", "UPDATE_COMPLETE"] * 2
    assert list(stack.parameters().values()) == [stack.physical_id("Topic")]


def test_a_failure_left_as_it_was_can_be_rolled_back_later(stack: EmulatedStack) -> None:
    stack.create({"Resources": {"One": parameter("1")}})
    for value in ("2", "3"):
        failing = {"Resources": {"One": parameter(value), "Bad": {**BROKEN, "DependsOn": "One"}}}
        assert stack.update(failing, DisableRollback=True) == "UPDATE_FAILED"
    stack.cfn.rollback_stack(StackName=stack.name)
    assert stack.describe()["StackStatus"] == "UPDATE_ROLLBACK_COMPLETE"
    assert stack.parameters() == {stack.physical_id("One"): "1"}


def test_a_request_that_is_sent_again_with_its_token_is_the_same_one(stack: EmulatedStack) -> None:
    def events() -> list[str]:
        found = stack.cfn.describe_stack_events(StackName=stack.name)["StackEvents"]
        return [one["ResourceStatus"] for one in found if one["PhysicalResourceId"] == one["StackId"]]

    first = {"Resources": {"A": parameter("1")}}
    for _ in range(2):
        assert stack.create(first, ClientRequestToken="made") == "CREATE_COMPLETE"
    with pytest.raises(stack.cfn.exceptions.AlreadyExistsException):
        stack.create(first, ClientRequestToken="made-otherwise")
    for _ in range(2):
        assert stack.update({"Resources": {"A": parameter("2")}}, ClientRequestToken="changed") == "UPDATE_COMPLETE"
    assert events().count("UPDATE_IN_PROGRESS") == 1
    assert stack.update({"Resources": {"A": parameter("3")}}, ClientRequestToken="again") == "UPDATE_COMPLETE"
    assert events().count("UPDATE_IN_PROGRESS") == 2
