"""Which actions, on which resources, an API call asks for: every call that is known here.

The table follows https://docs.aws.amazon.com/service-authorization/latest/reference/; a call without an entry is not
let through, so a function that makes a new one needs a line here.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from localaws.account import ACCOUNT_ID, REGION
from localaws.cloudformation.template_url import bucket_and_key
from localaws.iam.condition_keys import alarm_actions, metric_namespace
from localaws.iam.owned import stored_key, stored_topic
from localaws.iam.policy import Ask, KeyValue
from localaws.ssm.instances import instances

type Parameters = Mapping[str, Any]
type Of = Callable[[Parameters], str]


class NotInTable(Exception):
    """The table does not say what a call asks for."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An IAM action, as its service writes it in a refusal, and how the call tells resource and condition keys."""

    action: str
    resource: Of
    context: Callable[[Parameters], Mapping[str, KeyValue]] = lambda _: {}


def asks(service: str, operation: str, parameters: Parameters) -> tuple[Ask, ...]:
    """Everything that must be allowed for a call; `service` and `operation` in botocore's words.

    Raises NotInTable for a call the table does not know.
    """
    if (service, operation) in OF_SEVERAL:
        return tuple(OF_SEVERAL[service, operation](parameters))
    known = OPERATIONS.get((service, operation))
    if known is None:
        message = f"localaws/iam/operations.py does not say which action and resource {service} {operation} asks for"
        raise NotInTable(message)
    ask = Ask(action=known.action, resource=known.resource(parameters), context=known.context(parameters))
    return (ask, *_besides(ask, parameters))


def _besides(ask: Ask, parameters: Parameters) -> Iterator[Ask]:
    """What some calls ask for besides their own action."""
    match ask.action:
        case "cloudformation:CreateStack" | "cloudformation:UpdateStack":
            yield from _tagging(ask, parameters)
            yield from _passing_role(parameters)
            yield from _reading_template(parameters)
        case "cloudformation:DeleteStack":
            yield from _passing_role(parameters)
        case "cloudformation:DescribeStacks" if not parameters.get("StackName"):
            yield _listing_stacks()
        case "SNS:Publish":
            yield from use_of_key(ask.resource)
        case "cloudwatch:PutMetricAlarm":
            yield from _telling_tags(ask.resource, parameters)


def publishing(topic_arn: str) -> tuple[Ask, ...]:
    """What publishing to a topic asks of the publisher."""
    return asks("sns", "Publish", {"TopicArn": topic_arn})


def invoking(function_arn: str) -> tuple[Ask, ...]:
    """What invoking a function asks of who does it."""
    return asks("lambda", "Invoke", {"FunctionName": function_arn})


def _sending(parameters: Parameters) -> Iterator[Ask]:
    """SendCommand asks for the document, and for every instance, which brings its tags along.

    https://docs.aws.amazon.com/systems-manager/latest/userguide/run-command-setting-up.html
    """
    if not parameters.get("InstanceIds"):
        raise NotInTable("localaws/iam/operations.py judges a command to instances by id, not by targets")
    yield Ask(action="ssm:SendCommand", resource=_arn("ssm", f"document/{parameters['DocumentName']}"))
    for instance_id in parameters["InstanceIds"]:
        known = instances().get(instance_id)
        tags = {f"ssm:resourcetag/{key}".lower(): value for key, value in (known.tags if known else {}).items()}
        yield Ask(action="ssm:SendCommand", resource=_arn("ec2", f"instance/{instance_id}"), context=tags)


def _reading(parameters: Parameters) -> Iterator[Ask]:
    """GetParameters asks for every parameter that it names."""
    for name in parameters["Names"]:
        yield Ask(action="ssm:GetParameters", resource=_parameter({"Name": name}))


def _telling_tags(alarm_arn: str, parameters: Parameters) -> tuple[Ask, ...]:
    """Who writes an alarm whose messages carry its tags must be allowed to list them, whoever asked for that.

    https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_AlarmTagsPropagation.html
    """
    propagation = (parameters.get("ActionConfiguration") or {}).get("AlarmTagsPropagation") or {}
    return (Ask(action="cloudwatch:ListTagsForResource", resource=alarm_arn),) if propagation.get("Enabled") else ()


