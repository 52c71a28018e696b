"""A function may do what its role says and nothing else, and is told so in AWS's words."""

import json
from collections.abc import Callable
from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError
from moto.kms.models import kms_backends
from moto.sns.models import sns_backends

from localaws.account import ACCOUNT_ID, REGION
from localaws.sandbox import Sandbox
from tests.localaws.conftest import zipped
from tests.localaws.roles import ANYTHING, role

OTHER_ACCOUNT_ID = "111122223333"
TOPIC = "arn:aws:sns:us-east-1:123456789012:advice"
PRINCIPAL = "arn:aws:sts::123456789012:assumed-role/limited/calls"
SOURCE = """
import boto3

def handler(event, context):
    getattr(boto3.client(event["service"]), event["call"])(**event["arguments"])
"""


def allow(action: Any, resource: Any = "*") -> dict[str, Any]:
    return {"Effect": "Allow", "Action": action, "Resource": resource}


def create(sandbox: Sandbox, role_arn: str, name: str = "calls") -> None:
    sandbox.client("lambda").create_function(
        FunctionName=name,
        Runtime="python3.13",
        Role=role_arn,
        Handler="app.handler",
        Code={"ZipFile": zipped({"app.py": SOURCE})},
    )


@pytest.fixture
def attempt(sandbox: Sandbox) -> Callable[..., str]:
    """What a function with these statements is told when it makes a call; empty where it works."""

    def call(statements: list[dict[str, Any]], service: str, call: str, **arguments: Any) -> str:
        create(sandbox, role(sandbox, "limited", statements))
        event = {"service": service, "call": call, "arguments": arguments}
        answer = sandbox.client("lambda").invoke(FunctionName="calls", Payload=json.dumps(event).encode())
        payload = json.loads(answer["Payload"].read())
        return str(payload["errorMessage"]) if payload else ""

    return call


@pytest.mark.parametrize(
    ("service", "call", "arguments", "code", "action", "resource"),
    [
        (
            *("sns", "publish", {"TopicArn": TOPIC, "Message": "x"}),
            *("AuthorizationError", "SNS:Publish", TOPIC),
        ),
        (
            *("cloudwatch", "set_alarm_state", {"AlarmName": "a", "StateValue": "OK", "StateReason": "x"}),
            *("AccessDenied", "cloudwatch:SetAlarmState", "arn:aws:cloudwatch:us-east-1:123456789012:alarm:a"),
        ),
        (
            *("ssm", "get_parameter", {"Name": "/a/b:3"}),
            *("AccessDeniedException", "ssm:GetParameter", "arn:aws:ssm:us-east-1:123456789012:parameter/a/b"),
        ),
        (
            *("efs", "describe_file_systems", {"FileSystemId": "fs-01234567"}),
            *("AccessDeniedException", "elasticfilesystem:DescribeFileSystems"),
            "arn:aws:elasticfilesystem:us-east-1:123456789012:file-system/fs-01234567",
        ),
        (
            *("lambda", "invoke", {"FunctionName": "other"}),
            *("AccessDeniedException", "lambda:InvokeFunction"),
            "arn:aws:lambda:us-east-1:123456789012:function:other",
        ),
    ],
)
def test_a_call_that_no_statement_allows_is_refused_in_the_words_of_its_service(
    attempt: Callable[..., str],
    *,
    service: str,
    call: str,
    arguments: dict[str, str],
    code: str,
    action: str,
    resource: str,
) -> None:
    told = attempt([allow("logs:*")], service, call, **arguments)
    assert f"An error occurred ({code})" in told
    assert told.endswith(
        f"User: {PRINCIPAL} is not authorized to perform: {action} on resource: {resource} "
        f"because no identity-based policy allows the {action} action"
    )


