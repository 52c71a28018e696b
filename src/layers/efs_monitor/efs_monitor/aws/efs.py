"""Amazon EFS: how a file system is set up and how large it is."""

from typing import TYPE_CHECKING

from botocore.exceptions import ClientError

from efs_monitor.aws.calls import error_code, named
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.errors import FileSystemNotFound

if TYPE_CHECKING:
    from mypy_boto3_efs import EFSClient
    from mypy_boto3_efs.type_defs import FileSystemDescriptionTypeDef

    from efs_monitor.fleet.membership import TaggedFileSystem

GONE = frozenset({"deleting", "deleted"})
# One that is just being created is there some seconds later.
NOT_THERE = GONE | {"creating"}
WHAT_TO_CHECK = "check FileSystemId, the Region and the account"


def describe(efs: "EFSClient", file_system_id: str) -> FileSystem:
    """The file system as EFS has it now.

    Raises FileSystemNotFound for an unknown one, or one that is being deleted; AwsRefused for other failures.
    """
    with named("elasticfilesystem:DescribeFileSystems", file_system_id):
        try:
            answer = efs.describe_file_systems(FileSystemId=file_system_id)
        except ClientError as error:
            if error_code(error) == "FileSystemNotFound":
                raise FileSystemNotFound(f"EFS knows no file system {file_system_id} here; {WHAT_TO_CHECK}") from error
            raise
        found = answer["FileSystems"][0]
        if found["LifeCycleState"] in GONE:
            raise FileSystemNotFound(f"The file system {file_system_id} is {found['LifeCycleState']}; {WHAT_TO_CHECK}")
        return _as_it_is(file_system_id, found)


def describe_if_there(efs: "EFSClient", file_system_id: str) -> FileSystem | None:
    """The file system as EFS has it now; None for one that is unknown, or being deleted."""
    try:
        return describe(efs, file_system_id)
    except FileSystemNotFound:
        return None


def every_file_system(efs: "EFSClient") -> "tuple[TaggedFileSystem, ...]":
    """The file systems of the account and Region that are there, with their tags; AwsRefused where not all are listed.

    One in an error counts too: it keeps its data.
    """
    from efs_monitor.fleet.membership import TaggedFileSystem  # noqa: PLC0415 - a cold start without a fleet does not pay for it

    with named("elasticfilesystem:DescribeFileSystems", "every file system"):
        return tuple(
            TaggedFileSystem(
                file_system_id=found["FileSystemId"],
                tags={tag["Key"]: tag["Value"] for tag in found.get("Tags", [])},
                lives_on_credits=_lives_on_credits(found),
            )
            for page in efs.get_paginator("describe_file_systems").paginate()
            for found in page["FileSystems"]
            if found["LifeCycleState"] not in NOT_THERE
        )


def _lives_on_credits(found: "FileSystemDescriptionTypeDef") -> bool:
    """Whether a file system lives on credits; one in a mode of which nothing is known yet counts as one, so that no
    other has to wait for it.
    """
    return (
        found["ThroughputMode"] not in set(ThroughputMode) or _as_it_is(found["FileSystemId"], found).lives_on_credits
    )


def _as_it_is(file_system_id: str, found: "FileSystemDescriptionTypeDef") -> FileSystem:
    size = found["SizeInBytes"]
    return FileSystem(
        file_system_id=file_system_id,
        name=found.get("Name", ""),
        mode=ThroughputMode(found["ThroughputMode"]),
        # A file system without storage classes reports its whole size only.
        standard_bytes=int(size.get("ValueInStandard", size["Value"])),
        provisioned_bytes_per_second=round(found.get("ProvisionedThroughputInMibps", 0) * MIB),
        max_io=found.get("PerformanceMode") == "maxIO",
        one_zone="AvailabilityZoneName" in found,
        colder_bytes=int(size.get("ValueInIA", 0)) + int(size.get("ValueInArchive", 0)),
        archive_bytes=int(size.get("ValueInArchive", 0)),
        is_replica=found.get("FileSystemProtection", {}).get("ReplicationOverwriteProtection") == "REPLICATING",
    )
