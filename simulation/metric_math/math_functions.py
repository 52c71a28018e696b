"""The functions that change a time series point by point."""

from simulation.metric_math.error import MetricMathError
from simulation.metric_math.values import Series, Timeline, Value, kind


def absolute(value: Value) -> Series:
    """ABS: each point without its sign."""
    return Series(tuple(None if point is None else abs(point) for point in _series("ABS", value).points))


def rate(value: Value, timeline: Timeline) -> Series:
    """RATE: the difference to the preceding value, divided by the seconds between the two, however many periods of them
    were empty. The first point has none.
    """
    found, last = list[float | None](), None
    for index, point in enumerate(_series("RATE", value).points):
        if point is None:
            found.append(None)
            continue
        found.append(None if last is None else (point - last[1]) / ((index - last[0]) * timeline.period_seconds))
        last = (index, point)
    return Series(tuple(found))


def running_sum(value: Value) -> Series:
    """RUNNING_SUM: each point with all before it. AWS does not say what becomes of a gap; here it stays one."""
    found, total = list[float | None](), 0.0
    for point in _series("RUNNING_SUM", value).points:
        total += point or 0.0
        found.append(None if point is None else total)
    return Series(tuple(found))


def _series(function: str, value: Value) -> Series:
    if isinstance(value, Series):
        return value
    raise MetricMathError(f"{function} takes a time series, not {kind(value)}")
