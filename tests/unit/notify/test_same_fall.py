"""A fall is told once, while what was told of it stands."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from efs_monitor.incidents.situation import Situation
from efs_monitor.notify.same_fall import fall_was_told, said_the_end

from tests.unit.incidents.test_falling_since import minute_by_minute
from tests.unit.strategies import NOW

MINUTE = timedelta(minutes=1)
LONG_AGO = NOW - timedelta(days=30)
CALM = [0.05] * 60
# Two minutes of every thirteen at full speed: five of half an hour at each, four between them.
PULSE = [*[-0.95] * 2, *[0.05] * 11]


def pulsed(pulses: int, left: float = 30) -> Situation:
    """So many pulses, and one that has just begun."""
    return minute_by_minute([*CALM, *PULSE * pulses, -0.95, -0.95], left)


def was_told(situation: Situation, minutes_ago: float = 3, watched_since: datetime = LONG_AGO) -> bool:
    return fall_was_told(situation, 60, situation.time - minutes_ago * MINUTE, watched_since)


def test_the_first_pulses_that_set_off_the_alarm_are_told() -> None:
    assert not was_told(pulsed(2))
    assert not fall_was_told(pulsed(8), 60, None, LONG_AGO)


@pytest.mark.parametrize("pulses", [3, 4, 5, 10, 16])
def test_those_that_set_it_off_again_in_the_same_fall_are_no_news(pulses: int) -> None:
    assert was_told(pulsed(pulses))


def test_an_alarm_that_was_on_before_this_fall_told_nothing_of_it() -> None:
    assert not was_told(pulsed(10), minutes_ago=140)


def test_of_what_came_before_the_alarm_was_there_nobody_was_told() -> None:
    assert not was_told(pulsed(10), watched_since=NOW - 3 * MINUTE)


def each_third_of_an_hour(pulses: int, left: float = 15) -> Situation:
    """So many pulses of three minutes in twenty, and one that has just set off the alarm, at six minutes past an
    hour.
    """
    earlier = [*CALM * 4, *[*[-0.95] * 3, *[0.05] * 17] * pulses]
    situation = minute_by_minute([*earlier, *[-0.95] * 2], left)
    return replace(situation, time=situation.time + 6 * MINUTE)


@pytest.mark.parametrize(("pulses", "is_told"), [(3, False), (4, True), (8, True), (12, True)])
def test_the_first_mail_that_can_say_when_pulses_end_the_credits_tells_of_those_that_follow(
    pulses: int, is_told: bool
) -> None:
    assert was_told(each_third_of_an_hour(pulses), minutes_ago=14) is is_told


def test_pulses_that_end_them_much_earlier_than_was_told_are_news_once_in_half_an_hour() -> None:
    """They have become as much longer as takes half as much again. It is two or seventeen minutes past an hour."""
    longer = [*CALM * 4, *[*[-0.95] * 3, *[0.05] * 17] * 4, *[*[-0.95] * 4, *[0.05] * 16] * 4, *[-0.95] * 2]
    for minute, is_told in ((2, False), (17, True)):
        now = replace(minute_by_minute(longer, 15), time=NOW + minute * MINUTE)
        assert was_told(now, minutes_ago=12) is is_told


def joined(minutes: int) -> Situation:
    """A second load has joined the first for so long: the rests are gone. It is nine minutes past an hour."""
    situation = minute_by_minute([*CALM, *PULSE * 8, *[-0.95] * minutes], left=20)
    return replace(situation, time=situation.time + 9 * MINUTE)


def test_a_load_that_ends_them_much_earlier_than_was_told_is_news_at_once() -> None:
    assert not was_told(joined(9), minutes_ago=9)


def test_it_is_so_once_in_half_an_hour() -> None:
    assert was_told(joined(25), minutes_ago=3)
    assert not was_told(joined(25), minutes_ago=10)


def test_a_load_that_comes_and_goes_without_an_end_is_told_once_in_half_an_hour() -> None:
    """What it takes in two of thirteen minutes comes back in the others, and more."""
    comes_and_goes = minute_by_minute([*CALM, *[-0.9, -0.9, *[0.25] * 11] * 4, -0.9, 0.1], left=30)
    at_nine = replace(comes_and_goes, time=comes_and_goes.time + 9 * MINUTE)
    assert was_told(at_nine, minutes_ago=5)
    assert not was_told(at_nine, minutes_ago=10)


def test_a_time_that_has_passed_while_they_fall_on_is_no_time_that_stands() -> None:
    """Told was an end in 30 minutes; then the load got slower, and so it goes on."""
    fast = minute_by_minute([*CALM, *[-0.95] * 20], left=28.5)
    for minutes, stands in ((20, True), (29, True), (31, False), (60, False)):
        later = minute_by_minute([*CALM, *[-0.95] * 20, *[-0.3] * minutes], left=28.5 - 0.3 * minutes)
        now = replace(fast, time=NOW - minutes * MINUTE)
        assert said_the_end(now, later) is stands, minutes
    rising = minute_by_minute([*CALM, *[-0.95] * 20, *[0.05] * 40], left=30)
    assert said_the_end(replace(fast, time=NOW - 40 * MINUTE), rising)


def one_fall(minutes: int, *, late: int = 0) -> Situation:
    """At full speed for so long, with half an hour left; the newest datapoint is so many minutes old."""
    situation = minute_by_minute([*CALM, *[-0.95] * minutes], left=30)
    return replace(situation, time=situation.time + late * MINUTE)


def test_the_alarm_had_told_of_a_fall_where_it_went_off_in_it_and_was_watched_by_then() -> None:
    """It goes off with the fifth minute in which less than an hour's worth is left."""
    fifth = NOW - 24 * MINUTE
    falling = one_fall(40)
    assert [fall_was_told(falling, 60, until, LONG_AGO) for until in (fifth, fifth + MINUTE)] == [False, True]
    until = NOW - 3 * MINUTE
    assert [fall_was_told(falling, 60, until, watched) for watched in (fifth, fifth + MINUTE)] == [True, False]
    # What its mail could say was as late as now.
    late = one_fall(40, late=6)
    assert fall_was_told(late, 60, NOW - 3 * MINUTE, LONG_AGO)


def test_half_an_hour_begins_with_the_minute_in_which_the_alarm_was_over() -> None:
    comes_and_goes = minute_by_minute([*CALM, *[-0.9, -0.9, *[0.25] * 11] * 4, -0.9, 0.1], left=30)
    at_nine = replace(comes_and_goes, time=comes_and_goes.time + 9 * MINUTE)
    assert [was_told(at_nine, minutes_ago=minutes) for minutes in (9, 9.1)] == [True, False]


def test_an_end_stands_that_is_a_quarter_of_an_hour_earlier_and_not_one_that_is_over() -> None:
    """All in quarters of a minute's worth."""

    def ending_in(left: float) -> Situation:
        return minute_by_minute([-1.0] * 20, left=left)

    assert [said_the_end(ending_in(30), ending_in(left)) for left in (15, 14.75, 60)] == [True, False, True]
    told = replace(ending_in(30), time=NOW - 30 * MINUTE)
    half_an_hour_later = [replace(told, time=told.time + later * MINUTE) for later in (0, 1)]
    assert [said_the_end(one, ending_in(30)) for one in half_an_hour_later] == [False, True]
