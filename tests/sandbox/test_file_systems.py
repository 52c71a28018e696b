"""File systems of a chosen id, size and mode, as DescribeFileSystems tells them."""

from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from sandbox.clock import START
from sandbox.file_systems import Size
from sandbox.sandbox import Sandbox

FS = "fs-0123456789abcdef0"
GIB = 1024**3


@pytest.fixture
def efs(sandbox: Sandbox) -> Any:
    sandbox.file_systems.create(FS, Size(100 * GIB), name="home")
    return sandbox.client("efs")


def described(efs: Any) -> dict[str, Any]:
    (one,) = efs.describe_file_systems(FileSystemId=FS)["FileSystems"]
    return dict(one)


def test_a_file_system_has_the_id_name_and_size_it_was_given(efs: Any) -> None:
    one = described(efs)
    assert one["FileSystemId"] == FS
    assert one["FileSystemArn"].endswith(f":file-system/{FS}")
    assert one["Name"] == "home"
    assert one["ThroughputMode"] == "bursting"
    assert one["SizeInBytes"]["Value"] == one["SizeInBytes"]["ValueInStandard"] == 100 * GIB


def test_a_size_has_its_storage_classes_and_the_time_of_metering(sandbox: Sandbox, efs: Any) -> None:
    sandbox.file_systems.set_size(FS, Size(3 * GIB, infrequent_access_bytes=2 * GIB, metered=START))
    size = described(efs)["SizeInBytes"]
    assert (size["Value"], size["ValueInStandard"], size["ValueInIA"]) == (5 * GIB, 3 * GIB, 2 * GIB)
    assert size["Timestamp"] == START


def test_the_throughput_mode_can_be_updated(efs: Any) -> None:
    efs.update_file_system(FileSystemId=FS, ThroughputMode="provisioned", ProvisionedThroughputInMibps=64.0)
    one = described(efs)
    assert (one["ThroughputMode"], one["ProvisionedThroughputInMibps"]) == ("provisioned", 64.0)


def test_provisioned_throughput_locks_the_mode_for_a_day(sandbox: Sandbox, efs: Any) -> None:
    efs.update_file_system(FileSystemId=FS, ThroughputMode="provisioned", ProvisionedThroughputInMibps=64.0)
    efs.update_file_system(FileSystemId=FS, ThroughputMode="provisioned", ProvisionedThroughputInMibps=128.0)
    for change in (
        {"ThroughputMode": "bursting"},
        {"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 64.0},
    ):
        with pytest.raises(ClientError, match="once 24 hours have passed"):
            efs.update_file_system(FileSystemId=FS, **change)
    sandbox.clock.move_to(sandbox.clock.now() + timedelta(hours=24))
    efs.update_file_system(FileSystemId=FS, ThroughputMode="bursting")
    assert described(efs)["ThroughputMode"] == "bursting"


def test_a_scenario_changes_the_mode_whenever_it_likes(sandbox: Sandbox, efs: Any) -> None:
    sandbox.file_systems.set_mode(FS, "provisioned", 64.0)
    sandbox.file_systems.set_mode(FS, "elastic")
    one = described(efs)
    assert one["ThroughputMode"] == "elastic"
    assert "ProvisionedThroughputInMibps" not in one


@pytest.mark.parametrize("change", [{"ThroughputMode": "fast"}, {"ThroughputMode": "provisioned"}])
def test_a_mode_that_makes_no_sense_is_refused(efs: Any, change: dict[str, Any]) -> None:
    with pytest.raises(ClientError) as refused:
        efs.update_file_system(FileSystemId=FS, **change)
    assert refused.value.response["Error"]["Code"] == "BadRequest"


def test_a_deleted_file_system_is_not_found(sandbox: Sandbox, efs: Any) -> None:
    sandbox.file_systems.delete(FS)
    for call in (efs.describe_file_systems, efs.update_file_system):
        with pytest.raises(ClientError) as refused:
            call(FileSystemId=FS)
        assert refused.value.response["Error"]["Code"] == "FileSystemNotFound"


def test_an_id_can_be_taken_once(sandbox: Sandbox, efs: Any) -> None:
    with pytest.raises(ValueError, match=f"there is a file system {FS} already"):
        sandbox.file_systems.create(FS, Size(GIB))
