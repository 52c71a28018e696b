"""Every status that CloudFormation has for a stack, and what a fleet may do then."""

from datetime import UTC, datetime, timedelta

import pytest
from botocore.session import get_session
from efs_monitor.fleet.monitor_stack import (
    DESCRIBED,
    FLEET_TAG,
    NAMED_BY_A_FLEET,
    TEMPLATE_TAG,
    UPDATABLE,
    MonitorStack,
    file_system_in,
)

from operate.template_files import template

# Whether CloudFormation is at work, whether the stack can be nothing but deleted, and whether it can be updated.
AT_WORK, LOST, UPDATED, FOR_A_PERSON = (True, False, False), (False, True, False), (False, False, True), (False,) * 3
MEANINGS = {
    "CREATE_IN_PROGRESS": AT_WORK,
    "CREATE_FAILED": LOST,
    "CREATE_COMPLETE": UPDATED,
    "ROLLBACK_IN_PROGRESS": AT_WORK,
    "ROLLBACK_FAILED": LOST,
    "ROLLBACK_COMPLETE": LOST,
    "DELETE_IN_PROGRESS": AT_WORK,
    "DELETE_FAILED": LOST,
    "DELETE_COMPLETE": FOR_A_PERSON,
    "UPDATE_IN_PROGRESS": AT_WORK,
    "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS": AT_WORK,
    "UPDATE_COMPLETE": UPDATED,
    "UPDATE_FAILED": FOR_A_PERSON,
    "UPDATE_ROLLBACK_IN_PROGRESS": AT_WORK,
    "UPDATE_ROLLBACK_FAILED": FOR_A_PERSON,
    "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS": AT_WORK,
    "UPDATE_ROLLBACK_COMPLETE": UPDATED,
    "REVIEW_IN_PROGRESS": FOR_A_PERSON,
    "IMPORT_IN_PROGRESS": AT_WORK,
    "IMPORT_COMPLETE": UPDATED,
    "IMPORT_ROLLBACK_IN_PROGRESS": AT_WORK,
    "IMPORT_ROLLBACK_FAILED": FOR_A_PERSON,
    "IMPORT_ROLLBACK_COMPLETE": UPDATED,
}
FAILED = {name for name in MEANINGS if "ROLLBACK" in name or name.endswith("_FAILED")}


def test_no_status_of_cloudformation_is_unknown() -> None:
    status = get_session().get_service_model("cloudformation").shape_for("StackStatus")
    assert set(status.metadata["enum"]) == set(MEANINGS)


@pytest.mark.parametrize(("status", "meaning"), MEANINGS.items(), ids=MEANINGS)
def test_a_status_says_what_may_be_done_and_whether_something_failed(
    status: str, meaning: tuple[bool, bool, bool]
) -> None:
    stack = MonitorStack(name="one", status=status, file_system_id="fs-0123456789abcdef0")
    assert (stack.in_progress, stack.never_whole, stack.status in UPDATABLE) == meaning
    assert stack.failed is (status in FAILED)


def test_a_stack_that_came_into_being_and_does_not_go_watches_its_file_system_already() -> None:
    def was_whole(status: str) -> bool:
        return MonitorStack(name="one", status=status, file_system_id="fs-0123456789abcdef0").was_whole

    not_yet = {"REVIEW_IN_PROGRESS", "CREATE_IN_PROGRESS", "CREATE_FAILED"}
    not_yet |= {"ROLLBACK_IN_PROGRESS", "ROLLBACK_FAILED", "ROLLBACK_COMPLETE"}
    not_any_more = {"DELETE_IN_PROGRESS", "DELETE_FAILED"}
    assert {status for status in MEANINGS if not was_whole(status)} - {"DELETE_COMPLETE"} == not_yet | not_any_more


@pytest.mark.parametrize(
    ("status", "hours", "hangs"),
    [
        ("UPDATE_IN_PROGRESS", 3, False),
        ("UPDATE_IN_PROGRESS", 3.1, True),
        ("UPDATE_COMPLETE", 3.1, False),
        # Nobody is at work on it.
        ("REVIEW_IN_PROGRESS", 3.1, False),
    ],
)
def test_what_takes_longer_than_the_three_hours_of_a_custom_resource_hangs(
    status: str, hours: float, *, hangs: bool
) -> None:
    began = datetime(2030, 1, 7, 12, tzinfo=UTC)
    stack = MonitorStack(name="one", status=status, file_system_id="fs-0123456789abcdef0", since=began)
    assert stack.hangs(began + timedelta(hours=hours)) is hangs


def test_a_stack_of_which_its_tags_and_cloudformation_say_nothing_says_nothing() -> None:
    assert MonitorStack(name="one", status="CREATE_COMPLETE", file_system_id="fs-1") == MonitorStack(
        name="one",
        status="CREATE_COMPLETE",
        file_system_id="fs-1",
        fleet="",
        template="",
        parameters={},
        reason="",
        since=None,
    )


@pytest.mark.parametrize(
    ("name", "may_be_one"),
    [
        ("efs-fleet-fs-0123456789abcdef0", True),
        ("a-fs-0", True),
        ("fs-0123456789abcdef0", False),
        ("efs-fleet-fs-xyz", False),
        ("efs-fleet-fs-01-extra", False),
        ("Team-fs-0", False),
    ],
)
def test_a_name_that_a_fleet_would_give_is_known_by_its_form(name: str, *, may_be_one: bool) -> None:
    assert bool(NAMED_BY_A_FLEET.fullmatch(name)) is may_be_one


@pytest.mark.parametrize(
    ("name", "fleet", "file_system_id"),
    [
        ("efs-fleet-fs-0123456789abcdef0", "efs-fleet", "fs-0123456789abcdef0"),
        # Of a fleet whose name ends as this one's.
        ("other-efs-fleet-fs-01", "efs-fleet", ""),
        ("efs-fleet-fs-01", "efs", ""),
        ("efs-fleet-fs-01-extra", "efs-fleet", ""),
        ("efs-fleet-mine", "efs-fleet", ""),
        # Without a fleet's tag nobody knows which part of the name is the fleet's.
        ("efs-fleet-fs-01", "", ""),
    ],
)
def test_the_file_system_is_read_off_the_name_that_its_own_fleet_gives(
    name: str, fleet: str, file_system_id: str
) -> None:
    assert file_system_in(name, fleet) == file_system_id


def test_a_stack_is_known_by_what_its_template_says_of_itself() -> None:
    assert template()["Description"].startswith(DESCRIBED)


def test_the_tags_are_those_of_the_stacks_that_there_are() -> None:
    # Under other names a fleet would take its own stacks for somebody else's.
    assert (FLEET_TAG, TEMPLATE_TAG) == ("efs-monitor:fleet", "efs-monitor:template")
