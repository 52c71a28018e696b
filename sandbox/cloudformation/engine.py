"""The stacks of an account: change sets, and the operations that run in the background on each stack."""

from __future__ import annotations

import logging
import re
import threading
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, unquote, urlsplit

from sandbox.cloudformation import operations, template
from sandbox.cloudformation.aws import Aws
from sandbox.cloudformation.changes import NO_CHANGES, Preview
from sandbox.cloudformation.custom_resources import CustomResource, ResponseDesk
from sandbox.cloudformation.definition import Definition, Place, Submission, prepare
from sandbox.cloudformation.errors import Refused, no_such_stack, validation_error
from sandbox.cloudformation.resources import TYPES
from sandbox.cloudformation.resources.base import Registry
from sandbox.cloudformation.stack import ChangeSet, Stack
from sandbox.cloudformation.workbench import Workbench

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

logger = logging.getLogger(__name__)

STACK_NAME = re.compile(r"[a-zA-Z][-a-zA-Z0-9]{0,127}")
UPDATABLE = {
    "CREATE_COMPLETE",
    "IMPORT_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_FAILED",
    "UPDATE_ROLLBACK_COMPLETE",
}
USER_INITIATED = "User Initiated"


@dataclass(frozen=True)
class Home:
    """The account and Region a request was made in."""

    account_id: str
    region: str


