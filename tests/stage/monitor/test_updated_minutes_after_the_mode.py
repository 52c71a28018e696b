"""Alarms are on, the throughput mode makes credits meaningless, and the stack is updated before any run has seen that:
pagers get the one OK that they wait for, and people the one mail that the incident is over.
"""

import json
from typing import Any

import pytest
from efs_monitor.alarms.alarm import CREDIT_ALARMS, is_ended_by_mode, is_held
from efs_monitor.events import BEGINNINGS_OF_UPDATES

from localaws.cloudformation.error_codes import ResourceFailure
from stage.direct_deployment import DeploymentRefused
from tests.quick import first_of
from tests.stage.monitor.faults import DENIED, FaultInjector
from tests.stage.monitor.stack_under_test import StackUnderTest
from tests.stage.monitor.test_suspended_on_a_low_balance import (
    deliver,
    is_suspended_and_ok,
    live_in_deployment,
    slow_deployments,
    told,
)

MODES = first_of([("elastic", None), ("provisioned", 200)], in_ci=1)


def low(stack: StackUnderTest) -> None:
    """Warning and Critical are on."""
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    stack.balance_gib = 300
    stack.live(3)
    assert on(stack) == {"warning", "critical"}


def low_and_draining(stack: StackUnderTest) -> None:
    """Draining is on, too."""
    low(stack)
    for _ in range(10):
        stack.balance_gib -= 8
        stack.live()
    assert on(stack) == {"warning", "critical", "draining"}


def on(stack: StackUnderTest) -> set[str]:
    """The alarms on credits that are on and act."""
    alarms = stack.alarms()
    return {kind for kind in CREDIT_ALARMS if alarms[kind]["StateValue"] == "ALARM" and alarms[kind]["ActionsEnabled"]}


def switched(stack: StackUnderTest, mode: str, mib_per_second: float | None) -> None:
    """Elastic file systems publish no balance. No run has seen the mode yet."""
    before = on(stack)
    stack.sandbox.file_systems.set_mode(stack.file_system_id, mode, mib_per_second)
    stack.measured = mode != "elastic"
    stack.live(2)
    assert on(stack) == before


def is_over_and_heard_once(stack: StackUnderTest, before: list[str | None], alarms: set[str], mode: str) -> None:
    """An update has just ended, before which these alarms were on and that was told."""
    stack.sandbox.events.wait_for_background()
    stack.sandbox.cloudformation.pause = lambda: None
    for minutes in (2, 20):
        stack.live(minutes)
        # What these minutes have started may still be at work.
        stack.sandbox.events.wait_for_background()
        assert is_suspended_and_ok(stack)
    stack.recalculate()
    news = [str(subject) for subject in told(stack)[len(before) :]]
    pages = sorted(subject.partition(" in ")[0] for subject in news if "home-" in subject)
    assert pages == sorted(f'OK: "home-{alarm}"' for alarm in alarms)
    mails = [subject for subject in news if "home-" not in subject]
    assert mails == [f"RECOVERED: over by {mode} throughput, alarms suspended, {stack.file_system_id}"]


def thresholds_when_ended(faults: FaultInjector) -> dict[str, float | None]:
    """What functions had written last as threshold of each alarm when they ended it: CloudWatch may judge it anew
    within seconds, while it still acts.
    """
    written, found = dict[str, float](), dict[str, float | None]()
    for call in faults.calls:
        if call.action == "PutMetricAlarm" and call.by_function:
            alarm = json.loads(call.body)
            written[alarm["AlarmName"]] = alarm["Threshold"]
        elif call.action == "SetAlarmState" and is_ended_by_mode(json.loads(call.body)["StateReason"]):
            name = json.loads(call.body)["AlarmName"]
            found[name] = written.get(name)
    return found


@pytest.mark.parametrize(("mode", "mib_per_second"), MODES)
def test_a_changed_parameter_ends_what_is_on_heard(
    stack: StackUnderTest, faults: FaultInjector, mode: str, mib_per_second: float | None
) -> None:
    low_and_draining(stack)
    switched(stack, mode, mib_per_second)
    before = told(stack)
    with slow_deployments(stack):
        assert stack.deploy(WarningMinutes="240")["State"] == "suspended"
    is_over_and_heard_once(stack, before, {"warning", "critical", "draining"}, mode)
    mail = " ".join(stack.published("advice")[-1].message.split())
    assert "Warning, Critical and Draining were on and are set to OK" in mail
    assert thresholds_when_ended(faults) == dict.fromkeys(("home-warning", "home-critical", "home-draining"), 0)


