"""The AWS::Include transform: a mapping from a file in S3 in place of the `Fn::Transform` that names it.

What AWS takes stands in its user guide ("AWS::Include transform", "macro evaluation order", "macro scope"): the file is
YAML or JSON, a mapping, without short forms and without includes; its keys join those beside the `Fn::Transform`;
functions in it are resolved afterwards, like any other. The sentences of its errors are those that people have met.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import yaml
from botocore.exceptions import BotoCoreError, ClientError

from localaws.cloudformation.error_codes import RequestRefused, validation_error
from localaws.cloudformation.template import INCLUDE_TRANSFORM, MACRO, LongForms, Template, calls_macros

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

type Snippets = Callable[[str], str]
"""Gives the text at a location; Refused where there is none."""

LOCATION = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])/(.+)")
INVALID = "The specified S3 object's content should be valid Yaml/JSON"


def process(document: Template, snippets: Snippets) -> Template:
    """The template with what it includes; Refused as AWS refuses it, and for every other macro within a template."""
    expanded: Template = _expanded(document, snippets)
    return expanded


def no_bucket(location: str) -> str:
    """Snippets of an account without S3."""
    raise _failed(f"S3 bucket [{_parts(location)[0]}] does not exist.")


def in_s3(client: Callable[[], Any]) -> Snippets:
    """Snippets of an account's S3; the client is made when the first is read."""

    def read(location: str) -> str:
        bucket, key = _parts(location)
        s3 = client()
        try:
            return str(s3.get_object(Bucket=bucket, Key=key)["Body"].read().decode())
        except s3.exceptions.NoSuchBucket as error:
            raise _failed(f"S3 bucket [{bucket}] does not exist.") from error
        except (BotoCoreError, ClientError, UnicodeDecodeError) as error:
            raise _failed(f"{error} ({location})") from error

    return read


def _parts(location: str) -> tuple[str, str]:
    found = LOCATION.fullmatch(location)
    if found is None:
        raise _failed("The location parameter is not a valid S3 uri.")
    return found[1], found[2]


def _expanded(value: Any, snippets: Snippets) -> Any:
    if isinstance(value, list):
        return [_expanded(item, snippets) for item in value]
    if not isinstance(value, dict):
        return value
    beside = {key: _expanded(item, snippets) for key, item in value.items() if key != MACRO}
    snippet = _snippet(value[MACRO], snippets) if MACRO in value else {}
    if both := sorted(beside.keys() & snippet.keys()):
        raise _failed(f"{both[0]!r} is there already: the sandbox does not know which one AWS takes")
    return beside | snippet


def _snippet(macro: Mapping[str, Any], snippets: Snippets) -> dict[str, Any]:
    if macro.get("Name") != INCLUDE_TRANSFORM:
        message = f"No transform named {macro.get('Name')} found: the sandbox knows only {INCLUDE_TRANSFORM} here"
        raise validation_error(message)
    location = macro.get("Parameters", {}).get("Location")
    if not isinstance(location, str):
        raise _failed("the sandbox knows a Location only as a text")
    try:
        found = yaml.load(snippets(location), LongForms)  # noqa: S506 - a SafeLoader
    except yaml.YAMLError as error:
        raise _failed(INVALID) from error
    if not isinstance(found, dict) or calls_macros(found):
        raise _failed(INVALID)
    return found


def _failed(reason: str) -> RequestRefused:
    return validation_error(f"Transform {INCLUDE_TRANSFORM} failed with: {reason}")
