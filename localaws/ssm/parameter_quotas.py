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
    """A method of moto's Parameter Store, which answers only as often as an account may ask.

    Not by a clock that is real: there whoever tries events one after the other would wait for all those before.
    """

    def answer(response: SimpleSystemManagerResponse) -> Any:
        if not is_simulated:
            return theirs(response)
        try:
            quotas.take(call, 1, quotas.second_of(response, sessions, is_simulated=True))
        except Throttled:
            raise Throttled(THROTTLED_CODE) from None
        return theirs(response)

    return answer
