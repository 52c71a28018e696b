"""How long and how large the values of a request may be: what the local AWS refuses as AWS does."""

import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from localaws.account import REGION
from localaws.sandbox import Sandbox
from tests.localaws.conftest import zipped

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
TARGET = {"Rule": "ends", "Targets": [{"Id": "i" * 65, "Arn": f"arn:aws:sqs:{REGION}:123456789012:q"}]}
SCRIPT = {"action": "aws:runShellScript", "name": "run", "inputs": {"runCommand": ["true"]}}
DOCUMENT = {"schemaVersion": "2.2", "mainSteps": [SCRIPT]}
LARGE = json.dumps(DOCUMENT).replace("true", "x" * 65_536)
LONG = [{"Name": "a", "Value": "b"}, {"Name": "n" * 256, "Value": "b"}]
CODES = {"cloudwatch": "ValidationError", "iam": "ValidationError", "logs": "InvalidParameterException"}
SEND = {"DocumentName": "say", "InstanceIds": ["i-0123456789abcdef0"]}
ENVIRONMENT = (
    "Lambda was unable to configure your environment variables because the environment variables you have provided"
)
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
        ("events", "put_targets", TARGET, "i" * 65, "targets.1.member.id", at_most(64)),
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


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [
        ("/a b", "ValidationException", "each sub-path can be formed as a mix of letters, numbers and the following 3"),
        ("a:b", "ValidationException", "each sub-path can be formed as a mix of letters, numbers and the following 3"),
        ("/a" * 16, "HierarchyLevelLimitExceededException", "A hierarchy can have a maximum of 15 levels."),
    ],
)
def test_a_parameters_name_has_no_spaces_and_at_most_fifteen_levels(
    sandbox: Sandbox, name: str, code: str, said: str
) -> None:
    told = error(sandbox.client("ssm"), "put_parameter", {"Name": name, "Value": "v", "Type": "String"})
    assert (told[0], said in told[1]) == (code, True)
    sandbox.client("ssm").put_parameter(Name="/a" * 15, Value="v", Type="String")


def test_a_topics_display_name_has_at_most_a_hundred_characters(sandbox: Sandbox) -> None:
    sns = sandbox.client("sns")
    arn = sns.create_topic(Name="on-call", Attributes={"DisplayName": "d" * 100})["TopicArn"]
    made = {"Name": "other", "Attributes": {"DisplayName": "d" * 101}}
    changed = {"TopicArn": arn, "AttributeName": "DisplayName", "AttributeValue": "d" * 101}
    assert error(sns, "create_topic", made) == ("InvalidParameter", "Invalid parameter: Attributes Reason: DisplayName")
    assert error(sns, "set_topic_attributes", changed) == ("InvalidParameter", "Invalid parameter: DisplayName")


def test_the_history_of_a_kind_that_there_is_not_is_refused(sandbox: Sandbox) -> None:
    code, said = error(sandbox.client("cloudwatch"), "describe_alarm_history", {"HistoryItemType": "Actions"})
    assert (code, said.startswith(f"1 validation error detected: {broken('Actions', 'historyItemType', '')}")) == (
        "ValidationError",
        True,
    )


@pytest.mark.parametrize("value", ["v" * 4097, "é" * 2049], ids=["characters", "bytes"])
def test_a_standard_parameter_holds_four_kilobytes(sandbox: Sandbox, value: str) -> None:
    ssm = sandbox.client("ssm")
    ssm.put_parameter(Name="p", Value="v", Type="String")
    request = {"Name": "p", "Value": value, "Type": "String", "Overwrite": True}
    assert error(sandbox.client("ssm"), "put_parameter", request) == ("ValidationException", STANDARD_TIER)
    assert ssm.get_parameter(Name="p")["Parameter"]["Value"] == "v"


@pytest.mark.parametrize("value", ["{{ssm:other}}", '{"why": "use {{resolve:ssm:/a}}"}', "{{\n}}"])
def test_a_value_with_something_between_two_braces_is_refused_as_a_nested_parameter(
    sandbox: Sandbox, value: str
) -> None:
    request = {"Name": "mine", "Type": "String", "Value": value}
    said = 'Parameter value can\'t nest another parameter. Do not use "{{}}" in the value.'
    assert error(sandbox.client("ssm"), "put_parameter", request) == ("ValidationException", said)
    sandbox.client("ssm").put_parameter(**request | {"Value": '{"a": {"b": {}}}'})


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


