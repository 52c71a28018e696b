"""What an expression means, and how a wrong one is refused."""

import pytest

from simulation.metric_math import MetricMathError, names, parse
from tests.unit.simulation.metric_math.series_notation import value


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("10 - 4 - 3", "3"),
        ("16 / 4 / 2", "2"),
        ("2 ^ 3 ^ 2", "512"),
        ("-2 ^ 2", "-4"),
        ("2 ^ -1", "0.5"),
        ("- -2 * 3", "6"),
        ("50.25 - .25", "50"),
        ("1 + 1 > 1 AND 2 > 3", "0"),
        ("1 OR 1 AND 0", "1"),
        ("1 || 1 && 0", "1"),
        ("3 > 2 == 1", "1"),
        ("1 AND 2 AND 0", "0"),
        ("007 + 1", "8"),
    ],
)
def test_operators_bind_as_in_arithmetic(expression: str, result: str) -> None:
    assert value(f"0 * m1 + ({expression})", m1="1") == result


def test_blanks_and_line_breaks_mean_nothing() -> None:
    assert value("\n ABS (\tm1+ 1 ) ", m1="1") == "2"


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("", "'' cannot be read: invalid syntax"),
        ("1 +", "'1 +' cannot be read: invalid syntax"),
        ("m1 m2", "'m1 m2' cannot be read: invalid syntax"),
        ("1e6", "'1e6' cannot be read: invalid syntax"),
        ("(m1", "'(m1' cannot be read: '(' was never closed"),
        ("* m1", "'* m1' cannot be read: invalid syntax"),
        ("2 * * 3", "'2 * * 3' cannot be read: invalid syntax"),
        ("+ m1", "'+ m1' cannot be read: metric math has no UAdd"),
        ("(m1, m2)", "'(m1, m2)' cannot be read: metric math has no Tuple"),
        ("[m1, m2]", "'[' at 0 means nothing in '[m1, m2]'"),
        ("m1 % 2", "'%' at 3 means nothing in 'm1 % 2'"),
        ('SEARCH("x)', "'\"' at 7 means nothing in 'SEARCH(\"x)'"),
        ("m1 and m2", "'and' at 3 means nothing in 'm1 and m2'"),
    ],
)
def test_what_cannot_be_read_is_refused(expression: str, sentence: str) -> None:
    with pytest.raises(MetricMathError) as refusal:
        parse(expression)
    assert str(refusal.value) == sentence


def test_the_ids_of_an_expression_are_found_wherever_they_stand() -> None:
    expression = "-a + ABS(c) / (IF(d > 1, e ^ 2, FILL(f, REPEAT)) OR b)"
    assert list(names(expression)) == ["a", "c", "d", "e", "f", "REPEAT", "b"]


def test_an_expression_without_metrics_names_none() -> None:
    assert list(names("-1")) == []
