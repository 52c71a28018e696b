"""Whether AWS would refuse a change of throughput mode."""

import dataclasses
from datetime import datetime, timedelta

import pytest
from efs_monitor.efs.credits import MIB
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.mode_lock import (
    LOCK,
    SEEN_WITHIN,
    changed_by,
    last_change,
    locks_remedies,
    refuses_changes,
    resumed_lately,
    seems_changed,
    unlocked_lately,
)
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


@pytest.mark.parametrize("missing", [0, 1, 8])
def test_it_may_have_been_changed_until_metrics_came_again(missing: int) -> None:
    whole = permitted(*[300.0] * 3, *[100.0] * 9)
    known = (*whole.permitted_of_the_day[:3], *whole.permitted_of_the_day[3 + missing :])
    situation = dataclasses.replace(whole, permitted_of_the_day=known)
    ended = known[2][0] + timedelta(minutes=5)
    assert seems_changed(situation) == ended
    assert changed_by(situation, ended) == ended + missing * timedelta(minutes=5)


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
    assert seems_changed(permitted(109.9, 100)) is None


def test_of_what_may_be_a_cap_a_tenth_more_is_what_a_larger_file_system_had() -> None:
    under_the_cap = dataclasses.replace(permitted(1024, 1000), reference_bytes_per_second=1000.0 * MIB)
    assert seems_changed(under_the_cap) is None
    assert seems_changed(dataclasses.replace(under_the_cap, reference_bytes_per_second=930.0 * MIB)) is not None


def test_of_a_rate_in_whole_mib_a_hundredth_is_as_much_since_no_size_has_one() -> None:
    assert seems_changed(permitted(101, 100)) is None
    assert seems_changed(permitted(102, 100)) is not None


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


def test_a_change_that_only_metrics_show_may_be_none_so_that_nothing_is_said_to_be_refused() -> None:
    shown = permitted(100, 300, 5, 100)
    found = last_change(shown)
    assert found is not None
    assert not found.is_certain
    assert found.earliest == found.latest == seems_changed(shown)
    assert locks_remedies(shown)
    assert not refuses_changes(shown)


@pytest.mark.parametrize("minutes_later", [-5, -1, 0, 74])
def test_metrics_date_a_change_that_the_monitor_saw(minutes_later: float) -> None:
    """The five minutes in which it was made are those of the other mode, whole: a run may come amid them."""
    shown = permitted(100, 300, *[100] * 20)
    changed = seems_changed(shown)
    assert changed is not None
    seen = dataclasses.replace(shown, resumed=changed + timedelta(minutes=minutes_later))
    found = last_change(seen)
    assert found is not None
    assert found.is_certain
    assert found.shown == changed
    # No later than it was seen: a mail of that moment has told of it.
    assert found.earliest == found.latest == min(changed, changed + timedelta(minutes=minutes_later))
    assert refuses_changes(seen)


@pytest.mark.parametrize("minutes_later", [-6, 76])
def test_metrics_that_show_another_time_than_that_of_the_change_do_not_date_it(minutes_later: float) -> None:
    """As of a size that shrank hours before it, or since."""
    shown = permitted(100, 300, *[100] * 20)
    changed = seems_changed(shown)
    assert changed is not None
    resumed = changed + timedelta(minutes=minutes_later)
    found = last_change(dataclasses.replace(shown, resumed=resumed))
    assert found is not None
    assert found.is_certain
    assert (found.shown, found.earliest, found.latest) == (None, resumed - SEEN_WITHIN, resumed)


def test_five_minutes_that_are_under_way_date_no_change_to_their_end() -> None:
    under_way = permitted(100, 300, newest_minutes_ago=2)
    assert seems_changed(under_way) == NOW + timedelta(minutes=3)
    found = last_change(under_way)
    assert found is not None
    assert found.earliest == found.latest == NOW


def test_a_change_that_late_metrics_do_not_tell_yet_was_made_before_the_monitor_saw_it() -> None:
    late = permitted(100, 300, newest_minutes_ago=30)
    changed, resumed = seems_changed(late), NOW - timedelta(minutes=10)
    assert changed is not None
    found = last_change(dataclasses.replace(late, resumed=resumed))
    assert found is not None
    assert (found.earliest, found.latest) == (changed, resumed)


@pytest.mark.parametrize(("ago", "refuses"), [(LOCK - SEEN_WITHIN - timedelta(minutes=1), True), (LOCK, False)])
def test_what_was_seen_an_hour_after_the_change_at_most_is_certain_for_an_hour_less_than_the_lock(
    ago: timedelta, refuses: bool
) -> None:
    seen = dataclasses.replace(permitted(100), resumed=NOW - ago)
    assert refuses_changes(seen) is refuses
    nearly_over = dataclasses.replace(seen, resumed=NOW - LOCK + SEEN_WITHIN)
    assert locks_remedies(nearly_over)
    assert not refuses_changes(nearly_over)


@pytest.mark.parametrize(
    ("changed_ago", "newest_ago", "rate_mib", "by"),
    [
        # The newest metrics are of the minutes since.
        (30, 30, 300, 30),
        (30, 35, 300, 0),
        # They are older, and have the rate of the size all the same; or it was five minutes ago.
        (30, 60, 109.9, 30),
        (30, 60, 110.1, 0),
        (30, 60, 101, 30),
        (30, 60, 102, 0),
        (30, 60, 20, 0),
        (5, 60, 300, 5),
        (6, 60, 300, 0),
    ],
)
def test_by_old_metrics_of_another_mode_it_may_have_been_changed_until_now(
    changed_ago: float, newest_ago: float, rate_mib: float, by: float
) -> None:
    def ago(minutes: float) -> datetime:
        return NOW - timedelta(minutes=minutes)

    situation = dataclasses.replace(
        now_with(30),
        permitted_of_the_day=((ago(90), 300.0 * MIB), (ago(newest_ago), 300.0 * MIB)),
        permitted_bytes_per_second=rate_mib * MIB,
    )
    assert changed_by(situation, ago(changed_ago)) == ago(by)


def test_metrics_date_a_change_that_was_seen_an_hour_and_a_quarter_later_at_the_most() -> None:
    situation = permitted(100, 300, *[100] * 30)
    shown = seems_changed(situation)
    assert shown is not None
    for later, is_dated in ((SEEN_WITHIN, True), (SEEN_WITHIN + timedelta(minutes=1), False)):
        change = last_change(dataclasses.replace(situation, resumed=shown + later))
        assert change is not None
        assert change.is_certain
        assert (change.shown == shown) is is_dated


@pytest.mark.parametrize(("hours", "is_lately"), [(23.9, False), (24, True), (26.9, True), (27, False)])
def test_that_aws_takes_another_mode_again_is_news_for_some_hours(hours: float, is_lately: bool) -> None:
    resumed = NOW - timedelta(hours=hours)
    assert (unlocked_lately(resumed, NOW) == resumed + timedelta(hours=24)) is is_lately
    assert (unlocked_lately(resumed, NOW) is None) is not is_lately
