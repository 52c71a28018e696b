"""FILL: what stands in where a time series has no datapoint."""

from itertools import pairwise

from simulation.metric_math.error import MetricMathError
from simulation.metric_math.values import Points, Series, Value, kind

REPEAT = "REPEAT"
LINEAR = "LINEAR"


def fill(value: Value, filler: Value | str) -> Series:
    """The time series with its gaps filled.

    `filler` is a number, a time series, or one of the words: REPEAT, "the most recent actual value of the metric before
    the missing value", or LINEAR, "a linear interpolation between the values at the beginning and the end of the gap".
    Neither invents a value where the range begins (nor LINEAR where it ends) with a gap.
    """
    if not isinstance(value, Series):
        raise MetricMathError(f"FILL takes a time series, not {kind(value)}")
    match filler:
        case str():
            return Series(_repeated(value.points) if filler == REPEAT else _interpolated(value.points))
        case Series():
            pairs = zip(value.points, filler.points, strict=True)
            return Series(tuple(other if point is None else point for point, other in pairs))
        case number:
            return Series(tuple(number if point is None else point for point in value.points))


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
