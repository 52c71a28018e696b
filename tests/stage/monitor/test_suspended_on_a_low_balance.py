"""Provisioned throughput, under which the balance goes on being published: alarms that are suspended on a low one stay
OK for the days of that mode, and no update of the stack in that time tells anybody anything.
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from efs_monitor.alarms.alarm import CREDIT_ALARMS
from efs_monitor.efs.credits import GIB, burst_bytes_per_second
from efs_monitor.events import BEGINNINGS_OF_UPDATES

from localaws.cloudformation.error_codes import ResourceFailure
from localaws.file_systems import Size
from stage.direct_deployment import DeploymentRefused
from tests.stage.monitor.faults import DENIED, FaultInjector
from tests.stage.monitor.stack_under_test import StackUnderTest
from tests.stage.monitor.test_incident_across_updates import with_larger_functions


def low_under_provisioned_throughput(stack: StackUnderTest) -> None:
    """Critical and Warning have gone off; then somebody provisions throughput, and the hourly run has seen it."""
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    stack.balance_gib = 100
    stack.live(3)
    stack.sandbox.file_systems.set_mode(stack.file_system_id, "provisioned", 200)
    stack.live_until_next_run()


def is_suspended_and_ok(stack: StackUnderTest) -> bool:
    alarms = [stack.alarms()[kind] for kind in CREDIT_ALARMS]
    return all(
        (one["StateValue"], one["ActionsEnabled"], one["Threshold"]) == ("OK", False, 0)
        and one["AlarmDescription"].startswith("[suspended]")
        for one in alarms
    )


def told(stack: StackUnderTest) -> list[str | None]:
    """Every subject that anybody has got so far."""
    return [one.subject for one in stack.sandbox.mailbox.publications]


def live_in_deployment(stack: StackUnderTest) -> Callable[[], None]:
    """What lets a minute pass after each resource: CloudWatch judges the alarms as they are by then, and whatever runs
    hourly runs.
    """

    def minute() -> None:
        stack.live()
        stack.sandbox.quotas.second_passes()
        stack.recalculate()

    return minute


@contextmanager
def slow_deployments(stack: StackUnderTest) -> Iterator[None]:
    """Deployments meanwhile take a minute for each resource."""
    stack.sandbox.cloudformation.pause = live_in_deployment(stack)
    yield
    stack.sandbox.cloudformation.pause = lambda: None
    stack.sandbox.events.wait_for_background()


def is_over_and_nobody_was_told(stack: StackUnderTest, mails: list[str | None]) -> None:
    """An update has just ended, and these were the mails before it."""
    stack.sandbox.events.wait_for_background()
    stack.sandbox.cloudformation.pause = lambda: None
    stack.live(2)
    assert is_suspended_and_ok(stack)
    stack.live(20)
    assert is_suspended_and_ok(stack)
    assert told(stack) == mails


def with_another_description(template: dict[str, Any]) -> None:
    """Of the rule, which no alarm depends on."""
    template["Resources"]["StackUpdatedRule"]["Properties"]["Description"] = "a release later"


def beginnings_kept(stack: StackUnderTest) -> list[dict[str, Any]]:
    """What CloudFormation says from now on of beginnings, in the place of whoever it is for."""
    kept: list[dict[str, Any]] = []
    passed_on = stack.sandbox.cloudformation.publish

    def keep(event: dict[str, Any]) -> None:
        if event["detail"]["status-details"]["status"] in BEGINNINGS_OF_UPDATES:
            kept.append(event)
        else:
            passed_on(event)

    stack.sandbox.cloudformation.publish = keep
    return kept


def deliver(stack: StackUnderTest, kept: list[dict[str, Any]]) -> None:
    """Each of them comes now, and whoever it starts runs."""
    while kept:
        stack.sandbox.events.accept(stack.function("RecalculateThresholds"), json.dumps(kept.pop(0)).encode())
    stack.sandbox.events.wait_for_background()


def eventually(holds: Callable[[], bool]) -> None:
    """Wait for what goes on in the background."""
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.days
def test_suspended_alarms_stay_ok_for_a_day_of_a_low_balance(stack: StackUnderTest) -> None:
    low_under_provisioned_throughput(stack)
    told_so_far = told(stack)
    for _ in range(24):
        stack.live(59)
        stack.recalculate()
        stack.live()
        assert is_suspended_and_ok(stack)
    assert [subject for subject in told(stack)[len(told_so_far) :] if "home-" in str(subject)] == []


@pytest.mark.whole
def test_a_change_of_tags_alone_pages_nobody(stack: StackUnderTest) -> None:
    low_under_provisioned_throughput(stack)
    mails = told(stack)
    with slow_deployments(stack):
        stack.tag(team="storage")
    is_over_and_nobody_was_told(stack, mails)


@pytest.mark.more
def test_nor_does_a_release(stack: StackUnderTest) -> None:
    low_under_provisioned_throughput(stack)
    mails = told(stack)
    with slow_deployments(stack):
        stack.deploy_changed(with_larger_functions, CriticalMinutes="90")
    is_over_and_nobody_was_told(stack, mails)


@pytest.mark.more
def test_nor_does_one_that_touches_no_alarm(stack: StackUnderTest) -> None:
    low_under_provisioned_throughput(stack)
    mails = told(stack)
    with slow_deployments(stack):
        stack.deploy_changed(with_another_description)
    is_over_and_nobody_was_told(stack, mails)


@pytest.mark.more
def test_nor_does_a_change_of_tags_that_is_rolled_back(stack: StackUnderTest) -> None:
    low_under_provisioned_throughput(stack)
    mails = told(stack)
    minute, failures = live_in_deployment(stack), [ResourceFailure("of the test")]

    def fail_once_written() -> None:
        minute()
        if failures and stack.alarms()["critical"]["ActionsEnabled"]:
            raise failures.pop()

    stack.sandbox.cloudformation.pause = fail_once_written
    with pytest.raises(DeploymentRefused):
        stack.tag(team="storage")
    stack.sandbox.events.wait_for_background()
    assert stack.status() == "UPDATE_ROLLBACK_COMPLETE"
    is_over_and_nobody_was_told(stack, mails)


@pytest.mark.more
def test_nor_does_one_that_fails_and_is_left_as_it_is(stack: StackUnderTest) -> None:
    low_under_provisioned_throughput(stack)
    mails = told(stack)

    def fail_once_written() -> None:
        if stack.alarms()["critical"]["ActionsEnabled"]:
            raise ResourceFailure("of the test")

    stack.sandbox.cloudformation.pause = fail_once_written
    stack.sandbox.clock.let_run()
    stack.sandbox.client("cloudformation").update_stack(
        StackName=stack.name,
        UsePreviousTemplate=True,
        DisableRollback=True,
        Capabilities=["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
        Tags=[{"Key": "team", "Value": "storage"}],
        Parameters=[
            {"ParameterKey": "FileSystemId", "UsePreviousValue": True},
            {"ParameterKey": "AlertEmail", "UsePreviousValue": True},
        ],
    )
    eventually(lambda: stack.decisions()[-1]["cause"] == "stack UPDATE_FAILED")
    is_over_and_nobody_was_told(stack, mails)


@pytest.mark.more
def test_nor_does_one_of_a_file_system_that_grew_since_it_was_deployed(stack: StackUnderTest) -> None:
    """By what CloudFormation has stored the balance is not low, by what is right now it is."""
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    stack.standard_bytes *= 20
    stack.sandbox.file_systems.set_size(stack.file_system_id, Size(standard_bytes=stack.standard_bytes))
    stack.permitted_bytes_per_second, stack.balance_gib = burst_bytes_per_second(stack.standard_bytes), 1500
    stack.live(2)
    assert stack.alarms()["warning"]["Threshold"] > 1500 * GIB
    stack.sandbox.file_systems.set_mode(stack.file_system_id, "provisioned", 400)
    stack.live_until_next_run()
    mails = told(stack)
    with slow_deployments(stack):
        stack.tag(team="storage")
    is_over_and_nobody_was_told(stack, mails)


def test_an_event_that_comes_when_the_alarms_are_written_comes_in_time_for_the_next_minute(
    stack: StackUnderTest,
) -> None:
    low_under_provisioned_throughput(stack)
    mails, kept = told(stack), beginnings_kept(stack)

    def told_once_written() -> None:
        if all(stack.alarms()[kind]["ActionsEnabled"] for kind in CREDIT_ALARMS):
            deliver(stack, kept)

    stack.sandbox.cloudformation.pause = told_once_written
    stack.tag(team="storage")
    assert kept == []
    is_over_and_nobody_was_told(stack, mails)


@pytest.mark.parametrize("comes", [True, pytest.param(False, marks=pytest.mark.more)])
def test_one_that_comes_later_or_never_pages_once_and_what_pagers_have_open_is_closed(
    stack: StackUnderTest, comes: bool
) -> None:
    low_under_provisioned_throughput(stack)
    mails, kept = told(stack), beginnings_kept(stack)
    written: list[bool] = []

    def live_once_written() -> None:
        if not written and all(stack.alarms()[kind]["ActionsEnabled"] for kind in CREDIT_ALARMS):
            written.append(True)
            stack.live(2)
            if comes:
                deliver(stack, kept)

    stack.sandbox.cloudformation.pause = live_once_written
    stack.tag(team="storage")
    stack.sandbox.events.wait_for_background()
    assert written
    stack.live(2)
    assert is_suspended_and_ok(stack)
    stack.live(20)
    pages = [str(subject).partition(" in ")[0] for subject in told(stack)[len(mails) :]]
    for severity in ("warning", "critical"):
        assert [page for page in pages if f'"home-{severity}"' in page] == [
            f'ALARM: "home-{severity}"',
            f'OK: "home-{severity}"',
        ]


@pytest.mark.more
def test_one_that_comes_when_the_update_is_over_leaves_the_alarms_as_they_are(stack: StackUnderTest) -> None:
    low_under_provisioned_throughput(stack)
    kept = beginnings_kept(stack)
    stack.deploy_changed(with_another_description)
    mails = told(stack)
    stack.live(2)
    deliver(stack, kept)
    is_over_and_nobody_was_told(stack, mails)


@pytest.mark.more
@pytest.mark.parametrize("action", ["SetAlarmState", pytest.param("PutMetricAlarm", marks=pytest.mark.more)])
def test_a_run_that_cannot_get_the_alarms_ready_leaves_none_on(
    stack: StackUnderTest, faults: FaultInjector, action: str
) -> None:
    low_under_provisioned_throughput(stack)
    faults.fail(action, DENIED)
    minute = live_in_deployment(stack)
    stack.sandbox.cloudformation.pause = minute
    stack.deploy_changed(with_another_description)
    stack.sandbox.events.wait_for_background()
    faults.heal()
    stack.live_until_next_run()
    stack.live(2)
    assert is_suspended_and_ok(stack)


@pytest.mark.whole
def test_alarms_go_off_once_for_what_is_low_when_credits_matter_again(stack: StackUnderTest) -> None:
    low_under_provisioned_throughput(stack)
    mails = told(stack)
    stack.sandbox.file_systems.set_mode(stack.file_system_id, "bursting")
    stack.live_until_next_run()
    stack.live(20)
    pages = [str(subject).partition(" in ")[0] for subject in told(stack)[len(mails) :] if "home-" in str(subject)]
    assert sorted(pages) == ['ALARM: "home-critical"', 'ALARM: "home-warning"']


@pytest.mark.more
def test_nor_do_they_go_off_for_what_was_low_a_minute_before(stack: StackUnderTest) -> None:
    """CloudWatch still looks at that minute: what it ends for it is announced."""
    low_under_provisioned_throughput(stack)
    mails = told(stack)
    stack.sandbox.file_systems.set_mode(stack.file_system_id, "bursting")
    stack.live()
    stack.balance_gib = 2000
    stack.live()
    stack.recalculate()
    stack.live(20)
    pages = [str(subject).partition(" in ")[0] for subject in told(stack)[len(mails) :] if "home-" in str(subject)]
    assert sorted(pages) == ['OK: "home-critical"', 'OK: "home-warning"']
    (mail,) = (one for one in stack.published("advice") if "active again" in str(one.subject))
    assert "Critical and Warning went off unheard" in " ".join(mail.message.split())


@pytest.mark.more
def test_an_alarm_is_not_lost_where_the_mode_is_changed_back_amid_the_update(stack: StackUnderTest) -> None:
    low_under_provisioned_throughput(stack)
    mails, minute = told(stack), live_in_deployment(stack)

    def back_once_held() -> None:
        stack.sandbox.file_systems.set_mode(stack.file_system_id, "bursting")
        minute()

    stack.sandbox.cloudformation.pause = back_once_held
    stack.tag(team="storage")
    stack.sandbox.events.wait_for_background()
    stack.live(20)
    pages = [str(subject).partition(" in ")[0] for subject in told(stack)[len(mails) :] if "home-" in str(subject)]
    assert sorted(pages) == ['ALARM: "home-critical"', 'ALARM: "home-warning"']
