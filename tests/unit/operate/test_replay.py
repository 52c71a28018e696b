"""A replay sends what the deployed stack would have sent, when it would have."""

from datetime import timedelta

import pytest
from efs_monitor.alarms.alarm import AlarmKind
from efs_monitor.efs.credits import GIB, MIB, TIB, full_bucket_bytes
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.efs.trend import daily_lowest, warning_expected

from operate.history.file_system_history import History, history_of
from operate.history.recorded import BALANCE, PERMITTED, STANDARD_SIZE, ModeChange
from operate.replay.replay import LATE_MINUTES, Replayed, replay
from operate.replay.replayed_account import ReplayedAccount
from operate.replay.replayed_metrics import Metrics
from tests.unit.operate.histories import (
    BURST,
    FILE_SYSTEM,
    FULL,
    MINUTE_BYTES,
    NOW,
    STACK,
    START,
    falls,
    history,
    points,
    recorded,
)


def replayed(one: History) -> Replayed:
    return replay(one.metrics, list(one.file_systems), STACK)


def alarms(found: Replayed, state: str = "ALARM") -> list[tuple[str, int]]:
    """What CloudWatch sent, by alarm and minute."""
    return [(one.subject, one.minute) for one in found.mails if one.by_cloudwatch and one.body == state]


@pytest.mark.whole
def test_a_fall_to_zero_is_told_by_each_alarm_as_soon_as_its_datapoint_is_there() -> None:
    one = history(falls())
    balances = one.metrics.values[BALANCE]
    below = {
        lead: next(
            minute for minute, balance in enumerate(balances) if balance is not None and balance < lead * MINUTE_BYTES
        )
        for lead in (180, 60, 1)
    }
    told = dict(alarms(replayed(one)))
    assert told["warning"] == below[180] + LATE_MINUTES
    assert told["critical"] == below[60] + LATE_MINUTES
    assert told["exhausted"] == below[1] + LATE_MINUTES
    assert below[60] < told["draining"] < below[1]


@pytest.mark.whole
def test_where_it_is_known_how_late_datapoints_are_alarms_are_so_much_later() -> None:
    one = history(falls())
    later = replay(one.metrics, list(one.file_systems), STACK, late_minutes=LATE_MINUTES + 2)
    usual = dict(alarms(replayed(history(falls()))))
    told = dict(alarms(later))
    assert {name: told[name] - usual[name] for name in ("critical", "exhausted")} == {"critical": 2, "exhausted": 2}


def test_what_the_newest_datapoint_sets_off_is_told_when_it_can_be_seen() -> None:
    balances = falls()
    low = next(minute for minute, balance in enumerate(balances) if balance is not None and balance < MINUTE_BYTES)
    found = replayed(history(balances[: low + 1]))
    assert dict(alarms(found))["exhausted"] == low + LATE_MINUTES
    assert found.mails[-1].subject.startswith("GONE")


@pytest.mark.whole
def test_every_alarm_that_goes_off_is_explained_on_the_advice_topic() -> None:
    found = replayed(history(falls()))
    subjects = [one.subject for one in found.mails if one.topic == "advice"]
    assert [subject.split(":")[0] for subject in subjects[:3]] == ["WARNING", "CRITICAL", "GONE"]
    assert found.failed == ()


def test_the_first_state_of_each_alarm_is_told_a_minute_after_the_deployment() -> None:
    found = replayed(history([FULL] * 120))
    assert alarms(found, "OK") == [("warning", 31), ("critical", 31), ("exhausted", 31), ("draining", 31)]
    assert [one for one in found.mails if not one.by_cloudwatch] == []


@pytest.mark.whole
def test_what_comes_after_a_minute_changes_nothing_that_was_told_before_it() -> None:
    whole = falls()
    ends = replayed(history(whole[:700]))
    goes_on = replayed(history(whole))
    assert ends.mails == tuple(one for one in goes_on.mails if one.minute <= 700)


