"""Topics and keys of whatever account: what lies under an ARN, and the policy that its owner gave it."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from moto.kms.models import Key, kms_backends
from moto.sns.models import Topic, sns_backends

from localaws.account import REGION
from localaws.iam.policy import Statement


@dataclass(frozen=True, slots=True)
class Owned:
    """A resource's owner and its own policy."""

    account_id: str
    statements: tuple[Statement, ...]


def stored_topic(arn: str) -> Topic | None:
    """The topic; None where there is none, or it is in another Region."""
    return sns_backends[_account_of(arn)][REGION].topics.get(arn) if ":sns:" in arn else None


def stored_key(key: str, account_id: str) -> Key | None:
    """The key of an ARN of this Region, of any account, or of an id or alias in this one; None where there is none."""
    if key.startswith("arn:") and key.split(":")[3] != REGION:
        return None
    backend = kms_backends[_account_of(key) if key.startswith("arn:") else account_id][REGION]
    found: Key | None = backend.keys.get(backend.any_id_to_key_id(key))
    return found


def owned(resource_arn: str) -> Owned | None:
    """What a topic's or a key's owner says about it; None for every other resource, or where nothing is there."""
    service = resource_arn.split(":")[2] if resource_arn.startswith("arn:") else ""
    found = (
        stored_topic(resource_arn)
        if service == "sns"
        else stored_key(resource_arn, _account_of(resource_arn))
        if service == "kms"
        else None
    )
    if found is None:
        return None
    return Owned(_account_of(resource_arn), tuple(_statements(found.policy)))


def _account_of(arn: str) -> str:
    return arn.split(":")[4]


def _statements(policy: str) -> Iterable[Statement]:
    statements = json.loads(policy)["Statement"]
    return statements if isinstance(statements, list) else [statements]
