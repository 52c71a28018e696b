"""Evaluates the expressions of one request over its metrics."""

import ast
from collections.abc import Callable, Mapping, Sequence

from simulation.metric_math import math_functions, operators
from simulation.metric_math.choice import chosen
from simulation.metric_math.error import MetricMathError
from simulation.metric_math.gaps import LINEAR, REPEAT, fill
from simulation.metric_math.syntax import parse
from simulation.metric_math.values import Series, Timeline, Value, kind

# Functions of CloudWatch that are not simulated; everything else without an entry is none of CloudWatch's.
_OTHERS = (
    "ANOMALY_DETECTION_BAND AVG CEIL DATAPOINT_COUNT DATE DAY DB_PERF_INSIGHTS DIFF DIFF_TIME EPOCH FIRST FLOOR HOUR "
    "INSIGHT_RULE_METRIC LAMBDA LAST LOG LOG10 MAX METRICS METRIC_COUNT MIN MINUTE MONTH REMOVE_EMPTY SEARCH "
    "SERVICE_QUOTA SLICE SORT STDDEV SUM TIME_SERIES YEAR"
)
NOT_SIMULATED = frozenset(_OTHERS.split())


class Evaluator:
    """The metrics of a request, all over one timeline, and its expressions, each by its Id.

    An expression may name metrics and other expressions. MetricMathError says what is wrong with one.
    """

    def __init__(self, timeline: Timeline, metrics: Mapping[str, Series], expressions: Mapping[str, str]) -> None:
        self._timeline = timeline
        self._metrics = metrics
        self._expressions = expressions
        self._found: dict[str, Value] = {}
        self._under_way: list[str] = []

    def result(self, expression_id: str) -> Series:
        """The time series an expression comes to."""
        value = self._named(expression_id)
        if isinstance(value, Series):
            return value
        raise MetricMathError(
            f"{self._expressions[expression_id]!r} comes to {kind(value)}; the result must be a time series"
        )

    def _named(self, name: str) -> Value:
        if name in self._metrics:
            return self._metrics[name]
        if name not in self._expressions:
            raise MetricMathError(f"{name!r} is the Id of no metric and of no expression of the request")
        if name in self._under_way:
            raise MetricMathError(f"{' needs '.join([*self._under_way, name])}: a circle")
        if name not in self._found:
            self._under_way.append(name)
            self._found[name] = self._value(parse(self._expressions[name]))
            self._under_way.pop()
        return self._found[name]

    def _value(self, node: ast.expr) -> Value:  # noqa: PLR0911 - one for each kind of node
        match node:
            case ast.Constant(float(number)):
                return number
            case ast.Name(name):
                return self._named(name)
            case ast.UnaryOp(operand=of):
                return operators.negative(self._value(of))
            case ast.BinOp(left, sign, right):
                return operators.operation(sign, self._value(left), self._value(right))
            case ast.BoolOp(sign, [first, *others]):
                return self._chained(first, [sign] * len(others), others)
            case ast.Compare(first, signs, others):
                return self._chained(first, signs, others)
            case ast.Call(ast.Name(function), arguments):
                return self._called(function, arguments)
        raise MetricMathError(f"{ast.unparse(node)} is no number, no Id and no function that is simulated")

    def _chained(self, first: ast.expr, signs: Sequence[ast.AST], others: Sequence[ast.expr]) -> Value:
        """From the left, one after the other: `3 > 2 == 1` is `(3 > 2) == 1`, which it is not in Python."""
        found = self._value(first)
        for sign, other in zip(signs, others, strict=True):
            found = operators.operation(sign, found, self._value(other))
        return found

    def _called(self, function: str, arguments: Sequence[ast.expr]) -> Value:
        if function not in _FUNCTIONS:
            known = ", ".join(sorted(_FUNCTIONS))
            if function in NOT_SIMULATED:
                raise MetricMathError(f"{function} is not simulated; simulated are {known}")
            raise MetricMathError(f"There is no function {function!r}; there are {known}")
        least, most, compute = _FUNCTIONS[function]
        if not least <= len(arguments) <= most:
            takes = str(least) if least == most else f"{least} to {most}"
            raise MetricMathError(f"{function} takes {takes} arguments, not {len(arguments)}")
        return compute(self, arguments)

    def _absolute(self, arguments: Sequence[ast.expr]) -> Value:
        return math_functions.absolute(self._value(arguments[0]))

    def _rate(self, arguments: Sequence[ast.expr]) -> Value:
        return math_functions.rate(self._value(arguments[0]), self._timeline)

    def _summed(self, arguments: Sequence[ast.expr]) -> Value:
        return math_functions.running_sum(self._value(arguments[0]))

    def _filled(self, arguments: Sequence[ast.expr]) -> Value:
        value, filler = arguments
        if isinstance(filler, ast.Name) and filler.id in {REPEAT, LINEAR}:
            return fill(self._value(value), filler.id)
        return fill(self._value(value), self._value(filler))

    def _chosen(self, arguments: Sequence[ast.expr]) -> Value:
        condition, if_true, if_false = [self._value(argument) for argument in arguments] + [None] * (3 - len(arguments))
        return chosen(condition, if_true, if_false, self._timeline)

    def _period(self, arguments: Sequence[ast.expr]) -> Value:
        """ "Valid input is metrics, not the results of other expressions"."""
        (of,) = arguments
        if not isinstance(of, ast.Name) or of.id not in self._metrics:
            raise MetricMathError("PERIOD takes the Id of a metric")
        return float(self._timeline.period_seconds)


# With the least and the most arguments each takes.
_FUNCTIONS: dict[str, tuple[int, int, Callable[[Evaluator, Sequence[ast.expr]], Value]]] = {
    "ABS": (1, 1, Evaluator._absolute),
    "FILL": (2, 2, Evaluator._filled),
    "IF": (2, 3, Evaluator._chosen),
    "PERIOD": (1, 1, Evaluator._period),
    "RATE": (1, 1, Evaluator._rate),
    "RUNNING_SUM": (1, 1, Evaluator._summed),
}
