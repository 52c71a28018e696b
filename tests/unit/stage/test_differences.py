"""What was seen, held against what its scenario states."""

from dataclasses import replace

import pytest

from stage.differences import differences
from stage.observed import Observed
from stage.scenario import Expectations

SEEN = Observed(
    alarms=("0d 00:00 critical 351.6 GiB armed", "0d 00:00 warning 1054.7 GiB armed"),
    transitions=("0d 00:01 warning INSUFFICIENT_DATA -> OK",),
    mails=("1d 01:41 advice to team@example.com: WARNING",),
    decisions=(),
    benchmarks=(),
)
STATED = Expectations(alarms=tuple(reversed(SEEN.alarms)), transitions=SEEN.transitions, mails=SEEN.mails)


def test_within_a_minute_the_order_says_nothing() -> None:
    assert differences(STATED, SEEN) == ()


def test_what_was_seen_and_not_stated_is_named() -> None:
    twice = replace(SEEN, mails=SEEN.mails * 2)
    assert differences(STATED, twice) == (f"mails, seen and not stated: {SEEN.mails[0]}",)


@pytest.mark.parametrize(
    ("subject", "stated"),
    [
        (
            "CRITICAL: 59 min of credits left at full speed, fs-0123456789abcdef0 (home)",
            "CRITICAL, fs-0123456789abcdef0",
        ),
        (
            "STILL CRITICAL for 4 h: 42 min of credits left at full speed, fs-0123456789abcdef0",
            "STILL CRITICAL, fs-0123456789abcdef0",
        ),
        ("LIMIT LIFTED: 1 min of credits left at full speed, fs-01234567 (a: b)", "LIMIT LIFTED, fs-01234567"),
        ("DRILL - GONE: no burst credits left, fs-01234567", "DRILL - GONE, fs-01234567"),
    ],
)
def test_of_an_advice_mail_severity_and_file_system_are_stated(subject: str, stated: str) -> None:
    seen = replace(SEEN, mails=(f"1d 01:41 advice to team@example.com: {subject}",))
    expected = replace(STATED, mails=(f"1d 01:41 advice to team@example.com: {stated}",))
    assert differences(expected, seen) == ()
    other = replace(STATED, mails=(f"1d 01:41 advice to team@example.com: {stated}0",))
    assert len(differences(other, seen)) == 2


def test_a_mail_of_ours_to_another_topic_is_stated_alike() -> None:
    to = "1d 01:41 warning to team@example.com"
    seen = replace(SEEN, mails=(f"{to}: ACTION: mail address not subscribed, fs-01234567 (advice)",))
    assert differences(replace(STATED, mails=(f"{to}: ACTION, fs-01234567",)), seen) == ()


def test_the_subject_of_cloudwatch_is_stated_as_it_is() -> None:
    line = '1d 01:41 warning to team@example.com: ALARM: "efs-monitor-fs-01234567-warning" in US East'
    assert differences(replace(STATED, mails=(line,)), replace(SEEN, mails=(line,))) == ()


def test_what_was_stated_and_not_seen_is_named_with_its_minute() -> None:
    later = replace(SEEN, transitions=("0d 00:02 warning INSUFFICIENT_DATA -> OK",))
    assert differences(STATED, later) == (
        "transitions, stated and not seen: 0d 00:01 warning INSUFFICIENT_DATA -> OK",
        "transitions, seen and not stated: 0d 00:02 warning INSUFFICIENT_DATA -> OK",
    )