@pytest.mark.parametrize(
    ("allowed", "arguments", "refused"),
    [
        ("cloudformation:DescribeStacks", {}, "ListStacks on resource: arn:aws:cloudformation:us-east-1:123456789012:"),
        ("cloudformation:ListStacks", {}, "DescribeStacks on resource: arn:aws:cloudformation:us-east-1:123456789012:"),
        ("cloudformation:DescribeStacks", {"StackName": "mine"}, "Stack with id mine does not exist"),
        ("cloudformation:*", {}, ""),
    ],
)
def test_who_describes_stacks_without_naming_one_must_be_allowed_to_list_them_too(
    attempt: Callable[..., str], allowed: str, arguments: dict[str, str], refused: str
) -> None:
    told = attempt([allow("logs:*"), allow(allowed)], "cloudformation", "describe_stacks", **arguments)
    assert refused in told if refused else told == ""


@pytest.mark.whole
@pytest.mark.parametrize(
    ("allowed", "bucket", "key", "refused"),
    [
        ("s3:GetObject", "releases", "there", ""),
        ("s3:ListBucket", "releases", "there", "is not authorized to perform: s3:GetObject on resource: arn:aws:s3:::"),
        ("s3:GetObject", "releases", "missing", "not authorized to perform: s3:ListBucket on resource: arn:aws:s3:::"),
        ("s3:ListBucket", "releases", "missing", "(NoSuchKey)"),
        ("s3:GetObject", "missing", "there", "(NoSuchBucket)"),
    ],
)
def test_whoever_may_not_list_a_bucket_is_not_told_what_is_missing_in_it(
    sandbox: Sandbox, attempt: Callable[..., str], *, allowed: str, bucket: str, key: str, refused: str
) -> None:
    """https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html"""
    sandbox.client("s3").create_bucket(Bucket="releases")
    sandbox.client("s3").put_object(Bucket="releases", Key="there", Body=b"x")
    told = attempt([allow("logs:*"), allow(allowed)], "s3", "get_object", Bucket=bucket, Key=key)
    assert refused in told if refused else told == ""


def test_no_other_request_for_an_object_is_let_through(attempt: Callable[..., str]) -> None:
    assert "(403)" in attempt([ANYTHING], "s3", "head_object", Bucket="releases", Key="there")


def test_an_explicit_deny_is_named_as_one(attempt: Callable[..., str]) -> None:
    deny = {"Effect": "Deny", "Action": "sns:*", "Resource": TOPIC}
    told = attempt([ANYTHING, deny], "sns", "publish", TopicArn=TOPIC, Message="x")
    assert told.endswith(f"SNS:Publish on resource: {TOPIC} with an explicit deny in an identity-based policy")


@pytest.mark.parametrize(
    ("bounding", "because"),
    [
        ([allow("logs:*"), allow("sns:Publish", TOPIC)], ""),
        ([allow("logs:*")], "because no permissions boundary allows the SNS:Publish action"),
        (
            [ANYTHING, {"Effect": "Deny", "Action": "sns:*", "Resource": "*"}],
            "with an explicit deny in a permissions boundary",
        ),
    ],
)
def test_a_role_may_do_no_more_than_its_permissions_boundary(
    sandbox: Sandbox, bounding: list[dict[str, Any]], because: str
) -> None:
    """https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html"""
    iam = sandbox.client("iam")
    sandbox.client("sns").create_topic(Name="advice")
    document = json.dumps({"Version": "2012-10-17", "Statement": bounding})
    boundary = iam.create_policy(PolicyName="boundary", PolicyDocument=document)["Policy"]["Arn"]
    arns = {name: role(sandbox, name, [allow(what)]) for name, what in (("any", "*"), ("logs", "logs:*"))}
    told = {}
    for name, arn in arns.items():
        iam.put_role_permissions_boundary(RoleName=name, PermissionsBoundary=boundary)
        create(sandbox, arn, name)
        event = {"service": "sns", "call": "publish", "arguments": {"TopicArn": TOPIC, "Message": "hello"}}
        answer = sandbox.client("lambda").invoke(FunctionName=name, Payload=json.dumps(event).encode())
        told[name] = str(json.loads(answer["Payload"].read() or b"{}") or "")
    assert because in told["any"] if because else told["any"] == ""
    # What the boundary allows is allowed by it to nobody.
    assert "because no identity-based policy allows the SNS:Publish action" in told["logs"]


