"""Metrics as the user guide writes them: `[30, 20, -, 0]`, with a dash where there is no datapoint."""

from simulation.metric_math import Evaluator, Series, Timeline

# 2030-01-07 is a Monday.
START = 1_893_974_400
MINUTE = 60


def points(text: str) -> tuple[float | None, ...]:
    return tuple(None if word == "-" else float(word) for word in text.split())


def values(expression: str, start: int = START, period_seconds: int = MINUTE, /, **metrics: str) -> list[str]:
    """What the expression comes to, one text for each time series, over metrics given as text."""
    return [shown(one.points) for one in series(expression, start, period_seconds, **metrics)]


def series(expression: str, start: int = START, period_seconds: int = MINUTE, /, **metrics: str) -> tuple[Series, ...]:
    given = {name: Series(name, points(text)) for name, text in metrics.items()}
    periods = max((len(one.points) for one in given.values()), default=3)
    return Evaluator(Timeline(start, period_seconds, periods), given, {"e": expression}).result("e")


def value(expression: str, **metrics: str) -> str:
    """The same, of an expression that comes to one time series."""
    (only,) = values(expression, **metrics)
    return only


def shown(found: tuple[float | None, ...]) -> str:
    return " ".join("-" if point is None else f"{point:g}" for point in found)
