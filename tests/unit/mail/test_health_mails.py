"""What a mail about silence tells one to look at."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind, alarm_name
from efs_monitor.efs.credits import GIB
from efs_monitor.incidents.seen_again import Course, SeenAgain
from efs_monitor.mail.alarm_fault_mails import alarm_restored, edit_undone
from efs_monitor.mail.file_system_mails import file_system_back
from efs_monitor.mail.health_mails import silence_found, silence_over
from efs_monitor.mail.layout import Message
from efs_monitor.notify.health_finding import OF_METRICS, Condition, Finding
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.mail.mail_cases import FILE_SYSTEM_ID, HERE
from tests.unit.strategies import NOW


def body(condition: Condition, *about: str) -> str:
    findings = tuple(Finding(condition=condition, about=one, detail=f"{one}: why") for one in about)
    return silence_found(findings, FILE_SYSTEM_ID, HERE).body


@pytest.mark.parametrize(
    ("function", "group"),
    [
        ("Explain", "/efs-monitor/efs-home/explain"),
        ("RecalculateThresholds", "/efs-monitor/efs-home/recalculate-thresholds"),
        ("ApplyOnDeploy", "/efs-monitor/efs-home/apply-on-deploy"),
    ],
)
def test_the_log_of_a_function_that_fails_is_named_as_the_template_names_it(function: str, group: str) -> None:
    assert f'--log-group-name {group} --filter-pattern \'?ERROR ?"timed out" ?"Runtime exited"\'' in body(
        Condition.FUNCTION_FAILS, function
    )


def test_every_alarm_whose_action_failed_is_asked_for_by_its_whole_name() -> None:
    text = body(Condition.ACTION_FAILED, "warning", "critical")
    assert "cloudwatch describe-alarms --alarm-names efs-home-warning efs-home-critical" in text


def test_what_is_found_twice_of_one_topic_is_asked_for_once() -> None:
    text = body(Condition.UNDELIVERED, "critical", "critical")
    assert text.count("--topic-arn arn:aws:sns:us-east-1:123456789012:efs-home-critical") == 1


@pytest.mark.parametrize("condition", [Condition.UNDELIVERED, Condition.UNCONFIRMED])
def test_a_topic_that_was_given_is_asked_for_by_its_own_arn(condition: Condition) -> None:
    shared = "arn:aws:sns:us-east-1:111122223333:storage-pager"
    findings = tuple(Finding(condition=condition, about=one, detail=f"{one}: why") for one in ("critical", "advice"))
    text = silence_found(findings, FILE_SYSTEM_ID, replace(HERE, topic_arns={"critical": shared})).body
    assert f"--topic-arn {shared} " in text
    assert "--topic-arn arn:aws:sns:us-east-1:123456789012:efs-home-advice " in text
    assert "efs-home-critical" not in text


@given(st.sets(st.from_regex(r"[a-z][a-z-]{0,20}", fullmatch=True), min_size=2, max_size=5))
def test_whoever_does_what_the_mails_of_all_stacks_say_is_left_with_one(names: set[str]) -> None:
    deleted = set()
    for name in names:
        found = [Finding(condition=Condition.WATCHED_TWICE, about=other) for other in sorted(names - {name})]
        mail = silence_found(found, FILE_SYSTEM_ID, replace(HERE, stack_name=name))
        deleted |= set(re.findall(r"delete-stack --stack-name (\S+)", mail.body))
    assert deleted == names - {min(names)}


WARNING = alarm_name(HERE.stack_name, AlarmKind.WARNING)
WELL_AGAIN = {
    "an alarm that is there again": alarm_restored(WARNING, FILE_SYSTEM_ID, HERE),
    "an edit that was undone": edit_undone(WARNING, FILE_SYSTEM_ID, HERE),
    "a file system that is there again": file_system_back(FILE_SYSTEM_ID, HERE),
    **{one.name: silence_over(one, ("critical",), FILE_SYSTEM_ID, HERE) for one in Condition},
}
# What these say is left to do instead of that it is nothing.
SOMETHING_IS_LEFT = {"UNCONFIRMED", "TOPIC_GONE", "WATCHED_TWICE", "LEFT_BEHIND"}
SEEN_AGAIN = SeenAgain(time=NOW, since=NOW - timedelta(minutes=7), balance_bytes=98 * GIB, course=Course.RECOVERING)


@pytest.mark.parametrize("mail", [pytest.param(mail, id=name) for name, mail in WELL_AGAIN.items()])
def test_no_mail_that_the_monitor_is_well_again_says_that_no_action_is_needed(mail: Message) -> None:
    """It knows nothing of the credits, and one came 85 minutes before their end, with Critical on."""
    assert "no action is needed" not in f"{mail.body}{mail.chat.text}".lower()


@pytest.mark.parametrize("name", [one for one in WELL_AGAIN if one not in SOMETHING_IS_LEFT])
def test_where_nothing_is_left_to_do_about_the_monitor_what_a_mail_about_credits_asked_for_still_is(name: str) -> None:
    mail = WELL_AGAIN[name]
    for text in (mail.body, mail.chat.text):
        assert "; what an earlier mail about credits asked for still is to be done while its alarm is on." in " ".join(
            text.split()
        )


@pytest.mark.parametrize("condition", sorted(OF_METRICS))
@pytest.mark.parametrize(
    ("course", "said", "asks"),
    [
        (Course.AT_ZERO, "nothing was left of the burst credits: what an earlier mail", True),
        (Course.FALLING, "98 GiB of burst credits were left, and falling: what an earlier mail", True),
        (Course.RECOVERING, "98 GiB of burst credits were left, and not falling.", False),
        (Course.UNKNOWN, "98 GiB of burst credits were left. If they fall, what an earlier mail", True),
    ],
)
def test_metrics_that_are_there_again_ask_for_what_a_mail_asked_for_unless_the_credits_recover(
    condition: Condition, course: Course, said: str, *, asks: bool
) -> None:
    """Whoever obeys locks the throughput mode for 24 hours: of a load that had ended an hour before it was asked."""
    mail = silence_over(condition, (), FILE_SYSTEM_ID, HERE, replace(SEEN_AGAIN, course=course))
    for text in (" ".join(mail.body.split()), mail.chat.text):
        assert said in text
        assert ("asked for still is to be done" in text) is asks


def test_what_is_over_and_no_metric_says_nothing_of_the_balance() -> None:
    mail = silence_over(Condition.FUNCTION_FAILS, ("Explain",), FILE_SYSTEM_ID, HERE, SEEN_AGAIN)
    assert mail == silence_over(Condition.FUNCTION_FAILS, ("Explain",), FILE_SYSTEM_ID, HERE)
