"""KMS keys, of which moto takes any name for any call, and lets every key be used whatever its state.

A key is named by its ID or its ARN, and changed in its own Region and account alone:
https://docs.aws.amazon.com/kms/latest/APIReference/API_DisableKey.html. What SNS answers where it cannot use one:
https://docs.aws.amazon.com/sns/latest/api/API_Publish.html.
"""

from collections.abc import Callable
from typing import Any

from moto.kms.exceptions import NotFoundException
from moto.kms.models import KmsBackend
from moto.sns.exceptions import SNSException
from moto.sns.models import Topic

from localaws.iam.owned import stored_key

CHANGING = ("cancel_key_deletion", "disable_key", "enable_key", "schedule_key_deletion")
"""What moto looks for under the ID alone."""

AWS_MANAGED_SNS_KEY = "alias/aws/sns"

type Change = Callable[..., Any]


def named_either_way_with(theirs: Change) -> Change:
    """One of moto's own changes, of a key that is named by its ID or its ARN, and is here."""

    def change(backend: KmsBackend, key_id: str, *others: Any) -> Any:
        if key_id.startswith("arn:") and key_id.split(":")[3:5] != [backend.region_name, backend.account_id]:
            raise NotFoundException(f"Key '{key_id}' does not exist")
        return theirs(backend, backend.any_id_to_key_id(key_id), *others)

    return change


class KeyNotUsable(SNSException):  # type: ignore[misc] # moto has no types
    """What SNS answers to a message for a topic whose key it cannot use."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


def require_usable_key(topic: Topic) -> None:
    """Raise KeyNotUsable for a topic with a key that is disabled, waits to be deleted, or is not there."""
    key = topic.kms_master_key_id
    if not key or key.endswith(AWS_MANAGED_SNS_KEY):
        return
    known = stored_key(key, topic.account_id)
    if known is None:
        raise KeyNotUsable("KMSNotFound", f"Invalid keyId {key}")
    if known.key_state == "Disabled":
        raise KeyNotUsable("KMSDisabled", f"{known.arn} is disabled.")
    if known.key_state != "Enabled":
        raise KeyNotUsable("KMSInvalidState", f"{known.arn} is pending deletion.")