def test_a_call_that_a_statement_allows_goes_through(sandbox: Sandbox, attempt: Callable[..., str]) -> None:
    sandbox.client("sns").create_topic(Name="advice")
    assert attempt([allow("sns:Publish", TOPIC)], "sns", "publish", TopicArn=TOPIC, Message="hello") == ""
    assert [one.message for one in sandbox.mailbox.publications] == ["hello"]


@pytest.mark.parametrize("denied", ["kms:Decrypt", "kms:GenerateDataKey*", None])
def test_a_publisher_to_an_encrypted_topic_needs_its_key(
    sandbox: Sandbox, attempt: Callable[..., str], denied: str | None
) -> None:
    key = sandbox.client("kms").create_key()["KeyMetadata"]["Arn"]
    sandbox.client("sns").create_topic(Name="advice", Attributes={"KmsMasterKeyId": key})
    use = [one for one in ("kms:Decrypt", "kms:GenerateDataKey*") if one != denied]
    told = attempt([allow("sns:Publish", TOPIC), allow(use, key)], "sns", "publish", TopicArn=TOPIC, Message="x")
    if denied is None:
        assert told == ""
    else:
        assert "KMSAccessDenied" in told
        assert f"{denied.rstrip('*')} on resource: {key}" in told


@pytest.mark.parametrize(("service", "call"), [("sns", "list_topics"), ("s3", "list_buckets"), ("sqs", "list_queues")])
def test_a_call_that_the_table_does_not_know_is_refused_whatever_the_role_allows(
    attempt: Callable[..., str], caplog: pytest.LogCaptureFixture, service: str, call: str
) -> None:
    assert attempt([ANYTHING], service, call) != ""
    assert "localaws/iam/" in caplog.text


def test_statements_count_at_the_next_call(sandbox: Sandbox, attempt: Callable[..., str]) -> None:
    sandbox.client("sns").create_topic(Name="advice")
    assert attempt([ANYTHING], "sns", "publish", TopicArn=TOPIC, Message="x") == ""
    sandbox.client("iam").delete_role_policy(RoleName="limited", PolicyName="limited")
    event = {"service": "sns", "call": "publish", "arguments": {"TopicArn": TOPIC, "Message": "x"}}
    answer = sandbox.client("lambda").invoke(FunctionName="calls", Payload=json.dumps(event).encode())
    assert "AuthorizationError" in json.loads(answer["Payload"].read())["errorMessage"]


def test_a_role_that_somebody_assumes_is_as_limited(sandbox: Sandbox) -> None:
    arn = role(sandbox, "limited", [allow("logs:*")])
    given = sandbox.client("sts").assume_role(RoleArn=arn, RoleSessionName="me")["Credentials"]
    client = boto3.client(
        "sns",
        endpoint_url=sandbox.endpoint_url,
        region_name=REGION,
        aws_access_key_id=given["AccessKeyId"],
        aws_secret_access_key=given["SecretAccessKey"],
    )
    with pytest.raises(ClientError, match="assumed-role/limited/me is not authorized to perform: SNS:Publish"):
        client.publish(TopicArn=TOPIC, Message="x")
    client.close()


def test_lambda_takes_no_role_that_does_not_trust_it(sandbox: Sandbox) -> None:
    arn = role(sandbox, "limited", [ANYTHING], ("scheduler.amazonaws.com",))
    with pytest.raises(ClientError, match="The role defined for the function cannot be assumed by Lambda"):
        create(sandbox, arn)


