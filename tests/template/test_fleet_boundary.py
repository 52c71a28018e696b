"""What no role of a monitor stack may exceed: all that the monitor's template gives its roles, and nothing else."""

from collections.abc import Iterator
from typing import Any

import botocore.session
import pytest
from efs_monitor.fleet.monitor_parameters import OF_THE_FLEET

from localaws.iam.policy import Ask, KeyValue, PolicyVerdict, judged, matches
from operate.template_files import FLEET_TEMPLATE, as_written
from tests.template.parameter_values import KEY
from tests.template.template_documents import listed, with_includes

RESOURCES = as_written(FLEET_TEMPLATE)["Resources"]
STACK = "efs-fleet-fs-0123456789abcdef0"
REGION_AND_ACCOUNT = "us-east-1:123456789012"
NAMES = {
    "AWS::Partition": "aws",
    "AWS::Region": "us-east-1",
    "AWS::URLSuffix": "amazonaws.com",
    "AWS::AccountId": "123456789012",
    "AWS::StackName": STACK,
    "FleetName": "efs-fleet",
    "FileSystemId": "fs-0123456789abcdef0",
    "ToldParameter": f"/efs-monitor/{STACK}/told",
    "BenchmarksParameter": f"/efs-monitor/{STACK}/benchmarks",
    "StackGuid": "1a2b",
    "Id": "i-0123456789abcdef0",
    "AWS::StackId": f"arn:aws:cloudformation:{REGION_AND_ACCOUNT}:stack/{STACK}/1a2b",
    "EncryptionKeyArn": "arn:aws:kms:us-east-1:111122223333:key/1a2b",
    **{f"{name}Topic": f"arn:aws:sns:{REGION_AND_ACCOUNT}:{STACK}-x" for name in ("Warning", "Critical", "Advice")},
    **{f"{name}TopicArn": "arn:aws:sns:us-east-1:111122223333:pagers" for name in ("Warning", "Critical", "Advice")},
}
ARNS = {
    "AWS::Serverless::Function": f"arn:aws:lambda:{REGION_AND_ACCOUNT}:function:{STACK}-Explain-1A2B3C",
    "AWS::Logs::LogGroup": f"arn:aws:logs:{REGION_AND_ACCOUNT}:log-group:/efs-monitor/{STACK}/explain:*",
    "AWS::SQS::Queue": f"arn:aws:sqs:{REGION_AND_ACCOUNT}:{STACK}-BenchmarkTimerQueue-1A2B",
}
# Of an instance that somebody tagged, and of a key that SNS uses for whoever publishes.
CONTEXT: dict[str, KeyValue] = {
    "ssm:resourcetag/efs-monitor": "fs-0123456789abcdef0",
    "kms:viaservice": "sns.us-east-1.amazonaws.com",
    "cloudwatch:alarmactions": (
        NAMES["CriticalTopicArn"],
        ARNS["AWS::Serverless::Function"],
        # What somebody added by hand: an alarm is written back as it was read.
        f"arn:aws:ssm:{REGION_AND_ACCOUNT}:opsitem:2",
        "arn:aws:ssm-incidents::123456789012:response-plan/storage",
    ),
}
ALARM = f"arn:aws:cloudwatch:{REGION_AND_ACCOUNT}:alarm:{STACK}-warning"
# What CloudWatch does for an alarm with a role of its own, whoever wrote it.
HARMFUL_ACTIONS = (
    "arn:aws:automate:us-east-1:ec2:terminate",
    f"arn:aws:swf:{REGION_AND_ACCOUNT}:action/actions/AWS_EC2.InstanceId.Stop/1.0",
    f"arn:aws:autoscaling:{REGION_AND_ACCOUNT}:scalingPolicy:1a2b:autoScalingGroupName/web:policyName/none",
)


def filled(text: str) -> str:
    for name, value in NAMES.items():
        text = text.replace(f"${{{name}}}", value)
    assert "${" not in text, text
    return text


