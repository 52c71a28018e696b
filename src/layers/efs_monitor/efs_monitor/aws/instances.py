"""The instances that measure: those that somebody named or tagged, as far as their agents answer."""

from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from efs_monitor.aws.calls import named

if TYPE_CHECKING:
    from mypy_boto3_ssm import SSMClient
    from mypy_boto3_ssm.type_defs import InstanceInformationStringFilterTypeDef

# Fixed, so that the role can name it: a key in a policy cannot be a parameter.
TAG = "efs-monitor"


def online(ssm: "SSMClient", file_system_id: str, instance_ids: tuple[str, ...]) -> tuple[str, ...]:
    """The ids, in order, of those of the instances named that are online and run Linux; where none is named, of all
    those tagged `efs-monitor` = the file system's id.
    """
    if not instance_ids:
        found = _online(ssm, {"Key": f"tag:{TAG}", "Values": [file_system_id]})
    else:
        # One by one: an instance that is gone may make AWS refuse the question about all of them.
        found = set().union(*(_online(ssm, {"Key": "InstanceIds", "Values": [one]}) for one in instance_ids))
    # A machine outside EC2 may have the tag too, and the role reaches none of those.
    return tuple(sorted(one for one in found if one.startswith("i-")))


def _online(ssm: "SSMClient", chosen: "InstanceInformationStringFilterTypeDef") -> set[str]:
    with named("ssm:DescribeInstanceInformation", ", ".join(chosen["Values"])):
        try:
            # A filter by tag stands alone: AWS takes no other beside it.
            pages = ssm.get_paginator("describe_instance_information").paginate(Filters=[chosen])
            found = [one for page in pages for one in page["InstanceInformationList"]]
            # The agent of another platform would skip the document, and call that a success.
            return {
                str(one["InstanceId"])
                for one in found
                if one["PingStatus"] == "Online" and one.get("PlatformType") == "Linux"
            }
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") == "InvalidInstanceId":
                return set()
            raise
