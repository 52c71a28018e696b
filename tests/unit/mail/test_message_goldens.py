"""Every text, as its reader gets it. After a change on purpose: UPDATE_GOLDEN=1, which fails once for
each text that it writes, then read the difference.
"""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import cache, partial
from math import ceil
from pathlib import Path

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.costs.mode_costs import FixedRate, mode_dollars
from efs_monitor.costs.monthly_costs import fleet_dollars
from efs_monitor.efs.credits import GIB, MIB, TIB, baseline_bytes_per_second
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import MINUTE, Activity, BalancePoint, Taken
from efs_monitor.fleet.fleet_dashboard import A_TABLE
from efs_monitor.incidents.back_to_bursting import DayOnCredits, day_on_credits
from efs_monitor.incidents.identity import EndedByMode
from efs_monitor.incidents.last_seen import LastSeen, newest_seen
from efs_monitor.incidents.seen_again import Course, SeenAgain
from efs_monitor.incidents.situation import PastDay, Situation, Work
from efs_monitor.mail.alarm_fault_mails import alarm_edited, alarm_missing, alarm_restored, edit_undone
from efs_monitor.mail.back_to_bursting_mails import back_to_bursting, elastic_day
from efs_monitor.mail.descriptions import alarm_description
from efs_monitor.mail.draining_mails import draining
from efs_monitor.mail.exhausted_mails import limit_lifted, limited
from efs_monitor.mail.figureless_mails import alarm_without_figures, end_without_figures
from efs_monitor.mail.file_system_mails import file_system_back, file_system_gone
from efs_monitor.mail.fleet_mails import FleetDay, fleet_digest
from efs_monitor.mail.health_mails import silence_found, silence_over
from efs_monitor.mail.layout import Message, as_drill
from efs_monitor.mail.low_credits_mails import credits_low, credits_recovering, not_low
from efs_monitor.mail.recovered_mails import recovered
from efs_monitor.mail.still_gone_mails import still_gone
from efs_monitor.mail.suspension_mails import resumed, suspended
from efs_monitor.mail.threshold_mails import thresholds_moved
from efs_monitor.mail.trend_mails import warning_ahead
from efs_monitor.notify.function_health import UNDONE
from efs_monitor.notify.health_finding import Condition, Finding
from efs_monitor.notify.repeats import Repeat

from tests.unit.each_minute import each_minute
from tests.unit.incidents.test_falls_alike import falling
from tests.unit.mail.mail_cases import (
    A_DAY_OF_WORK,
    CHINA,
    ELASTIC,
    EMPTY_DAY,
    FILE_SYSTEM_ID,
    GONE_BEFORE,
    GONE_IN_THE_NIGHT,
    GOVERNMENT,
    HARDLY_LESS,
    HELD_ALL_DAY,
    HELD_DOWN,
    HERE,
    IDLE,
    LIMITED,
    LISTING,
    MIXED,
    NEARLY_SPENT,
    NEWEST,
    NIGHTLY,
    NIGHTLY_TO_ZERO,
    PERMITTED_ALL_DAY,
    PROVISIONED,
    QUIET,
    QUIET_AT_LAST,
    QUIET_DAY,
    READING_A_LOT,
    SLOWLY_BACK,
    TIME,
    WRITING,
    WRITING_AT_LAST,
    WRITING_FAST,
    a_decision,
    a_file_system,
    a_situation,
    an_activity,
    gone_for,
    unseen_cap,
)
from tests.unit.notify.test_same_story import about_a_minutes_worth
from tests.unit.strategies import NOW

GOLDEN = Path(__file__).parent / "golden"

WARNING, CRITICAL, EXHAUSTED = AlarmKind.WARNING, AlarmKind.CRITICAL, AlarmKind.EXHAUSTED
DRAINING, RISE = AlarmKind.DRAINING, AlarmKind.RISE

CLOUDWATCH_REASON = (
    "Threshold Crossed: 1 out of the last 15 datapoints [3.74E11 (07/01/30 02:41:00)] was less than the threshold "
    "(3.7748736E11) (minimum 1 datapoint for OK -> ALARM transition)."
)
AT_ZERO = CLOUDWATCH_REASON.replace("3.74E11", "0.0").replace("3.7748736E11", "6.291456E9")
FALLING_FAST = (
    "Threshold Crossed: 8 out of the last 20 datapoints were less than the threshold (60.0). The most recent "
    "datapoints which crossed the threshold: [52.2 (07/01/30 02:41:00), 53.2 (07/01/30 02:40:00)] (minimum 8 "
    "datapoints for OK -> ALARM transition)."
)
ABOVE_AGAIN = (
    "LATE METRICS: For 15 minutes the balance was not below the threshold, at last 42 GiB at 01:12 UTC. The newest "
    "datapoint of fs-0123456789abcdef0 is 64 minutes old. CloudWatch looks back 15, so the monitor has set this alarm."
)
NO_DATAPOINT = "CloudWatch has no datapoint of fs-0123456789abcdef0 in the last 75 minutes"
DENIED = (
    "GetMetricData was refused for good (AccessDenied) in us-east-1, account 123456789012: give the role of explain "
    "cloudwatch:GetMetricData."
)
NO_DATAPOINT = f"CloudWatch has no datapoint of {FILE_SYSTEM_ID} in the last 75 minutes"

A_DAY = timedelta(days=1)
# A balance again, which another mode has none of.
BACK_ON_CREDITS = PastDay(
    back=A_DAY, balances=(BalancePoint(time=TIME - timedelta(hours=8, minutes=55), balance_bytes=400 * GIB),)
)
RETURNED_NINE_HOURS_AGO = (
    (TIME - timedelta(hours=9), 1024.0 * MIB),
    (TIME - timedelta(hours=8, minutes=55), 100.0 * MIB),
    (TIME - timedelta(hours=1), 100.0 * MIB),
)

# Bursting was left in the night before, with some hours' worth or with next to nothing.
LEFT = TIME - timedelta(days=1, minutes=15)
LASTED = DayOnCredits(
    reference_bytes_per_second=100 * MIB,
    baseline_bytes_per_second=baseline_bytes_per_second(a_file_system().standard_bytes),
    opening_bytes=520 * GIB,
    lowest_bytes=411.5 * GIB,
    lowest_time=TIME - timedelta(hours=3),
    gone=None,
    lost_bytes=0,
    gone_the_next_day=None,
    lowest_the_next_day_bytes=411.5 * GIB,
    lowest_the_next_day_time=TIME + timedelta(hours=21),
    enough_bytes=351.6 * GIB,
    faster_minutes=0,
    moved_bytes=380 * GIB,
)
ENDED = replace(
    LASTED, opening_bytes=2.9 * GIB, lowest_bytes=0, lowest_time=NEWEST, gone=TIME - timedelta(hours=22, minutes=5)
)

A_RATE = FixedRate(mib_per_second=97, busiest_bytes_per_second=96.4 * MIB, month_dollars=552.7)

GIVEN = replace(HERE, topic_arns={"critical": "arn:aws:sns:us-east-1:123456789012:storage-critical"})
OF_A_FLEET = replace(
    HERE,
    stack_name=f"efs-fleet-{FILE_SYSTEM_ID}",
    topic_arns={
        one: f"arn:aws:sns:us-east-1:123456789012:efs-fleet-{one}" for one in ("warning", "critical", "advice")
    },
)

