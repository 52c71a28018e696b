"""CloudWatch's alarms on a file system, judged every minute by `simulation.alarm_evaluation`.

What an alarm makes of each datapoint is kept, because a history has tens of thousands of minutes and a proof millions:
a judgement counts good and bad points, and the simulation is asked once for each such count.
"""

import functools
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from operate.replay.replayed_metrics import Metrics, Values
from simulation.alarm_evaluation import (
    AlarmRule,
    ComparisonOperator,
    Point,
    State,
    TreatMissingData,
    evaluate,
    evaluation_range,
)

SOME_TIME = datetime(2030, 1, 1, tzinfo=UTC)
# The one expression that is judged here without metric math; a test holds both together.
DRAINING = re.compile(r"IF\(pace < 0, IF\(balance > (\d+), balance / ABS\(pace\) / 60, (\d+)\), \2\)")


@functools.cache
def _verdict(rule: AlarmRule, bad: int, good: int, current: State) -> State:
    """The state by so many bad and good points, where it does not depend on their order: missing data is ignored."""
    if rule.treat_missing_data is not TreatMissingData.IGNORE:
        raise NotImplementedError(f"{rule.treat_missing_data} asks when a point was missing")
    beyond = rule.comparison_operator in {
        ComparisonOperator.LESS_THAN_THRESHOLD,
        ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD,
    }
    worse, better = (rule.threshold - 1, rule.threshold + 1) if beyond else (rule.threshold + 1, rule.threshold - 1)
    missing = evaluation_range(rule) - bad - good
    values: Values = [*[worse] * bad, *[better] * good, *[None] * missing]
    return evaluate(rule, [Point(SOME_TIME, value) for value in values], current).state


@dataclass(slots=True)
class WatchedAlarm:
    """An alarm of the stack. `definition` is what PutMetricAlarm was given last; `bad` what it makes of each minute's
    datapoint, None where there is none.
    """

    definition: dict[str, Any]
    read: tuple[str, str]
    drains_below_minutes: bool
    guard_bytes: float = 0.0
    state: State = State.INSUFFICIENT_DATA
    reason: str = "Unchecked: Initial alarm creation"
    transitioned: datetime = SOME_TIME
    configured: datetime = SOME_TIME
    bad: list[bool | None] = field(default_factory=list)
    judged_rule: AlarmRule | None = None
    range_minutes: int = 0
    alike_since: int = 0

    @property
    def name(self) -> str:
        """The whole name, with the stack's in front."""
        return str(self.definition["AlarmName"])

    def rule(self) -> AlarmRule:
        """What decides, as the definition says."""
        one = self.definition
        return AlarmRule(
            ComparisonOperator(one["ComparisonOperator"]),
            float(one["Threshold"]),
            int(one["EvaluationPeriods"]),
            int(one["DatapointsToAlarm"]),
            TreatMissingData(one["TreatMissingData"]),
        )

    def judged(self, metrics: Metrics, now: int) -> State:
        """The state at minute `now`: the newest whole period is the minute before."""
        rule = self.judged_rule
        values = metrics.values[self.read]
        if rule is None:
            rule = self.judged_rule = self.rule()
            # A new threshold is held against what is there already.
            self.range_minutes = evaluation_range(rule)
            oldest = max(0, min(now - self.range_minutes - 1, metrics.newest + 1))
            self.bad, self.alike_since = [None] * oldest, oldest
        for index in range(len(self.bad), metrics.newest + 1):
            made_of_it = self._breaches(rule, values, index)
            if index == 0 or made_of_it is None or made_of_it is not self.bad[-1]:
                self.alike_since = index
            self.bad.append(made_of_it)
        first = now - self.range_minutes
        if self.bad and self.alike_since <= first and self.state is (State.ALARM if self.bad[-1] else State.OK):
            # Points that are all alike change nothing, however many of them have arrived.
            return self.state
        first = max(first, 0)
        points = self.bad[first : metrics.newest + 1]
        if self.drains_below_minutes and points:
            # RATE has nothing to compare the first point of the range with.
            points = points[1:]
        if None in points:
            points = [one for one in points if one is not None]
        points = points[-rule.evaluation_periods :]
        bad = points.count(True)
        return _verdict(rule, bad, len(points) - bad, self.state)

    def _breaches(self, rule: AlarmRule, values: Values, index: int) -> bool | None:
        value = values[index]
        if value is None:
            return None
        if not self.drains_below_minutes:
            return rule.breaches(value)
        before = index - 1
        while before >= 0 and values[before] is None and index - before < rule.evaluation_periods:
            before -= 1
        earlier = values[before] if before >= 0 else None
        if earlier is None:
            return None
        pace = (value - earlier) / ((index - before) * 60)
        return pace < 0 and value > self.guard_bytes and rule.breaches(value / -pace / 60)


def watched(definition: dict[str, Any]) -> WatchedAlarm:
    """The alarm that PutMetricAlarm makes of these settings; NotImplementedError for an expression other than that of
    the Draining alarm.
    """
    if "MetricName" in definition:
        return WatchedAlarm(definition, (definition["MetricName"], definition["Statistic"]), drains_below_minutes=False)
    (stat,) = [one["MetricStat"] for one in definition["Metrics"] if "MetricStat" in one]
    (returned,) = [one for one in definition["Metrics"] if one.get("ReturnData", True) and "Expression" in one]
    expression = DRAINING.fullmatch(" ".join(returned["Expression"].split()))
    if expression is None:
        raise NotImplementedError(f"{returned['Expression']!r} is judged nowhere here")
    return WatchedAlarm(
        definition,
        (stat["Metric"]["MetricName"], stat["Stat"]),
        drains_below_minutes=True,
        guard_bytes=float(expression[1]),
    )