def _listing_stacks() -> Ask:
    """Who describes stacks without naming one must be allowed to list them, too.

    https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
    """
    return Ask(action="cloudformation:ListStacks", resource=_stack({}))


def _tagging(ask: Ask, parameters: Parameters) -> Iterator[Ask]:
    """Who gives a stack tags must be allowed to tag it; and to take tags away, where the stack has others already.

    AWS does not say that an update asks for the second, and lets it be tied to one (`cloudformation:CreateAction`).

    https://docs.aws.amazon.com/service-authorization/latest/reference/list_awscloudformation.html
    """
    if parameters.get("Tags"):
        yield Ask(action="cloudformation:TagResource", resource=ask.resource)
        if ask.action == "cloudformation:UpdateStack":
            yield Ask(action="cloudformation:UntagResource", resource=ask.resource)


def _passing_role(parameters: Parameters) -> tuple[Ask, ...]:
    """Who has CloudFormation work with a role must be allowed to pass it.

    https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/using-iam-servicerole.html
    """
    if not parameters.get("RoleARN"):
        return ()
    context = {"iam:passedtoservice": "cloudformation.amazonaws.com"}
    return (Ask(action="iam:PassRole", resource=str(parameters["RoleARN"]), context=context),)


def _reading_template(parameters: Parameters) -> tuple[Ask, ...]:
    """CloudFormation reads a template with the rights of whoever names its address.

    https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_CreateStack.html
    """
    url = parameters.get("TemplateURL")
    if not url:
        return ()
    return (Ask(action="s3:GetObject", resource="arn:aws:s3:::{}/{}".format(*bucket_and_key(str(url)))),)


def queueing(queue_arn: str) -> tuple[Ask, ...]:
    """What putting a message into a queue asks of who does it."""
    return (Ask(action="sqs:SendMessage", resource=queue_arn),)


def use_of_key(topic_arn: str) -> tuple[Ask, ...]:
    """A publisher to an encrypted topic uses its key; with the AWS managed key of SNS nothing is asked of it.

    https://docs.aws.amazon.com/sns/latest/dg/sns-key-management.html
    """
    topic = stored_topic(topic_arn)
    key = topic.kms_master_key_id if topic else None
    if topic is None or not key or key.endswith("alias/aws/sns"):
        return ()
    known = stored_key(key, topic.account_id)
    arn = known.arn if known else key
    context = {"kms:viaservice": f"sns.{REGION}.amazonaws.com", "kms:encryptioncontext:aws:sns:topicarn": topic_arn}
    return tuple(Ask(action=action, resource=arn, context=context) for action in ("kms:GenerateDataKey", "kms:Decrypt"))


def _none(parameters: Parameters) -> str:
    """The API knows no resource."""
    del parameters
    return "*"


def _arn(service: str, name: str) -> str:
    return f"arn:aws:{service}:{REGION}:{ACCOUNT_ID}:{name}"


def _given(key: str) -> Of:
    return lambda parameters: str(parameters[key])


def _file_system(parameters: Parameters) -> str:
    return _arn("elasticfilesystem", f"file-system/{parameters.get('FileSystemId') or '*'}")


def _alarm(parameters: Parameters) -> str:
    return _arn("cloudwatch", f"alarm:{parameters.get('AlarmName') or '*'}")


def _every_alarm(parameters: Parameters) -> str:
    """DescribeAlarms asks for all of them, whichever names it is given."""
    del parameters
    return _arn("cloudwatch", "alarm:*")


def _dashboard(parameters: Parameters) -> str:
    """Dashboards belong to no Region."""
    return f"arn:aws:cloudwatch::{ACCOUNT_ID}:dashboard/{parameters['DashboardName']}"


def _parameter(parameters: Parameters) -> str:
    """A version may follow the name; IAM does not look at it."""
    name = str(parameters["Name"])
    return name if name.startswith("arn:") else _arn("ssm", f"parameter/{name.partition(':')[0].removeprefix('/')}")


def _function(parameters: Parameters) -> str:
    name = str(parameters["FunctionName"])
    return name if name.startswith("arn:") else _arn("lambda", f"function:{name}")


def _queue(parameters: Parameters) -> str:
    return _arn("sqs", str(parameters["QueueUrl"]).rpartition("/")[2])


