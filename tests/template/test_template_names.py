"""Every name that the template gives is one that AWS takes, whatever the stack is called."""

import json
import re
from typing import Any
from uuid import NAMESPACE_OID as NAMESPACE
from uuid import uuid5

import pytest
from cfnlint.schema import PROVIDER_SCHEMA_MANAGER  # type: ignore[import-untyped] # cfn-lint has no py.typed

from localaws.account import REGION
from localaws.cloudformation import names
from localaws.cloudformation.names import RULES
from localaws.cloudformation.resources import TYPES
from tests.template.documents import Document, listed, of_type, statements, transformed, with_parameter

# What CloudFormation takes for a stack's name at its longest, and what services keep to themselves.
STACK_NAMES = ["a" * 128, "a", f"aws-{'x' * 124}", "AWS", "ssm-efs", "SSM", "amazon", "Amazon-efs", "amzn1"]
RESOURCES = transformed()["Resources"]
# Which have no name in the template: CloudFormation makes one that fits.
UNNAMED = {
    *("AWS::Events::Rule", "AWS::IAM::Role", "AWS::Lambda::Function", "AWS::SQS::Queue"),
    "AWS::Scheduler::Schedule",
}
INLINE_POLICIES_CHARACTERS = 10_240


def named(document: Document, stack_name: str) -> dict[str, tuple[str, str, str]]:
    """The names that the template gives: type, property and name by logical id."""
    found = {}
    for logical_id, resource in document.items():
        rule = RULES.get(resource["Type"])
        if rule and rule.property in resource["Properties"]:
            stack_id = f"arn:aws:cloudformation:{REGION}:123456789012:stack/{stack_name}/{uuid5(NAMESPACE, stack_name)}"
            value = json.dumps(resource["Properties"][rule.property])
            value = value.replace('{"Ref": "AWS::StackId"}', json.dumps(stack_id))
            given = with_parameter(json.loads(value), "AWS::StackName", stack_name)
            found[logical_id] = (resource["Type"], rule.property, given)
    return found


def schema_of(kind: str, name: str) -> dict[str, Any]:
    """What cfn-lint's copy of CloudFormation's schema says of a property."""
    found: dict[str, Any] = PROVIDER_SCHEMA_MANAGER.get_resource_schema(REGION, kind).schema["properties"][name]
    return found


@pytest.mark.parametrize("stack_name", STACK_NAMES)
def test_every_name_is_within_the_limits_of_cloudformations_schema(stack_name: str) -> None:
    for logical_id, (kind, name, given) in named(RESOURCES, stack_name).items():
        schema = schema_of(kind, name)
        assert schema.get("minLength", 0) <= len(given) <= schema.get("maxLength", 10_000), logical_id
        # Patterns of the schemas are not whole; that of a log group ends in \Z, the end of the text.
        assert re.search(schema.get("pattern", ""), given), logical_id


@pytest.mark.parametrize("stack_name", STACK_NAMES)
def test_no_name_begins_with_what_a_service_keeps_to_itself(stack_name: str) -> None:
    for logical_id, (kind, name, given) in named(RESOURCES, stack_name).items():
        names.check(kind, logical_id, {name: given})


def test_everything_that_can_be_named_is_looked_at() -> None:
    kinds = {resource["Type"] for resource in RESOURCES.values()}
    by_themselves = {kind for kind in kinds - UNNAMED if RULES.get(kind)}
    assert {kind for kind, _, _ in named(RESOURCES, "home").values()} == by_themselves
    # What has no rule has no name of its own.
    nameless = kinds - RULES.keys()
    assert nameless == {kind for kind in nameless if not (getattr(TYPES.get(kind), "name_property", None))}


def test_two_stacks_share_no_name() -> None:
    first = {given for _, _, given in named(RESOURCES, "home").values()}
    second = {given for _, _, given in named(RESOURCES, "work").values()}
    assert first & second == set()


@pytest.mark.parametrize("kind", [kind for kind in RULES if TYPES[kind].name_property])
def test_the_sandbox_knows_the_limits_of_the_schema(kind: str) -> None:
    rule = RULES[kind]
    assert TYPES[kind].name_property == rule.property
    schema = schema_of(kind, rule.property)
    # A parameter's name counts with its ARN, which the schema does not know.
    assert rule.longest <= schema.get("maxLength", rule.longest)
    if kind != "AWS::SSM::Parameter":
        assert rule.longest == schema.get("maxLength", rule.longest)
    if "pattern" in schema:
        assert re.search(schema["pattern"], "a" * rule.longest)
        assert kind == "AWS::S3::Bucket" or not re.search(schema["pattern"], "a b")
        assert ("maxLength" in schema) or not re.search(schema["pattern"], "a" * (rule.longest + 1))


@pytest.mark.parametrize("name", of_type(transformed(), "AWS::IAM::Role"))
def test_the_policies_of_a_role_fit_whatever_the_stack_is_called(name: str) -> None:
    policies = with_parameter(RESOURCES[name]["Properties"]["Policies"], "AWS::StackName", "a" * 128)
    # IAM counts no blanks.
    size = sum(len(re.sub(r"\s", "", json.dumps(policy["PolicyDocument"]))) for policy in policies)
    assert listed(policies)
    assert list(statements(RESOURCES[name]))
    assert size < INLINE_POLICIES_CHARACTERS