SILENT = {
    Condition.UNSUBSCRIBED: (
        Finding(condition=Condition.UNSUBSCRIBED, about="warning", detail="warning: storage-team@example.com"),
        Finding(condition=Condition.UNSUBSCRIBED, about="advice", detail="advice: storage-team@example.com"),
    ),
    Condition.UNCONFIRMED: (
        Finding(condition=Condition.UNCONFIRMED, about="critical", detail="critical: email storage-team@example.com"),
    ),
    Condition.UNDELIVERED: (
        Finding(
            condition=Condition.UNDELIVERED,
            about="critical",
            detail="critical: 2 deliveries given up in the last day, of 3 messages published",
        ),
    ),
    Condition.TOPIC_GONE: (
        Finding(
            condition=Condition.TOPIC_GONE,
            about="critical",
            detail="critical: there is no topic arn:aws:sns:us-east-1:123456789012:efs-home-critical any more",
        ),
    ),
    Condition.ACTION_FAILED: (
        Finding(
            condition=Condition.ACTION_FAILED,
            about="critical",
            detail="critical, at 01:50 UTC on Mon 7 Jan, to arn:aws:sns:us-east-1:123456789012:efs-home-critical: "
            "CloudWatch Alarms does not have authorization to access the SNS topic encryption key alias/aws/sns",
        ),
    ),
    Condition.EVALUATION_ERROR: (
        Finding(
            condition=Condition.EVALUATION_ERROR,
            about="draining",
            detail="draining, shown as OK: Failed to evaluate the expression: RATE needs a time series",
        ),
    ),
    Condition.EVALUATION_FAILURE: (
        Finding(
            condition=Condition.EVALUATION_FAILURE,
            about="critical",
            detail=f"critical, shown as OK: {CLOUDWATCH_REASON}",
        ),
    ),
    Condition.METRICS_LATE: (
        Finding(condition=Condition.METRICS_LATE, detail="no datapoint since 01:30 UTC on Mon 7 Jan yet"),
    ),
    Condition.METRICS_UNSEEN: (
        Finding(condition=Condition.METRICS_UNSEEN, detail="no datapoint since 01:30 UTC on Mon 7 Jan yet"),
    ),
    Condition.METRICS_STOPPED: (
        Finding(condition=Condition.METRICS_STOPPED, detail="no datapoint since 22:05 UTC on Sun 6 Jan"),
    ),
    Condition.METRICS_NEVER_CAME: (Finding(condition=Condition.METRICS_NEVER_CAME),),
    Condition.FUNCTION_FAILS: (
        Finding(
            condition=Condition.FUNCTION_FAILS,
            about="Explain",
            detail="Explain: 3 of 3 runs failed in the last hours",
        ),
    ),
    Condition.NOT_RECALCULATED: (Finding(condition=Condition.NOT_RECALCULATED),),
    Condition.NOT_STARTED: tuple(
        Finding(condition=Condition.NOT_STARTED, about=name, detail=f"{name}: {what}") for name, what in UNDONE.items()
    ),
    Condition.LEFT_BEHIND: (
        Finding(
            condition=Condition.LEFT_BEHIND,
            about="i-0123456789abcdef0",
            detail="i-0123456789abcdef0 at /mnt/efs, at 03:10 UTC on Sat 14 Nov: .efs-monitor-benchmark: "
            "data.i-0123456789abcdef0-4711-1383510321: the file system is mounted read-only; 4194304 bytes in all "
            "(files: 4)",
        ),
    ),
    Condition.WATCHED_TWICE: (
        Finding(condition=Condition.WATCHED_TWICE, about="efs-monitor-old", detail="stack efs-monitor-old"),
    ),
}

FELL_WHEN_LAST_SEEN = LastSeen(
    time=TIME, balance_bytes=98 * GIB, drain_bytes_per_second=55 * MIB, gone=TIME - timedelta(minutes=31)
)
NOTHING_WHEN_LAST_SEEN = LastSeen(time=TIME, balance_bytes=0, drain_bytes_per_second=0, gone=TIME - timedelta(hours=4))
SEEN_AGAIN = SeenAgain(time=TIME, since=TIME - timedelta(minutes=7), balance_bytes=98 * GIB, course=Course.RECOVERING)


def back_to_bursting_after_an_evening(
    file_system: FileSystem, *, opening_gib: float, mib_per_second: float, minutes: int
) -> Message:
    """Since bursting was left clients wrote at one rate for so many minutes, eight hours ago: price and accounts are
    those of this day.
    """
    began = TIME - timedelta(hours=8)
    work = tuple(
        Work(
            time=time,
            metered_bytes=mib_per_second * MIB * 300,
            written_bytes=mib_per_second * MIB * 300,
            writes=mib_per_second * 300,
        )
        for time, _ in PERMITTED_ALL_DAY
        if began <= time < began + timedelta(minutes=minutes)
    )
    rate = file_system.provisioned_bytes_per_second or 1024 * MIB
    # The newest step is under way: a whole day lies before it.
    steps = (PERMITTED_ALL_DAY[0][0] - timedelta(minutes=5), *(time for time, _ in PERMITTED_ALL_DAY))
    permitted = tuple((time, float(rate)) for time in steps)
    day = day_on_credits(file_system, 100 * MIB, opening_gib * GIB, work, permitted, TIME)
    return back_to_bursting(file_system, LEFT, mode_dollars(file_system, work, permitted, LEFT, TIME), day, HERE, TIME)


def a_turn(*, before_gib: float, lately_gib: float, activity: Activity, balance_gib: float = 1000) -> Situation:
    """So much was lost in three quarters of an hour, and so much in the quarter since."""
    situation = a_situation(
        balance_gib=balance_gib, hour_ago_gib=balance_gib + before_gib + lately_gib, activity=activity
    )
    oldest, *_, newest = situation.balances
    turn = BalancePoint(time=newest.time - timedelta(minutes=15), balance_bytes=newest.balance_bytes + lately_gib * GIB)
    return replace(situation, balances=each_minute(oldest, turn, newest))


def before(day: PastDay | None, *, balance_gib: float, hour_ago_gib: float) -> Situation:
    """A balance that rises in the middle of the night, and what came on the day before."""
    situation = a_situation(balance_gib=balance_gib, hour_ago_gib=hour_ago_gib, activity=QUIET)
    return replace(situation, past_days=(day,) if day is not None else ())


def in_the_night(situation: Situation) -> Situation:
    """Credits were gone twice in the last day, and the alarms of before are on."""
    on = ((WARNING, TIME - timedelta(hours=9)), (CRITICAL, TIME - timedelta(hours=6)))
    return replace(situation, past_days=(GONE_BEFORE,), alarms_on=on)


def a_fast_fall(*, balance_gib: float) -> Situation:
    """An hour of calm, and eight minutes of 92 MiB/s more than is earned."""
    eight_minutes_gib = 92 * 8 * 60 / 1024
    before = balance_gib + eight_minutes_gib
    situation = a_situation(balance_gib=balance_gib, hour_ago_gib=before - 4, activity=WRITING_FAST)
    oldest, *_, newest = situation.balances
    turn = BalancePoint(time=newest.time - timedelta(minutes=8), balance_bytes=before * GIB)
    return replace(situation, balances=each_minute(oldest, turn, newest))


def without_metrics(situation: Situation) -> Situation:
    """With no datapoint of the 40 minutes before the newest."""
    since = situation.balances[-1].time - timedelta(minutes=40)
    known = [one for one in situation.balances if one.time < since]
    return replace(situation, balances=(*known, situation.balances[-1]))


def since_its_top(situation: Situation) -> tuple[BalancePoint, ...]:
    """The balances of a fall, from the newest of its highest."""
    top = max(situation.balances, key=lambda one: (one.balance_bytes, one.time))
    return tuple(one for one in situation.balances if one.time >= top.time)


def a_pulse_of_an_hourly_load(*, balance_gib: float) -> Situation:
    """Eight minutes of 92 MiB/s more than is earned, of fifteen in each hour, of which four have passed."""
    rate_gib, rise_gib = 92 * 60 / 1024, 0.28
    lived = [balance_gib]
    for minute in range(240):
        lived.append(lived[-1] + (rate_gib if (minute - 8) % 60 >= 45 or minute < 8 else -rise_gib))
    situation = a_situation(balance_gib=balance_gib, hour_ago_gib=lived[60], activity=WRITING_FAST)
    newest = situation.balances[-1].time
    points = tuple(
        BalancePoint(time=newest - age * MINUTE, balance_bytes=lived[age] * GIB) for age in range(240, -1, -1)
    )
    return replace(situation, earlier_balances=points[:-61], balances=points[-61:])


def between_pulses(pulse: Situation) -> Situation:
    """Nine minutes before, when the one before it had long ended."""
    points = (*pulse.earlier_balances, *pulse.balances)[:-9]
    return replace(pulse, earlier_balances=points[:-61], balances=points[-61:], time=pulse.time - 9 * MINUTE)


def on_and_off(*, balance_gib: float) -> Situation:
    """Two minutes of every five at 34 MiB/s more than is earned, which the three others bring back."""
    lived = [balance_gib]
    for minute in range(60):
        lived.append(lived[-1] + (2 if minute % 5 < 2 else -1.5))
    situation = a_situation(balance_gib=balance_gib, hour_ago_gib=lived[60], activity=WRITING)
    newest = situation.balances[-1].time
    points = (BalancePoint(time=newest - age * MINUTE, balance_bytes=lived[age] * GIB) for age in range(60, -1, -1))
    return replace(situation, balances=tuple(points))


def as_fast_before(situation: Situation, *hours_ago: int) -> Situation:
    """Ten minutes at 92 MiB/s, so many hours before this fall."""
    top, *_ = since_its_top(situation)
    turn, top_bytes = top.time, top.balance_bytes
    step_bytes = 92 * MIB * 300
    taken = {
        turn - one * timedelta(hours=1) + minutes * timedelta(minutes=5) for one in hours_ago for minutes in (0, 1)
    }
    points, left = [], top_bytes
    for age in range(300, 0, -1):
        time = turn - age * timedelta(minutes=5)
        left = left - step_bytes if time in taken else top_bytes
        points.append(BalancePoint(time=time, balance_bytes=left))
    return replace(situation, past_days=(PastDay(back=timedelta(days=1), balances=tuple(points)),))