def test_the_scheduler_takes_no_role_that_does_not_trust_it(sandbox: Sandbox) -> None:
    create(sandbox, role(sandbox, "limited", [ANYTHING], ("lambda.amazonaws.com",)))
    with pytest.raises(ClientError, match="must allow AWS EventBridge Scheduler to assume the role"):
        sandbox.client("scheduler").create_schedule(
            Name="hourly",
            ScheduleExpression="rate(1 hour)",
            FlexibleTimeWindow={"Mode": "OFF"},
            Target={
                "Arn": "arn:aws:lambda:us-east-1:123456789012:function:calls",
                "RoleArn": "arn:aws:iam::123456789012:role/limited",
            },
        )


@pytest.mark.parametrize("allowed", [True, False])
def test_a_failed_event_reaches_its_destination_by_the_functions_own_role(sandbox: Sandbox, allowed: bool) -> None:
    sandbox.client("sns").create_topic(Name="advice")
    create(sandbox, role(sandbox, "limited", [allow("sns:Publish")]))
    sandbox.client("lambda").put_function_event_invoke_config(
        FunctionName="calls", MaximumRetryAttempts=0, DestinationConfig={"OnFailure": {"Destination": TOPIC}}
    )
    if not allowed:
        # It was when the destination was taken.
        sandbox.client("iam").delete_role_policy(RoleName="limited", PolicyName="limited")
    sandbox.client("lambda").invoke(FunctionName="calls", InvocationType="Event", Payload=b"{}")
    sandbox.events.wait_for_background()
    assert len(sandbox.mailbox.publications) == (1 if allowed else 0)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("actions", "written"),
    [
        (["logs:CreateLogStream", "logs:PutLogEvents"], True),
        (["logs:CreateLogStream"], False),
        (["logs:PutLogEvents"], False),
    ],
)
def test_log_lines_of_a_role_that_may_not_write_them_are_lost(
    sandbox: Sandbox, actions: list[str], written: bool
) -> None:
    group = "arn:aws:logs:us-east-1:123456789012:log-group:/aws/lambda/calls:*"
    create(sandbox, role(sandbox, "limited", [allow(actions, group)]))
    sandbox.client("lambda").invoke(FunctionName="calls", Payload=b"{}")
    assert bool(sandbox.logs.lines) is written


def test_a_topic_that_denies_a_role_keeps_it_out_whatever_the_role_allows(
    sandbox: Sandbox, attempt: Callable[..., str]
) -> None:
    topic = stored(sandbox.client("sns").create_topic(Name="advice")["TopicArn"])
    deny = {"Effect": "Deny", "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT_ID}:role/limited"}}
    topic.policy = json.dumps({"Statement": [{**deny, "Action": "sns:Publish", "Resource": TOPIC}]})
    told = attempt([ANYTHING], "sns", "publish", TopicArn=TOPIC, Message="x")
    assert told.endswith(f"SNS:Publish on resource: {TOPIC} with an explicit deny in a resource-based policy")


@pytest.mark.parametrize(
    ("principal", "heard"),
    [
        (None, False),
        ({"AWS": "210987654321"}, False),
        ({"Service": "cloudwatch.amazonaws.com"}, False),
        ({"AWS": ACCOUNT_ID}, True),
        ({"AWS": f"arn:aws:iam::{ACCOUNT_ID}:root"}, True),
        ({"AWS": [f"arn:aws:iam::{ACCOUNT_ID}:role/limited"]}, True),
        ("*", True),
    ],
)
def test_the_topic_of_another_account_must_let_the_role_in_by_its_own_policy(
    sandbox: Sandbox, attempt: Callable[..., str], principal: Any, heard: bool
) -> None:
    topic = sns_backends[OTHER_ACCOUNT_ID][REGION].create_topic("shared")
    topic.sns_backend.subscribe(topic.arn, "ops@example.com", "email")
    if principal is not None:
        statement = {"Effect": "Allow", "Principal": principal, "Action": "sns:Publish", "Resource": topic.arn}
        topic.policy = json.dumps({"Statement": [statement]})
    told = attempt([ANYTHING], "sns", "publish", TopicArn=topic.arn, Message="hello")
    refused = f"SNS:Publish on resource: {topic.arn} because no resource-based policy allows the SNS:Publish action"
    assert told.endswith("" if heard else refused)
    assert [mail.to for mail in sandbox.mailbox.mails] == ["ops@example.com"] * heard