@pytest.mark.more
@pytest.mark.parametrize(("mode", "mib_per_second"), MODES)
def test_so_does_a_change_of_tags_alone(stack: StackUnderTest, mode: str, mib_per_second: float | None) -> None:
    low(stack)
    switched(stack, mode, mib_per_second)
    before = told(stack)
    with slow_deployments(stack):
        stack.tag(team="storage")
    is_over_and_heard_once(stack, before, {"warning", "critical"}, mode)


@pytest.mark.more
def test_so_does_one_that_is_quick_while_the_balance_falls_fast(stack: StackUnderTest) -> None:
    low_and_draining(stack)
    switched(stack, "provisioned", 200)
    before = told(stack)
    stack.tag(team="storage")
    is_over_and_heard_once(stack, before, {"warning", "critical", "draining"}, "provisioned")


@pytest.mark.more
def test_without_any_balance_it_is_ended_too(stack: StackUnderTest) -> None:
    low(stack)
    switched(stack, "elastic", None)
    stack.live(32)
    assert on(stack) == {"warning", "critical"}
    before = told(stack)
    with slow_deployments(stack):
        stack.deploy(WarningMinutes="240")
    is_over_and_heard_once(stack, before, {"warning", "critical"}, "elastic")


@pytest.mark.more
@pytest.mark.parametrize("parameters", first_of([{}, {"WarningMinutes": "240"}], in_ci=1))
def test_a_second_event_of_the_beginning_changes_nothing(stack: StackUnderTest, parameters: dict[str, str]) -> None:
    low(stack)
    switched(stack, "provisioned", 200)
    before, passed_on = told(stack), stack.sandbox.cloudformation.publish
    beginnings: list[dict[str, Any]] = []
    minute = live_in_deployment(stack)

    def note(event: dict[str, Any]) -> None:
        if event["detail"]["status-details"]["status"] in BEGINNINGS_OF_UPDATES:
            beginnings.append(event)
        passed_on(event)

    def again() -> None:
        deliver(stack, beginnings)
        minute()

    stack.sandbox.cloudformation.publish = note
    with slow_deployments(stack):
        stack.sandbox.cloudformation.pause = again
        if parameters:
            stack.deploy(**parameters)
        else:
            stack.tag(team="storage")
    assert beginnings == []
    is_over_and_heard_once(stack, before, {"warning", "critical"}, "provisioned")


@pytest.mark.more
@pytest.mark.parametrize("alarm", first_of(["home-critical", "home-warning"], in_ci=1))
def test_nor_does_a_run_that_breaks_off_and_that_cloudwatch_overtakes(
    stack: StackUnderTest, faults: FaultInjector, alarm: str
) -> None:
    """The alarm is silent and low, and goes off by itself before the run is tried again."""
    low(stack)
    switched(stack, "provisioned", 200)
    before = told(stack)
    faults.fail("SetAlarmState", DENIED, about=_sets_into_alarm(alarm), times=1)
    with slow_deployments(stack):
        stack.tag(team="storage")
    assert _sets_into_alarm(alarm) in " ".join(call.body for call in faults.calls)
    is_over_and_heard_once(stack, before, {"warning", "critical"}, "provisioned")


def _sets_into_alarm(alarm: str) -> str:
    return f'"AlarmName": "{alarm}", "StateValue": "ALARM"'


@pytest.mark.more
def test_nor_does_a_rollback(stack: StackUnderTest) -> None:
    """CloudFormation has written the alarms by then: they act, in the ALARM that they were put into."""
    low(stack)
    switched(stack, "provisioned", 200)
    before, minute, failures = told(stack), live_in_deployment(stack), [ResourceFailure("of the test")]

    def fail_once_written() -> None:
        minute()
        alarms = stack.alarms()
        if failures and on(stack) and all(is_held(alarms[kind]["StateReason"]) for kind in on(stack)):
            raise failures.pop()

    stack.sandbox.cloudformation.pause = fail_once_written
    with pytest.raises(DeploymentRefused):
        stack.tag(team="storage")
    assert failures == []
    is_over_and_heard_once(stack, before, {"warning", "critical"}, "provisioned")
