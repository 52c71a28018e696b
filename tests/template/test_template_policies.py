"""Who may do what: each role only what its function needs, each topic only for this stack's alarms."""

from typing import Any

import pytest
from efs_monitor.events import BEGINNINGS_OF_UPDATES, ENDS_OF_UPDATES, STACK_CHANGE, STACK_SOURCE

from operate.template_files import FLEET_TEMPLATE, TEMPLATE, as_written
from tests.template.template_documents import (
    FILE_SYSTEM_ID,
    STACK_NAME,
    Document,
    alarm_arn,
    listed,
    of_type,
    references,
    resolved,
    statements,
    transformed,
    with_includes,
    with_parameter,
)

FUNCTIONS = (
    *("ApplyOnDeploy", "RecalculateThresholds", "ReportSilence", "SetLateAlarms", "Explain"),
    *("RunBenchmark", "CollectBenchmark"),
)
ASYNCHRONOUS = FUNCTIONS[1:]
ROLES = of_type(transformed(), "AWS::IAM::Role")
TOPIC_POLICIES = of_type(transformed(), "AWS::SNS::TopicPolicy")
# The API knows no resource for them, but for the second, which, given names, is still asked about every alarm.
WITHOUT_RESOURCE = {
    "cloudwatch:GetMetricData",
    "cloudwatch:DescribeAlarms",
    "cloudwatch:DescribeAlarmsForMetric",
    "ssm:DescribeInstanceInformation",
    "ssm:ListCommands",
    "ssm:ListCommandInvocations",
    "ssm:GetCommandInvocation",
}

ALLOWED = {
    "ApplyOnDeployRole": {
        "elasticfilesystem:DescribeFileSystems",
        "kms:GetKeyPolicy",
        "cloudwatch:GetMetricData",
        "cloudwatch:DescribeAlarms",
        "cloudformation:DescribeStacks",
        "logs:CreateLogStream",
        "logs:PutLogEvents",
    },
    "RecalculateThresholdsRole": {
        "elasticfilesystem:DescribeFileSystems",
        "cloudwatch:GetMetricData",
        "cloudwatch:DescribeAlarms",
        "cloudwatch:PutMetricAlarm",
        "cloudformation:DescribeStacks",
        "cloudwatch:ListTagsForResource",
        "cloudwatch:SetAlarmState",
        "ssm:GetParameter",
        "ssm:PutParameter",
        "sns:Publish",
        "kms:Decrypt",
        "kms:GenerateDataKey*",
        "logs:CreateLogStream",
        "logs:PutLogEvents",
    },
    "HourlyScheduleRole": {"lambda:InvokeFunction"},
    "ReportSilenceRole": {
        "elasticfilesystem:DescribeFileSystems",
        "cloudwatch:GetMetricData",
        "cloudwatch:DescribeAlarms",
        "cloudwatch:DescribeAlarmsForMetric",
        "cloudwatch:DescribeAlarmHistory",
        "cloudformation:DescribeStacks",
        "sns:ListSubscriptionsByTopic",
        "ssm:GetParameter",
        "ssm:PutParameter",
        "sns:Publish",
        "kms:Decrypt",
        "kms:GenerateDataKey*",
        "logs:CreateLogStream",
        "logs:PutLogEvents",
    },
    "SilenceScheduleRole": {"lambda:InvokeFunction"},
    "SetLateAlarmsRole": {
        "elasticfilesystem:DescribeFileSystems",
        "cloudwatch:GetMetricData",
        "cloudwatch:DescribeAlarms",
        "cloudwatch:SetAlarmState",
        "logs:CreateLogStream",
        "logs:PutLogEvents",
    },
    "LateAlarmsScheduleRole": {"lambda:InvokeFunction"},
    "RunBenchmarkRole": {
        "elasticfilesystem:DescribeFileSystems",
        "cloudwatch:GetMetricData",
        "cloudwatch:DescribeAlarms",
        "ssm:DescribeInstanceInformation",
        "ssm:ListCommands",
        "ssm:SendCommand",
        "ssm:GetParameter",
        "ssm:PutParameter",
        "sns:Publish",
        "kms:Decrypt",
        "kms:GenerateDataKey*",
        "logs:CreateLogStream",
        "logs:PutLogEvents",
    },
    "BenchmarkTimerRole": {"lambda:InvokeFunction", "sqs:SendMessage"},
    "CollectBenchmarkRole": {
        "cloudwatch:GetMetricData",
        "ssm:ListCommands",
        "ssm:ListCommandInvocations",
        "ssm:GetCommandInvocation",
        "ssm:GetParameter",
        "ssm:PutParameter",
        "sns:Publish",
        "kms:Decrypt",
        "kms:GenerateDataKey*",
        "logs:CreateLogStream",
        "logs:PutLogEvents",
    },
    "BenchmarkSweepRole": {"lambda:InvokeFunction"},
    "ExplainRole": {
        "elasticfilesystem:DescribeFileSystems",
        "cloudwatch:GetMetricData",
        "cloudwatch:DescribeAlarms",
        "ssm:GetParameter",
        "sns:Publish",
        "kms:Decrypt",
        "kms:GenerateDataKey*",
        "logs:CreateLogStream",
        "logs:PutLogEvents",
    },
}


