"""Creating a whole stack, and what follows when that fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localaws.cloudformation import outputs
from localaws.cloudformation.errors import ResourceFailure, failure_reason
from localaws.cloudformation.removal import delete, roll_back_creation

if TYPE_CHECKING:
    from localaws.cloudformation.definition import Definition
    from localaws.cloudformation.stack import Stack
    from localaws.cloudformation.workbench import Workbench


def create(stack: Stack, bench: Workbench, definition: Definition, on_failure: str) -> None:
    """Everything in dependency order; `on_failure` is ROLLBACK, DELETE or DO_NOTHING.

    AWS looks for names that are taken before
    (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/validate-stack-deployments.html), and does not say
    what status that leaves: here that of a creation that failed.
    """
    failed: list[str] = []
    try:
        bench.check_names(definition)
        for logical_id in bench.in_order(definition.resources):
            failed = [logical_id]
            wanted = definition.resources[logical_id]
            bench.create(wanted, bench.settle(definition, wanted, "CREATE_FAILED"))
        failed = []
        found = outputs.resolve_all(bench, definition)
    except ResourceFailure as failure:
        reason = failure_reason("create", failed, failure)
        if on_failure == "DO_NOTHING":
            stack.enter("CREATE_FAILED", reason)
        elif on_failure == "DELETE":
            stack.enter("DELETE_IN_PROGRESS", f"{reason}Delete requested by user.")
            delete(stack, bench)
        else:
            stack.enter("ROLLBACK_IN_PROGRESS", f"{reason}Rollback requested by user.")
            roll_back_creation(stack, bench)
        return
    with stack.lock:
        stack.outputs = found
        stack.enter("CREATE_COMPLETE")