def as_a_day_ago(situation: Situation) -> Situation:
    """Twenty minutes at 92 MiB/s, a day before this fall."""
    top, *_ = since_its_top(situation)
    turn, top_bytes = top.time, top.balance_bytes
    points, left = [], top_bytes
    for age in range(300, 0, -1):
        left = left - 92 * MIB * 300 if 284 < age <= 288 else top_bytes
        points.append(BalancePoint(time=turn - age * timedelta(minutes=5), balance_bytes=left))
    minutes = since_its_top(situation)
    points += [
        BalancePoint(time=one[0].time, balance_bytes=one[-1].balance_bytes) for one in (minutes[:5], minutes[5:])
    ]
    return replace(situation, past_days=(PastDay(back=timedelta(days=1), balances=tuple(points)),))


def nearly_spent(situation: Situation) -> Situation:
    """After two loads that ended with some of the last minute's worth left."""
    return replace(situation, past_days=(NEARLY_SPENT,))


def back_from_elastic(situation: Situation) -> Situation:
    """Three hours ago; until then clients moved 80 MiB/s for four hours."""
    back = TIME - timedelta(hours=3)
    permitted = tuple((time, (1024 if time < back else 100) * MIB) for time, _ in PERMITTED_ALL_DAY)
    load = tuple(
        Work(time=time, metered_bytes=80 * MIB * 300)
        for time, _ in PERMITTED_ALL_DAY
        if back - timedelta(hours=4) <= time < back
    )
    return replace(situation, permitted_of_the_day=permitted, last_day=load)


def held_by_a_rate(situation: Situation, *, lowered: bool = False) -> Situation:
    """20 MiB/s were provisioned until three hours ago, of which clients took all for four hours; bursting since, or as
    good as that.
    """
    back = TIME - timedelta(hours=3)
    permitted = tuple((time, (20 if time < back else 100) * MIB) for time, _ in PERMITTED_ALL_DAY)
    load = tuple(
        Work(time=time, metered_bytes=20 * MIB * 300)
        for time, _ in PERMITTED_ALL_DAY
        if back - timedelta(hours=6) <= time < back - timedelta(hours=2)
    )
    earned_bytes = 5 * MIB * 300
    first_bytes = situation.balance_bytes - len(PERMITTED_ALL_DAY) * earned_bytes
    balances = tuple(
        BalancePoint(time=time, balance_bytes=first_bytes + index * earned_bytes)
        for index, (time, _) in enumerate(PERMITTED_ALL_DAY)
    )
    mode = ThroughputMode.PROVISIONED if lowered else ThroughputMode.BURSTING
    return replace(
        situation,
        file_system=a_file_system(mode=mode, provisioned_bytes_per_second=4 * MIB),
        past_days=(PastDay(back=timedelta(days=1), balances=balances),),
        permitted_of_the_day=permitted,
        last_day=load,
    )


def capped(*, balance_gib: float, hour_ago_gib: float, standard_tib: float = 300) -> Situation:
    """Where the Region permits 3 GiB/s, whatever the size."""
    cap_bytes = 3072 * MIB
    situation = a_situation(
        balance_gib=balance_gib,
        hour_ago_gib=hour_ago_gib,
        activity=WRITING_FAST,
        permitted_mib_per_second=3072,
        file_system=a_file_system(standard_bytes=round(standard_tib * TIB)),
    )
    return replace(
        situation,
        reference_bytes_per_second=cap_bytes,
        baseline_bytes_per_second=min(cap_bytes, situation.baseline_bytes_per_second),
    )


UNREAD = "its policy may not be read from here, so whether it lets the alarms in is not known"
FLEET = FleetDay(name="efs-fleet", membership="every file system", watched=40, own_dollars=3.4)
# Elastic and provisioned throughput end at 1 GiB/s there.
LARGE_ONE_ZONE = replace(a_file_system(standard_bytes=25 * TIB), one_zone=True)

