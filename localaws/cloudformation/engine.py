"""The stacks of an account, and the operations that run in the background on each."""

from __future__ import annotations

import logging
import re
import threading
import uuid
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from localaws.cloudformation import creation, includes, removal, template, update
from localaws.cloudformation.change_preview import Preview
from localaws.cloudformation.change_sets import ChangeSets
from localaws.cloudformation.custom_resources import CustomResource, ResponseDesk
from localaws.cloudformation.definition import Definition, StackIdentity, Submission, accept, expand
from localaws.cloudformation.dependencies import first
from localaws.cloudformation.error_codes import RequestRefused, no_such_stack, validation_error
from localaws.cloudformation.resource_operations import ResourceOperations
from localaws.cloudformation.resources import TYPES
from localaws.cloudformation.resources.base import Registry
from localaws.cloudformation.service_calls import Connected, ServiceCalls, over_http
from localaws.cloudformation.stack import USER_INITIATED, Stack, StackEvent
from localaws.cloudformation.status_change import status_change

if TYPE_CHECKING:
    from collections.abc import Callable, Collection

    from localaws.cloudformation.definition import Expansion
    from localaws.cloudformation.dependencies import Choice
    from localaws.iam.sessions import Session

logger = logging.getLogger(__name__)

STACK_NAME = re.compile(r"[a-zA-Z][-a-zA-Z0-9]*")
LONGEST_STACK_NAME = 128
# What a stack says once its macros were called.
EXPANDED = "Transformation succeeded"
UPDATABLE = {
    "CREATE_COMPLETE",
    "IMPORT_COMPLETE",
    "UPDATE_COMPLETE",
    "UPDATE_FAILED",
    "UPDATE_ROLLBACK_COMPLETE",
}


@dataclass(frozen=True)
class AccountRegion:
    """The account and Region a request was made in."""

    account_id: str
    region: str


