"""AWS CloudFormation: whether it is at work on the stack itself."""

from typing import TYPE_CHECKING

from efs_monitor.aws.calls import named
from efs_monitor.aws.runtime import logger
from efs_monitor.errors import AwsRefused

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient


def in_deployment(cloudformation: "CloudFormationClient", stack_id: str) -> bool:
    """Whether the stack is being created, updated, rolled back or deleted: what is seen of it may be half-way.

    No where CloudFormation does not say: one false mail in a deployment is better than a fault never told.
    """
    try:
        with named("cloudformation:DescribeStacks", stack_id):
            status = cloudformation.describe_stacks(StackName=stack_id)["Stacks"][0]["StackStatus"]
            return status.endswith("_IN_PROGRESS")
    except AwsRefused as error:
        logger.warning(f"{error}. What was found is told without knowing whether a deployment goes on.")
        return False