MAILS: dict[str, Callable[[], Message]] = {
    "fleet-all-is-well": lambda: fleet_digest(FLEET),
    "fleet-whose-tag-was-lost": lambda: fleet_digest(
        replace(
            FLEET,
            membership="the tag team=storage",
            leaving=dict.fromkeys(
                (f"fs-{number:017x}" for number in range(1, 39)),
                "gone, or without the tag team=storage, since 2030-01-07 06:05 UTC: its stack is deleted after "
                "2030-01-08 06:05 UTC",
            ),
        )
    ),
    "fleet-whose-stack-hangs": lambda: fleet_digest(
        replace(
            FLEET,
            refused={
                "fs-00000000000000001": "CloudFormation is at work on efs-fleet-fs-00000000000000001 since 2030-01-07 "
                "06:05 UTC (UPDATE_IN_PROGRESS): aws cloudformation cancel-update-stack "
                "--stack-name efs-fleet-fs-00000000000000001 --region us-east-1"
            },
        )
    ),
    "fleet-after-a-deletion": lambda: fleet_digest(
        replace(FLEET, watched=38, deleted=("fs-00000000000000001", "fs-00000000000000002"))
    ),
    "fleet-with-everything": lambda: fleet_digest(
        replace(
            FLEET,
            membership="the tag team=storage",
            watched=1234,
            added_dollars=13.2,
            own_dollars=fleet_dollars(dashboard=True, tables=ceil(1234 / A_TABLE)),
            incidents=("fs-00000000000000001", "fs-00000000000000002"),
            failing={
                "fs-00000000000000003": "Thresholds: EFS knows no file system fs-00000000000000003 here; check "
                "FileSystemId, the Region and the account.",
                "fs-00000000000000004": "tried again",
            },
            told_before=frozenset({"fs-00000000000000004"}),
            refused={
                f"fs-{number:017x}": f"mine-{number}, which was deployed by hand, watches it already: it is left alone"
                for number in range(5, 27)
            },
            others={"fs-0000000000000001b": "waits for its turn to create: 10 stacks are changed at a time"},
            untold=(
                "advice: nobody is subscribed",
                "warning: storage-team@example.com is not subscribed",
                "critical: email night-shift@example.com has not confirmed",
            ),
            shut=(f"CriticalTopicArn (arn:aws:sns:us-east-1:111122223333:pager): {UNREAD}",),
        )
    ),
    "warning-draining": lambda: credits_low(
        WARNING, 180, a_situation(balance_gib=1026, hour_ago_gib=1261, activity=WRITING), HERE
    ),
    "warning-by-a-threshold-of-before": lambda: not_low(
        WARNING,
        180,
        3090 * GIB,
        a_situation(
            balance_gib=2150, hour_ago_gib=2150, activity=MIXED, file_system=a_file_system(standard_bytes=900 * GIB)
        ),
        HERE,
    ),
    "critical-by-a-threshold-of-before": lambda: not_low(
        CRITICAL,
        60,
        703 * GIB,
        a_situation(
            balance_gib=696, hour_ago_gib=929, activity=WRITING, file_system=a_file_system(standard_bytes=1000 * GIB)
        ),
        HERE,
    ),
    "warning-falling-slowly": lambda: credits_low(
        WARNING, 180, a_situation(balance_gib=1050, hour_ago_gib=1054, activity=LISTING), HERE
    ),
    "warning-flat": lambda: credits_low(
        WARNING, 180, a_situation(balance_gib=1050, hour_ago_gib=1050, activity=MIXED), HERE
    ),
    "warning-rising": lambda: credits_low(
        WARNING, 180, a_situation(balance_gib=980, hour_ago_gib=965, activity=QUIET), HERE
    ),
    "warning-falling-after-a-rise": lambda: credits_low(
        WARNING, 180, a_turn(before_gib=-40, lately_gib=24, activity=WRITING), HERE
    ),
    "warning-rising-after-a-fall": lambda: credits_low(
        WARNING, 180, a_turn(before_gib=300, lately_gib=-4, activity=WRITING), HERE
    ),
    "warning-idle-for-the-minutes-that-are-known": lambda: credits_low(
        WARNING,
        180,
        a_situation(balance_gib=1050, hour_ago_gib=1050, activity=replace(IDLE, observed_minutes=12)),
        HERE,
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
    ),
    "critical-draining-fast": lambda: credits_low(
        CRITICAL, 60, a_situation(balance_gib=250, hour_ago_gib=576, activity=WRITING_FAST), HERE
    ),
    "critical-after-missing-metrics": lambda: credits_low(
        CRITICAL, 60, without_metrics(a_situation(balance_gib=250, hour_ago_gib=576, activity=WRITING_FAST)), HERE
    ),
    "critical-hovering": lambda: credits_low(CRITICAL, 60, as_fast_before(a_fast_fall(balance_gib=345), 2, 5), HERE),
    "critical-hovering-of-a-young-file-system": lambda: credits_low(
        CRITICAL,
        60,
        replace(as_fast_before(a_fast_fall(balance_gib=345), 2, 5), permitted_of_the_day=PERMITTED_ALL_DAY[-72:]),
        HERE,
    ),
    "critical-as-twice-before": lambda: credits_low(
        CRITICAL, 60, as_fast_before(a_fast_fall(balance_gib=200), 2, 5), HERE
    ),
    "critical-resumed-an-hour-ago": lambda: credits_low(
        CRITICAL,
        60,
        replace(a_fast_fall(balance_gib=200), resumed=TIME - timedelta(minutes=70)),
        HERE,
    ),
    "critical-as-a-day-ago": lambda: credits_low(CRITICAL, 60, as_a_day_ago(a_fast_fall(balance_gib=200)), HERE),
    "critical-of-hours-with-minutes-at-full-speed": lambda: credits_low(
        CRITICAL, 60, a_situation(balance_gib=60, hour_ago_gib=90, activity=WRITING), HERE
    ),
    "critical-last-minute": lambda: credits_low(
        CRITICAL, 60, a_situation(balance_gib=8, hour_ago_gib=334, activity=WRITING_FAST), HERE
    ),
    "critical-at-zero": lambda: credits_low(
        CRITICAL,
        60,
        a_situation(balance_gib=0, hour_ago_gib=0, activity=LIMITED, permitted_mib_per_second=4.9),
        HERE,
    ),
    "critical-coming-back-from-zero": lambda: credits_low(
        CRITICAL,
        60,
        a_situation(balance_gib=3, hour_ago_gib=0, activity=HARDLY_LESS, permitted_mib_per_second=4.9),
        HERE,
    ),
    "critical-after-a-day-that-is-known": lambda: credits_low(
        CRITICAL,
        60,
        replace(
            a_situation(balance_gib=250, hour_ago_gib=576, activity=WRITING_FAST),
            last_day=A_DAY_OF_WORK,
        ),
        HERE,
    ),
    "critical-after-two-hours-that-are-known": lambda: credits_low(
        CRITICAL,
        60,
        replace(
            a_situation(balance_gib=250, hour_ago_gib=576, activity=WRITING_FAST),
            last_day=A_DAY_OF_WORK,
            permitted_of_the_day=PERMITTED_ALL_DAY[-24:],
        ),
        HERE,
    ),
    "critical-at-zero-in-one-zone-that-earns-more-than-another-mode": lambda: credits_low(
        CRITICAL,
        60,
        replace(
            a_situation(
                balance_gib=0,
                hour_ago_gib=0,
                activity=an_activity(read_gib=0, written_gib=4390, metadata_gib=4),
                permitted_mib_per_second=1250,
                file_system=LARGE_ONE_ZONE,
            ),
            reference_bytes_per_second=1706 * MIB,
        ),
        HERE,
    ),
    "critical-in-max-io": lambda: credits_low(
        CRITICAL,
        60,
        replace(
            a_situation(
                balance_gib=250,
                hour_ago_gib=576,
                activity=WRITING_FAST,
                file_system=replace(a_file_system(), max_io=True),
            ),
            last_day=A_DAY_OF_WORK,
        ),
        HERE,
    ),
    "critical-activity-unknown": lambda: credits_low(
        CRITICAL, 60, a_situation(balance_gib=250, hour_ago_gib=None, activity=None), GOVERNMENT
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
    ),
    "critical-where-credits-change-nothing": lambda: credits_low(
        CRITICAL, 60, capped(balance_gib=9_000, hour_ago_gib=8_000), HERE
    ),
    "still-warning-where-credits-change-nothing": lambda: credits_recovering(
        WARNING, 180, capped(balance_gib=20_000, hour_ago_gib=19_000), HERE, timedelta(hours=25), A_DAY
    ),
    "warning-where-credits-change-next-to-nothing": lambda: credits_low(
        WARNING, 180, capped(balance_gib=20_000, hour_ago_gib=20_060, standard_tib=61.2), HERE
    ),
    "recovered-where-credits-change-nothing": lambda: recovered(
        WARNING, 180, capped(balance_gib=33_000, hour_ago_gib=32_000), HERE, TIME - timedelta(hours=22)
    ),
    "limited-where-credits-change-nothing": lambda: limited(capped(balance_gib=0, hour_ago_gib=0), HERE),
    "limited-where-it-is-not-known-whether-credits-change-anything": lambda: limited(
        replace(
            capped(balance_gib=0, hour_ago_gib=0, standard_tib=30),
            permitted_bytes_per_second=1500 * MIB,
            reference_bytes_per_second=1500 * MIB,
        ),
        HERE,
    ),
    "limit-lifted-where-credits-change-nothing": lambda: limit_lifted(
        60, capped(balance_gib=400, hour_ago_gib=0), HERE
    ),
    "draining-where-credits-change-nothing": lambda: draining(60, capped(balance_gib=400, hour_ago_gib=600), HERE),
    "unreadable": lambda: alarm_without_figures(CRITICAL, FILE_SYSTEM_ID, CLOUDWATCH_REASON, DENIED, HERE, TIME),
    "recovered-warning": lambda: recovered(
        WARNING, 180, a_situation(balance_gib=1071, hour_ago_gib=1055, activity=QUIET), HERE
    ),
    "recovered-warning-after-two-days": lambda: recovered(
        WARNING,
        180,
        a_situation(balance_gib=1071, hour_ago_gib=1055, activity=QUIET),
        HERE,
        TIME - timedelta(hours=49),
    ),
    "recovered-warning-after-a-rate-that-held-the-load-down": lambda: recovered(
        WARNING, 180, held_by_a_rate(a_situation(balance_gib=1071, hour_ago_gib=1055, activity=QUIET)), HERE
    ),
    "warning-draining-after-less-was-provisioned": lambda: credits_low(
        WARNING,
        180,
        held_by_a_rate(a_situation(balance_gib=1026, hour_ago_gib=1261, activity=WRITING), lowered=True),
        HERE,
    ),
    "limited-after-less-was-provisioned": lambda: limited(
        held_by_a_rate(
            a_situation(balance_gib=0, hour_ago_gib=326, activity=WRITING_FAST, permitted_mib_per_second=4.9),
            lowered=True,
        ),
        HERE,
    ),
    "limit-lifted-after-less-was-provisioned": lambda: limit_lifted(
        60, held_by_a_rate(a_situation(balance_gib=440, hour_ago_gib=424, activity=QUIET), lowered=True), HERE
    ),
    "recovered-critical": lambda: recovered(
        CRITICAL,
        60,
        a_situation(balance_gib=440, hour_ago_gib=424, activity=QUIET),
        HERE,
        TIME - timedelta(hours=22),
    ),
    "recovered-before-the-nightly-batch": lambda: recovered(
        CRITICAL, 60, before(NIGHTLY, balance_gib=440, hour_ago_gib=424), HERE
    ),
    "recovered-before-a-batch-that-leaves-enough": lambda: recovered(
        WARNING, 180, before(NIGHTLY, balance_gib=1071, hour_ago_gib=1055), HERE
    ),
    "recovered-when-the-last-day-is-not-known": lambda: recovered(
        CRITICAL, 60, before(None, balance_gib=440, hour_ago_gib=424), HERE
    ),
    "critical-rising-before-the-nightly-batch": lambda: credits_low(
        CRITICAL, 60, before(NIGHTLY_TO_ZERO, balance_gib=200, hour_ago_gib=185), HERE
    ),
    "critical-coming-back-from-zero-before-the-nightly-batch": lambda: credits_low(
        CRITICAL,
        60,
        replace(before(NIGHTLY_TO_ZERO, balance_gib=3, hour_ago_gib=0), permitted_bytes_per_second=4.9 * MIB),
        HERE,
    ),
    "recovered-but-still-low": lambda: recovered(
        CRITICAL, 60, a_situation(balance_gib=200, hour_ago_gib=436, activity=WRITING), HERE
    ),
    "recovered-and-gone-by-now": lambda: recovered(
        CRITICAL, 60, a_situation(balance_gib=6, hour_ago_gib=342, activity=WRITING), HERE
    ),
    "recovered-after-the-switch-to-elastic": lambda: recovered(
        WARNING,
        180,
        a_situation(
            balance_gib=1071,
            hour_ago_gib=1055,
            activity=QUIET,
            file_system=a_file_system(mode=ThroughputMode.ELASTIC),
        ),
        HERE,
    ),
    "limited-with-most-data-in-infrequent-access": lambda: limited(
        a_situation(
            balance_gib=0,
            hour_ago_gib=0,
            activity=QUIET,
            file_system=a_file_system(standard_bytes=40 * GIB, colder_bytes=4000 * GIB),
        ),
        HERE,
    ),
    "limited-resumed-an-hour-ago": lambda: limited(
        replace(
            a_situation(balance_gib=0, hour_ago_gib=326, activity=WRITING_FAST, permitted_mib_per_second=4.9),
            resumed=TIME - timedelta(minutes=70),
        ),
        HERE,
    ),
    "limited": lambda: limited(
        a_situation(balance_gib=0, hour_ago_gib=326, activity=WRITING_FAST, permitted_mib_per_second=4.9), HERE
    ),
    "limited-where-next-to-nothing-is-earned": lambda: limited(
        a_situation(
            balance_gib=0,
            hour_ago_gib=0,
            activity=IDLE,
            permitted_mib_per_second=1.0,
            file_system=a_file_system(standard_bytes=6144),
        ),
        HERE,
    ),
    "limited-and-coming-back": lambda: limited(
        a_situation(balance_gib=3, hour_ago_gib=0, activity=HARDLY_LESS, permitted_mib_per_second=4.9), HERE
    ),
    "limited-since-a-minute-after-the-newest": lambda: limited(
        a_situation(balance_gib=8, hour_ago_gib=334, activity=WRITING_FAST), HERE
    ),
    "limited-by-now": lambda: limited(a_situation(balance_gib=2, hour_ago_gib=328, activity=WRITING_FAST), HERE),
    "limited-by-now-a-second-time": lambda: limited(
        replace(a_situation(balance_gib=2, hour_ago_gib=328, activity=WRITING_FAST), past_days=(GONE_BEFORE,)), HERE
    ),
    "limited-nearly-a-third-time": lambda: limited(about_a_minutes_worth(2), HERE),
    "repeated-while-it-hovers-about-a-minutes-worth": lambda: credits_low(
        CRITICAL, 60, about_a_minutes_worth(3), HERE, lasting=timedelta(hours=4)
    ),
    "limited-a-second-time": lambda: limited(
        replace(
            a_situation(balance_gib=0, hour_ago_gib=326, activity=WRITING_FAST, permitted_mib_per_second=4.9),
            past_days=(GONE_BEFORE,),
        ),
        HERE,
    ),
    "limited-after-a-night-of-it": lambda: limited(
        in_the_night(a_situation(balance_gib=0, hour_ago_gib=326, activity=WRITING_FAST, permitted_mib_per_second=4.9)),
        HERE,
    ),
    "limited-while-the-mode-is-locked": lambda: limited(
        replace(
            a_situation(balance_gib=0, hour_ago_gib=326, activity=WRITING_FAST, permitted_mib_per_second=4.9),
            permitted_of_the_day=RETURNED_NINE_HOURS_AGO,
            past_days=(BACK_ON_CREDITS,),
        ),
        HERE,
    ),
    "limited-after-a-return-that-was-seen": lambda: limited(
        replace(
            a_situation(balance_gib=0, hour_ago_gib=326, activity=WRITING_FAST, permitted_mib_per_second=4.9),
            permitted_of_the_day=RETURNED_NINE_HOURS_AGO,
            past_days=(BACK_ON_CREDITS,),
            resumed=TIME - timedelta(hours=8, minutes=30),
        ),
        HERE,
    ),
    "limited-soon": lambda: limited(a_situation(balance_gib=5, hour_ago_gib=9, activity=LISTING), HERE),
    "limited-soon-and-coming-back": lambda: limited(
        a_situation(balance_gib=8, hour_ago_gib=4, activity=HARDLY_LESS), HERE
    ),
    "limited-after-the-switch-to-elastic": lambda: limited(
        a_situation(
            balance_gib=0,
            hour_ago_gib=326,
            activity=WRITING_FAST,
            file_system=a_file_system(mode=ThroughputMode.ELASTIC),
        ),
        HERE,
    ),
    "limited-unreadable": lambda: alarm_without_figures(
        AlarmKind.EXHAUSTED, FILE_SYSTEM_ID, AT_ZERO, DENIED, HERE, TIME
    ),
    "limit-lifted-unreadable": lambda: end_without_figures(
        AlarmKind.EXHAUSTED, FILE_SYSTEM_ID, ABOVE_AGAIN, NO_DATAPOINT, HERE, TIME
    ),
    "recovered-unreadable": lambda: end_without_figures(
        CRITICAL, FILE_SYSTEM_ID, ABOVE_AGAIN, NO_DATAPOINT, HERE, TIME
    ),
    "limit-lifted": lambda: limit_lifted(60, a_situation(balance_gib=8, hour_ago_gib=0, activity=QUIET), HERE),
    "limit-lifted-of-a-slow-fall": lambda: limit_lifted(
        60, a_situation(balance_gib=20, hour_ago_gib=26, activity=WRITING), HERE
    ),
    "limit-lifted-hours-before-a-minute-is-left": lambda: limit_lifted(
        60,
        replace(
            a_situation(balance_gib=6, hour_ago_gib=3, activity=HARDLY_LESS),
            past_days=(SLOWLY_BACK,),
            permitted_of_the_day=tuple(
                (time, 100.0 * MIB if time >= SLOWLY_BACK.balances[-25].time else 4.9 * MIB)
                for time, _ in PERMITTED_ALL_DAY
            ),
        ),
        HERE,
    ),
    "limit-lifted-of-credits-that-ended-unseen": lambda: limit_lifted(
        60,
        replace(
            a_situation(balance_gib=17.5, hour_ago_gib=2.5, activity=QUIET_AT_LAST), past_days=(GONE_IN_THE_NIGHT,)
        ),
        HERE,
        ended_unseen=True,
    ),
    "limit-lifted-of-credits-that-ended-unseen-on-a-day-that-is-not-known": lambda: limit_lifted(
        60, a_situation(balance_gib=17.5, hour_ago_gib=2.5, activity=QUIET_AT_LAST), HERE, ended_unseen=True
    ),
    "limit-lifted-before-a-load-that-was-held-down": lambda: limit_lifted(
        60,
        replace(a_situation(balance_gib=8, hour_ago_gib=0, activity=QUIET), past_days=(EMPTY_DAY,), last_day=HELD_DOWN),
        HERE,
    ),
    "limit-lifted-of-a-load-that-was-held-down-for-more-than-a-day": lambda: limit_lifted(
        60,
        replace(
            a_situation(balance_gib=8, hour_ago_gib=0, activity=QUIET), past_days=(EMPTY_DAY,), last_day=HELD_ALL_DAY
        ),
        HERE,
    ),
    "still-critical-without-credits-for-more-than-a-day": lambda: credits_low(
        CRITICAL,
        60,
        replace(
            a_situation(balance_gib=0, hour_ago_gib=0, activity=LIMITED, permitted_mib_per_second=4.9),
            past_days=(EMPTY_DAY,),
        ),
        HERE,
        timedelta(hours=28),
    ),
    "limit-lifted-after-elastic-throughput": lambda: limit_lifted(
        60, back_from_elastic(a_situation(balance_gib=14, hour_ago_gib=0, activity=QUIET)), HERE
    ),
    "critical-rising-after-elastic-throughput": lambda: credits_low(
        CRITICAL,
        60,
        replace(back_from_elastic(a_situation(balance_gib=14, hour_ago_gib=0, activity=QUIET)), last_day=()),
        HERE,
    ),
    "limit-lifted-and-falling": lambda: limit_lifted(
        60, a_turn(before_gib=-7, lately_gib=3, balance_gib=4, activity=WRITING), HERE
    ),
    "limit-lifted-and-gone-by-now": lambda: limit_lifted(
        60, a_turn(before_gib=-6.8, lately_gib=5.8, balance_gib=1, activity=WRITING_AT_LAST), HERE
    ),
    "limit-lifted-by-late-metrics": lambda: limit_lifted(
        60,
        replace(a_situation(balance_gib=17, hour_ago_gib=3, activity=QUIET), time=TIME + timedelta(minutes=20)),
        HERE,
    ),
    "not-gone": lambda: limit_lifted(
        60, nearly_spent(a_situation(balance_gib=17, hour_ago_gib=3, activity=QUIET)), HERE
    ),
    "not-gone-and-falling": lambda: limit_lifted(
        60, nearly_spent(a_turn(before_gib=-7, lately_gib=3, balance_gib=4, activity=WRITING)), HERE
    ),
    "limit-lifted-and-gone-by-now-where-none-was-seen": lambda: limit_lifted(
        60, nearly_spent(a_turn(before_gib=-6.8, lately_gib=5.8, balance_gib=1, activity=WRITING_AT_LAST)), HERE
    ),
    "not-gone-of-credits-that-were-low-unseen": lambda: limit_lifted(
        60, nearly_spent(a_situation(balance_gib=17, hour_ago_gib=3, activity=QUIET)), HERE, ended_unseen=True
    ),
    "limit-lifted-after-the-switch-to-elastic": lambda: limit_lifted(
        60,
        a_situation(
            balance_gib=8, hour_ago_gib=0, activity=QUIET, file_system=a_file_system(mode=ThroughputMode.ELASTIC)
        ),
        HERE,
    ),
    "drill-limit-lifted": lambda: as_drill(
        limit_lifted(60, a_situation(balance_gib=2100, hour_ago_gib=2090, activity=QUIET), HERE)
    ),
    "drill-limited": lambda: as_drill(limited(a_situation(balance_gib=2100, hour_ago_gib=2090, activity=QUIET), HERE)),
    "draining": lambda: draining(60, a_fast_fall(balance_gib=200), HERE),
    "draining-after-a-night-of-it": lambda: draining(60, in_the_night(a_fast_fall(balance_gib=200)), HERE),
    "critical-after-a-night-of-it": lambda: credits_low(
        CRITICAL,
        60,
        replace(
            in_the_night(a_situation(balance_gib=300, hour_ago_gib=400, activity=WRITING_FAST)),
            off_since=TIME - timedelta(minutes=14),
        ),
        HERE,
    ),
    "still-critical-after-a-night-of-it": lambda: credits_low(
        CRITICAL,
        60,
        in_the_night(a_situation(balance_gib=300, hour_ago_gib=400, activity=WRITING_FAST)),
        HERE,
        timedelta(hours=6),
    ),
    "still-warning-after-a-night-of-it": lambda: credits_recovering(
        WARNING,
        180,
        in_the_night(a_situation(balance_gib=600, hour_ago_gib=580, activity=QUIET)),
        HERE,
        timedelta(hours=9),
        A_DAY,
    ),
    "draining-as-a-day-ago": lambda: draining(60, as_a_day_ago(a_fast_fall(balance_gib=200)), HERE),
    "draining-as-twice-before": lambda: draining(60, as_fast_before(a_fast_fall(balance_gib=200), 2, 5), HERE),
    "draining-as-before-with-little-left": lambda: draining(
        60, as_fast_before(a_fast_fall(balance_gib=50), *range(1, 13)), HERE
    ),
    "draining-in-a-pulse-of-every-hour": lambda: draining(60, a_pulse_of_an_hourly_load(balance_gib=200), HERE),
    "critical-between-pulses-of-every-hour": lambda: credits_low(
        AlarmKind.CRITICAL, 60, between_pulses(a_pulse_of_an_hourly_load(balance_gib=200)), HERE
    ),
    "draining-after-missing-metrics": lambda: draining(60, without_metrics(a_fast_fall(balance_gib=200)), HERE),
    "draining-gone-by-now-unless-like-before": lambda: draining(
        60, replace(falling(60, 120, 180, top=40), time=NOW + timedelta(minutes=45)), HERE
    ),
    "draining-gone-by-now": lambda: draining(60, a_fast_fall(balance_gib=20), HERE),
    "draining-by-late-metrics": lambda: draining(
        60, replace(a_fast_fall(balance_gib=300), time=TIME + timedelta(minutes=40)), HERE
    ),
    "draining-no-more": lambda: draining(
        60, a_turn(before_gib=300, lately_gib=-4, balance_gib=200, activity=WRITING), HERE
    ),
    "draining-on-and-off": lambda: draining(60, on_and_off(balance_gib=100), HERE),
    "draining-after-the-switch-to-elastic": lambda: draining(
        60,
        a_situation(
            balance_gib=200,
            hour_ago_gib=526,
            activity=WRITING_FAST,
            file_system=a_file_system(mode=ThroughputMode.ELASTIC),
        ),
        HERE,
    ),
    "draining-unreadable": lambda: alarm_without_figures(
        AlarmKind.DRAINING, FILE_SYSTEM_ID, FALLING_FAST, DENIED, HERE, TIME
    ),
    "missing-draining": lambda: alarm_missing("efs-home-draining", FILE_SYSTEM_ID, HERE),
    "moved-up": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=round(1.53 * TIB)), permitted_mib_per_second=153),
        100 * MIB,
        HERE,
        now=TIME,
    ),
    "moved-down": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=round(1.2 * TIB)), permitted_mib_per_second=120),
        200 * MIB,
        HERE,
        now=TIME,
    ),
    "moved-down-amid-an-incident": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=round(1.2 * TIB)), permitted_mib_per_second=120),
        200 * MIB,
        HERE,
        now=TIME,
        low=(WARNING, CRITICAL),
        on=(WARNING, CRITICAL),
    ),
    "moved-down-while-no-credits-are-left": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=round(1.2 * TIB)), permitted_mib_per_second=120),
        200 * MIB,
        HERE,
        now=TIME,
        low=(WARNING, CRITICAL, EXHAUSTED),
        on=(WARNING, CRITICAL, EXHAUSTED),
        newest_balance_bytes=0.0,
    ),
    "moved-up-amid-an-incident": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=round(1.7 * TIB)), permitted_mib_per_second=170),
        120 * MIB,
        HERE,
        now=TIME,
        low=(WARNING, CRITICAL),
        on=(WARNING, CRITICAL),
        newest_balance_bytes=431 * GIB,
    ),
    "moved-down-which-ends-an-alarm": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=round(1.2 * TIB)), permitted_mib_per_second=120),
        200 * MIB,
        HERE,
        now=TIME,
        low=(WARNING,),
        on=(WARNING, CRITICAL),
    ),
    "moved-up-which-sets-off-an-alarm": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=round(1.7 * TIB)), permitted_mib_per_second=170),
        120 * MIB,
        HERE,
        now=TIME,
        low=(WARNING,),
    ),
    "moved-down-below-a-tebibyte": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=500 * GIB), permitted_mib_per_second=100),
        115 * MIB,
        HERE,
        now=TIME,
        since=TIME - timedelta(hours=21),
    ),
    "moved-down-from-a-cap": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=8 * TIB), permitted_mib_per_second=800),
        1024 * MIB,
        HERE,
        now=TIME,
    ),
    "moved-up-again-since-an-earlier-mail": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=round(1.3 * TIB)), permitted_mib_per_second=130),
        111 * MIB,
        HERE,
        now=TIME,
        since=TIME - timedelta(hours=10),
        since_bytes_per_second=123 * MIB,
    ),
    "moved-up-from-a-tebibyte-and-more": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=round(1.53 * TIB)), permitted_mib_per_second=153),
        120 * MIB,
        HERE,
        now=TIME,
    ),
    "moved-down-to-where-credits-change-nothing": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=30 * TIB), permitted_mib_per_second=1024),
        2048 * MIB,
        HERE,
        now=TIME,
    ),
    "moved-down-by-a-cap-that-is-seen-now": lambda: thresholds_moved(
        a_decision(a_file_system(standard_bytes=12 * TIB), permitted_mib_per_second=1024),
        1200 * MIB,
        HERE,
        now=TIME,
    ),
    "moved-up-to-a-cap-not-seen-yet": lambda: thresholds_moved(unseen_cap(12), 1000 * MIB, HERE, now=TIME),
    "active-again-at-a-cap-not-seen-yet": lambda: resumed(unseen_cap(12), HERE),
    "suspended-elastic": lambda: suspended(ELASTIC, HERE),
    "suspended-elastic-in-an-incident": lambda: suspended(
        ELASTIC,
        HERE,
        EndedByMode(alarms=(WARNING, CRITICAL, EXHAUSTED), began=TIME - timedelta(hours=5), time=TIME),
    ),
    "suspended-provisioned-in-an-incident-that-is-half-forgotten": lambda: suspended(
        PROVISIONED, HERE, EndedByMode(alarms=(DRAINING,), began=None, time=TIME)
    ),
    "suspended-provisioned-below-what-clients-took": lambda: suspended(
        PROVISIONED,
        HERE,
        taken=Taken(busiest_bytes_per_second=350 * MIB, lately_bytes_per_second=0, known_minutes=1440),
    ),
    "suspended-provisioned-below-what-clients-took-at-zero": lambda: suspended(
        PROVISIONED,
        HERE,
        EndedByMode(alarms=(WARNING, CRITICAL, EXHAUSTED), began=TIME - timedelta(hours=5), time=TIME),
        Taken(busiest_bytes_per_second=350 * MIB, lately_bytes_per_second=0, known_minutes=1440),
    ),
    "suspended-provisioned-below-what-clients-took-with-credits": lambda: suspended(
        PROVISIONED,
        HERE,
        EndedByMode(alarms=(WARNING,), began=TIME - timedelta(hours=5), time=TIME),
        Taken(busiest_bytes_per_second=350 * MIB, lately_bytes_per_second=0, known_minutes=1440),
    ),
    "suspended-provisioned-and-all-of-it-taken": lambda: suspended(
        PROVISIONED,
        HERE,
        taken=Taken(
            busiest_bytes_per_second=PROVISIONED.file_system.provisioned_bytes_per_second,
            lately_bytes_per_second=PROVISIONED.file_system.provisioned_bytes_per_second,
            known_minutes=1440,
        ),
    ),
    "suspended-provisioned": lambda: suspended(PROVISIONED, HERE),
    "resumed": lambda: resumed(a_decision(suspended=True), HERE, newest_balance_bytes=1544.6 * GIB),
    "resumed-and-empty-for-some-minutes": lambda: resumed(a_decision(suspended=True), HERE, (EXHAUSTED,)),
    "resumed-and-low-for-some-minutes": lambda: resumed(a_decision(suspended=True), HERE, (CRITICAL, EXHAUSTED)),
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
    "still-critical": lambda: credits_low(
        CRITICAL,
        60,
        a_situation(balance_gib=250, hour_ago_gib=576, activity=WRITING_FAST),
        HERE,
        timedelta(hours=7, minutes=30),
    ),
    "still-critical-but-rising": lambda: credits_recovering(
        CRITICAL, 60, before(QUIET_DAY, balance_gib=200, hour_ago_gib=185), HERE, timedelta(hours=27, minutes=42), A_DAY
    ),
    "still-critical-but-rising-told-every-three-days": lambda: credits_recovering(
        CRITICAL, 60, before(QUIET_DAY, balance_gib=200, hour_ago_gib=185), HERE, timedelta(hours=72), 3 * A_DAY
    ),
    "still-critical-rising-before-the-nightly-batch": lambda: credits_recovering(
        CRITICAL,
        60,
        before(NIGHTLY_TO_ZERO, balance_gib=200, hour_ago_gib=185),
        HERE,
        timedelta(hours=27, minutes=42),
        A_DAY,
    ),
    "still-critical-and-gone": lambda: still_gone(
        Repeat(alarm=CRITICAL, brief=False, pause=timedelta(hours=4), last=TIME - timedelta(hours=4)),
        60,
        gone_for(8),
        HERE,
        lasting=timedelta(hours=9),
        whole_mail=TIME - timedelta(hours=8, minutes=1),
    ),
    "still-unreadable": lambda: alarm_without_figures(
        CRITICAL, FILE_SYSTEM_ID, CLOUDWATCH_REASON, DENIED, HERE, TIME, timedelta(hours=4)
    ),
    "still-unreadable-for-hours": lambda: alarm_without_figures(
        CRITICAL,
        FILE_SYSTEM_ID,
        CLOUDWATCH_REASON,
        NO_DATAPOINT,
        HERE,
        TIME,
        timedelta(hours=4),
        newest=newest_seen(
            [
                BalancePoint(time=TIME - timedelta(minutes=minutes), balance_bytes=gib * GIB)
                for minutes, gib in ((165, 120), (160, 100), (155, 80))
            ],
            6 * GIB,
            TIME,
        ),
    ),
    "still-unreadable-locked": lambda: alarm_without_figures(
        CRITICAL,
        FILE_SYSTEM_ID,
        CLOUDWATCH_REASON,
        DENIED,
        HERE,
        TIME,
        timedelta(hours=4),
        changed_seen=TIME - timedelta(hours=5),
    ),
    "unreadable-perhaps-locked": lambda: alarm_without_figures(
        EXHAUSTED, FILE_SYSTEM_ID, CLOUDWATCH_REASON, DENIED, HERE, TIME, changed_seen=TIME - timedelta(hours=23)
    ),
    "drill-critical": lambda: as_drill(
        credits_low(CRITICAL, 60, a_situation(balance_gib=2100, hour_ago_gib=2090, activity=QUIET), HERE)
    ),
    "drill-recovered": lambda: as_drill(
        recovered(CRITICAL, 60, a_situation(balance_gib=2100, hour_ago_gib=2090, activity=QUIET), HERE)
    ),
    "restored-critical": lambda: alarm_restored("efs-home-critical", FILE_SYSTEM_ID, HERE),
    "edit-undone": lambda: edit_undone("efs-home-critical", FILE_SYSTEM_ID, HERE),
    "back": lambda: file_system_back(FILE_SYSTEM_ID, HERE),
    "warning-ahead": lambda: warning_ahead(TIME + timedelta(days=4), 180, a_file_system(), HERE),
    "warning-ahead-above-1-tib": lambda: warning_ahead(
        TIME + timedelta(days=4), 180, a_file_system(standard_bytes=2 * TIB), HERE
    ),
    "way-back-lower-the-next-day": lambda: back_to_bursting(
        a_file_system(mode=ThroughputMode.ELASTIC),
        LEFT,
        50.12,
        replace(LASTED, lowest_the_next_day_bytes=82.05 * GIB),
        HERE,
        TIME,
    ),
    "way-back": lambda: back_to_bursting(a_file_system(mode=ThroughputMode.ELASTIC), LEFT, 50.12, LASTED, HERE, TIME),
    "way-back-that-would-leave-little": lambda: back_to_bursting(
        a_file_system(mode=ThroughputMode.ELASTIC),
        LEFT,
        50.12,
        replace(LASTED, lowest_bytes=273 * GIB, lowest_the_next_day_bytes=273 * GIB),
        HERE,
        TIME,
    ),
    "way-back-with-little-that-would-do": lambda: back_to_bursting(
        a_file_system(mode=ThroughputMode.ELASTIC),
        LEFT,
        50.12,
        replace(LASTED, opening_bytes=48 * GIB, lowest_bytes=48 * GIB, lowest_the_next_day_bytes=48 * GIB),
        HERE,
        TIME,
    ),
    "way-back-that-would-not-do": lambda: back_to_bursting(
        a_file_system(mode=ThroughputMode.ELASTIC), LEFT, 303, ENDED, HERE, TIME
    ),
    "way-back-where-a-fixed-rate-is-far-cheaper": lambda: back_to_bursting(
        a_file_system(mode=ThroughputMode.ELASTIC), LEFT, 303, ENDED, HERE, TIME, A_RATE
    ),
    "way-back-from-more-than-credits-permit": lambda: back_to_bursting(
        a_file_system(mode=ThroughputMode.ELASTIC), LEFT, 303, replace(LASTED, faster_minutes=35), HERE, TIME
    ),
    "way-back-of-a-day-that-could-not-be-repeated": lambda: back_to_bursting_after_an_evening(
        a_file_system(mode=ThroughputMode.ELASTIC), opening_gib=700, mib_per_second=76, minutes=150
    ),
    "way-back-of-a-day-whose-second-would-end-them": lambda: back_to_bursting_after_an_evening(
        a_file_system(mode=ThroughputMode.ELASTIC), opening_gib=450, mib_per_second=76, minutes=150
    ),
    "way-back-of-an-idle-day": lambda: back_to_bursting(
        a_file_system(mode=ThroughputMode.ELASTIC), LEFT, 0, replace(LASTED, opening_bytes=0, moved_bytes=0), HERE, TIME
    ),
    "way-back-of-a-day-that-is-not-known": lambda: back_to_bursting(
        a_file_system(mode=ThroughputMode.ELASTIC), LEFT, 0, None, HERE, TIME
    ),
    "way-back-after-weeks-of-provisioned-throughput": lambda: back_to_bursting(
        a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=80 * MIB),
        TIME - timedelta(days=22),
        103.5,
        LASTED,
        HERE,
        TIME,
    ),
    "way-back-of-a-day-that-was-held-down": lambda: back_to_bursting_after_an_evening(
        a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=40 * MIB),
        opening_gib=520,
        mib_per_second=40,
        minutes=160,
    ),
    "way-back-of-a-day-that-was-held-down-by-two-rates": lambda: back_to_bursting(
        a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=40 * MIB),
        LEFT,
        20.5,
        replace(
            LASTED,
            gone=TIME - timedelta(hours=11),
            held_minutes=425,
            held_bytes_per_second=20 * MIB,
            least_held_bytes_per_second=10 * MIB,
        ),
        HERE,
        TIME,
    ),
    "elastic-day": lambda: elastic_day(
        *(a_file_system(mode=ThroughputMode.ELASTIC), 61.4, 50, TIME - timedelta(days=3), HERE, TIME),
        last_balance_bytes=0,
    ),
    "elastic-day-with-data-in-archive": lambda: elastic_day(
        a_file_system(mode=ThroughputMode.ELASTIC, archive_bytes=300 * GIB),
        *(61.4, 50, TIME - timedelta(hours=9), HERE, TIME),
    ),
    "elastic-day-where-a-fixed-rate-is-far-cheaper": lambda: elastic_day(
        *(a_file_system(mode=ThroughputMode.ELASTIC), 61.4, 50, TIME - timedelta(hours=9), HERE, TIME, A_RATE),
        last_balance_bytes=93.4 * GIB,
    ),
    "elastic-day-before-the-lock-ends": lambda: elastic_day(
        a_file_system(mode=ThroughputMode.ELASTIC), 61.4, 50, TIME - timedelta(hours=9), HERE, TIME
    ),
    **{f"silence-{condition}": partial(silence_found, SILENT[condition], FILE_SYSTEM_ID, HERE) for condition in SILENT},
    **{
        f"silence-metrics-{which}": partial(
            silence_found, (replace(SILENT[condition][0], last_seen=seen),), FILE_SYSTEM_ID, HERE
        )
        for which, condition, seen in (
            ("stopped-amid-a-fall", Condition.METRICS_STOPPED, FELL_WHEN_LAST_SEEN),
            ("late-amid-a-fall", Condition.METRICS_LATE, replace(FELL_WHEN_LAST_SEEN, gone=TIME + timedelta(hours=1))),
            ("stopped-at-zero", Condition.METRICS_STOPPED, NOTHING_WHEN_LAST_SEEN),
            (
                "late-amid-a-fall-and-locked",
                Condition.METRICS_LATE,
                replace(FELL_WHEN_LAST_SEEN, gone=TIME + timedelta(hours=1), changed_seen=TIME - timedelta(hours=3)),
            ),
            (
                "late-amid-a-fall-and-perhaps-locked",
                Condition.METRICS_LATE,
                replace(FELL_WHEN_LAST_SEEN, gone=TIME + timedelta(hours=1), changed_seen=TIME - timedelta(hours=23)),
            ),
        )
    },
    "silence-given-topic-gone": lambda: silence_found(
        (
            replace(
                SILENT[Condition.TOPIC_GONE][0],
                detail=f"critical: there is no topic {GIVEN.topic_arn('critical')} any more",
            ),
        ),
        FILE_SYSTEM_ID,
        GIVEN,
    ),
    "silence-fleet-topic-gone": lambda: silence_found(
        (
            replace(
                SILENT[Condition.TOPIC_GONE][0],
                detail=f"critical: there is no topic {OF_A_FLEET.topic_arn('critical')} any more",
            ),
        ),
        FILE_SYSTEM_ID,
        OF_A_FLEET,
    ),
    **{
        f"silence-over-{condition}": partial(
            silence_over, condition, [one.about for one in SILENT[condition]], FILE_SYSTEM_ID, HERE, SEEN_AGAIN
        )
        for condition in SILENT
    },
    **{
        f"silence-over-metrics-{course.name.lower().replace('_', '-')}": partial(
            silence_over, condition, [""], FILE_SYSTEM_ID, HERE, replace(SEEN_AGAIN, course=course)
        )
        for course, condition in (
            (Course.AT_ZERO, Condition.METRICS_STOPPED),
            (Course.FALLING, Condition.METRICS_LATE),
            (Course.UNKNOWN, Condition.METRICS_UNSEEN),
        )
    },
    "missing-rise": lambda: alarm_missing("efs-home-permitted-throughput-rise", FILE_SYSTEM_ID, HERE),
}


