"""Creating, updating and deleting a whole stack, with the rollbacks and clean-ups that AWS does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sandbox.cloudformation.dependencies import creation_order
from sandbox.cloudformation.errors import Refused, ResourceFailure
from sandbox.cloudformation.intrinsics import as_text, resolve
from sandbox.cloudformation.workbench import Workbench, adopted, changed_properties

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from sandbox.cloudformation.definition import Definition, ResourceDefinition
    from sandbox.cloudformation.stack import Resource, Stack


@dataclass(frozen=True)
class Touched:
    """A resource that this update has begun to change, as it was before (None: it is new)."""

    logical_id: str
    before: Resource | None


def create(stack: Stack, bench: Workbench, definition: Definition, on_failure: str) -> None:
    """Everything in dependency order; `on_failure` is ROLLBACK, DELETE or DO_NOTHING."""
    failed: list[str] = []
    try:
        for logical_id in definition.order:
            failed = [logical_id]
            wanted = definition.resources[logical_id]
            bench.create(wanted, _desired(bench, definition, wanted, "CREATE_FAILED"))
        failed = []
        outputs = _outputs(bench, definition)
    except ResourceFailure as failure:
        reason = _failure_reason("create", failed, failure)
        if on_failure == "DO_NOTHING":
            stack.enter("CREATE_FAILED", reason)
        elif on_failure == "DELETE":
            stack.enter("DELETE_IN_PROGRESS", f"{reason}Delete requested by user.")
            delete(stack, bench)
        else:
            stack.enter("ROLLBACK_IN_PROGRESS", f"{reason}Rollback requested by user.")
            _roll_back_creation(stack, bench)
        return
    with stack.lock:
        stack.outputs = outputs
        stack.enter("CREATE_COMPLETE")


def _roll_back_creation(stack: Stack, bench: Workbench) -> None:
    failed = _tear_down(stack, bench, retained={"Retain"})
    if failed:
        stack.enter("ROLLBACK_FAILED", _failure_reason("delete", failed))
    else:
        stack.enter("ROLLBACK_COMPLETE")


def delete(stack: Stack, bench: Workbench, keep: Collection[str] = ()) -> None:
    """Deletes every resource, dependents first; `keep` are logical ids the caller wants left alone."""
    failed = _tear_down(stack, bench, retained={"Retain", "RetainExceptOnCreate"}, keep=keep)
    if failed:
        stack.enter("DELETE_FAILED", _failure_reason("delete", failed))
    else:
        stack.enter("DELETE_COMPLETE")


def update(stack: Stack, bench: Workbench, definition: Definition) -> None:
    """Touches only what differs from the current stack; rolls back on failure unless that is disabled."""
    before = stack.definition
    touched: list[Touched] = []
    failed: list[str] = []
    try:
        for logical_id in definition.order:
            failed = [logical_id]
            _advance(stack, bench, definition, definition.resources[logical_id], touched)
        failed = []
        outputs = _outputs(bench, definition)
    except ResourceFailure as failure:
        reason = _failure_reason("update", failed, failure)
        if stack.disable_rollback or before is None:
            stack.enter("UPDATE_FAILED", reason)
        else:
            roll_back_update(stack, bench, before, touched, reason)
        return
    replaced = [item.before for item in touched if item.before is not None]
    obsolete = [item for name, item in stack.resources.items() if name not in definition.resources]
    with stack.lock:
        stack.definition = definition
        stack.outputs = outputs
        stack.enter("UPDATE_COMPLETE_CLEANUP_IN_PROGRESS")
    _clean_up(stack, bench, replaced, obsolete)
    stack.enter("UPDATE_COMPLETE")


def _advance(
    stack: Stack,
    bench: Workbench,
    definition: Definition,
    wanted: ResourceDefinition,
    touched: list[Touched],
) -> None:
    current = stack.resources.get(wanted.logical_id)
    status = "UPDATE_FAILED" if current is not None and current.is_live else "CREATE_FAILED"
    properties = _desired(bench, definition, wanted, status)
    if current is None or not current.is_live:
        touched.append(Touched(wanted.logical_id, None))
        bench.create(wanted, properties)
        return
    changed = changed_properties(current.properties, properties)
    if not changed and not current.status.endswith("_FAILED"):
        stack.restore(adopted(current, wanted))
        return
    kind = bench.kind(wanted.type)
    if not kind.replaces(current.properties, properties, changed):
        touched.append(Touched(wanted.logical_id, current))
        bench.update(current, wanted, properties)
        return
    if kind.name_property in properties and kind.name_property not in changed:
        reason = (
            "CloudFormation cannot update a stack when a custom-named resource requires replacing. "
            f"Rename {properties[kind.name_property]} and update the stack again."
        )
        bench.fail(wanted, "UPDATE_FAILED", reason)
        raise ResourceFailure(reason)
    touched.append(Touched(wanted.logical_id, current))
    bench.replace(current, wanted, properties)


def roll_back_update(stack: Stack, bench: Workbench, before: Definition, touched: list[Touched], reason: str) -> None:
    """Gives every touched resource its old properties again, references resolved afresh, in dependency order."""
    stack.enter("UPDATE_ROLLBACK_IN_PROGRESS", reason)
    garbage: list[Resource] = []
    earlier = {item.logical_id: item.before for item in touched}
    failed: list[str] = []
    for logical_id in before.order:
        old = earlier.get(logical_id)
        if old is None:
            continue
        attempted = stack.resources[logical_id]
        try:
            _revert(stack, bench, before, old, attempted, garbage)
        except ResourceFailure:
            failed.append(logical_id)
            break
    if failed:
        stack.enter("UPDATE_ROLLBACK_FAILED", _failure_reason("update", failed))
        return
    created = [stack.resources[name] for name, old in earlier.items() if old is None and name in stack.resources]
    stack.enter("UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS")
    _clean_up(stack, bench, garbage, created)
    stack.enter("UPDATE_ROLLBACK_COMPLETE")


def _revert(
    stack: Stack,
    bench: Workbench,
    before: Definition,
    old: Resource,
    attempted: Resource,
    garbage: list[Resource],
) -> None:
    wanted = before.resources[old.logical_id]
    changed = changed_properties(old.properties, attempted.properties)
    was_replaced = attempted.physical_id != old.physical_id and bench.kind(old.type).replaces(
        old.properties, attempted.properties, changed
    )
    if was_replaced:
        stack.put(old, "UPDATE_IN_PROGRESS")
        stack.put(old, "UPDATE_COMPLETE")
        after = old
    else:
        properties = _desired(bench, before, wanted, "UPDATE_FAILED")
        after = bench.update(attempted, wanted, properties)
    if attempted.physical_id and attempted.physical_id != after.physical_id:
        garbage.append(attempted)


def _clean_up(stack: Stack, bench: Workbench, replaced: Iterable[Resource], obsolete: Iterable[Resource]) -> None:
    """Deletes what nothing uses any more. As on AWS, a failure here is in the events and changes no outcome."""
    leftovers = {
        item.logical_id: item
        for item in replaced
        if item.physical_id and item.physical_id != stack.resources[item.logical_id].physical_id
    }
    gone = {item.logical_id: item for item in obsolete}
    for resource in _dependents_first({**leftovers, **gone}):
        is_obsolete = resource.logical_id in gone
        policy = resource.deletion_policy if is_obsolete else resource.update_replace_policy
        if resource.is_live:
            if policy == "Delete" or (policy == "RetainExceptOnCreate" and not is_obsolete):
                bench.delete(resource, current=is_obsolete)
            else:
                stack.note(resource, "DELETE_SKIPPED")
        if is_obsolete:
            stack.drop(resource.logical_id)


def _tear_down(stack: Stack, bench: Workbench, retained: Collection[str], keep: Collection[str] = ()) -> list[str]:
    """Deletes what the policies allow; returns the logical ids that could not be deleted."""
    failed: list[str] = []
    blocked: set[str] = set()
    for resource in _dependents_first(stack.resources):
        if not resource.is_live:
            if resource.status != "DELETE_COMPLETE":
                stack.put(resource, "DELETE_COMPLETE")
        elif resource.deletion_policy in retained or resource.logical_id in keep:
            stack.put(resource, "DELETE_SKIPPED")
        elif resource.logical_id in blocked or not bench.delete(resource):
            blocked |= resource.needs
            if resource.logical_id not in blocked:
                failed.append(resource.logical_id)
    return failed


def _dependents_first(resources: Mapping[str, Resource]) -> list[Resource]:
    needs = {name: item.needs for name, item in resources.items()}
    return [resources[name] for name in reversed(creation_order(needs))]


def _desired(bench: Workbench, definition: Definition, wanted: ResourceDefinition, status: str) -> dict[str, Any]:
    try:
        return bench.desired(definition, wanted)
    except (ResourceFailure, Refused) as error:
        reason = error.message if isinstance(error, Refused) else str(error)
        bench.fail(wanted, status, reason)
        raise ResourceFailure(reason) from error


def _outputs(bench: Workbench, definition: Definition) -> list[dict[str, str]]:
    scope = bench.scope(definition)
    found = []
    for name, output in definition.outputs.items():
        try:
            entry = {"OutputKey": name, "OutputValue": as_text(resolve(output["Value"], scope))}
            if "Export" in output:
                entry["ExportName"] = as_text(resolve(output["Export"]["Name"], scope))
        except Refused as error:
            raise ResourceFailure(error.message) from error
        if "Description" in output:
            entry["Description"] = output["Description"]
        found.append(entry)
    return found


def _failure_reason(verb: str, failed: Collection[str], failure: ResourceFailure | None = None) -> str:
    if not failed:
        return f"Output resolution failed: {failure}. "
    return f"The following resource(s) failed to {verb}: [{', '.join(failed)}]. "
