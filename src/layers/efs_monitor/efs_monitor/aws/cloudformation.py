"""AWS CloudFormation: whether it is at work on the stack itself, and which monitor stacks an account has."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from efs_monitor.aws.calls import named
from efs_monitor.aws.runtime import logger
from efs_monitor.errors import AwsRefused
from efs_monitor.fleet.monitor_stack import DESCRIBED, FLEET_TAG, TEMPLATE_TAG, MonitorStack

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_cloudformation.type_defs import StackTypeDef

# An update of this stack takes some minutes. One that takes longer hangs, for hours perhaps, and the file system goes
# on growing.
QUIET = timedelta(minutes=30)


def in_deployment(cloudformation: "CloudFormationClient", stack_id: str, now: datetime) -> bool:
    """Whether the stack is being created, updated, rolled back or deleted: what is seen of it may be half-way.

    Of an update only for half an hour: thresholds must not wait for one that hangs. No where CloudFormation does not
    say: one false mail in a deployment is better than a fault never told.
    """
    try:
        with named("cloudformation:DescribeStacks", stack_id):
            found = cloudformation.describe_stacks(StackName=stack_id)["Stacks"][0]
            status = found["StackStatus"]
            if status.startswith("UPDATE_") and "LastUpdatedTime" in found:
                return status.endswith("_IN_PROGRESS") and now - found["LastUpdatedTime"] < QUIET
            return status.endswith("_IN_PROGRESS")
    except AwsRefused as error:
        logger.warning(f"{error}. What was found is told without knowing whether a deployment goes on.")
        return False


def monitor_stacks(cloudformation: "CloudFormationClient") -> tuple[MonitorStack, ...]:
    """Every stack of the account and Region that watches a file system, or has the tag of a fleet."""
    with named("cloudformation:DescribeStacks", "every stack"):
        return tuple(
            stack
            for page in cloudformation.get_paginator("describe_stacks").paginate()
            for found in page["Stacks"]
            if (stack := _monitor_stack(found)) and found["StackStatus"] != "DELETE_COMPLETE"
        )


def _monitor_stack(found: "StackTypeDef") -> MonitorStack | None:
    tags = {tag["Key"]: tag["Value"] for tag in found.get("Tags", [])}
    parameters = {one["ParameterKey"]: one.get("ParameterValue", "") for one in found.get("Parameters", [])}
    if FLEET_TAG not in tags and not found.get("Description", "").startswith(DESCRIBED):
        return None
    return MonitorStack(
        name=found["StackName"],
        status=found["StackStatus"],
        file_system_id=parameters.get("FileSystemId", ""),
        fleet=tags.get(FLEET_TAG, ""),
        template=tags.get(TEMPLATE_TAG, ""),
        parameters=parameters,
        reason=found.get("StackStatusReason", ""),
    )