@cache
def message_of(name: str) -> Message:
    """One of them; several tests read each, and it takes longer to write than to read."""
    return MAILS[name]()


DESCRIPTIONS: dict[str, Callable[[], str]] = {
    "description-warning": lambda: alarm_description(WARNING, a_decision(), HERE),
    "description-critical": lambda: alarm_description(CRITICAL, a_decision(), HERE),
    "description-exhausted": lambda: alarm_description(EXHAUSTED, a_decision(), HERE),
    "description-draining": lambda: alarm_description(DRAINING, a_decision(), HERE),
    "description-critical-where-credits-change-nothing": lambda: alarm_description(
        CRITICAL, a_decision(a_file_system(standard_bytes=30 * TIB), permitted_mib_per_second=1024), HERE
    ),
    "description-exhausted-where-credits-change-nothing": lambda: alarm_description(
        EXHAUSTED, a_decision(a_file_system(standard_bytes=30 * TIB), permitted_mib_per_second=1024), HERE
    ),
    "description-critical-in-one-zone-that-earns-more-than-another-mode": lambda: alarm_description(
        CRITICAL, replace(unseen_cap(25), file_system=LARGE_ONE_ZONE), HERE
    ),
    "description-warning-of-a-cap-not-seen-yet": lambda: alarm_description(WARNING, unseen_cap(12), HERE),
    "description-exhausted-of-a-cap-not-seen-yet": lambda: alarm_description(EXHAUSTED, unseen_cap(30), HERE),
    "description-rise-of-a-cap-not-seen-yet": lambda: alarm_description(RISE, unseen_cap(12), HERE),
    "description-rise": lambda: alarm_description(RISE, a_decision(), HERE),
    "description-warning-china": lambda: alarm_description(
        WARNING, a_decision(a_file_system(standard_bytes=round(12.34 * TIB))), CHINA
    ),
    "description-critical-government": lambda: alarm_description(CRITICAL, a_decision(), GOVERNMENT),
    "description-warning-suspended-elastic": lambda: alarm_description(WARNING, ELASTIC, HERE),
    "description-critical-suspended-provisioned": lambda: alarm_description(CRITICAL, PROVISIONED, CHINA),
}


