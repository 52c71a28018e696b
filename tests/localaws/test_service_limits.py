"""What a service holds to besides its model, whoever asks: how many, how long, how large, how often."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from localaws.sandbox import Sandbox

FUNCTION_ARN = "arn:aws:lambda:us-east-1:123456789012:function:it"


def error(client: Any, call: str, request: dict[str, Any]) -> tuple[str, str, int]:
    """Code, sentence and HTTP status of a refusal."""
    with pytest.raises(ClientError) as refused:
        getattr(client, call)(**request)
    answer = refused.value.response
    return answer["Error"]["Code"], answer["Error"]["Message"], answer["ResponseMetadata"]["HTTPStatusCode"]


def test_a_rule_has_five_targets_however_they_come(sandbox: Sandbox) -> None:
    events = sandbox.client("events")
    events.put_rule(Name="it", EventPattern=json.dumps({"source": ["aws.ssm"]}))

    def targets(*ids: int) -> dict[str, Any]:
        return {"Rule": "it", "Targets": [{"Id": str(one), "Arn": FUNCTION_ARN} for one in ids]}

    refused = ("LimitExceededException", "The requested resource exceeds the maximum number allowed.", 400)
    assert error(events, "put_targets", targets(1, 2, 3, 4, 5, 6)) == refused
    events.put_targets(**targets(1, 2, 3))
    events.put_targets(**targets(3, 4, 5))
    assert error(events, "put_targets", targets(6)) == refused
    assert len(events.list_targets_by_rule(Rule="it")["Targets"]) == 5


@pytest.mark.parametrize(
    "expression", ["cron(0 3 * * * *)", "cron(0 3 ? * ? *)", "cron(0 25 * * ? *)", "rate(2 hour)", "rate(1 hours)"]
)
def test_a_rule_has_a_schedule_as_the_scheduler_takes_it(sandbox: Sandbox, expression: str) -> None:
    events = sandbox.client("events")
    events.put_rule(Name="it", ScheduleExpression="cron(0 3 * * ? *)")
    refused = error(events, "put_rule", {"Name": "it", "ScheduleExpression": expression})
    assert refused == ("ValidationException", "Parameter ScheduleExpression is not valid.", 400)


@pytest.mark.parametrize(
    ("name", "lowest", "highest"),
    [
        ("DelaySeconds", 0, 900),
        ("KmsDataKeyReusePeriodSeconds", 60, 86_400),
        ("MaximumMessageSize", 1_024, 1_048_576),
        ("MessageRetentionPeriod", 60, 1_209_600),
        ("ReceiveMessageWaitTimeSeconds", 0, 20),
        ("VisibilityTimeout", 0, 43_200),
    ],
)
def test_the_numbers_of_a_queue_have_bounds(sandbox: Sandbox, name: str, lowest: int, highest: int) -> None:
    sqs = sandbox.client("sqs")
    url = sqs.create_queue(QueueName="it", Attributes={name: str(lowest)})["QueueUrl"]
    sqs.set_queue_attributes(QueueUrl=url, Attributes={name: str(highest)})
    refused = ("InvalidAttributeValue", f"Invalid value for the parameter {name}.", 400)
    for wrong in (str(lowest - 1), str(highest + 1), "x"):
        assert error(sqs, "create_queue", {"QueueName": "other", "Attributes": {name: wrong}}) == refused
        assert error(sqs, "set_queue_attributes", {"QueueUrl": url, "Attributes": {name: wrong}}) == refused


@pytest.mark.parametrize(
    ("kind", "most", "words"),
    [
        ("Event", 1_048_576, "1048577 byte payload is too large for the Event invocation type (limit 1048576 bytes)"),
        ("RequestResponse", 6_291_456, "Request must be smaller than 6291456 bytes for the InvokeFunction operation"),
    ],
)
def test_what_a_function_is_given_has_a_size(
    sandbox: Sandbox, deploy: Callable[..., str], kind: str, most: int, words: str
) -> None:
    deploy("it", "handler = lambda e, c: len(e)")
    client = sandbox.client("lambda")

    def request(size: int) -> dict[str, Any]:
        return {"FunctionName": "it", "InvocationType": kind, "Payload": json.dumps("x" * (size - 2))}

    client.invoke(**request(most))
    assert error(client, "invoke", request(most + 1)) == ("RequestEntityTooLargeException", words, 413)


def test_a_page_of_metrics_has_100800_datapoints(sandbox: Sandbox) -> None:
    now = sandbox.clock.now()
    metric = {"Namespace": "AWS/EFS", "MetricName": "BurstCreditBalance"}
    query = {"Id": "a", "MetricStat": {"Metric": metric, "Period": 60, "Stat": "Minimum"}}
    request = {"MetricDataQueries": [query], "StartTime": now - timedelta(hours=1), "EndTime": now}
    cloudwatch = sandbox.client("cloudwatch")
    cloudwatch.get_metric_data(**request, MaxDatapoints=100_800)
    code, told, _ = error(cloudwatch, "get_metric_data", {**request, "MaxDatapoints": 100_801})
    assert (code, told) == ("ValidationError", "MaxDatapoints is 100801; at most 100800 are allowed.")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -(2.0**361)])
def test_a_metric_has_a_value_that_is_a_number(sandbox: Sandbox, value: float) -> None:
    data = [{"MetricName": "it", "Value": -(2.0**360)}, {"MetricName": "it", "Value": value}]
    cloudwatch = sandbox.client("cloudwatch")
    cloudwatch.put_metric_data(Namespace="it", MetricData=data[:1])
    code, told, _ = error(cloudwatch, "put_metric_data", {"Namespace": "it", "MetricData": data})
    assert (code, told.startswith("The value ")) == ("InvalidParameterValue", True)
    assert told.endswith(" for parameter MetricData.member.2.Value is invalid.")


def test_a_thousand_metrics_are_put_at_once(sandbox: Sandbox) -> None:
    data = [{"MetricName": f"m{number}", "Value": 1.0} for number in range(1_001)]
    cloudwatch = sandbox.client("cloudwatch")
    cloudwatch.put_metric_data(Namespace="it", MetricData=data[1:])
    refused = ("InvalidParameterValue", "The collection MetricData must not have a size greater than 1000.", 400)
    assert error(cloudwatch, "put_metric_data", {"Namespace": "it", "MetricData": data}) == refused


def test_a_function_has_ten_gigabytes_of_memory(sandbox: Sandbox, deploy: Callable[..., str]) -> None:
    deploy("it", "handler = lambda e, c: e")
    client = sandbox.client("lambda")
    client.update_function_configuration(FunctionName="it", MemorySize=10_240)
    told = (
        "1 validation error detected: Value '10241' at 'memorySize' failed to satisfy constraint: Member must have "
        "value less than or equal to 10240"
    )
    changed = {"FunctionName": "it", "MemorySize": 10_241}
    assert error(client, "update_function_configuration", changed) == ("ValidationException", told, 400)


def test_a_statement_of_a_functions_policy_has_an_id_of_its_own(sandbox: Sandbox, deploy: Callable[..., str]) -> None:
    deploy("it", "handler = lambda e, c: e")
    client = sandbox.client("lambda")
    permission = {"FunctionName": "it", "StatementId": "a", "Action": "lambda:InvokeFunction"}
    client.add_permission(**permission, Principal="events.amazonaws.com")
    words = (
        "The statement id (a) provided already exists. Please provide a new statement id, or remove the existing "
        "statement."
    )
    again = {**permission, "Principal": "sns.amazonaws.com"}
    assert error(client, "add_permission", again) == ("ResourceConflictException", words, 409)
    client.remove_permission(FunctionName="it", StatementId="a")
    client.add_permission(**again)


@pytest.mark.parametrize("name", ["aws-it", "AWS-it", "amazon-it", "Amzn-it", "AWSSupport-it"])
def test_a_document_is_not_named_as_those_of_aws(sandbox: Sandbox, name: str) -> None:
    step = {"action": "aws:runShellScript", "name": "a", "inputs": {"runCommand": ["true"]}}
    content = json.dumps({"schemaVersion": "2.2", "mainSteps": [step]})
    request = {"Content": content, "DocumentType": "Command", "DocumentFormat": "JSON"}
    ssm = sandbox.client("ssm")
    ssm.create_document(Name="it-aws", **request)
    refused = ("ValidationException", f"Invalid document name {name}", 400)
    assert error(ssm, "create_document", {"Name": name, **request}) == refused


def test_a_log_group_is_not_named_as_those_of_aws(sandbox: Sandbox) -> None:
    logs = sandbox.client("logs")
    logs.create_log_group(logGroupName="/aws/it")
    code, told, _ = error(logs, "create_log_group", {"logGroupName": "AWS/it"})
    assert (code, "reserved by AWS" in told) == ("InvalidParameterException", True)


def test_a_schedule_is_in_a_group_that_there_is(sandbox: Sandbox, deploy: Callable[..., str]) -> None:
    arn = deploy("it", "handler = lambda e, c: e")
    role = sandbox.client("lambda").get_function_configuration(FunctionName="it")["Role"]
    request = {
        "Name": "it",
        "ScheduleExpression": "rate(1 day)",
        "FlexibleTimeWindow": {"Mode": "OFF"},
        "Target": {"Arn": arn, "RoleArn": role},
    }
    scheduler = sandbox.client("scheduler")
    refused = ("ResourceNotFoundException", "Schedule group nobodys does not exist.", 404)
    for call in ("create_schedule", "update_schedule"):
        assert error(scheduler, call, {**request, "GroupName": "nobodys"}) == refused
    scheduler.create_schedule_group(Name="nobodys")
    scheduler.create_schedule(**request, GroupName="nobodys")
