"""Every text, as its reader gets it. After a change on purpose: UPDATE_GOLDEN=1, then read the difference."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from efs_monitor.alarms import AlarmKind
from efs_monitor.credits import MIB, TIB
from efs_monitor.file_system import ThroughputMode
from efs_monitor.messages import (
    Message,
    alarm_description,
    alarm_edited,
    alarm_missing,
    credits_low,
    credits_unreadable,
    file_system_gone,
    recovered,
    resumed,
    suspended,
    thresholds_moved,
)

from tests.unit.messages.cases import (
    CHINA,
    ELASTIC,
    FILE_SYSTEM_ID,
    GOVERNMENT,
    HARDLY_LESS,
    HERE,
    LIMITED,
    LISTING,
    MIXED,
    PROVISIONED,
    QUIET,
    READING_A_LOT,
    TIME,
    WRITING,
    WRITING_FAST,
    a_decision,
    a_file_system,
    a_situation,
)

GOLDEN = Path(__file__).parent / "golden"
WARNING, CRITICAL, RISE = AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.RISE

CLOUDWATCH_REASON = (
    "Threshold Crossed: 1 out of the last 15 datapoints [3.74E11 (07/01/30 02:41:00)] was less than the threshold "
    "(3.7748736E11) (minimum 1 datapoint for OK -> ALARM transition)."
)
DENIED = (
    "GetMetricData was refused for good (AccessDenied) in us-east-1, account 123456789012: give the role of explain "
    "cloudwatch:GetMetricData."
)

MAILS: dict[str, Callable[[], Message]] = {
    "warning-draining": lambda: credits_low(
        WARNING, 180, a_situation(balance_gib=1026, hour_ago_gib=1261, activity=WRITING), HERE, TIME
    ),
    "warning-falling-slowly": lambda: credits_low(
        WARNING, 180, a_situation(balance_gib=1050, hour_ago_gib=1054, activity=LISTING), HERE, TIME
    ),
    "warning-flat": lambda: credits_low(
        WARNING, 180, a_situation(balance_gib=1050, hour_ago_gib=1050, activity=MIXED), HERE, TIME
    ),
    "warning-rising": lambda: credits_low(
        WARNING, 180, a_situation(balance_gib=980, hour_ago_gib=965, activity=QUIET), HERE, TIME
    ),
    "warning-of-a-large-file-system-in-china": lambda: credits_low(
        WARNING,
        180,
        a_situation(
            balance_gib=3150,
            hour_ago_gib=3270,
            activity=READING_A_LOT,
            file_system=a_file_system(standard_bytes=3 * TIB),
        ),
        CHINA,
        TIME,
    ),
    "critical-draining-fast": lambda: credits_low(
        CRITICAL, 60, a_situation(balance_gib=250, hour_ago_gib=576, activity=WRITING_FAST), HERE, TIME
    ),
    "critical-last-minute": lambda: credits_low(
        CRITICAL, 60, a_situation(balance_gib=8, hour_ago_gib=334, activity=WRITING_FAST), HERE, TIME
    ),
    "critical-at-zero": lambda: credits_low(
        CRITICAL,
        60,
        a_situation(balance_gib=0, hour_ago_gib=0, activity=LIMITED, permitted_mib_per_second=4.9),
        HERE,
        TIME,
    ),
    "critical-coming-back-from-zero": lambda: credits_low(
        CRITICAL,
        60,
        a_situation(balance_gib=3, hour_ago_gib=0, activity=HARDLY_LESS, permitted_mib_per_second=4.9),
        HERE,
        TIME,
    ),
    "critical-activity-unknown": lambda: credits_low(
        CRITICAL, 60, a_situation(balance_gib=250, hour_ago_gib=None, activity=None), GOVERNMENT, TIME
    ),
    "critical-after-the-switch-to-elastic": lambda: credits_low(
        CRITICAL,
        60,
        a_situation(
            balance_gib=340,
            hour_ago_gib=500,
            activity=WRITING,
            file_system=a_file_system(mode=ThroughputMode.ELASTIC),
        ),
        HERE,
        TIME,
    ),
    "unreadable": lambda: credits_unreadable(CRITICAL, FILE_SYSTEM_ID, CLOUDWATCH_REASON, DENIED, HERE, TIME),
    "recovered-warning": lambda: recovered(
        WARNING, 180, a_situation(balance_gib=1071, hour_ago_gib=1055, activity=QUIET), HERE, TIME
    ),
    "recovered-critical": lambda: recovered(
        CRITICAL, 60, a_situation(balance_gib=440, hour_ago_gib=424, activity=QUIET), HERE, TIME
    ),
    "recovered-but-still-low": lambda: recovered(
        CRITICAL, 60, a_situation(balance_gib=200, hour_ago_gib=436, activity=WRITING), HERE, TIME
    ),
    "moved-up": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=round(1.53 * TIB)), permitted_mib_per_second=153), 100 * MIB, HERE
    ),
    "moved-down": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=round(1.2 * TIB)), permitted_mib_per_second=120), 200 * MIB, HERE
    ),
    "suspended-elastic": lambda: suspended(ELASTIC, HERE),
    "suspended-provisioned": lambda: suspended(PROVISIONED, HERE),
    "resumed": lambda: resumed(a_decision(suspended=True), HERE),
    "gone": lambda: file_system_gone(FILE_SYSTEM_ID, HERE),
    "edited": lambda: alarm_edited(
        "efs-home-critical",
        (
            "TreatMissingData is breaching, the stack has ignore",
            (
                "AlarmActions is ['arn:aws:sns:us-east-1:123456789012:somebody-elses-topic'], the stack has "
                "['arn:aws:sns:us-east-1:123456789012:efs-home-critical', "
                "'arn:aws:lambda:us-east-1:123456789012:function:efs-home-explain']"
            ),
            "its actions are switched off, the stack has them on",
        ),
        FILE_SYSTEM_ID,
        HERE,
    ),
    "missing-critical": lambda: alarm_missing("efs-home-critical", FILE_SYSTEM_ID, HERE),
    "missing-rise": lambda: alarm_missing("efs-home-permitted-throughput-rise", FILE_SYSTEM_ID, HERE),
}

DESCRIPTIONS: dict[str, Callable[[], str]] = {
    "description-warning": lambda: alarm_description(WARNING, a_decision(), HERE),
    "description-critical": lambda: alarm_description(CRITICAL, a_decision(), HERE),
    "description-rise": lambda: alarm_description(RISE, a_decision(), HERE),
    "description-warning-china": lambda: alarm_description(
        WARNING, a_decision(a_file_system(standard_bytes=round(12.34 * TIB))), CHINA
    ),
    "description-critical-government": lambda: alarm_description(CRITICAL, a_decision(), GOVERNMENT),
    "description-warning-suspended-elastic": lambda: alarm_description(WARNING, ELASTIC, HERE),
    "description-critical-suspended-provisioned": lambda: alarm_description(CRITICAL, PROVISIONED, CHINA),
    "description-rise-suspended": lambda: alarm_description(RISE, ELASTIC, HERE),
}


@pytest.mark.parametrize("name", MAILS)
def test_the_mail_reads_as_agreed(name: str) -> None:
    message = MAILS[name]()
    assert_golden(name, f"Subject: {message.subject}\n\n{message.body}")


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_the_description_reads_as_agreed(name: str) -> None:
    assert_golden(name, DESCRIPTIONS[name]() + "\n")


def test_the_texts_for_phones_read_as_agreed() -> None:
    assert_golden("short", "".join(f"{name}:\n    {mail().short}\n" for name, mail in MAILS.items()))


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {*MAILS, *DESCRIPTIONS, "short"}


def assert_golden(name: str, text: str) -> None:
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="ascii")
    assert text == path.read_text(encoding="ascii")
