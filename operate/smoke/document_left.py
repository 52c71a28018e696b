"""What a deployment that was rolled back has left of the document that benchmarks run.

A document's name carries a digest of its content, so an update that changes the script makes another document: whether
benchmarks run the old script shows in the names that they have, and not in the old document alone.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

from botocore.exceptions import ClientError
from efs_monitor.stack_functions import StackFunction

from operate.described_stack import Account, DescribedStack, Resource, find_stack
from operate.smoke.inventory import GONE_CODES, exists
from operate.smoke.template_trials import DOCUMENT

USERS = (StackFunction.RUN_BENCHMARK, StackFunction.COLLECT_BENCHMARK)
"""The functions that are given the document's name."""


@dataclass(frozen=True, kw_only=True)
class ScriptInUse:
    """The name of the stack's document, and its newest version, which is sent; its content is None where it is gone."""

    name: str
    content: Any

    @classmethod
    def of(cls, stack: DescribedStack, name: str | None = None) -> Self:
        """That of the stack, or of another name."""
        chosen = name or stack.physical_id(DOCUMENT)
        try:
            found = stack.account.client("ssm").get_document(Name=chosen, DocumentVersion="$LATEST")
        except ClientError as error:
            if error.response["Error"].get("Code") not in GONE_CODES:
                raise
            return cls(name=chosen, content=None)
        return cls(name=chosen, content=json.loads(found["Content"]))


def differences(before: ScriptInUse, stack_name: str, account: Account) -> list[str]:
    """What of the stack is not as it was with that document, in a few words each."""
    stack = find_stack(account, stack_name)
    names = {f"the stack's {DOCUMENT}": stack.physical_id(DOCUMENT)}
    for function in USERS:
        names[function] = _document_of(stack, function)
    found = [f"{whose} is {name}, not {before.name}" for whose, name in names.items() if name != before.name]
    if (content := ScriptInUse.of(stack, before.name).content) != before.content:
        found.append(f"{before.name} {'is GONE' if content is None else 'has ANOTHER content'}")
    return found


def others(before: ScriptInUse, stack: DescribedStack) -> list[Resource]:
    """The documents that the stack has had besides, by its events."""
    pages = stack.account.client("cloudformation").get_paginator("describe_stack_events").paginate(StackName=stack.name)
    names = {
        event.get("PhysicalResourceId", "")
        for page in pages
        for event in page["StackEvents"]
        if event["LogicalResourceId"] == DOCUMENT
    }
    return [replace(stack.resources[DOCUMENT], physical_id=name) for name in sorted(names - {"", before.name})]


def still_there(
    documents: list[Resource], account: Account, await_that: Callable[[Callable[[], bool]], bool]
) -> list[str]:
    """The names of those that have not gone after a while."""
    await_that(lambda: not any(exists(account, one) for one in documents))
    return [one.physical_id for one in documents if exists(account, one)]


def _document_of(stack: DescribedStack, function: str) -> str:
    found = stack.account.client("lambda").get_function_configuration(FunctionName=stack.physical_id(function))
    return str(found.get("Environment", {}).get("Variables", {}).get("DOCUMENT_NAME"))
