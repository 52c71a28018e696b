"""AWS CloudFormation: whether it is at work on the stack itself."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from efs_monitor.aws.calls import named
from efs_monitor.aws.runtime import logger
from efs_monitor.errors import AwsRefused

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient

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
