"""The look at late metrics, in this process and over real HTTP: which alarms it sets, and what it leaves alone."""

from typing import Any

import pytest
from efs_monitor.alarms.alarm import CREDIT_ALARMS, AlarmKind, alarm_name
from efs_monitor.aws import cloudwatch_alarms
from efs_monitor.efs.credits import GIB
from efs_monitor.errors import AwsDenied, EventRefused

from localaws.clock import MINUTE
from tests.stage.monitor.conftest import HOURLY, STACK_NAME, WatchedHome
from tests.stage.monitor.faults import DENIED, THROTTLED

LATE_MINUTES = 40


@pytest.fixture
def calm(home: WatchedHome) -> WatchedHome:
    """A file system of 100 GiB, whose Warning is below 1,055 GiB and Critical below 352; all on credits are OK."""
    home.create_file_system()
    home.create_alarms()
    for kind in CREDIT_ALARMS:
        home.cloudwatch.set_alarm_state(AlarmName=alarm_name(STACK_NAME, kind), StateValue="OK", StateReason="calm")
    home.faults.forget()
    return home


def came_late(home: WatchedHome, balance_gib: float, *, late_minutes: int = LATE_MINUTES) -> None:
    """Twenty minutes in a row, the last of them so long ago."""
    for minutes_ago in range(late_minutes, late_minutes + 20):
        home.record("BurstCreditBalance", balance_gib * GIB, minutes_ago=minutes_ago)


def look(home: WatchedHome, event: object = HOURLY) -> Any:
    return home.call("set_late_alarms", event)


def states(home: WatchedHome) -> dict[str, str]:
    return {end: alarm["StateValue"] for end, alarm in home.alarms().items() if end in {"warning", "critical"}}


def actions(home: WatchedHome) -> list[str]:
    return [call.action for call in home.faults.calls]


def test_a_balance_that_came_too_late_for_cloudwatch_sets_the_alarms_that_it_would_have_set(calm: WatchedHome) -> None:
    came_late(calm, 700)
    assert look(calm)["alarms_set"] == [f"{STACK_NAME}-warning ALARM"]
    assert states(calm) == {"warning": "ALARM", "critical": "OK"}


def test_cloudwatch_leaves_the_alarm_so_as_long_as_it_sees_no_datapoint(calm: WatchedHome) -> None:
    came_late(calm, 700)
    look(calm)
    for _ in range(10):
        calm.sandbox.advance()
    assert states(calm) == {"warning": "ALARM", "critical": "OK"}


def test_the_message_goes_out_by_the_alarm_itself_and_says_why_it_comes_late(calm: WatchedHome) -> None:
    came_late(calm, 700)
    look(calm)
    calm.sandbox.advance()
    told = calm.published("warning")[-1]
    assert told.subject == 'ALARM: "home-warning" in US East (N. Virginia)'
    assert "LATE METRICS: The balance was 700 GiB at " in told.message
    assert f"datapoint of fs-0123456789abcdef0 is {LATE_MINUTES} minutes old. CloudWatch looks back 15" in told.message


def test_an_alarm_ends_by_late_datapoints_too(calm: WatchedHome) -> None:
    came_late(calm, 200)
    look(calm)
    calm.sandbox.clock.move_to(calm.sandbox.clock.now() + 20 * MINUTE)
    came_late(calm, 500)
    assert look(calm)["alarms_set"] == [f"{STACK_NAME}-critical OK"]
    assert states(calm) == {"warning": "ALARM", "critical": "OK"}


def fell_late(home: WatchedHome, *, late_minutes: int) -> None:
    """Half an hour at 300 GiB, then twelve minutes of a fall to less than an hour's worth, the last so long ago."""
    for minutes_ago in range(late_minutes, late_minutes + 42):
        fallen_for = max(late_minutes + 12 - minutes_ago, 0)
        home.record("BurstCreditBalance", (300 - 6 * fallen_for) * GIB, minutes_ago=minutes_ago)


@pytest.mark.parametrize("late_minutes", [17, 25, 26, 40])
def test_a_fall_that_draining_cannot_see_is_told_by_it_and_stays_so(calm: WatchedHome, late_minutes: int) -> None:
    for kind in (AlarmKind.WARNING, AlarmKind.CRITICAL):
        calm.cloudwatch.set_alarm_state(AlarmName=alarm_name(STACK_NAME, kind), StateValue="ALARM", StateReason="low")
    fell_late(calm, late_minutes=late_minutes)
    assert look(calm)["alarms_set"] == [f"{STACK_NAME}-draining ALARM"]
    assert calm.logged("metrics are late")
    calm.sandbox.advance()
    assert calm.alarms()["draining"]["StateValue"] == "ALARM"
    (told,) = [one for one in calm.published("warning") if str(one.subject).startswith('ALARM: "home-draining"')]
    reason = (
        "In 5 or more of 30 minutes the balance fell so fast that it lasts less than 60 minutes; it was 228 GiB at "
    )
    assert f"LATE METRICS: {reason}" in told.message
    assert f"is {late_minutes} minutes old. CloudWatch may see too few of these minutes" in told.message
    assert look(calm)["alarms_set"] == []


