"""A key may be named by its ID or its ARN, as in AWS's own examples and in a stack's parameters."""

import pytest

from localaws.sandbox import Sandbox


@pytest.mark.parametrize("named_by", ["KeyId", "Arn"])
def test_a_key_is_disabled_and_enabled_and_its_deletion_planned_and_not(sandbox: Sandbox, named_by: str) -> None:
    keys = sandbox.client("kms")
    key = keys.create_key()["KeyMetadata"]

    def state() -> str:
        return str(keys.describe_key(KeyId=key["KeyId"])["KeyMetadata"]["KeyState"])

    keys.disable_key(KeyId=key[named_by])
    assert state() == "Disabled"
    keys.enable_key(KeyId=key[named_by])
    assert state() == "Enabled"
    keys.schedule_key_deletion(KeyId=key[named_by], PendingWindowInDays=7)
    assert state() == "PendingDeletion"
    keys.cancel_key_deletion(KeyId=key[named_by])
    assert state() == "Disabled"


def test_a_key_that_there_is_not_is_refused_by_name(sandbox: Sandbox) -> None:
    keys = sandbox.client("kms")
    with pytest.raises(keys.exceptions.NotFoundException):
        keys.disable_key(KeyId="arn:aws:kms:us-east-1:123456789012:key/6f1e0a70-0000-4000-8000-000000000000")
