"""Each function, value by value."""

import pytest

from simulation.metric_math import MetricMathError
from tests.unit.simulation.metric_math.series_notation import value

# The user guide's tables, "Using IF expressions".
GUIDE = {"metric1": "1 1 0 0 -", "metric2": "30 - 0 0 30", "metric3": "0 0 20 - 20"}


@pytest.mark.parametrize(
    ("expression", "output"),
    [
        ("IF(metric1, metric2, metric3)", "30 0 20 - -"),
        ("IF(metric1, 5, metric3)", "5 5 20 - -"),
        ("IF(metric1, metric2, 5)", "30 0 5 5 -"),
    ],
)
def test_the_tables_of_the_guide_for_if(expression: str, output: str) -> None:
    assert value(expression, **GUIDE) == output


@pytest.mark.parametrize(
    ("expression", "output"),
    [
        ("IF(m1 < 400, m1)", "300 - -"),
        ("IF(m1 < 400, 10, 2)", "10 2 -"),
        ("IF(m1 > 400, 1, 0)", "0 1 -"),
        ("IF(m1, 1)", "1 1 -"),
        ("IF(1, m1)", "300 500 -"),
        ("IF(0, m1, m2)", "1 2 3"),
        ("IF(0, m1)", "- - -"),
        ("IF(2 > 1, m1, m2)", "300 500 -"),
    ],
)
def test_if_with_a_comparison_or_a_number_as_its_condition(expression: str, output: str) -> None:
    assert value(expression, m1="300 500 -", m2="1 2 3") == output


@pytest.mark.parametrize(
    ("expression", "output"),
    [
        ("FILL(m1, 7)", "7 10 7 7 40 7"),
        ("FILL(m1, 2 * 5)", "10 10 10 10 40 10"),
        ("FILL(m1, m2)", "1 10 3 - 40 6"),
        ("FILL(m1, REPEAT)", "- 10 10 10 40 40"),
        ("FILL(m1, LINEAR)", "- 10 20 30 40 -"),
    ],
)
def test_fill(expression: str, output: str) -> None:
    assert value(expression, m1="- 10 - - 40 -", m2="1 2 3 - 5 6") == output


def test_a_series_without_any_point_has_nothing_to_repeat() -> None:
    assert value("FILL(m1, REPEAT)", m1="- - -") == "- - -"


@pytest.mark.parametrize(
    ("expression", "output"),
    [
        ("RATE(m1)", "- 0.0666667 - -0.05 0.0166667"),
        ("ABS(-m1)", "10 14 - 8 9"),
        ("RUNNING_SUM(m1)", "10 24 - 32 41"),
        ("RUNNING_SUM(FILL(m1, 1))", "10 24 25 33 42"),
    ],
)
def test_functions_on_each_point(expression: str, output: str) -> None:
    assert value(expression, m1="10 14 - 8 9") == output


def test_period_is_that_of_the_metric() -> None:
    assert value("m1 / PERIOD(m1)", 300, m1="600 -") == "2 -"


@pytest.mark.parametrize(
    "function",
    ["AVG", "FIRST", "INSIGHT_RULE_METRIC", "METRICS", "SEARCH", "SERVICE_QUOTA", "SORT", "SUM", "TIME_SERIES", "YEAR"],
)
def test_a_function_that_aws_has_and_this_has_not_is_called_not_simulated(function: str) -> None:
    with pytest.raises(MetricMathError, match=f"^{function} is not simulated; "):
        value(f"{function}(m1)", m1="1")


SIMULATED = "ABS, FILL, IF, PERIOD, RATE, RUNNING_SUM"


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("SORT(m1, AVG, DESC)", f"SORT is not simulated; simulated are {SIMULATED}"),
        ("ANOMALY_DETECTION_BAND(m1)", f"ANOMALY_DETECTION_BAND is not simulated; simulated are {SIMULATED}"),
        ("MEDIAN(m1)", f"There is no function 'MEDIAN'; there are {SIMULATED}"),
        ("abs(m1)", f"There is no function 'abs'; there are {SIMULATED}"),
        ("ABS(m1, m1)", "ABS takes 1 arguments, not 2"),
        ("IF(m1)", "IF takes 2 to 3 arguments, not 1"),
        ("FILL(m1, 1, 2)", "FILL takes 2 arguments, not 3"),
        ("PERIOD(m1, m1)", "PERIOD takes 1 arguments, not 2"),
        ("PERIOD(m1 + 1)", "PERIOD takes the Id of a metric"),
        ("PERIOD(m2)", "PERIOD takes the Id of a metric"),
        ('ABS("m1")', "'m1' is no number, no Id and no function that is simulated"),
        ("ABS(1)", "ABS takes a time series, not a number"),
        ("RATE(1)", "RATE takes a time series, not a number"),
        ("RUNNING_SUM(1)", "RUNNING_SUM takes a time series, not a number"),
        ("FILL(1, 1)", "FILL takes a time series, not a number"),
        ("IF(0, m1, 2)", "IF with a number as its condition chooses between time series, not numbers"),
        ("IF(1, 2)", "IF with a number as its condition chooses between time series, not numbers"),
        ("IF(1, 2, m1)", "IF with a number as its condition chooses between time series, not numbers"),
        ("m2", "'m2' is the Id of no metric and of no expression of the request"),
        ("PERIOD(m1)", "'PERIOD(m1)' comes to a number; the result must be a time series"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(expression: str, sentence: str) -> None:
    with pytest.raises(MetricMathError) as refusal:
        value(expression, m1="1 2")
    assert str(refusal.value) == sentence
