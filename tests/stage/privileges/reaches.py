"""What a role is told when it reaches for something that is not its own."""

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import boto3
from botocore.exceptions import ClientError

from localaws.account import ACCOUNT_ID, REGION
from stage.benchmark_hosts import PARAMETERS
from tests.stage.privileges.needs import NeededAction
from tests.stage.privileges.whole_stack import HOST, STRANGER, WholeStack
from tests.template.template_documents import listed

type Call = Callable[[Any, str], Any]

ALARM = {
    "Namespace": "AWS/EFS",
    "MetricName": "BurstCreditBalance",
    "Statistic": "Minimum",
    "Period": 60,
    "EvaluationPeriods": 1,
    "Threshold": 1.0,
    "ComparisonOperator": "LessThanThreshold",
}

# How a call is made for an action on the resource of an ARN.
CALLS: dict[str, Call] = {
    "elasticfilesystem:DescribeFileSystems": lambda client, arn: client("efs").describe_file_systems(
        FileSystemId=arn.rpartition("/")[2]
    ),
    "cloudformation:DescribeStacks": lambda client, arn: client("cloudformation").describe_stacks(StackName=arn),
    "cloudwatch:PutMetricAlarm": lambda client, arn: client("cloudwatch").put_metric_alarm(
        AlarmName=arn.rpartition(":")[2], **ALARM
    ),
    "cloudwatch:ListTagsForResource": lambda client, arn: client("cloudwatch").list_tags_for_resource(ResourceARN=arn),
    "cloudwatch:SetAlarmState": lambda client, arn: client("cloudwatch").set_alarm_state(
        AlarmName=arn.rpartition(":")[2], StateValue="OK", StateReason="of the test"
    ),
    "cloudwatch:DescribeAlarmHistory": lambda client, arn: client("cloudwatch").describe_alarm_history(
        AlarmName=arn.rpartition(":")[2]
    ),
    "sns:Publish": lambda client, arn: client("sns").publish(TopicArn=arn, Message="of the test"),
    "sns:GetTopicAttributes": lambda client, arn: client("sns").get_topic_attributes(TopicArn=arn),
    "sns:ListSubscriptionsByTopic": lambda client, arn: client("sns").list_subscriptions_by_topic(TopicArn=arn),
    "ssm:GetParameter": lambda client, arn: client("ssm").get_parameter(Name=arn.partition(":parameter")[2]),
    "ssm:PutParameter": lambda client, arn: client("ssm").put_parameter(
        Name=arn.partition(":parameter")[2], Value="of the test", Type="String"
    ),
    "ssm:SendCommand": lambda client, arn: client("ssm").send_command(
        DocumentName=arn.rpartition("/")[2] if ":document/" in arn else client.document_name,
        InstanceIds=[arn.rpartition("/")[2] if ":instance/" in arn else HOST],
        Parameters={name: ["of-the-test"] for name in PARAMETERS},
    ),
    "sqs:SendMessage": lambda client, arn: client("sqs").send_message(
        QueueUrl=f"{client('sqs').meta.endpoint_url}/{ACCOUNT_ID}/{arn.rpartition(':')[2]}", MessageBody="of the test"
    ),
    "logs:CreateLogStream": lambda client, arn: client("logs").create_log_stream(
        logGroupName=arn.split(":")[6], logStreamName="of-the-test"
    ),
    "logs:PutLogEvents": lambda client, arn: client("logs").put_log_events(
        logGroupName=arn.split(":")[6], logStreamName="of-the-test", logEvents=[{"timestamp": 0, "message": "x"}]
    ),
    "kms:Decrypt": lambda client, arn: client("kms").decrypt(KeyId=arn, CiphertextBlob=b"x"),
    "kms:GetKeyPolicy": lambda client, arn: client("kms").get_key_policy(KeyId=arn, PolicyName="default"),
    "kms:GenerateDataKey*": lambda client, arn: client("kms").generate_data_key(KeyId=arn, KeySpec="AES_256"),
    "lambda:InvokeFunction": lambda client, arn: client("lambda").invoke(FunctionName=arn),
}


@dataclass(frozen=True)
class RoleClients:
    """Clients with the session of a role, by service; `opened` closes them."""

    whole: WholeStack
    session: Mapping[str, str]
    opened: ExitStack

    @property
    def document_name(self) -> str:
        """What the role may send."""
        return self.whole.physical_id("BenchmarkDocument")

    def __call__(self, service: str) -> Any:
        made: Any = boto3.client(
            service,  # type: ignore[call-overload] # any service
            endpoint_url=self.whole.sandbox.endpoint_url,
            region_name=REGION,
            aws_access_key_id=self.session["AccessKeyId"],
            aws_secret_access_key=self.session["SecretAccessKey"],
            aws_session_token=self.session["SessionToken"],
        )
        self.opened.callback(made.close)
        return made


def refusal_elsewhere(whole: WholeStack, need: NeededAction) -> str:
    """The refusal when the role does what it may do, with its own session, to the like of its resource."""
    call = CALLS.get(need.action)
    assert call, f"nothing shows where {need} ends: write a call for it in tests/stage/privileges/reaches.py"
    iam, role = whole.sandbox.client("iam"), whole.physical_id(need.role)
    session = whole.sandbox.client("sts").assume_role(
        RoleArn=iam.get_role(RoleName=role)["Role"]["Arn"], RoleSessionName="of-the-test"
    )["Credentials"]

    # What went before has used up what an account may call in a second.
    whole.sandbox.quotas.second_passes()
    with ExitStack() as opened:
        client = RoleClients(whole, session, opened)
        try:
            call(client, _elsewhere(whole, _deployed_resource(whole, need)))
        except ClientError as error:
            return str(error)
    return "it was let through"


def _deployed_resource(whole: WholeStack, need: NeededAction) -> str:
    policies = whole.sandbox.client("iam").list_role_policies(RoleName=whole.physical_id(need.role))["PolicyNames"]
    (policy,) = [
        whole.sandbox.client("iam").get_role_policy(RoleName=whole.physical_id(need.role), PolicyName=name)
        for name in policies
    ]
    (statement,) = [one for one in policy["PolicyDocument"]["Statement"] if one["Sid"] == need.statement]
    return str(listed(statement["Resource"])[need.resource or 0])


def _elsewhere(whole: WholeStack, arn: str) -> str:
    """The same kind of thing of another stack, file system or key."""
    replaced = (
        arn.replace(whole.stack.file_system_id, "fs-0fedcba9876543210")
        .replace(whole.key_arn.rpartition("/")[2], "00000000-0000-4000-8000-000000000000")
        .replace(whole.stack.name, "elsewhere")
        .replace(whole.given_topic_arn, f"{whole.given_topic_arn}-elsewhere")
        .replace(
            f"{whole.physical_id('BenchmarkDocument').rpartition('-')[0]}-*",
            "efs-monitor-00000000-0000-4000-8000-000000000000-0123456789ab",
        )
        # Any instance, as far as the ARN goes: their tag decides.
        .replace("instance/*", f"instance/{STRANGER}")
    )
    assert replaced != arn, f"{arn} is not this stack's own"
    return replaced
