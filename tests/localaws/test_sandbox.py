"""The sandbox as a whole: where it is, and what is left of it afterwards."""

import json
import time
from pathlib import Path
from urllib.parse import urlsplit

import moto.cloudwatch.urls
import pytest
from botocore.exceptions import ClientError, EndpointConnectionError
from moto.awslambda.models import LambdaFunction

from localaws.sandbox import Sandbox

ALARMS = 20


@pytest.mark.parametrize(
    ("service", "call", "code"),
    [
        ("efs", "describe_file_systems", "InvalidSignatureException"),
        ("lambda", "list_functions", "InvalidSignatureException"),
        ("ssm", "describe_instance_information", "InvalidSignatureException"),
        ("sns", "list_topics", "SignatureDoesNotMatch"),
        ("cloudformation", "describe_stacks", "SignatureDoesNotMatch"),
    ],
)
def test_a_region_that_there_is_not_is_refused_as_a_credential_for_none(
    service: str, call: str, code: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Sandbox(tmp_path) as sandbox, pytest.raises(ClientError) as refused:
        getattr(sandbox.client(service, "us-esat-1"), call)()
    error, metadata = refused.value.response["Error"], refused.value.response["ResponseMetadata"]
    assert metadata["HTTPStatusCode"] == 403
    assert error["Code"] == code
    assert error["Message"] == "Credential should be scoped to a valid region, not 'us-esat-1'."
    assert caplog.text == ""


def test_two_sandboxes_share_nothing(tmp_path: Path) -> None:
    with Sandbox(tmp_path / "first") as first:
        topic = first.client("sns").create_topic(Name="warning")["TopicArn"]
        first.client("sns").publish(TopicArn=topic, Message="m")
        first.client("cloudwatch").put_dashboard(DashboardName="efs", DashboardBody="{}")
    with Sandbox(tmp_path / "second") as second:
        assert second.client("sns").list_topics()["Topics"] == []
        assert second.client("cloudwatch").list_dashboards()["DashboardEntries"] == []
        assert second.mailbox.publications == []


def test_the_same_run_draws_the_same_ids(tmp_path: Path) -> None:
    arns = []
    for run in ("first", "second"):
        with Sandbox(tmp_path / run) as sandbox:
            sns = sandbox.client("sns")
            topic = sns.create_topic(Name="warning")["TopicArn"]
            arns.append(sns.subscribe(TopicArn=topic, Protocol="email", Endpoint="a@b.c")["SubscriptionArn"])
    assert arns[0] == arns[1]


def test_afterwards_moto_is_itself_again_and_the_port_is_closed(tmp_path: Path) -> None:
    before = (LambdaFunction.invoke, moto.cloudwatch.urls.url_paths)
    with Sandbox(tmp_path) as sandbox:
        client = sandbox.client("sts")
        assert before != (LambdaFunction.invoke, moto.cloudwatch.urls.url_paths)
    assert before == (LambdaFunction.invoke, moto.cloudwatch.urls.url_paths)
    with pytest.raises(EndpointConnectionError):
        client.get_caller_identity()


def test_it_listens_where_it_says_in_the_account_it_says(tmp_path: Path) -> None:
    with Sandbox(tmp_path) as sandbox:
        assert urlsplit(sandbox.endpoint_url).hostname == "localhost"
        assert sandbox.client("sts").get_caller_identity()["Account"] == "123456789012"


@pytest.mark.parametrize(
    ("service", "call", "arguments"),
    [
        ("sns", "put_data_protection_policy", {"ResourceArn": "arn", "DataProtectionPolicy": "{}"}),
        ("ssm", "describe_sessions", {"State": "Active"}),
        ("logs", "describe_field_indexes", {"logGroupIdentifiers": ["g"]}),
    ],
)
def test_a_call_nobody_answers_is_refused_by_name(
    tmp_path: Path, service: str, call: str, arguments: dict[str, str]
) -> None:
    name = "".join(word.capitalize() for word in call.split("_"))
    with Sandbox(tmp_path) as sandbox, pytest.raises(ClientError, match=f"does not do {name}"):
        getattr(sandbox.client(service), call)(**arguments)


def test_in_real_time_mode_it_answers_in_real_time(tmp_path: Path) -> None:
    with Sandbox(tmp_path, start=None) as sandbox:
        sandbox.client("cloudwatch").put_dashboard(DashboardName="efs", DashboardBody="{}")
        modified = sandbox.client("cloudwatch").list_dashboards()["DashboardEntries"][0]["LastModified"]
        assert abs(modified.timestamp() - time.time()) < 3600
        sandbox.step()


@pytest.mark.more
def test_more_alarms_than_may_be_put_in_a_second_are_deployed_in_real_time_too(tmp_path: Path) -> None:
    """CloudFormation waits for what an account may ask in a second."""
    watched = {"Namespace": "AWS/EFS", "MetricName": "BurstCreditBalance", "Statistic": "Minimum", "Period": 60}
    judged = {"EvaluationPeriods": 1, "Threshold": 1, "ComparisonOperator": "LessThanThreshold"}
    alarms = {
        f"Alarm{number}": {"Type": "AWS::CloudWatch::Alarm", "Properties": watched | judged} for number in range(ALARMS)
    }
    with Sandbox(tmp_path, start=None) as sandbox:
        cloudformation = sandbox.client("cloudformation")
        cloudformation.create_stack(StackName="many", TemplateBody=json.dumps({"Resources": alarms}))
        cloudformation.get_waiter("stack_create_complete").wait(
            StackName="many", WaiterConfig={"Delay": 1, "MaxAttempts": 60}
        )
        assert len(sandbox.client("cloudwatch").describe_alarms()["MetricAlarms"]) == ALARMS
