"""The texts of ours that CloudWatch's own mail carries: why an alarm is set late, and what its description says."""

from dataclasses import replace
from datetime import timedelta
from typing import Literal

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.alarms.decision import decide
from efs_monitor.alarms.late_metrics import LateState
from efs_monitor.efs.credits import GIB, MIB, TIB
from efs_monitor.efs.observations import BalancePoint, Observations
from efs_monitor.mail.descriptions import alarm_description, late_reason

from tests.unit.alarms.test_late_metrics import alarm
from tests.unit.mail.mail_cases import ELASTIC, FILE_SYSTEM_ID, HERE, SETTINGS, a_decision, a_file_system, unseen_cap
from tests.unit.strategies import NOW

MINUTE = timedelta(minutes=1)
# The least that earns a GiB/s, to the byte: no Region caps less.
EARNS_A_GIB = 22_517_998_136_853
WITHOUT_A_RUNBOOK = replace(HERE, runbook_url="")
ONE_ALARM = 'An OK right after deployment (from INSUFFICIENT_DATA) only means "armed".'


def reason(kind: AlarmKind, state: Literal["ALARM", "OK"], minutes_old: float) -> str:
    """Of a newest datapoint so old; the balance that decides was seven minutes before."""
    newest = BalancePoint(time=NOW - minutes_old * MINUTE, balance_bytes=1000 * GIB)
    decisive = BalancePoint(time=newest.time - 7 * MINUTE, balance_bytes=900 * GIB)
    of_the_kind = alarm(AlarmKind.WARNING)._replace(threshold=60.0)
    late = LateState(kind=kind, alarm=of_the_kind, state=state, decisive=decisive, newest=newest)
    return late_reason(late, FILE_SYSTEM_ID, NOW)


@pytest.mark.parametrize(
    ("state", "judged"),
    [
        ("ALARM", "The balance was 900 GiB at 11:23 UTC, below the threshold."),
        ("OK", "For 15 minutes the balance was not below the threshold, at last 900 GiB at 11:23 UTC."),
    ],
)
def test_an_alarm_that_is_set_late_says_by_which_balance_and_why_cloudwatch_did_not(
    state: Literal["ALARM", "OK"], judged: str
) -> None:
    assert reason(AlarmKind.WARNING, state, 30) == (
        f"LATE METRICS: {judged} The newest datapoint of fs-0123456789abcdef0 is 30 minutes old. CloudWatch looks back "
        f"15, so the monitor has set this alarm."
    )


@pytest.mark.parametrize(("state", "of_how_many"), [("ALARM", "5 or more"), ("OK", "fewer than 5")])
def test_draining_that_is_set_late_says_in_how_many_minutes_the_balance_fell_fast(
    state: Literal["ALARM", "OK"], of_how_many: str
) -> None:
    assert reason(AlarmKind.DRAINING, state, 30) == (
        f"LATE METRICS: In {of_how_many} of 30 minutes the balance fell so fast that it lasts less than 60 minutes; it "
        f"was 900 GiB at 11:23 UTC. The newest datapoint of fs-0123456789abcdef0 is 30 minutes old. CloudWatch may see "
        f"too few of these minutes, so the monitor has set this alarm."
    )


def test_draining_that_is_set_for_what_nobody_saw_says_by_which_pace() -> None:
    newest = BalancePoint(time=NOW - 40 * MINUTE, balance_bytes=400 * GIB)
    late = LateState(
        kind=AlarmKind.DRAINING,
        alarm=alarm(AlarmKind.WARNING)._replace(threshold=60.0),
        state="ALARM",
        decisive=newest,
        newest=newest,
        unseen_bytes_per_second=64 * MIB,
    )
    assert late_reason(late, FILE_SYSTEM_ID, NOW) == (
        "LATE METRICS, UNSEEN: The newest datapoint of fs-0123456789abcdef0 is 40 minutes old: the balance was 400 GiB "
        "at 11:20 UTC, and fell by 64 MiB/s. If that went on, it lasts less than 60 minutes from now. Without "
        "datapoints CloudWatch leaves an alarm as it is, so the monitor has set this one. If the load has ended, "
        "nothing is wrong."
    )
    forgotten = newest._replace(time=NOW - 161 * MINUTE)
    set_unseen = late.alarm._replace(state_reason="LATE METRICS, UNSEEN: The newest datapoint")
    ended = LateState(kind=AlarmKind.DRAINING, alarm=set_unseen, state="OK", decisive=forgotten, newest=forgotten)
    assert late_reason(ended._replace(alarm=late.alarm), FILE_SYSTEM_ID, NOW).startswith(
        "LATE METRICS: In fewer than 5"
    )
    assert late_reason(ended, FILE_SYSTEM_ID, NOW) == (
        "LATE METRICS, UNSEEN: The newest datapoint of fs-0123456789abcdef0 is 161 minutes old. Whether its balance, "
        "400 GiB at 09:19 UTC, still falls nobody knows any more, so the monitor has ended this alarm."
    )


