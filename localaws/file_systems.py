"""EFS file systems of known id, size and mode, and the UpdateFileSystem call moto lacks."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from moto.core.exceptions import JsonRESTError
from moto.efs.exceptions import BadRequest, FileSystemNotFound
from moto.efs.models import EFSBackend, FileSystem, efs_backends
from moto.efs.responses import EFSResponse

from localaws import throughput_limits
from localaws.account import ACCOUNT_ID, REGION
from localaws.throughput_lock import Throughput, refusal

THROUGHPUT_MODES = ("bursting", "provisioned", "elastic")
NO_RATE = "ProvisionedThroughputInMibps is required for the throughput mode provisioned."


@dataclass(frozen=True, slots=True)
class Size:
    """What DescribeFileSystems calls SizeInBytes: metered about once an hour, by storage class."""

    standard_bytes: int
    infrequent_access_bytes: int = 0
    archive_bytes: int = 0
    metered: datetime | None = None

    def described(self) -> dict[str, Any]:
        return {
            "Value": self.standard_bytes + self.infrequent_access_bytes + self.archive_bytes,
            "ValueInStandard": self.standard_bytes,
            "ValueInIA": self.infrequent_access_bytes,
            "ValueInArchive": self.archive_bytes,
            "Timestamp": self.metered.timestamp() if self.metered else time.time(),
        }


class FileSystems:
    """The account's file systems, for whoever plays their part; unknown ids raise FileSystemNotFound."""

    @property
    def _backend(self) -> EFSBackend:
        return efs_backends[ACCOUNT_ID][REGION]

    def create(
        self,
        file_system_id: str,
        size: Size,
        *,
        throughput_mode: str = "bursting",
        provisioned_mebibytes_per_second: float | None = None,
        performance_mode: str = "generalPurpose",
        availability_zone: str | None = None,
        name: str = "",
    ) -> None:
        """A file system with a chosen id, which the API would draw; with an availability zone it is a One Zone one."""
        backend = self._backend
        if file_system_id in backend.file_systems_by_id:
            message = f"there is a file system {file_system_id} already"
            raise ValueError(message)
        drawn = backend.create_file_system(
            creation_token=file_system_id,
            performance_mode=performance_mode,
            encrypted=True,
            kms_key_id=None,
            throughput_mode=throughput_mode,
            provisioned_throughput_in_mibps=provisioned_mebibytes_per_second,
            availability_zone_name=availability_zone,
            backup=False,
            tags=[],
        )
        del backend.file_systems_by_id[drawn.file_system_id]
        drawn.file_system_arn = drawn.file_system_arn.replace(drawn.file_system_id, file_system_id)
        drawn.file_system_id = file_system_id
        backend.file_systems_by_id[file_system_id] = drawn
        if name:
            backend.tagging_service.tag_resource(file_system_id, [{"Key": "Name", "Value": name}])
        self.set_size(file_system_id, size)

    def set_size(self, file_system_id: str, size: Size) -> None:
        self._get(file_system_id)._size = size

    def set_state(self, file_system_id: str, state: str) -> None:
        """What EFS calls LifeCycleState: creating, available, updating, deleting, deleted or error."""
        self._get(file_system_id).life_cycle_state = state

    def set_mode(
        self, file_system_id: str, throughput_mode: str, provisioned_mebibytes_per_second: float | None = None
    ) -> None:
        """Change the throughput mode although AWS might refuse it: neither asks the 24-hour lock nor begins one. What
        no file system can have, this one gets in no way.
        """
        _drive(self._get(file_system_id), Throughput(throughput_mode, provisioned_mebibytes_per_second))

    def change_mode(
        self, file_system_id: str, throughput_mode: str, provisioned_mebibytes_per_second: float | None = None
    ) -> None:
        """What UpdateFileSystem does; TooManyRequests within 24 hours of the last change, but for a raise."""
        _change(self._get(file_system_id), Throughput(throughput_mode, provisioned_mebibytes_per_second))

    def set_replicated(self, file_system_id: str, *, is_destination: bool = True) -> None:
        """Whether it is the destination of a replication, which EFS alone writes to."""
        self._get(file_system_id)._is_destination = is_destination

    def delete(self, file_system_id: str) -> None:
        self._get(file_system_id)
        self._backend.delete_file_system(file_system_id)

    def _get(self, file_system_id: str) -> FileSystem:
        file_system = self._backend.file_systems_by_id.get(file_system_id)
        if file_system is None:
            raise FileSystemNotFound(file_system_id)
        return file_system


