"""Each function, value by value."""

import pytest

from simulation.metric_math import MetricMathError
from tests.unit.simulation.metric_math.given import START, series, value, values

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
        ("IF(MAX(m1) > 1, m1, m2)", "300 500 -"),
    ],
)
def test_if_with_a_comparison_or_a_number_as_its_condition(expression: str, output: str) -> None:
    assert value(expression, m1="300 500 -", m2="1 2 3") == output


@pytest.mark.parametrize(
    ("expression", "output"),
    [
        ("FILL(m1, 7)", "7 10 7 7 40 7"),
        ("FILL(m1, MIN(m1))", "10 10 10 10 40 10"),
        ("FILL(m1, m2)", "1 10 3 - 40 6"),
        ("FILL(m1, REPEAT)", "- 10 10 10 40 40"),
        ("FILL(m1, LINEAR)", "- 10 20 30 40 -"),
    ],
)
def test_fill(expression: str, output: str) -> None:
    assert value(expression, m1="- 10 - - 40 -", m2="1 2 3 - 5 6") == output


def test_fill_fills_each_series_of_an_array_and_a_series_without_any_point() -> None:
    assert values("FILL(METRICS(), 0)", m1="1 - 3", m2="- - -") == ["1 0 3", "0 0 0"]
    assert values("FILL([m2, m1], REPEAT)", m1="1 - 3", m2="- - -") == ["- - -", "1 1 3"]


@pytest.mark.parametrize(
    ("expression", "output"),
    [
        ("DIFF(m1)", "- 4 - -6 1"),
        ("DIFF_TIME(m1)", "- 60 - 120 60"),
        ("RATE(m1)", "- 0.0666667 - -0.05 0.0166667"),
        ("RUNNING_SUM(m1)", "10 24 - 32 41"),
        ("ABS(-m1)", "10 14 - 8 9"),
        ("CEIL(m1 / 4)", "3 4 - 2 3"),
        ("FLOOR(m1 / 4)", "2 3 - 2 2"),
        ("FLOOR(LOG(m1))", "2 2 - 2 2"),
        ("LOG10(m1 * 10 - 80)", "1.30103 1.77815 - - 1"),
        ("LOG(m1 - 10)", "- 1.38629 - - -"),
        ("LOG(m1 / 20)", "-0.693147 -0.356675 - -0.916291 -0.798508"),
        ("LOG10(m1 / 20)", "-0.30103 -0.154902 - -0.39794 -0.346787"),
    ],
)
def test_functions_along_or_on_each_point(expression: str, output: str) -> None:
    assert value(expression, m1="10 14 - 8 9") == output


def test_functions_along_time_work_on_each_series_of_an_array() -> None:
    assert values("DIFF(METRICS())", m1="1 3", m2="5 1") == ["- 2", "- -4"]
    assert values("ABS(-METRICS())", m1="1 3", m2="5 -") == ["1 3", "5 -"]


@pytest.mark.parametrize(
    ("function", "number", "over_an_array"),
    [
        ("SUM", "12", "11 4 - 8"),
        ("AVG", "3", "5.5 2 - 4"),
        ("MIN", "1", "1 4 - 1"),
        ("MAX", "7", "10 4 - 7"),
        ("STDDEV", "2.44949", "4.5 0 - 3"),
        ("DATAPOINT_COUNT", "3", "2 1 0 2"),
    ],
)
def test_a_series_folds_to_a_number_and_an_array_to_a_series(function: str, number: str, over_an_array: str) -> None:
    metrics = {"m1": "1 4 - 7", "m2": "10 - - 1"}
    assert value(f"TIME_SERIES({function}(m1))", **metrics) == " ".join([number] * 4)
    assert value(f"{function}([m1, m2])", **metrics) == over_an_array


def test_what_has_no_point_folds_to_nothing() -> None:
    for function in ("SUM", "AVG", "MIN", "MAX", "STDDEV"):
        assert value(f"TIME_SERIES({function}(m1))", m1="- -") == "- -"
        assert value(f'{function}(METRICS("none"))', m1="1 2") == "- -"
    assert value("TIME_SERIES(DATAPOINT_COUNT(m1))", m1="- -") == "0 0"


def test_metrics_are_all_those_with_the_text_in_their_id_and_no_expressions() -> None:
    given = {"errors_a": "1 2", "errors_b": "3 -", "calls": "10 10"}
    assert values("METRICS()", **given) == ["1 2", "3 -", "10 10"]
    assert value("SUM(METRICS('errors')) / SUM(METRICS(\"calls\"))", **given) == "0.4 0.2"
    assert values('[METRICS("_a"), METRICS("_b")]', **given) == ["1 2", "3 -"]
    assert value("calls / METRIC_COUNT(METRICS())", **given) == "3.33333 3.33333"


def test_series_without_points_are_removed_from_an_array() -> None:
    assert values("REMOVE_EMPTY(METRICS())", m1="- -", m2="- 1") == ["- 1"]


