"""What a mail about silence tells one to look at."""

import re
from dataclasses import replace

import pytest
from efs_monitor.mail.health_mails import silence_found
from efs_monitor.notify.health_finding import Condition, Finding
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.mail.mail_cases import FILE_SYSTEM_ID, HERE


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
