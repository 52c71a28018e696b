"""The operators, and AWS's rules for points that one side does not have.

"Missing values in a time series are treated as 0", where the other time series has a value; "if the value of a data
point causes a function to attempt to divide by zero, the data point is dropped" (CloudWatch user guide).
"""

import operator
from collections.abc import Callable

from simulation.metric_math.error import MetricMathError
from simulation.metric_math.values import Array, Points, Scalar, Series, Value, kind

type Compute = Callable[[float, float], float | None]


def _divided(left: float, right: float) -> float | None:
    return None if right == 0 else left / right


def _power(base: float, exponent: float) -> float | None:
    """No point where there is no real number; AWS says so of divisions only."""
    try:
        found: float | complex = base**exponent
    except (ZeroDivisionError, OverflowError):
        return None
    return None if isinstance(found, complex) else found


ARITHMETIC: dict[str, Compute] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divided,
    "^": _power,
}
TRUTHS: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<=": operator.le,
    ">=": operator.ge,
    "<": operator.lt,
    ">": operator.gt,
    "AND": lambda left, right: bool(left) and bool(right),
    "OR": lambda left, right: bool(left) or bool(right),
}


def operation(sign: str, left: Value, right: Value) -> Value:
    """`left sign right`; a truth is 0 or 1.

    Raises MetricMathError for a comparison of arrays, which AWS does not list, and for arrays of unequal length.
    """
    if sign in TRUTHS:
        truth = TRUTHS[sign]
        for side in (left, right):
            if isinstance(side, tuple):
                raise MetricMathError(f"{sign} compares numbers and time series, not {kind(side)}")
        return _applied(lambda one, other: float(truth(one, other)), left, right)
    if isinstance(left, tuple) and isinstance(right, tuple) and len(left) != len(right):
        raise MetricMathError(f"{sign} needs arrays of one length, not of {len(left)} and {len(right)} time series")
    return _applied(ARITHMETIC[sign], left, right)


def negative(value: Value) -> Value:
    """`-value`, point by point."""
    return operation("-", 0.0, value)


def each(value: Series | Array, compute: Callable[[float], float | None]) -> Series | Array:
    """Every datapoint of a time series or of an array of them, computed anew."""
    if isinstance(value, tuple):
        return tuple(_each(one, compute) for one in value)
    return _each(value, compute)


def _each(series: Series, compute: Callable[[float], float | None]) -> Series:
    return Series(series.label, tuple(None if point is None else compute(point) for point in series.points))


def _applied(compute: Compute, left: Value, right: Value) -> Value:
    if isinstance(left, tuple):
        others = right if isinstance(right, tuple) else (right,) * len(left)
        return tuple(Series(one.label, _points(compute, one, other)) for one, other in zip(left, others, strict=True))
    if isinstance(right, tuple):
        return tuple(Series(other.label, _points(compute, left, other)) for other in right)
    if isinstance(left, Series):
        return Series(left.label, _points(compute, left, right))
    if isinstance(right, Series):
        return Series(right.label, _points(compute, left, right))
    return _computed(compute, left, right)


def _points(compute: Compute, left: Series | Scalar, right: Series | Scalar) -> Points:
    """At least one of the two is a time series."""
    if not isinstance(right, Series):
        assert isinstance(left, Series)  # noqa: S101
        return tuple(_computed(compute, one, right) for one in left.points)
    if not isinstance(left, Series):
        return tuple(_computed(compute, left, other) for other in right.points)
    pairs = zip(left.points, right.points, strict=True)
    return tuple(None if one is None and other is None else compute(one or 0.0, other or 0.0) for one, other in pairs)


def _computed(compute: Compute, left: Scalar, right: Scalar) -> Scalar:
    return None if left is None or right is None else compute(left, right)