def test_period_is_that_of_the_metric() -> None:
    assert values("m1 / PERIOD(m1)", START, 300, m1="600 -") == ["2 -"]


@pytest.mark.parametrize(
    ("function", "output"),
    [
        ("MINUTE", "59 0 1"),
        ("HOUR", "0 1 1"),
        ("DAY", "1 1 1"),
        ("DATE", "7 7 7"),
        ("MONTH", "1 1 1"),
        ("YEAR", "2030 2030 2030"),
    ],
)
def test_the_calendar_is_in_utc_begins_on_monday_and_has_no_gaps(function: str, output: str) -> None:
    assert values(f"{function}(m1)", START + 59 * 60, m1="1 - -") == [output]


def test_the_epoch_counts_seconds_since_1970() -> None:
    assert values("EPOCH(m1) - 1893974400", m1="- 1 -") == ["0 60 120"]


@pytest.mark.parametrize(
    "function", ["FIRST", "INSIGHT_RULE_METRIC", "LAST", "SEARCH", "SERVICE_QUOTA", "SLICE", "SORT"]
)
def test_a_function_that_aws_has_and_this_has_not_is_called_not_simulated(function: str) -> None:
    with pytest.raises(MetricMathError, match=f"^{function} is not simulated; "):
        values(f"{function}(m1)", m1="1")


def test_what_is_made_of_a_number_alone_is_labelled_by_the_function_that_made_it() -> None:
    assert [one.label for one in series("TIME_SERIES(1)")] == ["TIME_SERIES"]
    assert [one.label for one in series("IF(0, m1)", m1="1 2")] == ["IF"]


SIMULATED = (
    "ABS, AVG, CEIL, DATAPOINT_COUNT, DATE, DAY, DIFF, DIFF_TIME, EPOCH, FILL, FLOOR, HOUR, IF, LOG, LOG10, MAX, "
    "METRICS, METRIC_COUNT, MIN, MINUTE, MONTH, PERIOD, RATE, REMOVE_EMPTY, RUNNING_SUM, STDDEV, SUM, TIME_SERIES, YEAR"
)


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("SORT(METRICS(), AVG, DESC)", f"SORT is not simulated; simulated are {SIMULATED}"),
        ("ANOMALY_DETECTION_BAND(m1)", f"ANOMALY_DETECTION_BAND is not simulated; simulated are {SIMULATED}"),
        ("MEDIAN(m1)", f"There is no function 'MEDIAN'; there are {SIMULATED}"),
        ("sum(m1)", f"There is no function 'sum'; there are {SIMULATED}"),
        ("SUM(m1, m1)", "SUM takes 1 arguments, not 2"),
        ("IF(m1)", "IF takes 2 to 3 arguments, not 1"),
        ("FILL(m1, 1, 2)", "FILL takes 2 arguments, not 3"),
        ('METRICS("a", "b")', "METRICS takes 0 to 1 arguments, not 2"),
        ("PERIOD(m1, m1)", "PERIOD takes 1 arguments, not 2"),
        ("PERIOD(m1 + 1)", "PERIOD takes the Id of a metric"),
        ("PERIOD(m2)", "PERIOD takes the Id of a metric"),
        ("METRICS(m1)", 'METRICS takes nothing, or a text such as "errors"'),
        ('ABS("m1")', "'m1' is a text, which only METRICS takes"),
        ("ABS(1)", "ABS takes a time series or an array of them, not a number"),
        ("SUM(1)", "SUM takes a time series or an array of them, not a number"),
        ("DIFF(1)", "DIFF takes a time series or an array of them, not a number"),
        ("FILL(1, 1)", "FILL takes a time series or an array of them, not a number"),
        (
            "FILL(m1, METRICS())",
            "FILL fills with a number, a time series, REPEAT or LINEAR, not with an array of time series",
        ),
        ("HOUR(METRICS())", "HOUR takes a time series, not an array of time series"),
        ("TIME_SERIES(m1)", "TIME_SERIES takes a number, not a time series"),
        ("METRIC_COUNT(m1)", "METRIC_COUNT takes an array of time series, not a time series"),
        ("REMOVE_EMPTY(m1)", "REMOVE_EMPTY takes an array of time series, not a time series"),
        ("[m1, 1]", "An array holds time series, not a number"),
        ("IF(METRICS(), m1)", "IF takes numbers and time series, not an array of time series"),
        ("IF(0, m1, 2)", "IF with a number as its condition chooses between time series, not numbers"),
        ("IF(1, 2)", "IF with a number as its condition chooses between time series, not numbers"),
        ("IF(1, 2, m1)", "IF with a number as its condition chooses between time series, not numbers"),
        ("m2", "'m2' is the Id of no metric and of no expression of the request"),
        ("AVG(m1)", "'AVG(m1)' comes to a number; the result must be a time series or an array of time series"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(expression: str, sentence: str) -> None:
    with pytest.raises(MetricMathError) as refusal:
        values(expression, m1="1 2")
    assert str(refusal.value) == sentence
