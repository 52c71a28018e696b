"""A call nobody here answers is refused by its name; moto alone gives a page of HTML, and clients try again."""

from collections.abc import Callable
from typing import Any

from moto.core.exceptions import ServiceException
from moto.core.responses import ActionResult, BaseResponse


class UnknownCallError(ServiceException):  # type: ignore[misc] # moto has no types
    code = "ValidationException"


def refusing_with(theirs: Callable[[BaseResponse], Any]) -> Callable[[BaseResponse], Any]:
    """`BaseResponse.call_action`, for every service."""

    def call_action(response: BaseResponse) -> Any:
        try:
            return theirs(response)
        except NotImplementedError:
            sentence = f"The sandbox's {response.service_name} does not do {response._get_action()}."
            return response.serialized(ActionResult(UnknownCallError(sentence)))

    return call_action
