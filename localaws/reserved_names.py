"""The beginnings of names that services keep to themselves, in whatever case; no model and no schema knows them."""

from collections.abc import Sequence

LOG_GROUPS = ("aws/",)
"""https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html"""
DOCUMENTS = ("aws", "amazon", "amzn")
"""https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_CreateDocument.html"""
PARAMETERS = ("aws", "/aws", "ssm", "/ssm")
"""https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_PutParameter.html"""


def reserved_beginning(name: str, beginnings: Sequence[str]) -> str | None:
    """With which of them a name begins; None where it begins with none."""
    return next((one for one in beginnings if name.lower().startswith(one)), None)
