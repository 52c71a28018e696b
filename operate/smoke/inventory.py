"""What really exists of a stack's resources, asked of each service and not of CloudFormation."""

from collections.abc import Callable, Mapping
from typing import Any

from botocore.exceptions import ClientError

from operate.described_stack import Account, Resource

type Look = Callable[[Account, str], object]

GONE_CODES = frozenset(
    {
        "AWS.SimpleQueueService.NonExistentQueue",
        "InvalidDocument",
        "NoSuchEntity",
        "NotFound",
        "NotFoundException",
        "ParameterNotFound",
        "QueueDoesNotExist",
        "ResourceNotFound",
        "ResourceNotFoundException",
    }
)


def _topic(account: Account, arn: str) -> object:
    return account.client("sns").get_topic_attributes(TopicArn=arn)


def _subscription(account: Account, arn: str) -> object:
    return account.client("sns").get_subscription_attributes(SubscriptionArn=arn)


def _waits_to_be_confirmed(account: Account, arn: str) -> bool:
    """Nobody can delete such a subscription: SNS drops it by itself after two days."""
    if not arn.startswith("arn:"):
        return True
    attributes = account.client("sns").get_subscription_attributes(SubscriptionArn=arn)["Attributes"]
    return str(attributes.get("PendingConfirmation", "false")).lower() == "true"


def _alarm(account: Account, name: str) -> object:
    return account.client("cloudwatch").describe_alarms(AlarmNames=[name])["MetricAlarms"]


def _dashboard(account: Account, name: str) -> object:
    return account.client("cloudwatch").get_dashboard(DashboardName=name)


def _function(account: Account, name: str) -> object:
    return account.client("lambda").get_function_configuration(FunctionName=name)


def _layer(account: Account, arn: str) -> object:
    name, _, version = arn.rpartition(":")
    return account.client("lambda").get_layer_version(LayerName=name, VersionNumber=int(version))


def _role(account: Account, name: str) -> object:
    return account.client("iam").get_role(RoleName=name)


def _log_group(account: Account, name: str) -> object:
    groups = account.client("logs").describe_log_groups(logGroupNamePrefix=name)["logGroups"]
    return [group for group in groups if group["logGroupName"] == name]


def _schedule(account: Account, name: str) -> object:
    return account.client("scheduler").get_schedule(Name=name.rpartition("/")[2])


def _parameter(account: Account, name: str) -> object:
    return account.client("ssm").get_parameter(Name=name)


def _document(account: Account, name: str) -> object:
    return account.client("ssm").describe_document(Name=name)


def _rule(account: Account, name: str) -> object:
    return account.client("events").describe_rule(Name=name)


def _queue(account: Account, url: str) -> object:
    return account.client("sqs").get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])


def _query(account: Account, query_id: str) -> object:
    logs, request = account.client("logs"), dict[str, Any]()
    while True:
        found = logs.describe_query_definitions(**request)
        if any(one["queryDefinitionId"] == query_id for one in found["queryDefinitions"]):
            return True
        if "nextToken" not in found:
            return False
        request["nextToken"] = found["nextToken"]


LOOKS: Mapping[str, Look] = {
    "AWS::CloudWatch::Alarm": _alarm,
    "AWS::CloudWatch::Dashboard": _dashboard,
    "AWS::Events::Rule": _rule,
    "AWS::IAM::Role": _role,
    "AWS::Lambda::Function": _function,
    "AWS::Lambda::LayerVersion": _layer,
    "AWS::Logs::LogGroup": _log_group,
    "AWS::Logs::QueryDefinition": _query,
    "AWS::SNS::Subscription": _subscription,
    "AWS::SNS::Topic": _topic,
    "AWS::SQS::Queue": _queue,
    "AWS::SSM::Document": _document,
    "AWS::SSM::Parameter": _parameter,
    "AWS::Scheduler::Schedule": _schedule,
}
# These live and die with what they belong to: a topic's policy, a function's permissions and settings, an answer.
PARTS_OF_OTHERS = frozenset(
    {
        "AWS::SNS::TopicPolicy",
        "AWS::Lambda::Permission",
        "AWS::Lambda::EventInvokeConfig",
        "Custom::EfsBurstCreditThresholds",
        "Custom::EfsBurstCreditTopics",
    }
)


def exists(account: Account, resource: Resource) -> bool | None:
    """Whether the resource is there; None for one that is part of another, or a subscription nobody confirmed."""
    if resource.kind in PARTS_OF_OTHERS:
        return None
    if resource.kind not in LOOKS:
        raise NotImplementedError(f"nobody knows how to look for {resource.kind}: add it to {__name__}")
    try:
        if resource.kind == "AWS::SNS::Subscription" and _waits_to_be_confirmed(account, resource.physical_id):
            return None
        return bool(LOOKS[resource.kind](account, resource.physical_id))
    except ClientError as error:
        code: Any = error.response["Error"].get("Code")
        if code in GONE_CODES:
            return False
        raise
