"""File systems of a chosen id, size and mode, as DescribeFileSystems tells them."""

from datetime import timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError
from botocore.session import get_session
from moto.core.exceptions import JsonRESTError

from localaws.clock import START
from localaws.file_system_tags import TAG_KEY, TAG_VALUE
from localaws.file_systems import Size
from localaws.sandbox import Sandbox

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


def test_a_file_system_may_be_the_destination_of_a_replication(sandbox: Sandbox, efs: Any) -> None:
    def protection() -> str:
        return str(described(efs)["FileSystemProtection"]["ReplicationOverwriteProtection"])

    assert protection() == "ENABLED"
    sandbox.file_systems.set_replicated(FS)
    assert protection() == "REPLICATING"
    sandbox.file_systems.set_replicated(FS, is_destination=False)
    assert protection() == "ENABLED"


def test_only_elastic_throughput_has_archive(sandbox: Sandbox, efs: Any) -> None:
    sandbox.file_systems.set_mode(FS, "elastic")
    sandbox.file_systems.set_size(FS, Size(3 * GIB, archive_bytes=1))
    code, status, said = refused(efs, ThroughputMode="bursting")
    assert (code, status, "Archive" in said) == ("BadRequest", 400, True)
    sandbox.file_systems.set_size(FS, Size(3 * GIB))
    efs.update_file_system(FileSystemId=FS, ThroughputMode="bursting")


def test_the_throughput_mode_can_be_updated(efs: Any) -> None:
    efs.update_file_system(FileSystemId=FS, ThroughputMode="provisioned", ProvisionedThroughputInMibps=64.0)
    one = described(efs)
    assert (one["ThroughputMode"], one["ProvisionedThroughputInMibps"]) == ("provisioned", 64.0)


