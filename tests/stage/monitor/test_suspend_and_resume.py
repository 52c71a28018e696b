"""Elastic and back to bursting: silent where credits mean nothing, and no alarm is lost on the way back."""

import pytest

from tests.stage.monitor.faults import DENIED, FaultInjector
from tests.stage.monitor.stack_under_test import StackUnderTest

WARNING = 'ALARM: "home-warning" in US East (N. Virginia)'
CRITICAL = 'ALARM: "home-critical" in US East (N. Virginia)'


def low_in_elastic_mode(stack: StackUnderTest) -> None:
    """Both alarms have gone off; then somebody did what the mail says, and the hourly run has seen it."""
    low_and_switched_to_elastic(stack)
    stack.recalculate()
    stack.live()


def low_and_switched_to_elastic(stack: StackUnderTest) -> None:
    stack.create_file_system()
    stack.deploy()
    stack.live(2)
    stack.balance_gib = 100
    stack.live(2)
    stack.sandbox.file_systems.set_mode(stack.file_system_id, "elastic")


def back_to_bursting(stack: StackUnderTest) -> None:
    """Back, and still low; the next minute is that of the hourly run."""
    stack.sandbox.file_systems.set_mode(stack.file_system_id, "bursting")


def heard(stack: StackUnderTest) -> tuple[int, int]:
    """How often Warning and Critical have gone off for their subscribers."""
    return stack.subjects("warning").count(WARNING), stack.subjects("critical").count(CRITICAL)


def ended(stack: StackUnderTest) -> tuple[int, int]:
    """How often Warning and Critical have become OK for their subscribers."""
    warning, critical = (one.replace("ALARM", "OK") for one in (WARNING, CRITICAL))
    return stack.subjects("warning").count(warning), stack.subjects("critical").count(critical)


@pytest.mark.whole
def test_what_pagers_have_open_is_closed_and_the_end_is_told_once_in_words(stack: StackUnderTest) -> None:
    low_in_elastic_mode(stack)
    ends = ('OK: "home-warning" in US East (N. Virginia)', 'OK: "home-critical" in US East (N. Virginia)')
    assert (stack.subjects("warning")[-1], stack.subjects("critical")[-1]) == ends
    assert "Over by a change of the throughput mode" in stack.published("critical")[-1].message
    told = [str(one).partition(":")[0] for one in stack.subjects("advice")]
    assert told == ["CRITICAL", "RECOVERED"]
    mail = stack.published("advice")[-1]
    assert mail.subject == f"RECOVERED: over by elastic throughput, alarms suspended, {stack.file_system_id}"
    assert "Warning and Critical were on and are set to OK" in " ".join(mail.message.split())
    stack.recalculate()
    assert len(stack.subjects("advice")) == 2


@pytest.mark.whole
@pytest.mark.parametrize("written", [1, *(pytest.param(one, marks=pytest.mark.more) for one in (0, 2))])
def test_an_alarm_whose_suspension_breaks_off_rings_nobody_again_and_is_ended_by_the_next_run(
    stack: StackUnderTest, faults: FaultInjector, written: int
) -> None:
    """CloudWatch judges it anew within a minute, by a balance that is as low as before."""
    low_and_switched_to_elastic(stack)
    armed = ended(stack)
    faults.fail("PutMetricAlarm", DENIED, skip=written)
    stack.live_until_next_run()
    stack.live(4)
    assert heard(stack) == (1, 1)
    faults.heal()
    stack.live_until_next_run()
    stack.live(4)
    assert heard(stack) == (1, 1)
    assert {one["StateValue"] for end, one in stack.alarms().items() if end in {"warning", "critical"}} == {"OK"}
    assert not any(one["ActionsEnabled"] for end, one in stack.alarms().items() if end in {"warning", "critical"})
    assert [now - before for before, now in zip(armed, ended(stack), strict=True)] == [1, 1]


@pytest.mark.more
def test_an_alarm_is_not_left_on_for_the_days_of_a_mode_without_a_balance(stack: StackUnderTest) -> None:
    """Nor for the minutes in which CloudWatch still goes by the balances of before."""
    low_in_elastic_mode(stack)
    assert stack.alarms()["critical"]["StateValue"] == "OK"
    stack.measured = False
    told = len(stack.sandbox.mailbox.publications)
    stack.live(60)
    stack.recalculate()
    stack.live(20)
    assert {one["StateValue"] for end, one in stack.alarms().items() if end in {"warning", "critical"}} == {"OK"}
    assert len(stack.sandbox.mailbox.publications) == told


