"""What a resource type is to the engine, and the registry of the known ones."""

from __future__ import annotations

import re
import secrets
import string
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from localaws.cloudformation.error_codes import ResourceFailure, validation_error
from localaws.cloudformation.properties import check_reserved
from localaws.cloudformation.schemas import Schema, schema

if TYPE_CHECKING:
    from localaws.cloudformation.service_calls import ServiceCalls

Properties = Mapping[str, Any]


@dataclass(frozen=True)
class ResourceOutcome:
    """A resource after a create or an update: what Ref and Fn::GetAtt give."""

    physical_id: str
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class HandlerRequest:
    """One request to one resource, with everything a type may need to serve it.

    `exists` is to be called as soon as the resource is there, so that a failure in a later step
    still lets the rollback delete it.
    """

    aws: ServiceCalls
    account_id: str
    region: str
    stack_name: str
    stack_id: str
    logical_id: str
    type: str
    properties: Properties
    exists: Callable[[str], None]
    physical_id: str = ""

    def name(self, *, lower: bool = False) -> str:
        """The given name, or one as CloudFormation makes it: stack-logical-RANDOM."""
        known = schema(self.type)
        given_by = known.name_property
        assert given_by is not None, f"{self.type} has no name"  # noqa: S101 - asked for by its own type only
        if given_by in self.properties:
            return str(self.properties[given_by])
        name = self.generated_name(known.properties[given_by]["maxLength"], lower=lower)
        check_reserved(self.type, self.logical_id, {given_by: name})
        return name

    def generated_name(self, max_length: int, *, lower: bool = False) -> str:
        suffix = "".join(secrets.choice(string.ascii_uppercase + string.digits) for _ in range(12))
        room = max_length - len(suffix) - 2
        # As IdentifierUtils of cloudformation-cli-java-plugin does: not every service takes two in a row.
        single = re.sub("-{2,}", "-", self.stack_name)
        stack = single[: max(room // 2, room - len(self.logical_id))]
        name = f"{stack}-{self.logical_id[: room - len(stack)]}-{suffix}"
        return name.lower() if lower else name


class ResourceType(ABC):
    """One AWS resource type; a property that is not of its `properties` is refused before anything is touched.

    What they are, and which of them cannot change in place, says the type's schema. Most types hand them all on to the
    service's own API, which refuses what it does not know; a type that picks them one by one names those in `applied`.
    `more_attributes` are those of Fn::GetAtt that the schema does not tell: it lists what a template cannot set.
    """

    type_name: ClassVar[str]
    applied: ClassVar[frozenset[str] | None] = None
    more_attributes: ClassVar[frozenset[str]] = frozenset()

    @cached_property
    def schema(self) -> Schema:
        return schema(self.type_name)

    @cached_property
    def properties(self) -> frozenset[str]:
        known = frozenset(self.schema.properties)
        return known if self.applied is None else known & self.applied

    @cached_property
    def replaced(self) -> frozenset[str]:
        """Properties of which some change at least needs a new physical resource."""
        return self.properties & (self.schema.replaced | self.schema.sometimes_replaced)

    @property
    def attributes(self) -> frozenset[str]:
        return self.schema.attributes | self.more_attributes

    @abstractmethod
    def create(self, call: HandlerRequest) -> ResourceOutcome: ...

    @abstractmethod
    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome: ...

    @abstractmethod
    def delete(self, call: HandlerRequest) -> None: ...

    def is_taken(self, call: HandlerRequest) -> bool:
        """Whether another one has the name that the template gives, as far as this type is asked beforehand."""
        del call
        return False

    def replaces(self, old: Properties, new: Properties, changed: frozenset[str]) -> bool:
        """Whether a change of these properties needs a new physical resource."""
        del old, new
        return bool(changed & self.replaced)

    def has_attribute(self, name: str) -> bool:
        return name in self.attributes

    def check_properties(self, logical_id: str, properties: Properties) -> None:
        if unknown := sorted(set(properties) - self.properties):
            message = (
                f"Encountered unsupported property {unknown[0]} of {logical_id}: the sandbox does not know this "
                f"property of {self.type_name}; it knows {', '.join(sorted(self.properties))}"
            )
            raise validation_error(message)

    def with_stack_tags(self, properties: dict[str, Any], stack_tags: Mapping[str, str]) -> dict[str, Any]:
        """Stack tags reach every resource that can have tags; its own tags win."""
        if "Tags" not in self.properties or not stack_tags:
            return properties
        as_map = self.schema.properties["Tags"]["type"] == "object"
        own = properties.get("Tags", {} if as_map else [])
        if isinstance(own, dict):
            return {**properties, "Tags": {**stack_tags, **own}}
        names = {tag["Key"] for tag in own}
        inherited = [{"Key": key, "Value": value} for key, value in stack_tags.items() if key not in names]
        return {**properties, "Tags": [*own, *inherited]}


class Unchangeable(ResourceType):
    """A type of which every change of a property needs a new physical resource, so that none reaches `update`."""

    def update(self, call: HandlerRequest, old: Properties) -> ResourceOutcome:
        message = f"{self.type_name} has no property that can change in place: {old} to {call.properties}"
        raise ResourceFailure(message)


class Registry:
    """The resource types by name; every `Custom::...` is the custom resource."""

    CUSTOM = "AWS::CloudFormation::CustomResource"

    def __init__(self, types: Mapping[str, ResourceType]) -> None:
        self._types = dict(types)

    def knows(self, type_name: str) -> bool:
        return self._key(type_name) in self._types

    def find(self, type_name: str) -> ResourceType:
        return self._types[self._key(type_name)]

    def _key(self, type_name: str) -> str:
        return self.CUSTOM if type_name.startswith("Custom::") else type_name


def tags_by_key(properties: Properties) -> dict[str, str]:
    """Tags as a mapping, from the list form or the map form."""
    tags = properties.get("Tags", {})
    return dict(tags) if isinstance(tags, dict) else {tag["Key"]: str(tag["Value"]) for tag in tags}


def untagged(properties: Properties) -> dict[str, Any]:
    """The properties without the tags."""
    return {key: value for key, value in properties.items() if key != "Tags"}


def tag_changes(old: Properties, new: Properties) -> tuple[list[str], dict[str, str]]:
    """The keys that an update takes away, and all tags there are then; none of these where they stay as they are."""
    before, after = tags_by_key(old), tags_by_key(new)
    return sorted(before.keys() - after.keys()), after if before != after else {}


def listed(tags: Mapping[str, str]) -> list[dict[str, str]]:
    """Tags in the form that most APIs take them in."""
    return [{"Key": key, "Value": value} for key, value in tags.items()]


def picked(properties: Properties, *names: str) -> dict[str, Any]:
    """The named properties, without those that are not set."""
    return {name: properties[name] for name in names if name in properties}
