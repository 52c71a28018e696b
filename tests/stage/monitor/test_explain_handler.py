"""The explanation's handler, in this process and over real HTTP."""

import json
from datetime import timedelta
from typing import Any

import pytest
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.errors import AwsDenied, EventRefused
from efs_monitor.notify.state import Driven, HealthNotifications, NotificationState

from tests.stage.monitor.conftest import FILE_SYSTEM_ID, STACK_NAME, STATE_PARAMETER, WatchedHome
from tests.stage.monitor.faults import DENIED, THROTTLED


def change(state: str = "ALARM", previous: str = "OK", end: str = "warning") -> dict[str, Any]:
    return {
        "source": "aws.cloudwatch",
        "alarmArn": f"arn:aws:cloudwatch:us-east-1:123456789012:alarm:{STACK_NAME}-{end}",
        "accountId": "123456789012",
        "time": "2030-01-07T01:00:00.000+0000",
        "region": "us-east-1",
        "alarmData": {
            "alarmName": f"{STACK_NAME}-{end}",
            "state": {"value": state, "reason": "1 datapoint was less than the threshold", "timestamp": "x"},
            "previousState": {"value": previous, "reason": "", "timestamp": "x"},
            "configuration": {"description": "", "metrics": []},
        },
    }


def low(home: WatchedHome, *, balance_gib: float = 900) -> None:
    """An hour of falling credits, with what clients did."""
    home.create_file_system()
    for minutes_ago in range(60, 0, -1):
        home.record("BurstCreditBalance", (balance_gib + minutes_ago) * GIB, minutes_ago=minutes_ago)
        home.record("PermittedThroughput", 100 * MIB, minutes_ago=minutes_ago)
        home.record("DataWriteIOBytes", 60 * GIB, minutes_ago=minutes_ago)
        home.record("DataReadIOBytes", 20 * GIB, minutes_ago=minutes_ago)
        home.record("MeteredIOBytes", 67 * GIB, minutes_ago=minutes_ago)


@pytest.mark.parametrize(("end", "word"), [("warning", "WARNING"), ("critical", "CRITICAL")])
def test_an_alarm_is_explained_with_the_minutes_in_the_subject(home: WatchedHome, end: str, word: str) -> None:
    low(home, balance_gib=900 if end == "warning" else 300)
    outcome = home.call("explain", change(end=end))
    (subject,) = home.subjects()
    assert subject is not None
    assert subject.startswith(f"{word}: ")
    assert FILE_SYSTEM_ID in subject
    assert outcome == {"alarm": end, "from": "OK", "to": "ALARM", "mail": subject}
    assert home.logged("explained")[0].items() >= outcome.items()


@pytest.mark.parametrize("end", ["warning", "critical"])
def test_an_alarm_that_went_off_by_a_threshold_that_was_lowered_since_has_no_mail(home: WatchedHome, end: str) -> None:
    """In the minute of deployment, above 10 TiB: the first datapoint shows that the Region permits less."""
    low(home, balance_gib=1500)
    judged = {"reasonData": json.dumps({"threshold": 1600 * GIB})}
    on = change(end=end)
    on["alarmData"]["state"] |= judged
    assert home.call("explain", on)["mail"] is None
    off = change("OK", "ALARM", end=end)
    off["alarmData"]["previousState"] |= judged
    off["alarmData"]["state"]["timestamp"] = "2030-01-07T00:59:58.000+0000"
    for since, is_told in (("2030-01-07T00:59:10.000+0000", False), ("2030-01-07T00:58:50.000+0000", True)):
        off["alarmData"]["previousState"]["timestamp"] = since
        assert (home.call("explain", off)["mail"] is not None) is is_told


@pytest.mark.whole
@pytest.mark.parametrize(
    "data",
    [
        None,
        "{}",
        "none",
        '{"threshold": "high"}',
        json.dumps({"threshold": 10**400}),
        "[" * 99_999,
        json.dumps({"threshold": 200 * GIB}),
    ],
    ids=range(7),
)
def test_an_alarm_that_somebody_sets_off_has_its_mail_whatever_is_left(home: WatchedHome, data: str | None) -> None:
    """To see that it comes; or an event that is kept to try the function with."""
    low(home, balance_gib=1500)
    on = change(end="critical")
    on["alarmData"]["state"] |= {} if data is None else {"reasonData": data}
    assert home.call("explain", on)["mail"].startswith("CRITICAL: ")


