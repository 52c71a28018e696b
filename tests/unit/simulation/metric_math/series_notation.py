"""Metrics as the user guide writes them: `[30, 20, -, 0]`, with a dash where there is no datapoint."""

from simulation.metric_math import Evaluator, Series, Timeline

START = 1_893_974_400
MINUTE = 60


def points(text: str) -> tuple[float | None, ...]:
    return tuple(None if word == "-" else float(word) for word in text.split())


def value(expression: str, period_seconds: int = MINUTE, /, **metrics: str) -> str:
    """The time series that the expression comes to, over metrics given as text; both are texts."""
    given = {name: Series(points(text)) for name, text in metrics.items()}
    periods = max((len(one.points) for one in given.values()), default=3)
    return shown(Evaluator(Timeline(START, period_seconds, periods), given, {"e": expression}).result("e").points)


def shown(found: tuple[float | None, ...]) -> str:
    return " ".join("-" if point is None else f"{point:g}" for point in found)