def test_the_subscribers_of_another_accounts_topic_are_listed_to_whom_it_lets_in(
    sandbox: Sandbox, attempt: Callable[..., str]
) -> None:
    topic = sns_backends[OTHER_ACCOUNT_ID][REGION].create_topic("shared")
    topic.sns_backend.subscribe(topic.arn, "ops@example.com", "email")
    (listed,) = sandbox.client("sns").list_subscriptions_by_topic(TopicArn=topic.arn)["Subscriptions"]
    assert listed["Endpoint"] == "ops@example.com"
    told = attempt([ANYTHING], "sns", "list_subscriptions_by_topic", TopicArn=topic.arn)
    assert "no resource-based policy allows the SNS:ListSubscriptionsByTopic action" in told


@pytest.mark.parametrize("allowed", [True, False])
def test_the_key_of_another_account_must_let_the_role_in_too(
    sandbox: Sandbox, attempt: Callable[..., str], allowed: bool
) -> None:
    statement = {"Effect": "Allow", "Principal": {"AWS": ACCOUNT_ID}, "Resource": "*"}
    sandbox.client("kms")
    key = kms_backends[OTHER_ACCOUNT_ID][REGION].create_key(
        policy=json.dumps({"Statement": [{**statement, "Action": "kms:*" if allowed else "kms:Decrypt"}]}),
        key_usage="ENCRYPT_DECRYPT",
        key_spec="SYMMETRIC_DEFAULT",
        description="",
        tags=[],
        multi_region=False,
    )
    topic = sns_backends[OTHER_ACCOUNT_ID][REGION].create_topic("shared", attributes={"KmsMasterKeyId": key.id})
    topic.policy = json.dumps({"Statement": [{**statement, "Action": "sns:Publish", "Resource": topic.arn}]})
    told = attempt([ANYTHING], "sns", "publish", TopicArn=topic.arn, Message="x")
    assert ("KMSAccessDenied" in told) is not allowed
    assert allowed or f"kms:GenerateDataKey on resource: {key.arn} because no resource-based policy" in told


@pytest.mark.parametrize("lets_account_in", [True, False])
def test_a_key_of_the_own_account_must_let_the_role_in_by_its_own_policy_too(
    sandbox: Sandbox, attempt: Callable[..., str], lets_account_in: bool
) -> None:
    principal = {"AWS": f"arn:aws:iam::{ACCOUNT_ID}:root"} if lets_account_in else {"Service": "sns.amazonaws.com"}
    statement = {"Effect": "Allow", "Principal": principal, "Action": "kms:*", "Resource": "*"}
    key = sandbox.client("kms").create_key(Policy=json.dumps({"Statement": [statement]}))["KeyMetadata"]["Arn"]
    told = attempt([allow("kms:GetKeyPolicy", key)], "kms", "get_key_policy", KeyId=key, PolicyName="default")
    refusal = f"kms:GetKeyPolicy on resource: {key} because no resource-based policy allows"
    assert told == "" if lets_account_in else refusal in told


def test_the_policy_of_a_key_is_told_only_to_whom_a_statement_lets_read_that_key(
    sandbox: Sandbox, attempt: Callable[..., str]
) -> None:
    key, other = (sandbox.client("kms").create_key()["KeyMetadata"]["Arn"] for _ in range(2))
    told = attempt([allow("kms:GetKeyPolicy", other)], "kms", "get_key_policy", KeyId=key, PolicyName="default")
    assert f"not authorized to perform: kms:GetKeyPolicy on resource: {key} because no identity-based" in told


def stored(arn: str) -> Any:
    return sns_backends[ACCOUNT_ID][REGION].topics[arn]
