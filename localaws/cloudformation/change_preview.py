"""What a new definition would change in a stack: the contents of a change set."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from localaws.cloudformation.error_codes import validation_error
from localaws.cloudformation.intrinsics import as_text, resolve
from localaws.cloudformation.resource_operations import changed_properties

if TYPE_CHECKING:
    from localaws.cloudformation.definition import Definition, ResourceDefinition
    from localaws.cloudformation.resources.base import Registry
    from localaws.cloudformation.stack import Resource, Stack

NO_CHANGES = "The submitted information didn't contain changes. Submit different information to create a change set."


class _NotYetKnown(Exception):
    """The value depends on a resource that this very change will create or modify."""


class Preview:
    """Compares a definition with the stack, without touching anything."""

    def __init__(self, stack: Stack, definition: Definition, registry: Registry) -> None:
        self._stack = stack
        self._definition = definition
        self._registry = registry
        self._scope = definition.scope(self._ref, self._get_att)
        self._new: set[str] = set()
        self._modified: set[str] = set()

    def changes(self) -> list[dict[str, Any]]:
        """The resource changes in creation order, removals last, as DescribeChangeSet shows them."""
        self._refuse_new_types()
        found = [self._change(self._definition.resources[name]) for name in self._definition.order]
        found += [
            _entry("Remove", item.logical_id, item.type, item.physical_id)
            for item in self._stack.resources.values()
            if item.is_live and item.logical_id not in self._definition.resources
        ]
        return [{"Type": "Resource", "ResourceChange": change} for change in found if change]

    def outputs_differ(self) -> bool:
        """Asked only when no resource changes, so every value is known."""
        shown = {
            name: (as_text(resolve(item["Value"], self._scope)), item.get("Description"))
            for name, item in self._definition.outputs.items()
        }
        current = {item["OutputKey"]: (item["OutputValue"], item.get("Description")) for item in self._stack.outputs}
        return shown != current

    def _refuse_new_types(self) -> None:
        retyped = [
            name
            for name, wanted in self._definition.resources.items()
            if (current := self._stack.resources.get(name)) and current.is_live and current.type != wanted.type
        ]
        if retyped:
            message = (
                "Update of resource type is not permitted. The new template modifies resource type of the "
                f"following resources: [{', '.join(retyped)}]"
            )
            raise validation_error(message)

    def _change(self, wanted: ResourceDefinition) -> dict[str, Any] | None:
        name = wanted.logical_id
        current = self._stack.resources.get(name)
        if current is None or not current.is_live:
            self._new.add(name)
            return _entry("Add", name, wanted.type)
        static, dynamic = self._differences(current, wanted)
        policies = [
            key
            for key, old, new in (
                ("DeletionPolicy", current.deletion_policy, wanted.deletion_policy),
                ("UpdateReplacePolicy", current.update_replace_policy, wanted.update_replace_policy),
            )
            if old != new
        ]
        if not static and not dynamic and not policies and not current.status.endswith("_FAILED"):
            return None
        self._modified.add(name)
        replacement = self._replacement(current, wanted, static, dynamic)
        if replacement == "True":
            self._new.add(name)
        entry = _entry("Modify", name, wanted.type, current.physical_id)
        return {
            **entry,
            "Replacement": replacement,
            "Scope": [*policies, *(["Properties"] if static or dynamic else [])],
            "Details": [_detail(item, "Static") for item in sorted(static)]
            + [_detail(item, "Dynamic") for item in sorted(dynamic)],
        }

    def _differences(self, current: Resource, wanted: ResourceDefinition) -> tuple[frozenset[str], frozenset[str]]:
        """Properties that certainly differ, and those that can only be known while the stack changes."""
        known: dict[str, Any] = {}
        unknown: set[str] = set()
        for name, value in wanted.properties.items():
            try:
                known |= resolve({name: value}, self._scope)
            except _NotYetKnown:
                unknown.add(name)
        kind = self._registry.find(wanted.type)
        if "Tags" not in unknown:
            known = kind.with_stack_tags(known, self._definition.tags)
        return changed_properties(current.properties, known) - unknown, frozenset(unknown)

    def _replacement(
        self, current: Resource, wanted: ResourceDefinition, static: frozenset[str], dynamic: frozenset[str]
    ) -> str:
        kind = self._registry.find(wanted.type)
        if static and kind.replaces(current.properties, wanted.properties, static):
            return "True"
        return "Conditional" if dynamic & kind.replaced else "False"

    def _ref(self, logical_id: str) -> str:
        if logical_id in self._new:
            raise _NotYetKnown
        return self._stack.resources[logical_id].physical_id

    def _get_att(self, logical_id: str, attribute: str) -> Any:
        if logical_id in self._new | self._modified:
            raise _NotYetKnown
        try:
            return self._stack.resources[logical_id].attributes[attribute]
        except KeyError as error:
            raise _NotYetKnown from error


def _entry(action: str, logical_id: str, type_name: str, physical_id: str | None = None) -> dict[str, Any]:
    entry = {"Action": action, "LogicalResourceId": logical_id, "ResourceType": type_name}
    return {**entry, "PhysicalResourceId": physical_id} if physical_id else entry


def _detail(name: str, evaluation: str) -> dict[str, Any]:
    target = {"Attribute": "Properties", "Name": name, "RequiresRecreation": "Never"}
    source = "DirectModification" if evaluation == "Static" else "ResourceAttribute"
    return {"Target": target, "Evaluation": evaluation, "ChangeSource": source}
