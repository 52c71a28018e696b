"""Who hears of a state change, who is kept out, and what the history says of it."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from moto.sns.models import sns_backends

from localaws.account import REGION
from localaws.sandbox import Sandbox

Put = Callable[..., None]
Pass = Callable[..., None]
ALARM_ARN = "arn:aws:cloudwatch:us-east-1:123456789012:alarm:low"
ECHO = "def handler(event, context):\n    return event\n"


def history(sandbox: Sandbox, kind: str) -> list[dict[str, Any]]:
    """Oldest first, with the JSON read."""
    items = sandbox.client("cloudwatch").describe_alarm_history(
        AlarmName="low", HistoryItemType=kind, ScanBy="TimestampAscending"
    )["AlarmHistoryItems"]
    return [{**item, "HistoryData": json.loads(item["HistoryData"])} for item in items]


def only_publication(sandbox: Sandbox) -> dict[str, Any]:
    assert len(sandbox.mailbox.publications) == 1
    message: dict[str, Any] = json.loads(sandbox.mailbox.publications[0].message)
    return message


def test_a_topic_receives_cloudwatchs_own_message(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, subscribed_topic: str
) -> None:
    put_alarm(AlarmActions=[subscribed_topic], AlarmDescription="Act.")
    pass_minutes(150, 90)
    assert sandbox.mailbox.publications[0].subject == 'ALARM: "low" in US East (N. Virginia)'
    message = only_publication(sandbox)
    assert message.pop("AlarmConfigurationUpdatedTimestamp").startswith("2030-01-07T00:00:0")
    assert message == {
        "AlarmName": "low",
        "AlarmDescription": "Act.",
        "AWSAccountId": "123456789012",
        "NewStateValue": "ALARM",
        "NewStateReason": sandbox.transitions[-1].reason,
        "StateChangeTime": "2030-01-07T00:02:00.000+0000",
        "Region": "US East (N. Virginia)",
        "AlarmArn": ALARM_ARN,
        "OldStateValue": "OK",
        "OKActions": [],
        "AlarmActions": [subscribed_topic],
        "InsufficientDataActions": [],
        "Trigger": {
            "MetricName": "BurstCreditBalance",
            "Namespace": "AWS/EFS",
            "StatisticType": "Statistic",
            "Statistic": "MINIMUM",
            "Unit": None,
            "Dimensions": [{"value": "fs-0123456789abcdef0", "name": "FileSystemId"}],
            "Period": 60,
            "EvaluationPeriods": 3,
            "DatapointsToAlarm": 1,
            "ComparisonOperator": "LessThanThreshold",
            "Threshold": 100.0,
            "TreatMissingData": "ignore",
            "EvaluateLowSampleCountPercentile": "",
        },
    }


def test_actions_run_on_a_change_of_state_only(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, subscribed_topic: str
) -> None:
    put_alarm(AlarmActions=[subscribed_topic])
    pass_minutes(90, 80, 70, 60)
    assert len(sandbox.mailbox.publications) == 1


def test_ok_actions_run_from_any_other_state(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, subscribed_topic: str
) -> None:
    put_alarm(OKActions=[subscribed_topic])
    pass_minutes(150)
    assert only_publication(sandbox)["OldStateValue"] == "INSUFFICIENT_DATA"


def test_disabled_actions_do_not_run_and_enabling_them_later_sends_nothing(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, subscribed_topic: str
) -> None:
    put_alarm(AlarmActions=[subscribed_topic])
    cloudwatch = sandbox.client("cloudwatch")
    cloudwatch.disable_alarm_actions(AlarmNames=["low"])
    pass_minutes(90)
    cloudwatch.enable_alarm_actions(AlarmNames=["low"])
    pass_minutes(90)
    assert [str(one.new) for one in sandbox.transitions] == ["ALARM"]
    assert sandbox.mailbox.publications == []


def test_a_state_set_by_hand_runs_the_actions(sandbox: Sandbox, put_alarm: Put, subscribed_topic: str) -> None:
    put_alarm(AlarmActions=[subscribed_topic])
    for _ in range(2):
        sandbox.client("cloudwatch").set_alarm_state(AlarmName="low", StateValue="ALARM", StateReason="a drill")
    assert only_publication(sandbox)["NewStateReason"] == "a drill"


def test_the_history_tells_configuration_states_and_actions(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, subscribed_topic: str
) -> None:
    put_alarm(AlarmActions=[subscribed_topic])
    pass_minutes(90)
    put_alarm(Threshold=50.0, AlarmActions=[subscribed_topic])
    created, updated = history(sandbox, "ConfigurationUpdate")
    assert created["HistorySummary"] == 'Alarm "low" created'
    assert updated["HistoryData"]["originalUpdatedFields"] == {"threshold": 100.0}
    (state,) = history(sandbox, "StateUpdate")
    assert state["HistorySummary"] == "Alarm updated from INSUFFICIENT_DATA to ALARM"
    assert state["HistoryData"]["newState"]["stateReasonData"]["threshold"] == 100.0
    (action,) = history(sandbox, "Action")
    assert action["HistorySummary"] == f"Successfully executed action {subscribed_topic}"
    assert action["HistoryData"]["actionState"] == "Succeeded"


def test_history_comes_newest_first_and_in_pages(sandbox: Sandbox, put_alarm: Put) -> None:
    for threshold in (1.0, 2.0, 3.0):
        put_alarm(Threshold=threshold)
    pages = list(
        sandbox.client("cloudwatch")
        .get_paginator("describe_alarm_history")
        .paginate(AlarmName="low", PaginationConfig={"PageSize": 2})
    )
    summaries = [[item["HistorySummary"] for item in page["AlarmHistoryItems"]] for page in pages]
    assert summaries == [['Alarm "low" updated', 'Alarm "low" updated'], ['Alarm "low" created']]


@pytest.mark.parametrize(
    "statement",
    [
        {"Principal": {"Service": "cloudwatch.amazonaws.com"}, "Action": "SNS:Publish"},
        {"Principal": {"Service": "events.amazonaws.com"}, "Action": "sns:Publish"},
        {"Principal": {"Service": "cloudwatch.amazonaws.com"}, "Action": "sns:Subscribe"},
    ],
)
@pytest.mark.parametrize(
    "condition",
    [
        {"StringEquals": {"aws:SourceAccount": "123456789012"}},
        {"ArnLike": {"aws:SourceArn": "arn:aws:cloudwatch:us-east-1:123456789012:alarm:*"}},
        {"StringEquals": {"aws:SourceAccount": "210987654321"}},
        {"ArnEquals": {"aws:SourceArn": "arn:aws:cloudwatch:us-east-1:123456789012:alarm:another"}},
    ],
)
def test_a_topic_hears_an_alarm_only_if_its_policy_lets_cloudwatch_in(
    sandbox: Sandbox,
    put_alarm: Put,
    pass_minutes: Pass,
    subscribed_topic: str,
    statement: dict[str, Any],
    condition: dict[str, Any],
) -> None:
    policy = {"Statement": [{"Effect": "Allow", "Resource": subscribed_topic, "Condition": condition, **statement}]}
    sandbox.client("sns").set_topic_attributes(
        TopicArn=subscribed_topic, AttributeName="Policy", AttributeValue=json.dumps(policy)
    )
    put_alarm(AlarmActions=[subscribed_topic])
    pass_minutes(90)
    right_statement = statement["Principal"]["Service"].startswith("cloudwatch") and "Publish" in statement["Action"]
    right_condition = "210987654321" not in str(condition) and "another" not in str(condition)
    (action,) = history(sandbox, "Action")
    if right_statement and right_condition:
        assert len(sandbox.mailbox.mails) == 1
        assert action["HistoryData"]["error"] is None
    else:
        assert sandbox.mailbox.publications == []
        assert "not authorized to perform: SNS:Publish" in action["HistoryData"]["error"]


def test_a_topic_with_the_aws_managed_key_hears_nothing(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, subscribed_topic: str
) -> None:
    sandbox.client("sns").set_topic_attributes(
        TopicArn=subscribed_topic, AttributeName="KmsMasterKeyId", AttributeValue="alias/aws/sns"
    )
    put_alarm(AlarmActions=[subscribed_topic])
    pass_minutes(90)
    assert sandbox.mailbox.publications == []
    assert "encryption key alias/aws/sns" in history(sandbox, "Action")[0]["HistoryData"]["error"]


@pytest.mark.parametrize("granted", [True, False])
def test_a_customer_key_must_let_cloudwatch_in(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, subscribed_topic: str, granted: bool
) -> None:
    service = "cloudwatch.amazonaws.com" if granted else "events.amazonaws.com"
    grant = {
        "Effect": "Allow",
        "Principal": {"Service": service},
        "Action": ["kms:Decrypt", "kms:GenerateDataKey*"],
        "Resource": "*",
    }
    key = sandbox.client("kms").create_key(Policy=json.dumps({"Statement": [grant]}))["KeyMetadata"]["Arn"]
    sandbox.client("sns").set_topic_attributes(
        TopicArn=subscribed_topic, AttributeName="KmsMasterKeyId", AttributeValue=key
    )
    put_alarm(AlarmActions=[subscribed_topic])
    pass_minutes(90)
    assert len(sandbox.mailbox.mails) == (1 if granted else 0)


def test_one_failed_action_does_not_stop_the_next(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, subscribed_topic: str
) -> None:
    missing = "arn:aws:lambda:us-east-1:123456789012:function:gone"
    put_alarm(AlarmActions=[missing, subscribed_topic])
    pass_minutes(90)
    assert len(sandbox.mailbox.mails) == 1
    failed, succeeded = history(sandbox, "Action")
    assert failed["HistorySummary"] == (
        f'Failed to execute action {missing}. Received error: "Lambda function {missing} does not exist"'
    )
    assert succeeded["HistoryData"]["actionState"] == "Succeeded"


def test_a_permitted_function_receives_the_event_with_the_threshold_inside_reason_data_only(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, deploy: Callable[..., str]
) -> None:
    function = deploy("explain", ECHO)
    sandbox.client("lambda").add_permission(
        FunctionName="explain",
        StatementId="alarms",
        Action="lambda:InvokeFunction",
        Principal="lambda.alarms.cloudwatch.amazonaws.com",
        SourceAccount="123456789012",
        SourceArn=ALARM_ARN,
    )
    put_alarm(AlarmActions=[function])
    pass_minutes(150, 90)
    (invocation,) = sandbox.functions.invocations
    event = json.loads(invocation.payload)
    state = event["alarmData"].pop("state")
    previous = event["alarmData"].pop("previousState")
    assert event == {
        "source": "aws.cloudwatch",
        "alarmArn": ALARM_ARN,
        "accountId": "123456789012",
        "time": "2030-01-07T00:02:00.000+0000",
        "region": "us-east-1",
        "alarmData": {
            "alarmName": "low",
            "configuration": {
                "metrics": [
                    {
                        "id": "m1",
                        "metricStat": {
                            "metric": {
                                "namespace": "AWS/EFS",
                                "name": "BurstCreditBalance",
                                "dimensions": {"FileSystemId": "fs-0123456789abcdef0"},
                            },
                            "period": 60,
                            "stat": "Minimum",
                        },
                        "returnData": True,
                    }
                ]
            },
        },
    }
    assert (state["value"], previous["value"]) == ("ALARM", "OK")
    assert state["timestamp"] == "2030-01-07T00:02:00.000+0000"
    assert json.loads(state["reasonData"])["threshold"] == 100.0


@pytest.mark.parametrize(
    "permission",
    [
        None,
        {"Principal": "cloudwatch.amazonaws.com"},
        {"SourceAccount": "210987654321"},
        {"SourceArn": "arn:aws:cloudwatch:us-east-1:123456789012:alarm:another"},
    ],
)
def test_a_function_without_the_right_permission_receives_nothing(
    sandbox: Sandbox,
    put_alarm: Put,
    pass_minutes: Pass,
    deploy: Callable[..., str],
    permission: dict[str, str] | None,
) -> None:
    function = deploy("explain", ECHO)
    if permission is not None:
        sandbox.client("lambda").add_permission(
            **{
                "FunctionName": "explain",
                "StatementId": "alarms",
                "Action": "lambda:InvokeFunction",
                "Principal": "lambda.alarms.cloudwatch.amazonaws.com",
                **permission,
            }
        )
    put_alarm(AlarmActions=[function])
    pass_minutes(90)
    assert sandbox.functions.invocations == []
    assert "lambda:InvokeFunction" in history(sandbox, "Action")[0]["HistoryData"]["error"]


def test_what_a_function_changes_is_evaluated_in_the_same_minute(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, deploy: Callable[..., str]
) -> None:
    function = deploy(
        "lower",
        """
        import boto3

        def handler(event, context):
            cloudwatch = boto3.client("cloudwatch")
            alarm = cloudwatch.describe_alarms(AlarmNames=["low"])["MetricAlarms"][0]
            keys = ["AlarmName", "Namespace", "MetricName", "Dimensions", "Statistic", "Period", "EvaluationPeriods",
                    "ComparisonOperator", "TreatMissingData", "AlarmActions", "DatapointsToAlarm"]
            cloudwatch.put_metric_alarm(**{key: alarm[key] for key in keys}, Threshold=10.0)
        """,
    )
    sandbox.client("lambda").add_permission(
        FunctionName="lower",
        StatementId="alarms",
        Action="lambda:InvokeFunction",
        Principal="lambda.alarms.cloudwatch.amazonaws.com",
    )
    put_alarm(AlarmActions=[function])
    pass_minutes(90)
    assert [(str(one.new), one.time) for one in sandbox.transitions] == [
        ("ALARM", sandbox.clock.now()),
        ("OK", sandbox.clock.now()),
    ]


@pytest.mark.parametrize("source_account", ["123456789012", "210987654321", None])
def test_the_topic_of_another_account_hears_of_an_alarm_where_its_policy_lets_cloudwatch_in(
    sandbox: Sandbox, put_alarm: Put, pass_minutes: Pass, source_account: str | None
) -> None:
    topic = sns_backends["111122223333"][REGION].create_topic("shared")
    topic.sns_backend.subscribe(topic.arn, "ops@example.com", "email")
    if source_account is not None:
        statement = {
            "Effect": "Allow",
            "Principal": {"Service": "cloudwatch.amazonaws.com"},
            "Action": "sns:Publish",
            "Resource": topic.arn,
            "Condition": {"StringEquals": {"aws:SourceAccount": source_account}},
        }
        topic.policy = json.dumps({"Statement": [statement]})
    put_alarm(AlarmActions=[topic.arn])
    pass_minutes(150, 90)
    is_let_in = source_account == "123456789012"
    assert [mail.to for mail in sandbox.mailbox.mails] == ["ops@example.com"] * is_let_in
    (item,) = history(sandbox, "Action")
    assert item["HistoryData"]["actionState"] == ("Succeeded" if is_let_in else "Failed")
