"""The pace of a load that has just set off Draining, with its rests or without."""

from datetime import timedelta

import pytest
from efs_monitor.incidents.pace_of_a_fall import at_the_pace_of_the_fall
from efs_monitor.incidents.situation import Situation

from tests.unit.incidents.test_falling_since import minute_by_minute

CALM = [0.05] * 40


def minutes_of_the_pace(changes: list[float], left: float = 30, threshold_minutes: float = 60) -> float:
    return of_the_fall(changes, left, threshold_minutes).pace / timedelta(minutes=1)


def of_the_fall(changes: list[float], left: float = 30, threshold_minutes: float = 60) -> Situation:
    return at_the_pace_of_the_fall(minute_by_minute([*CALM, *changes], left), threshold_minutes)


def test_a_load_without_a_rest_has_that_of_its_newest_five_minutes() -> None:
    assert minutes_of_the_pace([-0.95] * 20) == 5
    assert minutes_of_the_pace([-0.95, *[0.05] * 10, *[-0.95] * 5]) == 5


@pytest.mark.parametrize(("load", "rest", "minutes"), [(12, 3, 16), (12, 13, 26), (1, 3, 5), (2, 13, 5), (2, 11, 14)])
def test_one_that_rests_in_these_has_that_of_all_since_its_first_fast_minute_if_that_is_faster(
    load: int, rest: int, minutes: int
) -> None:
    """So many minutes of load, of rest, and one of load again; one in five falls by 0.15 minutes' worth a minute."""
    assert minutes_of_the_pace([*[-0.95] * load, *[0.05] * rest, -0.95]) == minutes


def test_what_is_older_than_the_half_hour_that_the_alarm_looks_at_is_no_part_of_it() -> None:
    assert minutes_of_the_pace([*[-0.95] * 12, *[0.05] * 17, -0.95]) == 30
    assert minutes_of_the_pace([*[-0.95] * 12, *[0.05] * 20, -0.95]) == 30
    assert minutes_of_the_pace([*[-0.95] * 12, *[0.05] * 28, -0.95]) == 5


def test_it_is_fast_by_the_threshold_and_where_none_is_the_newest_five_count() -> None:
    """Thirty minutes' worth at half a minute's worth a minute lasts an hour."""
    rests = [*[-0.5] * 12, 0.05, 0.05, -0.5]
    assert minutes_of_the_pace(rests, threshold_minutes=80) == 15
    assert minutes_of_the_pace(rests, threshold_minutes=50) == 5


def test_a_rest_before_these_is_none_of_the_load_of_now_however_fast_it_was() -> None:
    assert minutes_of_the_pace([*[-2.0] * 12, 0.05, *[-0.95] * 5]) == 5
    assert minutes_of_the_pace([*[-2.0] * 12, 0.05, *[-0.95] * 4]) == 17


def test_a_minute_in_which_it_does_not_change_is_a_rest() -> None:
    assert minutes_of_the_pace([*[-0.95] * 12, 0.0, 0.0, 0.0, -0.95]) == 16
