"""Reading a template: JSON or YAML text with short-form intrinsics into plain dictionaries, and its outline checked."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import yaml

from localaws.cloudformation import template_limits
from localaws.cloudformation.error_codes import validation_error

if TYPE_CHECKING:
    from collections.abc import Mapping

Template = dict[str, Any]

SECTIONS = {
    "AWSTemplateFormatVersion",
    "Conditions",
    "Description",
    "Metadata",
    "Outputs",
    "Parameters",
    "Resources",
    "Rules",
    "Transform",
}
TRANSFORM_SECTIONS = {"Globals"}
RESOURCE_KEYS = {
    "Condition",
    "DeletionPolicy",
    "DependsOn",
    "Metadata",
    "Properties",
    "Type",
    "UpdateReplacePolicy",
}
SERVERLESS_TRANSFORM = "AWS::Serverless-2016-10-31"
INCLUDE_TRANSFORM = "AWS::Include"
MACRO = "Fn::Transform"


class LongForms(yaml.CSafeLoader):
    """Dates stay strings: a policy's `Version: 2012-10-17` is not a date to CloudFormation."""


LongForms.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:timestamp"]
    for first, resolvers in yaml.CSafeLoader.yaml_implicit_resolvers.items()
}


class _Loader(LongForms):
    """Reads templates with intrinsic functions in their short forms, too."""


def _short_form(loader: _Loader, suffix: str, node: yaml.Node) -> dict[str, Any]:
    value: Any
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        value = loader.construct_mapping(node, deep=True)  # type: ignore[arg-type] # the third kind of node
    if suffix in ("Ref", "Condition"):
        return {suffix: value}
    if suffix == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {f"Fn::{suffix}": value}


_Loader.add_multi_constructor("!", _short_form)


def parse(text: str) -> Template:
    """The template as dictionaries; raises ValidationError where the text or its outline is wrong."""
    try:
        document = json.loads(text) if text.lstrip().startswith("{") else yaml.load(text, _Loader)  # noqa: S506 - a SafeLoader
    except (json.JSONDecodeError, yaml.YAMLError) as error:
        kind = "JSON" if isinstance(error, json.JSONDecodeError) else "YAML"
        message = f"Template format error: {kind} not well-formed. ({error})"
        raise validation_error(message) from error
    if not isinstance(document, dict):
        message = "Template format error: unsupported structure."
        raise validation_error(message)
    _check_outline(document)
    return document


def _check_outline(template: Template) -> None:
    if "Mappings" in template:
        message = "Template error: the sandbox does not know Mappings, nor Fn::FindInMap"
        raise validation_error(message)
    allowed = SECTIONS | (TRANSFORM_SECTIONS if transforms(template) else set())
    if unknown := sorted(set(template) - allowed):
        message = f"Invalid template property or properties [{', '.join(unknown)}]"
        raise validation_error(message)
    resources = template.get("Resources")
    if not isinstance(resources, dict) or not resources:
        message = "Template format error: At least one Resources member must be defined."
        raise validation_error(message)
    _check_outputs(template.get("Outputs") or {})
    for logical_id, resource in resources.items():
        if not str(logical_id).isalnum():
            message = f"Template format error: Resource name {logical_id} is non alphanumeric."
            raise validation_error(message)
        if not isinstance(resource, dict) or not isinstance(resource.get("Type"), str):
            message = (
                f"Template format error: [/Resources/{logical_id}] Every Resources object must contain a Type member."
            )
            raise validation_error(message)
    template_limits.check(template)


def _check_outputs(outputs: Mapping[str, Any]) -> None:
    for name, output in outputs.items():
        if not str(name).isalnum():
            message = f"Template format error: Outputs name '{name}' is non alphanumeric."
            raise validation_error(message)
        exported = (output.get("Export") or {"Name": ""}).get("Name") if isinstance(output, dict) else ""
        if isinstance(exported, str) and re.search(r"[^A-Za-z0-9:-]", exported):
            message = (
                f"Template format error: Output {name} is malformed. The Name field of every Export member must be "
                "specified and consist only of alphanumeric characters, colons, or hyphens."
            )
            raise validation_error(message)


def check_resource_keys(template: Template) -> None:
    """Refuses a resource attribute that would be ignored here (SAM's own are gone once transformed)."""
    for logical_id, resource in template["Resources"].items():
        if unknown := sorted(set(resource) - RESOURCE_KEYS):
            message = (
                f"Invalid template resource property '{unknown[0]}' of {logical_id}: "
                f"the sandbox knows {', '.join(sorted(RESOURCE_KEYS))}"
            )
            raise validation_error(message)


def check_places_of_macros(template: Template) -> None:
    """Refuses a macro within what is judged before any is called: in Parameters AWS takes none, and of Rules with one
    it says nothing.
    """
    for section in ("Parameters", "Rules"):
        if calls_macros(template.get(section, {})):
            message = f"Template format error: the sandbox knows no macro in {section}"
            raise validation_error(message)


def transforms(template: Mapping[str, Any]) -> list[str]:
    """The transforms a template declares, in its order."""
    declared = template.get("Transform", [])
    return [declared] if isinstance(declared, str) else list(declared)


def has_macros(template: Mapping[str, Any]) -> bool:
    """Whether AWS makes another template of it before it looks at the resources."""
    return bool(transforms(template)) or calls_macros(template)


def calls_macros(value: Any) -> bool:
    """Whether there is a `Fn::Transform` somewhere in a part of a template."""
    if isinstance(value, list):
        return any(calls_macros(item) for item in value)
    return isinstance(value, dict) and (MACRO in value or any(calls_macros(item) for item in value.values()))
