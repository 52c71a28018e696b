"""The resource types that the sandbox knows, by name."""

from localaws.cloudformation.resources import (
    cloudwatch,
    event_rules,
    iam,
    lambda_functions,
    layers,
    logs,
    s3,
    scheduler,
    sns,
    sqs,
    ssm,
)
from localaws.cloudformation.resources.base import ResourceType

_ALL: list[ResourceType] = [
    cloudwatch.Alarm(),
    cloudwatch.Dashboard(),
    event_rules.Rule(),
    lambda_functions.EventInvokeConfig(),
    lambda_functions.Function(),
    lambda_functions.Permission(),
    iam.ManagedPolicy(),
    iam.Role(),
    layers.LayerVersion(),
    logs.LogGroup(),
    logs.QueryDefinition(),
    s3.Bucket(),
    s3.BucketPolicy(),
    scheduler.Schedule(),
    sns.Subscription(),
    sns.Topic(),
    sns.TopicPolicy(),
    sqs.Queue(),
    ssm.Document(),
    ssm.Parameter(),
]

TYPES: dict[str, ResourceType] = {kind.type_name: kind for kind in _ALL}
