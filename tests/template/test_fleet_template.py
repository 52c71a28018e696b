"""fleet.yaml: what StackSets carry, and a service role that may do what the monitor's template needs and no more."""

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from botocore.session import get_session
from efs_monitor.errors import SettingsRefused
from efs_monitor.fleet.fleet_settings import fleet_settings_from
from efs_monitor.fleet.monitor_parameters import allowed_values, fleet_parameters
from efs_monitor.notify.given_topics import LONGEST_STACK_NAME_IN_ROLES
from efs_monitor.usecases.check_parameters import OWN_ALARMS

from localaws.cloudformation import schemas
from localaws.cloudformation.intrinsics import Scope, resolve
from localaws.functions.environment_variables import LARGEST_BYTES, check_environment
from operate.template_files import FLEET_TEMPLATE, TEMPLATE, as_written
from tests.template.parameter_values import BOUNDARY, PARAMETERS
from tests.template.template_documents import FILE_SYSTEM_ID, listed, transformed, with_includes
from tests.template.test_template_names import named

FLEET = as_written(FLEET_TEMPLATE)
RESOURCES = FLEET["Resources"]
STACKS = "${FleetName}-fs-*"
SEVERITIES = ("Warning", "Critical", "Advice")
# Of what CloudFormation's schemas name, this belongs to properties that the monitor's template does not set.
NOT_NEEDED = re.compile(
    r"(kms|ec2|elasticfilesystem|s3files|firehose):.*|s3:REST\.PUT\.OBJECT|.*:(Put|Delete)DataProtectionPolicy"
    # A boundary that is taken away would let a role do whatever a release says.
    r"|iam:(Attach|Detach)RolePolicy|iam:DeleteRolePermissionsBoundary"
    r"|lambda:(PassCapacityProvider|AssociateRuntimeAlias|PublishVersion|GetCodeSigningConfig)"
    r"|lambda:(Put|Delete)FunctionCodeSigningConfig"
    r"|lambda:(PutFunctionRecursionConfig|PutFunctionScalingConfig|PutRuntimeManagementConfig)"
    r"|logs:(AssociateKmsKey|DisassociateKmsKey|CreateLogDelivery|PutBearerTokenAuthentication)"
    r"|logs:(PutIndexPolicy|DeleteIndexPolicy|PutLogGroupDeletionProtection|PutResourcePolicy|DeleteResourcePolicy)"
)
# No schema names what CloudFormation needs besides: its macros, a custom resource's function, a layer that is used.
BESIDES = {"cloudformation:CreateChangeSet", "lambda:InvokeFunction"}


@cache
def of_schemas() -> dict[str, set[str]]:
    """What CloudFormation does to make, read, change, delete and tag the resources of the template, by their types.

    The tags of a stack are those of all that is in it.
    """
    types = {one["Type"] for one in transformed()["Resources"].values() if not one["Type"].startswith("Custom::")}
    return {name: _done_to(document(name)) for name in types}


def _done_to(schema: dict[str, Any]) -> set[str]:
    handlers = schema.get("handlers", {})
    kinds = [handlers[kind] for kind in ("create", "read", "update", "delete") if kind in handlers]
    return {action for one in (*kinds, schema.get("tagging", {})) for action in one.get("permissions", [])}


def document(type_name: str) -> dict[str, Any]:
    """The schema of a type as cfn-lint brings it along."""
    found: dict[str, Any] = json.loads(schemas.file_of(type_name).read_text())
    return found


def statements(role: str) -> list[dict[str, Any]]:
    (policy,) = RESOURCES[role]["Properties"]["Policies"]
    return [one.get("Fn::If", [None, one])[1] for one in policy["PolicyDocument"]["Statement"]]


def test_the_service_role_may_do_what_cloudformation_does_to_such_resources_and_nothing_else() -> None:
    allowed = {action for one in statements("ServiceRole") for action in listed(one["Action"])}
    needed = {action for actions in of_schemas().values() for action in actions if not NOT_NEEDED.fullmatch(action)}
    assert needed - allowed == set()
    assert allowed - needed == BESIDES


