"""Since when a file system does not live on credits, and when somebody is told of the way back."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.notify.other_mode import OtherMode, is_due, other_mode, told_now
from efs_monitor.notify.repeats import NEAREST_RUN

NOW = datetime(2030, 1, 7, 4, 50, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
BURSTING = FileSystem(
    file_system_id="fs-0123456789abcdef0", name="", mode=ThroughputMode.BURSTING, standard_bytes=200 * GIB
)
ELASTIC = replace(BURSTING, mode=ThroughputMode.ELASTIC)
PROVISIONED = replace(BURSTING, mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=80 * MIB)
LEFT = (BalancePoint(time=NOW - HOUR, balance_bytes=3.0 * GIB),)
# Without credits until three minutes past four, elastic from then on.
PERMITTED = tuple(
    (time, (10 if time < NOW - 50 * MINUTE else 1024) * MIB * 1.0)
    for time in (NOW - back * MINUTE for back in range(175, 0, -5))
)


def seen(file_system: FileSystem, before: OtherMode | None = None, now: datetime = NOW) -> OtherMode | None:
    return other_mode(file_system, before, PERMITTED if now == NOW else (), LEFT, now)


def known(file_system: FileSystem, before: OtherMode | None = None, now: datetime = NOW) -> OtherMode:
    other = seen(file_system, before, now)
    assert other is not None
    return other


def test_on_credits_there_is_nothing_to_remember() -> None:
    assert seen(BURSTING) is None
    assert seen(BURSTING, known(ELASTIC)) is None
    assert seen(replace(PROVISIONED, provisioned_bytes_per_second=5 * MIB)) is None


def test_a_change_is_dated_by_what_was_permitted_and_never_before_it() -> None:
    other = known(ELASTIC)
    assert (other.since, other.balance_bytes) == (NOW - 45 * MINUTE, 3.0 * GIB)


TOLD = NOW - 47 * MINUTE


def begun(
    file_system: FileSystem, silent_since: datetime, before: OtherMode | None = None, now: datetime = NOW
) -> OtherMode:
    other = other_mode(file_system, before, PERMITTED if now == NOW else (), LEFT, now, silent_since)
    assert other is not None
    return other


def test_a_mode_that_a_mail_has_told_of_began_no_later() -> None:
    """What is permitted dates it to the end of five minutes, or to the run that sees it."""
    assert known(ELASTIC).since > TOLD
    assert begun(ELASTIC, TOLD).since == begun(ELASTIC, TOLD).locked_since == TOLD
    assert begun(ELASTIC, TOLD, now=NOW + 9 * HOUR).since == TOLD
    assert begun(ELASTIC, NOW).since == known(ELASTIC).since


def test_what_was_told_before_a_rate_may_be_older_than_the_lock_for_it_can_be_raised_at_any_time() -> None:
    other = begun(PROVISIONED, TOLD, now=NOW + HOUR)
    assert (other.since, other.locked_since) == (TOLD, NOW + HOUR)


def test_what_was_told_nearly_a_day_before_or_of_the_mode_before_does_not_date_the_mode_of_now() -> None:
    later = TOLD + DAY - 75 * MINUTE
    assert begun(ELASTIC, TOLD, now=later - MINUTE).since == TOLD
    assert begun(ELASTIC, TOLD, now=later).since == later
    assert begun(PROVISIONED, TOLD, before=known(ELASTIC), now=NOW + HOUR).since == NOW + HOUR


def test_a_change_that_nothing_shows_is_dated_by_whoever_sees_it_first() -> None:
    assert known(ELASTIC, now=NOW + 9 * HOUR).since == NOW + 9 * HOUR


def since(file_system: FileSystem, *rates_mib_per_second: float) -> datetime:
    """By what was permitted in the last hours, the newest last."""
    steps = [(NOW - back * HOUR, rate * MIB) for back, rate in enumerate(reversed(rates_mib_per_second), 1)]
    other = other_mode(file_system, None, tuple(reversed(steps)), LEFT, NOW)
    assert other is not None
    return other.since


def test_a_mode_of_long_ago_is_as_old_as_its_rate_is_known() -> None:
    """As where the stack is deployed onto a file system that has been elastic for days: AWS takes a change now."""
    assert since(ELASTIC, *[1024] * 38) == NOW - 38 * HOUR
    assert since(ELASTIC, 100, 100, *[1024] * 30) == NOW - 30 * HOUR + 5 * MINUTE
    assert since(PROVISIONED, 100, *[80] * 3) == NOW - 3 * HOUR + 5 * MINUTE


def test_the_newest_rate_may_still_be_that_of_the_mode_before() -> None:
    assert since(PROVISIONED, *[1024] * 38) == NOW
    assert since(ELASTIC, *[80] * 38) == NOW


def test_that_credits_ended_within_the_hour_is_no_change_of_the_mode_of_which_no_datapoint_is_there_yet() -> None:
    """Zero came before the change that it led to, and the metrics are late: the lock would be told to end too early."""
    ended = tuple((NOW - back * MINUTE, (100 if back > 40 else 9.8) * MIB) for back in range(175, 0, -5))
    for file_system in (ELASTIC, PROVISIONED):
        found = other_mode(file_system, None, ended, LEFT, NOW)
        assert found is not None
        assert found.since == found.locked_since == NOW


def test_a_rate_that_bursting_shows_too_tells_of_no_mode_of_long_ago() -> None:
    """100 MiB/s are what 200 GiB are permitted with credits, and 9.8 without; a Region may cap 24 TiB at 1 GiB/s."""
    assert since(replace(PROVISIONED, provisioned_bytes_per_second=100 * MIB), *[100] * 38) == NOW
    assert since(replace(PROVISIONED, provisioned_bytes_per_second=10 * MIB), *[9.8] * 38) == NOW
    assert since(replace(ELASTIC, standard_bytes=24 * 1024 * GIB), *[1024] * 38) == NOW


def test_what_is_remembered_stays_so_until_the_mode_is_another() -> None:
    first = replace(known(ELASTIC), told=NOW + DAY)
    assert seen(ELASTIC, first, NOW + 2 * DAY) == first
    again = known(PROVISIONED, first, NOW + 2 * DAY)
    assert (again.mode, again.since, again.told) == ("provisioned", NOW + 2 * DAY, None)


def provisioning(mib_per_second: float) -> FileSystem:
    return replace(PROVISIONED, provisioned_bytes_per_second=round(mib_per_second * MIB))


def test_an_increase_locks_the_mode_again_and_goes_on_as_the_same_mode() -> None:
    """AWS takes it at any time, and no other change for 24 hours after it: what the mode costs began long before."""
    first = replace(known(PROVISIONED), told=NOW + DAY)
    more = known(provisioning(90), first, NOW + 3 * DAY)
    assert more == replace(first, provisioned_bytes_per_second=90 * MIB, locked_since=NOW + 3 * DAY)
    assert more.unlocked == NOW + 4 * DAY
    # No mail says before that the way back is open, however long ago the last one was.
    assert not is_due(replace(more, told=None), NOW + 4 * DAY - MINUTE, is_enough=True, pays=True)
    assert is_due(replace(more, told=None), NOW + 4 * DAY, is_enough=True, pays=True)
    assert known(provisioning(90), more, NOW + 3 * DAY + HOUR) == more


def test_a_decrease_locks_the_mode_again_and_begins_anew() -> None:
    more = replace(known(PROVISIONED), told=NOW)
    less = known(provisioning(70), more, NOW + 2 * HOUR)
    assert (less.since, less.locked_since, less.told) == (NOW + 2 * HOUR, NOW + 2 * HOUR, None)


@pytest.mark.parametrize("mib_per_second", [79, 79.5, 60, 40, 80.5, 81, 90, 160])
def test_another_rate_is_dated_by_the_first_five_minutes_in_which_it_was_permitted(mib_per_second: float) -> None:
    """However little it differs from the one before, and whatever was permitted before that."""
    before = known(PROVISIONED, now=NOW - DAY)
    for earlier in (9.8, 1024):
        rates = [earlier] * 20 + [80] * 13 + [mib_per_second] * 3
        steps = tuple((NOW - 5 * back * MINUTE, rate * MIB) for back, rate in zip(range(36, 0, -1), rates, strict=True))
        other = other_mode(provisioning(mib_per_second), before, steps, LEFT, NOW)
        assert other is not None
        assert other.locked_since == NOW - 10 * MINUTE
        # The newest rate may still be the one before, and the metric may tell of neither.
        for unseen in (steps[:-3], [(time, 1024.0 * MIB) for time, _ in steps], ()):
            other = other_mode(provisioning(mib_per_second), before, unseen, LEFT, NOW)
            assert other is not None
            assert other.locked_since == NOW


def test_the_balance_at_which_bursting_was_left_survives_a_second_change() -> None:
    other = other_mode(PROVISIONED, known(ELASTIC), (), (), NOW + 9 * DAY)
    assert other is not None
    assert other.balance_bytes == 3.0 * GIB


def test_the_way_back_is_told_when_the_lock_ends_and_not_before() -> None:
    other = known(ELASTIC)
    assert not is_due(other, other.since + DAY - MINUTE, is_enough=True, pays=True)
    assert is_due(other, other.since + DAY, is_enough=True, pays=True)
    assert is_due(other, other.since + DAY, is_enough=False, pays=False)


def test_it_is_told_again_each_week_and_only_while_credits_would_do() -> None:
    told = replace(known(ELASTIC), told=NOW + DAY)
    assert not is_due(told, NOW + 7 * DAY, is_enough=True, pays=True)
    assert is_due(told, NOW + 8 * DAY, is_enough=True, pays=True)
    assert not is_due(told, NOW + 8 * DAY, is_enough=False, pays=False)
    assert is_due(told, NOW + 30 * DAY, is_enough=True, pays=True)


def test_after_a_not_yet_it_is_told_on_the_first_day_that_would_do_and_then_each_week() -> None:
    told = replace(known(ELASTIC), told=NOW + DAY, told_enough=False)
    assert not is_due(told, NOW + 2 * DAY, is_enough=False, pays=True)
    assert not is_due(told, NOW + DAY + timedelta(hours=22), is_enough=True, pays=True)
    assert is_due(told, NOW + 2 * DAY, is_enough=True, pays=True)
    again = told_now(told, NOW + 2 * DAY, is_enough=True)
    assert not is_due(again, NOW + 3 * DAY, is_enough=True, pays=True)
    assert is_due(again, NOW + 9 * DAY, is_enough=True, pays=True)
    # One that would not do, of which a rate far cheaper is told, does not begin that anew.
    between = told_now(again, NOW + 9 * DAY, is_enough=False)
    assert not is_due(between, NOW + 10 * DAY, is_enough=True, pays=True)


@pytest.mark.parametrize(("is_enough", "told_enough"), [(True, True), (False, False)])
def test_the_first_mail_is_remembered_with_what_it_said(is_enough: bool, told_enough: bool) -> None:
    assert told_now(known(ELASTIC), NOW, is_enough=is_enough) == replace(
        known(ELASTIC), told=NOW, told_enough=told_enough
    )


def test_whoever_never_lived_on_credits_is_told_of_no_way_back() -> None:
    other = other_mode(ELASTIC, None, (), (), NOW)
    assert other is not None
    assert not is_due(other, NOW + 2 * DAY, is_enough=False, pays=False)
    later = other_mode(ELASTIC, other, (), LEFT, NOW + DAY)
    assert later is not None
    assert is_due(later, NOW + 2 * DAY, is_enough=False, pays=False)


def locked_since(file_system: FileSystem, *steps: tuple[int, float], before: OtherMode | None = None) -> timedelta:
    """How long ago, by so many MiB/s so many minutes ago."""
    permitted = tuple((NOW - back * MINUTE, rate * MIB) for back, rate in steps)
    other = other_mode(file_system, before, permitted, LEFT, NOW)
    assert other is not None
    return NOW - other.locked_since


def test_the_newest_rate_tells_whether_it_is_of_this_mode() -> None:
    assert locked_since(ELASTIC, (30, 100), (20, 1024), (10, 80)) == timedelta(0)
    assert locked_since(ELASTIC, (300, 100), (200, 1024)) == 195 * MINUTE
    assert locked_since(PROVISIONED, (300, 100), (200, 80)) == 195 * MINUTE
    # One that bursting may have, too, is believed where it changed within an hour and a quarter.
    capped = replace(ELASTIC, standard_bytes=24 * 1024 * GIB)
    lately = [locked_since(capped, (back, 600), (back - 5, 1024), (10, 1024)) for back in (75, 76)]
    assert lately == [65 * MINUTE, timedelta(0)]


def test_a_rate_is_the_same_but_for_a_fiftieth() -> None:
    fifty = provisioning(50)
    known_for = [locked_since(fifty, (300, rate), (200, rate)) for rate in (49, 48.9, 51, 51.1)]
    assert known_for == [300 * MINUTE, timedelta(0), 300 * MINUTE, timedelta(0)]


def test_a_rate_between_two_is_of_the_one_that_is_nearer_and_else_of_the_one_before() -> None:
    at_80 = known(PROVISIONED, now=NOW - DAY)
    more = provisioning(90)
    assert locked_since(more, (20, 80), (15, 85), before=at_80) == timedelta(0)
    assert locked_since(more, (20, 80), (15, 86), before=at_80) == 10 * MINUTE
    assert locked_since(more, (20, 80), (15, 85), (10, 90), before=at_80) == 5 * MINUTE
    assert locked_since(more, (20, 80), (15, 86), (10, 90), before=at_80) == 10 * MINUTE
    lately = [locked_since(more, (back, 80), (back - 5, 90), before=at_80) for back in (75, 76)]
    assert lately == [65 * MINUTE, timedelta(0)]


def test_a_week_is_over_for_the_run_that_is_nearest_to_its_end() -> None:
    told = replace(known(ELASTIC), told=NOW + DAY)
    nearest = NOW + 8 * DAY - NEAREST_RUN
    assert is_due(told, nearest, is_enough=True, pays=True)
    assert not is_due(told, nearest - MINUTE, is_enough=True, pays=True)
