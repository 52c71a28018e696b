"""How long and how large the values of a request may be: what the local AWS refuses as AWS does."""

import json
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from localaws.account import REGION
from localaws.sandbox import Sandbox

ALARM: dict[str, Any] = {
    "AlarmName": "low",
    "Namespace": "AWS/EFS",
    "MetricName": "BurstCreditBalance",
    "Statistic": "Minimum",
    "Period": 60,
    "EvaluationPeriods": 1,
    "ComparisonOperator": "LessThanThreshold",
    "Threshold": 1.0,
}
STATE = {"AlarmName": "low", "StateValue": "OK", "StateReason": "r"}
SCRIPT = {"action": "aws:runShellScript", "name": "run", "inputs": {"runCommand": ["true"]}}
DOCUMENT = {"schemaVersion": "2.2", "mainSteps": [SCRIPT]}
LARGE = json.dumps(DOCUMENT).replace("true", "x" * 65_536)
LONG = [{"Name": "a", "Value": "b"}, {"Name": "n" * 256, "Value": "b"}]
CODES = {"cloudwatch": "ValidationError", "iam": "ValidationError", "logs": "InvalidParameterException"}
SEND = {"DocumentName": "say", "InstanceIds": ["i-0123456789abcdef0"]}
STANDARD_TIER = (
    "Standard tier parameters support a maximum parameter value of 4096 characters. To create a larger parameter "
    "value, upgrade the parameter to use the advanced-parameter tier. For more information, see "
    "https://docs.aws.amazon.com/systems-manager/latest/userguide/parameter-store-advanced-parameters.html"
)


def broken(value: str, path: str, rule: str) -> str:
    return f"Value '{value}' at '{path}' failed to satisfy constraint: Member must {rule}"