def test_it_may_do_so_to_the_fleets_own_stacks_alone() -> None:
    for one in statements("ServiceRole"):
        resources = [str(resource) for resource in listed(one["Resource"])]
        if one["Sid"] in {"ReadRelease", "ExpandMacros"}:
            assert all("ReleaseBucket" in resource or ":aws:transform/" in resource for resource in resources)
        elif one["Sid"] == "Documents":
            # The one thing that is not called after its stack.
            assert all("document/efs-monitor-*" in resource for resource in resources)
        elif one["Sid"] in {"Subscriptions", "ReadAndSavedQueries"}:
            assert resources == ["*"]
            known = re.compile(r"\w+:Describe\w+|logs:(Put|Delete)QueryDefinition|sns:\w*(Subscription|Unsub)\w+")
            assert all(known.fullmatch(action) for action in one["Action"])
        else:
            assert all(STACKS in resource for resource in resources), one["Sid"]


# How an ARN ends that stands for a resource of a given name; a saved query has none, and is among those of "*".
ARN_ENDS = {
    "AWS::CloudWatch::Alarm": ":alarm:{}",
    "AWS::CloudWatch::Dashboard": ":dashboard/{}",
    "AWS::Lambda::LayerVersion": ":layer:{}",
    "AWS::Logs::LogGroup": ":log-group:{}",
    "AWS::SNS::Topic": ":{}",
    "AWS::SSM::Document": ":document/{}",
    "AWS::SSM::Parameter": ":parameter{}",
}
# The same of what CloudFormation finds a name for, or of what it is done to.
FURTHER_ARN_ENDS = {
    "AWS::Events::Rule": ":rule/{}",
    "AWS::IAM::Role": ":role/{}",
    "AWS::Lambda::EventInvokeConfig": ":function:{}",
    "AWS::Lambda::Function": ":function:{}",
    "AWS::Lambda::Permission": ":function:{}",
    "AWS::SNS::Subscription": ":{}",
    "AWS::SNS::TopicPolicy": ":{}",
    "AWS::SQS::Queue": ":{}",
    "AWS::Scheduler::Schedule": ":schedule/default/{}",
}


def reached(action: str | None = None) -> list[str]:
    """What the statements of the service role reach, or those that allow an action: how its ARNs end, as patterns."""
    patterns = [
        resource["Fn::Sub"].replace("${FleetName}", "efs-fleet") if isinstance(resource, dict) else resource
        for one in statements("ServiceRole")
        if action is None or action in listed(one["Action"])
        for resource in listed(one["Resource"])
    ]
    return [one.rpartition("${AWS::AccountId}")[2] for one in patterns if "${AWS::AccountId}" in one or one == "*"]


def test_it_reaches_whatever_the_monitors_template_gives_a_name() -> None:
    given = named(transformed()["Resources"], f"efs-fleet-{FILE_SYSTEM_ID}").values()
    assert {kind for kind, _, _ in given} - ARN_ENDS.keys() == {"AWS::Logs::QueryDefinition"}
    ends = [ARN_ENDS[kind].format(name) for kind, _, name in given if kind in ARN_ENDS]
    patterns = [one for one in reached() if one != "*"]
    assert [end for end in ends if not any(fnmatchcase(end, pattern) for pattern in patterns)] == []


@pytest.mark.parametrize("kind", sorted(ARN_ENDS | FURTHER_ARN_ENDS))
def test_it_may_do_to_each_kind_of_resource_all_that_its_schema_names(kind: str) -> None:
    """That it may tag an alarm does not say that it may tag a dashboard."""
    given = named(transformed()["Resources"], f"efs-fleet-{FILE_SYSTEM_ID}").values()
    names = [name for one, _, name in given if one == kind] or [f"efs-fleet-{FILE_SYSTEM_ID}-1A2B3C"]
    ends = [(ARN_ENDS | FURTHER_ARN_ENDS)[kind].format(name) for name in names]
    service = kind.split("::")[1].lower()
    own = {one for one in of_schemas()[kind] if one.startswith(f"{service}:") and not NOT_NEEDED.fullmatch(one)}
    # It is asked of the layer, and not of the function that has it.
    own -= {"lambda:GetLayerVersion"} if kind == "AWS::Lambda::Function" else set()
    assert own
    assert [
        (action, end)
        for action in sorted(own)
        for end in ends
        if not any(fnmatchcase(end, pattern) for pattern in reached(action))
    ] == []