def test_a_template_in_the_request_has_50_kilobytes_and_one_in_a_bucket_a_megabyte(sandbox: Sandbox) -> None:
    cloudformation, s3 = sandbox.client("cloudformation"), sandbox.client("s3")
    s3.create_bucket(Bucket="templates")

    def template(size_bytes: int) -> str:
        text = json.dumps({"Metadata": {"It": ""}, "Resources": {"One": {"Type": "AWS::SNS::Topic"}}})
        return text.replace('""', f'"{"x" * (size_bytes - len(text))}"')

    def in_a_bucket(size_bytes: int) -> str:
        s3.put_object(Bucket="templates", Key="it.json", Body=template(size_bytes).encode())
        return f"{sandbox.endpoint_url}/templates/it.json"

    cloudformation.create_stack(StackName="small", TemplateBody=template(51_200))
    cloudformation.create_stack(StackName="large", TemplateURL=in_a_bucket(1_000_000))
    requests = {
        "create_stack": {"StackName": "other"},
        "update_stack": {"StackName": "small"},
        "create_change_set": {"StackName": "small", "ChangeSetName": "c"},
        "get_template_summary": {},
    }
    for call, request in requests.items():
        text = template(51_201)
        too_long = f"1 validation error detected: {broken(text, 'templateBody', at_most(51_200))}"
        told = error(cloudformation, call, request | {"TemplateBody": text})
        assert told == ("ValidationError", too_long), call
        told = error(cloudformation, call, request | {"TemplateURL": in_a_bucket(1_000_001)})
        assert told == ("ValidationError", "Template may not exceed 1000000 bytes in size."), call


def test_the_tags_of_a_stack_are_not_named_as_those_of_aws(sandbox: Sandbox) -> None:
    request = {"StackName": "it", "TemplateBody": json.dumps({"Resources": {"One": {"Type": "AWS::SNS::Topic"}}})}
    for key in ("aws:stack", "AWS:stack"):
        told = error(sandbox.client("cloudformation"), "create_stack", request | {"Tags": [{"Key": key, "Value": "x"}]})
        assert told == ("ValidationError", "aws: prefixed tag key names are not allowed for external use.")


@pytest.mark.parametrize(
    ("variables", "measured"),
    [
        ({"AA": "x" * 4_088}, 4_097),
        ({"AA": "é" * 2_044}, 4_097),
        ({"AA": '"' * 2_044}, 4_097),
        ({"AA": "x", "BB": "y" * 4_079}, 4_097),
    ],
    ids=["one", "bytes", "quotes", "two"],
)
def test_the_environment_of_a_function_is_measured_as_the_text_that_it_is_sent_as(
    sandbox: Sandbox, deploy: Callable[..., str], variables: dict[str, str], measured: int
) -> None:
    text = json.dumps(variables, separators=(",", ":"), ensure_ascii=False)
    assert len(text.encode()) == measured
    refused = ("InvalidParameterValueException", f"{ENVIRONMENT} exceeded the 4KB limit. String measured: {text}")
    deploy("it", "handler = lambda e, c: e", Environment={"Variables": {"AA": "x" * 4_087}})
    role = sandbox.client("lambda").get_function_configuration(FunctionName="it")["Role"]
    update = {"FunctionName": "it", "Environment": {"Variables": variables}}
    create = update | {"FunctionName": "other", "Handler": "app.handler", "Runtime": "python3.13", "Role": role}
    code = {"Code": {"ZipFile": zipped({"app.py": "handler = lambda e, c: e"})}}
    assert error(sandbox.client("lambda"), "update_function_configuration", update) == refused
    assert error(sandbox.client("lambda"), "create_function", create | code) == refused
    assert [one["FunctionName"] for one in sandbox.client("lambda").list_functions()["Functions"]] == ["it"]


def test_lambda_keeps_some_variables_to_itself(sandbox: Sandbox, deploy: Callable[..., str]) -> None:
    deploy("it", "handler = lambda e, c: e")
    update = {
        "FunctionName": "it",
        "Environment": {"Variables": {"AWS_REGION": "a", "LAMBDA_TASK_ROOT": "b", "AWS_MINE": "c"}},
    }
    code, told = error(sandbox.client("lambda"), "update_function_configuration", update)
    assert code == "InvalidParameterValueException"
    assert told == (
        f"{ENVIRONMENT} contains reserved keys that are currently not supported for modification. Reserved keys used "
        "in this request: AWS_REGION, LAMBDA_TASK_ROOT"
    )