def error(client: Any, call: str, request: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(ClientError) as refused:
        getattr(client, call)(**request)
    told = refused.value.response["Error"]
    return told["Code"], told["Message"]


def at_most(length: int) -> str:
    return f"have length less than or equal to {length}"


@pytest.mark.parametrize(
    ("service", "call", "changed", "written", "path", "rule"),
    [
        ("cloudwatch", "set_alarm_state", {"StateReason": "r" * 1024}, "r" * 1024, "stateReason", at_most(1023)),
        (
            "cloudwatch",
            "set_alarm_state",
            {"StateReasonData": "d" * 4001},
            "d" * 4001,
            "stateReasonData",
            at_most(4000),
        ),
        (
            "cloudwatch",
            "describe_alarms",
            {"MaxRecords": 101},
            "101",
            "maxRecords",
            "have value less than or equal to 100",
        ),
        ("cloudwatch", "describe_alarms", {"AlarmNames": ["a"] * 101}, f"[{'a, ' * 100}a]", "alarmNames", at_most(100)),
        ("cloudwatch", "put_metric_alarm", {"Dimensions": LONG}, "n" * 256, "dimensions.2.member.name", at_most(255)),
        (
            *("cloudwatch", "put_metric_alarm", {"OKActions": ["x" * 1025, "y", "z" * 1025]}),
            *(f"[{'x' * 1025}, y, {'z' * 1025}]", "oKActions", f"satisfy constraint: [Member must {at_most(1024)}]"),
        ),
        ("ssm", "send_command", {"Comment": "c" * 101}, "c" * 101, "comment", at_most(100)),
        ("logs", "create_log_group", {"logGroupName": "g" * 513}, "g" * 513, "logGroupName", at_most(512)),
        ("iam", "get_role", {"RoleName": "r" * 65}, "r" * 65, "roleName", at_most(64)),
        ("efs", "describe_file_systems", {"CreationToken": "t" * 65}, "t" * 65, "creationToken", at_most(64)),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 40 else "",
)
def test_what_is_beyond_a_limit_of_the_services_model_is_refused_in_its_words(
    sandbox: Sandbox, service: str, call: str, changed: dict[str, Any], written: str, path: str, rule: str
) -> None:
    request = {"set_alarm_state": STATE, "put_metric_alarm": ALARM, "send_command": SEND}.get(call, {}) | changed
    assert error(sandbox.client(service), call, request) == (
        CODES.get(service, "ValidationException"),
        f"1 validation error detected: {broken(written, path, rule)}",
    )


@pytest.mark.parametrize(
    ("service", "call", "request_", "written", "path", "rule"),
    [
        (
            "ssm",
            "send_command",
            SEND | {"TimeoutSeconds": 29},
            "29",
            "timeoutSeconds",
            "have value greater than or equal to 30",
        ),
        (
            "cloudwatch",
            "put_metric_alarm",
            ALARM | {"DatapointsToAlarm": 0},
            "0",
            "datapointsToAlarm",
            "have value greater than or equal to 1",
        ),
        (
            "cloudwatch",
            "set_alarm_state",
            STATE | {"AlarmName": ""},
            "",
            "alarmName",
            "have length greater than or equal to 1",
        ),
    ],
    ids=["time-out", "datapoints", "name"],
)
def test_what_a_client_would_not_send_is_refused_where_one_sends_it(
    sandbox: Sandbox, service: str, call: str, request_: dict[str, Any], written: str, path: str, rule: str
) -> None:
    careless = boto3.client(
        service,  # type: ignore[call-overload] # the name is a variable
        region_name=REGION,
        endpoint_url=sandbox.endpoint_url,
        aws_access_key_id="testing",
        aws_secret_access_key="testing",
        config=Config(parameter_validation=False),
    )
    _, sentence = error(careless, call, request_)
    assert sentence == f"1 validation error detected: {broken(written, path, rule)}"


def test_all_that_is_beyond_a_limit_is_told_at_once(sandbox: Sandbox) -> None:
    request = STATE | {"AlarmName": "n" * 256, "StateReason": "r" * 1024}
    both = f"{broken('n' * 256, 'alarmName', at_most(255))}; {broken('r' * 1024, 'stateReason', at_most(1023))}"
    assert error(sandbox.client("cloudwatch"), "set_alarm_state", request) == (
        "ValidationError",
        f"2 validation errors detected: {both}",
    )


def test_what_just_keeps_its_limits_is_taken(sandbox: Sandbox) -> None:
    cloudwatch, ssm = sandbox.client("cloudwatch"), sandbox.client("ssm")
    cloudwatch.put_metric_alarm(**ALARM | {"AlarmDescription": "d" * 1024})
    cloudwatch.set_alarm_state(**STATE | {"StateReason": "r" * 1023, "StateReasonData": json.dumps("d" * 3998)})
    assert len(cloudwatch.describe_alarms(AlarmNames=["low"] * 100, MaxRecords=100)["MetricAlarms"]) == 1
    ssm.put_parameter(Name="p", Value="v" * 4096, Type="String")
    ssm.put_parameter(Name="q", Value="v" * 4097, Type="String", Tier="Advanced")
    content = LARGE.replace("x", "", len(LARGE) - 65_536)
    assert len(content) == 65_536
    ssm.create_document(Name="say", Content=content, DocumentType="Command", DocumentFormat="JSON")


@pytest.mark.parametrize("value", ["v" * 4097, "é" * 2049], ids=["characters", "bytes"])
def test_a_standard_parameter_holds_four_kilobytes(sandbox: Sandbox, value: str) -> None:
    ssm = sandbox.client("ssm")
    ssm.put_parameter(Name="p", Value="v", Type="String")
    request = {"Name": "p", "Value": value, "Type": "String", "Overwrite": True}
    assert error(sandbox.client("ssm"), "put_parameter", request) == ("ValidationException", STANDARD_TIER)
    assert ssm.get_parameter(Name="p")["Parameter"]["Value"] == "v"


def test_a_document_is_no_larger_than_64_kilobytes(sandbox: Sandbox) -> None:
    refused = ("MaxDocumentSizeExceeded", "The size limit of a document is 64 KB.")
    made = {"Name": "say", "DocumentType": "Command", "DocumentFormat": "JSON"}
    assert error(sandbox.client("ssm"), "create_document", made | {"Content": LARGE}) == refused
    sandbox.client("ssm").create_document(**made, Content=json.dumps(DOCUMENT))
    update = {"Name": "say", "Content": LARGE, "DocumentFormat": "JSON", "DocumentVersion": "$LATEST"}
    assert error(sandbox.client("ssm"), "update_document", update) == refused


def test_a_document_that_names_a_parameter_which_it_lacks_is_not_taken(sandbox: Sandbox) -> None:
    made = {"Name": "say", "DocumentType": "Command", "DocumentFormat": "JSON"}
    text = json.dumps(DOCUMENT)
    wrong = text.replace('"runCommand": ["', '"runCommand": ["echo {{ Nobody }} ')
    assert wrong != text
    refused = ("InvalidDocumentContent", "the step names parameters that the document does not declare: Nobody.")
    assert error(sandbox.client("ssm"), "create_document", made | {"Content": wrong}) == refused
    sandbox.client("ssm").create_document(**made, Content=text)
    update = {"Name": "say", "Content": wrong, "DocumentFormat": "JSON", "DocumentVersion": "$LATEST"}
    assert error(sandbox.client("ssm"), "update_document", update) == refused


@pytest.mark.parametrize("threshold", [float("nan"), float("inf"), float("-inf")])
def test_a_threshold_is_a_finite_number(sandbox: Sandbox, threshold: float) -> None:
    code, sentence = error(sandbox.client("cloudwatch"), "put_metric_alarm", ALARM | {"Threshold": threshold})
    assert code == "ValidationError"
    assert sentence == f"Threshold is {threshold}; it must be a finite number."
