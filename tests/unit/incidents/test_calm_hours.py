"""What a balance would do in calm hours, in bytes that can be counted: 300 are earned in five minutes."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.calm_hours import CalmHours, calm_hours
from efs_monitor.incidents.changed_earning import ChangedEarning
from efs_monitor.incidents.situation import STEP

from tests.unit.each_minute import each_minute
from tests.unit.incidents.earlier_days import MINUTE_BYTES, now_with
from tests.unit.strategies import NOW

FULL = 100_000.0
UNCHANGED = ChangedEarning()


def at(steps: float) -> datetime:
    return NOW + steps * STEP


def hours_of(
    points: Mapping[int, float],
    *other_mode: float,
    metered: Mapping[int, float] | None = None,
    absent_until: float | None = None,
    changed: ChangedEarning = UNCHANGED,
) -> CalmHours:
    """So much left so many steps from the first of them; today the balance rises by half of what is earned."""
    return CalmHours(
        points=[BalancePoint(time=at(steps), balance_bytes=left) for steps, left in points.items()],
        other_mode=[at(steps) for steps in other_mode],
        metered_bytes=None if metered is None else {at(steps): moved for steps, moved in metered.items()},
        earned_bytes_per_second=1.0,
        full_bytes=FULL,
        changed=changed,
        absent_until=None if absent_until is None else at(absent_until),
        rising_bytes_per_second=0.5,
    )


def test_what_a_larger_bucket_held_above_the_one_of_now_is_not_known_and_what_was_moved_is() -> None:
    """It was cut at step 4: before that no more than 5000 of it counts, which tells nothing of how it changed."""
    cut_off = hours_of({0: 5000, 1: 5000, 2: 5000, 3: 5000, 4: 5000, 5: 4000}, metered={1: 200, 2: 900})
    then = replace(cut_off, cut=at(4), permitted_bytes_per_second=2.0)
    # 300 are earned in each; 200 were moved, and 600 of 900 that are more than is permitted now.
    assert [then.left_after(2000, at(step), at(step + 1)) for step in range(3)] == [2300, 2100, 1700]
    # From the cut on it is known, and without one it was known all the while.
    assert then.left_after(2000, at(4), at(5)) == 1000
    assert cut_off.left_after(2000, at(1), at(2)) == 2000


FALLING = hours_of({0: 9000, 1: 8000, 3: 6000, 4: 6000})


@pytest.mark.parametrize(
    ("since", "until", "left"),
    [
        (0, 1, 4000),
        # Half of five minutes take half of what all took, and so does half of ten that are one.
        (0, 0.5, 4500),
        (1, 2, 4000),
        (0, 4, 2000),
        # No more is known of that day after its last point, and nothing before its first.
        (4, 9, 5000),
        (3, 9, 5000),
        (-2, -1, 5150),
        (-2, 1, 4300),
        (2, 2, 5000),
    ],
)
def test_it_changes_as_it_did_then_for_as_long(since: float, until: float, left: float) -> None:
    assert FALLING.left_after(5000, at(since), at(until)) == left


def test_there_is_never_less_than_nothing_nor_more_than_a_full_bucket() -> None:
    assert FALLING.left_after(900, at(0), at(1)) == 0
    rising = hours_of({0: 1000, 1: 9000, 2: 8000})
    assert rising.left_after(FULL - 1000, at(0), at(1)) == FULL
    assert rising.left_after(FULL - 1000, at(0), at(2)) == FULL - 1000


@pytest.mark.parametrize(
    ("left", "minute", "gone"),
    [
        # When a minute's worth is left they are gone, though more would be taken in those five minutes.
        (900, 100, 0.8),
        (1099, 100, 0.999),
        (1100, 100, 1.0),
        (2000, 100, 1.9),
        (3099, 100, 2.999),
        (3100, 100, None),
        # So they are when no more is left than five minutes take.
        (1500, 10_000, 0.5),
        (1999, 10_000, 0.999),
        (2001, 10_000, 1.001),
        (2999, 10_000, 1.999),
        (3999, 10_000, 2.999),
        (4000, 10_000, None),
        # What is no more than that at first is gone at once.
        (1000, 10_000, 0.0),
        (300, 10_000, 0.0),
        (100, 100, 0.0),
        (99, 100, 0.0),
    ],
)
def test_it_is_gone_when_as_little_is_left_as_five_minutes_or_one_at_all_that_is_permitted_take(
    left: float, minute: float, gone: float | None
) -> None:
    """It falls by 1,000 in five minutes, and by 2,000 in the next ten."""
    assert FALLING.gone_in(left, at(0), at(4), minute) == (None if gone is None else at(gone))


def test_what_only_rises_or_stands_still_is_never_gone() -> None:
    rising = hours_of({0: 1000, 1: 1000, 2: 1500})
    assert rising.gone_in(0, at(0), at(3), 100) is None


def test_a_fall_that_is_not_there_today_takes_nothing_until_its_end() -> None:
    absent = replace(FALLING, absent_until=at(1.5))
    # Half of what is earned, for seven and a half minutes; and then what that day took.
    assert absent.left_after(5000, at(0), at(1.5)) == 5225
    assert absent.left_after(5000, at(0), at(2)) == 4725
    assert absent.left_after(5000, at(1.5), at(2)) == 4500


def test_what_was_moved_in_another_mode_takes_credits_now_and_no_longer_than_it_lasted() -> None:
    """Nothing is known of the balance beside it: there it stands still."""
    other = hours_of({0: 9000, 5: 9000}, 2, metered={2: 1300, 3: 7000})
    assert other.left_after(5000, at(2), at(3)) == 4000
    assert other.left_after(5000, at(2), at(2.5)) == 4500
    assert other.left_after(5000, at(0), at(4)) == 4000
    assert other.left_after(5000, at(0), at(2)) == 5000
    assert other.left_after(5000, at(3), at(5)) == 5000
    earns_more = replace(other, earned_bytes_per_second=2.0)
    assert earns_more.left_after(5000, at(2), at(3)) == 4300
    longer = hours_of({0: 9000, 5: 9000}, 1, 2, metered={1: 1300, 2: 800})
    assert longer.left_after(5000, at(2), at(3)) == 4500
    assert longer.left_after(5000, at(0), at(5)) == 3500
    idle = hours_of({0: 9000, 5: 9000}, 2, metered={3: 7000})
    assert idle.left_after(5000, at(2), at(3)) == 5300
    known = hours_of({0: 9000, 2: 9000, 3: 9000, 4: 8800}, 2, metered={2: 1300})
    assert known.left_after(5000, at(3), at(4)) == 4800


def test_what_another_mode_let_through_is_counted_before_a_moment_and_beyond_what_is_earned() -> None:
    other = hours_of({0: 9000}, 1, 2, 3, 4, metered={1: 1300, 2: 200, 4: 400})
    taken = [other.taken_in_another_mode(at(steps)) for steps in (1, 1.5, 4, 5)]
    assert taken == [0, 1000, 1000, 1100]


def test_a_full_bucket_earns_nothing_and_one_that_is_not_full_now_does() -> None:
    metered = {0: 100, 1: 400}
    full = hours_of({0: 0.999 * FULL, 1: FULL, 2: FULL, 3: FULL}, metered=metered)
    assert full.left_after(5000, at(0), at(1)) == 5200
    assert full.left_after(5000, at(1), at(2)) == 5000
    assert full.left_after(5000, at(2), at(3)) == 5300
    # One that became full took in only a part of what was earned.
    became_full = hours_of({0: 0.5 * FULL, 1: 0.999 * FULL}, metered=metered)
    assert became_full.left_after(5000, at(0), at(1)) == 5200
    nearly = hours_of({0: 0.999 * FULL - 101, 1: 0.999 * FULL - 1}, metered=metered)
    assert nearly.left_after(5000, at(0), at(1)) == 5100
    # Of an earlier day nobody knows what was moved.
    assert hours_of({0: FULL, 1: FULL}).left_after(5000, at(0), at(1)) == 5000


def test_what_the_size_earns_more_now_comes_besides() -> None:
    changed = ChangedEarning(
        times=[at(0), at(1)],
        then_bytes_per_second=[0.5, 1.0],
        now_bytes_per_second=1.0,
        not_permitted_now_bytes_per_second=[0.0, 0.0],
    )
    assert hours_of({0: 9000, 1: 8000, 2: 7000}, changed=changed).left_after(5000, at(0), at(2)) == 3150


def test_today_it_rises_by_no_more_than_is_earned_and_never_falls_where_nothing_is_known() -> None:
    """100 GiB earn 5,120,000 bytes a second."""

    def rising(*changes_bytes: float) -> float:
        newest = now_with(60)
        (last,) = newest.balances
        before = tuple(
            BalancePoint(time=NOW - timedelta(minutes=15), balance_bytes=60 * MINUTE_BYTES - one)
            for one in changes_bytes
        )
        found = calm_hours(
            (), replace(newest, balances=each_minute(*before, last)), is_yesterday=True, absent_until=None
        )
        return found.rising_bytes_per_second

    assert [rising(), rising(900 * 10**7), rising(900 * 10**5), rising(-900)] == [5_120_000, 5_120_000, 10**5, 0]