def arns(value: Any) -> Iterator[str]:
    """Every ARN that a statement's resource may come to, whatever its conditions are."""
    match value:
        case str():
            yield filled(value)
        case list():
            for one in value:
                yield from arns(one)
        case {"Fn::If": [_, *both]}:
            for one in both:
                yield from arns(one)
        case {"Ref": "AWS::NoValue"}:
            return
        case {"Ref": name}:
            yield NAMES[name]
        case {"Fn::Sub": text}:
            yield filled(text if isinstance(text, str) else text[0])
        case {"Fn::GetAtt": [name, "Arn"]}:
            yield ARNS[with_includes()["Resources"][name]["Type"]]
        case _:
            raise AssertionError(value)


def statements(role: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Those of a role, whatever its conditions are."""
    for policy in role["Properties"]["Policies"]:
        for one in policy["PolicyDocument"]["Statement"]:
            for chosen in one["Fn::If"][1:] if "Fn::If" in one else [one]:
                if "Action" in chosen:
                    yield chosen


ROLES = {name: one for name, one in with_includes()["Resources"].items() if one["Type"] == "AWS::IAM::Role"}
BOUNDARY = [
    {**one, "Resource": [*arns(one["Resource"])], "Condition": {
        operator: {key: [*arns(value)] for key, value in keys.items()}
        for operator, keys in one.get("Condition", {}).items()
    }}
    for one in RESOURCES["MonitorBoundary"]["Properties"]["PolicyDocument"]["Statement"]
]  # fmt: skip
ASKED = sorted(
    {
        (action, resource.removesuffix(":*"))
        for role in ROLES.values()
        for one in statements(role)
        for action in listed(one["Action"])
        for resource in arns(one["Resource"])
    }
)


@pytest.mark.parametrize(("action", "resource"), ASKED)
def test_whatever_a_role_of_the_monitor_may_do_is_within_the_boundary(action: str, resource: str) -> None:
    ask = Ask(action=action.replace("*", "x"), resource=resource.replace("*", "x"), context=CONTEXT)
    assert judged(BOUNDARY, ask) is PolicyVerdict.ALLOWED


@pytest.mark.parametrize("one", BOUNDARY, ids=lambda one: one["Sid"])
def test_the_boundary_has_nothing_that_no_role_of_the_monitor_has(one: dict[str, Any]) -> None:
    for action in one["Action"] if isinstance(one["Action"], list) else [one["Action"]]:
        assert [asked for asked, resource in ASKED if asked == action and matches(one["Resource"][0], resource)], action


def names_of_sns() -> dict[str, tuple[str, str]]:
    """What SNS calls itself in a Region of each partition, with that Region and the suffix of its partition."""
    endpoints = botocore.session.get_session().get_data("endpoints")["partitions"]
    return {
        f"sns.{region}.{one['dnsSuffix']}": (region, one["dnsSuffix"])
        for one in endpoints
        for region in sorted(one["regions"])[:1]
    }


@pytest.mark.parametrize(("service", "region", "suffix"), [(name, *where) for name, where in names_of_sns().items()])
def test_in_every_partition_a_function_may_use_a_key_by_way_of_sns(service: str, region: str, suffix: str) -> None:
    (of_keys,) = (one for one in RESOURCES["MonitorBoundary"]["Properties"]["PolicyDocument"]["Statement"]
                  if one["Sid"] == "TellWithKey")  # fmt: skip
    patterns = [one["Fn::Sub"] for one in of_keys["Condition"]["StringLike"]["kms:ViaService"]]
    named = [one.replace("${AWS::Region}", region).replace("${AWS::URLSuffix}", suffix) for one in patterns]
    assert any(matches(one, service) for one in named)


@pytest.mark.parametrize(
    ("action", "resource", "context"),
    [
        ("iam:CreateUser", "arn:aws:iam::123456789012:user/somebody", {}),
        ("sts:AssumeRole", "arn:aws:iam::123456789012:role/Admin", {}),
        ("s3:GetObject", "arn:aws:s3:::payroll/all.csv", {}),
        ("ssm:GetParameter", f"arn:aws:ssm:{REGION_AND_ACCOUNT}:parameter/passwords/database", {}),
        ("ssm:SendCommand", f"arn:aws:ssm:{REGION_AND_ACCOUNT}:document/AWS-RunShellScript", {}),
        ("ssm:SendCommand", f"arn:aws:ec2:{REGION_AND_ACCOUNT}:instance/i-0123456789abcdef0", {}),
        ("kms:Decrypt", KEY, {}),
        (
            "kms:Decrypt",
            KEY,
            {"kms:viaservice": "s3.us-east-1.amazonaws.com"},
        ),
        ("lambda:InvokeFunction", f"arn:aws:lambda:{REGION_AND_ACCOUNT}:function:payroll", {}),
        ("cloudwatch:PutMetricAlarm", f"arn:aws:cloudwatch:{REGION_AND_ACCOUNT}:alarm:theirs", {}),
        *(("cloudwatch:PutMetricAlarm", ALARM, {"cloudwatch:alarmactions": (one,)}) for one in HARMFUL_ACTIONS),
    ],
)
def test_what_a_release_might_ask_for_besides_is_beyond_it(
    action: str, resource: str, context: dict[str, KeyValue]
) -> None:
    assert judged(BOUNDARY, Ask(action=action, resource=resource, context=context)) is not PolicyVerdict.ALLOWED


@pytest.mark.parametrize("action", HARMFUL_ACTIONS)
def test_no_release_makes_an_alarm_that_stops_instances_or_changes_how_many_there_are(action: str) -> None:
    """Neither by a function nor by the template that CloudFormation deploys with the service role."""
    (policy,) = RESOURCES["ServiceRole"]["Properties"]["Policies"]
    given = [
        {**one, "Resource": [*arns(one["Resource"])], "Condition": {
            operator: {key: [*arns(value)] for key, value in keys.items()}
            for operator, keys in one.get("Condition", {}).items()
        }}
        for one in policy["PolicyDocument"]["Statement"] if one.get("Sid") in {"Alarms", "WriteAlarms"}
    ]  # fmt: skip
    both = (NAMES["CriticalTopicArn"], ARNS["AWS::Serverless::Function"])
    for statements_of_role in (given, BOUNDARY):
        for actions, verdict in ((both, PolicyVerdict.ALLOWED), ((*both, action), PolicyVerdict.NOT_ALLOWED)):
            ask = Ask(action="cloudwatch:PutMetricAlarm", resource=ALARM, context={"cloudwatch:alarmactions": actions})
            assert judged(statements_of_role, ask) is verdict


def test_the_boundary_fits() -> None:
    """6,144 characters of a managed policy, blanks not counted (IAM quotas)."""
    assert len("".join(str(BOUNDARY).split())) < 6_144


def test_every_role_may_be_given_a_boundary() -> None:
    of_account = {"Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:policy/${PermissionsBoundaryPolicy}"}
    fleets = [one for one in RESOURCES.values() if one["Type"] == "AWS::IAM::Role"]
    for roles, number, given in ((ROLES.values(), 12, {"Ref": "PermissionsBoundaryArn"}), (fleets, 3, of_account)):
        bounds = [one["Properties"].get("PermissionsBoundary") for one in roles]
        assert bounds == [{"Fn::If": ["HasPermissionsBoundary", given, {"Ref": "AWS::NoValue"}]}] * number


def test_what_a_fleet_says_that_it_gives_its_stacks_is_what_its_function_is_told() -> None:
    """`efs-monitor fleet` reads it off the deployed fleet."""
    outputs = as_written(FLEET_TEMPLATE)["Outputs"]
    told = RESOURCES["ReconcileFleet"]["Properties"]["Environment"]["Variables"]["MONITOR_PARAMETERS"]["Fn::Sub"]
    said, values = outputs["GivenToStacks"]["Value"]["Fn::Sub"]
    assert told == [f"{said};${{MonitorParameters}}", values]
    assert tuple(one.partition("=")[0] for one in said.split(";")) == OF_THE_FLEET
