"""A request that is signed for a Region that AWS has not is refused, whatever it asks.

AWS has no address there; an address of one's own, such as this one, answers as AWS's own do for a wrong Region.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import boto3
from moto.core.exceptions import ServiceException
from moto.core.responses import ActionResult, BaseResponse

WRITTEN_AS_QUERY = frozenset({"cloudformation", "iam", "sns", "sts"})
GLOBAL = "aws-global"
QUERY_CODE, OTHER_CODE = "SignatureDoesNotMatch", "InvalidSignatureException"
FORBIDDEN = 403


class NoSuchRegion(ServiceException):  # type: ignore[misc] # moto has no types
    """The credential's scope names none."""


def in_a_region_with(theirs: Callable[[BaseResponse], Any]) -> Callable[[BaseResponse], Any]:
    """`BaseResponse.call_action`, for every service."""

    def call_action(response: BaseResponse) -> Any:
        if response.region in _regions():
            return theirs(response)
        code = QUERY_CODE if str(response.boto3_service_name) in WRITTEN_AS_QUERY else OTHER_CODE
        sentence = f"Credential should be scoped to a valid region, not '{response.region}'."
        _, headers, body = response.serialized(ActionResult(NoSuchRegion(code, sentence)))
        return FORBIDDEN, headers, body

    return call_action


@cache
def _regions() -> frozenset[str]:
    session = boto3.Session()
    partitions = session.get_available_partitions()
    return frozenset({GLOBAL, *(one for name in partitions for one in session.get_available_regions("ec2", name))})