def size_in_bytes(file_system: FileSystem) -> dict[str, Any]:
    """Replaces moto's `FileSystem.size_in_bytes`, which is always zero."""
    size: Size = getattr(file_system, "_size", Size(standard_bytes=6_144))
    return size.described()


def described_with(theirs: Callable[[FileSystem], dict[str, Any]]) -> Callable[[FileSystem], dict[str, Any]]:
    """`FileSystem.info_json`, with whether replication may overwrite it, which moto does not tell."""

    def info_json(file_system: FileSystem) -> dict[str, Any]:
        protection = "REPLICATING" if getattr(file_system, "_is_destination", False) else "ENABLED"
        return theirs(file_system) | {"FileSystemProtection": {"ReplicationOverwriteProtection": protection}}

    return info_json


def created_with(theirs: Callable[..., FileSystem]) -> Callable[..., FileSystem]:
    """`EFSBackend.create_file_system`, of a file system that there can be."""

    def create_file_system(backend: EFSBackend, **given: Any) -> FileSystem:
        wanted = Throughput(given["throughput_mode"] or "bursting", given["provisioned_throughput_in_mibps"])
        if wanted.mode == "provisioned" and wanted.provisioned_mebibytes_per_second is None:
            raise BadRequest(NO_RATE)
        _require_possible(
            wanted, given["performance_mode"] or "generalPurpose", is_one_zone=bool(given["availability_zone_name"])
        )
        return theirs(backend, **given)

    return create_file_system


def update_file_system(response: EFSResponse) -> tuple[str, dict[str, str | int]]:
    """`EFSResponse.update_file_system`: throughput mode and provisioned throughput, with the 24-hour lock.

    Archive exists in elastic throughput alone; AWS's own words for the refusal are not known.
    """
    file_system_id = response._get_param("FileSystemId")
    file_system = response.efs_backend.file_systems_by_id.get(file_system_id)
    if file_system is None:
        raise FileSystemNotFound(file_system_id)
    mode = response._get_param("ThroughputMode") or file_system.throughput_mode
    provisioned = response._get_param("ProvisionedThroughputInMibps")
    if file_system.life_cycle_state != "available":
        raise _not_available(file_system.life_cycle_state)
    if mode not in THROUGHPUT_MODES:
        raise BadRequest(f"ThroughputMode is {mode!r}; it must be one of {', '.join(THROUGHPUT_MODES)}.")
    if mode == "provisioned" and provisioned is None:
        raise BadRequest(NO_RATE)
    if mode != "elastic" and size_in_bytes(file_system)["ValueInArchive"]:
        raise BadRequest(f"The throughput mode {mode} is not supported while data is in the Archive storage class.")
    _change(file_system, Throughput(mode, provisioned if mode == "provisioned" else None))
    return json.dumps(file_system.info_json()), {"status": 202, "Content-Type": "application/json"}


def _not_available(state: str) -> JsonRESTError:
    """EFS's API model has the error, with status 409, where "the file system's lifecycle state is not available"."""
    error = JsonRESTError(
        "IncorrectFileSystemLifeCycleState", f"The file system is in the state {state!r} and must be 'available'."
    )
    error.code = 409
    return error


def _require_possible(wanted: Throughput, performance_mode: str, *, is_one_zone: bool) -> None:
    refused = throughput_limits.refusal(wanted, performance_mode=performance_mode, is_one_zone=is_one_zone)
    if refused is not None:
        raise JsonRESTError(refused.code, refused.sentence)


def _require_possible_of(file_system: FileSystem, wanted: Throughput) -> None:
    is_one_zone = bool(file_system.availability_zone_name)
    _require_possible(wanted, file_system.performance_mode, is_one_zone=is_one_zone)


def _change(file_system: FileSystem, wanted: Throughput) -> None:
    _require_possible_of(file_system, wanted)
    before = Throughput(file_system.throughput_mode, file_system.provisioned_throughput_in_mibps)
    now = datetime.fromtimestamp(time.time(), UTC)
    refused = refusal(getattr(file_system, "_locked_since", None), now)
    if refused and wanted.waits_for_the_lock(before):
        error = JsonRESTError("TooManyRequests", refused)
        error.code = 429
        raise error
    if wanted.begins_the_lock(before):
        file_system._locked_since = now
    _drive(file_system, wanted)


def _drive(file_system: FileSystem, wanted: Throughput) -> None:
    _require_possible_of(file_system, wanted)
    file_system.throughput_mode = wanted.mode
    file_system.provisioned_throughput_in_mibps = wanted.provisioned_mebibytes_per_second
