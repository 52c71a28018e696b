"""Gives CloudFormation the thresholds, the first ones and fresh ones before it writes an alarm again, and checks the
topics that the stack was given.
"""

import os
from typing import TYPE_CHECKING

from efs_monitor.aws.custom_resource import Answer, Request, answering
from efs_monitor.aws.runtime import Clients, errors_logged, logger, now
from efs_monitor.config import config_from
from efs_monitor.usecases.apply_on_deploy import apply_on_deploy
from efs_monitor.usecases.check_topics import check_topics

if TYPE_CHECKING:
    from aws_lambda_powertools.utilities.typing import LambdaContext

# The type of the custom resource that stands for the topics that the stack was given.
TOPICS = "Custom::EfsBurstCreditTopics"

clients = Clients()


@logger.inject_lambda_context(clear_state=True)
def handler(event: object, context: "LambdaContext") -> None:
    """Answer CloudFormation in any case; a failure becomes the sentence the deployment fails with."""
    with errors_logged():
        request = Request.of(event)
        answering(request, context, _answer)


def _answer(request: Request) -> Answer:
    """What to answer; in here, so that a setting that is missing is answered too."""
    if request.kind == "Delete":
        return Answer(succeeded=True)
    if request.resource_type == TOPICS:
        return check_topics(clients, request)
    config = config_from(os.environ)
    return apply_on_deploy(clients, config, request, now())