def test_a_fall_whose_metrics_stopped_is_told_by_draining_and_stays_so(calm: WatchedHome) -> None:
    """Of 127 minutes at its pace, and above Critical."""
    for minutes_ago in range(40, 82):
        calm.record("BurstCreditBalance", (417 - 3 * max(52 - minutes_ago, 0)) * GIB, minutes_ago=minutes_ago)
    assert look(calm)["alarms_set"] == [f"{STACK_NAME}-warning ALARM"]
    for _ in range(27):
        calm.sandbox.advance()
    assert look(calm)["alarms_set"] == []
    calm.sandbox.advance()
    assert look(calm)["alarms_set"] == [f"{STACK_NAME}-draining ALARM"]
    for _ in range(2):
        calm.sandbox.advance()
        assert calm.alarms()["draining"]["StateValue"] == "ALARM"
    (told,) = [one for one in calm.published("warning") if str(one.subject).startswith('ALARM: "home-draining"')]
    assert "is 68 minutes old: the balance was 381 GiB at " in told.message
    assert "and fell by 51 MiB/s. If that went on, it lasts less than 60 minutes from now" in told.message
    assert states(calm) == {"warning": "ALARM", "critical": "OK"}


def fell_unseen(home: WatchedHome) -> None:
    for minutes_ago in range(70, 112):
        home.record("BurstCreditBalance", (417 - 3 * max(82 - minutes_ago, 0)) * GIB, minutes_ago=minutes_ago)


def test_an_unseen_fall_is_over_where_the_file_system_is_gone_or_lives_on_no_credits(calm: WatchedHome) -> None:
    fell_unseen(calm)
    calm.sandbox.file_systems.set_mode("fs-0123456789abcdef0", "elastic")
    assert look(calm)["alarms_set"] == [f"{STACK_NAME}-warning ALARM"]
    calm.sandbox.file_systems.delete("fs-0123456789abcdef0")
    assert look(calm)["alarms_set"] == []
    assert actions(calm)[-1] == "DescribeFileSystems"


def test_where_metrics_may_stop_no_fall_goes_on_unseen(calm: WatchedHome, monkeypatch: pytest.MonkeyPatch) -> None:
    fell_unseen(calm)
    monkeypatch.setenv("SILENT_METRICS_HOURS", "0")
    assert look(calm)["alarms_set"] == [f"{STACK_NAME}-warning ALARM"]


def test_where_efs_does_not_say_it_goes_on(calm: WatchedHome) -> None:
    fell_unseen(calm)
    calm.faults.fail("DescribeFileSystems", DENIED)
    assert look(calm)["alarms_set"] == [f"{STACK_NAME}-warning ALARM", f"{STACK_NAME}-draining ALARM"]
    assert "elasticfilesystem:DescribeFileSystems" in calm.written.getvalue()


def test_the_second_look_at_the_same_datapoints_sets_nothing(calm: WatchedHome) -> None:
    came_late(calm, 200)
    assert len(look(calm)["alarms_set"]) == 2
    calm.faults.forget()
    assert look(calm)["alarms_set"] == []
    assert actions(calm) == ["GetMetricData", "DescribeAlarms"]


@pytest.mark.parametrize("late_minutes", [1, 16])
def test_metrics_in_time_are_left_to_cloudwatch_and_cost_one_call(calm: WatchedHome, late_minutes: int) -> None:
    came_late(calm, 700, late_minutes=late_minutes)
    outcome = look(calm)
    assert outcome["alarms_set"] == []
    assert outcome["newest"] is not None
    assert actions(calm) == ["GetMetricData"]


def test_credits_that_come_back_in_time_cost_one_call_too(calm: WatchedHome) -> None:
    """They do so in most hours of most file systems, and docs/cost.md counts the calls of a look."""
    for minutes_ago in range(179, 1, -1):
        calm.record("BurstCreditBalance", (1100 - minutes_ago) * GIB, minutes_ago=minutes_ago)
    assert look(calm)["alarms_set"] == []
    assert actions(calm) == ["GetMetricData"]


def gone_and_back_in_an_hour_that_comes_at_once(home: WatchedHome) -> None:
    for _ in range(70):
        home.sandbox.advance()
    for minutes_ago in range(60, 1, -1):
        home.record("BurstCreditBalance", 0 if minutes_ago > 45 else 500 * GIB, minutes_ago=minutes_ago)


