"""One resource at a time: its desired properties, and the create, update or delete that brings them about."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from botocore.exceptions import BotoCoreError, ClientError

from localaws.cloudformation import properties as limits
from localaws.cloudformation import service_role
from localaws.cloudformation.dependencies import creation_order
from localaws.cloudformation.error_codes import NameConflict, RequestRefused, ResourceFailure
from localaws.cloudformation.intrinsics import Scope, as_text, resolve
from localaws.cloudformation.resources.base import HandlerRequest, Registry, ResourceOutcome, ResourceType
from localaws.cloudformation.stack import Resource, Stack

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from localaws.cloudformation.definition import Definition, ResourceDefinition
    from localaws.cloudformation.dependencies import Choice
    from localaws.cloudformation.service_calls import ServiceCalls

REPLACEMENT_REASON = "Requested update requires the creation of a new physical resource; hence creating one."


class ResourceOperations:
    """Works on the resources of one stack through the real APIs, and writes its events."""

    def __init__(
        self,
        stack: Stack,
        registry: Registry,
        aws: ServiceCalls,
        choose: Choice,
        pause: Callable[[], None],
        wait_until_heard: Callable[[], None] = lambda: None,
    ) -> None:
        self._stack = stack
        self._registry = registry
        self._aws = aws
        self._choose = choose
        self._pause = pause
        self.wait_until_heard = wait_until_heard

    def in_order(self, resources: Mapping[str, ResourceDefinition | Resource]) -> list[str]:
        """The logical ids, each after all it needs; what does not depend on each other in any order."""
        return creation_order({name: item.needs for name, item in resources.items()}, choose=self._choose)

    def kind(self, type_name: str) -> ResourceType:
        return self._registry.find(type_name)

    def scope(self, definition: Definition) -> Scope:
        return definition.scope(self._ref, self._get_att)

    def desired(self, definition: Definition, wanted: ResourceDefinition) -> dict[str, Any]:
        """The properties to apply now: references are answered by the resources as they are at this moment."""
        properties = resolve(dict(wanted.properties), self.scope(definition))
        return self.kind(wanted.type).with_stack_tags(properties, definition.tags)

    def settle(self, definition: Definition, wanted: ResourceDefinition, status: str) -> dict[str, Any]:
        """The desired properties; without them the resource fails with the status, before it is touched."""
        try:
            return self.desired(definition, wanted)
        except (ResourceFailure, RequestRefused) as error:
            reason = error.message if isinstance(error, RequestRefused) else str(error)
            self.fail(wanted, status, reason)
            raise ResourceFailure(reason) from error

    def check_names(self, definition: Definition) -> None:
        """Raises NameConflict where a name is taken that no other resource has to be there for."""
        for wanted in definition.resources.values():
            try:
                properties = self.desired(definition, wanted)
            except (ResourceFailure, RequestRefused):
                continue
            call = self._call(_blank(wanted, properties, self._stack), lambda _: None)
            name = self.kind(wanted.type).schema.name_property
            if name in properties and self.kind(wanted.type).is_taken(call):
                self._stack.refuse(wanted.logical_id, wanted.type, str(properties[name]))
        if self._stack.failed_validations:
            message = "Validation failure detected. See the operation's FAILED event for details."
            raise NameConflict(message)

    def create(self, wanted: ResourceDefinition, properties: Mapping[str, Any]) -> Resource:
        """Raises ResourceFailure; what exists by then stays recorded, so that a rollback finds it."""
        resource = self._stack.put(_blank(wanted, properties, self._stack), "CREATE_IN_PROGRESS")
        return self._create(resource, "CREATE")

    def replace(self, current: Resource, wanted: ResourceDefinition, properties: Mapping[str, Any]) -> Resource:
        """A new physical resource beside the old one, which the caller deletes in the clean-up."""
        self._stack.note(current, "UPDATE_IN_PROGRESS", REPLACEMENT_REASON)
        blank = _blank(wanted, properties, self._stack)
        self._stack.restore(blank)
        return self._create(blank, "UPDATE")

    def update(self, current: Resource, wanted: ResourceDefinition, properties: Mapping[str, Any]) -> Resource:
        """Applies the properties to the existing resource, given those it has now."""
        attempted = adopted(replace(current, properties=properties), wanted)
        attempted = self._stack.put(attempted, "UPDATE_IN_PROGRESS")
        outcome = self._guarded(
            attempted,
            "UPDATE_FAILED",
            lambda: self._updated(self._call(attempted, lambda _: None), current.properties),
        )
        updated = self._stack.put(_with(attempted, outcome), "UPDATE_COMPLETE")
        self._pause()
        return updated

    def delete(self, resource: Resource, *, current: bool = True) -> bool:
        """Deletes a physical resource; False, with the reason in the events, when that failed.

        `current` is False for one that has been replaced: the stack's resource of that name is another.
        """
        write = self._stack.put if current else self._stack.note
        write(resource, "DELETE_IN_PROGRESS")
        call = self._call(resource, lambda _: None)
        try:
            self._allowed("delete", call)
            self._attempt(lambda: self.kind(resource.type).delete(call), missing_is_fine=True)
        except ResourceFailure as failure:
            write(resource, "DELETE_FAILED", str(failure))
            return False
        write(resource, "DELETE_COMPLETE")
        self._pause()
        return True

    def fail(self, wanted: ResourceDefinition, status: str, reason: str) -> None:
        """Records that a resource could not even be attempted."""
        current = self._stack.resources.get(wanted.logical_id)
        self._stack.put(current or _blank(wanted, {}, self._stack), status, reason)

    def _create(self, resource: Resource, verb: str) -> Resource:
        begun = resource

        def exists(physical_id: str) -> None:
            nonlocal begun
            begun = self._stack.put(
                replace(begun, physical_id=physical_id), f"{verb}_IN_PROGRESS", "Resource creation Initiated"
            )

        call = self._call(resource, exists)
        try:
            limits.check(self.kind(resource.type).schema, resource.logical_id, resource.properties)
            self._allowed("create", call)
            outcome = self._attempt(lambda: self.kind(resource.type).create(call))
        except ResourceFailure as failure:
            self._stack.put(begun, f"{verb}_FAILED", str(failure))
            raise
        if not begun.physical_id:
            exists(outcome.physical_id)
        created = self._stack.put(_with(begun, outcome), f"{verb}_COMPLETE")
        self._pause()
        return created

    def _updated(self, call: HandlerRequest, before: Mapping[str, Any]) -> ResourceOutcome:
        limits.check(self.kind(call.type).schema, call.logical_id, call.properties)
        self._allowed("update", call)
        return self.kind(call.type).update(call, before)

    def _allowed(self, verb: service_role.Verb, call: HandlerRequest) -> None:
        """Raises ResourceFailure where the stack has a role, and its role may not do that."""
        if self._stack.session is not None:
            service_role.require(self._stack.session, verb, call)

    def _guarded(self, resource: Resource, status: str, action: Callable[[], ResourceOutcome]) -> ResourceOutcome:
        try:
            return self._attempt(action)
        except ResourceFailure as failure:
            self._stack.put(resource, status, str(failure))
            raise

    def _attempt[T](self, action: Callable[[], T], *, missing_is_fine: bool = False) -> T | Any:
        try:
            return action()
        except ClientError as error:
            if missing_is_fine and is_missing(error):
                return None
            raise ResourceFailure(_handler_message(error)) from error
        except (BotoCoreError, RequestRefused, KeyError, TypeError, ValueError) as error:
            text = error.message if isinstance(error, RequestRefused) else f"{type(error).__name__}: {error}"
            raise ResourceFailure(text) from error

    def _call(self, resource: Resource, exists: Callable[[str], None]) -> HandlerRequest:
        identity = self._stack.identity
        return HandlerRequest(
            aws=self._aws,
            account_id=identity.account_id,
            region=identity.region,
            stack_name=identity.stack_name,
            stack_id=identity.stack_id,
            logical_id=resource.logical_id,
            type=resource.type,
            properties=resource.properties,
            exists=exists,
            physical_id=resource.physical_id,
        )

    def _ref(self, logical_id: str) -> str:
        return self._live(logical_id).physical_id

    def _get_att(self, logical_id: str, attribute: str) -> Any:
        resource = self._live(logical_id)
        if attribute in resource.attributes:
            return resource.attributes[attribute]
        message = (
            f"CustomResource attribute error: Vendor response doesn't contain {attribute} attribute "
            f"in object {self._stack.id}|{logical_id}"
        )
        raise ResourceFailure(message)

    def _live(self, logical_id: str) -> Resource:
        resource = self._stack.resources.get(logical_id)
        if resource is None or not resource.is_live:
            message = f"Unresolved resource dependencies [{logical_id}]: it does not exist in the stack"
            raise ResourceFailure(message)
        return resource


def adopted(resource: Resource, wanted: ResourceDefinition) -> Resource:
    """The resource under the rules of a (new) template: what it needs, and its policies."""
    return replace(
        resource,
        needs=wanted.needs,
        deletion_policy=wanted.deletion_policy,
        update_replace_policy=wanted.update_replace_policy,
    )


def changed_properties(old: Mapping[str, Any], new: Mapping[str, Any]) -> frozenset[str]:
    """Top-level properties that differ; 60 and "60", true and "true" are the same to CloudFormation."""
    return frozenset(name for name in old.keys() | new.keys() if _canonical(old.get(name)) != _canonical(new.get(name)))


def is_missing(error: ClientError) -> bool:
    code = error.response["Error"]["Code"]
    status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode")
    return status == 404 or any(part in code for part in ("NotFound", "NoSuch", "DoesNotExist", "NonExistent"))


def _canonical(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _canonical(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_canonical(item) for item in value]
    return None if value is None else as_text(value)


def _blank(wanted: ResourceDefinition, properties: Mapping[str, Any], stack: Stack) -> Resource:
    blank = Resource(wanted.logical_id, wanted.type, "CREATE_IN_PROGRESS", stack.created_at, properties=properties)
    return adopted(blank, wanted)


def _with(resource: Resource, outcome: ResourceOutcome) -> Resource:
    return replace(resource, physical_id=outcome.physical_id, attributes=outcome.attributes)


def _handler_message(error: ClientError) -> str:
    details = error.response["Error"]
    metadata = error.response.get("ResponseMetadata", {})
    code = details["Code"]
    if "Exist" in code and not is_missing(error):
        kind = "AlreadyExists"
    elif is_missing(error):
        kind = "NotFound"
    elif "Denied" in code or "Unauthorized" in code:
        kind = "AccessDenied"
    else:
        kind = "InvalidRequest" if metadata.get("HTTPStatusCode", 400) < 500 else "ServiceInternalError"
    return (
        f'Resource handler returned message: "{details.get("Message", code)} ({code}, Operation: '
        f"{error.operation_name}, Status Code: {metadata.get('HTTPStatusCode')}, Request ID: "
        f'{metadata.get("RequestId", "-")})" (RequestToken: {uuid.uuid4()}, HandlerErrorCode: {kind})'
    )
