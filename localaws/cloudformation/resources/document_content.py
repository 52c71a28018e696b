"""The content of a document as CloudFormation's handler of AWS::SSM::Document sends it, whose bytes count.

An object it has Jackson write with INDENT_OUTPUT (`DocumentModelTranslator.java`, in
https://github.com/aws-cloudformation/aws-cloudformation-resource-providers-ssm): an entry a line, lists in one line,
and signs beyond ASCII as they are. A text it sends as it is.
"""

from __future__ import annotations

import json
from typing import Any

import yaml

INDENT = "  "


def sent(content: Any) -> str:
    """The content, as JSON. Differs from AWS: a text in YAML becomes an object first, as all is kept in one format."""
    if not isinstance(content, str):
        return _indented(content, "\n")
    try:
        json.loads(content)
    except ValueError:
        return _indented(yaml.safe_load(content), "\n")
    return content


def _indented(value: Any, line_break: str) -> str:
    """`line_break` has the spaces with which the line of the value begins."""
    if isinstance(value, dict):
        inner = line_break + INDENT
        entries = [
            f"{inner}{json.dumps(key, ensure_ascii=False)} : {_indented(one, inner)}" for key, one in value.items()
        ]
        return f"{{{','.join(entries)}{line_break}}}" if entries else "{ }"
    if isinstance(value, list):
        return f"[ {', '.join(_indented(one, line_break) for one in value)} ]" if value else "[ ]"
    return json.dumps(value, ensure_ascii=False)