def actions(statement: dict[str, Any]) -> set[str]:
    return set(listed(statement["Action"]))


@pytest.mark.parametrize("name", ROLES)
def test_a_role_may_do_what_its_function_needs_and_nothing_else(name: str) -> None:
    found = set().union(*(actions(statement) for statement in statements(ROLES[name])))
    assert found == ALLOWED[name]
    assert not ROLES[name]["Properties"].get("ManagedPolicyArns")


def test_only_what_looks_at_given_topics_may_read_them_and_only_these() -> None:
    given = {"HasGivenTopic": True, "MakesAdviceTopic": False}
    found = [one for one in statements(ROLES["ApplyOnDeployRole"], **given) if one["Sid"] == "ReadGivenTopics"]
    # A parameter that is empty stands for the one topic that was given.
    assert [(one["Action"], one["Resource"]) for one in found] == [("sns:GetTopicAttributes", [""])]
    assert "sns:GetTopicAttributes" not in set().union(*map(actions, statements(ROLES["ApplyOnDeployRole"])))


@pytest.mark.parametrize("name", ROLES)
def test_every_statement_names_its_resource_where_the_api_knows_one(name: str) -> None:
    for statement in statements(ROLES[name]):
        if statement["Sid"] in {"SendToTaggedInstances", "SendOnlyTheBenchmark"}:
            # Which instances those are, their tag decides; and the document's name ends with a digest of its content.
            continue
        if any("*" in resource for resource in listed(statement["Resource"])):
            assert statement["Resource"] == "*"
            assert actions(statement) <= WITHOUT_RESOURCE
        assert statement["Effect"] == "Allow"


@pytest.mark.parametrize("name", ROLES)
def test_only_its_service_can_take_a_role(name: str) -> None:
    (statement,) = ROLES[name]["Properties"]["AssumeRolePolicyDocument"]["Statement"]
    service = "lambda" if name.removesuffix("Role") in FUNCTIONS else "scheduler"
    assert statement["Principal"] == {"Service": f"{service}.amazonaws.com"}
    assert statement["Action"] == "sts:AssumeRole"


def test_a_comment_in_the_file_tells_why_a_statement_names_no_resource() -> None:
    lines = TEMPLATE.read_text().splitlines()
    for number, line in enumerate(lines):
        if line.strip() != 'Resource: "*"':
            continue
        above = number
        while not lines[above].lstrip().startswith("#"):
            above -= 1
            # The comment may stand above the first of the two statements.
            assert lines[above].lstrip().startswith(("#", "- Sid", "Effect", "Action", 'Resource: "*"')), number + 1


