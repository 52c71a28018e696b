"""Creating a whole stack, and what follows when that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localaws.cloudformation import outputs
from localaws.cloudformation.error_codes import RequestRefused, ResourceFailure, failure_reason
from localaws.cloudformation.removal import delete, roll_back_creation

if TYPE_CHECKING:
    from localaws.cloudformation.definition import Expansion
    from localaws.cloudformation.resource_operations import ResourceOperations
    from localaws.cloudformation.stack import Stack


def create(stack: Stack, operations: ResourceOperations, expansion: Expansion, on_failure: str) -> None:
    """Everything in dependency order; `on_failure` is ROLLBACK, DELETE or DO_NOTHING.

    Where a macro fails, or what comes out of it is wrong, events of the stack itself say why, and no others.
    AWS looks for names that are taken before
    (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/validate-stack-deployments.html), and does not say
    what status that leaves: here that of a creation that failed.
    """
    try:
        definition = expansion()
    except RequestRefused as refusal:
        _give_up(stack, operations, on_failure, refusal.message, f"{refusal.message}. ")
        return
    with stack.lock:
        stack.definition = definition
    failed: list[str] = []
    try:
        operations.check_names(definition)
        for logical_id in operations.in_order(definition.resources):
            failed = [logical_id]
            wanted = definition.resources[logical_id]
            operations.create(wanted, operations.settle(definition, wanted, "CREATE_FAILED"))
        failed = []
        found = outputs.resolve_all(operations, definition)
    except ResourceFailure as failure:
        reason = failure_reason("create", failed, failure)
        _give_up(stack, operations, on_failure, reason, reason)
        return
    with stack.lock:
        stack.outputs = found
        stack.enter("CREATE_COMPLETE")


def _give_up(stack: Stack, operations: ResourceOperations, on_failure: str, reason: str, before_request: str) -> None:
    """Ends a creation that failed; `before_request` is the reason where what the user asked for stands behind it."""
    if on_failure == "DO_NOTHING":
        stack.enter("CREATE_FAILED", reason)
    elif on_failure == "DELETE":
        stack.enter("DELETE_IN_PROGRESS", f"{before_request}Delete requested by user.")
        delete(stack, operations)
    else:
        stack.enter("ROLLBACK_IN_PROGRESS", f"{before_request}Rollback requested by user.")
        roll_back_creation(stack, operations)
