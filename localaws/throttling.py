"""Between a request and its answer: may the account make that call in this second? CloudWatch asks by itself."""

from collections.abc import Callable
from typing import Any

from moto.core.responses import ActionResult, BaseResponse

from localaws.iam.sessions import Sessions
from localaws.quotas import Quotas, Throttled

CODES = {
    "cloudformation": "Throttling",
    "efs": "ThrottlingException",
    "sns": "ThrottlingException",
    "ssm": "ThrottlingException",
}
"""What each service calls it, by boto3's names of the services."""

type CallAction = Callable[[BaseResponse], Any]


def throttling_with(quotas: Quotas, sessions: Sessions, theirs: CallAction, *, is_simulated: bool) -> CallAction:
    """`BaseResponse.call_action` for every service, which answers only as often as an account may ask.

    Before anything else, as AWS does: also what would be refused counts. Not by a clock that is real: there whoever
    tries events one after the other would wait for all those before.
    """

    def call_action(response: BaseResponse) -> Any:
        code = CODES.get(str(response.boto3_service_name))
        if code is None or not is_simulated:
            return theirs(response)
        try:
            quotas.take(str(response._get_action()), 1, quotas.second_of(response, sessions, is_simulated=True))
        except Throttled:
            return response.serialized(ActionResult(Throttled(code)))
        return theirs(response)

    return call_action
