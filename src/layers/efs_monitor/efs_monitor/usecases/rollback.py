"""Answer CloudFormation when it takes an update back: what was there before is not refused, whatever became of it.

A rollback asks a custom resource for its old properties again. The file system may be gone by then, or a topic, or a
permission: refused, the stack would stay in UPDATE_ROLLBACK_FAILED, where nothing can be deployed any more
(https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_ContinueUpdateRollback.html).
"""

from collections.abc import Callable, Mapping

from efs_monitor.aws import cloudformation
from efs_monitor.aws.custom_resource import Answer, Request
from efs_monitor.aws.runtime import Clients, logger
from efs_monitor.errors import MonitorError

# What an attribute says of what was not looked at.
NOT_CHECKED = "Not checked: a failed update was rolled back to what was there before."


def answer(
    clients: Clients, request: Request, deploy: Callable[[], Answer], keep: Callable[[], Mapping[str, str]]
) -> Answer:
    """What `deploy` answers. Where that is a refusal, and the stack is being rolled back, success with the values to
    `keep`; else the refusal is raised.
    """
    try:
        return deploy()
    except MonitorError as refused:
        if request.kind != "Update" or not cloudformation.rolls_back(clients.cloudformation, request.stack_id):
            raise
        logger.warning(f"{refused} In a rollback that keeps nobody from going back.")
        return Answer(succeeded=True, data=keep())
