"""What names AWS takes: the limits that CloudFormation holds a property against, and what services reserve."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from localaws.cloudformation.errors import ResourceFailure

if TYPE_CHECKING:
    from collections.abc import Mapping

ANYTHING = r"[\s\S]+"
WORD = r"[A-Za-z0-9_-]+"
WORD_AND_DOTS = r"[A-Za-z0-9_.-]+"


@dataclass(frozen=True)
class NameRule:
    """How a resource is named; no name begins with a reserved prefix, whatever its case."""

    property: str
    longest: int
    characters: str = WORD
    shortest: int = 1
    reserved: tuple[str, ...] = ()


RULES = {
    "AWS::CloudWatch::Alarm": NameRule("AlarmName", 255, ANYTHING),
    "AWS::CloudWatch::Dashboard": NameRule("DashboardName", 255),
    "AWS::Events::Rule": NameRule("Name", 64, WORD_AND_DOTS),
    "AWS::IAM::Role": NameRule("RoleName", 64, r"[\w+=,.@-]+"),
    "AWS::Lambda::Function": NameRule("FunctionName", 64),
    "AWS::Lambda::LayerVersion": NameRule("LayerName", 140),
    "AWS::Logs::LogGroup": NameRule("LogGroupName", 512, r"[.\-_/#A-Za-z0-9]+", reserved=("aws/",)),
    "AWS::Logs::QueryDefinition": NameRule("Name", 255, ANYTHING),
    "AWS::S3::Bucket": NameRule("BucketName", 63, r"[a-z0-9][a-z0-9.-]*[a-z0-9]", 3),
    "AWS::SNS::Topic": NameRule("TopicName", 256, r"[A-Za-z0-9_-]+(\.fifo)?"),
    "AWS::SQS::Queue": NameRule("QueueName", 80, r"[A-Za-z0-9_-]+(\.fifo)?"),
    "AWS::SSM::Document": NameRule("Name", 128, WORD_AND_DOTS, 3, reserved=("aws", "amazon", "amzn")),
    # The 1,011 characters of an ARN, less what stands in it before the name in the Region with the longest name.
    "AWS::SSM::Parameter": NameRule("Name", 950, r"[A-Za-z0-9_./-]+", reserved=("aws", "/aws", "ssm", "/ssm")),
    "AWS::Scheduler::Schedule": NameRule("Name", 64, WORD_AND_DOTS),
}


def check(type_name: str, logical_id: str, properties: Mapping[str, Any]) -> None:
    """Raises ResourceFailure for a name that AWS would not take, before anything is asked of the service."""
    rule = RULES.get(type_name)
    if rule is None or rule.property not in properties:
        return
    name = str(properties[rule.property])
    if broken := list(_broken(rule, name)):
        problems = "\n".join(f"#/{rule.property}: {one}" for one in broken)
        message = f"Properties validation failed for resource {logical_id} with message:\n{problems}"
        raise ResourceFailure(message)
    check_reserved(rule, logical_id, name)


def check_reserved(rule: NameRule, logical_id: str, name: str) -> None:
    """Raises ResourceFailure in words of the sandbox: those of the services are not documented."""
    for prefix in rule.reserved:
        if name.lower().startswith(prefix):
            message = f"{rule.property} {name} of {logical_id} begins with {prefix}, which is reserved by AWS"
            raise ResourceFailure(message)


def _broken(rule: NameRule, name: str) -> list[str]:
    found = []
    if len(name) > rule.longest:
        found.append(f"expected maxLength: {rule.longest}, actual: {len(name)}")
    if len(name) < rule.shortest:
        found.append(f"expected minLength: {rule.shortest}, actual: {len(name)}")
    if not re.fullmatch(rule.characters, name, re.ASCII):
        found.append("failed validation constraint for keyword [pattern]")
    return found
