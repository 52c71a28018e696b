"""What surrounds a handler: its clients, its clock, and how its errors are logged."""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast

from aws_lambda_powertools import Logger
from botocore.loaders import Loader
from botocore.session import get_session

from efs_monitor.aws.calls import CALLS, ONE_ATTEMPT
from efs_monitor.errors import MonitorError

if TYPE_CHECKING:
    from botocore.config import Config as CallConfig
    from mypy_boto3_cloudformation import CloudFormationClient
    from mypy_boto3_cloudwatch import CloudWatchClient
    from mypy_boto3_efs import EFSClient
    from mypy_boto3_sns import SNSClient
    from mypy_boto3_ssm import SSMClient

    from efs_monitor.aws.kms import KMSClient
    from efs_monitor.aws.s3 import S3Client

logger = Logger(service="efs-monitor")


class OwnServices(Loader):
    """botocore's data of the services used here, without listing the folders of the 400 others at every cold start."""

    def list_available_services(self, type_name: str) -> list[str]:  # noqa: ARG002 - botocore calls it so
        """The services that Clients has a client for; `type_name`, the kind of data, makes no difference."""
        return ["cloudformation", "cloudwatch", "efs", "kms", "s3", "sns", "ssm"]


class Clients:
    """One client per service for the life of a Lambda environment, made when first used.

    By botocore itself: boto3 would add a tenth to every cold start with S3 transfers that nobody here makes. Calls of
    the services that are named are made as said, all others as `CALLS` says.
    """

    def __init__(self, **calls: "CallConfig") -> None:
        self._calls = calls
        self._session = get_session()
        self._session.register_component("data_loader", OwnServices())

    @functools.cached_property
    def efs(self) -> "EFSClient":
        """Amazon EFS."""
        return cast("EFSClient", self._session.create_client("efs", config=self._calls_of("efs")))

    @functools.cached_property
    def cloudwatch(self) -> "CloudWatchClient":
        """Amazon CloudWatch."""
        return cast("CloudWatchClient", self._session.create_client("cloudwatch", config=self._calls_of("cloudwatch")))

    @functools.cached_property
    def cloudformation(self) -> "CloudFormationClient":
        """AWS CloudFormation."""
        calls = self._calls_of("cloudformation")
        return cast("CloudFormationClient", self._session.create_client("cloudformation", config=calls))

    @functools.cached_property
    def kms(self) -> "KMSClient":
        """AWS Key Management Service."""
        return cast("KMSClient", self._session.create_client("kms", config=self._calls_of("kms")))

    @functools.cached_property
    def s3(self) -> "S3Client":
        """Amazon S3."""
        return cast("S3Client", self._session.create_client("s3", config=self._calls_of("s3")))

    @functools.cached_property
    def sns(self) -> "SNSClient":
        """Amazon SNS."""
        return cast("SNSClient", self._session.create_client("sns", config=self._calls_of("sns")))

    @functools.cached_property
    def ssm(self) -> "SSMClient":
        """AWS Systems Manager."""
        return cast("SSMClient", self._session.create_client("ssm", config=self._calls_of("ssm")))

    @functools.cached_property
    def ssm_once(self) -> "SSMClient":
        """AWS Systems Manager, for a call that must not be made twice: botocore repeats none by itself."""
        return cast("SSMClient", self._session.create_client("ssm", config=ONE_ATTEMPT))

    def _calls_of(self, service: str) -> "CallConfig":
        return self._calls.get(service, CALLS)


def now() -> datetime:
    """The time, read in handlers only and passed on from there."""
    return datetime.now(UTC)


@contextmanager
def errors_logged() -> Iterator[None]:
    """Log an error a person can understand as its one sentence, then let it end the invocation."""
    try:
        yield
    except MonitorError as error:
        logger.error(str(error), refused=type(error).__name__)
        raise
