"""The readable mails as a chat gets them: over real HTTP, in the schema of Amazon Q, one thread an incident."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from efs_monitor.aws import sns
from efs_monitor.mail.file_system_mails import file_system_gone

from tests.localaws.sns.receivers import Receiver, receiving
from tests.stage.monitor.conftest import FILE_SYSTEM_ID, STACK_NAME, WatchedHome, topic_arn
from tests.stage.monitor.faults import DENIED
from tests.stage.monitor.stack_under_test import StackUnderTest
from tests.stage.monitor.test_alert_path import ARMED, LOW, SHORT
from tests.stage.monitor.test_explain_handler import change, low
from tests.unit.aws.custom_notifications import assert_valid
from tests.unit.mail.mail_cases import HERE

ENDPOINT = "https://chat.example.com/sns"


def subscribed(target: StackUnderTest | WatchedHome, chat: Receiver, severity: str = "advice") -> None:
    sandbox = target.sandbox
    sandbox.subscribers.listening[ENDPOINT] = chat.address
    sandbox.client("sns").subscribe(TopicArn=topic_arn(severity), Protocol="https", Endpoint=ENDPOINT)


@pytest.fixture
def chat() -> Iterator[Receiver]:
    with receiving() as receiver:
        yield receiver


@pytest.fixture
def on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAT_MESSAGES", "on")


def told(chat: Receiver) -> list[tuple[str, str | None]]:
    """The first word of each title, and the thread."""
    for notification in chat.notifications:
        assert_valid(notification)
    return [
        (one["content"]["title"].split(":", maxsplit=1)[0], one["metadata"].get("threadId"))
        for one in chat.notifications
    ]


def threads(chat: Receiver) -> list[str | None]:
    return [thread for _, thread in told(chat)]


@pytest.mark.whole
def test_an_incident_is_one_thread_and_the_next_another(stack: StackUnderTest, chat: Receiver) -> None:
    stack.create_file_system()
    stack.deploy(ChatMessages="on")
    subscribed(stack, chat)
    stack.live(2)
    for balance_gib, minutes in ((LOW, 3), (SHORT, 3), (0, 3), (SHORT, 17), (LOW, 17), (ARMED, 17)):
        stack.balance_gib = balance_gib
        stack.live(minutes)
    first = told(chat)
    assert [word for word, _ in first] == ["WARNING", "CRITICAL", "GONE", "LIMIT LIFTED", "RECOVERED"]
    assert len({thread for _, thread in first}) == 1
    stack.balance_gib = LOW
    stack.live(3)
    stack.balance_gib = ARMED
    stack.live(20)
    second = told(chat)[len(first) :]
    assert [word for word, _ in second] == ["WARNING", "RECOVERED"]
    assert len({thread for _, thread in second}) == 1
    assert {thread for _, thread in first}.isdisjoint(thread for _, thread in second)
    assert all(str(thread).startswith(f"{FILE_SYSTEM_ID}-2030") for thread in threads(chat))


@pytest.mark.more
def test_a_drill_is_a_thread_of_its_own_in_the_midst_of_an_incident(stack: StackUnderTest, chat: Receiver) -> None:
    stack.create_file_system()
    stack.deploy(ChatMessages="on")
    subscribed(stack, chat)
    stack.live(2)
    stack.balance_gib = LOW
    stack.live(3)
    cloudwatch = stack.sandbox.client("cloudwatch")
    for state in ("ALARM", "OK"):
        cloudwatch.set_alarm_state(AlarmName="home-critical", StateValue=state, StateReason="DRILL: tried by ops")
        stack.live(1)
    stack.balance_gib = ARMED
    stack.live(20)
    (warning, in_incident), (began, drill), (ended, same), (over, again) = told(chat)
    assert (warning, began, ended, over) == ("WARNING", "DRILL - CRITICAL", "DRILL - RECOVERED", "RECOVERED")
    assert drill == same
    assert str(drill).startswith(f"drill-{FILE_SYSTEM_ID}-2030")
    assert in_incident == again


def test_without_a_chat_subscribers_by_https_get_the_mail(home: WatchedHome, chat: Receiver) -> None:
    subscribed(home, chat)
    low(home)
    home.call("explain", change())
    assert chat.messages == [home.sandbox.mailbox.publications[-1].message]


def test_mails_are_the_same_to_the_letter_with_a_chat_and_without(
    home: WatchedHome, chat: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.sandbox.client("sns").subscribe(TopicArn=topic_arn("advice"), Protocol="email", Endpoint="team@example.com")
    low(home)
    for setting in ("off", "on"):
        monkeypatch.setenv("CHAT_MESSAGES", setting)
        home.call("explain", change())
    without, with_chat = home.sandbox.mailbox.mails
    assert (without.subject, without.body) == (with_chat.subject, with_chat.body)
    assert len({one.message for one in home.sandbox.mailbox.publications}) == 1


def test_a_mail_that_leaves_no_room_for_a_chat_goes_without(home: WatchedHome, chat: Receiver) -> None:
    """SNS takes 256 KiB for all protocols together, and a mail counts twice."""
    subscribed(home, chat)
    client, short = home.sandbox.client("sns"), file_system_gone(FILE_SYSTEM_ID, HERE)
    long = replace(short, body="x" * 130_900)
    for message in (short, long):
        sns.publish(client, topic_arn("advice"), message, to_chat=True)
    small, large = chat.messages
    assert small.startswith("{")
    assert large == long.body


def test_a_mail_that_says_again_what_lasts_is_of_the_same_thread(
    home: WatchedHome, chat: Receiver, on: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REPEAT_WARNING_HOURS", "1")
    home.sandbox.client("sns").subscribe(TopicArn=topic_arn("advice"), Protocol="email", Endpoint="team@example.com")
    subscribed(home, chat)
    low(home)
    home.sandbox.alarms.deliver = lambda *_: None
    home.cloudwatch.set_alarm_state(AlarmName=f"{STACK_NAME}-warning", StateValue="ALARM", StateReason="test")
    home.call("explain", change())
    clock = home.sandbox.clock
    for _ in range(60):
        clock.move_to(clock.next_minute())
    low_again(home)
    report(home)
    ((first, thread),) = [one for one in told(chat) if one[0] == "WARNING"]
    ((again, same),) = [one for one in told(chat) if one[0].startswith("STILL")]
    assert (first, again) == ("WARNING", "STILL WARNING for 59 min")
    assert thread
    assert thread == same


def low_again(home: WatchedHome) -> None:
    for minutes_ago in range(60, 0, -1):
        home.record("BurstCreditBalance", (800 + minutes_ago) * 1024**3, minutes_ago=minutes_ago)
        home.record("PermittedThroughput", 100 * 1024**2, minutes_ago=minutes_ago)


def report(home: WatchedHome) -> Any:
    return home.call("report_silence", home.names.hourly)


def test_what_belongs_to_no_incident_stands_alone(home: WatchedHome, chat: Receiver, on: None) -> None:
    subscribed(home, chat)
    home.recalculate()
    assert told(chat) == [("ACTION", None)]


def test_that_nobody_hears_advice_is_told_to_a_chat_on_another_topic(
    home: WatchedHome, chat: Receiver, on: None
) -> None:
    subscribed(home, chat, "warning")
    home.create_file_system()
    report(home)
    assert ("ACTION", None) in told(chat)


def test_where_the_alarms_cannot_be_read_the_one_that_went_off_began_it(
    home: WatchedHome, chat: Receiver, on: None
) -> None:
    subscribed(home, chat)
    low(home)
    home.faults.fail("DescribeAlarms", DENIED)
    event = change()
    event["alarmData"]["state"]["timestamp"] = "2030-01-07T00:59:30.000+0000"
    home.call("explain", event)
    assert told(chat) == [("WARNING", f"{FILE_SYSTEM_ID}-20300107T0059Z")]


def test_a_change_of_which_nobody_knows_the_time_has_no_thread(home: WatchedHome, chat: Receiver, on: None) -> None:
    subscribed(home, chat)
    low(home)
    home.call("explain", change())
    drill = change(end="critical")
    drill["alarmData"]["state"]["reason"] = "DRILL: tried by ops"
    home.call("explain", drill)
    assert threads(chat) == [None, None]