@pytest.mark.whole
def test_the_thresholds_are_those_of_the_throughput_that_is_permitted() -> None:
    assert replayed(history(falls())).references == ((31, float(BURST)),)


def test_in_elastic_mode_the_alarms_are_suspended_and_afterwards_they_act_again() -> None:
    modes = (
        ModeChange(time=START + timedelta(hours=2), mode="elastic"),
        ModeChange(time=START + timedelta(hours=6), mode="bursting"),
    )
    low = 30.0 * MINUTE_BYTES
    balances: list[float | None] = [*[FULL] * 120, *[low] * 240, *[low] * 240]
    found = replayed(history(balances, modes=modes))
    first = 120 + 60 + 7
    assert not [minute for _, minute in alarms(found) if first < minute <= 360]
    assert {kind for kind, minute in alarms(found) if minute > 360} == {"warning", "critical"}
    subjects = [one.subject for one in found.mails if one.topic == "advice"]
    assert any("suspended" in subject.lower() for subject in subjects)


def test_a_gap_sets_off_nothing_and_metrics_that_stopped_are_told() -> None:
    found = replayed(history([*[FULL] * 200, *[None] * 400, *[FULL] * 200]))
    assert alarms(found) == []
    assert any("metrics" in one.subject.lower() for one in found.mails if one.topic == "advice")


def test_growth_raises_the_thresholds() -> None:
    one = recorded([FULL * 4] * 400)
    one.points[PERMITTED] = points([*[200.0 * MIB] * 200, *[260.0 * MIB] * 200])
    one.points[STANDARD_SIZE] = points([*[2.0 * TIB] * 200, *[2.6 * TIB] * 200])
    grown = history_of(one, None, NOW)
    assert [rate / MIB for _, rate in replayed(grown).references] == pytest.approx([200, 260])


@pytest.mark.whole
def test_each_day_is_heard_of_once_it_is_over() -> None:
    one = history([FULL] * (2 * 1440 + 5))
    heard: list[int] = []
    replay(one.metrics, list(one.file_systems), STACK, told=heard.append)
    assert heard == [1, 2]


@pytest.mark.parametrize("minute", [0, 1, 23, 27, 59])
def test_a_week_in_hours_has_the_same_trend_as_in_steps_of_five_minutes(minute: int) -> None:
    """The account tells a week of balances in hours, of which only the lowest of each day counts."""
    metrics = Metrics(START)
    metrics.values[BALANCE] = [
        400.0 * GIB - number * 20_000_000 + (number * 7919 % 997) * 30_000_000 for number in range(9 * 1440)
    ]
    account = ReplayedAccount(STACK, metrics, FILE_SYSTEM)
    account.minute = 8 * 1440 + 600 + minute
    metrics.newest = account.minute - LATE_MINUTES
    account.deploy()
    end = account.minute // 60 * 60
    first = end - 7 * 1440
    read = zip(*metrics.read(*BALANCE, 5, first, end), strict=True)
    steps = [BalancePoint(time=metrics.time(i), balance_bytes=v) for i, v in read]
    hours = [BalancePoint(time=metrics.time(i), balance_bytes=v) for i, v in account._lowest_of_hours(first, end)]
    assert len(hours) < len(steps) / 5
    assert daily_lowest(hours, account.now) == daily_lowest(steps, account.now)
    threshold = account.alarms[AlarmKind.WARNING].definition["Threshold"]
    bucket = full_bucket_bytes(FILE_SYSTEM.standard_bytes)
    found = [warning_expected(points, threshold, bucket, account.now) for points in (hours, steps)]
    assert found[0] == found[1]


def test_before_there_is_a_datapoint_nothing_is_known_of_later_ones() -> None:
    one = recorded([FULL] * 200)
    one.points[PERMITTED] = points([*[float(BURST)] * 100, *[190.0 * MIB] * 100])
    found = replay(history_of(one, None, NOW).metrics, [(0, FILE_SYSTEM)], STACK, deployed_at=0)
    assert found.references[0] == (1, float(BURST))
