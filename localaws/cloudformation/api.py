"""CloudFormation's API over moto's request and response machinery."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import parse_qs, urlsplit

from moto.core.responses import ActionResult, BaseResponse, EmptyResult
from moto.core.utils import camelcase_to_underscores, method_names_from_class

from localaws.account import REGION
from localaws.cloudformation import stack_shapes, template, template_url
from localaws.cloudformation.definition import Submission
from localaws.cloudformation.engine import AccountRegion, CloudFormation
from localaws.cloudformation.error_codes import RequestRefused, no_such_stack, validation_error
from localaws.cloudformation.parameters import Given
from localaws.iam.sessions import CLOUDFORMATION, NotAssumable, Session, Sessions
from localaws.pagination import page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from localaws.cloudformation.stack import Stack


class CloudFormationApi(BaseResponse):  # type: ignore[misc] # moto carries no types
    """One method an action; moto parses the request and writes the answer from botocore's model."""

    engine: ClassVar[CloudFormation]

    def __init__(self) -> None:
        super().__init__(service_name="cloudformation")
        self.automated_parameter_parsing = True

    def call_action(self) -> Any:
        action = self._get_action()
        if camelcase_to_underscores(action) not in method_names_from_class(type(self)):
            code = "InvalidOperationException"
            message = f"The sandbox's CloudFormation does not implement {action}"
            return self.serialized(ActionResult(RequestRefused(code, message)))
        return super().call_action()

    @classmethod
    def custom_resource_response(cls, request: Any, full_url: str, headers: Any) -> Any:
        """Where a custom resource's function puts its answer; not part of the API."""
        del headers
        request_id = parse_qs(urlsplit(full_url).query).get("request", [""])[0]
        delivered = cls.engine.desk.deliver(request_id, request.get_data())
        return (200, {}, "") if delivered else (403, {}, "Request has expired")

    def create_stack(self) -> ActionResult:
        self._require_region()
        session = self._session()
        on_failure = self._get_param("OnFailure")
        if on_failure is None:
            on_failure = "DO_NOTHING" if self._get_bool_param("DisableRollback", False) else "ROLLBACK"
        stack = self.engine.create_stack(
            self._account_region(),
            self._get_param("StackName"),
            self._submission(),
            on_failure,
            protected=bool(self._get_bool_param("EnableTerminationProtection", False)),
            session=session,
            client_token=self._get_param("ClientRequestToken"),
        )
        return ActionResult({"StackId": stack.id})

    def update_stack(self) -> ActionResult:
        session = self._session()
        stack = self.engine.update_stack(
            self._account_region(),
            self._get_param("StackName"),
            self._submission(),
            disable_rollback=bool(self._get_bool_param("DisableRollback", False)),
            session=session,
            client_token=self._get_param("ClientRequestToken"),
        )
        return ActionResult({"StackId": stack.id})

    def delete_stack(self) -> ActionResult:
        session = self._session()
        keep = self._get_param("RetainResources") or []
        self.engine.delete_stack(self._account_region(), self._get_param("StackName"), keep, session=session)
        return EmptyResult()

    def rollback_stack(self) -> ActionResult:
        return ActionResult(
            {"StackId": self.engine.rollback_stack(self._account_region(), self._get_param("StackName")).id}
        )

    def create_change_set(self) -> ActionResult:
        self._require_region()
        if mode := self._get_param("DeploymentMode"):
            message = f"The sandbox sees nothing that was changed behind its back: it knows no DeploymentMode {mode}"
            raise validation_error(message)
        stack, change_set = self.engine.change_sets.create(
            self._account_region(),
            self._get_param("StackName"),
            self._submission(),
            name=self._get_param("ChangeSetName"),
            kind=self._get_param("ChangeSetType") or "UPDATE",
            description=self._get_param("Description"),
        )
        return ActionResult({"Id": change_set.id, "StackId": stack.id})

    def describe_change_set(self) -> ActionResult:
        stack, change_set = self._change_set()
        with stack.lock:
            return ActionResult(stack_shapes.change_set(stack, change_set))

    def execute_change_set(self) -> ActionResult:
        stack, change_set = self._change_set()
        self.engine.change_sets.execute(
            stack, change_set, disable_rollback=bool(self._get_bool_param("DisableRollback", False))
        )
        return ActionResult({})

    def describe_stacks(self) -> ActionResult:
        name = self._get_param("StackName")
        if name is None:
            found = [item for item in self.engine.stacks(self._account_region()) if item.status != "DELETE_COMPLETE"]
        else:
            stack = self.engine.find(self._account_region(), name)
            if stack is None:
                # Other actions word it differently; sam recognises exactly this sentence.
                message = f"Stack with id {name} does not exist"
                raise validation_error(message)
            found = [stack]
        on_page, token = self._page(found)
        return ActionResult({"Stacks": [_locked(item, stack_shapes.stack) for item in on_page], "NextToken": token})

    def describe_stack_events(self) -> ActionResult:
        stack = self._stack()
        with stack.lock:
            on_page, token = self._page(stack.events[::-1])
            return ActionResult(
                {"StackEvents": [stack_shapes.event(stack, item) for item in on_page], "NextToken": token}
            )

    def describe_events(self) -> ActionResult:
        """Failed validations alone, which no other action tells of."""
        stack = self._stack()
        with stack.lock:
            on_page, token = self._page(stack.failed_validations[::-1])
            found = [stack_shapes.failed_validation(stack, item) for item in on_page]
        return ActionResult({"OperationEvents": found, "NextToken": token})

    def describe_stack_resources(self) -> ActionResult:
        name = self._get_param("StackName")
        physical_id = self._get_param("PhysicalResourceId")
        stack = self._stack() if name else self._stack_owning(physical_id)
        logical_id = self._get_param("LogicalResourceId")
        with stack.lock:
            found = [
                stack_shapes.resource(stack, item, "Timestamp")
                for item in stack.resources.values()
                if logical_id in (None, item.logical_id)
            ]
        return ActionResult({"StackResources": found})

    def describe_stack_resource(self) -> ActionResult:
        stack = self._stack()
        logical_id = self._get_param("LogicalResourceId")
        with stack.lock:
            if logical_id not in stack.resources:
                message = f"Resource {logical_id} does not exist for stack {stack.name}"
                raise validation_error(message)
            found = stack_shapes.resource(stack, stack.resources[logical_id], "LastUpdatedTimestamp")
        return ActionResult({"StackResourceDetail": found})

    def list_stack_resources(self) -> ActionResult:
        stack = self._stack()
        with stack.lock:
            found = [stack_shapes.resource(stack, item, "LastUpdatedTimestamp") for item in stack.resources.values()]
        return ActionResult({"StackResourceSummaries": found})

    def get_template(self) -> ActionResult:
        change_set_name = self._get_param("ChangeSetName")
        definition = self._change_set()[1].definition if change_set_name else self._stack().definition
        if definition is None:
            return ActionResult({"TemplateBody": "", "StagesAvailable": ["Original"]})
        original = self._get_param("TemplateStage") != "Processed"
        body = definition.original if original else json.dumps(definition.processed)
        return ActionResult({"TemplateBody": body, "StagesAvailable": ["Original", "Processed"]})

    def get_template_summary(self) -> ActionResult:
        if self._get_param("StackName"):
            definition = self._stack().definition
            if definition is None:
                raise no_such_stack(self._get_param("StackName"))
            return ActionResult(stack_shapes.template_summary(template.parse(definition.original)))
        return ActionResult(stack_shapes.template_summary(template.parse(self._template_text())))

    def _require_region(self) -> None:
        if self.region != REGION:
            message = (
                f"This sandbox is {REGION}, and nothing can be deployed to {self.region}: deploy with --region "
                f"{REGION}, or start it with make sandbox REGION={self.region}"
            )
            raise validation_error(message)

    def _session(self) -> Session | None:
        """CloudFormation with the role that it is given; None where it works with the rights of whoever asks."""
        role_arn = self._get_param("RoleARN")
        if not role_arn:
            return None
        try:
            return Sessions().assume(role_arn, "AWSCloudFormation", CLOUDFORMATION, "")
        except NotAssumable as error:
            message = f"Role {role_arn} is invalid or cannot be assumed"
            raise validation_error(message) from error

    def _page[Item](self, items: Sequence[Item]) -> tuple[Sequence[Item], str | None]:
        return page(items, self.engine.most_a_page, self._get_param("NextToken"))

    def _account_region(self) -> AccountRegion:
        return AccountRegion(self.current_account, self.region)

    def _stack(self) -> Stack:
        return self.engine.existing(self._account_region(), self._get_param("StackName"))

    def _stack_owning(self, physical_id: str | None) -> Stack:
        for stack in self.engine.stacks(self._account_region()):
            if any(item.physical_id == physical_id and item.is_live for item in stack.resources.values()):
                return stack
        message = f"Stack for {physical_id} does not exist"
        raise validation_error(message)

    def _change_set(self) -> Any:
        return self.engine.change_sets.find(
            self._account_region(), self._get_param("StackName"), self._get_param("ChangeSetName")
        )

    def _template_text(self) -> str:
        body = self._get_param("TemplateBody")
        if body:
            return str(body)
        url = self._get_param("TemplateURL")
        if url:
            return template_url.read(self.engine.aws(self.region).client("s3"), url)
        message = "Either Template URL or Template Body must be specified."
        raise validation_error(message)

    def _submission(self) -> Submission:
        tags = self._get_param("Tags")
        if any(tag["Key"].lower().startswith("aws:") for tag in tags or []):
            message = "aws: prefixed tag key names are not allowed for external use."
            raise validation_error(message)
        notification_arns = self._get_param("NotificationARNs")
        return Submission(
            template_text="" if self._get_bool_param("UsePreviousTemplate", False) else self._template_text(),
            given=tuple(
                Given(
                    item["ParameterKey"],
                    item.get("ParameterValue"),
                    str(item.get("UsePreviousValue", False)).lower() == "true",
                )
                for item in self._get_param("Parameters") or []
            ),
            tags=None if tags is None else {tag["Key"]: tag["Value"] for tag in tags},
            capabilities=frozenset(self._get_param("Capabilities") or []),
            notification_arns=None if notification_arns is None else tuple(notification_arns),
        )


def _locked(stack: Stack, shape: Any) -> Any:
    with stack.lock:
        return shape(stack)
