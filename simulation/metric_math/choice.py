"""IF: a value for each timestamp, chosen by a condition."""

from simulation.metric_math.error import MetricMathError
from simulation.metric_math.values import Points, Series, Timeline, Value


def chosen(condition: Value, if_true: Value, if_false: Value, timeline: Timeline) -> Series:
    """IF(condition, if_true, if_false); `if_false` is None where the expression leaves it out.

    A point of the condition is FALSE at 0 and TRUE at anything else. Where the condition has no point, there is none.
    A time series that has no point where it is chosen gives 0 as `if_true`, and none as `if_false`: the tables of the
    user guide, "Using IF expressions".
    """
    if isinstance(condition, Series):
        true, false = _points(if_true, timeline), _points(if_false, timeline)
        choices = zip(condition.points, true, false, strict=True)
        points = (None if truth is None else (yes or 0.0) if truth else no for truth, yes, no in choices)
        return Series(tuple(points))
    picked = if_true if condition else if_false
    if isinstance(picked, Series):
        return picked
    if not condition and if_false is None:
        return Series((None,) * timeline.periods)
    raise MetricMathError("IF with a number as its condition chooses between time series, not numbers")


def _points(value: Value, timeline: Timeline) -> Points:
    if isinstance(value, Series):
        return value.points
    return (value,) * timeline.periods
