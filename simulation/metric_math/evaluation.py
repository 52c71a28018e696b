"""Evaluates the expressions of one request over its metrics."""

from collections.abc import Callable, Mapping

from simulation.metric_math import functions, operators
from simulation.metric_math.choice import chosen
from simulation.metric_math.error import MetricMathError
from simulation.metric_math.gaps import LINEAR, REPEAT, fill
from simulation.metric_math.syntax import Call, ListOf, Name, Negative, Node, Number, Operation, Text, parse
from simulation.metric_math.values import Array, Series, Timeline, Value, kind

# Functions of CloudWatch that are not simulated; everything else without an entry is none of CloudWatch's.
NOT_SIMULATED = frozenset(
    {"ANOMALY_DETECTION_BAND", "FIRST", "INSIGHT_RULE_METRIC", "LAST", "SEARCH", "SERVICE_QUOTA", "SLICE", "SORT"}
)


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

    def result(self, expression_id: str) -> Array:
        """The time series an expression comes to: one, or those of an array."""
        value = self._named(expression_id)
        if isinstance(value, tuple):
            return value
        if isinstance(value, Series):
            return (value,)
        raise MetricMathError(
            f"{self._expressions[expression_id]!r} comes to {kind(value)}; the result must be a time series or an "
            "array of time series"
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
            case ListOf(items):
                return tuple(one for item in items for one in _as_items(self._value(item)))
            case Call(function, arguments):
                return self._called(function, arguments)
        raise MetricMathError(f"{node.text!r} is a text, which only METRICS takes")

    def _called(self, function: str, arguments: tuple[Node, ...]) -> Value:
        if special := _SPECIAL.get(function):
            least, most, compute = special
            _require_count(function, arguments, least, most)
            return compute(self, arguments)
        ordinary = _ORDINARY.get(function)
        if ordinary is None:
            known = ", ".join(sorted({*_SPECIAL, *_ORDINARY}))
            if function in NOT_SIMULATED:
                raise MetricMathError(f"{function} is not simulated; simulated are {known}")
            raise MetricMathError(f"There is no function {function!r}; there are {known}")
        _require_count(function, arguments, 1, 1)
        return ordinary(function, self._value(arguments[0]), self._timeline)

    def _metrics_with(self, arguments: tuple[Node, ...]) -> Value:
        """METRICS(): every metric; METRICS("errors"): those with errors in their Id."""
        wanted = arguments[0] if arguments else Text("")
        if not isinstance(wanted, Text):
            raise MetricMathError('METRICS takes nothing, or a text such as "errors"')
        return tuple(series for name, series in self._metrics.items() if wanted.text in name)

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


type _Special = Callable[[Evaluator, tuple[Node, ...]], Value]
type _Ordinary = Callable[[str, Value, Timeline], Value]

# With the least and the most arguments each takes.
_SPECIAL: dict[str, tuple[int, int, _Special]] = {
    "FILL": (2, 2, Evaluator._filled),
    "IF": (2, 3, Evaluator._chosen),
    "METRICS": (0, 1, Evaluator._metrics_with),
    "PERIOD": (1, 1, Evaluator._period),
}
_ORDINARY: dict[str, _Ordinary] = {
    **dict.fromkeys(functions.POINTWISE, lambda name, value, _: functions.pointwise(name, value)),
    **dict.fromkeys(functions.ALONG, functions.along),
    **dict.fromkeys(functions.FOLDS, functions.fold),
    **dict.fromkeys(functions.CALENDAR, functions.calendar),
    "METRIC_COUNT": lambda _, value, __: functions.metric_count(value),
    "REMOVE_EMPTY": lambda _, value, __: functions.remove_empty(value),
    "TIME_SERIES": lambda _, value, timeline: functions.time_series(value, timeline),
}


def _require_count(function: str, arguments: tuple[Node, ...], least: int, most: int) -> None:
    if not least <= len(arguments) <= most:
        takes = str(least) if least == most else f"{least} to {most}"
        raise MetricMathError(f"{function} takes {takes} arguments, not {len(arguments)}")


def _as_items(value: Value) -> Array:
    """An array in an array is laid open: [METRICS("4xx"), METRICS("5xx")] is one list."""
    if isinstance(value, Series):
        return (value,)
    if isinstance(value, tuple):
        return value
    raise MetricMathError(f"An array holds time series, not {kind(value)}")