TOPIC_STATEMENT = {"Effect": "Allow", "Principal": {"Service": "cloudwatch.amazonaws.com"}, "Action": "sns:Publish"}


@pytest.mark.parametrize(
    ("changed", "number", "words"),
    [
        ({"Principal": {"Service": "cloudwatchs.amazonaws.com"}}, 1, "null"),
        ({"Principal": {"AWS": "arn:aws:iam::123456789012:role/gone"}}, 1, "PrincipalNotFound"),
        ({}, 101, "101 statements, and at most 100 are allowed"),
        ({"Sid": "x" * 30_720}, 1, "at most 30720 bytes are allowed"),
        ({"Sid": "EfsMonitorAlarms"}, 2, "Invalid parameter: Every policy statement must have a unique ID"),
    ],
    ids=["service", "account", "statements", "bytes", "names"],
)
def test_the_policy_of_a_topic_has_limits(sandbox: Sandbox, changed: dict[str, Any], number: int, words: str) -> None:
    sns = sandbox.client("sns")
    topic = sns.create_topic(Name="it")["TopicArn"]

    def setting(number: int, changed: dict[str, Any]) -> dict[str, str]:
        statements = [{**TOPIC_STATEMENT, "Resource": topic, "Sid": f"s{one}", **changed} for one in range(number)]
        text = json.dumps({"Version": "2012-10-17", "Statement": statements})
        return {"TopicArn": topic, "AttributeName": "Policy", "AttributeValue": text}

    sns.set_topic_attributes(**setting(100, {}))
    code, told = error(sns, "set_topic_attributes", setting(number, changed))
    assert code == "InvalidParameter"
    assert told.startswith("Invalid parameter: ")
    assert told.endswith(words)


@pytest.mark.parametrize("action", ["sqs:SendMessage", "SNS:*", "*", "sns:CreateTopic", ["sns:Publish", "sns:Pub*"]])
def test_the_policy_of_a_topic_has_only_actions_on_a_topic(sandbox: Sandbox, action: str | list[str]) -> None:
    sns = sandbox.client("sns")
    topic = sns.create_topic(Name="it")["TopicArn"]

    def policy(action: str | list[str]) -> str:
        return json.dumps(
            {"Version": "2012-10-17", "Statement": [{**TOPIC_STATEMENT, "Resource": topic, "Action": action}]}
        )

    changed = {"TopicArn": topic, "AttributeName": "Policy"}
    sns.set_topic_attributes(
        **changed, AttributeValue=policy(["SNS:Publish", "sns:receive", "sns:ListTagsForResource"])
    )
    refused = ("InvalidParameter", "Invalid parameter: Policy statement action out of service scope!")
    assert error(sns, "set_topic_attributes", {**changed, "AttributeValue": policy(action)}) == refused
    made = {"Name": "other", "Attributes": {"Policy": policy(action)}}
    assert error(sns, "create_topic", made) == refused


def test_a_pattern_of_events_has_2048_characters(sandbox: Sandbox) -> None:
    events = sandbox.client("events")

    def request(size: int) -> dict[str, str]:
        text = json.dumps({"source": [""]})
        return {"Name": "it", "EventPattern": text.replace('""', f'"{"s" * (size - len(text))}"')}

    events.put_rule(**request(2_048))
    code, told = error(events, "put_rule", request(2_049))
    assert (code, told) == (
        "InvalidEventPatternException",
        "Event pattern is not valid. Reason: it has 2049 characters, and at most 2048 are allowed",
    )


def test_a_function_works_for_900_seconds_at_most(sandbox: Sandbox, deploy: Callable[..., str]) -> None:
    deploy("it", "handler = lambda e, c: e")
    client = sandbox.client("lambda")
    settings = client.get_function_configuration(FunctionName="it")
    client.update_function_configuration(FunctionName="it", Timeout=900)
    said = f"1 validation error detected: {broken('901', 'timeout', 'have value less than or equal to 900')}"
    changed = {"FunctionName": "it", "Timeout": 901}
    assert error(client, "update_function_configuration", changed) == ("ValidationException", said)
    made = {"FunctionName": "other", "Timeout": 901, "Code": {"ZipFile": zipped({"app.py": ""})}}
    made |= {name: settings[name] for name in ("Role", "Runtime", "Handler")}
    assert error(client, "create_function", made) == ("ValidationException", said)


