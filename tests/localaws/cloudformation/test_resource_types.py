"""Each resource type: created, changed in place, really deleted, with the Ref and GetAtt that AWS gives."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from localaws.cloudformation.resources import TYPES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.localaws.cloudformation.conftest import EmulatedCloudFormation, EmulatedStack

ANY = {"Effect": "Allow", "Principal": "*", "Action": "*", "Resource": "*"}
POLICY = {"Version": "2012-10-17", "Statement": [ANY]}
TRUST = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}
OWN_POLICY = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "logs:PutLogEvents", "Resource": "*"}],
}
PLAIN_ARN = "arn:aws:{service}:us-east-1:123456789012:"

TOPIC = {"Topic": {"Type": "AWS::SNS::Topic"}}
ROLE = {"Role": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument": TRUST}}}
FUNCTION: dict[str, Any] = {
    **ROLE,
    "Function": {
        "Type": "AWS::Lambda::Function",
        "Properties": {
            "Runtime": "python3.13",
            "Handler": "index.handler",
            "Role": {"Fn::GetAtt": ["Role", "Arn"]},
            "Code": {"ZipFile": "def handler(event, context): pass"},
        },
    },
}


@dataclass(frozen=True)
class Case:
    """One type: how it is made, what changes in place, and what Ref and GetAtt must look like."""

    type: str
    properties: dict[str, Any]
    change: dict[str, Any] = field(default_factory=dict)
    ref: str = ".+"
    attributes: dict[str, str] = field(default_factory=dict)
    others: dict[str, Any] = field(default_factory=dict)


CASES = [
    Case("AWS::S3::Bucket", {}, {"VersioningConfiguration": {"Status": "Enabled"}}, "{stack}-it-[a-z0-9]{12}",
         {"Arn": "arn:aws:s3:::{stack}-it-.*", "DomainName": ".*[.]s3[.]amazonaws[.]com"}),
    Case("AWS::S3::BucketPolicy", {"Bucket": {"Ref": "Bucket"}, "PolicyDocument": POLICY},
         {"PolicyDocument": {"Statement": [{**ANY, "Action": "s3:GetObject"}]}},
         others={"Bucket": {"Type": "AWS::S3::Bucket"}}),
    Case("AWS::SNS::Topic", {"DisplayName": "a"}, {"DisplayName": "b"}, "arn:aws:sns:.*:{stack}-It-[A-Z0-9]{12}",
         {"TopicName": "{stack}-It-[A-Z0-9]{12}", "TopicArn": "arn:aws:sns:.*"}),
    Case("AWS::SNS::TopicPolicy", {"Topics": [{"Ref": "Topic"}], "PolicyDocument": POLICY},
         {"PolicyDocument": {"Statement": [{**ANY, "Action": "sns:Publish"}]}}, others=TOPIC),
    Case("AWS::SNS::Subscription",
         {"TopicArn": {"Ref": "Topic"}, "Protocol": "email", "Endpoint": "a@example.com"},
         {"FilterPolicy": {"kind": ["x"]}, "FilterPolicyScope": "MessageBody"},
         "arn:aws:sns:.*:{stack}-Topic-.*:.*", {"Arn": "arn:aws:sns:.*"}, TOPIC),
    Case("AWS::CloudWatch::Alarm",
         {"Metrics": [{"Id": "m", "Expression": "SELECT MAX(x) FROM y", "Period": 60}], "Threshold": 1,
          "EvaluationPeriods": 1, "ComparisonOperator": "LessThanThreshold"},
         {"Threshold": "2", "AlarmDescription": "x"}, "{stack}-It-[A-Z0-9]{12}",
         {"Arn": PLAIN_ARN.format(service="cloudwatch") + "alarm:{stack}-It-.*"}),
    Case("AWS::CloudWatch::Dashboard", {"DashboardBody": '{"widgets": []}'},
         {"DashboardBody": '{"widgets": [{"type": "text"}]}'}, "{stack}-It-[A-Z0-9]{12}"),
    Case("AWS::IAM::Role",
         {"AssumeRolePolicyDocument": TRUST, "Policies": [{"PolicyName": "a", "PolicyDocument": OWN_POLICY}]},
         {"Policies": [{"PolicyName": "b", "PolicyDocument": OWN_POLICY}], "Description": "x"},
         "{stack}-It-[A-Z0-9]{12}", {"Arn": "arn:aws:iam::123456789012:role/{stack}-It-.*", "RoleId": "A.*"}),
    Case("AWS::IAM::ManagedPolicy", {"PolicyDocument": OWN_POLICY},
         {"PolicyDocument": {**OWN_POLICY, "Statement": [{"Effect": "Deny", "Action": "logs:*", "Resource": "*"}]}},
         "arn:aws:iam::123456789012:policy/{stack}-It-[A-Z0-9]{12}", {"PolicyArn": "arn:.*", "PolicyId": "A.*"}),
    Case("AWS::Logs::LogGroup", {"RetentionInDays": 30}, {"RetentionInDays": "14"}, "{stack}-It-[A-Z0-9]{12}",
         {"Arn": PLAIN_ARN.format(service="logs") + "log-group:{stack}-It-[A-Z0-9]{12}:[*]"}),
    Case("AWS::Logs::QueryDefinition", {"Name": "q", "QueryString": "fields a"}, {"QueryString": "fields b"},
         "[0-9a-f-]{36}", {"QueryDefinitionId": "[0-9a-f-]{36}"}),
    Case("AWS::Lambda::Function", FUNCTION["Function"]["Properties"],
         {"Timeout": 30, "Environment": {"Variables": {"AA": 1}}, "Code": {"ZipFile": "def handler(e, c): return 1"},
          "ReservedConcurrentExecutions": 1},
         "{stack}-It-[A-Z0-9]{12}", {"Arn": PLAIN_ARN.format(service="lambda") + "function:{stack}-It-.*"}, ROLE),
    Case("AWS::Lambda::Permission",
         {"FunctionName": {"Ref": "Function"}, "Action": "lambda:InvokeFunction",
          "Principal": "lambda.alarms.cloudwatch.amazonaws.com", "SourceAccount": "123456789012"},
         others=FUNCTION, attributes={"Id": "{stack}-It-.*"}),
    Case("AWS::Lambda::EventInvokeConfig",
         {"FunctionName": {"Ref": "Function"}, "Qualifier": "$LATEST", "MaximumRetryAttempts": 2,
          "DestinationConfig": {"OnFailure": {"Destination": {"Ref": "Topic"}}}},
         {"MaximumRetryAttempts": 1}, others=FUNCTION | TOPIC),
    Case("AWS::Scheduler::Schedule",
         {"ScheduleExpression": "rate(1 hour)", "FlexibleTimeWindow": {"Mode": "OFF"},
          "Target": {"Arn": {"Fn::GetAtt": "Function.Arn"}, "RoleArn": {"Fn::GetAtt": "Role.Arn"}, "Input": "{}"}},
         {"ScheduleExpression": "rate(2 hours)", "State": "DISABLED"}, "{stack}-It-[A-Z0-9]{12}",
         {"Arn": "arn:aws:scheduler:.*:schedule/default/{stack}-It-.*"}, FUNCTION),
    Case("AWS::Events::Rule",
         {"EventPattern": {"source": ["aws.ssm"]}, "Targets": [{"Id": "a", "Arn": {"Fn::GetAtt": "Function.Arn"}}]},
         {"Targets": [{"Id": "b", "Arn": {"Fn::GetAtt": "Function.Arn"}}], "State": "DISABLED"},
         "{stack}-It-[A-Z0-9]{12}", {"Arn": "arn:aws:events:.*:rule/{stack}-It-.*"}, FUNCTION),
    Case("AWS::SSM::Parameter", {"Type": "String", "Value": "a"}, {"Value": "b"}, "{stack}-It-[A-Z0-9]{12}",
         {"Type": "String", "Value": "b"}),
    Case("AWS::SSM::Document",
         {"DocumentType": "Command", "DocumentFormat": "YAML", "UpdateMethod": "NewVersion",
          "Content": {"schemaVersion": "2.2", "description": "a", "mainSteps": []}},
         {"Content": "schemaVersion: '2.2'\ndescription: b\nmainSteps: []\n"}, "{stack}-It-[A-Z0-9]{12}"),
    Case("AWS::SQS::Queue", {}, {"VisibilityTimeout": 60}, "http.*/{stack}-It-[A-Z0-9]{12}",
         {"Arn": PLAIN_ARN.format(service="sqs") + "{stack}-It-.*", "QueueName": "{stack}-It-.*"}),
]  # fmt: skip


def template(case: Case, **change: Any) -> dict[str, Any]:
    properties = {**case.properties, **change}
    outputs: dict[str, Any] = {"Ref": {"Value": {"Ref": "It"}}}
    outputs |= {name: {"Value": {"Fn::GetAtt": ["It", name]}} for name in case.attributes}
    it = {"Type": case.type, "Properties": properties}
    return {"Resources": {**case.others, "It": it}, "Outputs": outputs}


@pytest.mark.whole
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.type)
def test_a_type_is_created_changed_in_place_and_deleted(stack: EmulatedStack, case: Case) -> None:
    capabilities = {"Capabilities": ["CAPABILITY_NAMED_IAM"]}
    assert stack.create(template(case), **capabilities) == "CREATE_COMPLETE", stack.reasons("It")
    physical_id = stack.outputs()["Ref"]
    assert re.fullmatch(case.ref.replace("{stack}", stack.name), physical_id)
    if case.change:
        assert stack.update(template(case, **case.change), **capabilities) == "UPDATE_COMPLETE", stack.reasons("It")
        assert stack.history("It")[-2:] == ["UPDATE_IN_PROGRESS", "UPDATE_COMPLETE"]
        assert stack.outputs()["Ref"] == physical_id
    for name, pattern in case.attributes.items():
        assert re.fullmatch(pattern.replace("{stack}", stack.name), stack.outputs()[name])
    stack_id = stack.describe()["StackId"]
    assert stack.delete() == "DELETE_COMPLETE", stack.cfn.describe_stack_events(StackName=stack_id)["StackEvents"]


def test_a_policy_that_bounds_a_role_is_not_deleted_before_it(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    policy = {"Type": "AWS::IAM::ManagedPolicy", "Properties": {"PolicyDocument": OWN_POLICY}}
    outputs = {"Arn": {"Value": {"Ref": "It"}}}
    capabilities = {"Capabilities": ["CAPABILITY_IAM"]}
    assert stack.create({"Resources": {"It": policy}, "Outputs": outputs}, **capabilities) == "CREATE_COMPLETE"
    arn, trust = stack.outputs()["Arn"], json.dumps(TRUST)
    iam = sandbox.client("iam")
    iam.create_role(RoleName=stack.name, AssumeRolePolicyDocument=trust, PermissionsBoundary=arn)
    assert stack.delete() == "DELETE_FAILED"
    assert "Cannot delete a policy attached to entities." in stack.reasons("It")
    iam.delete_role(RoleName=stack.name)
    assert stack.delete() == "DELETE_COMPLETE"


@pytest.mark.parametrize(("state", "then"), [({}, "ENABLED"), ({"State": "DISABLED"}, "DISABLED")])
def test_a_change_of_tags_alone_makes_a_rule_as_its_template_has_it(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack, state: dict[str, str], then: str
) -> None:
    """AWS's handler writes the rule and its targets in any update, so what was done by hand is gone."""
    target = "arn:aws:lambda:us-east-1:123456789012:function:any"
    properties = {"EventPattern": {"source": ["aws.ssm"]}, "Targets": [{"Id": "a", "Arn": target}], **state}

    def tagged(value: str) -> dict[str, Any]:
        tags = [{"Key": "team", "Value": value}]
        return {
            "Resources": {"It": {"Type": "AWS::Events::Rule", "Properties": {**properties, "Tags": tags}}},
            "Outputs": {"Ref": {"Value": {"Ref": "It"}}},
        }

    assert stack.create(tagged("a")) == "CREATE_COMPLETE", stack.reasons("It")
    events, name = sandbox.client("events"), stack.outputs()["Ref"]
    (events.enable_rule if state else events.disable_rule)(Name=name)
    events.remove_targets(Rule=name, Ids=["a"])
    assert stack.update(tagged("b")) == "UPDATE_COMPLETE", stack.reasons("It")
    rule = events.describe_rule(Name=name)
    assert (rule["State"], [one["Id"] for one in events.list_targets_by_rule(Rule=name)["Targets"]]) == (then, ["a"])
    assert events.list_tags_for_resource(ResourceARN=rule["Arn"])["Tags"][0] == {"Key": "team", "Value": "b"}