class CloudFormation:
    """The engine behind the API.

    `patience_seconds` is how long an answer waits for its operation to end: sam polls a new stack only
    every 15 s and a deleted one every 30 s, so an answer that comes a moment later spares the whole wait.
    `publish` puts an event on EventBridge's default bus: there is one for each status of a stack. That an update or its
    rollback begins is heard before its first resource is touched, which takes AWS longer than an event: so
    `wait_until_heard` waits for whoever it set off. Whoever wants such an event to come late, as AWS may have it, puts
    another `publish` in front. `choose` says which of the resources that wait for nothing comes next: on AWS they come
    into being at the same time. `pause` is called after each resource, for whoever lets time pass in a deployment.
    """

    def __init__(
        self,
        endpoint: Callable[[], str],
        *,
        patience_seconds: float = 2.0,
        deletion_patience_seconds: float = 20.0,
        publish: Callable[[dict[str, Any]], None] = lambda _: None,
        choose: Choice = first,
        connected: Connected = over_http,
        wait_until_heard: Callable[[], None] = lambda: None,
    ) -> None:
        self.desk = ResponseDesk(endpoint)
        self.registry = Registry({**TYPES, Registry.CUSTOM: CustomResource(self.desk)})
        self.patience_seconds = patience_seconds
        self.deletion_patience_seconds = deletion_patience_seconds
        self._endpoint = endpoint
        self.publish = publish
        self._wait_until_heard = wait_until_heard
        self._choose = choose
        self._connected = connected
        self.pause: Callable[[], None] = lambda: None
        # Of stacks and events; how many AWS gives it does not say.
        self.most_a_page = 100
        self._stacks: list[Stack] = []
        self._aws: dict[str, ServiceCalls] = {}
        self.lock = threading.RLock()
        self.change_sets = ChangeSets(self)
        self._stamp_lock = threading.Lock()
        self._last_stamp = datetime.min.replace(tzinfo=UTC)

    def aws(self, region: str) -> ServiceCalls:
        """The APIs of one Region, for the resources of its stacks and for templates in its S3."""
        with self.lock:
            return self._aws.setdefault(region, ServiceCalls(self._endpoint, region, self._connected))

    def stacks(self, where: AccountRegion) -> list[Stack]:
        """Newest first, deleted ones included."""
        with self.lock:
            return [stack for stack in reversed(self._stacks) if _account_region(stack) == where]

    def find(self, where: AccountRegion, name_or_id: str) -> Stack | None:
        """By name only those that still exist; by id also a deleted one."""
        for stack in self.stacks(where):
            if stack.id == name_or_id or (stack.name == name_or_id and stack.status != "DELETE_COMPLETE"):
                return stack
        return None

    def existing(self, where: AccountRegion, name_or_id: str) -> Stack:
        stack = self.find(where, name_or_id)
        if stack is None:
            raise no_such_stack(name_or_id)
        return stack

    def blank(self, where: AccountRegion, name: str) -> Stack:
        """A stack that nobody sees before it is kept."""

        def announce(stack: Stack, event: StackEvent) -> None:
            self.publish(status_change(stack, event))

        return Stack(_new_identity(where, name), self.stamp, announce)

    def keep(self, stack: Stack) -> None:
        self._stacks.append(stack)

    def create_stack(
        self,
        where: AccountRegion,
        name: str,
        submission: Submission,
        on_failure: str,
        *,
        protected: bool = False,
        session: Session | None = None,
        client_token: str | None = None,
    ) -> Stack:
        """The new stack; the one that there is where it was asked for with the same token."""
        self._require_auto_expand(submission)
        with self.lock:
            existing = self.find(where, name)
            if existing and client_token and existing.client_token == client_token:
                return existing
            if existing:
                code, message = "AlreadyExistsException", f"Stack [{name}] already exists"
                raise RequestRefused(code, message)
            stack = self.blank(where, name)
            accepted = accept(submission, stack.identity)
            expansion = self._expansion(stack, accepted)
            stack.termination_protected = protected
            stack.session = session
            stack.client_token = client_token
            self.keep(stack)
        self.begin_creation(stack, accepted, on_failure, expansion)
        return stack

    def update_stack(
        self,
        where: AccountRegion,
        name: str,
        submission: Submission,
        *,
        disable_rollback: bool = False,
        session: Session | None = None,
        client_token: str | None = None,
    ) -> Stack:
        """The stack, whose update begins, or began already where it was asked for with the same token."""
        stack = self.existing(where, name)
        if client_token and stack.client_token == client_token:
            return stack
        submission = self.completed(stack, submission)
        self._require_auto_expand(submission)
        accepted = self._accept_update(stack, submission)
        expansion = self._expansion(stack, accepted)
        # With a macro CloudFormation updates a stack whether anything changes or not. LocalStack's tests, held against
        # AWS, show it (test_update_stack_with_same_template_withoutchange_transformation).
        if not accepted.has_macros:
            preview = Preview(stack, expansion(), self.registry)
            if not preview.changes() and not preview.outputs_differ():
                message = "No updates are to be performed."
                raise validation_error(message)
        stack.session = session or stack.session
        self.begin_update(stack, expansion, disable_rollback=disable_rollback, client_token=client_token)
        return stack

    def delete_stack(
        self, where: AccountRegion, name: str, keep: Collection[str] = (), *, session: Session | None = None
    ) -> None:
        stack = self.find(where, name)
        if stack is None or stack.status == "DELETE_COMPLETE":
            return
        with stack.lock:
            if stack.termination_protected:
                message = f"Stack [{stack.name}] cannot be deleted while TerminationProtection is enabled"
                raise validation_error(message)
            if stack.is_busy:
                message = f"Stack [{stack.id}] cannot be deleted while in status {stack.status}"
                raise validation_error(message)
            stack.session = session or stack.session
            stack.client_token = None
            stack.enter("DELETE_IN_PROGRESS", USER_INITIATED)
        operations = self._operations(stack)
        self._run(
            stack, lambda: removal.delete(stack, operations, keep), "DELETE_FAILED", self.deletion_patience_seconds
        )

    def stamp(self) -> datetime:
        """Now, but never the same twice: clients tell new events from old ones by their time alone,
        and simulated time may stand still."""
        with self._stamp_lock:
            now = datetime.now(UTC)
            now = now.replace(microsecond=now.microsecond // 1000 * 1000)
            self._last_stamp = max(now, self._last_stamp + timedelta(milliseconds=1))
            return self._last_stamp

    def rollback_stack(self, where: AccountRegion, name: str) -> Stack:
        """Takes a stack whose failure was left as it was back to its last stable state."""
        stack = self.existing(where, name)
        operations = self._operations(stack)
        with stack.lock:
            definition = stack.definition
            if stack.status == "CREATE_FAILED":
                stack.enter("ROLLBACK_IN_PROGRESS", USER_INITIATED)
                work, failed = (lambda: removal.roll_back_creation(stack, operations)), "ROLLBACK_FAILED"
            elif stack.status == "UPDATE_FAILED" and definition is not None:
                stack.enter("UPDATE_ROLLBACK_IN_PROGRESS", USER_INITIATED)
                work, failed = (lambda: update.roll_back(stack, operations, definition)), "UPDATE_ROLLBACK_FAILED"
            else:
                message = f"Stack [{stack.id}] cannot be rolled back while in status {stack.status}"
                raise validation_error(message)
        self._run(stack, work, failed, self.patience_seconds)
        return stack

    def prepare_update(self, stack: Stack, submission: Submission) -> Definition:
        return self._expanded(stack, self._accept_update(stack, submission))

    def prepare_creation(self, stack: Stack, submission: Submission) -> Definition:
        return self._expanded(stack, accept(submission, stack.identity))

    def _accept_update(self, stack: Stack, submission: Submission) -> Definition:
        if stack.status not in UPDATABLE:
            message = f"Stack:{stack.id} is in {stack.status} state and can not be updated."
            raise validation_error(message)
        return accept(submission, stack.identity, stack.definition)

    def _expansion(self, stack: Stack, accepted: Definition) -> Expansion:
        """With a macro whatever is wrong shows in the background, as on AWS, and the stack says how that went; without
        one it is refused at once.
        """
        if not accepted.has_macros:
            definition = self._expanded(stack, accepted)
            return lambda: definition

        def expanded() -> Definition:
            try:
                found = self._expanded(stack, accepted)
            except RequestRefused as refusal:
                stack.enter(stack.status, refusal.message)
                raise
            stack.enter(stack.status, EXPANDED)
            return found

        return expanded

    def _expanded(self, stack: Stack, accepted: Definition) -> Definition:
        snippets = includes.in_s3(lambda: self.aws(stack.identity.region).client("s3"))
        return expand(accepted, stack.identity, self.registry, snippets=snippets)

    def completed(self, stack: Stack, submission: Submission) -> Submission:
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
            template.has_macros(template.parse(submission.template_text))
            and "CAPABILITY_AUTO_EXPAND" not in submission.capabilities
        ):
            code, message = "InsufficientCapabilitiesException", "Requires capabilities : [CAPABILITY_AUTO_EXPAND]"
            raise RequestRefused(code, message)

    def begin_creation(self, stack: Stack, accepted: Definition, on_failure: str, expansion: Expansion) -> None:
        with stack.lock:
            stack.definition = accepted
            stack.disable_rollback = on_failure == "DO_NOTHING"
            stack.enter("CREATE_IN_PROGRESS", USER_INITIATED)
        operations = self._operations(stack)
        self._run(
            stack,
            lambda: creation.create(stack, operations, expansion, on_failure),
            "CREATE_FAILED",
            self.patience_seconds,
        )

    def begin_update(
        self, stack: Stack, expansion: Expansion, *, disable_rollback: bool, client_token: str | None = None
    ) -> None:
        with stack.lock:
            if stack.is_busy:
                message = f"Stack:{stack.id} is in {stack.status} state and can not be updated."
                raise validation_error(message)
            stack.disable_rollback = disable_rollback
            stack.client_token = client_token
            stack.enter("UPDATE_IN_PROGRESS", USER_INITIATED)
        operations = self._operations(stack)
        self._run(stack, lambda: update.update(stack, operations, expansion), "UPDATE_FAILED", self.patience_seconds)

    def _operations(self, stack: Stack) -> ResourceOperations:
        aws = self.aws(stack.identity.region)
        return ResourceOperations(stack, self.registry, aws, self._choose, self._rest, self._wait_until_heard)

    def _rest(self) -> None:
        # Asked each time: somebody may set it while a deployment goes on.
        self.pause()

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


def _account_region(stack: Stack) -> AccountRegion:
    return AccountRegion(stack.identity.account_id, stack.identity.region)


def _new_identity(where: AccountRegion, name: str) -> StackIdentity:
    rule = ""
    if not STACK_NAME.fullmatch(name):
        rule = f"satisfy regular expression pattern: {STACK_NAME.pattern}"
    elif len(name) > LONGEST_STACK_NAME:
        rule = f"have length less than or equal to {LONGEST_STACK_NAME}"
    if rule:
        constraint = f"failed to satisfy constraint: Member must {rule}"
        message = f"1 validation error detected: Value '{name}' at 'stackName' {constraint}"
        raise validation_error(message)
    stack_id = f"arn:aws:cloudformation:{where.region}:{where.account_id}:stack/{name}/{uuid.uuid4()}"
    return StackIdentity(where.account_id, where.region, name, stack_id)