def test_nobody_can_bring_back_the_log_group_of_a_deleted_stack() -> None:
    for role in ROLES.values():
        for statement in statements(role):
            assert "logs:CreateLogGroup" not in actions(statement)
            assert not any(action in {"logs:*", "logs:Create*", "*"} for action in actions(statement))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_has_a_role_and_a_kept_log_group_of_its_own(name: str) -> None:
    document = transformed()
    function = resolved(document["Resources"][name]["Properties"])
    group = resolved(document["Resources"][f"{name}Logs"]["Properties"])
    assert function["LoggingConfig"]["LogGroup"] == f"<{name}Logs>"
    assert group["LogGroupName"].startswith(f"/efs-monitor/{STACK_NAME}/")
    assert document["Resources"][f"{name}Logs"]["Properties"]["RetentionInDays"] == {"Ref": "LogRetentionDays"}
    assert function["Role"] == f"<{name}Role.Arn>"
    logging = [one for one in statements(ROLES[f"{name}Role"]) if "logs:PutLogEvents" in actions(one)]
    assert [one["Resource"] for one in logging] == [f"<{name}Logs.Arn>"]


@pytest.mark.parametrize(
    ("name", "parameter"),
    [
        ("RecalculateThresholds", "ToldParameter"),
        ("ReportSilence", "ToldParameter"),
        ("RunBenchmark", "BenchmarksParameter"),
        ("CollectBenchmark", "BenchmarksParameter"),
    ],
)
def test_a_role_that_writes_the_memory_goes_before_it(name: str, parameter: str) -> None:
    """Deletion runs against references: without its role, a late run cannot bring back a deleted parameter."""
    policies = with_includes()["Resources"][f"{name}Role"]["Properties"]["Policies"]
    (statement,) = (
        one for one in policies[0]["PolicyDocument"]["Statement"] if "ssm:PutParameter" in listed(one.get("Action", []))
    )
    assert parameter in references(statement["Resource"])
    (resource,) = (one["Resource"] for one in statements(ROLES[f"{name}Role"]) if "ssm:PutParameter" in actions(one))
    assert resource.endswith(f":parameter<{parameter}>")


def sending(**conditions: bool) -> list[dict[str, Any]]:
    """The statements about SendCommand."""
    (policy,) = ROLES["RunBenchmarkRole"]["Properties"]["Policies"]
    every = resolved(policy["PolicyDocument"]["Statement"], **conditions)
    return [one for one in every if "ssm:SendCommand" in actions(one)]


def test_only_the_stacks_own_document_is_sent() -> None:
    document, _ = sending()
    name = resolved(with_includes()["Resources"]["BenchmarkDocument"]["Properties"])["Name"]
    assert document["Resource"] == f"arn:aws:ssm:us-east-1:123456789012:document/{name.rpartition('-')[0]}-*"
    assert resolved({"Fn::Select": [2, {"Fn::Split": ["/", {"Ref": "AWS::StackId"}]}]}) in document["Resource"]
    assert "Condition" not in document


def test_without_names_only_instances_with_the_file_systems_tag_are_reached() -> None:
    _, instances = sending(HasNamedInstances=False)
    assert instances["Resource"] == "arn:aws:ec2:us-east-1:123456789012:instance/*"
    assert instances["Condition"] == {"StringEquals": {"ssm:resourceTag/efs-monitor": FILE_SYSTEM_ID}}


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_with_names_only_those_instances_are_reached(count: int) -> None:
    ids = [f"i-0123456789abcdef{number}" for number in range(count)]
    (policy,) = ROLES["RunBenchmarkRole"]["Properties"]["Policies"]
    named = with_parameter(policy["PolicyDocument"]["Statement"], "BenchmarkInstanceIds", ",".join(ids))
    (instances,) = (one for one in named if one["Sid"] == "SendToNamedInstances")
    assert set(instances["Resource"]) == {f"arn:aws:ec2:us-east-1:123456789012:instance/{one}" for one in ids}
    assert "Condition" not in instances


