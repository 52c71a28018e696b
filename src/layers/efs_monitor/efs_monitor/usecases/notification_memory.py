"""The stack's one small memory: an SSM parameter that holds what people were told."""

from dataclasses import replace
from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from efs_monitor.aws.calls import named, number
from efs_monitor.notify.state import Part, Told, told_from_json

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient

# Two functions write here, once an hour each: a third attempt is never needed.
ATTEMPTS = 3


def recall(ssm: "SSMClient", parameter_name: str, file_system_id: str) -> Told:
    """What was told so far of the file system; nothing, where the parameter is gone or unreadable."""
    with named("ssm:GetParameter", parameter_name):
        try:
            found = ssm.get_parameter(Name=parameter_name)["Parameter"]
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") == "ParameterNotFound":
                return Told()
            raise
        return replace(told_from_json(found["Value"], file_system_id), version=round(number(found["Version"])))


def remember(ssm: "SSMClient", parameter_name: str, file_system_id: str, told: Told, part: Part) -> Told:
    """Replace `part` of what is remembered; the rest stays as the other function left it. Returns what is remembered.

    SSM knows no conditional write, but numbers them: where somebody else wrote between our reading and our writing,
    the number jumps, and what they wrote is taken over.
    """
    for _ in range(ATTEMPTS):
        with named("ssm:PutParameter", parameter_name):
            answer = ssm.put_parameter(
                Name=parameter_name, Value=told.to_json(file_system_id), Type="String", Overwrite=True
            )
            written = round(number(answer["Version"]))
        if written <= told.version + 1:
            return replace(told, version=written)
        theirs = recall(ssm, f"{parameter_name}:{written - 1}", file_system_id)
        merged = theirs.with_part_of(told, part)
        told = replace(told, version=written)
        if merged == told:
            return told
        told = replace(merged, version=written)
    return told
