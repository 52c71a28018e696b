"""How long the periods of an export's datapoints are: it names none, and its steps may change from one time to another.

A gauge has a datapoint in every period, so its distances tell. A counter has none where nothing moved: it has the
gauges' period, a finer one where its datapoints lie between theirs, and a coarser one where enough of a day does.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from math import gcd

from operate.history.recorded import BALANCE, COUNTERS, PERMITTED, RecordedPoint

MINUTE_SECONDS, DAY_SECONDS = 60, 86_400
# So many distances on one side of a datapoint tell its step, though most of the datapoints were lost.
MOST_DISTANCES, ENOUGH_DISTANCES = 12, 6
# What CloudWatch makes of older datapoints; so many of a day tell that a counter has them.
COARSER_SECONDS = (300, 900, 3600)
ENOUGH_POINTS = 24


def with_periods(found: dict[tuple[str, str], list[tuple[float, float]]]) -> dict[tuple[str, str], list[RecordedPoint]]:
    """The points, in their order, each with the period that it is of. They are taken out of `found`: months of them are
    not held twice.
    """
    gauges = ([one for one, _ in found.get(key, [])] for key in (BALANCE, PERMITTED))
    gauge, seconds_of_gauge = max(((_minutes(seconds), seconds) for seconds in gauges), key=lambda one: len(one[0]))
    gauge_periods = _gauge_periods(gauge)
    answer: dict[tuple[str, str], list[RecordedPoint]] = {}
    for key in list(found):
        points = found.pop(key)
        seconds_of_points = [one for one, _ in points]
        # Mostly all columns have a cell in each line.
        times = gauge if seconds_of_points == seconds_of_gauge else _minutes(seconds_of_points)
        if key in COUNTERS:
            periods = _counter_periods(times, gauge, gauge_periods)
        else:
            periods = gauge_periods if times == gauge else _gauge_periods(times)
        if len(set(periods)) == 1:
            answer[key] = [RecordedPoint(seconds, value, periods[0]) for seconds, value in points]
            continue
        by_time = dict(zip(times, periods, strict=True))
        answer[key] = [RecordedPoint(seconds, value, by_time[_minute(seconds)]) for seconds, value in points]
    return answer


def _gauge_periods(times: Sequence[int]) -> list[int]:
    """For each time what its distances to one side have in common: the longer one, for steps change in between.

    A period ends at the next datapoint. Where there are too few to tell, all of them are asked.
    """
    distances = [later - earlier for earlier, later in pairwise(times)]
    if len(set(distances)) == 1:
        return [distances[0]] * len(times)
    periods = []
    for index in range(len(times)):
        sides = distances[max(index - MOST_DISTANCES, 0) : index], distances[index : index + MOST_DISTANCES]
        told = [gcd(*side) for side in sides if len(side) >= ENOUGH_DISTANCES]
        period = max(told) if told else gcd(*sides[0], *sides[1]) or MINUTE_SECONDS
        periods.append(min([period, *distances[index : index + 1]]))
    return periods


def _counter_periods(times: Sequence[int], gauge: Sequence[int], gauge_periods: Sequence[int]) -> list[int]:
    coarser = {
        day: max([0, *(one for one in COARSER_SECONDS if all(time % one == 0 for time in of_day))])
        for day, of_day in ((day, list(group)) for day, group in groupby(times, key=lambda time: time // DAY_SECONDS))
        if len(of_day) >= ENOUGH_POINTS
    }
    if set(gauge_periods) <= {MINUTE_SECONDS}:
        # Each time is that of a minute, and so lies between none.
        return [max(MINUTE_SECONDS, coarser.get(time // DAY_SECONDS, 0)) for time in times]
    nearest = [max(bisect_right(gauge, time) - 1, 0) for time in times]
    periods: list[int] = []
    for period, group in groupby(
        zip(times, nearest, strict=True), key=lambda pair: gauge_periods[pair[1]] if gauge else MINUTE_SECONDS
    ):
        run = list(group)
        between = gcd(period, *(time - gauge[index] for time, index in run)) if gauge else period
        periods += [max(between, coarser.get(time // DAY_SECONDS, 0)) for time, _ in run]
    return periods


def _minutes(seconds: Iterable[float]) -> list[int]:
    return sorted(set(map(_minute, seconds)))


def _minute(seconds: float) -> int:
    return int(seconds // MINUTE_SECONDS) * MINUTE_SECONDS
