"""template.yaml with what it includes, as SAM transforms it, and what it comes to for one stack named `home`."""

import copy
import functools
import json
import re
from collections.abc import Iterator
from typing import Any

from localaws.account import ACCOUNT_ID, REGION
from operate.template_files import template

type Document = dict[str, Any]

STACK_NAME = "home"
FILE_SYSTEM_ID = "fs-0123456789abcdef0"
RUNBOOK_URL = "https://wiki.example.com/efs"
VARIABLE = re.compile(r"\$\{([A-Za-z0-9:]+)(?:\.[A-Za-z0-9.]+)?\}")


_read = functools.cache(template)


def with_includes() -> Document:
    """The template and what it includes, short forms (`!Ref X`) read as long ones; a copy to change at will."""
    return copy.deepcopy(_read())


def transformed() -> Document:
    """What CloudFormation works with after AWS::Serverless; the code lies in a bucket, as after `sam package`."""
    return copy.deepcopy(_transformed())


@functools.cache
def _transformed() -> Document:
    from tools.judges import given

    return given.transformed()


def resolved(value: Any, **conditions: bool) -> Any:
    """A value of the template with every parameter at its default, or given where a stack needs it, nothing optional
    conditioned away, and topics of the stack's own; `<Topic>` and `<Explain.Arn>` stand for what only a deployment
    knows.
    """
    from localaws.cloudformation.intrinsics import Scope, resolve

    defaults = {name: definition.get("Default") for name, definition in _read()["Parameters"].items()}
    stack_id = f"arn:aws:cloudformation:{REGION}:{ACCOUNT_ID}:stack/{STACK_NAME}/6f1e0a70"
    pseudo = {
        "Partition": "aws",
        "Region": REGION,
        "AccountId": ACCOUNT_ID,
        "StackId": stack_id,
        "StackName": STACK_NAME,
    }
    scope = Scope(
        values={
            **defaults,
            "FileSystemId": FILE_SYSTEM_ID,
            "RunbookUrl": RUNBOOK_URL,
            **{f"AWS::{name}": text for name, text in pseudo.items()},
        },
        conditions=dict.fromkeys(_read()["Conditions"], True) | {"HasGivenTopic": False} | conditions,
        ref=lambda name: f"<{name}>",
        get_att=lambda name, attribute: f"<{name}.{attribute}>",
    )
    return resolve(value, scope)


def with_parameter(value: Any, name: str, given: str, **conditions: bool) -> Any:
    """A value of the template with what this parameter makes of it."""
    text = json.dumps(value).replace(f'{{"Ref": "{name}"}}', json.dumps(given)).replace(f"${{{name}}}", given)
    return resolved(json.loads(text), **conditions)


def references(value: Any) -> Iterator[str]:
    """Every parameter, resource and condition that a value names, and pseudo parameters."""
    if isinstance(value, list):
        for item in value:
            yield from references(item)
    if not isinstance(value, dict):
        return
    for key, item in value.items():
        match key:
            case "Ref":
                yield item
            case "Fn::GetAtt":
                yield item[0]
            case "Fn::Sub":
                yield from VARIABLE.findall(item if isinstance(item, str) else item[0])
            case "Fn::If":
                yield item[0]
        yield from references(item)


def of_type(document: Document, kind: str) -> dict[str, Document]:
    """The resources of one type, by logical id."""
    return {name: resource for name, resource in document["Resources"].items() if resource["Type"] == kind}


def depends_on(resource: Document) -> set[str]:
    """What a resource says it depends on, besides what it refers to."""
    named = resource.get("DependsOn", [])
    return {named} if isinstance(named, str) else set(named)


def alarm_arn(name: str) -> str:
    """The ARN of an alarm of the stack."""
    return f"arn:aws:cloudwatch:{REGION}:{ACCOUNT_ID}:alarm:{name}"


def statements(role: Document, **conditions: bool) -> Iterator[Document]:
    """Every statement of a role's own policies, resolved."""
    for policy in resolved(role["Properties"].get("Policies", []), **conditions):
        yield from policy["PolicyDocument"]["Statement"]


def listed(value: Any) -> list[Any]:
    """A policy may write one thing for a list of one."""
    return value if isinstance(value, list) else [value]