def test_an_alarm_that_is_set_for_a_time_that_is_over_says_so() -> None:
    """Metrics are in time again."""
    assert reason(AlarmKind.EXHAUSTED, "ALARM", 4) == (
        "LATE METRICS, OVER: The balance of fs-0123456789abcdef0 was 900 GiB at 11:49 UTC, below the threshold, and is "
        "above it now. CloudWatch looks back 15 minutes, and that datapoint came later. So the monitor has set this "
        "alarm, and CloudWatch ends it within the minute."
    )


def test_in_max_io_mode_an_alarm_names_no_elastic_throughput() -> None:
    decision = a_decision(replace(a_file_system(), max_io=True))
    assert alarm_description(AlarmKind.EXHAUSTED, decision, WITHOUT_A_RUNBOOK) == (
        f"ALARM while fs-0123456789abcdef0 has under a minute of burst credits, OK while it has more. Without any it "
        f"is limited to 4.9 MiB/s, not 100 MiB/s. {ONE_ALARM}\n\n"
        f"In ALARM read the Advice mail first, for prices, and provision throughput: Max I/O performance mode rules "
        f"out elastic throughput."
    )


def test_a_suspended_alarm_of_a_stack_without_a_runbook_says_no_more_than_why() -> None:
    assert alarm_description(AlarmKind.WARNING, ELASTIC, WITHOUT_A_RUNBOOK) == (
        "[suspended] This alarm tells nobody, and stays OK at a threshold of 0: fs-0123456789abcdef0 is in elastic "
        "throughput mode, where burst credits "
        "are neither earned nor spent.\n\n"
        "It resumes by itself, with thresholds worked out afresh, within about an hour of the file system living on "
        "burst credits again."
    )


def test_where_a_cap_was_seen_that_is_below_what_the_size_earns_the_end_of_credits_is_told_with_one_rate() -> None:
    """30 TiB that showed a GiB/s at the most in the last 15 days, and nothing in the newest minutes."""
    capped = decide(
        a_file_system(standard_bytes=30 * TIB), Observations(highest_permitted_bytes_per_second=GIB), SETTINGS
    )
    _, end, *_ = alarm_description(AlarmKind.CRITICAL, capped, HERE).split("\n\n")
    assert end == (
        "When they end, everything on it is limited to 1,020 MiB/s: every read, write and listing of every client."
    )
    told, *_ = alarm_description(AlarmKind.EXHAUSTED, capped, HERE).split("\n\n")
    assert told == (
        f"ALARM while fs-0123456789abcdef0 has under a minute of burst credits, OK while it has more. Without any it "
        f"is limited to 1,020 MiB/s. {ONE_ALARM}"
    )


@pytest.mark.parametrize(("stored_tib", "without"), [(EARNS_A_GIB / TIB, "1,020 MiB/s"), (20.5, "up to 1,020 MiB/s")])
def test_a_region_may_cap_what_is_there_without_credits_above_the_lowest_cap(stored_tib: float, without: str) -> None:
    _, end, *_ = alarm_description(AlarmKind.CRITICAL, unseen_cap(stored_tib), HERE).split("\n\n")
    assert end == (
        f"When they end, everything on it slows from up to 2,050 MiB/s to {without}: every read, write and listing of "
        f"every client."
    )
