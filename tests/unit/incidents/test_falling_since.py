"""Since when the balance falls is true of all the minutes since; of a load in pulses it is with the first of them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import accumulate

from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.falling_since import falling_since, goes_on_since
from efs_monitor.incidents.situation import AHEAD, STEP, PastDay, Situation

from tests.unit.incidents.earlier_days import MINUTE_BYTES, now_with
from tests.unit.strategies import NOW

HOUR = 60 * MINUTE


def minute_by_minute(changes: Sequence[float], left: float = 60.0) -> Situation:
    """A balance that changed by so many minutes' worth in each minute until now, and is so much now."""
    steps = [0.0, *accumulate(changes)]
    points = tuple(
        BalancePoint(time=NOW - age * MINUTE, balance_bytes=(left + steps[-1 - age] - steps[-1]) * MINUTE_BYTES)
        for age in range(len(steps) - 1, -1, -1)
    )
    lows: dict[datetime, float] = {}
    for one in points:
        time = one.time - one.time.minute % 5 * MINUTE
        lows[time] = min(lows.get(time, one.balance_bytes), one.balance_bytes)
    day = PastDay(back=AHEAD, balances=tuple(BalancePoint(time=at, balance_bytes=lows[at]) for at in lows))
    return replace(
        now_with(60, day), balances=points[-61:], earlier_balances=tuple(points[-481:-61]), permitted_of_the_day=()
    )


def hourly(pulses: int, *, rest: int = 30) -> list[float]:
    """So many pulses of 20 minutes in an hour, the last of which rests for so long; calm for three hours before."""
    return [*[0.1] * 180, *([*[-0.8] * 20, *[0.1] * 40] * pulses)[: 60 * (pulses - 1) + 20 + rest]]


def test_pulses_have_it_fall_since_the_first_of_them() -> None:
    """In a rest it rises, and the last pulse alone would be a load of minutes."""
    for rest in (2, 10, 35, 39):
        found = falling_since(minute_by_minute(hourly(5, rest=rest)))
        assert found is not None, rest
        assert found.in_pulses
        first = NOW - 4 * HOUR - timedelta(minutes=20 + rest)
        assert abs(found.began - first) <= 2 * STEP, rest


def test_pulses_whose_pace_it_is_belong_to_it_though_one_of_them_left_more_than_the_one_before() -> None:
    """The third takes less than the second, and leaves more: the pace is that of all four."""
    rests = [[0.15] * 100] * 3
    takes = [[-0.8] * 20, [-0.8] * 25, [-0.65] * 20, [-0.8] * 30]
    changes = [*[0.1] * 60, *takes[0], *rests[0], *takes[1], *rests[1], *takes[2], *rests[2], *takes[3], *[0.15] * 40]
    found = falling_since(minute_by_minute(changes))
    assert found is not None
    assert found.in_pulses
    assert abs(found.began - (NOW - timedelta(minutes=len(changes) - 60))) <= 2 * STEP


def test_a_pulse_under_way_has_it_fall_since_the_first_too() -> None:
    found = falling_since(minute_by_minute([*hourly(4, rest=40), *[-0.8] * 10]))
    assert found is not None
    assert found.in_pulses
    assert abs(found.began - (NOW - 4 * HOUR - 10 * MINUTE)) <= 2 * STEP


def test_a_load_that_was_over_before_the_pulses_is_none_of_them() -> None:
    calm = [0.1] * 240
    found = falling_since(minute_by_minute([*[-0.5] * 30, *calm, *hourly(4)[180:]]))
    assert found is not None
    assert abs(found.began - (NOW - 3 * HOUR - 50 * MINUTE)) <= 2 * STEP


def test_what_rose_above_its_beginning_in_a_pause_has_been_falling_since_the_pause() -> None:
    """25 minutes of a pause are no end of a fall, and in them more came back than it had taken."""
    found = falling_since(minute_by_minute([*[0.0] * 60, *[-1.2] * 10, *[0.6] * 25, *[-1.2] * 15]))
    assert found is not None
    assert not found.in_pulses
    assert found.began == NOW - 14 * MINUTE
    less = falling_since(minute_by_minute([*[0.0] * 60, *[-1.2] * 10, *[0.3] * 25, *[-1.2] * 15]))
    assert less is not None
    assert less.began == NOW - 49 * MINUTE
    assert less.has_pauses


