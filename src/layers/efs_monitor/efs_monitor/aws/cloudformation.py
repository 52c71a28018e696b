"""AWS CloudFormation: whether it is at work on the stack itself, and the monitor stacks that an account has."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from efs_monitor.aws.calls import error_message, named
from efs_monitor.aws.runtime import logger
from efs_monitor.errors import AwsRefused, StackAtWork
from efs_monitor.fleet.monitor_stack import (
    DESCRIBED,
    FLEET_TAG,
    NAMED_BY_A_FLEET,
    TEMPLATE_TAG,
    MonitorStack,
    file_system_in,
)
from efs_monitor.fleet.stack_events import first_cause

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_cloudformation.type_defs import StackTypeDef

# An update of this stack takes some minutes. One that takes longer hangs, for hours perhaps, and the file system goes
# on growing.
QUIET = timedelta(minutes=30)

# CloudFormation has one code, ValidationError, for whatever is wrong.
NOTHING_TO_UPDATE = "No updates are to be performed"
# What a request has parameters for that the template has none for.
NO_PARAMETERS = re.compile(r"Parameters: \[([^\]]*)\] do not exist in the template")
AT_WORK = re.compile(r"\b[A-Z]+(_[A-Z]+)*_IN_PROGRESS\b")
# What CloudFormation says of a change that it refused before it touched anything: other events have the reason.
IN_OTHER_EVENTS = "Validation failure detected"


def in_deployment(
    cloudformation: "CloudFormationClient", stack_id: str, now: datetime, quiet: timedelta = QUIET
) -> bool:
    """Whether the stack is being created, updated, rolled back or deleted: what is seen of it may be half-way.

    Of an update only for a while: thresholds must not wait for one that hangs. No where CloudFormation does not say:
    one false mail in a deployment is better than a fault never told.
    """
    try:
        found = _described(cloudformation, stack_id)
        status = found["StackStatus"]
        if status.startswith("UPDATE_") and "LastUpdatedTime" in found:
            return status.endswith("_IN_PROGRESS") and now - found["LastUpdatedTime"] < quiet
        return status.endswith("_IN_PROGRESS")
    except AwsRefused as error:
        logger.warning(f"{error}. What was found is told without knowing whether a deployment goes on.")
        return False


def outputs_before_update(cloudformation: "CloudFormationClient", stack_id: str) -> Mapping[str, str] | None:
    """The outputs of the last deployment while the stack is being updated or rolled back, however long that takes; None
    where it is not, and nothing of them where CloudFormation does not say.
    """
    try:
        found = _described(cloudformation, stack_id)
        status = found["StackStatus"]
        if not (status.startswith("UPDATE_") and status.endswith("_IN_PROGRESS")):
            return None
        return {one["OutputKey"]: one["OutputValue"] for one in found.get("Outputs", [])}
    except AwsRefused as error:
        logger.warning(f"{error}. So the update that was told of is taken to go on.")
        return {}


def last_deployed(cloudformation: "CloudFormationClient", stack_id: str) -> datetime | None:
    """When the stack was made, or the newest update of it began; None where CloudFormation does not say."""
    try:
        found = _described(cloudformation, stack_id)
        return found.get("LastUpdatedTime", found["CreationTime"])
    except AwsRefused as error:
        logger.warning(f"{error}. So what never ran counts as what should have.")
        return None


def rolls_back(cloudformation: "CloudFormationClient", stack_id: str) -> bool | None:
    """Whether a failed update of the stack is being taken back; None where CloudFormation does not say."""
    try:
        return _described(cloudformation, stack_id)["StackStatus"].startswith("UPDATE_ROLLBACK_")
    except AwsRefused as error:
        logger.warning(f"{error}. So a rollback cannot be told from an update.")
        return None


def _described(cloudformation: "CloudFormationClient", stack_id: str) -> "StackTypeDef":
    with named("cloudformation:DescribeStacks", stack_id):
        return cloudformation.describe_stacks(StackName=stack_id)["Stacks"][0]


@dataclass(frozen=True, kw_only=True)
class Stacks:
    """The stacks of the account and Region: those that watch a file system, have the tag of a fleet, or a name that a
    fleet would give. And by the id of any stack, when an update of it last began.
    """

    monitors: tuple[MonitorStack, ...]
    updates: Mapping[str, datetime]


def every_stack(cloudformation: "CloudFormationClient") -> Stacks:
    """What CloudFormation says of all stacks that there are."""
    with named("cloudformation:DescribeStacks", "every stack"):
        pages = cloudformation.get_paginator("describe_stacks").paginate()
        stacks = [one for page in pages for one in page["Stacks"] if one["StackStatus"] != "DELETE_COMPLETE"]
        return Stacks(
            monitors=tuple(stack for one in stacks if (stack := _monitor_stack(one))),
            updates={one["StackId"]: one["LastUpdatedTime"] for one in stacks if "LastUpdatedTime" in one},
        )


@dataclass(frozen=True, kw_only=True)
class WantedStack:
    """A monitor stack as it should be, and the role with which CloudFormation makes it so. It is given those of the
    `defaults` that its template has parameters for.

    The `token` is that of one try: a request that boto3 sends again, because its answer was lost, is the same.
    """

    name: str
    template_url: str
    parameters: Mapping[str, str]
    defaults: Mapping[str, str]
    tags: Mapping[str, str]
    role_arn: str
    token: str


def create_stack(cloudformation: "CloudFormationClient", wanted: WantedStack) -> None:
    """Begin to create a monitor stack; nothing where there is one of that name. AwsRefused says what is in the way."""
    # Somebody may have been faster, such as this function itself, of whose call the answer was lost.
    there_is_one = suppress(cloudformation.exceptions.AlreadyExistsException)
    with _asking("cloudformation:CreateStack", wanted.name), there_is_one, _taken_already(cloudformation):
        _of_its_template(lambda request: cloudformation.create_stack(**request), wanted)


def update_stack(cloudformation: "CloudFormationClient", wanted: WantedStack) -> bool:
    """Begin to update a monitor stack, whose parameters get their defaults again where they are not given.

    Whether there is anything to update: what differs may change no resource. With a macro in the template
    CloudFormation updates the stack anyway.
    """
    with _asking("cloudformation:UpdateStack", wanted.name):
        try:
            with _taken_already(cloudformation):
                _of_its_template(lambda request: cloudformation.update_stack(**request), wanted)
        except ClientError as error:
            if NOTHING_TO_UPDATE not in error_message(error):
                raise
            return False
        return True


def _of_its_template(ask: Callable[[dict[str, Any]], object], wanted: WantedStack) -> None:
    """Ask once more without the defaults that CloudFormation refuses, because the template is of another release."""
    try:
        ask(_request(wanted, {**wanted.defaults, **wanted.parameters}))
    except ClientError as error:
        found = NO_PARAMETERS.search(error_message(error))
        unknown = set(found[1].split(", ")) if found else set[str]()
        known = {name: value for name, value in wanted.defaults.items() if name not in unknown}
        if not unknown or known == wanted.defaults:
            raise
        # Another request: of its token CloudFormation may say that it has taken it already.
        ask(_request(replace(wanted, token=f"{wanted.token}-again"), {**known, **wanted.parameters}))


def _request(wanted: WantedStack, parameters: Mapping[str, str]) -> dict[str, Any]:
    return {
        "StackName": wanted.name,
        "TemplateURL": wanted.template_url,
        "Parameters": [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()],
        "Tags": [{"Key": key, "Value": value} for key, value in wanted.tags.items()],
        # What the monitor's template needs: it includes files, is transformed, and has roles.
        "Capabilities": ["CAPABILITY_AUTO_EXPAND", "CAPABILITY_IAM"],
        "RoleARN": wanted.role_arn,
        "ClientRequestToken": wanted.token,
    }


def _taken_already(cloudformation: "CloudFormationClient") -> AbstractContextManager[object]:
    """CloudFormation may refuse the token of a request that it has taken, and does what that asked for."""
    return suppress(cloudformation.exceptions.TokenAlreadyExistsException)


def delete_stack(cloudformation: "CloudFormationClient", name: str, role_arn: str) -> None:
    """Begin to delete a monitor stack; nothing where there is none."""
    with _asking("cloudformation:DeleteStack", name):
        cloudformation.delete_stack(StackName=name, RoleARN=role_arn)


def first_failure(cloudformation: "CloudFormationClient", name: str) -> str:
    """Why the last that CloudFormation did to a stack failed: what went wrong first, of which all else follows."""
    with named("cloudformation:DescribeStackEvents", name):
        pages = cloudformation.get_paginator("describe_stack_events").paginate(StackName=name)
        why = first_cause(event for page in pages for event in page["StackEvents"])
    return why if why and IN_OTHER_EVENTS not in why else _failed_validation(cloudformation, name) or why


def _failed_validation(cloudformation: "CloudFormationClient", name: str) -> str:
    """What CloudFormation refused before it touched anything, such as a name that is taken: no event of the stack says
    it (https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/validate-stack-deployments.html). Empty where it
    is nothing, or where the runtime's boto3 does not know how to ask yet.
    """
    if not hasattr(cloudformation, "describe_events"):
        return ""
    with named("cloudformation:DescribeEvents", name):
        for page in cloudformation.get_paginator("describe_events").paginate(
            StackName=name, Filters={"FailedEvents": True}
        ):
            for event in page["OperationEvents"]:
                if event.get("EventType") == "VALIDATION_ERROR":
                    return f"{event.get('LogicalResourceId', name)}: {event.get('ValidationStatusReason', '')}"
    return ""


@contextmanager
def _asking(action: str, name: str) -> Iterator[None]:
    with named(action, name):
        try:
            yield
        except ClientError as error:
            if AT_WORK.search(error_message(error)):
                raise StackAtWork(f"{action} on {name} has to wait: {error_message(error).rstrip('.')}") from error
            raise


def _monitor_stack(found: "StackTypeDef") -> MonitorStack | None:
    tags = {tag["Key"]: tag["Value"] for tag in found.get("Tags", [])}
    parameters = {one["ParameterKey"]: one.get("ParameterValue", "") for one in found.get("Parameters", [])}
    is_monitor = FLEET_TAG in tags or found.get("Description", "").startswith(DESCRIBED)
    if not is_monitor and not NAMED_BY_A_FLEET.fullmatch(found["StackName"]):
        return None
    fleet = tags.get(FLEET_TAG, "")
    # Whether AWS lists the parameters of a stack whose macros failed it does not say; without them a fleet would take
    # its own stack for somebody else's.
    file_system_id = parameters.get("FileSystemId") or file_system_in(found["StackName"], fleet)
    begun = (found["CreationTime"], found.get("LastUpdatedTime"), found.get("DeletionTime"))
    return MonitorStack(
        name=found["StackName"],
        status=found["StackStatus"],
        file_system_id=file_system_id if is_monitor else "",
        fleet=fleet,
        template=tags.get(TEMPLATE_TAG, ""),
        parameters=parameters,
        reason=found.get("StackStatusReason", ""),
        since=max(one for one in begun if one),
    )
