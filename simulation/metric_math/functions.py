"""The functions that work on values alone, by name.

Quoted is the CloudWatch user guide, "Using metric math". Where it is silent about a missing point, the choice made here
is said.
"""

import math
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from statistics import pstdev

from simulation.metric_math.error import MetricMathError
from simulation.metric_math.operators import each
from simulation.metric_math.values import Array, Points, Scalar, Series, Timeline, Value, kind


def _logarithm(value: float) -> float | None:
    """Dropped where there is none; AWS does not say."""
    return math.log(value) if value > 0 else None


def _decimal_logarithm(value: float) -> float | None:
    return math.log10(value) if value > 0 else None


def _differences(points: Points, _: Timeline) -> Points:
    """ "The difference between each value in the time series and the preceding value from that time series"."""
    return tuple(None if before is None else value - before[1] for value, before in _with_preceding(points))


def _time_differences(points: Points, timeline: Timeline) -> Points:
    """Seconds between each value and the preceding one, however many periods were empty between them."""
    return tuple(
        None if before is None else float((index - before[0]) * timeline.period_seconds)
        for index, (_, before) in enumerate(_with_preceding(points))
    )


def _rates(points: Points, timeline: Timeline) -> Points:
    """The difference to the preceding value, divided by the seconds between the two."""
    pairs = zip(_differences(points, timeline), _time_differences(points, timeline), strict=True)
    return tuple(None if change is None or seconds is None else change / seconds for change, seconds in pairs)


def _running_sums(points: Points, _: Timeline) -> Points:
    """No sum in an empty period; AWS does not say."""
    total, found = 0.0, list[float | None]()
    for point in points:
        total += point or 0.0
        found.append(None if point is None else total)
    return tuple(found)


def _with_preceding(points: Points) -> list[tuple[float, tuple[int, float] | None]]:
    """Every point with the index and value of the one before; None for the first, and where there is no point."""
    found, last = list[tuple[float, tuple[int, float] | None]](), None
    for index, point in enumerate(points):
        if point is None:
            found.append((0.0, None))
            continue
        found.append((point, last))
        last = (index, point)
    return found


def _average(values: Sequence[float], of: int) -> Scalar:
    """ "Missing values are treated as 0", and so count: `of` is the number of periods, or of time series."""
    return sum(values) / of if values else None


# What a fold makes of the values that are there, out of how many there could be.
type Fold = Callable[[Sequence[float], int], Scalar]

POINTWISE: dict[str, Callable[[float], float | None]] = {
    "ABS": abs,
    "CEIL": math.ceil,
    "FLOOR": math.floor,
    "LOG": _logarithm,
    "LOG10": _decimal_logarithm,
}
ALONG: dict[str, Callable[[Points, Timeline], Points]] = {
    "DIFF": _differences,
    "DIFF_TIME": _time_differences,
    "RATE": _rates,
    "RUNNING_SUM": _running_sums,
}
# Of what is there, but for AVG; AWS does not say so of MIN and MAX, and not which standard deviation it means.
FOLDS: dict[str, Fold] = {
    "AVG": _average,
    "DATAPOINT_COUNT": lambda values, _: float(len(values)),
    "MAX": lambda values, _: max(values, default=None),
    "MIN": lambda values, _: min(values, default=None),
    "STDDEV": lambda values, _: pstdev(values) if values else None,
    "SUM": lambda values, _: math.fsum(values) if values else None,
}
# In UTC; days of the week are numbered from Monday, 1.
CALENDAR: dict[str, Callable[[datetime], float]] = {
    "MINUTE": lambda moment: moment.minute,
    "HOUR": lambda moment: moment.hour,
    "DAY": lambda moment: moment.isoweekday(),
    "DATE": lambda moment: moment.day,
    "MONTH": lambda moment: moment.month,
    "YEAR": lambda moment: moment.year,
    "EPOCH": lambda moment: moment.timestamp(),
}


def pointwise(function: str, value: Value) -> Value:
    """ABS, CEIL, FLOOR, LOG, LOG10: each point of a time series, or of an array of them."""
    return each(_series_or_array(function, value), POINTWISE[function])


def along(function: str, value: Value, timeline: Timeline) -> Value:
    """DIFF, DIFF_TIME, RATE, RUNNING_SUM: each time series by itself, along its time."""
    found = _series_or_array(function, value)
    if isinstance(found, tuple):
        return tuple(Series(one.label, ALONG[function](one.points, timeline)) for one in found)
    return Series(found.label, ALONG[function](found.points, timeline))


def fold(function: str, value: Value, timeline: Timeline) -> Value:
    """SUM, AVG and their like: a time series comes to a number, an array to one time series."""
    found, compute = _series_or_array(function, value), FOLDS[function]
    if isinstance(found, Series):
        return compute([point for point in found.points if point is not None], timeline.periods)
    columns = zip(*(one.points for one in found), strict=True) if found else [()] * timeline.periods
    points = (compute([point for point in column if point is not None], len(found)) for column in columns)
    return Series(function, tuple(points))


def calendar(function: str, value: Value, timeline: Timeline) -> Series:
    """MINUTE to EPOCH: "a new non-sparse time series where each value is based on its timestamp"."""
    if not isinstance(value, Series):
        raise MetricMathError(f"{function} takes a time series, not {kind(value)}")
    moments = (datetime.fromtimestamp(start, UTC) for start in timeline.starts)
    return Series(value.label, tuple(CALENDAR[function](moment) for moment in moments))


def time_series(value: Value, timeline: Timeline) -> Series:
    """TIME_SERIES: the same number in every period."""
    if isinstance(value, (Series, tuple)):
        raise MetricMathError(f"TIME_SERIES takes a number, not {kind(value)}")
    return Series("TIME_SERIES", (value,) * timeline.periods)


def metric_count(value: Value) -> float:
    """METRIC_COUNT: how many time series an array has."""
    return float(len(_array("METRIC_COUNT", value)))


def remove_empty(value: Value) -> Array:
    """REMOVE_EMPTY: the time series of an array that have a point."""
    return tuple(one for one in _array("REMOVE_EMPTY", value) if any(point is not None for point in one.points))


def _series_or_array(function: str, value: Value) -> Series | Array:
    if isinstance(value, (Series, tuple)):
        return value
    raise MetricMathError(f"{function} takes a time series or an array of them, not {kind(value)}")


def _array(function: str, value: Value) -> Array:
    if isinstance(value, tuple):
        return value
    raise MetricMathError(f"{function} takes an array of time series, not {kind(value)}")