def test_a_load_that_never_rose_had_no_pauses() -> None:
    found = [
        falling_since(minute_by_minute([*[0.1] * 60, *[-1.2] * 15, *[between] * 10, *[-1.2] * 15]))
        for between in (0.0, 0.1)
    ]
    assert [one is not None and one.has_pauses for one in found] == [False, True]


def paused_until(*changes: float) -> float | None:
    """How many minutes ago the pause of a fall was over that began thirty minutes ago."""
    found = goes_on_since(NOW - 30 * MINUTE, minute_by_minute([*[0.1] * 60, *changes]).balances)
    return None if found is None else (NOW - found) / MINUTE


def test_a_fall_goes_on_since_its_last_pause_of_three_minutes_or_more() -> None:
    assert paused_until(*[-1.2] * 12, *[0.1] * 3, *[-1.2] * 15) == 15
    assert paused_until(*[-1.2] * 5, *[0.1] * 3, *[-1.2] * 5, *[0.1] * 8, *[-1.2] * 9) == 9
    assert paused_until(*[-1.2] * 13, *[0.1] * 2, *[-1.2] * 15) is None
    # Standing still is no pause, nor what rose before the fall began or rises still.
    assert paused_until(*[-1.2] * 12, *[0.0] * 3, *[-1.2] * 15) is None
    assert paused_until(*[-1.2] * 30) is None
    assert paused_until(*[-1.2] * 25, *[0.1] * 5) is None


def test_minutes_that_are_missing_are_no_pause() -> None:
    whole = minute_by_minute([*[0.1] * 60, *[-1.2] * 12, *[0.1] * 3, *[-1.2] * 15]).balances
    known = [one for one in whole if one.time != NOW - 16 * MINUTE]
    assert goes_on_since(NOW - 30 * MINUTE, known) is None


def test_a_pulse_before_those_of_the_pace_is_one_of_them_where_it_is_as_near_and_left_more() -> None:
    """Those of the pace are of the last three hours: each takes what four ninths of the rest bring back."""
    pulses = hourly(4)[180:]
    three_hours_ago = NOW - timedelta(minutes=len(pulses))

    def began(*before: float) -> datetime:
        found = falling_since(minute_by_minute([*[0.1] * 60, *before, *pulses]))
        assert found is not None
        return found.began

    # An hour and a half between two is as near, and more is not.
    near, far = ([*[-0.8] * 20, *[0.0] * rest] for rest in (80, 130))
    assert began(*near) < three_hours_ago - HOUR
    assert abs(began(*far) - three_hours_ago) <= 2 * STEP
    # What came back since was more than the next one took.
    risen = [*[-0.8] * 20, *[0.5] * 40]
    assert abs(began(*risen) - three_hours_ago) <= 2 * STEP


def test_an_hour_and_a_half_between_two_pulses_of_every_hour_is_as_near_and_a_smaller_fall_is_none_of_them() -> None:
    pulses = hourly(4)[180:]
    first = NOW - timedelta(minutes=len(pulses))

    def began(*before: float) -> datetime:
        found = falling_since(minute_by_minute([*[0.1] * 60, *before, *pulses]))
        assert found is not None
        return found.began

    two = [began(*[-0.8] * 20, *[0.0] * rest) < first - HOUR for rest in (95, 100)]
    assert two == [True, False]
    assert abs(began(*[-0.2] * 5, *[0.1] * 40) - first) <= 2 * STEP


def test_the_first_of_the_pulses_whose_pace_it_is_belongs_to_it_though_it_left_less_than_the_next() -> None:
    changes = [0.1] * 60
    for minutes in (25, 16, 30, 30):
        changes += [*[-0.8] * minutes, *[0.15] * 100]
    found = falling_since(minute_by_minute(changes[:-60]))
    assert found is not None
    assert found.in_pulses
    assert abs(found.began - (NOW - timedelta(minutes=len(changes) - 120))) <= 2 * STEP


def test_a_pulse_that_left_as_much_as_the_next_is_none_of_a_fall() -> None:
    """All in eighths of a minute's worth: the rest before the first brought back all that it takes."""
    pulses = ([*[-0.75] * 20, *[0.25] * 40] * 4)[:-10]
    found = [
        falling_since(minute_by_minute([*[0.125] * 60, *[-0.75] * 20, *[rest] * 40, *pulses])) for rest in (0.25, 0.375)
    ]
    first = NOW - timedelta(minutes=len(pulses))
    assert [one and round((one.began - first) / HOUR) for one in found] == [-1, 0]