def test_an_alarm_that_was_written_since_may_have_had_another_threshold_then(calm: WatchedHome) -> None:
    gone_and_back_in_an_hour_that_comes_at_once(calm)
    cloudwatch_alarms.write(calm.cloudwatch, cloudwatch_alarms.read(calm.cloudwatch, STACK_NAME)[AlarmKind.EXHAUSTED])
    assert look(calm)["alarms_set"] == []


def test_credits_that_were_gone_and_back_before_cloudwatch_could_look_are_told_by_their_alarm(
    calm: WatchedHome,
) -> None:
    gone_and_back_in_an_hour_that_comes_at_once(calm)
    assert look(calm)["alarms_set"] == [f"{STACK_NAME}-exhausted ALARM"]
    assert calm.logged("metrics were late")
    told = len(calm.published("critical"))
    for _ in range(2):
        calm.sandbox.advance()
    assert look(calm)["alarms_set"] == []
    ends = [one for one in calm.published("critical")[told - 1 :] if "home-exhausted" in str(one.subject)]
    assert [str(one.subject).partition(":")[0] for one in ends] == ["ALARM", "OK"]
    assert "LATE METRICS, OVER: The balance of fs-0123456789abcdef0 was 0 GiB at " in ends[0].message


def test_without_any_datapoint_nothing_is_set(calm: WatchedHome) -> None:
    assert look(calm) == {"newest": None, "alarms_set": []}


def test_a_suspended_alarm_stays_as_it_is(calm: WatchedHome) -> None:
    came_late(calm, 100)
    calm.sandbox.file_systems.set_mode("fs-0123456789abcdef0", "elastic")
    calm.recalculate()
    assert look(calm)["alarms_set"] == []


def test_what_was_set_is_logged(calm: WatchedHome) -> None:
    came_late(calm, 700)
    look(calm)
    (line,) = calm.logged("metrics are late")
    assert line["alarms_set"] == [f"{STACK_NAME}-warning ALARM"]


def test_a_foreign_event_is_refused_before_anything_is_read(calm: WatchedHome) -> None:
    with pytest.raises(EventRefused, match="schedule is that of stack 'other'"):
        look(calm, {"source": "efs-monitor.schedule", "stack": "other"})
    assert actions(calm) == []


def test_what_cannot_be_set_is_named(calm: WatchedHome) -> None:
    came_late(calm, 700)
    calm.faults.fail("SetAlarmState", DENIED)
    with pytest.raises(AwsDenied, match=f"cloudwatch:SetAlarmState on {STACK_NAME}-warning"):
        look(calm)


def test_throttling_is_waited_for(calm: WatchedHome) -> None:
    came_late(calm, 700)
    calm.faults.fail("SetAlarmState", THROTTLED, times=2)
    assert look(calm)["alarms_set"] == [f"{STACK_NAME}-warning ALARM"]


def test_credits_that_were_gone_again_after_the_datapoints_by_which_their_alarm_was_ended_are_told(
    calm: WatchedHome,
) -> None:
    """It was ended late, and those of the minutes before that came later still: nobody had judged them."""
    calm.sandbox.clock.move_to(calm.sandbox.clock.now() + 70 * MINUTE)
    came_late(calm, 0)
    assert f"{STACK_NAME}-exhausted ALARM" in look(calm)["alarms_set"]
    calm.sandbox.clock.move_to(calm.sandbox.clock.now() + 20 * MINUTE)
    came_late(calm, 500)
    assert f"{STACK_NAME}-exhausted OK" in look(calm)["alarms_set"]
    for minutes_ago in range(LATE_MINUTES - 1, 1, -1):
        calm.record("BurstCreditBalance", 0 if minutes_ago > 30 else 500 * GIB, minutes_ago=minutes_ago)
    assert look(calm)["alarms_set"] == [f"{STACK_NAME}-exhausted ALARM"]


@pytest.mark.parametrize(
    "data",
    [
        *("", "[]", "{}", "7"),
        *(f'{{"newestDatapoint": {one}}}' for one in ("1", "null", '"yesterday"', '"0001-01-01T00:00:00+14:00"')),
    ],
)
def test_data_of_a_reason_that_is_somebody_elses_says_nothing_of_what_was_judged(calm: WatchedHome, data: str) -> None:
    name = alarm_name(STACK_NAME, AlarmKind.EXHAUSTED)
    given = {"StateReasonData": data} if data else {}
    calm.cloudwatch.set_alarm_state(AlarmName=name, StateValue="ALARM", StateReason="low", **given)
    assert cloudwatch_alarms.read(calm.cloudwatch, STACK_NAME)[AlarmKind.EXHAUSTED].judged_until is None
