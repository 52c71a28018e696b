"""AWS::SQS: queues."""

from __future__ import annotations

from localaws.cloudformation.resources.base import (
    HandlerRequest,
    Properties,
    ResourceOutcome,
    ResourceType,
    picked,
    tag_changes,
    tags_by_key,
)

# Queue attributes with what a removed property falls back to.
SETTINGS = {
    "DelaySeconds": "0",
    "KmsMasterKeyId": "",
    "MaximumMessageSize": "262144",
    "MessageRetentionPeriod": "345600",
    "ReceiveMessageWaitTimeSeconds": "0",
    "RedrivePolicy": "",
    "SqsManagedSseEnabled": "true",
    "VisibilityTimeout": "30",
}


class Queue(ResourceType):
    type_name = "AWS::SQS::Queue"
    applied = frozenset({"QueueName", "Tags", *SETTINGS})
    more_attributes = frozenset({"QueueName"})

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        answer = call.aws.call(
            "sqs",
            "create_queue",
            QueueName=call.name(),
            Attributes=picked(call.properties, *SETTINGS),
            tags=tags_by_key(call.properties),
        )
        return self._outcome(call, answer["QueueUrl"])

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        url = call.physical_id
        changed = {
            key: call.properties.get(key, default)
            for key, default in SETTINGS.items()
            if old.get(key) != call.properties.get(key)
        }
        if changed:
            call.aws.call("sqs", "set_queue_attributes", QueueUrl=url, Attributes=changed)
        removed, tags = tag_changes(old, call.properties)
        if removed:
            call.aws.call("sqs", "untag_queue", QueueUrl=url, TagKeys=removed)
        if tags:
            call.aws.call("sqs", "tag_queue", QueueUrl=url, Tags=tags)
        return self._outcome(call, url)

    def delete(self, call: HandlerRequest) -> None:
        call.aws.call("sqs", "delete_queue", QueueUrl=call.physical_id)

    def _outcome(self, call: HandlerRequest, url: str) -> ResourceOutcome:
        name = url.rsplit("/", 1)[1]
        arn = f"arn:aws:sqs:{call.region}:{call.account_id}:{name}"
        return ResourceOutcome(url, {"Arn": arn, "QueueName": name, "QueueUrl": url})
