"""Updating a whole stack: only what differs is touched, and a failure is rolled back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from localaws.cloudformation import outputs
from localaws.cloudformation.error_codes import RequestRefused, ResourceFailure, failure_reason
from localaws.cloudformation.removal import Leftover, clean_up
from localaws.cloudformation.resource_operations import adopted, changed_properties
from localaws.cloudformation.stack import Touched

if TYPE_CHECKING:
    from localaws.cloudformation.definition import Definition, Expansion, ResourceDefinition
    from localaws.cloudformation.resource_operations import ResourceOperations
    from localaws.cloudformation.stack import Resource, Stack


def update(stack: Stack, operations: ResourceOperations, expansion: Expansion) -> None:
    """Touches only what differs from the current stack; rolls back on failure unless that is disabled.

    Where a macro fails, or what comes out of it is wrong, nothing is touched, and events of the stack itself alone say
    why.
    """
    before = stack.definition
    operations.wait_until_heard()
    try:
        definition = expansion()
    except RequestRefused as refusal:
        # Whether AWS says it again where the stack begins to go back is not known; here it does not, lest somebody
        # rely on it.
        _give_up(stack, operations, before, refusal.message, "")
        return
    touched: list[Touched] = []
    failed: list[str] = []
    try:
        for logical_id in operations.in_order(definition.resources):
            failed = [logical_id]
            _advance(stack, operations, definition, definition.resources[logical_id], touched)
        failed = []
        found = outputs.resolve_all(operations, definition)
    except ResourceFailure as failure:
        reason = failure_reason("update", failed, failure)
        # What an earlier unfinished update changed goes back to where it was before that one.
        earlier = {item.logical_id for item in stack.unfinished}
        stack.unfinished += [item for item in touched if item.logical_id not in earlier]
        _give_up(stack, operations, before, reason, reason)
        return
    leftovers = [
        Leftover(item.before, is_current=False, is_kept=item.before.update_replace_policy == "Retain")
        for item in touched
        if item.before and item.before.physical_id != stack.resources[item.logical_id].physical_id
    ]
    leftovers += [
        Leftover(item, is_current=True, is_kept=item.deletion_policy != "Delete")
        for name, item in stack.resources.items()
        if name not in definition.resources
    ]
    with stack.lock:
        stack.definition = definition
        stack.unfinished = []
        stack.outputs = found
        stack.enter("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS")
    clean_up(stack, operations, leftovers)
    stack.enter("UPDATE_COMPLETE")


def _give_up(
    stack: Stack, operations: ResourceOperations, before: Definition | None, reason: str, rollback_reason: str
) -> None:
    """Ends an update that failed; `before` is what the stack goes back to, unless that is disabled."""
    if stack.disable_rollback or before is None:
        stack.enter("UPDATE_FAILED", reason)
    else:
        stack.enter("UPDATE_ROLLBACK_IN_PROGRESS", rollback_reason or None)
        roll_back(stack, operations, before)


def _advance(
    stack: Stack,
    operations: ResourceOperations,
    definition: Definition,
    wanted: ResourceDefinition,
    touched: list[Touched],
) -> None:
    current = stack.resources.get(wanted.logical_id)
    status = "UPDATE_FAILED" if current is not None and current.is_live else "CREATE_FAILED"
    properties = operations.settle(definition, wanted, status)
    if current is None or not current.is_live:
        touched.append(Touched(wanted.logical_id, None))
        operations.create(wanted, properties)
        return
    changed = changed_properties(current.properties, properties)
    if not changed and not current.status.endswith("_FAILED"):
        stack.restore(adopted(current, wanted))
        return
    kind = operations.kind(wanted.type)
    if not kind.replaces(current.properties, properties, changed):
        touched.append(Touched(wanted.logical_id, current))
        operations.update(current, wanted, properties)
        return
    named_by = kind.schema.name_property
    if named_by in properties and named_by not in changed:
        reason = (
            "CloudFormation cannot update a stack when a custom-named resource requires replacing. "
            f"Rename {properties[named_by]} and update the stack again."
        )
        operations.fail(wanted, "UPDATE_FAILED", reason)
        raise ResourceFailure(reason)
    touched.append(Touched(wanted.logical_id, current))
    operations.replace(current, wanted, properties)


def roll_back(stack: Stack, operations: ResourceOperations, before: Definition) -> None:
    """Gives every touched resource its old properties again, references resolved afresh, in dependency order."""
    operations.wait_until_heard()
    leftovers: list[Leftover] = []
    earlier = {item.logical_id: item.before for item in stack.unfinished}
    failed: list[str] = []
    for logical_id in operations.in_order(before.resources):
        old = earlier.get(logical_id)
        if old is None:
            continue
        attempted = stack.resources[logical_id]
        try:
            reverted = _revert(stack, operations, before, old, attempted)
        except ResourceFailure:
            failed.append(logical_id)
            break
        if attempted.physical_id and attempted.physical_id != reverted.physical_id:
            leftovers.append(Leftover(attempted, is_current=False, is_kept=False))
    if failed:
        stack.enter("UPDATE_ROLLBACK_FAILED", failure_reason("update", failed))
        return
    created = [stack.resources[name] for name, old in earlier.items() if old is None]
    leftovers += [Leftover(item, is_current=True, is_kept=item.deletion_policy == "Retain") for item in created]
    stack.enter("UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS")
    clean_up(stack, operations, leftovers)
    stack.unfinished = []
    stack.enter("UPDATE_ROLLBACK_COMPLETE")


def _revert(
    stack: Stack, operations: ResourceOperations, before: Definition, old: Resource, attempted: Resource
) -> Resource:
    changed = changed_properties(old.properties, attempted.properties)
    was_replaced = attempted.physical_id != old.physical_id and operations.kind(old.type).replaces(
        old.properties, attempted.properties, changed
    )
    if was_replaced:
        # The old one was not deleted yet: it only becomes the stack's own again.
        stack.put(old, "UPDATE_IN_PROGRESS")
        return stack.put(old, "UPDATE_COMPLETE")
    wanted = before.resources[old.logical_id]
    return operations.update(attempted, wanted, operations.settle(before, wanted, "UPDATE_FAILED"))
