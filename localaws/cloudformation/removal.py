"""Deleting: a whole stack, what a failed creation left, and what an update no longer needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from localaws.cloudformation.error_codes import failure_reason

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from localaws.cloudformation.resource_operations import ResourceOperations
    from localaws.cloudformation.stack import Resource, Stack


@dataclass(frozen=True)
class Leftover:
    """A resource that an update has made superfluous.

    `is_current` is False for one that was replaced: the stack's resource of its name is another by now.
    """

    resource: Resource
    is_current: bool
    is_kept: bool


def delete(stack: Stack, operations: ResourceOperations, keep: Collection[str] = ()) -> None:
    """Deletes every resource, dependents first; `keep` are logical ids the caller wants left alone."""
    failed = _tear_down(stack, operations, retained={"Retain", "RetainExceptOnCreate"}, keep=keep)
    if failed:
        stack.enter("DELETE_FAILED", failure_reason("delete", failed))
    else:
        stack.enter("DELETE_COMPLETE")


def roll_back_creation(stack: Stack, operations: ResourceOperations) -> None:
    failed = _tear_down(stack, operations, retained={"Retain"})
    if failed:
        stack.enter("ROLLBACK_FAILED", failure_reason("delete", failed))
    else:
        stack.enter("ROLLBACK_COMPLETE")


def clean_up(stack: Stack, operations: ResourceOperations, leftovers: Iterable[Leftover]) -> None:
    """Deletes what nothing uses any more. As on AWS, a failure here is in the events and changes no outcome."""
    by_name = {item.resource.logical_id: item for item in leftovers}
    for resource in _dependents_first(operations, {name: item.resource for name, item in by_name.items()}):
        item = by_name[resource.logical_id]
        if resource.is_live and item.is_kept:
            stack.note(resource, "DELETE_SKIPPED")
        elif resource.is_live:
            operations.delete(resource, current=item.is_current)
        if item.is_current:
            stack.drop(resource.logical_id)


def _tear_down(
    stack: Stack, operations: ResourceOperations, retained: Collection[str], keep: Collection[str] = ()
) -> list[str]:
    """Deletes what the policies allow; returns the logical ids that could not be deleted."""
    failed: list[str] = []
    blocked: set[str] = set()
    for resource in _dependents_first(operations, stack.resources):
        if not resource.is_live:
            if resource.status != "DELETE_COMPLETE":
                stack.put(resource, "DELETE_COMPLETE")
        elif resource.deletion_policy in retained or resource.logical_id in keep:
            stack.put(resource, "DELETE_SKIPPED")
        elif resource.logical_id in blocked or not operations.delete(resource):
            blocked |= resource.needs
            if resource.logical_id not in blocked:
                failed.append(resource.logical_id)
    return failed


def _dependents_first(operations: ResourceOperations, resources: Mapping[str, Resource]) -> list[Resource]:
    return [resources[name] for name in reversed(operations.in_order(resources))]
