"""CloudFormation templates as dictionaries: as they are written, or with the files that they include."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

TEMPLATE = Path(__file__).parent.parent / "template.yaml"
FLEET_TEMPLATE = TEMPLATE.parent / "fleet.yaml"
MACRO = "Fn::Transform"
"""The key of an AWS::Include. What it names joins the keys beside it."""

type Template = dict[str, Any]


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


def template() -> Template:
    """template.yaml in long forms, with what it includes."""
    return with_included_files(TEMPLATE)


def as_written(path: Path) -> Template:
    """A template in long forms, which says what it includes."""
    loaded: Template = yaml.load(path.read_text(encoding="utf-8"), Loader=TemplateLoader)  # noqa: S506 - a SafeLoader
    return loaded


def with_included_files(path: Path) -> Template:
    """A template in long forms, with what it includes from local files where CloudFormation puts it."""
    document = as_written(path)
    for place in including(document):
        location = place.pop(MACRO)["Parameters"]["Location"]
        place.update(yaml.load((path.parent / location).read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))
    return document


def including(document: Template) -> list[dict[str, Any]]:
    """The mappings of a template that get more keys from a file, which their `Fn::Transform` names."""
    return list(_including(document))


def _including(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        for item in value:
            yield from _including(item)
    if isinstance(value, dict):
        if MACRO in value:
            yield value
        for item in value.values():
            yield from _including(item)
