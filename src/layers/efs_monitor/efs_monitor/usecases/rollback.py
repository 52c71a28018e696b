"""Answer CloudFormation when it takes an update back: what was there before is not refused, whatever became of it.

A rollback asks a custom resource for its old properties again. The file system may be gone by then, or a topic, or a
permission: refused, the stack would stay in UPDATE_ROLLBACK_FAILED, where nothing can be deployed any more
(https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ContinueUpdateRollback.html).
"""

from collections.abc import Callable, Mapping

from efs_monitor.aws import cloudformation
from efs_monitor.aws.calls import ONE_ATTEMPT
from efs_monitor.aws.custom_resource import Answer, Request
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.errors import MonitorError

# What an attribute says of what was not looked at.
NOT_CHECKED = "Not checked: a failed update was rolled back to what was there before."


def answer(
    clients: Clients, request: Request, deploy: Callable[[Clients], Answer], keep: Callable[[], Mapping[str, str]]
) -> Answer:
    """What `deploy` answers. Where that is a refusal, and the stack is being rolled back, success with the values to
    `keep`; else the refusal is raised.

    In a rollback each call is made once, for time must be left to keep what is there; the recalculation that follows
    makes good what was not read.
    """
    if request.kind != "Update":
        return deploy(clients)
    is_rollback = cloudformation.rolls_back(clients.cloudformation, request.stack_id)
    try:
        return deploy(_hasty() if is_rollback else clients)
    except MonitorError as refused:
        if is_rollback is None:
            is_rollback = cloudformation.rolls_back(clients.cloudformation, request.stack_id)
        if not is_rollback:
            raise
        logger.warning(f"{refused} In a rollback that keeps nobody from going back.")
        return Answer(succeeded=True, data=keep())


def _hasty() -> Clients:
    services = ("cloudformation", "cloudwatch", "efs", "kms", "s3", "sns")
    return Clients(**dict.fromkeys(services, ONE_ATTEMPT))