@pytest.mark.parametrize("name", ["RunBenchmark", "CollectBenchmark"])
def test_a_benchmark_role_changes_no_alarm_and_no_file_system(name: str) -> None:
    for statement in statements(ROLES[f"{name}Role"]):
        for action in actions(statement):
            service, _, verb = action.partition(":")
            assert service not in {"cloudwatch", "elasticfilesystem"} or verb.startswith(("Describe", "Get"))


def test_each_rule_starts_one_function_and_no_other_rule_may() -> None:
    permissions = [resolved(one["Properties"]) for one in of_type(transformed(), "AWS::Lambda::Permission").values()]
    by_rules = {
        one["FunctionName"]: one["SourceArn"] for one in permissions if one["Principal"] == "events.amazonaws.com"
    }
    assert by_rules == {
        "<CollectBenchmark>": "<BenchmarkFinishedRule.Arn>",
        "<RecalculateThresholds>": "<StackUpdatedRule.Arn>",
    }
    targets = {
        f"<{name}.Arn>": [target["Arn"] for target in resolved(rule["Properties"])["Targets"]]
        for name, rule in of_type(transformed(), "AWS::Events::Rule").items()
    }
    assert targets == {rule: [f"{function[:-1]}.Arn>"] for function, rule in by_rules.items()}


def test_only_an_update_of_this_very_stack_starts_a_recalculation() -> None:
    pattern = resolved(transformed()["Resources"]["StackUpdatedRule"]["Properties"])["EventPattern"]
    stack_id = resolved({"Ref": "AWS::StackId"})
    assert pattern["detail"]["stack-id"] == [stack_id]
    assert (pattern["source"], pattern["detail-type"]) == ([STACK_SOURCE], [STACK_CHANGE])
    assert set(pattern["detail"]["status-details"]["status"]) == {*BEGINNINGS_OF_UPDATES, *ENDS_OF_UPDATES}


def test_these_are_all_functions_and_roles() -> None:
    assert of_type(transformed(), "AWS::Lambda::Function").keys() == set(FUNCTIONS)
    assert ROLES.keys() == ALLOWED.keys()


@pytest.mark.parametrize("name", ASYNCHRONOUS)
def test_what_fails_for_good_is_told_to_advice(name: str) -> None:
    """For every function that an alarm or the schedule invokes: asynchronously, so nobody waits for its error.

    But for the one that starts again within minutes: what fails there again and again is told by ReportSilence.
    """
    configurations = of_type(transformed(), "AWS::Lambda::EventInvokeConfig").values()
    (found,) = (
        configuration["Properties"]
        for configuration in configurations
        if resolved(configuration["Properties"]["FunctionName"]) == f"<{name}>"
    )
    if name == "SetLateAlarms":
        assert found["MaximumRetryAttempts"] == 0
        assert not found.get("DestinationConfig")
        return
    assert resolved(found["DestinationConfig"]) == {"OnFailure": {"Destination": "<AdviceTopic>"}}
    assert found["MaximumRetryAttempts"] == 2
    publishing = [one for one in statements(ROLES[f"{name}Role"]) if "sns:Publish" in actions(one)]
    # Only the report of silence may say elsewhere that nobody gets the mails of Advice.
    elsewhere = [["<WarningTopic>", "<CriticalTopic>"]] if name == "ReportSilence" else []
    assert [one["Resource"] for one in publishing] == ["<AdviceTopic>", *elsewhere]


@pytest.mark.parametrize(
    ("document", "schedules"), [(transformed(), 5), (as_written(FLEET_TEMPLATE), 1)], ids=["a stack", "a fleet"]
)
def test_what_a_schedule_starts_waits_no_longer_in_lambdas_queue_than_the_schedule_would_try(
    document: Document, schedules: int
) -> None:
    """The limit of a schedule ends where Lambda has taken the event: it keeps one for six hours while the function is
    throttled, and then runs all that have piled up. An alarm's event may be as old: Explain knows what came since.
    """
    limits = {
        resolved(one["Properties"]["FunctionName"]): one["Properties"].get("MaximumEventAgeInSeconds", 6 * 3600)
        for one in of_type(document, "AWS::Lambda::EventInvokeConfig").values()
    }
    targets = [one["Properties"]["Target"] for one in of_type(document, "AWS::Scheduler::Schedule").values()]
    started = {f"<{one['Arn']['Fn::GetAtt'][0]}>": one["RetryPolicy"]["MaximumEventAgeInSeconds"] for one in targets}
    assert len(started) == schedules
    for function, seconds in started.items():
        # Lambda takes no less than a minute.
        assert 60 <= limits[function] <= seconds, function
    assert limits.get("<Explain>", 6 * 3600) == 6 * 3600


