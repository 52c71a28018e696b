"""AWS Key Management Service: the policy of a key."""

from collections.abc import Mapping
from typing import Protocol

from botocore.exceptions import ClientError

from efs_monitor.aws.calls import error_code, named, plain
from efs_monitor.errors import KeyRefused

# The only name that the policy of a key may have.
POLICY_NAME = "default"
NO_SUCH_KEY = "NotFound"


class KMSClient(Protocol):
    """What is called of it; boto3 has no types for it here."""

    def get_key_policy(self, *, KeyId: str, PolicyName: str) -> Mapping[str, str]:  # noqa: N803 - AWS's own names
        """https://docs.aws.amazon.com/kms/latest/APIReference/API_GetKeyPolicy.html."""


def key_policy(kms: KMSClient, key_arn: str) -> str:
    """The policy of a key of the own account; KeyRefused where there is no such key."""
    with named("kms:GetKeyPolicy", key_arn):
        try:
            return kms.get_key_policy(KeyId=key_arn, PolicyName=POLICY_NAME)["Policy"]
        except ClientError as error:
            if plain(error_code(error)) == NO_SUCH_KEY:
                raise KeyRefused(
                    f"There is no key {key_arn} in this Region: give EncryptionKeyArn the ARN of one, or empty"
                ) from error
            raise
