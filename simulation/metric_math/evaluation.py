"""Evaluates the expressions of one request over its metrics."""

from collections.abc import Callable, Mapping

from simulation.metric_math import functions, operators
from simulation.metric_math.choice import chosen
from simulation.metric_math.error import MetricMathError
from simulation.metric_math.gaps import LINEAR, REPEAT, fill
from simulation.metric_math.syntax import Call, Name, Negative, Node, Number, Operation, parse
from simulation.metric_math.values import Series, Timeline, Value, kind

# Functions of CloudWatch that are not simulated; everything else without an entry is none of CloudWatch's.
_OTHERS = (
    "ANOMALY_DETECTION_BAND AVG CEIL DATAPOINT_COUNT DATE DAY DB_PERF_INSIGHTS DIFF DIFF_TIME EPOCH FIRST FLOOR HOUR "
    "INSIGHT_RULE_METRIC LAMBDA LAST LOG LOG10 MAX METRICS METRIC_COUNT MIN MINUTE MONTH REMOVE_EMPTY RUNNING_SUM "
    "SEARCH SERVICE_QUOTA SLICE SORT STDDEV SUM TIME_SERIES YEAR"
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

    def _value(self, node: Node) -> Value:
        match node:
            case Number(number):
                return number
            case Name(name):
                return self._named(name)
            case Negative(of):
                return operators.negative(self._value(of))
            case Operation(operator, left, right):
                return operators.operation(operator, self._value(left), self._value(right))
            case Call(function, arguments):
                return self._called(function, arguments)
        raise MetricMathError(f"{node.text!r} is a text, which no simulated function takes")

    def _called(self, function: str, arguments: tuple[Node, ...]) -> Value:
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

    def _absolute(self, arguments: tuple[Node, ...]) -> Value:
        return functions.absolute(self._value(arguments[0]))

    def _rate(self, arguments: tuple[Node, ...]) -> Value:
        return functions.rate(self._value(arguments[0]), self._timeline)

    def _filled(self, arguments: tuple[Node, ...]) -> Value:
        value, filler = arguments
        if isinstance(filler, Name) and filler.name in {REPEAT, LINEAR}:
            return fill(self._value(value), filler.name)
        return fill(self._value(value), self._value(filler))

    def _chosen(self, arguments: tuple[Node, ...]) -> Value:
        condition, if_true, if_false = [self._value(argument) for argument in arguments] + [None] * (3 - len(arguments))
        return chosen(condition, if_true, if_false, self._timeline)

    def _period(self, arguments: tuple[Node, ...]) -> Value:
        """ "Valid input is metrics, not the results of other expressions"."""
        (of,) = arguments
        if not isinstance(of, Name) or of.name not in self._metrics:
            raise MetricMathError("PERIOD takes the Id of a metric")
        return float(self._timeline.period_seconds)


# With the least and the most arguments each takes.
_FUNCTIONS: dict[str, tuple[int, int, Callable[[Evaluator, tuple[Node, ...]], Value]]] = {
    "ABS": (1, 1, Evaluator._absolute),
    "FILL": (2, 2, Evaluator._filled),
    "IF": (2, 3, Evaluator._chosen),
    "PERIOD": (1, 1, Evaluator._period),
    "RATE": (1, 1, Evaluator._rate),
}
