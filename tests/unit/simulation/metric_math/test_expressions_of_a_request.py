"""Several expressions of one request, which may use each other."""

import pytest

from simulation.metric_math import Evaluator, MetricMathError, Series, Timeline


def evaluator(**expressions: str) -> Evaluator:
    return Evaluator(Timeline(0, 60, 2), {"m1": Series((1.0, 2.0))}, expressions)


def test_an_expression_may_use_another_wherever_it_stands() -> None:
    found = evaluator(sum="twice + m1", twice="2 * m1")
    assert found.result("sum") == Series((3.0, 6.0))
    assert found.result("twice") == Series((2.0, 4.0))


def test_an_expression_may_use_a_number_that_another_comes_to() -> None:
    assert evaluator(share="m1 / total", total="2 + 1").result("share").points == (1 / 3, 2 / 3)


def test_expressions_that_need_each_other_are_refused() -> None:
    with pytest.raises(MetricMathError, match=r"^a needs b needs a: a circle$"):
        evaluator(a="b + 1", b="a + 1").result("a")


def test_a_timeline_begins_a_period_every_so_many_seconds() -> None:
    assert list(Timeline(600, 300, 3).starts) == [600, 900, 1200]
