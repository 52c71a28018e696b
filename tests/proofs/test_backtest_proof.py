"""The proof of backtests and advice asks what it says it asks, and nothing that was not asked holds."""

from dataclasses import replace

import pytest

from proofs.backtest.backtest_rows import BEGIN, END, of_messages, of_minutes, of_recommended, written
from proofs.backtest.brute_force import elastic_bounds, elastic_dollars, every_pair
from proofs.backtest.lives import life
from proofs.backtest.months_of_metrics import hungry, month
from proofs.backtest.questions import Chosen, Messages, Recommended, chosen_minutes, recommended

SAME = Messages(number=5, differences=())
GOOD = Recommended(
    dollars=10.0,
    best_dollars=10.0,
    slower_minutes=0,
    costs=(("elastic", 9.0, 12.0, 10.0),),
    bounds=((9.0, 9.0), (12.0, 12.0)),
)
BEST = Chosen(by_command=(4, 10), by_hand=(4, 10), best=(4, 10))


def test_one_life_in_four_leaves_bursting_mode_and_datapoints_come_sooner_or_later() -> None:
    lives = [life(seed) for seed in range(200)]
    modes = [{str(one.mode) for one in each.changes if one.mode} for each in lives]
    assert 40 <= sum(map(bool, modes)) <= 60
    assert {mode for each in modes for mode in each} == {"bursting", "elastic", "provisioned"}
    assert all("bursting" in each for each in modes if each)
    assert {each.metrics_late_minutes for each in lives} == {1, 3, 5}


def test_what_was_not_asked_does_not_hold() -> None:
    rows = [of_messages([]), *of_recommended([]), of_minutes([])]
    assert not any(row.held for row in rows)


def test_what_is_the_same_by_both_calculations_holds() -> None:
    rows = [of_messages([SAME]), *of_recommended([GOOD]), of_minutes([BEST])]
    assert all(row.held for row in rows)
    assert written(f"before\n{BEGIN}\n{END}\nafter", rows).count("| held |") == len(rows)


@pytest.mark.parametrize(
    "worse",
    [
        replace(GOOD, slower_minutes=1),
        replace(GOOD, dollars=10.6),
        replace(GOOD, dollars=None),
        replace(GOOD, costs=(("elastic", 10.2, 12.0, 10.0),)),
        replace(GOOD, costs=(("elastic", 9.0, 9.8, 10.0),)),
        replace(GOOD, bounds=((9.0, 9.0), (12.2, 12.0))),
        replace(GOOD, bounds=((8.8, 9.0), (12.0, 12.0))),
    ],
)
def test_a_dearer_a_slower_or_a_wrongly_priced_month_does_not_hold(worse: Recommended) -> None:
    assert not all(row.held for row in of_recommended([worse]))


def test_a_message_that_differs_and_a_pair_that_warns_less_do_not_hold() -> None:
    assert not of_messages([SAME, replace(SAME, differences=("alarm: ...",))]).held
    assert not of_minutes([BEST, replace(BEST, best=(5, 10))]).held


@pytest.mark.more
def test_a_month_whose_provisioned_rate_bursting_shows_too_is_advised_as_everything_tried_says() -> None:
    """Seed 12: 1 TiB with 111 MiB/s provisioned. In bursting it had been slower in 3,600 minutes."""
    found = recommended(12)
    assert found.dollars == pytest.approx(found.best_dollars)
    assert found.slower_minutes == 0


@pytest.mark.more
def test_a_month_in_which_bursting_had_been_barely_slower_is_told_in_how_many_minutes() -> None:
    """Seed 681: clients took all of 302 MiB/s for 900 minutes, and 3 TiB burst at 300."""
    found = recommended(681)
    assert found.dollars == 0
    assert found.slower_minutes == 0


@pytest.mark.more
def test_the_minutes_of_a_hungry_week_are_the_best_of_all_pairs() -> None:
    (window,) = hungry(1, days=7)
    found = chosen_minutes(window)
    assert found.by_command == found.by_hand == found.best
    assert found.best[0] > 0


def test_what_elastic_throughput_costs_lies_between_its_bounds() -> None:
    for seed in range(4):
        one = month(seed, days=1)
        least, most = elastic_bounds(one)
        assert least * (1 - 1e-9) <= elastic_dollars(one) <= most * (1 + 1e-9)


def test_of_every_pair_critical_comes_at_least_twenty_minutes_after_warning() -> None:
    pairs = every_pair([5e12] * 200, month(1).size_bytes / 2**40)
    assert min(one.warning_minutes - one.critical_minutes for one in pairs) == 20
    assert len(pairs) == 321 * 322 / 2
