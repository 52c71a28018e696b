"""A key named by its ARN in every call: moto changes whether a key can be used by its ID alone.

https://docs.aws.amazon.com/kms/latest/APIReference/API_DisableKey.html takes either.
"""

from collections.abc import Callable
from typing import Any

from moto.kms.models import KmsBackend

CHANGING = ("cancel_key_deletion", "disable_key", "enable_key", "schedule_key_deletion")
"""What moto looks for under the ID alone."""

type Change = Callable[..., Any]


def named_either_way_with(theirs: Change) -> Change:
    """One of moto's own changes, of a key that is named by its ID or its ARN."""

    def change(backend: KmsBackend, key_id: str, *others: Any) -> Any:
        return theirs(backend, backend.any_id_to_key_id(key_id), *others)

    return change