class CloudFormation:
    """The engine behind the API.

    `patience_seconds` is how long an answer waits for its operation to end: sam polls a new stack only
    every 15 s and a deleted one every 30 s, so an answer that comes a moment later spares the whole wait.
    """

    def __init__(
        self,
        endpoint: Callable[[], str],
        patience_seconds: float = 2.0,
        deletion_patience_seconds: float = 20.0,
    ) -> None:
        self.desk = ResponseDesk(endpoint)
        self.registry = Registry({**TYPES, Registry.CUSTOM: CustomResource(self.desk)})
        self.patience_seconds = patience_seconds
        self.deletion_patience_seconds = deletion_patience_seconds
        self._endpoint = endpoint
        self._stacks: list[Stack] = []
        self._aws: dict[str, Aws] = {}
        self._lock = threading.RLock()
        self._last_stamp = datetime.min.replace(tzinfo=UTC)

    def aws(self, region: str) -> Aws:
        with self._lock:
            return self._aws.setdefault(region, Aws(self._endpoint, region))

    def stacks(self, home: Home) -> list[Stack]:
        """Newest first, deleted ones included."""
        with self._lock:
            return [stack for stack in reversed(self._stacks) if _home(stack) == home]

    def find(self, home: Home, name_or_id: str) -> Stack | None:
        """By name only those that still exist; by id also a deleted one."""
        for stack in self.stacks(home):
            if stack.id == name_or_id or (stack.name == name_or_id and stack.status != "DELETE_COMPLETE"):
                return stack
        return None

    def existing(self, home: Home, name_or_id: str) -> Stack:
        stack = self.find(home, name_or_id)
        if stack is None:
            raise no_such_stack(name_or_id)
        return stack

    def create_stack(
        self, home: Home, name: str, submission: Submission, on_failure: str, *, protected: bool = False
    ) -> Stack:
        self._require_auto_expand(submission)
        with self._lock:
            if self.find(home, name):
                code, message = "AlreadyExistsException", f"Stack [{name}] already exists"
                raise Refused(code, message)
            place = _new_place(home, name)
            definition = prepare(submission, place, self.registry)
            stack = self._new_stack(place)
            stack.termination_protected = protected
        self._create(stack, definition, on_failure)
        return stack

    def update_stack(self, home: Home, name: str, submission: Submission, *, disable_rollback: bool = False) -> Stack:
        stack = self.existing(home, name)
        submission = self._completed(stack, submission)
        self._require_auto_expand(submission)
        definition = self._prepare_update(stack, submission)
        preview = Preview(stack, definition, self.registry)
        if not preview.changes() and not preview.outputs_differ():
            message = "No updates are to be performed."
            raise validation_error(message)
        self._update(stack, definition, disable_rollback=disable_rollback)
        return stack

    def delete_stack(self, home: Home, name: str, keep: Collection[str] = ()) -> None:
        stack = self.find(home, name)
        if stack is None or stack.status == "DELETE_COMPLETE":
            return
        with stack.lock:
            if stack.termination_protected:
                message = f"Stack [{stack.name}] cannot be deleted while TerminationProtection is enabled"
                raise validation_error(message)
            if stack.is_busy:
                message = f"Stack [{stack.id}] cannot be deleted while in status {stack.status}"
                raise validation_error(message)
            stack.enter("DELETE_IN_PROGRESS", USER_INITIATED)
        bench = self._bench(stack)
        self._run(stack, lambda: operations.delete(stack, bench, keep), "DELETE_FAILED", self.deletion_patience_seconds)

    def create_change_set(
        self,
        home: Home,
        stack_name: str,
        name: str,
        kind: str,
        submission: Submission,
        description: str | None,
    ) -> tuple[Stack, ChangeSet]:
        """The change set is ready when this returns, as CREATE_COMPLETE or as FAILED with its reason."""
        with self._lock:
            stack = self._stack_for_change_set(home, stack_name, kind)
            submission = self._completed(stack, submission)
            if any(other.name == name for other in stack.change_sets.values()):
                code, message = "AlreadyExistsException", f"ChangeSet [{name}] already exists"
                raise Refused(code, message)
            change_set = ChangeSet(
                id=f"arn:aws:cloudformation:{home.region}:{home.account_id}:changeSet/{name}/{uuid.uuid4()}",
                name=name,
                kind=kind,
                description=description,
                created_at=self.stamp(),
                status="CREATE_COMPLETE",
                execution_status="AVAILABLE",
            )
            try:
                self._fill(stack, change_set, submission)
            except Refused as refusal:
                # AWS expands a transform in the background, so its errors arrive as the change set's status.
                if not template.transforms(template.parse(submission.template_text)):
                    raise
                _fail(change_set, refusal.message)
            if stack not in self._stacks:
                self._stacks.append(stack)
                stack.enter("REVIEW_IN_PROGRESS", USER_INITIATED)
            stack.change_sets[change_set.id] = change_set
            return stack, change_set

    def execute_change_set(
        self, stack: Stack, change_set: ChangeSet, *, disable_rollback: bool, on_failure: str | None = None
    ) -> None:
        if change_set.execution_status != "AVAILABLE" or change_set.definition is None:
            code = "InvalidChangeSetStatus"
            message = f"ChangeSet [{change_set.id}] cannot be executed in its current status of [{change_set.status}]"
            raise Refused(code, message)
        with stack.lock:
            change_set.execution_status = "EXECUTE_COMPLETE"
            stack.change_sets = {change_set.id: change_set}
        if change_set.kind == "CREATE":
            self._create(stack, change_set.definition, on_failure or ("DO_NOTHING" if disable_rollback else "ROLLBACK"))
        else:
            self._update(stack, change_set.definition, disable_rollback=disable_rollback)

    def find_change_set(self, home: Home, stack_name: str | None, name_or_id: str) -> tuple[Stack, ChangeSet]:
        candidates = [self.existing(home, stack_name)] if stack_name else self.stacks(home)
        for stack in candidates:
            for change_set in stack.change_sets.values():
                if name_or_id in (change_set.id, change_set.name):
                    return stack, change_set
        code, message = "ChangeSetNotFound", f"ChangeSet [{name_or_id}] does not exist"
        raise Refused(code, message)

    def read_template(self, region: str, url: str) -> str:
        """A template from the local S3; path style, virtual-hosted style and `?versionId=` are understood."""
        parts = urlsplit(url)
        host = parts.hostname or ""
        path = unquote(parts.path.lstrip("/"))
        virtual = re.match(r"(.+)\.s3[.-][a-z0-9.-]*amazonaws\.com$", host)
        bucket, key = (virtual.group(1), path) if virtual else path.split("/", 1)
        version = parse_qs(parts.query).get("versionId", [None])[0]
        extra = {"VersionId": version} if version else {}
        try:
            answer = self.aws(region).client("s3").get_object(Bucket=bucket, Key=key, **extra)
        except Exception as error:
            message = f"S3 error: {error} ({url})"
            raise validation_error(message) from error
        return str(answer["Body"].read().decode())

    def stamp(self) -> datetime:
        """Now, but never the same twice: clients tell new events from old ones by their time alone,
        and simulated time may stand still."""
        with self._lock:
            now = datetime.now(UTC)
            now = now.replace(microsecond=now.microsecond // 1000 * 1000)
            self._last_stamp = max(now, self._last_stamp + timedelta(milliseconds=1))
            return self._last_stamp

    def _fill(self, stack: Stack, change_set: ChangeSet, submission: Submission) -> None:
        definition = (
            prepare(submission, stack.place, self.registry)
            if change_set.kind == "CREATE"
            else self._prepare_update(stack, submission)
        )
        preview = Preview(stack, definition, self.registry)
        change_set.definition = definition
        change_set.changes = preview.changes()
        if change_set.kind == "UPDATE" and not change_set.changes and not preview.outputs_differ():
            _fail(change_set, NO_CHANGES)

    def _stack_for_change_set(self, home: Home, name: str, kind: str) -> Stack:
        stack = self.find(home, name)
        if kind == "UPDATE":
            if stack is None or stack.status == "REVIEW_IN_PROGRESS":
                raise no_such_stack(name)
            return stack
        if kind != "CREATE":
            message = f"The sandbox knows the change set types CREATE and UPDATE, not {kind}"
            raise validation_error(message)
        if stack is None:
            return Stack(_new_place(home, name), self.stamp)
        if stack.status != "REVIEW_IN_PROGRESS":
            message = f"Stack [{name}] already exists and cannot be created again with the changeSet."
            raise validation_error(message)
        return stack

    def _prepare_update(self, stack: Stack, submission: Submission) -> Definition:
        if stack.status not in UPDATABLE:
            message = f"Stack:{stack.id} is in {stack.status} state and can not be updated."
            raise validation_error(message)
        return prepare(submission, stack.place, self.registry, stack.definition)

    def _completed(self, stack: Stack, submission: Submission) -> Submission:
        """The submission with the stack's own template where the caller said UsePreviousTemplate."""
        if submission.template_text:
            return submission
        if stack.definition is None:
            message = "UsePreviousTemplate cannot be used: the stack has no template yet."
            raise validation_error(message)
        return replace(submission, template_text=stack.definition.original)

    def _require_auto_expand(self, submission: Submission) -> None:
        """Only for stacks made directly: a change set is itself the review that the capability waives."""
        if (
            template.transforms(template.parse(submission.template_text))
            and "CAPABILITY_AUTO_EXPAND" not in submission.capabilities
        ):
            code, message = "InsufficientCapabilitiesException", "Requires capabilities : [CAPABILITY_AUTO_EXPAND]"
            raise Refused(code, message)

    def _new_stack(self, place: Place) -> Stack:
        stack = Stack(place, self.stamp)
        self._stacks.append(stack)
        return stack

    def _create(self, stack: Stack, definition: Definition, on_failure: str) -> None:
        with stack.lock:
            stack.definition = definition
            stack.disable_rollback = on_failure == "DO_NOTHING"
            stack.enter("CREATE_IN_PROGRESS", USER_INITIATED)
        bench = self._bench(stack)
        self._run(
            stack,
            lambda: operations.create(stack, bench, definition, on_failure),
            "CREATE_FAILED",
            self.patience_seconds,
        )

    def _update(self, stack: Stack, definition: Definition, *, disable_rollback: bool) -> None:
        with stack.lock:
            if stack.is_busy:
                message = f"Stack:{stack.id} is in {stack.status} state and can not be updated."
                raise validation_error(message)
            stack.disable_rollback = disable_rollback
            stack.enter("UPDATE_IN_PROGRESS", USER_INITIATED)
        bench = self._bench(stack)
        self._run(stack, lambda: operations.update(stack, bench, definition), "UPDATE_FAILED", self.patience_seconds)

    def _bench(self, stack: Stack) -> Workbench:
        return Workbench(stack, self.registry, self.aws(stack.place.region))

    def _run(self, stack: Stack, work: Callable[[], None], failed_status: str, patience_seconds: float) -> None:
        def guarded() -> None:
            try:
                work()
            except Exception as error:
                # A fault of the sandbox must not leave a stack in progress for ever, nor pass unseen.
                logger.exception("operation on stack %s", stack.name)
                stack.enter(failed_status, f"Internal failure of the sandbox: {type(error).__name__}: {error}")

        thread = threading.Thread(target=guarded, name=f"stack-{stack.name}", daemon=True)
        thread.start()
        thread.join(patience_seconds)


def _home(stack: Stack) -> Home:
    return Home(stack.place.account_id, stack.place.region)


def _new_place(home: Home, name: str) -> Place:
    if not STACK_NAME.fullmatch(name):
        message = (
            f"1 validation error detected: Value '{name}' at 'stackName' failed to satisfy constraint: Member must "
            "satisfy regular expression pattern: [a-zA-Z][-a-zA-Z0-9]*"
        )
        raise validation_error(message)
    stack_id = f"arn:aws:cloudformation:{home.region}:{home.account_id}:stack/{name}/{uuid.uuid4()}"
    return Place(home.account_id, home.region, name, stack_id)


def _fail(change_set: ChangeSet, reason: str) -> None:
    change_set.status = "FAILED"
    change_set.execution_status = "UNAVAILABLE"
    change_set.reason = reason
