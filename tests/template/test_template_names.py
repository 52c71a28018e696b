"""Every name that the template gives is one that AWS takes, whatever the stack is called."""

import json
import re
from dataclasses import replace
from uuid import NAMESPACE_OID as NAMESPACE
from uuid import uuid5

import pytest

from localaws.account import REGION
from localaws.cloudformation import properties
from localaws.cloudformation.resources import TYPES
from localaws.cloudformation.schemas import schema
from tests.template.template_documents import Document, listed, of_type, statements, transformed, with_parameter

# What CloudFormation takes for a stack's name at its longest, and what services keep to themselves.
STACK_NAMES = ["a" * 128, "a", f"aws-{'x' * 124}", "AWS", "ssm-efs", "SSM", "amazon", "Amazon-efs", "amzn1"]
RESOURCES = transformed()["Resources"]
# Which have no name in the template: CloudFormation makes one that fits.
UNNAMED = {
    *("AWS::Events::Rule", "AWS::IAM::Role", "AWS::Lambda::Function", "AWS::SQS::Queue"),
    "AWS::Scheduler::Schedule",
}
INLINE_POLICIES_CHARACTERS = 10_240


def name_property(kind: str) -> str:
    """What gives a resource its name: "" where it has none. A layer is no layer's version, but gives it its name."""
    if kind == "AWS::Lambda::LayerVersion":
        return "LayerName"
    return (TYPES[kind].schema.name_property if kind in TYPES else None) or ""


def named(document: Document, stack_name: str) -> dict[str, tuple[str, str, str]]:
    """The names that the template gives: type, property and name by logical id."""
    found = {}
    for logical_id, resource in document.items():
        name = name_property(resource["Type"])
        if name in resource["Properties"]:
            stack_id = f"arn:aws:cloudformation:{REGION}:123456789012:stack/{stack_name}/{uuid5(NAMESPACE, stack_name)}"
            value = json.dumps(resource["Properties"][name])
            value = value.replace('{"Ref": "AWS::StackId"}', json.dumps(stack_id))
            given = with_parameter(json.loads(value), "AWS::StackName", stack_name)
            found[logical_id] = (resource["Type"], name, given)
    return found


@pytest.mark.parametrize("stack_name", STACK_NAMES)
def test_every_name_is_one_that_aws_takes(stack_name: str) -> None:
    for logical_id, (kind, name, given) in named(RESOURCES, stack_name).items():
        known = schema(kind)
        properties.check(replace(known, required=frozenset()), logical_id, {name: given})


def test_everything_that_can_be_named_is_looked_at() -> None:
    kinds = {resource["Type"] for resource in RESOURCES.values()}
    assert {kind for kind, _, _ in named(RESOURCES, "home").values()} == set(filter(name_property, kinds - UNNAMED))


def test_two_stacks_share_no_name() -> None:
    first = {given for _, _, given in named(RESOURCES, "home").values()}
    second = {given for _, _, given in named(RESOURCES, "work").values()}
    assert first & second == set()


@pytest.mark.parametrize("name", of_type(transformed(), "AWS::IAM::Role"))
def test_the_policies_of_a_role_fit_whatever_the_stack_is_called(name: str) -> None:
    policies = with_parameter(RESOURCES[name]["Properties"]["Policies"], "AWS::StackName", "a" * 128)
    # IAM counts no blanks.
    size = sum(len(re.sub(r"\s", "", json.dumps(policy["PolicyDocument"]))) for policy in policies)
    assert listed(policies)
    assert list(statements(RESOURCES[name]))
    assert size < INLINE_POLICIES_CHARACTERS
