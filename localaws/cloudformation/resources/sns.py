"""AWS::SNS: topics, their policies and their subscriptions."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase
from typing import Any

from localaws.cloudformation.error_codes import ResourceFailure
from localaws.cloudformation.resources.base import (
    HandlerRequest,
    Properties,
    ResourceOutcome,
    ResourceType,
    listed,
    picked,
    tag_changes,
)
from localaws.sns.subscribers import PENDING

TOPIC_SETTINGS = ("DisplayName", "KmsMasterKeyId")
SUBSCRIPTION_SETTINGS = (
    "DeliveryPolicy",
    "FilterPolicy",
    "FilterPolicyScope",
    "RawMessageDelivery",
    "RedrivePolicy",
)


class Topic(ResourceType):
    type_name = "AWS::SNS::Topic"
    applied = frozenset({"Tags", "TopicName", *TOPIC_SETTINGS})
    more_attributes = frozenset({"TopicName"})

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        name = call.name()
        arn = f"arn:aws:sns:{call.region}:{call.account_id}:{name}"
        pages = call.aws.client("sns").get_paginator("list_topics").paginate()
        if any(topic["TopicArn"] == arn for page in pages for topic in page["Topics"]):
            message = f"{arn} already exists"
            raise ResourceFailure(message)
        settings = picked(call.properties, *TOPIC_SETTINGS)
        tags = call.properties.get("Tags", [])
        call.aws.call("sns", "create_topic", Name=name, Attributes=settings, Tags=tags)
        return self._outcome(arn)

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        arn = call.physical_id
        for setting in TOPIC_SETTINGS:
            if old.get(setting) != call.properties.get(setting):
                value = call.properties.get(setting, "")
                call.aws.call("sns", "set_topic_attributes", TopicArn=arn, AttributeName=setting, AttributeValue=value)
        removed, tags = tag_changes(old, call.properties)
        if removed:
            call.aws.call("sns", "untag_resource", ResourceArn=arn, TagKeys=removed)
        if tags:
            call.aws.call("sns", "tag_resource", ResourceArn=arn, Tags=listed(tags))
        return self._outcome(arn)

    def delete(self, call: HandlerRequest) -> None:
        call.aws.call("sns", "delete_topic", TopicArn=call.physical_id)

    def _outcome(self, arn: str) -> ResourceOutcome:
        return ResourceOutcome(arn, {"TopicArn": arn, "TopicName": arn.rsplit(":", 1)[1]})


class TopicPolicy(ResourceType):
    type_name = "AWS::SNS::TopicPolicy"

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        return self._put(call, call.generated_name(128))

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        for arn in set(old["Topics"]) - set(call.properties["Topics"]):
            self._reset(call, arn)
        return self._put(call, call.physical_id)

    def delete(self, call: HandlerRequest) -> None:
        for arn in call.properties["Topics"]:
            self._reset(call, arn)

    def _put(self, call: HandlerRequest, physical_id: str) -> ResourceOutcome:
        for arn in call.properties["Topics"]:
            _check_covers_alone(arn, call.properties["PolicyDocument"])
            self._set(call, arn, call.properties["PolicyDocument"])
        return ResourceOutcome(physical_id, {"Id": physical_id})

    def _reset(self, call: HandlerRequest, arn: str) -> None:
        """The policy a topic has without one of its own: everything for its owner, nothing for services."""
        statement = {
            "Sid": "__default_statement_ID",
            "Effect": "Allow",
            "Principal": {"AWS": "*"},
            "Action": ["SNS:GetTopicAttributes", "SNS:SetTopicAttributes", "SNS:Subscribe", "SNS:Publish"],
            "Resource": arn,
            "Condition": {"StringEquals": {"AWS:SourceOwner": call.account_id}},
        }
        self._set(call, arn, {"Version": "2008-10-17", "Id": "__default_policy_ID", "Statement": [statement]})

    def _set(self, call: HandlerRequest, arn: str, document: Any) -> None:
        text = document if isinstance(document, str) else json.dumps(document)
        call.aws.call("sns", "set_topic_attributes", TopicArn=arn, AttributeName="Policy", AttributeValue=text)


def _check_covers_alone(arn: str, document: Any) -> None:
    """Each statement names one resource, the policy's own topic. SNS says so, and not in which words it refuses others:
    https://docs.aws.amazon.com/sns/latest/dg/sns-access-policy-language-api-permissions-reference.html
    """
    document = json.loads(document) if isinstance(document, str) else document
    for statement in document["Statement"]:
        resources = statement["Resource"] if isinstance(statement["Resource"], list) else [statement["Resource"]]
        if len(resources) != 1 or not fnmatchcase(arn, resources[0]):
            message = f"Invalid parameter: the policy of {arn} names {resources}, and not this topic alone"
            raise ResourceFailure(message)


class Subscription(ResourceType):
    type_name = "AWS::SNS::Subscription"
    applied = frozenset({"Endpoint", "Protocol", "TopicArn", *SUBSCRIPTION_SETTINGS})

    def create(self, call: HandlerRequest) -> ResourceOutcome:
        answer = call.aws.call(
            "sns",
            "subscribe",
            **picked(call.properties, "Endpoint", "Protocol", "TopicArn"),
            Attributes=picked(call.properties, *SUBSCRIPTION_SETTINGS),
            ReturnSubscriptionArn=True,
        )
        arn = answer["SubscriptionArn"]
        return ResourceOutcome(arn, {"Arn": arn})

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        arn = call.physical_id
        for setting in SUBSCRIPTION_SETTINGS:
            if old.get(setting) != call.properties.get(setting):
                default = "false" if setting == "RawMessageDelivery" else "{}"
                call.aws.call(
                    "sns",
                    "set_subscription_attributes",
                    SubscriptionArn=arn,
                    AttributeName=setting,
                    AttributeValue=call.properties.get(setting, default),
                )
        return ResourceOutcome(arn, {"Arn": arn})

    def delete(self, call: HandlerRequest) -> None:
        """One that nobody has confirmed stays: SNS lets nobody delete it, and drops it by itself after two days.

        https://docs.aws.amazon.com/sns/latest/dg/sns-delete-subscription-topic.html
        """
        topic_arn, endpoint = call.properties["TopicArn"], call.properties.get("Endpoint")
        subscribed = call.aws.call("sns", "list_subscriptions_by_topic", TopicArn=topic_arn)["Subscriptions"]
        if (PENDING, endpoint) not in {(one["SubscriptionArn"], one["Endpoint"]) for one in subscribed}:
            call.aws.call("sns", "unsubscribe", SubscriptionArn=call.physical_id)
