"""Which file systems there are, and whether burst credits mean anything to them."""

from typing import Any

import botocore.session
import pytest
from botocore.stub import Stubber
from efs_monitor.aws.efs import every_file_system

GIB = 1024**3


def described(mode: str, **changed: Any) -> dict[str, Any]:
    return {
        "OwnerId": "123456789012",
        "CreationToken": "token",
        "FileSystemId": "fs-0123456789abcdef0",
        "CreationTime": 0,
        "LifeCycleState": "available",
        "NumberOfMountTargets": 1,
        "SizeInBytes": {"Value": 1024 * GIB},
        "PerformanceMode": "generalPurpose",
        "ThroughputMode": mode,
        "Tags": [],
        **changed,
    }


@pytest.mark.parametrize(
    ("mode", "provisioned_mib", "expected"),
    [
        ("bursting", 0, True),
        ("elastic", 0, False),
        # A TiB earns 50 MiB/s.
        ("provisioned", 50, True),
        ("provisioned", 51, False),
        # One that AWS has added since keeps no other from being listed.
        ("of-tomorrow", 0, True),
    ],
)
def test_a_listed_file_system_lives_on_credits_or_not(mode: str, provisioned_mib: int, *, expected: bool) -> None:
    efs: Any = botocore.session.get_session().create_client(
        "efs", region_name="us-east-1", aws_access_key_id="x", aws_secret_access_key="x"
    )
    changed = {"ProvisionedThroughputInMibps": provisioned_mib} if provisioned_mib else {}
    with Stubber(efs) as stubber:
        stubber.add_response("describe_file_systems", {"FileSystems": [described(mode, **changed)]})
        (found,) = every_file_system(efs)
    assert found.lives_on_credits is expected
