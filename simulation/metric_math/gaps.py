"""FILL: what stands in where a time series has no datapoint."""

from itertools import pairwise

from simulation.metric_math.error import MetricMathError
from simulation.metric_math.values import Points, Series, Value, kind

REPEAT = "REPEAT"
LINEAR = "LINEAR"


def fill(value: Value, filler: Value | str) -> Value:
    """The time series, or each of an array, with its gaps filled.

    `filler` is a number, a time series, or one of the words: REPEAT, "the most recent actual value of the metric before
    the missing value", or LINEAR, "a linear interpolation between the values at the beginning and the end of the gap".
    Neither invents a value where the range begins (nor LINEAR where it ends) with a gap.
    """
    if isinstance(value, tuple):
        return tuple(_filled(one, filler) for one in value)
    if isinstance(value, Series):
        return _filled(value, filler)
    raise MetricMathError(f"FILL takes a time series or an array of them, not {kind(value)}")


def _filled(series: Series, filler: Value | str) -> Series:
    match filler:
        case str():
            points = _repeated(series.points) if filler == REPEAT else _interpolated(series.points)
        case Series():
            pairs = zip(series.points, filler.points, strict=True)
            points = tuple(other if point is None else point for point, other in pairs)
        case tuple():
            raise MetricMathError(f"FILL fills with a number, a time series, REPEAT or LINEAR, not with {kind(filler)}")
        case number:
            points = tuple(number if point is None else point for point in series.points)
    return Series(series.label, points)


def _repeated(points: Points) -> Points:
    found, last = list[float | None](), None
    for point in points:
        last = last if point is None else point
        found.append(last)
    return tuple(found)


def _interpolated(points: Points) -> Points:
    known = [(index, point) for index, point in enumerate(points) if point is not None]
    found = list(points)
    for (start, first), (end, last) in pairwise(known):
        for index in range(start + 1, end):
            found[index] = first + (last - first) * (index - start) / (end - start)
    return tuple(found)