def test_every_asynchronously_invoked_function_is_among_those() -> None:
    document = transformed()
    permitted = of_type(document, "AWS::Lambda::Permission").values()
    scheduled = of_type(document, "AWS::Scheduler::Schedule").values()
    invoked = {resolved(one["Properties"]["FunctionName"]).strip("<>") for one in permitted}
    invoked |= {resolved(one["Properties"]["Target"]["Arn"]).strip("<>").removesuffix(".Arn") for one in scheduled}
    assert invoked == set(ASYNCHRONOUS)


TELLING = {"warning": ("warning", "draining"), "critical": ("critical", "exhausted")}


@pytest.mark.parametrize("name", TOPIC_POLICIES)
def test_only_alarms_of_this_stack_and_account_publish_to_a_topic(name: str) -> None:
    policy = resolved(TOPIC_POLICIES[name]["Properties"])
    (topic,) = policy["Topics"]
    (statement,) = policy["PolicyDocument"]["Statement"]
    severity = topic.strip("<>").removesuffix("Topic").lower()
    assert statement["Principal"] == {"Service": "cloudwatch.amazonaws.com"}
    assert (statement["Action"], statement["Resource"]) == ("sns:Publish", topic)
    if severity == "advice":
        optional = ("throughput-utilization", "percent-io-limit", "benchmark-failures", "benchmark-regressions")
        source: dict[str, Any] = {
            "ArnEquals": {"aws:SourceArn": [alarm_arn(f"{STACK_NAME}-{end}") for end in optional]}
        }
    else:
        arns = [alarm_arn(f"{STACK_NAME}-{end}") for end in TELLING[severity]]
        source = {"ArnEquals": {"aws:SourceArn": arns}}
    assert statement["Condition"] == {"StringEquals": {"aws:SourceAccount": "123456789012"}, **source}


def test_every_topic_has_a_policy_a_name_of_the_stack_and_the_key() -> None:
    topics = of_type(transformed(), "AWS::SNS::Topic")
    covered = {topic for policy in TOPIC_POLICIES.values() for topic in resolved(policy["Properties"])["Topics"]}
    assert covered == {f"<{name}>" for name in topics}
    for topic in topics.values():
        assert resolved(topic["Properties"]["TopicName"]).startswith(f"{STACK_NAME}-")
        assert (
            topic["Properties"]["KmsMasterKeyId"]
            == with_includes()["Resources"]["WarningTopic"]["Properties"]["KmsMasterKeyId"]
        )
        assert topic["Properties"]["KmsMasterKeyId"]["Fn::If"][:2] == ["HasKey", {"Ref": "EncryptionKeyArn"}]


def test_the_mail_address_is_subscribed_to_every_topic_where_there_is_one() -> None:
    subscriptions = of_type(with_includes(), "AWS::SNS::Subscription").values()
    assert {resolved(one["Properties"])["TopicArn"] for one in subscriptions} == {
        f"<{name}>" for name in of_type(with_includes(), "AWS::SNS::Topic")
    }
    for subscription in subscriptions:
        severity = resolved(subscription["Properties"])["TopicArn"].strip("<>").removesuffix("Topic")
        assert with_includes()["Conditions"][subscription["Condition"]] == {
            "Fn::And": [{"Condition": "HasEmail"}, {"Condition": f"Makes{severity}Topic"}]
        }
        assert (subscription["Properties"]["Protocol"], subscription["Properties"]["Endpoint"]) == (
            "email",
            {"Ref": "AlertEmail"},
        )
