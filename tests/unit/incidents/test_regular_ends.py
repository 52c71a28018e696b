"""A load that takes all that its rests earn, again and again: in a rhythm, or not."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.regular_ends import RegularEnds, regular_ends
from efs_monitor.incidents.situation import Situation

from tests.unit.incidents.earlier_days import MINUTE_BYTES, now_with
from tests.unit.strategies import NOW

MINUTE = timedelta(minutes=1)


def lived(gone_minutes_ago: Sequence[int], known_minutes: int = 300) -> Situation:
    """Half an hour's worth all the time, but for five minutes with nothing from each of these moments on."""
    gone = {begin - minute for begin in gone_minutes_ago for minute in range(5)}
    points = [
        BalancePoint(time=NOW - ago * MINUTE, balance_bytes=0.0 if ago in gone else 30 * MINUTE_BYTES)
        for ago in range(known_minutes, -1, -1)
    ]
    return replace(now_with(0), earlier_balances=tuple(points[:-61]), balances=tuple(points[-61:]))


def test_three_ends_as_far_apart_tell_the_next() -> None:
    assert regular_ends(lived([150, 90, 30])) == RegularEnds(times=3, every=60 * MINUTE, next_at=NOW + 30 * MINUTE)
    assert regular_ends(lived([90, 30])) is None


@pytest.mark.parametrize(("first", "is_regular"), [(180, True), (181, False)])
def test_half_as_far_again_is_as_regular_as_pulses_are(first: int, is_regular: bool) -> None:
    found = regular_ends(lived([first, 90, 30]))
    assert (found is not None) is is_regular
    assert found is None or found.every == 75 * MINUTE


@pytest.mark.parametrize(("first", "times"), [(239, 4), (240, 3), (241, 3)])
def test_an_end_counts_of_which_the_last_four_hours_show_the_beginning(first: int, times: int) -> None:
    """At the first minute of them, what was before is not looked at."""
    found = regular_ends(lived([first, 170, 100, 30]))
    assert found is not None
    assert found.times == times


def test_the_four_hours_are_those_up_to_the_newest_datapoint() -> None:
    late = replace(lived([239, 170, 100, 30]), time=NOW + 20 * MINUTE)
    found = regular_ends(late)
    assert found is not None
    assert found.times == 4


@pytest.mark.parametrize(("late_minutes", "is_told"), [(29, True), (30, False)])
def test_one_that_is_due_or_overdue_is_not_told_to_come(late_minutes: int, is_told: bool) -> None:
    found = regular_ends(replace(lived([150, 90, 30]), time=NOW + late_minutes * MINUTE))
    assert (found is not None) is is_told