@pytest.mark.parametrize("name", MAILS)
def test_the_mail_reads_as_agreed(name: str) -> None:
    message = message_of(name)
    assert_golden(name, f"Subject: {message.subject}\n\n{message.body}")


@pytest.mark.whole
@pytest.mark.parametrize("name", [name for name in MAILS if not name.startswith("fleet")])
def test_the_subject_has_the_id_also_as_a_drill(name: str) -> None:
    message = message_of(name)
    for subject in (message.subject, as_drill(message).subject):
        assert f", {FILE_SYSTEM_ID}" in subject
        assert len(subject) <= 99


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_the_description_reads_as_agreed(name: str) -> None:
    assert_golden(name, DESCRIPTIONS[name]() + "\n")


def test_one_text_serves_several_alarms() -> None:
    assert alarm_description(EXHAUSTED, ELASTIC, HERE) == alarm_description(WARNING, ELASTIC, HERE)
    assert alarm_description(RISE, ELASTIC, HERE) == alarm_description(RISE, a_decision(), HERE)


def test_a_repeat_of_a_recovery_that_turned_is_that_of_a_fall() -> None:
    falling = a_situation(balance_gib=250, hour_ago_gib=576, activity=WRITING_FAST)
    lasting = timedelta(hours=27, minutes=42)
    whole = credits_low(CRITICAL, 60, falling, HERE, lasting)
    assert credits_recovering(CRITICAL, 60, falling, HERE, lasting, A_DAY) == whole