def refused(efs: Any, **change: Any) -> tuple[str, int, str]:
    """Code, HTTP status and sentence with which a change is refused."""
    with pytest.raises(ClientError) as error:
        efs.update_file_system(FileSystemId=FS, **change)
    answer = error.value.response
    return answer["Error"]["Code"], answer["ResponseMetadata"]["HTTPStatusCode"], answer["Error"]["Message"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"ThroughputMode": "elastic"}, {"ThroughputMode": "bursting"}),
        ({"ThroughputMode": "elastic"}, {"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 64.0}),
        ({"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 64.0}, {"ThroughputMode": "bursting"}),
        (
            {"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 64.0},
            {"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 63.0},
        ),
    ],
)
def test_a_change_of_mode_locks_mode_and_decrease_for_a_day(
    sandbox: Sandbox, efs: Any, first: dict[str, Any], second: dict[str, Any]
) -> None:
    efs.update_file_system(FileSystemId=FS, **first)
    changed = sandbox.clock.now()
    sandbox.clock.move_to(changed + timedelta(hours=23, minutes=59))
    until = f"{changed + timedelta(hours=24):%Y-%m-%dT%H:%M:%SZ}"
    sentence = (
        "You have reached the maximum number of throughput mode changes or provisioned throughput value decreases. "
        f"Wait until {until} UTC and try again."
    )
    assert refused(efs, **second) == ("TooManyRequests", 429, sentence)
    assert described(efs)["ThroughputMode"] == first["ThroughputMode"]
    sandbox.clock.move_to(changed + timedelta(hours=24, seconds=1))
    efs.update_file_system(FileSystemId=FS, **second)
    assert described(efs)["ThroughputMode"] == second["ThroughputMode"]


def provision(efs: Any, mebibytes_per_second: float) -> None:
    efs.update_file_system(
        FileSystemId=FS, ThroughputMode="provisioned", ProvisionedThroughputInMibps=mebibytes_per_second
    )


@pytest.mark.parametrize("hours", [1, 30])
@pytest.mark.parametrize(
    "second",
    [
        {"ThroughputMode": "elastic"},
        {"ThroughputMode": "bursting"},
        {"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 127.0},
    ],
)
def test_provisioned_throughput_may_always_be_raised_and_each_raise_begins_the_lock_anew(
    sandbox: Sandbox, efs: Any, hours: int, second: dict[str, Any]
) -> None:
    provision(efs, 64.0)
    raised = sandbox.clock.now() + timedelta(hours=hours)
    sandbox.clock.move_to(raised)
    provision(efs, 128.0)
    sandbox.clock.move_to(raised + timedelta(hours=23, minutes=59))
    # As much as there is already is no change: it is taken, and begins nothing.
    provision(efs, 128.0)
    code, _, said = refused(efs, **second)
    assert (code, f"{raised + timedelta(hours=24):%Y-%m-%dT%H:%M:%SZ}" in said) == ("TooManyRequests", True)
    assert described(efs)["ProvisionedThroughputInMibps"] == 128.0
    sandbox.clock.move_to(raised + timedelta(hours=24, seconds=1))
    efs.update_file_system(FileSystemId=FS, **second)
    assert described(efs)["ThroughputMode"] == second["ThroughputMode"]


def test_a_decrease_locks_like_a_change_of_mode(sandbox: Sandbox, efs: Any) -> None:
    efs.update_file_system(FileSystemId=FS, ThroughputMode="provisioned", ProvisionedThroughputInMibps=64.0)
    sandbox.clock.move_to(sandbox.clock.now() + timedelta(hours=24, seconds=1))
    efs.update_file_system(FileSystemId=FS, ThroughputMode="provisioned", ProvisionedThroughputInMibps=32.0)
    assert refused(efs, ThroughputMode="elastic")[0] == "TooManyRequests"


def test_what_sets_a_scene_goes_round_the_lock_and_begins_none(sandbox: Sandbox, efs: Any) -> None:
    sandbox.file_systems.set_mode(FS, "provisioned", 64.0)
    sandbox.file_systems.set_mode(FS, "elastic")
    one = described(efs)
    assert one["ThroughputMode"] == "elastic"
    assert "ProvisionedThroughputInMibps" not in one
    efs.update_file_system(FileSystemId=FS, ThroughputMode="bursting")


@pytest.mark.parametrize("change", [{"ThroughputMode": "fast"}, {"ThroughputMode": "provisioned"}])
def test_a_mode_that_makes_no_sense_is_refused(efs: Any, change: dict[str, Any]) -> None:
    with pytest.raises(ClientError) as refused:
        efs.update_file_system(FileSystemId=FS, **change)
    assert refused.value.response["Error"]["Code"] == "BadRequest"


def test_a_file_system_whose_last_change_goes_on_takes_no_other(sandbox: Sandbox, efs: Any) -> None:
    sandbox.file_systems.set_state(FS, "updating")
    with pytest.raises(ClientError) as refused:
        efs.update_file_system(FileSystemId=FS, ThroughputMode="elastic")
    assert refused.value.response["Error"]["Code"] == "IncorrectFileSystemLifeCycleState"
    assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 409
    sandbox.file_systems.set_state(FS, "available")
    efs.update_file_system(FileSystemId=FS, ThroughputMode="elastic")


def test_a_deleted_file_system_is_not_found(sandbox: Sandbox, efs: Any) -> None:
    sandbox.file_systems.delete(FS)
    for call in (efs.describe_file_systems, efs.update_file_system):
        with pytest.raises(ClientError) as refused:
            call(FileSystemId=FS)
        assert refused.value.response["Error"]["Code"] == "FileSystemNotFound"


def test_an_id_can_be_taken_once(sandbox: Sandbox, efs: Any) -> None:
    with pytest.raises(ValueError, match=f"there is a file system {FS} already"):
        sandbox.file_systems.create(FS, Size(GIB))


@pytest.mark.parametrize("value", ["", "rate 1 day", "https://example.com/efs", "a=b+c-d@e_f.g", "Größe 数", "x" * 256])
def test_a_tag_holds_letters_digits_spaces_and_some_signs(efs: Any, value: str) -> None:
    efs.tag_resource(ResourceId=FS, Tags=[{"Key": "efs-monitor:Any", "Value": value}])
    assert {"Key": "efs-monitor:Any", "Value": value} in described(efs)["Tags"]


@pytest.mark.parametrize("sign", "()*?,;#%&~!$'\"<>|\n")
def test_no_other_sign_and_nothing_of_the_request_is_taken(efs: Any, sign: str) -> None:
    with pytest.raises(ClientError) as refused:
        efs.tag_resource(ResourceId=FS, Tags=[{"Key": "a", "Value": "1"}, {"Key": "b", "Value": f"1{sign}"}])
    assert refused.value.response["Error"] == {
        "Code": "ValidationException",
        "Message": f"1 validation error detected: Value '1{sign}' at 'tags.2.member.value' failed to satisfy "
        f"constraint: Member must satisfy regular expression pattern: {TAG_VALUE}",
    }
    assert described(efs)["Tags"] == [{"Key": "Name", "Value": "home"}]


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("x" * 129, "", "Member must have length less than or equal to 128"),
        ("x", "y" * 257, "Member must have length less than or equal to 256"),
        ("a,b", "", f"Member must satisfy regular expression pattern: {TAG_KEY}"),
        ("AWS:x", "", f"Member must satisfy regular expression pattern: {TAG_KEY}"),
    ],
)
def test_what_is_wrong_with_a_tag_is_said_whichever_call_brings_it(
    efs: Any, key: str, value: str, problem: str
) -> None:
    tags = [{"Key": key, "Value": value}]
    for call, given in (
        (efs.tag_resource, {"ResourceId": FS}),
        (efs.create_file_system, {"CreationToken": "other"}),
        (efs.create_access_point, {"ClientToken": "one", "FileSystemId": FS}),
    ):
        with pytest.raises(ClientError, match="ValidationException") as refused:
            call(Tags=tags, **given)
        assert refused.value.response["Error"]["Message"].endswith(f"failed to satisfy constraint: {problem}")
    assert len(efs.describe_file_systems()["FileSystems"]) == 1


def test_the_patterns_of_tags_are_those_of_the_api() -> None:
    model = get_session().get_service_model("efs")
    assert model.shape_for("TagKey").metadata == {"min": 1, "max": 128, "pattern": TAG_KEY}
    assert model.shape_for("TagValue").metadata == {"max": 256, "pattern": TAG_VALUE}


@pytest.mark.parametrize(
    ("driven", "code"),
    [
        ({"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 3414.5}, "ThroughputLimitExceeded"),
        (
            {
                "ThroughputMode": "provisioned",
                "ProvisionedThroughputInMibps": 1025.0,
                "AvailabilityZoneName": "us-east-1a",
            },
            "ThroughputLimitExceeded",
        ),
        ({"ThroughputMode": "provisioned"}, "BadRequest"),
        ({"PerformanceMode": "maxIO", "ThroughputMode": "elastic"}, "BadRequest"),
        ({"PerformanceMode": "maxIO", "AvailabilityZoneName": "us-east-1a"}, "BadRequest"),
    ],
)
def test_what_no_file_system_can_be_none_is_created_as(efs: Any, driven: dict[str, Any], code: str) -> None:
    with pytest.raises(ClientError) as refused:
        efs.create_file_system(CreationToken="other", **driven)
    answer = refused.value.response
    assert (answer["Error"]["Code"], answer["ResponseMetadata"]["HTTPStatusCode"]) == (code, 400)
    assert len(efs.describe_file_systems()["FileSystems"]) == 1


def test_as_much_is_provisioned_as_the_region_has(sandbox: Sandbox, efs: Any) -> None:
    created = efs.create_file_system(
        CreationToken="other", ThroughputMode="provisioned", ProvisionedThroughputInMibps=3414.0
    )
    assert created["ProvisionedThroughputInMibps"] == 3414
    sentence = (
        "The throughput mode or amount of provisioned throughput can't be changed because the throughput limit of "
        "3414 MiB/s has been reached."
    )
    beyond = {"ThroughputMode": "provisioned", "ProvisionedThroughputInMibps": 5000.0}
    assert refused(efs, **beyond) == ("ThroughputLimitExceeded", 400, sentence)
    with pytest.raises(JsonRESTError, match="3414"):
        sandbox.file_systems.set_mode(FS, "provisioned", 5000)
    assert described(efs)["ThroughputMode"] == "bursting"
    provision(efs, 3414)


def test_in_one_zone_less_is_provisioned(sandbox: Sandbox, efs: Any) -> None:
    other = "fs-11111111111111111"
    sandbox.file_systems.create(other, Size(GIB), availability_zone="us-east-1a")
    with pytest.raises(ClientError, match="ThroughputLimitExceeded"):
        efs.update_file_system(FileSystemId=other, ThroughputMode="provisioned", ProvisionedThroughputInMibps=1025.0)
    efs.update_file_system(FileSystemId=other, ThroughputMode="provisioned", ProvisionedThroughputInMibps=1024.0)
