"""The operators, and AWS's rules for points that one side does not have.

"Missing values in a time series are treated as 0", where the other time series has a value; "if the value of a data
point causes a function to attempt to divide by zero, the data point is dropped" (CloudWatch user guide).
"""

import ast
import operator
from collections.abc import Callable

from simulation.metric_math.values import Scalar, Series, Value

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


ARITHMETIC: dict[type[ast.AST], Compute] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: _divided,
    ast.Pow: _power,
}
TRUTHS: dict[type[ast.AST], Callable[[float, float], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.LtE: operator.le,
    ast.GtE: operator.ge,
    ast.Lt: operator.lt,
    ast.Gt: operator.gt,
    ast.And: lambda left, right: bool(left) and bool(right),
    ast.Or: lambda left, right: bool(left) or bool(right),
}


def operation(sign: ast.AST, left: Value, right: Value) -> Value:
    """`left sign right`; a truth is 0 or 1."""
    if truth := TRUTHS.get(type(sign)):
        return _applied(lambda one, other: float(truth(one, other)), left, right)
    return _applied(ARITHMETIC[type(sign)], left, right)


def negative(value: Value) -> Value:
    """`-value`, point by point."""
    return operation(ast.Sub(), 0.0, value)


def _applied(compute: Compute, left: Value, right: Value) -> Value:
    if isinstance(left, Series) and isinstance(right, Series):
        pairs = zip(left.points, right.points, strict=True)
        return Series(
            tuple(None if one is None and other is None else compute(one or 0.0, other or 0.0) for one, other in pairs)
        )
    if isinstance(left, Series):
        assert not isinstance(right, Series)  # noqa: S101 - the case above
        return Series(tuple(_computed(compute, one, right) for one in left.points))
    if isinstance(right, Series):
        return Series(tuple(_computed(compute, left, other) for other in right.points))
    return _computed(compute, left, right)


def _computed(compute: Compute, left: Scalar, right: Scalar) -> Scalar:
    return None if left is None or right is None else compute(left, right)
