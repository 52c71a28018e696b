"""The words and the JSON that CloudWatch gives with an alarm's state: StateReason and StateReasonData.

AWS documents neither as a format. Both follow the user guide's sample events and the mails people have published;
what no sample shows is said where it is decided.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

from simulation.alarm_evaluation import AlarmRule, ComparisonOperator, Evaluation, Point, State, TreatMissingData

INITIAL_REASON = "Unchecked: Initial alarm creation"

# Samples of up to 3 points show them all in brackets, samples of 5 and more only the 5 newest. 4 is a guess.
LONG_LIST = 5

_WORDS = {
    ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD: "greater than or equal to",
    ComparisonOperator.GREATER_THAN_THRESHOLD: "greater than",
    ComparisonOperator.LESS_THAN_THRESHOLD: "less than",
    ComparisonOperator.LESS_THAN_OR_EQUAL_TO_THRESHOLD: "less than or equal to",
}

_TREATED_AS = {TreatMissingData.BREACHING: "[Breaching]", TreatMissingData.NOT_BREACHING: "[NonBreaching]"}


def state_reason(evaluation: Evaluation, rule: AlarmRule) -> str:
    """CloudWatch's sentence for an evaluated state, for example

    `Threshold Crossed: 1 out of the last 15 datapoints [3.2E11 (07/01/30 02:13:00)] was less than or equal to the
    threshold (1.1324E12) (minimum 1 datapoint for OK -> ALARM transition).`

    Raises ValueError for a state that was kept: CloudWatch then leaves the earlier reason as it is.
    """
    _refuse_kept(evaluation)
    absent = len(evaluation.missing)
    if evaluation.state is State.INSUFFICIENT_DATA:
        # The samples are of ranges without any point; one with too few is taken to read the same.
        return f"Insufficient Data: {_count(absent, 'datapoint')} {_was(absent)} unknown."

    treated = ""
    if absent and rule.treat_missing_data in _TREATED_AS:
        treated_as = _TREATED_AS[rule.treat_missing_data]
        treated = f" and {_count(absent, 'missing datapoint')} {_was(absent)} treated as {treated_as}"
    deciding = _deciding(evaluation, rule)
    number = len(deciding)
    if number == 0:
        received = len(evaluation.real)
        received_words = f"{_count(received, 'datapoint')} {_was(received)}" if received else "no datapoints were"
        periods = _count(rule.evaluation_periods, "period")
        return f"Threshold Crossed: {received_words} received for {periods}{treated}."

    points, most_recent = f" [{_listed(deciding)}]", ""
    if number >= LONG_LIST:
        # No sample shows this form for a recovery, nor together with missing points.
        points = ""
        most_recent = f". The most recent datapoints which crossed the threshold: [{_listed(deciding[:LONG_LIST])}]"
    if rule.datapoints_to_alarm is None:
        crossed, minimum = _count(number, "datapoint"), ""
    else:
        crossed = f"{number} out of the last {rule.evaluation_periods} datapoints"
        transition = "OK -> ALARM" if evaluation.state is State.ALARM else "ALARM -> OK"
        minimum = f" (minimum {_count(_needed(evaluation, rule), 'datapoint')} for {transition} transition)"
    negation = "" if evaluation.state is State.ALARM else "not "
    return (
        f"Threshold Crossed: {crossed}{points} {_was(number)} {negation}{_WORDS[rule.comparison_operator]} "
        f"the threshold ({java_double(rule.threshold)}){treated}{most_recent}{minimum}."
    )


def state_reason_data(
    evaluation: Evaluation, rule: AlarmRule, *, query_date: datetime, statistic: str | None, period_seconds: int
) -> str:
    """StateReasonData, the JSON text with the threshold in it, keys and number format as CloudWatch writes them.

    As in the samples `recentDatapoints` are all real values, oldest first, and `evaluatedDatapoints`, newest first, as
    many deciding points as the transition needs, a missing one without a value. An expression has no `statistic`.
    Raises ValueError as `state_reason`.
    """
    _refuse_kept(evaluation)
    deciding: list[Point] = _deciding(evaluation, rule)
    if _stands_in(evaluation, rule):
        deciding = sorted([*deciding, *evaluation.missing], key=lambda point: point.timestamp, reverse=True)
    fields = [
        '"version":"1.0"',
        f'"queryDate":{_timestamp(query_date)}',
        *([f'"startDate":{_timestamp(evaluation.real[0].timestamp)}'] if evaluation.real else []),
        *([] if statistic is None else [f'"statistic":{json.dumps(statistic)}']),
        f'"period":{period_seconds}',
        f'"recentDatapoints":[{",".join(java_double(point.value or 0.0) for point in evaluation.real)}]',
        f'"threshold":{java_double(rule.threshold)}',
        f'"evaluatedDatapoints":[{",".join(map(_evaluated, deciding[: _needed(evaluation, rule)]))}]',
    ]
    return "{" + ",".join(fields) + "}"


def java_double(value: float) -> str:
    """A number as Java prints a double, and so as CloudWatch does: `50.0`, `3.2E11`."""
    if value == 0 or 1e-3 <= abs(value) < 1e7:
        return repr(float(value))
    sign, digits, exponent = Decimal(repr(float(value))).normalize().as_tuple()
    mantissa = "".join(map(str, digits))
    power = int(exponent) + len(digits) - 1
    return f"{'-' if sign else ''}{mantissa[0]}.{mantissa[1:] or '0'}E{power}"


def _refuse_kept(evaluation: Evaluation) -> None:
    if evaluation.kept:
        raise ValueError(f"{evaluation.state} was kept while data is missing: its earlier reason stays as it is")


def _deciding(evaluation: Evaluation, rule: AlarmRule) -> list[Point]:
    """The real points that speak for the state, newest first."""
    if evaluation.state is State.INSUFFICIENT_DATA:
        return []
    speaks_for = evaluation.state is State.ALARM
    newest_first = reversed(evaluation.real)
    return [point for point in newest_first if point.value is not None and rule.breaches(point.value) is speaks_for]


def _stands_in(evaluation: Evaluation, rule: AlarmRule) -> bool:
    """Whether missing points speak for the state too."""
    return (evaluation.state, rule.treat_missing_data) in {
        (State.INSUFFICIENT_DATA, TreatMissingData.MISSING),
        (State.ALARM, TreatMissingData.BREACHING),
        (State.OK, TreatMissingData.NOT_BREACHING),
    }


def _needed(evaluation: Evaluation, rule: AlarmRule) -> int:
    """How many points a transition into this state takes: M, or for OK as many as leave fewer than M."""
    if evaluation.state is State.ALARM:
        return rule.breaches_to_alarm
    if evaluation.state is State.OK:
        return rule.evaluation_periods - rule.breaches_to_alarm + 1
    return rule.evaluation_periods


def _listed(points: Sequence[Point]) -> str:
    return ", ".join(
        f"{java_double(point.value or 0.0)} ({point.timestamp.astimezone(UTC):%d/%m/%y %H:%M:%S})" for point in points
    )


def _evaluated(point: Point) -> str:
    fields = [f'"timestamp":{_timestamp(point.timestamp)}']
    if point.sample_count is not None:
        fields.append(f'"sampleCount":{java_double(point.sample_count)}')
    if point.value is not None:
        fields.append(f'"value":{java_double(point.value)}')
    return "{" + ",".join(fields) + "}"


def _timestamp(moment: datetime) -> str:
    utc = moment.astimezone(UTC)
    return f'"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}+0000"'


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _was(number: int) -> str:
    return "was" if number == 1 else "were"
