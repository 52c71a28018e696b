"""Change sets: what an update would do, computed first and executed later."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from localaws.cloudformation import template
from localaws.cloudformation.change_preview import NO_CHANGES, Preview
from localaws.cloudformation.error_codes import RequestRefused, no_such_stack, validation_error
from localaws.cloudformation.stack import USER_INITIATED, ChangeSet

if TYPE_CHECKING:
    from localaws.cloudformation.definition import Submission
    from localaws.cloudformation.engine import AccountRegion, CloudFormation
    from localaws.cloudformation.stack import Stack


class ChangeSets:
    """The change sets of an engine's stacks."""

    def __init__(self, engine: CloudFormation) -> None:
        self._engine = engine

    def create(
        self,
        where: AccountRegion,
        stack_name: str,
        submission: Submission,
        *,
        name: str,
        kind: str,
        description: str | None = None,
    ) -> tuple[Stack, ChangeSet]:
        """The change set is ready when this returns, as CREATE_COMPLETE or as FAILED with its reason."""
        with self._engine.lock:
            stack = self._stack_for_change_set(where, stack_name, kind)
            submission = self._engine.completed(stack, submission)
            # The command lines name a change set after the second; here two deployments fit into one, so only
            # a change set that could still be executed keeps its name.
            if any(
                other.name == name and other.execution_status == "AVAILABLE" for other in stack.change_sets.values()
            ):
                code, message = "AlreadyExistsException", f"ChangeSet [{name}] already exists"
                raise RequestRefused(code, message)
            change_set = ChangeSet(
                id=f"arn:aws:cloudformation:{where.region}:{where.account_id}:changeSet/{name}/{uuid.uuid4()}",
                name=name,
                kind=kind,
                description=description,
                created_at=self._engine.stamp(),
                status="CREATE_COMPLETE",
                execution_status="AVAILABLE",
            )
            try:
                self._fill(stack, change_set, submission)
            except RequestRefused as refusal:
                # AWS expands transforms in the background, so its errors arrive as the change set's status.
                if not template.has_macros(template.parse(submission.template_text)):
                    raise
                _fail(change_set, refusal.message)
            if self._engine.find(where, stack.id) is None:
                self._engine.keep(stack)
                stack.enter("REVIEW_IN_PROGRESS", USER_INITIATED)
            stack.change_sets[change_set.id] = change_set
            return stack, change_set

    def execute(
        self, stack: Stack, change_set: ChangeSet, *, disable_rollback: bool, on_failure: str | None = None
    ) -> None:
        definition = change_set.definition
        if change_set.execution_status != "AVAILABLE" or definition is None:
            code = "InvalidChangeSetStatus"
            message = f"ChangeSet [{change_set.id}] cannot be executed in its current status of [{change_set.status}]"
            raise RequestRefused(code, message)
        with stack.lock:
            change_set.execution_status = "EXECUTE_COMPLETE"
            stack.change_sets = {change_set.id: change_set}
        if change_set.kind == "CREATE":
            on_failure = on_failure or ("DO_NOTHING" if disable_rollback else "ROLLBACK")
            self._engine.begin_creation(stack, definition, on_failure, lambda: definition)
        else:
            self._engine.begin_update(stack, lambda: definition, disable_rollback=disable_rollback)

    def find(self, where: AccountRegion, stack_name: str | None, name_or_id: str) -> tuple[Stack, ChangeSet]:
        candidates = [self._engine.existing(where, stack_name)] if stack_name else self._engine.stacks(where)
        for stack in candidates:
            for change_set in reversed(stack.change_sets.values()):
                if name_or_id in (change_set.id, change_set.name):
                    return stack, change_set
        code, message = "ChangeSetNotFound", f"ChangeSet [{name_or_id}] does not exist"
        raise RequestRefused(code, message)

    def _fill(self, stack: Stack, change_set: ChangeSet, submission: Submission) -> None:
        definition = (
            self._engine.prepare_creation(stack, submission)
            if change_set.kind == "CREATE"
            else self._engine.prepare_update(stack, submission)
        )
        preview = Preview(stack, definition, self._engine.registry)
        change_set.definition = definition
        change_set.changes = preview.changes()
        if change_set.kind == "UPDATE" and not change_set.changes and not preview.outputs_differ():
            _fail(change_set, NO_CHANGES)

    def _stack_for_change_set(self, where: AccountRegion, name: str, kind: str) -> Stack:
        stack = self._engine.find(where, name)
        if kind == "UPDATE":
            if stack is None or stack.status == "REVIEW_IN_PROGRESS":
                raise no_such_stack(name)
            return stack
        if kind != "CREATE":
            message = f"The sandbox knows the change set types CREATE and UPDATE, not {kind}"
            raise validation_error(message)
        if stack is None:
            return self._engine.blank(where, name)
        if stack.status != "REVIEW_IN_PROGRESS":
            message = f"Stack [{name}] already exists and cannot be created again with the changeSet."
            raise validation_error(message)
        return stack


def _fail(change_set: ChangeSet, reason: str) -> None:
    change_set.status = "FAILED"
    change_set.execution_status = "UNAVAILABLE"
    change_set.reason = reason
