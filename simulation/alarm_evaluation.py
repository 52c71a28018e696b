"""How CloudWatch decides the state of a metric alarm on a static threshold, as a pure function.

Source: CloudWatch user guide, "Configuring how CloudWatch alarms treat missing data"; its tables are the tests.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from operator import ge, gt, le, lt
from typing import NamedTuple


class State(StrEnum):
    """StateValue of the API."""

    OK = "OK"
    ALARM = "ALARM"
    INSUFFICIENT_DATA = "INSUFFICIENT_DATA"


class TreatMissingData(StrEnum):
    """What stands in for a missing point; CloudWatch takes `missing` where an alarm says nothing."""

    MISSING = "missing"
    IGNORE = "ignore"
    BREACHING = "breaching"
    NOT_BREACHING = "notBreaching"


class ComparisonOperator(StrEnum):
    """The operators of a static threshold; the other three of the API belong to anomaly detection."""

    GREATER_THAN_OR_EQUAL_TO_THRESHOLD = "GreaterThanOrEqualToThreshold"
    GREATER_THAN_THRESHOLD = "GreaterThanThreshold"
    LESS_THAN_THRESHOLD = "LessThanThreshold"
    LESS_THAN_OR_EQUAL_TO_THRESHOLD = "LessThanOrEqualToThreshold"


_COMPARE: dict[ComparisonOperator, Callable[[float, float], bool]] = {
    ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD: ge,
    ComparisonOperator.GREATER_THAN_THRESHOLD: gt,
    ComparisonOperator.LESS_THAN_THRESHOLD: lt,
    ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD: le,
}


@dataclass(frozen=True, slots=True)
class AlarmRule:
    """What decides: M (`datapoints_to_alarm`) of N (`evaluation_periods`) points beyond the threshold.

    Without `datapoints_to_alarm` M is N, as in PutMetricAlarm; CloudWatch then words its reasons differently.
    """

    comparison_operator: ComparisonOperator
    threshold: float
    evaluation_periods: int
    datapoints_to_alarm: int | None = None
    treat_missing_data: TreatMissingData = TreatMissingData.MISSING

    def __post_init__(self) -> None:
        if self.evaluation_periods < 1:
            raise ValueError(f"evaluation_periods must be at least 1, got {self.evaluation_periods}")
        if not 1 <= self.breaches_to_alarm <= self.evaluation_periods:
            raise ValueError(
                f"datapoints_to_alarm must be 1 to {self.evaluation_periods}, got {self.datapoints_to_alarm}"
            )

    @property
    def breaches_to_alarm(self) -> int:
        """How many of the evaluated datapoints must breach, which CloudWatch calls M."""
        return self.evaluation_periods if self.datapoints_to_alarm is None else self.datapoints_to_alarm

    def breaches(self, value: float) -> bool:
        return _COMPARE[self.comparison_operator](value, self.threshold)


class Point(NamedTuple):
    """One period of the metric; a value of None is a missing one."""

    timestamp: datetime
    value: float | None
    sample_count: float | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The verdict and what it rests on, oldest first.

    `real` are the points that were evaluated. `missing` are the newest missing periods that had to stand in because
    real points were too few; empty when the missing-data setting was not needed. `kept` says that `ignore` left the
    current state as it was.
    """

    state: State
    real: tuple[Point, ...]
    missing: tuple[Point, ...] = ()
    kept: bool = False


def evaluation_range(rule: AlarmRule, extra_periods: int = 2) -> int:
    """How many of the newest periods CloudWatch looks at: N and a few more, so that real points can replace gaps.

    Documented: it retrieves "a higher number of data points than Evaluation Periods", depending on "the length of the
    alarm period and whether it is based on a metric with standard resolution or high resolution"; in its examples 3
    periods of five minutes have a range of 5. Not documented: the formula. Two extra periods fit those examples, and
    Route 53 health checks on alarms, which report 4 points requested for 2 used; for another period or N it is a guess.
    The length matters only while there are gaps.
    """
    return rule.evaluation_periods + extra_periods


def evaluate(rule: AlarmRule, points: Sequence[Point], current_state: State) -> Evaluation:
    """Decide the state from the whole evaluation range, one point a period, oldest first.

    The newest N real points are evaluated, from anywhere in the range; the missing-data setting counts only for as many
    points as are short of N. Where it is `missing` or `ignore`, real points decide as long as they can: M breaching
    ones alarm, one good one clears (so a single good point after a gap clears an M of N alarm).

    With breaching points only and fewer than M, `ignore` keeps the state; `missing` alarms once the oldest of them is
    at least M periods old (the guide's "premature alarm" rule: `- - X - -` is an alarm for M = 3, `- - - X -` is not).
    Before that the guide only says "does not go immediately into ALARM"; its 2018 edition has INSUFFICIENT_DATA for
    `- - - - X` in both tables, and so has this.

    Raises ValueError when the range is shorter than N.
    """
    needed, to_alarm = rule.evaluation_periods, rule.breaches_to_alarm
    if len(points) < needed:
        raise ValueError(f"{needed} evaluation periods need a range of at least {needed} points, got {len(points)}")
    compare, threshold = _COMPARE[rule.comparison_operator], rule.threshold
    real = [point for point in points if point.value is not None][-needed:]
    breaching = sum([compare(point.value, threshold) for point in real if point.value is not None])
    short = needed - len(real)
    if short == 0:
        return Evaluation(State.ALARM if breaching >= to_alarm else State.OK, tuple(real))

    missing = tuple([point for point in points if point.value is None][-short:])
    state = _state_with_gaps(rule, points, breaching=breaching, good=len(real) - breaching, short=short)
    return Evaluation(current_state if state is None else state, tuple(real), missing, kept=state is None)


def _state_with_gaps(
    rule: AlarmRule, points: Sequence[Point], *, breaching: int, good: int, short: int
) -> State | None:
    """None: the current state stays."""
    to_alarm, setting = rule.breaches_to_alarm, rule.treat_missing_data
    if setting is TreatMissingData.BREACHING:
        breaching += short
    if breaching >= to_alarm:
        return State.ALARM
    if good or setting in {TreatMissingData.BREACHING, TreatMissingData.NOT_BREACHING}:
        return State.OK
    if setting is TreatMissingData.IGNORE:
        return None
    ages = [age for age, point in enumerate(reversed(points), start=1) if point.value is not None]
    return State.ALARM if ages and ages[-1] >= to_alarm else State.INSUFFICIENT_DATA