def warning_stands_too_high(home: WatchedHome) -> None:
    home.cloudwatch.put_metric_alarm(
        AlarmName=f"{STACK_NAME}-warning",
        Namespace="AWS/EFS",
        MetricName="BurstCreditBalance",
        Dimensions=[{"Name": "FileSystemId", "Value": FILE_SYSTEM_ID}],
        Statistic="Minimum",
        Period=60,
        EvaluationPeriods=15,
        DatapointsToAlarm=1,
        ComparisonOperator="LessThanThreshold",
        Threshold=1600.0 * GIB,
    )


def test_an_alarm_whose_threshold_is_still_to_be_lowered_has_its_mail_without_a_remedy(home: WatchedHome) -> None:
    """Nothing would tell of it when the balance goes on falling: the alarm is on already."""
    low(home, balance_gib=1500)
    warning_stands_too_high(home)
    on = change()
    on["alarmData"]["state"] |= {"reasonData": json.dumps({"threshold": 1600 * GIB})}
    assert home.call("explain", on)["mail"].startswith("WARNING: ")
    body = " ".join(home.sandbox.mailbox.publications[-1].message.split())
    assert "went off below 1,600 GiB, its threshold of before. It is permitted less by now, 100 MiB/s with" in body
    assert "WHAT TO DO" not in body


@pytest.mark.parametrize(("newest_gib", "is_not_low"), [(1100, True), (1056, False)])
def test_what_may_be_low_by_now_by_the_right_threshold_has_a_mail_with_remedies(
    home: WatchedHome, newest_gib: int, *, is_not_low: bool
) -> None:
    """The newest datapoint is a minute old, and 1,055 GiB are the three hours of Warning; it falls by 5 a minute."""
    low(home, balance_gib=newest_gib + 60)
    for minutes_ago in range(15, 0, -1):
        home.record("BurstCreditBalance", (newest_gib + 5 * (minutes_ago - 1)) * GIB, minutes_ago=minutes_ago)
    warning_stands_too_high(home)
    on = change()
    on["alarmData"]["state"] |= {"reasonData": json.dumps({"threshold": 1600 * GIB})}
    home.call("explain", on)
    body = " ".join(home.sandbox.mailbox.publications[-1].message.split())
    assert ("went off below 1,600 GiB, its threshold of before" in body) is is_not_low
    assert ("WHAT TO DO" in body) is not is_not_low


def test_the_mail_names_who_drives_it(home: WatchedHome) -> None:
    low(home)
    home.call("explain", change())
    body = home.sandbox.mailbox.publications[-1].message
    assert "75 %" in body
    assert "25 %" in body


def test_a_recovery_is_told(home: WatchedHome) -> None:
    low(home, balance_gib=1500)
    outcome = home.call("explain", change("OK", "ALARM"))
    assert home.subjects() == [outcome["mail"]]


def test_the_end_of_the_credits_and_of_the_limit_are_told_in_words_of_their_own(home: WatchedHome) -> None:
    low(home, balance_gib=0)
    assert home.call("explain", change(end="exhausted"))["mail"].startswith("GONE: ")
    assert home.call("explain", change("OK", "ALARM", end="exhausted"))["mail"].startswith("LIMIT LIFTED: ")


def test_credits_that_ended_unseen_have_one_mail_and_it_says_when_they_were_gone(home: WatchedHome) -> None:
    """As often as it was so already: no mail has told of this time."""
    low(home, balance_gib=30)
    for minutes_ago in (*range(300, 280, -1), *range(200, 180, -1), *range(120, 100, -1)):
        home.record("BurstCreditBalance", 0, minutes_ago=minutes_ago)
    on = change(end="exhausted")
    on["alarmData"]["state"]["reason"] = "LATE METRICS, OVER: The balance was 0 GiB."
    assert home.call("explain", on)["mail"] is None
    off = change("OK", "ALARM", end="exhausted")
    off["alarmData"]["previousState"]["reason"] = on["alarmData"]["state"]["reason"]
    assert home.call("explain", off)["mail"].startswith("LIMIT LIFTED: ")
    body = " ".join(home.sandbox.mailbox.publications[-1].message.split())
    # Nothing is known of the minutes around.
    assert "The burst credits were gone from some time between" in body


def critical_goes_off(home: WatchedHome, reason: str = "Threshold Crossed") -> None:
    home.cloudwatch.set_alarm_state(AlarmName=f"{STACK_NAME}-critical", StateValue="ALARM", StateReason=reason)


def test_warning_and_critical_in_one_minute_are_one_mail(home: WatchedHome) -> None:
    low(home, balance_gib=200)
    critical_goes_off(home)
    assert home.call("explain", change(end="warning"))["mail"] is None
    assert home.call("explain", change(end="critical"))["mail"].startswith("CRITICAL: ")
    assert home.logged("told by a graver alarm")[0]["graver"] == "critical"


