"""Parameter Store as moto keeps it, within what an account may ask of it in a second."""

from collections.abc import Callable
from typing import Any

from moto.ssm.responses import SimpleSystemManagerResponse

from localaws.iam.sessions import Sessions
from localaws.quotas import Quotas, Throttled

COUNTED = {
    "get_parameter": "GetParameter",
    "get_parameters": "GetParameters",
    "get_parameters_by_path": "GetParametersByPath",
    "put_parameter": "PutParameter",
}
"""The calls that have a quota, by the names of moto's methods."""
THROTTLED_CODE = "ThrottlingException"

type Answer = Callable[[SimpleSystemManagerResponse], Any]


def throttling_with(quotas: Quotas, sessions: Sessions, theirs: Answer, call: str, *, is_simulated: bool) -> Answer:
    """One of those methods, which answers only as often as an account may ask."""

    def answer(response: SimpleSystemManagerResponse) -> Any:
        try:
            quotas.take(call, 1, quotas.second_of(response, sessions, is_simulated=is_simulated))
        except Throttled:
            raise Throttled(THROTTLED_CODE) from None
        return theirs(response)

    return answer
