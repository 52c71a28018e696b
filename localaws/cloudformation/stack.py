"""A stack as it stands: its resources, its events and its status, readable while an operation works on it."""

from __future__ import annotations

import threading
import uuid
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from datetime import datetime

    from localaws.cloudformation.definition import Definition, StackIdentity
    from localaws.iam.sessions import Session

STACK_TYPE = "AWS::CloudFormation::Stack"
USER_INITIATED = "User Initiated"


@dataclass(frozen=True)
class Resource:
    """One resource of a stack, with the properties that were last applied, resolved."""

    logical_id: str
    type: str
    status: str
    changed_at: datetime
    physical_id: str = ""
    properties: Mapping[str, Any] = field(default_factory=dict)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    needs: frozenset[str] = frozenset()
    deletion_policy: str = "Delete"
    update_replace_policy: str = "Delete"
    reason: str | None = None

    @property
    def is_live(self) -> bool:
        return bool(self.physical_id) and self.status not in ("DELETE_COMPLETE", "DELETE_SKIPPED")


@dataclass(frozen=True)
class StackEvent:
    """One line of a stack's history."""

    event_id: str
    logical_id: str
    physical_id: str
    type: str
    status: str
    timestamp: datetime
    reason: str | None
    properties: Mapping[str, Any] | None


@dataclass(frozen=True)
class FailedValidation:
    """What an operation on a stack was refused for before it touched anything."""

    event_id: str
    logical_id: str
    type: str
    name: str
    timestamp: datetime
    reason: str


@dataclass(frozen=True)
class Touched:
    """A resource that an update has begun to change, as it was before (None: it is new)."""

    logical_id: str
    before: Resource | None


@dataclass
class ChangeSet:
    """A change that was computed and waits to be executed."""

    id: str
    name: str
    kind: str
    description: str | None
    created_at: datetime
    status: str
    execution_status: str
    reason: str | None = None
    definition: Definition | None = None
    changes: list[dict[str, Any]] = field(default_factory=list)


class Stack:
    """State guarded by `lock`: the operation writes under it, and so does every answer that reads."""

    def __init__(
        self, identity: StackIdentity, stamp: Callable[[], datetime], announce: Callable[[Stack, StackEvent], None]
    ) -> None:
        self.identity = identity
        self.lock = threading.RLock()
        self.status = "REVIEW_IN_PROGRESS"
        self.reason: str | None = None
        self.definition: Definition | None = None
        self.resources: dict[str, Resource] = {}
        self.events: list[StackEvent] = []
        self.failed_validations: list[FailedValidation] = []
        self.outputs: list[dict[str, str]] = []
        self.change_sets: dict[str, ChangeSet] = {}
        self.unfinished: list[Touched] = []
        self.disable_rollback = False
        self.termination_protected = False
        # Of the role that it was given last; without one it works with the rights of whoever asked.
        self.session: Session | None = None
        self.updated_at: datetime | None = None
        self.deleted_at: datetime | None = None
        self._stamp = stamp
        self._announce = announce
        self.operation_token = str(uuid.uuid4())
        # What whoever asks for an operation calls it, to be told the same if they ask again.
        self.client_token: str | None = None
        self.created_at = stamp()

    @property
    def name(self) -> str:
        return self.identity.stack_name

    @property
    def id(self) -> str:
        return self.identity.stack_id

    @property
    def is_busy(self) -> bool:
        return self.status.endswith("_IN_PROGRESS") and self.status != "REVIEW_IN_PROGRESS"

    def enter(self, status: str, reason: str | None = None) -> None:
        """A new status of the stack, with its event, and whoever listens told of it."""
        with self.lock:
            if reason == USER_INITIATED:
                self.operation_token = self.client_token or str(uuid.uuid4())
            event = StackEvent(str(uuid.uuid4()), self.name, self.id, STACK_TYPE, status, self._stamp(), reason, None)
            self.events.append(event)
            self.status = status
            self.reason = reason
            if status == "UPDATE_IN_PROGRESS" and reason == USER_INITIATED:
                self.updated_at = event.timestamp
            elif status == "DELETE_COMPLETE":
                self.deleted_at = event.timestamp
        self._announce(self, event)

    def put(self, resource: Resource, status: str, reason: str | None = None) -> Resource:
        """A resource in a new status, with its event; returns it as stored."""
        with self.lock:
            stored = self.note(resource, status, reason)
            self.resources[stored.logical_id] = stored
            return stored

    def note(self, resource: Resource, status: str, reason: str | None = None) -> Resource:
        """The event alone, for a resource that is no longer the stack's current one of that name."""
        with self.lock:
            event = StackEvent(
                event_id=f"{resource.logical_id}-{status}-{uuid.uuid4()}",
                logical_id=resource.logical_id,
                physical_id=resource.physical_id,
                type=resource.type,
                status=status,
                timestamp=self._stamp(),
                reason=reason,
                properties=resource.properties,
            )
            self.events.append(event)
            return replace(resource, status=status, reason=reason, changed_at=event.timestamp)

    def refuse(self, logical_id: str, type_name: str, identifier: str) -> None:
        """Notes that the name of a resource to be made is another one's."""
        with self.lock:
            failed = FailedValidation(
                event_id=str(uuid.uuid4()),
                logical_id=logical_id,
                type=type_name,
                name="NAME_CONFLICT_VALIDATION",
                timestamp=self._stamp(),
                reason=f"Resource of type '{type_name}' with identifier '{identifier}' already exists.",
            )
            self.failed_validations.append(failed)

    def drop(self, logical_id: str) -> None:
        with self.lock:
            self.resources.pop(logical_id, None)

    def restore(self, resource: Resource) -> None:
        with self.lock:
            self.resources[resource.logical_id] = resource
