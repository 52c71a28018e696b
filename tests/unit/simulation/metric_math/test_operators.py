"""Operators over numbers, time series and arrays; the guide's own examples first."""

import pytest

from simulation.metric_math import MetricMathError
from tests.unit.simulation.metric_math.given import series, value, values

# The user guide's metric1 and metric2, "Comparison and logical operators".
GUIDE = {"metric1": "30 20 0 0", "metric2": "20 - 20 -"}


@pytest.mark.parametrize(
    ("expression", "output"),
    [
        ("(metric1 < metric2)", "0 0 1 0"),
        ("(metric1 >= 30)", "1 0 0 0"),
        ("(metric1 > 15 AND metric2 > 15)", "1 0 0 0"),
    ],
)
def test_the_examples_of_the_guide(expression: str, output: str) -> None:
    assert value(expression, **GUIDE) == output


@pytest.mark.parametrize(
    ("expression", "output"),
    [
        ("m1 + m2", "11 20 3 -"),
        ("m1 - m2", "-9 -20 3 -"),
        ("m1 * m2", "10 0 0 -"),
        ("m1 / m2", "0.1 0 - -"),
        ("m2 / m1", "10 - 0 -"),
        ("m1 ^ 2", "1 - 9 -"),
        ("-m1", "-1 - -3 -"),
        ("100 - m1", "99 - 97 -"),
        ("m1 / 0", "- - - -"),
    ],
)
def test_a_point_that_only_one_side_has_counts_as_zero_on_the_other(expression: str, output: str) -> None:
    assert value(expression, m1="1 - 3 -", m2="10 20 - -") == output


@pytest.mark.parametrize(
    ("sign", "output"), [("==", "0 1 0"), ("!=", "1 0 1"), ("<", "1 0 0"), ("<=", "1 1 0"), (">", "0 0 1")]
)
def test_every_comparison(sign: str, output: str) -> None:
    assert value(f"m1 {sign} 2", m1="1 2 3") == output
    assert value(f"m1 {sign} TIME_SERIES(2)", m1="1 2 3") == output


@pytest.mark.parametrize(("sign", "output"), [("AND", "1 0 0 0 -"), ("OR", "1 1 0 1 -"), ("&&", "1 0 0 0 -")])
def test_logical_operators_treat_everything_but_zero_as_true(sign: str, output: str) -> None:
    assert value(f"m1 {sign} m2", m1="2 0 0 -1 -", m2="-3 1 0 - -") == output


def test_powers_without_a_real_number_are_dropped() -> None:
    assert value("m1 ^ 0.5", m1="4 -4 0") == "2 - 0"
    assert value("m1 ^ -1", m1="4 0 -") == "0.25 - -"
    assert value("m1 ^ 9999", m1="10 1 0") == "- 1 0"


def test_arrays_are_computed_series_by_series() -> None:
    two = {"m1": "1 2", "m2": "3 -"}
    assert values("[m1, m2] * 2", **two) == ["2 4", "6 -"]
    assert values("6 / [m1, m2]", **two) == ["6 3", "2 -"]
    assert values("m1 - [m1, m2]", **two) == ["0 0", "-2 2"]
    assert values("[m1, m2] - m1", **two) == ["0 0", "2 -2"]
    assert values("[m1, m2] + [m2, m1]", **two) == ["4 2", "4 2"]
    assert values("-[m1, m2]", **two) == ["-1 -2", "-3 -"]


def test_the_series_of_an_array_keep_their_labels() -> None:
    for expression in ("[m1, m2] / m1", "m1 / [m1, m2]", "1 / METRICS()", "-[m1, m2]"):
        assert [one.label for one in series(expression, m1="1 2", m2="3 4")] == ["m1", "m2"]


def test_arrays_of_unequal_length_are_refused() -> None:
    with pytest.raises(MetricMathError, match=r"^\+ needs arrays of one length, not of 2 and 1 time series$"):
        values("[m1, m1] + [m1]", m1="1")


@pytest.mark.parametrize("expression", ["[m1] > 1", "1 > [m1]", "m1 AND [m1]"])
def test_arrays_are_not_compared(expression: str) -> None:
    with pytest.raises(MetricMathError, match="compares numbers and time series, not an array of time series"):
        values(expression, m1="1")


def test_a_number_that_an_empty_series_does_not_have_drops_every_point() -> None:
    assert value("m1 / MAX(m2)", m1="1 2", m2="- -") == "- -"
    assert value("MAX(m2) + m1", m1="1 2", m2="- -") == "- -"
    assert value("TIME_SERIES(MAX(m2) + 1)", m2="- -") == "- -"
    assert value("TIME_SERIES(1 / 0)", m2="- -") == "- -"
