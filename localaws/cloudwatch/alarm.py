"""What a metric alarm is: its configuration, its state, and the rules PutMetricAlarm holds a request to."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from localaws.account import REGION
from localaws.cloudwatch.metric_stat import MetricStat
from localaws.cloudwatch.metrics import STATISTICS
from localaws.cloudwatch.watched import WatchedQueries
from localaws.service_error import ServiceError
from simulation.alarm_evaluation import AlarmRule, ComparisonOperator, State, TreatMissingData

NOT_SIMULATED = (
    "ExtendedStatistic",
    "ThresholdMetricId",
    "WarmUpConfiguration",
    "EvaluationCriteria",
)
SLIDING_WINDOW = {"SlidingWindow": dict[str, Any]()}
"""The only evaluation window here, and CloudWatch's default."""
ON_ONE_METRIC = ("MetricName", "Namespace", "Dimensions", "Statistic", "Period", "Unit")


@dataclass(frozen=True, slots=True)
class AlarmConfiguration:
    """Everything PutMetricAlarm sets; a second PutMetricAlarm replaces all of it."""

    name: str
    watched: MetricStat | WatchedQueries
    evaluation_periods: int
    threshold: float
    comparison_operator: str
    description: str | None = None
    actions_enabled: bool = True
    ok_actions: tuple[str, ...] = ()
    alarm_actions: tuple[str, ...] = ()
    insufficient_data_actions: tuple[str, ...] = ()
    datapoints_to_alarm: int | None = None
    treat_missing_data: str | None = None
    evaluate_low_sample_count_percentile: str | None = None
    # Kept and told, and nothing else: no message here carries an alarm's tags.
    action_configuration: Mapping[str, Any] | None = None

    def rule(self) -> AlarmRule:
        return AlarmRule(
            ComparisonOperator(self.comparison_operator),
            self.threshold,
            self.evaluation_periods,
            self.datapoints_to_alarm,
            TreatMissingData(self.treat_missing_data or "missing"),
        )

    def actions_for(self, state: State) -> tuple[str, ...]:
        match state:
            case State.OK:
                return self.ok_actions
            case State.ALARM:
                return self.alarm_actions
            case State.INSUFFICIENT_DATA:
                return self.insufficient_data_actions


@dataclass(frozen=True, slots=True)
class AlarmState:
    """A state and why; `reason_data` is the JSON text CloudWatch keeps beside the sentence."""

    value: State
    reason: str
    reason_data: str | None
    updated: datetime
    transitioned: datetime


NOT_EVALUATED = frozenset({"EVALUATION_ERROR", "EVALUATION_FAILURE"})
"""In which evaluation states an alarm stays as it is."""


@dataclass(slots=True)
class Alarm:
    arn: str
    configuration: AlarmConfiguration
    configuration_updated: datetime
    state: AlarmState
    tags: dict[str, str] = field(default_factory=dict)
    # Where CloudWatch cannot evaluate it as it should: EVALUATION_ERROR, EVALUATION_FAILURE or PARTIAL_DATA.
    evaluation_state: str | None = None
    # What the last evaluation saw; equal input needs no second look.
    evaluated: object = None
    # Built once for every configuration: it is asked for every minute.
    rule: AlarmRule = field(init=False)

    def __post_init__(self) -> None:
        self.configure(self.configuration, self.configuration_updated)

    def configure(self, configuration: AlarmConfiguration, now: datetime) -> None:
        self.configuration, self.configuration_updated = configuration, now
        self.rule = configuration.rule()


@dataclass(frozen=True, slots=True)
class Transition:
    """An alarm went from one state to another, by evaluation or by SetAlarmState."""

    time: datetime
    alarm: str
    old: State
    new: State
    reason: str