def test_each_kind_of_resource_is_looked_at() -> None:
    assert of_schemas().keys() - (ARN_ENDS | FURTHER_ARN_ENDS) == {"AWS::Logs::QueryDefinition"}


def test_each_topic_has_a_policy_of_its_own_that_names_no_other() -> None:
    """https://docs.aws.amazon.com/sns/latest/dg/sns-access-policy-language-api-permissions-reference.html"""
    policies = [one["Properties"] for one in RESOURCES.values() if one["Type"] == "AWS::SNS::TopicPolicy"]
    topics = [{"Ref": name} for name, one in RESOURCES.items() if one["Type"] == "AWS::SNS::Topic"]
    assert [policy["Topics"] for policy in policies] == [[topic] for topic in topics]
    for policy in policies:
        assert [[one["Resource"]] for one in policy["PolicyDocument"]["Statement"]] == [policy["Topics"]]


def test_the_function_changes_the_fleets_own_stacks_alone_and_lends_its_service_role_to_cloudformation_alone() -> None:
    by_sid = {one["Sid"]: one for one in statements("ReconcileFleetRole")}
    assert f"stack/{STACKS}/*" in by_sid["ChangeMonitorStacks"]["Resource"]["Fn::Sub"]
    assert by_sid["LendServiceRole"]["Resource"] == {"Fn::GetAtt": ["ServiceRole", "Arn"]}
    assert by_sid["LendServiceRole"]["Condition"] == {
        "StringEquals": {"iam:PassedToService": "cloudformation.amazonaws.com"}
    }


def test_what_it_remembers_is_deleted_after_the_role_with_which_a_run_would_write_it_anew() -> None:
    notes = {name for name, one in RESOURCES.items() if one["Type"] == "AWS::SSM::Parameter"} - {"NotesParameter"}
    assert notes == set(RESOURCES["ReconcileFleetRole"]["DependsOn"])
    assert "${NotesParameter}" in json.dumps(RESOURCES["ReconcileFleetRole"])


def test_the_longest_name_of_a_fleet_still_tells_the_roles_of_its_stacks_apart() -> None:
    pattern = re.compile(FLEET["Parameters"]["FleetName"]["AllowedPattern"])
    longest = LONGEST_STACK_NAME_IN_ROLES - len("-fs-")
    assert pattern.fullmatch("x" * longest)
    assert len("x" * longest) == FLEET["Parameters"]["FleetName"]["MaxLength"]


@pytest.mark.parametrize(
    ("name", "allowed"), [("efs-fleet", True), ("efs", True), ("a-1", True), ("efs-", False), ("efs--fleet", False)]
)
def test_the_name_of_a_fleet_is_found_again_in_the_names_that_cloudformation_makes_up(name: str, allowed: bool) -> None:
    """It makes one hyphen of several, of which the first may be the last of the fleet's name:
    https://github.com/aws-cloudformation/cloudformation-cli-java-plugin, IdentifierUtils.java
    """
    assert bool(re.fullmatch(FLEET["Parameters"]["FleetName"]["AllowedPattern"], name)) is allowed


@pytest.mark.parametrize(
    ("name", "allowed"),
    [
        *(("efs-fs", False), ("efs-fs-1", False), ("efs-fs-fs", False), ("fs-fs", False), ("a-b-fs-c", False)),
        *(("fs", True), ("fs-1", True), ("efs-fsx", True), ("efs-f", True), ("efs-xfs", True), ("efs-fsfs-a", True)),
        *(("efs-f-s", True), ("efs-ffs", True), ("efs-f1-fs1", True), ("efs-sf", True), ("efs-fs1", True)),
    ],
)
def test_no_fleet_has_a_name_by_which_the_roles_of_another_reach_its_stacks(name: str, allowed: bool) -> None:
    """Those of the fleet efs reach efs-fs-*."""
    assert bool(re.fullmatch(FLEET["Parameters"]["FleetName"]["AllowedPattern"], name)) is allowed


