"""What a resource's properties are held against before the service is asked: its type's schema, and reserved names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from localaws.cloudformation.errors import ResourceFailure

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from localaws.cloudformation.schemas import Schema

# Which beginnings of names services keep to themselves, in whatever case; no schema knows them.
RESERVED = {
    # CreateLogGroup.
    ("AWS::Logs::LogGroup", "LogGroupName"): ("aws/",),
    # CreateDocument.
    ("AWS::SSM::Document", "Name"): ("aws", "amazon", "amzn"),
    # PutParameter.
    ("AWS::SSM::Parameter", "Name"): ("aws", "/aws", "ssm", "/ssm"),
}


def check(known: Schema, logical_id: str, properties: Mapping[str, Any]) -> None:
    """Raises ResourceFailure, in CloudFormation's words, for what is missing and for texts outside of their limits."""
    problems = [f"#: required key [{name}] not found" for name in sorted(known.required - properties.keys())]
    for name, value in properties.items():
        if isinstance(value, str):
            problems += [f"#/{name}: {problem}" for problem in _broken(known.properties.get(name, {}), value)]
    if problems:
        message = f"Properties validation failed for resource {logical_id} with message:\n" + "\n".join(problems)
        raise ResourceFailure(message)
    check_reserved(known.type_name, logical_id, properties)


def check_reserved(type_name: str, logical_id: str, properties: Mapping[str, Any]) -> None:
    """Raises ResourceFailure in words of the sandbox: those of the services are not documented."""
    for (kind, name), beginnings in RESERVED.items():
        given = str(properties.get(name, ""))
        for beginning in beginnings:
            if kind == type_name and given.lower().startswith(beginning):
                message = f"{name} {given} of {logical_id} begins with {beginning}, which is reserved by AWS"
                raise ResourceFailure(message)


def _broken(limits: Mapping[str, Any], text: str) -> Iterator[str]:
    longest, shortest = limits.get("maxLength", len(text)), limits.get("minLength", len(text))
    if len(text) > longest:
        yield f"expected maxLength: {longest}, actual: {len(text)}"
    if len(text) < shortest:
        yield f"expected minLength: {shortest}, actual: {len(text)}"
    # Java's \w and its like, and those of the schemas, know ASCII only.
    if not re.search(limits.get("pattern", ""), text, re.ASCII):
        yield "failed validation constraint for keyword [pattern]"