@pytest.mark.whole
def test_suspended_alarms_tell_nobody(stack: StackUnderTest) -> None:
    low_in_elastic_mode(stack)
    assert heard(stack) == (1, 1)
    alarms = stack.alarms()
    assert not alarms["warning"]["ActionsEnabled"]
    assert not alarms["critical"]["ActionsEnabled"]
    told = len(stack.sandbox.mailbox.publications)
    stack.balance_gib = 2000
    stack.live(20)
    stack.balance_gib = 100
    stack.live(20)
    assert len(stack.sandbox.mailbox.publications) == told


@pytest.mark.whole
def test_alarms_that_are_low_when_they_wake_go_off_again(stack: StackUnderTest) -> None:
    low_in_elastic_mode(stack)
    back_to_bursting(stack)
    stack.recalculate()
    assert stack.decisions()[-1]["decision"] == "resume"
    stack.live(2)
    assert heard(stack) == (2, 2)
    # The mail of an alarm that goes off at once says that it is awake.
    assert f"INFO: alarms active again, {stack.file_system_id}" not in stack.subjects("advice")


@pytest.mark.whole
def test_an_alarm_that_went_off_in_silence_and_is_over_is_announced_before_its_ok(stack: StackUnderTest) -> None:
    low_in_elastic_mode(stack)
    stack.balance_gib = 1
    stack.live(2)
    stack.balance_gib = 100
    back_to_bursting(stack)
    stack.live()
    stack.recalculate()
    mail = next(one for one in stack.published("advice") if "active again" in str(one.subject))
    assert "Exhausted went off unheard" in " ".join(mail.message.split())
    told = len(stack.subjects("critical"))
    stack.live(20)
    ends = [str(one).partition(" in ")[0] for one in stack.subjects("critical")[told:]]
    assert ends == [CRITICAL.partition(" in ")[0], 'OK: "home-exhausted"']


def test_alarms_that_are_fine_when_they_wake_tell_only_that_they_are_armed(stack: StackUnderTest) -> None:
    low_in_elastic_mode(stack)
    stack.balance_gib = 2000
    stack.live(20)
    back_to_bursting(stack)
    stack.recalculate()
    stack.live(2)
    assert heard(stack) == (1, 1)
    assert stack.alarms()["warning"]["StateValue"] == "OK"


@pytest.mark.more
@pytest.mark.parametrize(
    ("action", "skip"), [("SetAlarmState", 0), pytest.param("PutMetricAlarm", 3, marks=pytest.mark.more)]
)
def test_a_wake_that_fails_between_its_steps_is_finished_by_the_retry(
    stack: StackUnderTest, faults: FaultInjector, action: str, skip: int
) -> None:
    low_in_elastic_mode(stack)
    back_to_bursting(stack)
    faults.fail(action, DENIED, skip=skip, times=1)
    stack.live_until_next_run()
    stack.live(4)
    assert heard(stack) == (2, 2)
    assert all(alarm["ActionsEnabled"] for alarm in stack.alarms().values())
    assert not any(alarm["AlarmDescription"].startswith("[suspended]") for alarm in stack.alarms().values())


@pytest.mark.more
def test_a_wake_that_breaks_off_for_good_is_finished_by_the_next_hourly_run(
    stack: StackUnderTest, faults: FaultInjector
) -> None:
    low_in_elastic_mode(stack)
    back_to_bursting(stack)
    # After the first step of the first alarm nothing can be written any more, not even put back.
    faults.fail("SetAlarmState", DENIED)
    faults.fail("PutMetricAlarm", DENIED, skip=1)
    stack.live_until_next_run()
    stack.live(4)
    assert len(stack.failures_told()) == 1
    assert any(alarm["AlarmDescription"].startswith("[suspended]") for alarm in stack.alarms().values())
    faults.heal()
    stack.live_until_next_run()
    stack.live(2)
    assert heard(stack) == (2, 2)
    assert stack.decisions()[-1]["decision"] == "resume"
    stack.live_until_next_run()
    assert stack.decisions()[-1]["decision"] == "keep"


@pytest.mark.whole
def test_a_redeployment_while_suspended_lets_the_next_run_wake_the_alarms(stack: StackUnderTest) -> None:
    low_in_elastic_mode(stack)
    back_to_bursting(stack)
    assert stack.deploy(CriticalMinutes="90")["State"] == "suspended"
    stack.recalculate()
    stack.live(2)
    assert heard(stack) == (2, 2)
    assert all(alarm["ActionsEnabled"] for alarm in stack.alarms().values())
