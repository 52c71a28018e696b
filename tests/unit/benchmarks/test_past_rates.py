"""Slower than it used to be: by its own median, and only where there is one."""

from random import Random

import pytest
from efs_monitor.benchmarks.past_rates import FEWEST_RUNS, regressions
from hypothesis import given
from hypothesis import strategies as st

STEADY = {"dd-write-1m-end": (100.0, 102.0, 98.0, 101.0, 99.0)}


def test_less_than_seventy_percent_of_its_median_is_a_regression() -> None:
    (found,) = regressions({"dd-write-1m-end": 69.0}, STEADY)
    assert (found.workload_id, found.rate, found.median_rate) == ("dd-write-1m-end", 69.0, 100.0)
    assert found.percent_of_median == pytest.approx(69)


def test_seventy_percent_of_its_median_is_none() -> None:
    assert regressions({"dd-write-1m-end": 70.0}, STEADY) == ()


def test_a_workload_without_enough_of_a_past_is_not_judged() -> None:
    assert regressions({"new": 1.0}, {}) == ()
    assert regressions({"new": 1.0}, {"new": (100.0,) * (FEWEST_RUNS - 1)}) == ()
    assert regressions({"new": 1.0}, {"new": (100.0,) * FEWEST_RUNS})


def test_a_run_without_a_rate_is_no_part_of_the_past() -> None:
    with_gaps = (0.0, 0.0, *(100.0,) * (FEWEST_RUNS - 1))
    assert regressions({"w": 1.0}, {"w": with_gaps}) == ()
    assert regressions({"w": 0.1}, {"w": (0.5,) * FEWEST_RUNS})


def test_the_share_is_a_bound_that_is_still_good_enough() -> None:
    assert regressions({"w": 70.0}, {"w": (100.0,) * 5}) == ()
    (found,) = regressions({"w": 69.9}, {"w": (100.0,) * 5})
    assert found.percent_of_median == pytest.approx(69.9)


def test_two_fast_days_do_not_make_an_ordinary_one_a_regression() -> None:
    assert regressions({"w": 100.0}, {"w": (1000.0, 1000.0, 100.0, 100.0, 100.0)}) == ()


def test_each_is_held_against_its_own_past() -> None:
    history = {"fast": (1000.0,) * 5, "slow": (10.0,) * 5}
    assert regressions({"slow": 9.0, "fast": 900.0}, history) == ()


def test_they_come_by_id() -> None:
    history = {"b": (10.0,) * 5, "a": (10.0,) * 5}
    assert [one.workload_id for one in regressions({"b": 1.0, "a": 1.0}, history)] == ["a", "b"]


rates = st.floats(0.001, 1e12)


@given(st.lists(rates, min_size=FEWEST_RUNS), rates)
def test_nothing_as_fast_as_the_fastest_run_so_far_is_a_regression(past: list[float], more: float) -> None:
    assert regressions({"w": min(past) + more}, {"w": past}) == () or more < max(past)
    assert regressions({"w": max(past)}, {"w": past}) == ()


@given(st.lists(rates, min_size=FEWEST_RUNS), rates, st.randoms())
def test_the_order_of_the_past_changes_nothing(past: list[float], rate: float, random: Random) -> None:
    shuffled = list(past)
    random.shuffle(shuffled)
    assert regressions({"w": rate}, {"w": past}) == regressions({"w": rate}, {"w": shuffled})
