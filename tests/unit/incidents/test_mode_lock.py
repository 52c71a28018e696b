"""Whether AWS would refuse a change of throughput mode."""

import dataclasses
from datetime import timedelta

import pytest
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.mode_lock import changed_by, locks_remedies, resumed_lately, seems_changed
from efs_monitor.incidents.situation import PastDay, Situation

from tests.unit.incidents.earlier_days import now_with
from tests.unit.strategies import NOW, provisioned


def permitted(*mib_per_second: float, newest_minutes_ago: float = 5) -> Situation:
    """Bursts to 100 MiB/s; so much was permitted in each of the last five minutes."""
    newest = NOW - timedelta(minutes=newest_minutes_ago)
    points = tuple(
        (newest - timedelta(minutes=5) * age, rate * MIB)
        for age, rate in zip(range(len(mib_per_second) - 1, -1, -1), mib_per_second, strict=True)
    )
    newest_rate = mib_per_second[-1] * MIB
    return dataclasses.replace(now_with(30), permitted_of_the_day=points, permitted_bytes_per_second=newest_rate)


def test_where_no_more_was_permitted_than_the_size_gives_nothing_shows_a_change() -> None:
    assert seems_changed(permitted(100, 100, 5, 100)) is None
    assert seems_changed(now_with(30)) is None


@pytest.mark.parametrize("another", [110.1, 300, 1024])
def test_a_mode_that_permitted_more_ended_with_its_last_five_minutes(another: float) -> None:
    assert seems_changed(permitted(100, another, another, 5, 100)) == NOW - timedelta(minutes=10)


def without_a_balance(*minutes_ago: float) -> Situation:
    """As much permitted as the size gives, and a balance beside it but for the steps of so many minutes ago."""
    situation = permitted(*[100] * 24)
    times = [time for time, _ in situation.permitted_of_the_day]
    missing = {NOW - timedelta(minutes=ago) for ago in minutes_ago}
    points = tuple(BalancePoint(time=time, balance_bytes=1e12) for time in times if time not in missing)
    return dataclasses.replace(situation, past_days=(PastDay(back=timedelta(days=1), balances=points),))


def test_a_mode_that_permitted_as_much_ended_when_there_was_a_balance_again() -> None:
    assert seems_changed(without_a_balance(60, 55, 50)) == NOW - timedelta(minutes=45)
    assert seems_changed(without_a_balance()) is None


def test_a_balance_of_ten_minutes_may_be_missing_and_the_newest_may_be_late() -> None:
    assert seems_changed(without_a_balance(60, 55)) is None
    assert seems_changed(without_a_balance(5, 10, 15)) is None


def test_a_tenth_more_is_what_a_growing_file_system_may_show() -> None:
    assert seems_changed(permitted(110, 100)) is None


def test_by_the_newest_metrics_alone_it_may_have_been_changed_until_now() -> None:
    """They are those of the other mode, and so old that more than five minutes lie between."""
    seen, late, in_time = permitted(300, 100), permitted(100, 300, newest_minutes_ago=16), permitted(100, 300)
    ended = seems_changed(late)
    assert ended == NOW - timedelta(minutes=11)
    assert changed_by(late, ended) == NOW
    # It was changed within the newest five minutes: the last of them has the rate of the size.
    amid_the_newest = dataclasses.replace(late, permitted_bytes_per_second=100 * MIB)
    for situation in (seen, in_time, amid_the_newest):
        ended = seems_changed(situation)
        assert ended is not None
        assert changed_by(situation, ended) == ended
    provisioned = dataclasses.replace(late, permitted_bytes_per_second=30 * MIB)
    assert changed_by(provisioned, NOW - timedelta(minutes=11)) == NOW


@pytest.mark.parametrize(("minutes_ago", "locked"), [(24 * 60 + 4, True), (24 * 60 + 5, False)])
def test_after_24_hours_the_lock_is_over(minutes_ago: float, locked: bool) -> None:
    changed = seems_changed(permitted(1024, newest_minutes_ago=minutes_ago))
    assert (changed is not None) is locked


@pytest.mark.parametrize(("hours_ago", "locked"), [(0, True), (23.9, True), (24, False)])
def test_that_the_monitor_resumed_its_alarms_shows_a_change_that_no_metric_does(hours_ago: float, locked: bool) -> None:
    """A provisioned rate that is about what the size gives with credits."""
    resumed = NOW - timedelta(hours=hours_ago)
    situation = dataclasses.replace(permitted(100, 100, 5, 100), resumed=resumed)
    assert resumed_lately(situation) == (resumed if locked else None)
    assert locks_remedies(situation) is locked
    # More of what is provisioned always is possible.
    at_a_rate = dataclasses.replace(situation, file_system=provisioned(2))
    assert not locks_remedies(at_a_rate)


def test_where_metrics_show_a_change_they_say_when_and_not_the_monitor_which_looks_once_an_hour() -> None:
    shown = dataclasses.replace(permitted(100, 300, 5, 100), resumed=NOW)
    assert seems_changed(shown) is not None
    assert resumed_lately(shown) is None