def test_the_texts_for_phones_read_as_agreed() -> None:
    assert_golden("short", "".join(f"{name}:\n    {message_of(name).short}\n" for name in MAILS))


def test_no_golden_file_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == {*MAILS, *DESCRIPTIONS, "short"}


def assert_golden(name: str, text: str) -> None:
    path = GOLDEN / f"{name}.txt"
    agreed = path.read_text(encoding="ascii") if path.exists() else ""
    if text != agreed and os.environ.get("UPDATE_GOLDEN") == "1":
        path.write_text(text, encoding="ascii")
        pytest.fail(f"{path.name} is written anew: read the difference, then run this again")
    assert text == agreed


def told(name: str) -> str:
    """A mail on one line, as agreed."""
    return " ".join((GOLDEN / f"{name}.txt").read_text(encoding="ascii").split())


def test_the_balance_of_a_golden_mail_was_never_below_zero() -> None:
    figures = re.compile(r"- Balance: ([\d,.]+) GiB.* - Balance in the last [^:]*: rose by ([\d,.]+) GiB")
    rises = {name: rose.groups() for name in MAILS if (rose := figures.search(told(name)))}
    assert rises
    for name, rise in rises.items():
        now, gained = (float(one.replace(",", "")) for one in rise)
        assert gained <= now, name