def test_a_critical_that_went_off_by_a_threshold_of_before_tells_of_no_fall(home: WatchedHome) -> None:
    """Its mail has no remedies; Warning is low by the right threshold."""
    low(home)
    critical_goes_off(home)
    assert str(home.call("explain", change(end="warning"))["mail"]).startswith("WARNING: ")


def test_a_fall_is_told_with_what_critical_would_be_if_it_is_deleted(home: WatchedHome) -> None:
    low(home, balance_gib=200)
    home.cloudwatch.delete_alarms(AlarmNames=[f"{STACK_NAME}-critical"])
    assert str(home.call("explain", change(end="draining"))["mail"]).startswith("DRAINING: ")
    told = " ".join(home.sandbox.mailbox.publications[-1].message.split())
    assert "Critical would be on below 352 GiB (60 minutes), but there is no such alarm any more." in told


def test_where_the_alarms_cannot_be_read_each_alarm_has_its_mail(home: WatchedHome) -> None:
    low(home, balance_gib=200)
    critical_goes_off(home)
    home.faults.fail("DescribeAlarms", DENIED)
    assert home.call("explain", change(end="warning"))["mail"].startswith("WARNING: ")


@pytest.mark.whole
def test_the_end_of_the_credits_says_how_often_it_was_so_and_who_tells_of_the_rest(home: WatchedHome) -> None:
    low(home, balance_gib=10)
    for minutes_ago in (*range(300, 280, -1), *range(120, 100, -1)):
        home.record("BurstCreditBalance", 0, minutes_ago=minutes_ago)
    assert home.call("explain", change(end="exhausted"))["mail"].startswith("NEARLY GONE: ")
    body = " ".join(home.sandbox.mailbox.publications[-1].message.split())
    before, _, when = body.partition(" that CloudWatch has of the last 24 hours, ")
    # Nothing is known of the time between the two: it may have been one.
    assert "Credits were gone at least once before in the " in before
    assert when.startswith("the last time that is known until some time between")
    assert "that the limit is lifted, or never came, may come by CloudWatch's own ALARM and OK messages alone" in body
    # As long as it may have been one, what follows is told.
    assert home.call("explain", change("OK", "ALARM", end="exhausted"))["mail"].startswith("LIMIT LIFTED: ")
    home.record("BurstCreditBalance", 50 * GIB, minutes_ago=200)
    for left_to_cloudwatch in (
        change("OK", "ALARM", end="exhausted"),
        change("OK", "ALARM", end="critical"),
        change(end="draining"),
    ):
        assert home.call("explain", left_to_cloudwatch)["mail"] is None
    assert len(home.logged("left to CloudWatch's own message")) == 3
    assert home.call("explain", change("OK", "ALARM", end="warning"))["mail"].startswith("RECOVERED: ")
    assert home.call("explain", change(end="critical"))["mail"].startswith("CRITICAL: ")


def test_a_drill_is_told_whatever_was_told_before(home: WatchedHome) -> None:
    low(home, balance_gib=10)
    for minutes_ago in (*range(300, 280, -1), *range(120, 100, -1)):
        home.record("BurstCreditBalance", 0, minutes_ago=minutes_ago)
    drill = change("OK", "ALARM", end="exhausted")
    drill["alarmData"]["state"]["reason"] = "DRILL: tried"
    assert home.call("explain", drill)["mail"].startswith("DRILL - LIMIT LIFTED: ")


def test_a_fall_is_told_while_critical_has_been_on_for_long(home: WatchedHome) -> None:
    critical_goes_off(home)
    home.sandbox.clock.move_to(home.sandbox.clock.now() + timedelta(hours=2))
    low(home, balance_gib=200)
    assert home.call("explain", change(end="draining"))["mail"].startswith("DRAINING: ")


def test_a_fall_that_a_repeat_of_critical_has_just_told_of_is_not_told_again(home: WatchedHome) -> None:
    critical_goes_off(home)
    home.sandbox.clock.move_to(home.sandbox.clock.now() + timedelta(hours=4))
    low(home, balance_gib=200)
    mailed = {"critical": home.sandbox.clock.now() - timedelta(minutes=4)}
    told = NotificationState(health=HealthNotifications(mailed=mailed)).to_json(FILE_SYSTEM_ID)
    home.sandbox.client("ssm").put_parameter(Name=STATE_PARAMETER, Value=told, Overwrite=True)
    assert home.call("explain", change(end="draining"))["mail"] is None
    assert home.logged("told by a graver alarm")[0]["graver"] == "critical"
    # Where that cannot be read, one mail more is better than none.
    home.faults.fail("GetParameter", DENIED)
    assert home.call("explain", change(end="draining"))["mail"].startswith("DRAINING: ")