def requested_configuration(request: Mapping[str, Any]) -> AlarmConfiguration:
    """The configuration a PutMetricAlarm request asks for.

    Raises ServiceError (ValidationError) with a sentence that names the parameter, its value and the limit.
    """
    # Allowed with EvaluationCriteria alone, which are not done here.
    _require(
        request.get("EvaluationInterval") is None or request.get("EvaluationCriteria") is not None,
        "EvaluationInterval cannot be specified for alarms configured with MetricName or Metrics.",
    )
    for parameter in NOT_SIMULATED:
        _require(
            request.get(parameter) is None,
            f"The sandbox's CloudWatch knows alarms on a metric or an expression; it does not do {parameter}.",
        )
    _require(
        request.get("EvaluationWindow") in (None, SLIDING_WINDOW),
        "The sandbox's CloudWatch does sliding evaluation windows only.",
    )
    for parameter in ("AlarmName", "EvaluationPeriods", "ComparisonOperator", "Threshold"):
        _require(request.get(parameter) is not None, f"The parameter {parameter} is required for a metric alarm.")
    configuration = AlarmConfiguration(
        name=request["AlarmName"],
        watched=_watched(request),
        evaluation_periods=int(request["EvaluationPeriods"]),
        threshold=float(request["Threshold"]),
        comparison_operator=request["ComparisonOperator"],
        description=request.get("AlarmDescription"),
        actions_enabled=request.get("ActionsEnabled") is not False,
        ok_actions=tuple(request.get("OKActions") or ()),
        alarm_actions=tuple(request.get("AlarmActions") or ()),
        insufficient_data_actions=tuple(request.get("InsufficientDataActions") or ()),
        datapoints_to_alarm=request.get("DatapointsToAlarm"),
        treat_missing_data=request.get("TreatMissingData"),
        evaluate_low_sample_count_percentile=request.get("EvaluateLowSampleCountPercentile"),
        action_configuration=request.get("ActionConfiguration"),
    )
    _validate(configuration)
    return configuration


def _watched(request: Mapping[str, Any]) -> MetricStat | WatchedQueries:
    if queries := request.get("Metrics"):
        for parameter in ON_ONE_METRIC:
            _require(not request.get(parameter), f"An alarm with Metrics cannot have {parameter}, too.")
        return WatchedQueries.asked(queries)
    for parameter in ("MetricName", "Namespace", "Statistic", "Period"):
        _require(request.get(parameter) is not None, f"The parameter {parameter} is required for a metric alarm.")
    _require_one_of("Statistic", request["Statistic"], STATISTICS)
    metric = {name: request.get(name) for name in ("Namespace", "MetricName", "Dimensions")}
    watched = MetricStat.asked(
        {"Metric": metric, "Period": request["Period"], "Stat": request["Statistic"], "Unit": request.get("Unit")}
    )
    names = [name for name, _ in watched.dimensions]
    _require(len(set(names)) == len(names), f"A dimension is given twice: {', '.join(names)}.")
    return watched


def _validate(configuration: AlarmConfiguration) -> None:
    # How long names, texts and lists may be, localaws/request_limits.py says for every call.
    threshold = configuration.threshold
    _require(math.isfinite(threshold), f"Threshold is {threshold}; it must be a finite number.")
    for state in State:
        for action in configuration.actions_for(state):
            _require(
                action.startswith(("arn:aws:sns:", "arn:aws:lambda:")),
                f"The sandbox delivers alarm actions to SNS topics and Lambda functions; not to {action!r}.",
            )
            # In these words: https://github.com/cds-snc/notification-terraform/issues/128.
            region = action.split(":")[3]
            _require(region == REGION, f"Invalid region {region} specified. Only {REGION} is supported.")
    _require_one_of("ComparisonOperator", configuration.comparison_operator, tuple(ComparisonOperator))
    _require_one_of("TreatMissingData", configuration.treat_missing_data or "missing", tuple(TreatMissingData))
    period, periods = configuration.watched.period_seconds, configuration.evaluation_periods
    longest_seconds = 86_400 if period < 3_600 else 604_800
    _require(
        period * periods <= longest_seconds,
        f"Period x EvaluationPeriods is {period * periods} seconds; at most {longest_seconds} are allowed.",
    )
    needed = configuration.datapoints_to_alarm
    _require(
        needed is None or needed <= periods,
        f"DatapointsToAlarm is {needed}; it must be between 1 and EvaluationPeriods ({periods}).",
    )


def _require_one_of(parameter: str, value: str, allowed: Iterable[str]) -> None:
    _require(value in allowed, f"{parameter} is {value!r}; it must be one of {', '.join(allowed)}.")


def _require(holds: bool, sentence: str) -> None:
    if not holds:
        raise ServiceError("ValidationError", sentence)
