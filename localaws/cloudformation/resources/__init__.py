"""The resource types that the sandbox knows, by name."""

from localaws.cloudformation.resources import (
    cloudwatch,
    events,
    functions,
    iam,
    kms,
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
    events.Rule(),
    functions.Alias(),
    functions.EventInvokeConfig(),
    functions.Function(),
    functions.Permission(),
    functions.Version(),
    iam.ManagedPolicy(),
    iam.Policy(),
    iam.Role(),
    kms.Alias(),
    kms.Key(),
    layers.LayerVersion(),
    logs.LogGroup(),
    logs.QueryDefinition(),
    s3.Bucket(),
    s3.BucketPolicy(),
    scheduler.Schedule(),
    scheduler.ScheduleGroup(),
    sns.Subscription(),
    sns.Topic(),
    sns.TopicPolicy(),
    sqs.Queue(),
    sqs.QueuePolicy(),
    ssm.Document(),
    ssm.Parameter(),
]

TYPES: dict[str, ResourceType] = {kind.type_name: kind for kind in _ALL}