def test_a_fall_that_critical_has_just_told_of_is_not_told_again(home: WatchedHome) -> None:
    low(home, balance_gib=200)
    critical_goes_off(home)
    assert home.call("explain", change(end="draining"))["mail"] is None
    assert home.subjects() == []
    assert home.logged("nothing to explain")


def test_a_drill_of_critical_or_one_that_tells_nobody_has_told_of_no_fall(home: WatchedHome) -> None:
    low(home, balance_gib=200)
    critical_goes_off(home, "DRILL: of the test")
    assert home.call("explain", change(end="draining"))["mail"].startswith("DRAINING: ")
    critical_goes_off(home)
    home.cloudwatch.disable_alarm_actions(AlarmNames=[f"{STACK_NAME}-critical"])
    assert home.call("explain", change(end="draining"))["mail"].startswith("DRAINING: ")


def test_where_the_alarms_cannot_be_read_a_fall_is_told(home: WatchedHome) -> None:
    low(home, balance_gib=200)
    critical_goes_off(home)
    home.faults.fail("DescribeAlarms", DENIED)
    assert home.call("explain", change(end="draining"))["mail"].startswith("DRAINING: ")


@pytest.mark.whole
@pytest.mark.parametrize(("late_minutes", "is_told"), [(4, True), (6, False), (350, False), (430, True)])
@pytest.mark.parametrize(("state", "since"), [("ALARM", "OK"), ("OK", "ALARM")])
def test_an_event_that_comes_after_the_next_change_of_its_alarm_is_not_told_as_news(
    home: WatchedHome, state: str, since: str, late_minutes: int, *, is_told: bool
) -> None:
    """Lambda keeps what is throttled for up to six hours, and may deliver it twice; somebody may keep it for longer."""
    home.cloudwatch.set_alarm_state(AlarmName=f"{STACK_NAME}-warning", StateValue=state, StateReason="judged")
    late = change(state, since)
    late["alarmData"]["state"]["timestamp"] = f"{home.sandbox.clock.now():%Y-%m-%dT%H:%M:%S}.000+0000"
    home.sandbox.clock.move_to(home.sandbox.clock.now() + timedelta(minutes=late_minutes))
    low(home)
    in_time = home.call("explain", late)["mail"]
    # It may have come back to the same state since: that has a mail of its own.
    for next_state in (since, state):
        home.cloudwatch.set_alarm_state(
            AlarmName=f"{STACK_NAME}-warning", StateValue=next_state, StateReason="judged since"
        )
        assert (home.call("explain", late)["mail"] is not None) is is_told
    assert bool(home.logged("told by the mail about a later change")) is not is_told
    assert in_time is not None
    # A drill tries the way of a mail, and its alarm is back within the minute.
    late["alarmData"]["state"]["reason"] = "DRILL: tried"
    assert str(home.call("explain", late)["mail"]).startswith("DRILL - ")


def test_that_a_fall_is_over_needs_no_mail(home: WatchedHome) -> None:
    low(home)
    assert home.call("explain", change("OK", "ALARM", end="draining"))["mail"] is None


@pytest.mark.parametrize(
    ("state", "previous"),
    [("OK", "INSUFFICIENT_DATA"), ("INSUFFICIENT_DATA", "ALARM"), ("INSUFFICIENT_DATA", "OK")],
)
def test_an_alarm_that_was_armed_or_lost_its_data_needs_no_mail(home: WatchedHome, state: str, previous: str) -> None:
    outcome = home.call("explain", change(state, previous))
    assert (outcome["mail"], home.subjects()) == (None, [])
    assert home.faults.of_functions() == []
    assert home.logged("nothing to explain")


@pytest.mark.parametrize("action", ["DescribeFileSystems", "GetMetricData"])
def test_half_a_message_is_sent_where_the_situation_cannot_be_read(home: WatchedHome, action: str) -> None:
    low(home)
    home.faults.fail(action, THROTTLED)
    outcome = home.call("explain", change(end="critical"))
    assert outcome["mail"].startswith("CRITICAL: ")
    body = home.sandbox.mailbox.publications[-1].message
    assert "1 datapoint was less than the threshold" in " ".join(body.split())
    assert "failed with ThrottlingException" in " ".join(body.split())
    assert home.logged()[0]["level"] == "ERROR"