def _log_stream(parameters: Parameters) -> str:
    return _arn("logs", f"log-group:{parameters['logGroupName']}:log-stream:{parameters['logStreamName']}")


def _stack(parameters: Parameters) -> str:
    """A stack by its name or id; an account's stacks together where none is named."""
    name = str(parameters.get("StackName") or "*")
    return name if name.startswith("arn:") else _arn("cloudformation", f"stack/{name}/*")


def _key(parameters: Parameters) -> str:
    key = str(parameters["KeyId"])
    return key if key.startswith("arn:") else _arn("kms", f"key/{key}")


OPERATIONS: Mapping[tuple[str, str], Operation] = {
    ("efs", "DescribeFileSystems"): Operation("elasticfilesystem:DescribeFileSystems", _file_system),
    ("cloudformation", "CreateStack"): Operation("cloudformation:CreateStack", _stack),
    ("cloudformation", "DeleteStack"): Operation("cloudformation:DeleteStack", _stack),
    ("cloudformation", "DescribeEvents"): Operation("cloudformation:DescribeEvents", _stack),
    ("cloudformation", "DescribeStackEvents"): Operation("cloudformation:DescribeStackEvents", _stack),
    ("cloudformation", "DescribeStacks"): Operation("cloudformation:DescribeStacks", _stack),
    ("cloudformation", "UpdateStack"): Operation("cloudformation:UpdateStack", _stack),
    ("cloudwatch", "GetMetricData"): Operation("cloudwatch:GetMetricData", _none),
    ("cloudwatch", "PutMetricData"): Operation("cloudwatch:PutMetricData", _none, metric_namespace),
    ("cloudwatch", "DescribeAlarms"): Operation("cloudwatch:DescribeAlarms", _every_alarm),
    ("cloudwatch", "DescribeAlarmsForMetric"): Operation("cloudwatch:DescribeAlarmsForMetric", _none),
    ("cloudwatch", "DescribeAlarmHistory"): Operation("cloudwatch:DescribeAlarmHistory", _alarm),
    ("cloudwatch", "PutDashboard"): Operation("cloudwatch:PutDashboard", _dashboard),
    ("cloudwatch", "PutMetricAlarm"): Operation("cloudwatch:PutMetricAlarm", _alarm, alarm_actions),
    ("cloudwatch", "ListTagsForResource"): Operation("cloudwatch:ListTagsForResource", _given("ResourceARN")),
    ("cloudwatch", "SetAlarmState"): Operation("cloudwatch:SetAlarmState", _alarm),
    ("sns", "Publish"): Operation("SNS:Publish", _given("TopicArn")),
    ("sns", "GetTopicAttributes"): Operation("SNS:GetTopicAttributes", _given("TopicArn")),
    ("sns", "ListSubscriptionsByTopic"): Operation("SNS:ListSubscriptionsByTopic", _given("TopicArn")),
    ("ssm", "GetParameter"): Operation("ssm:GetParameter", _parameter),
    ("ssm", "PutParameter"): Operation("ssm:PutParameter", _parameter),
    ("ssm", "DescribeInstanceInformation"): Operation("ssm:DescribeInstanceInformation", _none),
    ("ssm", "ListCommands"): Operation("ssm:ListCommands", _none),
    ("ssm", "ListCommandInvocations"): Operation("ssm:ListCommandInvocations", _none),
    ("ssm", "GetCommandInvocation"): Operation("ssm:GetCommandInvocation", _none),
    ("sqs", "SendMessage"): Operation("sqs:SendMessage", _queue),
    ("lambda", "Invoke"): Operation("lambda:InvokeFunction", _function),
    ("logs", "CreateLogStream"): Operation("logs:CreateLogStream", _log_stream),
    ("logs", "PutLogEvents"): Operation("logs:PutLogEvents", _log_stream),
    ("kms", "GetKeyPolicy"): Operation("kms:GetKeyPolicy", _key),
    ("kms", "Decrypt"): Operation("kms:Decrypt", _key),
    ("kms", "GenerateDataKey"): Operation("kms:GenerateDataKey", _key),
}
OF_SEVERAL: Mapping[tuple[str, str], Callable[[Parameters], Iterator[Ask]]] = {
    ("ssm", "GetParameters"): _reading,
    ("ssm", "SendCommand"): _sending,
}