def test_every_type_has_a_case() -> None:
    assert {case.type for case in CASES} | {"AWS::Lambda::LayerVersion"} == TYPES.keys()


def test_a_saved_query_can_be_listed(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    properties = {"Name": f"{stack.name}/drains", "QueryString": "fields a", "LogGroupNames": ["/g"]}
    stack.create({"Resources": {"Query": {"Type": "AWS::Logs::QueryDefinition", "Properties": properties}}})
    (found,) = sandbox.client("logs").describe_query_definitions(queryDefinitionNamePrefix=stack.name)[
        "queryDefinitions"
    ]
    assert (found["queryString"], found["logGroupNames"]) == ("fields a", ["/g"])


def _zip(content: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("python/module.py", content)
    return buffer.getvalue()


@pytest.fixture
def bucket(sandbox: EmulatedCloudFormation) -> Callable[[str, bytes], dict[str, str]]:
    """Uploads code; returns where it is."""
    sandbox.client("s3").create_bucket(Bucket="artefacts")

    def upload(key: str, body: bytes) -> dict[str, str]:
        sandbox.client("s3").put_object(Bucket="artefacts", Key=key, Body=body)
        return {"S3Bucket": "artefacts", "S3Key": key}

    return upload


def test_a_layer_is_published_anew_on_every_change_and_functions_follow(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack, bucket: Callable[[str, bytes], dict[str, str]]
) -> None:
    def with_layer(key: str) -> dict[str, Any]:
        content = bucket(key, _zip(key))
        layer = {"Type": "AWS::Lambda::LayerVersion", "Properties": {"Content": content, "LayerName": "shared"}}
        function = {**FUNCTION["Function"]["Properties"], "Layers": [{"Ref": "Layer"}]}
        return {"Resources": {**FUNCTION, "Layer": layer, "Function": {**FUNCTION["Function"], "Properties": function}}}

    def layers() -> list[str]:
        configuration = sandbox.client("lambda").get_function_configuration(FunctionName=stack.physical_id("Function"))
        return [item["Arn"] for item in configuration["Layers"]]

    stack.create(with_layer("a"), Capabilities=["CAPABILITY_IAM"])
    first = layers()
    assert stack.update(with_layer("b"), Capabilities=["CAPABILITY_IAM"]) == "UPDATE_COMPLETE"
    assert layers() == [stack.physical_id("Layer")] != first
    versions = sandbox.client("lambda").list_layer_versions(LayerName="shared")["LayerVersions"]
    assert [item["LayerVersionArn"] for item in versions] == layers()
    stack.delete()


def test_a_function_gets_its_code_from_s3(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack, bucket: Callable[[str, bytes], dict[str, str]]
) -> None:
    function = {
        **FUNCTION["Function"]["Properties"],
        "Code": bucket("f", _zip("f")),
        "Tags": [{"Key": "a", "Value": "b"}],
    }
    template = {"Resources": {**ROLE, "Function": {**FUNCTION["Function"], "Properties": function}}}
    assert stack.create(template, Capabilities=["CAPABILITY_IAM"]) == "CREATE_COMPLETE"
    found = sandbox.client("lambda").get_function(FunctionName=stack.physical_id("Function"))
    assert found["Configuration"]["CodeSize"] == len(_zip("f"))
    assert found["Tags"] == {"a": "b"}
    stack.delete()


def test_a_topic_policy_that_is_deleted_leaves_the_default_policy(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    policy = {"Type": "AWS::SNS::TopicPolicy", "Properties": {"Topics": [{"Ref": "Topic"}], "PolicyDocument": POLICY}}
    stack.create({"Resources": {**TOPIC, "Policy": policy}})
    stack.update({"Resources": TOPIC})
    attributes = sandbox.client("sns").get_topic_attributes(TopicArn=stack.physical_id("Topic"))["Attributes"]
    assert "AWS:SourceOwner" in attributes["Policy"]


def test_a_topic_takes_no_policy_that_names_another_topic(stack: EmulatedStack) -> None:
    topics = [{"Ref": "Topic"}, {"Ref": "Other"}]
    document = {"Version": "2012-10-17", "Statement": [{**ANY, "Resource": topics}]}
    policy = {"Type": "AWS::SNS::TopicPolicy", "Properties": {"Topics": topics, "PolicyDocument": document}}
    template = {"Resources": {**TOPIC, "Other": TOPIC["Topic"], "Policy": policy}}
    assert stack.create(template) == "ROLLBACK_COMPLETE"


def test_what_changed_of_a_role_is_changed(sandbox: EmulatedCloudFormation, stack: EmulatedStack) -> None:
    iam, name = sandbox.client("iam"), ""

    def role(description: str, service: str, action: str) -> dict[str, Any]:
        trusting = {**TRUST["Statement"][0], "Principal": {"Service": service}}  # type: ignore[dict-item] # TRUST has two kinds of values
        allowing = {**OWN_POLICY["Statement"][0], "Action": action}  # type: ignore[dict-item] # as TRUST
        properties = {
            "Description": description,
            "AssumeRolePolicyDocument": {**TRUST, "Statement": [trusting]},
            "Policies": [{"PolicyName": "own", "PolicyDocument": {**OWN_POLICY, "Statement": [allowing]}}],
        }
        return {"Resources": {"Role": {"Type": "AWS::IAM::Role", "Properties": properties}}}

    def shown() -> tuple[str, str, str]:
        found = iam.get_role(RoleName=name)["Role"]
        policy = iam.get_role_policy(RoleName=name, PolicyName="own")["PolicyDocument"]
        trusted = found["AssumeRolePolicyDocument"]["Statement"][0]["Principal"]["Service"]
        return found["Description"], trusted, policy["Statement"][0]["Action"]

    before = ("one", "lambda.amazonaws.com", "logs:PutLogEvents")
    stack.create(role(*before), Capabilities=["CAPABILITY_IAM"])
    name = stack.physical_id("Role")
    for index, other in enumerate(("two", "scheduler.amazonaws.com", "logs:CreateLogStream")):
        after = (*before[:index], other, *before[index + 1 :])
        assert stack.update(role(*after), Capabilities=["CAPABILITY_IAM"]) == "UPDATE_COMPLETE"
        assert shown() == after
        before = after


def test_a_role_with_a_policy_added_by_hand_cannot_be_deleted(
    sandbox: EmulatedCloudFormation, stack: EmulatedStack
) -> None:
    stack.create({"Resources": ROLE}, Capabilities=["CAPABILITY_IAM"])
    iam, name = sandbox.client("iam"), stack.physical_id("Role")
    iam.put_role_policy(RoleName=name, PolicyName="mine", PolicyDocument=json.dumps(OWN_POLICY))
    assert stack.delete() == "DELETE_FAILED"
    iam.delete_role_policy(RoleName=name, PolicyName="mine")
    assert stack.delete() == "DELETE_COMPLETE"