@pytest.mark.parametrize("action", ["DescribeFileSystems", "GetMetricData"])
def test_half_a_message_has_no_command_that_aws_refuses_after_a_change_that_the_monitor_saw(
    home: WatchedHome, action: str
) -> None:
    low(home)
    told = NotificationState(resumed=home.sandbox.clock.now() - timedelta(hours=3)).to_json(FILE_SYSTEM_ID)
    home.sandbox.client("ssm").put_parameter(Name=STATE_PARAMETER, Value=told, Overwrite=True)
    home.faults.fail(action, THROTTLED)
    assert home.call("explain", change(end="critical"))["mail"].startswith("CRITICAL: ")
    body = home.sandbox.mailbox.publications[-1].message
    assert "update-file-system" not in body
    assert "Elastic and provisioned throughput are left out" in " ".join(body.split())


@pytest.mark.parametrize("state", ["ALARM", "OK"])
def test_when_the_throughput_was_changed_is_asked_however_long_ago_the_alarms_were_written(
    home: WatchedHome, state: str
) -> None:
    """Bursting and a low provisioned rate follow each other without a suspension, and AWS locks the mode."""
    low(home, balance_gib=300)
    for alarm in home.sandbox.alarms.all():
        alarm.configuration_updated = home.sandbox.clock.now() - timedelta(hours=25)
    driven = Driven(ThroughputMode.BURSTING, 0, home.sandbox.clock.now() - timedelta(hours=3))
    told = NotificationState(driven=driven).to_json(FILE_SYSTEM_ID)
    home.sandbox.client("ssm").put_parameter(Name=STATE_PARAMETER, Value=told, Overwrite=True)
    home.call("explain", change(state, "OK" if state == "ALARM" else "ALARM", end="critical"))
    assert "AWS refuses another change until 24 hours after that change" in " ".join(
        home.sandbox.mailbox.publications[-1].message.split()
    )


def test_without_any_datapoint_half_a_message_is_sent_too(home: WatchedHome) -> None:
    home.create_file_system()
    assert home.call("explain", change())["mail"].startswith("WARNING: ")
    assert f"CloudWatch has no datapoint of {FILE_SYSTEM_ID}" in home.logged()[0]["message"]


def test_a_recovery_that_cannot_be_read_fails_to_be_tried_again(home: WatchedHome) -> None:
    low(home)
    home.faults.fail("GetMetricData", DENIED)
    with pytest.raises(AwsDenied):
        home.call("explain", change("OK", "ALARM"))
    assert home.subjects() == []


@pytest.mark.parametrize(
    ("end", "subject"),
    [
        ("warning", "RECOVERED: Warning is over, no figures"),
        ("critical", "RECOVERED: Critical is over, no figures"),
        ("exhausted", "LIMIT LIFTED: no figures"),
    ],
)
def test_a_recovery_of_which_no_datapoint_has_come_is_told_without_figures(
    home: WatchedHome, end: str, subject: str
) -> None:
    """Metrics more than an hour late: a retry would find no more."""
    home.create_file_system()
    home.call("explain", change("OK", "ALARM", end))
    assert home.subjects() == [f"{subject}, {FILE_SYSTEM_ID}"]
    assert f"CloudWatch has no datapoint of {FILE_SYSTEM_ID}" in home.logged()[0]["message"]


def test_the_other_attempts_of_a_throttled_mail_reach_the_topic(home: WatchedHome) -> None:
    low(home)
    home.faults.fail("Publish", THROTTLED, times=3)
    for action in ("DescribeFileSystems", "GetMetricData"):
        home.faults.fail(action, THROTTLED, times=5)
    home.call("explain", change())
    (subject,) = home.subjects()
    assert subject is not None
    assert "no figures" not in subject


def test_a_mail_that_may_not_be_sent_fails_with_the_topic_named(home: WatchedHome) -> None:
    low(home)
    home.faults.fail("Publish", DENIED)
    with pytest.raises(AwsDenied, match="sns:Publish on arn:aws:sns:us-east-1:123456789012:home-advice"):
        home.call("explain", change())


def test_an_alarm_that_has_nothing_to_explain_is_refused_with_a_logged_sentence(home: WatchedHome) -> None:
    with pytest.raises(EventRefused, match="there is nothing to explain about it"):
        home.call("explain", change(end="permitted-throughput-rise"))
    assert (home.faults.of_functions(), home.subjects()) == ([], [])
    (logged,) = home.logged()
    assert (logged["level"], logged["refused"]) == ("ERROR", "EventRefused")
