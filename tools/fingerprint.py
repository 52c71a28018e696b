"""Prints the fingerprint of the alarm definitions in template.yaml, for `AlarmFingerprint` there."""

import hashlib
import json
from pathlib import Path
from typing import Any

import yaml

TEMPLATE = Path(__file__).parent.parent / "template.yaml"


class TemplateLoader(yaml.CSafeLoader):
    """Reads CloudFormation's short forms (`!Ref X`, `!GetAtt A.B`) as the long forms they stand for."""


def _intrinsic(loader: yaml.CSafeLoader, tag: str, node: yaml.Node) -> dict[str, Any]:
    value: Any
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        assert isinstance(node, yaml.MappingNode)  # noqa: S101 - YAML has these three kinds of nodes
        value = loader.construct_mapping(node, deep=True)
    if tag == "GetAtt" and isinstance(value, str):
        value = value.split(".", 1)
    return {tag if tag in {"Ref", "Condition"} else f"Fn::{tag}": value}


TemplateLoader.add_multi_constructor("!", _intrinsic)


def template() -> dict[str, Any]:
    """template.yaml as a dictionary, in long forms."""
    loaded: dict[str, Any] = yaml.load(TEMPLATE.read_text(), Loader=TemplateLoader)  # noqa: S506 - a SafeLoader
    return loaded


def fingerprint(resources: dict[str, Any]) -> str:
    """The first 16 hex digits of the SHA-256 of the properties, as they stand in the template, of those alarms whose
    thresholds the recalculation owns. An alarm with a fixed threshold may be written again with what the template has.
    """
    alarms = {name: resource["Properties"] for name, resource in resources.items() if recalculated(resource)}
    return hashlib.sha256(json.dumps(alarms, sort_keys=True).encode()).hexdigest()[:16]


def recalculated(resource: dict[str, Any]) -> bool:
    """Whether a resource is an alarm with a threshold that is worked out."""
    return resource["Type"] == "AWS::CloudWatch::Alarm" and isinstance(resource["Properties"]["Threshold"], dict)


if __name__ == "__main__":
    print(fingerprint(template()["Resources"]))
