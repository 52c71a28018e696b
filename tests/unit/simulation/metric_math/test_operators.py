"""Operators over numbers and time series; the guide's own examples first."""

import pytest

from tests.unit.simulation.metric_math.series_notation import value

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
    assert value(f"m1 {sign} m2", m1="1 2 3", m2="2 2 2") == output


@pytest.mark.parametrize(("sign", "output"), [("AND", "1 0 0 0 -"), ("OR", "1 1 0 1 -"), ("&&", "1 0 0 0 -")])
def test_logical_operators_treat_everything_but_zero_as_true(sign: str, output: str) -> None:
    assert value(f"m1 {sign} m2", m1="2 0 0 -1 -", m2="-3 1 0 - -") == output


def test_powers_without_a_real_number_are_dropped() -> None:
    assert value("m1 ^ 0.5", m1="4 -4 0") == "2 - 0"
    assert value("m1 ^ -1", m1="4 0 -") == "0.25 - -"
    assert value("m1 ^ 9999", m1="10 1 0") == "- 1 0"


def test_a_number_that_a_division_by_zero_does_not_have_drops_every_point() -> None:
    assert value("m1 / (1 / 0)", m1="1 2") == "- -"
    assert value("(1 / 0) + m1", m1="1 2") == "- -"
    assert value("m1 * (1 / 0 + 1)", m1="1 2") == "- -"