@pytest.mark.parametrize(
    ("region", "suffix"), [("cn-northwest-1", "amazonaws.com.cn"), ("ap-southeast-1", "amazonaws.com")]
)
def test_the_address_of_the_longest_template_is_a_tag_that_cloudformation_takes(region: str, suffix: str) -> None:
    """https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_Tag.html"""
    key = "k" * FLEET["Parameters"]["ReleaseTemplate"]["MaxLength"]
    assert len(f"https://{'b' * 63}.s3.{region}.{suffix}/{key}") <= 256


def test_without_a_macro_and_without_nested_stacks_it_is_fit_for_stacksets() -> None:
    """https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/stacksets-custom-execution-role.html"""
    assert "Transform" not in FLEET
    assert "Fn::Transform" not in json.dumps(FLEET)
    assert not {one["Type"] for one in RESOURCES.values()} & {
        "AWS::CloudFormation::Stack",
        "AWS::CloudFormation::Macro",
    }


@pytest.mark.parametrize("name", FLEET["Parameters"])
def test_every_parameter_is_described_grouped_and_says_what_it_must_be(name: str) -> None:
    parameter = FLEET["Parameters"][name]
    groups = FLEET["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    assert parameter["Description"].endswith(".")
    assert [group for group in groups if name in group["Parameters"]]
    assert parameter["ConstraintDescription"].startswith(f"{name} must be")


@pytest.mark.parametrize("name", ["AlertEmail", "EncryptionKeyArn", "LogRetentionDays", "Architecture"])
def test_what_the_monitor_has_too_is_bounded_alike(name: str) -> None:
    ours, theirs = FLEET["Parameters"][name], with_includes()["Parameters"][name]
    keys = ("Type", "Default", "AllowedPattern", "AllowedValues", "MaxLength", "ConstraintDescription")
    assert [ours.get(key) for key in keys] == [theirs.get(key) for key in keys]


def test_what_every_stack_is_given_are_parameters_of_the_monitor() -> None:
    written = RESOURCES["ReconcileFleet"]["Properties"]["Environment"]["Variables"]["MONITOR_PARAMETERS"]["Fn::Sub"][0]
    named = re.findall(r"(?:^|;)([A-Za-z]+)=", written)
    assert named[:3] == ["WarningTopicArn", "CriticalTopicArn", "AdviceTopicArn"]
    assert set(named) <= allowed_values().keys()
    topic = "arn:aws:sns:us-east-1:123456789012:efs-fleet-warning"
    given = {
        "${EncryptionKeyArn}": "",
        "${Boundary}": BOUNDARY,
        "${LogRetentionDays}": "30",
        "${Architecture}": "arm64",
        "${MonitorParameters}": "WarningMinutes=240",
    }
    filled = re.sub(r"\$\{\w+\}", lambda found: given.get(found[0], topic), written)
    assert fleet_parameters(filled)["WarningMinutes"] == "240"


MONITOR_PARAMETERS = FLEET["Parameters"]["MonitorParameters"]["AllowedPattern"]
GIVEN = sorted(PARAMETERS.keys() - {"FileSystemId"})
# An address has nobody to hear of it where all topics are given.
TOGETHER = [name for name in GIVEN if name != "AlertEmail"]
TEXTS = [
    ("", True),
    ("  ", True),
    ("; ".join(f"{name}={PARAMETERS[name].taken[-1]}" for name in TOGETHER if "Path" not in name), True),
    (";\n".join(f"{name}={PARAMETERS[name].taken[0]}" for name in TOGETHER), True),
    ("WarningMinutes=240;", True),
    ("RunbookUrl=https://example.com/a;b=c?d=E;BenchmarkSchedule=cron(0 3 * * ? *);", True),
    ("WarningMinutes", False),
    ("WarningMinutes=240, CriticalMinutes=90", False),
    ("WarningMinutes=240 CriticalMinutes=90", False),
    ("WarningMinutes=240;;", False),
    ("Warning=240", False),
    ("warningminutes=240", False),
    ("FileSystemId=fs-0123abcd", False),
    ("RunbookUrl=http://a;" * 90 + "Warning=90 ", False),
]


@pytest.mark.parametrize("name", GIVEN)
def test_what_every_stack_is_given_is_refused_where_a_stack_may_not_have_it(name: str) -> None:
    """By the function, which the deployment asks; the pattern lets through whatever it can read."""
    for value in PARAMETERS[name].taken:
        assert re.fullmatch(MONITOR_PARAMETERS, f"{name}={value}"), value
        fleet_parameters(f"{name}={value}")
    for value in PARAMETERS[name].refused:
        # Blanks at the end of all belong to no value.
        if value == value.rstrip():
            with pytest.raises(SettingsRefused):
                fleet_parameters(f"{name}={value}")


@pytest.mark.parametrize(("text", "allowed"), TEXTS)
def test_what_is_no_list_of_parameters_with_values_is_refused(text: str, allowed: bool) -> None:
    if allowed:
        assert re.fullmatch(MONITOR_PARAMETERS, text)
        fleet_parameters(text)
    else:
        with pytest.raises(SettingsRefused):
            fleet_parameters(text)


def test_before_any_stack_is_touched_the_deployment_checks_what_the_function_is_told() -> None:
    checked, function = RESOURCES["GivenParameters"], RESOURCES["ReconcileFleet"]
    told = function["Properties"]["Environment"]["Variables"]["MONITOR_PARAMETERS"]
    assert checked["Properties"]["MonitorParameters"] == told
    assert checked["Properties"]["ServiceToken"] == {"Fn::GetAtt": ["ReconcileFleet", "Arn"]}
    assert "GivenParameters" in RESOURCES["ReconcileFleetSchedule"]["DependsOn"]
    # Whatever its layer comes to refuse is asked for again with each release of it.
    assert checked["Properties"]["Release"] == function["Properties"]["Layers"][0]


def test_the_key_is_looked_at_for_the_alarms_that_the_fleet_has() -> None:
    alarms = [one["Properties"]["AlarmName"] for one in RESOURCES.values() if one["Type"] == "AWS::CloudWatch::Alarm"]
    assert alarms == [{"Fn::Sub": f"${{FleetName}}-{end}"} for end in OWN_ALARMS]
    assert RESOURCES["GivenParameters"]["Properties"]["FleetName"] == {"Ref": "FleetName"}


# The longest that each may be, in the partition and Region with the longest names.
LONGEST = {
    "${AWS::Partition}": "aws-us-gov",
    "${AWS::Region}": "ap-southeast-1",
    "${AWS::AccountId}": "1" * 12,
    "${AWS::URLSuffix}": "amazonaws.com.cn",
    "${AWS::StackId}": f"arn:aws-us-gov:cloudformation:ap-southeast-1:{'1' * 12}:stack/{'s' * 128}/{'u' * 36}",
    "${FleetName}": "f" * 16,
    "${ReleaseBucket}": "b" * 63,
    "${ReleaseTemplate}": "k" * 149,
    "${MonitorParameters}": "p" * 1_670,
    "${FleetTag}": "t" * 385,
    "${AlertEmail}": "e" * 254,
    "${EncryptionKeyArn}": f"arn:aws-us-gov:kms:ap-southeast-1:{'1' * 12}:key/mrk-{'k' * 32}",
    **{
        f"${{{severity}Topic}}": f"arn:aws-us-gov:sns:ap-southeast-1:{'1' * 12}:{'f' * 16}-critical"
        for severity in SEVERITIES
    },
}


def filled(value: Any) -> str:
    """The text of a property at its longest."""
    text = json.dumps(value, separators=(",", ":"))
    # References stand as Fn::Sub has them; what is chosen by a condition counts with both.
    text = re.sub(r'\{"Ref":"([\w:]+)"\}', r'"${\1}"', text)
    text = re.sub(r'\{"Fn::Sub":("[^"]*")\}', r"\1", text)
    for name, longest in LONGEST.items():
        text = text.replace(name, longest)
    return text


def partitions() -> Iterator[tuple[str, str, str]]:
    """Each with its Region of the longest name, and what its addresses end with."""
    session = get_session()
    for one in session.get_component("data_loader").load_data("endpoints")["partitions"]:
        yield one["partition"], max(one["regions"], key=len), one["dnsSuffix"]


def longest_environment(partition: str, region: str, suffix: str) -> dict[str, str]:
    """What the function is given where everything is as long as it may be."""
    arn = f"arn:{partition}:{{}}:{region}:{'1' * 12}:{{}}"
    values = {name: one["Default"] for name, one in FLEET["Parameters"].items() if "Default" in one} | {
        **{name: "x" * one["MaxLength"] for name, one in FLEET["Parameters"].items() if "MaxLength" in one},
        "ReleaseBucket": "b" * 63,
        "GraceHours": "720",
        "DigestHour": "23",
        "LogRetentionDays": "3653",
        "Architecture": "x86_64",
        "EncryptionKeyArn": arn.format("kms", f"key/mrk-{'k' * 32}"),
        "AWS::Partition": partition,
        "AWS::Region": region,
        "AWS::AccountId": "1" * 12,
        "AWS::URLSuffix": suffix,
        # The stacks of StackSets have long names.
        "AWS::StackName": "s" * 128,
        "AWS::StackId": arn.format("cloudformation", f"stack/{'s' * 128}/{'u' * 36}"),
    }
    topics = {
        name: one["Properties"]["TopicName"] for name, one in RESOURCES.items() if one["Type"] == "AWS::SNS::Topic"
    }
    names = {
        name: one["Properties"].get("Name") or one["Properties"].get("DashboardName") for name, one in RESOURCES.items()
    }

    def ref(name: str) -> str:
        if name in topics:
            return arn.format("sns", resolve(topics[name], scope))
        return str(resolve(names[name], scope))

    def get_att(name: str, attribute: str) -> str:
        assert (RESOURCES[name]["Type"], attribute) == ("AWS::IAM::Role", "Arn")
        return f"arn:{partition}:iam::{'1' * 12}:role/{'r' * 64}"

    scope = Scope(
        values=values, conditions={"HasDashboard": True, "HasPermissionsBoundary": True}, ref=ref, get_att=get_att
    )
    variables: dict[str, str] = resolve(RESOURCES["ReconcileFleet"]["Properties"]["Environment"]["Variables"], scope)
    return variables


@pytest.mark.parametrize(("partition", "region", "suffix"), partitions(), ids=lambda one: one)
def test_the_functions_environment_fits_with_room_to_spare_whatever_it_is_given(
    partition: str, region: str, suffix: str
) -> None:
    """4 KB for all variables of a function together, as Lambda measures them (Lambda quotas)."""
    variables = longest_environment(partition, region, suffix)
    check_environment({"Variables": variables})
    text = json.dumps(variables, separators=(",", ":"))
    assert "${" not in text
    # In what every stack is given there may be line breaks and quotes, which Lambda counts twice.
    assert len(text) <= LARGEST_BYTES - 200


def test_the_functions_topics_are_those_of_the_fleet() -> None:
    """They have no variables of their own: their ARNs are made of the fleet's name and the id of its stack."""
    for partition, region, suffix in partitions():
        variables = longest_environment(partition, region, suffix) | {"AWS_REGION": region}
        told = fleet_parameters_of(variables["MONITOR_PARAMETERS"])
        found = fleet_settings_from(variables).topic_arns
        assert {f"{name.title()}TopicArn": arn for name, arn in found.items()} == told


def fleet_parameters_of(text: str) -> dict[str, str]:
    """The topics that every stack is given."""
    given = dict(part.split("=", 1) for part in text.split(";") if "=" in part)
    return {name: value for name, value in given.items() if name.endswith("TopicArn")}


@pytest.mark.parametrize("role", ["ServiceRole", "ReconcileFleetRole", "ReconcileFleetScheduleRole"])
def test_the_policies_of_the_fleets_roles_fit(role: str) -> None:
    """10,240 characters of a role's own policies together, blanks not counted (IAM quotas)."""
    assert len(filled(RESOURCES[role]["Properties"]["Policies"])) < 10_240


def test_the_fleet_is_deployed_without_a_bucket_for_its_template() -> None:
    """51,200 bytes of a template that stands in the request itself (CloudFormation quotas), as YAML in long forms."""
    assert len(yaml.safe_dump(FLEET).encode()) < 51_200


@pytest.mark.parametrize("template", [FLEET_TEMPLATE, TEMPLATE])
def test_no_pattern_of_a_parameter_is_long(template: Path) -> None:
    """AWS says nowhere how long one may be, and nothing else tells before a deployment."""
    patterns = {name: one.get("AllowedPattern", "") for name, one in as_written(template)["Parameters"].items()}
    assert {name: one for name, one in patterns.items() if len(one) > 250} == {}
