"""What a resource's properties are held against before the service is asked: its type's schema, and reserved names."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from localaws import reserved_names
from localaws.cloudformation.error_codes import ResourceFailure
from localaws.cloudformation.intrinsics import as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from localaws.cloudformation.schemas import Schema

type Limits = Mapping[str, Any]
"""What a schema says of a value."""
NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?")
RESERVED = {
    ("AWS::Logs::LogGroup", "LogGroupName"): reserved_names.LOG_GROUPS,
    ("AWS::SSM::Document", "Name"): reserved_names.DOCUMENTS,
    ("AWS::SSM::Parameter", "Name"): reserved_names.PARAMETERS,
}


def check(known: Schema, logical_id: str, properties: Mapping[str, Any]) -> None:
    """Raises ResourceFailure, in CloudFormation's words, for what is missing, unknown or outside of its limits.

    Of limits that AWS leaves to the service these are not the words (`localaws/cloudformation/schemas.py` says which).
    Alternatives of a schema (anyOf, oneOf, if) are not judged, nor which values exclude each other.
    """
    problems = [f"#: required key [{name}] not found" for name in sorted(known.required - properties.keys())]
    for name, value in properties.items():
        problems += _problems(known.properties.get(name, {}), value, f"#/{name}", known.definitions)
    if problems:
        message = f"Properties validation failed for resource {logical_id} with message:\n" + "\n".join(problems)
        raise ResourceFailure(message)
    check_reserved(known.type_name, logical_id, properties)


def check_reserved(type_name: str, logical_id: str, properties: Mapping[str, Any]) -> None:
    """Raises ResourceFailure in words of the sandbox: those of the services are not documented."""
    for (kind, name), beginnings in RESERVED.items():
        given = str(properties.get(name, ""))
        if kind == type_name and (beginning := reserved_names.reserved_beginning(given, beginnings)):
            message = f"{name} {given} of {logical_id} begins with {beginning}, which is reserved by AWS"
            raise ResourceFailure(message)
    for name, tags in properties.items():
        keys = (tag.get("Key") for tag in tags) if isinstance(tags, list) and name.endswith("Tags") else ()
        for key in tags if isinstance(tags, dict) and name.endswith("Tags") else keys:
            if str(key).lower().startswith("aws:"):
                message = f"The tag {key} of {logical_id} begins with aws:, which is reserved by AWS"
                raise ResourceFailure(message)


def _problems(limits: Limits, value: Any, path: str, definitions: Mapping[str, Limits]) -> Iterator[str]:
    """What is wrong with a value and all that it holds, each with where it stands."""
    while "$ref" in limits:
        limits = definitions.get(str(limits["$ref"]).rpartition("/")[2], {})
    if isinstance(value, dict):
        yield from _of_object(limits, value, path, definitions)
    elif isinstance(value, list):
        for word, most in (("maximum", limits.get("maxItems")), ("minimum", limits.get("minItems"))):
            if most is not None and (len(value) > most if word == "maximum" else len(value) < most):
                yield f"{path}: expected {word} item count: {most}, found: {len(value)}"
        for number, one in enumerate(value):
            yield from _problems(limits.get("items", {}), one, f"{path}/{number}", definitions)
    else:
        yield from (f"{path}: {problem}" for problem in _of_scalar(limits, value))


def _of_object(limits: Limits, value: Mapping[str, Any], path: str, definitions: Mapping[str, Limits]) -> Iterator[str]:
    known = limits.get("properties")
    if known is None:
        return
    for name in sorted(set(limits.get("required", ())) - value.keys()):
        yield f"{path}: required key [{name}] not found"
    if limits.get("additionalProperties") is False and "patternProperties" not in limits:
        for name in sorted(value.keys() - known.keys()):
            yield f"{path}: extraneous key [{name}] is not permitted"
    for name in value.keys() & known.keys():
        yield from _problems(known[name], value[name], f"{path}/{name}", definitions)


def _of_scalar(limits: Limits, value: Any) -> Iterator[str]:
    """CloudFormation says no values, and so no bounds of numbers:
    https://github.com/aws-cloudformation/cloudformation-resource-schema/pull/37.
    """
    text = as_text(value)
    if "enum" in limits and text not in map(as_text, limits["enum"]):
        yield "failed validation constraint for keyword [enum]"
    if isinstance(value, str):
        yield from _of_text(limits, value)
    for bound, sign in (("minimum", 1), ("maximum", -1)):
        if bound in limits and NUMBER.fullmatch(text) and sign * (float(text) - limits[bound]) < 0:
            yield f"failed validation constraint for keyword [{bound}]"


def _of_text(limits: Limits, text: str) -> Iterator[str]:
    longest, shortest = limits.get("maxLength", len(text)), limits.get("minLength", len(text))
    if len(text) > longest:
        yield f"expected maxLength: {longest}, actual: {len(text)}"
    if len(text) < shortest:
        yield f"expected minLength: {shortest}, actual: {len(text)}"
    pattern = _pattern(limits.get("pattern", ""))
    if pattern is not None and not pattern.search(text):
        yield "failed validation constraint for keyword [pattern]"


@functools.cache
def _pattern(text: str) -> re.Pattern[str] | None:
    """None for one that only Java can read. Java's \\w and its like, and those of the schemas, know ASCII only."""
    try:
        return re.compile(text, re.ASCII)
    except re.error:
        return None
