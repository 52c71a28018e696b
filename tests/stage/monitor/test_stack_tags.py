"""A change of stack tags alone: CloudFormation writes the alarms with what it has stored, and asks nobody."""

import pytest
from efs_monitor.alarms.alarm import CREDIT_ALARMS
from efs_monitor.efs.credits import GIB, burst_bytes_per_second

from localaws.cloudformation.error_codes import ResourceFailure
from localaws.file_systems import Size
from stage.direct_deployment import DeploymentRefused
from tests.quick import first_of
from tests.stage.monitor.stack_under_test import StackUnderTest

TIB = 1024 * GIB
WARNING_MINUTES = 180


def grown_since_deployment(stack: StackUnderTest) -> None:
    """Deployed at 100 GiB, and twice as fast since: the alarms have followed, and people were told."""
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    stack.standard_bytes = 2 * TIB
    stack.permitted_bytes_per_second = burst_bytes_per_second(stack.standard_bytes)
    stack.balance_gib = 4000
    stack.sandbox.file_systems.set_size(stack.file_system_id, Size(standard_bytes=stack.standard_bytes))
    stack.live(2)
    assert stack.alarms()["warning"]["Threshold"] == right_threshold(stack)


def right_threshold(stack: StackUnderTest) -> float:
    """Warning's, in bytes."""
    return WARNING_MINUTES * 60 * stack.permitted_bytes_per_second


def is_repaired_within_a_minute(stack: StackUnderTest) -> None:
    """And nothing more comes in the minutes after it."""
    stack.live()
    assert stack.alarms()["warning"]["Threshold"] == right_threshold(stack)
    stack.live(5)


def acting(stack: StackUnderTest) -> list[bool]:
    """Whether each alarm on credits acts."""
    alarms = stack.alarms()
    return [alarms[name]["ActionsEnabled"] for name in CREDIT_ALARMS]


def told(stack: StackUnderTest) -> list[str | None]:
    """Every subject that anybody has got so far."""
    return [one.subject for one in stack.sandbox.mailbox.publications]


def writes_of_warning(stack: StackUnderTest) -> int:
    """How often somebody has written the alarm."""
    history = stack.sandbox.client("cloudwatch").describe_alarm_history(
        AlarmName=f"{stack.name}-warning", HistoryItemType="ConfigurationUpdate"
    )
    return len(history["AlarmHistoryItems"])


def test_thresholds_are_right_again_within_a_minute(stack: StackUnderTest) -> None:
    grown_since_deployment(stack)
    writes, mails = writes_of_warning(stack), told(stack)
    stack.tag(team="storage")
    is_repaired_within_a_minute(stack)
    assert writes_of_warning(stack) == writes + 2, "CloudFormation's own, and the repair"
    assert told(stack) == mails


@pytest.mark.more
def test_thresholds_are_right_again_after_a_change_of_tags_that_was_rolled_back(stack: StackUnderTest) -> None:
    grown_since_deployment(stack)
    writes, mails = writes_of_warning(stack), told(stack)

    def fail_once_warning_is_written() -> None:
        if writes_of_warning(stack) == writes + 1:
            stack.sandbox.cloudformation.pause = lambda: None
            raise ResourceFailure("of the test")

    stack.sandbox.cloudformation.pause = fail_once_warning_is_written
    with pytest.raises(DeploymentRefused):
        stack.tag(team="storage")
    assert stack.status() == "UPDATE_ROLLBACK_COMPLETE"
    is_repaired_within_a_minute(stack)
    assert writes_of_warning(stack) == writes + 3, "CloudFormation's own, its rollback, and the repair"
    assert told(stack) == mails


@pytest.mark.whole
def test_suspended_alarms_are_suspended_again_within_a_minute(stack: StackUnderTest) -> None:
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    stack.sandbox.file_systems.set_mode(stack.file_system_id, "elastic")
    stack.live_until_next_run()
    assert acting(stack) == [False] * 4
    mails = told(stack)
    stack.tag(team="storage")
    stack.live()
    assert acting(stack) == [False] * 4
    assert all(stack.alarms()[name]["AlarmDescription"].startswith("[suspended]") for name in CREDIT_ALARMS)
    stack.live(5)
    assert told(stack) == mails


@pytest.mark.whole
@pytest.mark.parametrize(("mode", "mib_per_second"), first_of([("elastic", None), ("provisioned", 200)], in_ci=1))
def test_nobody_is_told_that_an_alarm_is_over_which_is_suspended_on_a_low_balance(
    stack: StackUnderTest, mode: str, mib_per_second: float | None
) -> None:
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    stack.balance_gib = 100
    stack.live(3)
    stack.sandbox.file_systems.set_mode(stack.file_system_id, mode, mib_per_second)
    stack.live_until_next_run()
    stack.live(2)
    mails = told(stack)
    stack.tag(team="storage")
    stack.live(6)
    assert acting(stack) == [False] * 4
    assert told(stack) == mails


@pytest.mark.more
def test_alarms_that_are_suspended_have_the_thresholds_of_a_size_that_grew_again_within_a_minute(
    stack: StackUnderTest,
) -> None:
    grown_since_deployment(stack)
    stack.sandbox.file_systems.set_mode(stack.file_system_id, "elastic")
    stack.live_until_next_run()
    before = {name: one["Threshold"] for name, one in stack.alarms().items()}
    mails = told(stack)
    stack.tag(team="storage")
    stack.live()
    assert acting(stack) == [False] * 4
    assert {name: one["Threshold"] for name, one in stack.alarms().items()} == before
    stack.live(5)
    assert told(stack) == mails


@pytest.mark.more
def test_alarms_that_were_deployed_suspended_and_act_by_now_act_again_within_a_minute(stack: StackUnderTest) -> None:
    stack.create_file_system("elastic")
    stack.deploy()
    stack.live(2)
    stack.sandbox.file_systems.set_mode(stack.file_system_id, "bursting")
    stack.live_until_next_run()
    stack.live(2)
    assert acting(stack) == [True] * 4
    stack.tag(team="storage")
    stack.live()
    assert acting(stack) == [True] * 4


@pytest.mark.more
def test_an_alarm_that_goes_off_after_the_tags_is_heard(stack: StackUnderTest) -> None:
    stack.create_file_system("elastic")
    stack.deploy()
    stack.live(2)
    stack.sandbox.file_systems.set_mode(stack.file_system_id, "bursting")
    stack.live_until_next_run()
    stack.live(2)
    stack.tag(team="storage")
    stack.balance_gib = 100
    stack.live(3)
    assert 'ALARM: "home-critical" in US East (N. Virginia)' in stack.subjects("critical")