@pytest.mark.parametrize("name", ["1a", "_a", "a-b", "a", "a b"])
def test_the_name_of_a_functions_variable_is_a_letter_and_more(
    sandbox: Sandbox, deploy: Callable[..., str], name: str
) -> None:
    deploy("it", "handler = lambda e, c: e")
    client = sandbox.client("lambda")
    client.update_function_configuration(FunctionName="it", Environment={"Variables": {"a1": "", "B_c": ""}})
    changed = {"FunctionName": "it", "Environment": {"Variables": {name: "x"}}}
    said = (
        "1 validation error detected: Value at 'environment.variables' failed to satisfy constraint: Map keys must "
        "satisfy constraint: [Member must satisfy regular expression pattern: [a-zA-Z]([a-zA-Z0-9_])+]"
    )
    assert error(client, "update_function_configuration", changed) == ("ValidationException", said)


@pytest.mark.parametrize(
    ("place", "path", "rule"),
    [
        ({"width": 25}, "width", "Should be <= 24"),
        ({"width": 0}, "width", "Should be >= 1"),
        ({"height": 1001}, "height", "Should be <= 1000"),
        ({"x": 24, "width": 1}, "x", "Should be <= 23"),
        ({"y": -1}, "y", "Should be >= 0"),
    ],
)
def test_a_widget_of_a_dashboard_is_within_its_grid(
    sandbox: Sandbox, place: dict[str, int], path: str, rule: str
) -> None:
    widget = {"type": "text", "x": 0, "y": 0, "width": 24, "height": 1000, "properties": {"markdown": ""}}
    cloudwatch = sandbox.client("cloudwatch")

    def request(place: dict[str, int]) -> dict[str, str]:
        return {"DashboardName": "it", "DashboardBody": json.dumps({"widgets": [widget, widget | place]})}

    cloudwatch.put_dashboard(**request({"x": 23, "width": 1}))
    code, told = error(cloudwatch, "put_dashboard", request(place))
    head, _, listed = told.partition("\n")
    assert (code, head) == ("InvalidParameterInput", "The dashboard body is invalid, there are 1 validation errors:")
    assert json.loads(listed) == [{"dataPath": f"/widgets/1/{path}", "message": rule}]


@pytest.mark.parametrize(
    ("window", "said"),
    [
        ({"Mode": "FLEXIBLE"}, "MaximumWindowInMinutes"),
        ({"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 1441}, "less than or equal to 1440"),
    ],
)
def test_a_flexible_window_of_a_schedule_says_how_long_it_is(
    sandbox: Sandbox, deploy: Callable[..., str], window: dict[str, Any], said: str
) -> None:
    arn = deploy("it", "handler = lambda e, c: e")
    role = sandbox.client("lambda").get_function_configuration(FunctionName="it")["Role"]
    request = {
        "Name": "it",
        "ScheduleExpression": "rate(1 day)",
        "Target": {"Arn": arn, "RoleArn": role},
        "FlexibleTimeWindow": {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 1440},
    }
    client = sandbox.client("scheduler")
    client.create_schedule(**request)
    for call, name in (("update_schedule", "it"), ("create_schedule", "other")):
        code, told = error(client, call, request | {"Name": name, "FlexibleTimeWindow": window})
        assert (code, said in told) == ("ValidationException", True), told


def test_the_input_of_a_schedule_has_256_kilobytes(sandbox: Sandbox, deploy: Callable[..., str]) -> None:
    arn = deploy("it", "handler = lambda e, c: e")
    role = sandbox.client("lambda").get_function_configuration(FunctionName="it")["Role"]
    target = {"Arn": arn, "RoleArn": role, "Input": json.dumps("x" * (256 * 1024 - 2))}
    request = {
        "Name": "it",
        "ScheduleExpression": "rate(1 day)",
        "FlexibleTimeWindow": {"Mode": "OFF"},
        "Target": target,
    }
    sandbox.client("scheduler").create_schedule(**request)
    target["Input"] = json.dumps("x" * (256 * 1024 - 1))
    code, told = error(sandbox.client("scheduler"), "update_schedule", request)
    assert (code, told) == ("ValidationException", "Input of 262145 bytes: at most 262144 are allowed")
