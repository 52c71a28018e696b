"""Amazon S3: whether an object is there and may be read."""

from collections.abc import Mapping
from typing import Any, Protocol

from botocore.exceptions import ClientError

from efs_monitor.aws.calls import error_code, named
from efs_monitor.errors import ObjectGone

MISSING = frozenset({"NoSuchBucket", "NoSuchKey"})


class S3Client(Protocol):
    """What is called of it; boto3 has no types for it here."""

    def get_object(self, *, Bucket: str, Key: str) -> Mapping[str, Any]:  # noqa: N803 - AWS's own names
        """https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html."""


def require_readable(s3: S3Client, bucket: str, key: str) -> None:
    """Ask for an object and read nothing of it; ObjectGone where there is none, AwsDenied where it may not be read.

    Whoever may not list the bucket is told of an object that is not there that it is denied.
    """
    with named("s3:GetObject", f"s3://{bucket}/{key}"):
        try:
            s3.get_object(Bucket=bucket, Key=key)["Body"].close()
        except ClientError as error:
            if error_code(error) in MISSING:
                raise ObjectGone(f"There is no object {key} in a bucket {bucket}") from error
            raise