def test_the_figures_of_a_golden_mail_about_the_way_back_follow_from_each_other() -> None:
    """What a rate cost since then, what was moved where it held clients down, and what another such day would lose."""
    held = told("way-back-of-a-day-that-was-held-down")
    rate, earned, dollars, moved, minutes = numbers(
        r"Now it has (\S+) MiB/s provisioned: what was above the (\S+) MiB/s that the size earns cost about \$(\S+) "
        r".* clients moved (\S+) GiB .* In (\S+) minutes clients took all",
        held,
    )
    assert dollars == pytest.approx((rate - earned) * 6 * (TIME - LEFT) / timedelta(hours=730), abs=0.02)
    assert moved == pytest.approx(minutes * 60 * rate / 1024, abs=1)
    repeated = told("way-back-of-a-day-that-could-not-be-repeated")
    dollars, moved, opening, lowest, lost = numbers(
        r"cost at least \$(\S+) since .* clients moved (\S+) GiB .* known \((\S+) GiB\), at least (\S+) GiB .* end "
        r"with (\S+) GiB less",
        repeated,
    )
    assert dollars == round(moved * 0.06)
    earned_in_the_day = earned * 86_400 / 1024
    assert lost == pytest.approx(moved - earned_in_the_day, abs=2)
    assert lowest < opening < moved + lowest < opening + earned_in_the_day


def numbers(words: str, text: str) -> list[float]:
    found = re.search(words, text)
    assert found is not None
    return [float(one.replace(",", "")) for one in found.groups()]
