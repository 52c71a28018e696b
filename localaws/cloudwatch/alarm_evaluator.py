"""Evaluates every alarm at one moment, from the points that are visible at that moment."""

from datetime import datetime, timedelta

from localaws.cloudwatch.alarm import NOT_EVALUATED, Alarm
from localaws.cloudwatch.metric_stat import MetricStat
from localaws.cloudwatch.metrics import MetricStore, at
from localaws.cloudwatch.registry import AlarmRegistry
from simulation.alarm_evaluation import Point, evaluate, evaluation_range
from simulation.alarm_reason import state_reason, state_reason_data

Values = tuple[float | None, ...]


class AlarmEvaluator:
    """CloudWatch's evaluation, once a minute for every alarm.

    A new period counts once it is over: at 12:05 the newest one-minute period is that of 12:04.
    """

    def __init__(self, metrics: MetricStore, alarms: AlarmRegistry) -> None:
        self._metrics = metrics
        self._alarms = alarms

    def evaluate_all(self, now: datetime) -> bool:
        """Evaluate every alarm at `now`; True when at least one changed its state."""
        changed = [self._evaluate(alarm, now) for alarm in self._alarms.all()]
        return any(changed)

    def _evaluate(self, alarm: Alarm, now: datetime) -> bool:
        if alarm.evaluation_state in NOT_EVALUATED:
            return False
        configuration = alarm.configuration
        rule = alarm.rule
        now_seconds = now.timestamp()
        watched = configuration.watched
        period = watched.period_seconds
        last_start = (int(now_seconds) // period - 1) * period
        values = watched.values(
            self._metrics, last_period_start=last_start, periods=evaluation_range(rule), now_seconds=now_seconds
        )
        # The state follows from these three alone: most minutes only repeat the one before.
        breaches = rule.breaches
        seen = (configuration, alarm.state.value, [None if one is None else breaches(one) for one in values])
        if alarm.evaluated == seen:
            return False
        points = _points(values, last_start, period)
        verdict = evaluate(rule, points, alarm.state.value)
        if verdict.state is alarm.state.value:
            alarm.evaluated = seen
            return False
        reason = state_reason(verdict, rule)
        statistic = watched.statistic if isinstance(watched, MetricStat) else None
        data = state_reason_data(verdict, rule, query_date=now, statistic=statistic, period_seconds=period)
        return self._alarms.change_state(alarm, verdict.state, reason, data)


def _points(values: Values, last_start: int, period_seconds: int) -> list[Point]:
    newest = at(last_start)
    step = timedelta(seconds=period_seconds)
    count = len(values)
    return [Point(newest - (count - 1 - index) * step, value) for index, value in enumerate(values)]
