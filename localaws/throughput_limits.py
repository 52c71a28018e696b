"""How a file system can be driven: what its performance mode and availability zone leave of the throughput modes, and
up to which rate an account may provision until AWS Support has raised that, which it does not in One Zone.

https://docs.aws.amazon.com/efs/latest/ug/limits.html
https://docs.aws.amazon.com/efs/latest/ug/performance.html
"""

from collections.abc import Mapping
from dataclasses import dataclass

from localaws.account import REGION
from localaws.throughput_lock import Throughput

MAX_IO = "maxIO"
HIGHEST_MEBIBYTES_PER_SECOND: Mapping[str, int] = {
    "us-east-1": 3414,
    "us-east-2": 3414,
    "us-west-2": 3414,
    "eu-west-1": 3414,
}
HIGHEST_ELSEWHERE_MEBIBYTES_PER_SECOND = HIGHEST_IN_ONE_ZONE_MEBIBYTES_PER_SECOND = 1024
BAD_REQUEST, LIMIT_EXCEEDED = "BadRequest", "ThroughputLimitExceeded"


@dataclass(frozen=True, slots=True)
class ThroughputRefusal:
    """The code of EFS's API, and a sentence."""

    code: str
    sentence: str


def refusal(
    wanted: Throughput, *, performance_mode: str, is_one_zone: bool = False, region: str = REGION
) -> ThroughputRefusal | None:
    """Why a file system cannot be driven like that; None where it can.

    The words are those with which the API reference explains the code: those of the answer itself are not published.
    """
    if performance_mode == MAX_IO and is_one_zone:
        return ThroughputRefusal(BAD_REQUEST, "The maxIO mode is not supported on One Zone file systems.")
    if performance_mode == MAX_IO and wanted.mode == "elastic":
        return ThroughputRefusal(
            BAD_REQUEST, "The throughput mode elastic is not supported with the performance mode maxIO."
        )
    highest = HIGHEST_MEBIBYTES_PER_SECOND.get(region, HIGHEST_ELSEWHERE_MEBIBYTES_PER_SECOND)
    if is_one_zone:
        highest = HIGHEST_IN_ONE_ZONE_MEBIBYTES_PER_SECOND
    if wanted.mode == "provisioned" and (wanted.provisioned_mebibytes_per_second or 0) > highest:
        return ThroughputRefusal(
            LIMIT_EXCEEDED,
            "The throughput mode or amount of provisioned throughput can't be changed because the throughput limit of "
            f"{highest} MiB/s has been reached.",
        )
    return None
