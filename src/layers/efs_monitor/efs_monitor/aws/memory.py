"""The stack's one small memory: an SSM parameter that holds what people were told."""

from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from efs_monitor.aws.calls import named
from efs_monitor.told import Told, told_from_json

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient


def recall(ssm: "SSMClient", parameter_name: str, file_system_id: str) -> Told:
    """What was told so far of the file system; nothing, where the parameter is gone or unreadable."""
    with named("ssm:GetParameter", parameter_name):
        try:
            answer = ssm.get_parameter(Name=parameter_name)
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") == "ParameterNotFound":
                return Told()
            raise
        return told_from_json(answer["Parameter"]["Value"], file_system_id)


def remember(ssm: "SSMClient", parameter_name: str, file_system_id: str, told: Told) -> None:
    """Replace what is remembered."""
    with named("ssm:PutParameter", parameter_name):
        ssm.put_parameter(Name=parameter_name, Value=told.to_json(file_system_id), Type="String", Overwrite=True)
