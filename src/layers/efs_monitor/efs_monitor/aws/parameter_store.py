"""AWS Systems Manager's Parameter Store: a value of the stack's own, and the number of its version.

SSM knows no conditional write, but numbers them: where somebody else wrote between a reading and a writing, the number
jumps, and what they wrote can still be read by its number.
"""

from collections.abc import Sequence
from itertools import batched
from random import uniform
from time import sleep
from typing import TYPE_CHECKING, NamedTuple

from botocore.exceptions import ClientError

from efs_monitor.aws.calls import CONCURRENT_CODE, error_code, named, number

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient

# Of a parameter there are the newest hundred versions.
NOT_FOUND_CODES = frozenset({"ParameterNotFound", "ParameterVersionNotFound"})
# GetParameters takes no more names.
MOST_AT_ONCE = 10
# What botocore does not try again by itself: SSM takes one write of a parameter at a time. Another one is over in a
# moment, and three seconds at most are waited for it in all.
CONCURRENT_PAUSES_SECONDS = (0.2, 0.4, 0.8, 1.6)


class StoredValue(NamedTuple):
    """What a parameter held, and the number of that version: 1 for the first."""

    text: str
    version: int


def read(ssm: "SSMClient", name: str, version: int | None = None) -> StoredValue | None:
    """The newest value, or that of an earlier version; None where there is no such parameter or version kept."""
    name = name if version is None else f"{name}:{version}"
    with named("ssm:GetParameter", name):
        try:
            found = ssm.get_parameter(Name=name)["Parameter"]
        except ClientError as error:
            if error_code(error) in NOT_FOUND_CODES:
                return None
            raise
        return StoredValue(found["Value"], round(number(found["Version"])))


def read_all(ssm: "SSMClient", names: Sequence[str]) -> dict[str, str]:
    """The newest value of each by its name, without those that there are not."""
    found = dict[str, str]()
    for some in batched(names, MOST_AT_ONCE, strict=False):
        with named("ssm:GetParameters", f"{some[0]} to {some[-1]}"):
            found |= {one["Name"]: one["Value"] for one in ssm.get_parameters(Names=some)["Parameters"]}
    return found


def write(ssm: "SSMClient", name: str, text: str) -> int:
    """Replace the value, whatever it is by now; returns the number of the version that this made.

    A write that meets another one is tried again after a pause of half its length or more, by chance: two that met
    would meet again.
    """
    with named("ssm:PutParameter", name):
        for pause_seconds in CONCURRENT_PAUSES_SECONDS:
            try:
                return _put(ssm, name, text)
            except ClientError as error:
                if error_code(error) != CONCURRENT_CODE:
                    raise
            sleep(uniform(pause_seconds / 2, pause_seconds))  # nosec B311 # noqa: S311 - no secret
        return _put(ssm, name, text)


def _put(ssm: "SSMClient", name: str, text: str) -> int:
    answer = ssm.put_parameter(Name=name, Value=text, Type="String", Overwrite=True)
    return round(number(answer["Version"]))
