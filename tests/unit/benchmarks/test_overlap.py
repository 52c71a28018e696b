"""What several instances reached together counts only where they really ran together."""

from dataclasses import replace
from random import Random

from efs_monitor.benchmarks.overlap import Lap, overlap
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.benchmarks.shared_bandwidth import PIPE_RATE, BandwidthDemand, ends_through_the_pipe


def lap(instance: str, started: float, ended: float, rate: float = 100.0) -> Lap:
    return Lap(instance_id=instance, started=started, ended=ended, amount=rate * (ended - started))


def test_what_three_moved_together_is_divided_by_all_their_time() -> None:
    together = overlap([lap("a", 0, 10, 100), lap("b", 0.5, 8.5, 50), lap("c", 0.5, 12.5, 25)])
    assert together
    assert together.rate == (10 * 100 + 8 * 50 + 12 * 25) / 12.5
    assert together.instance_ids == ("a", "b", "c")


def test_who_goes_on_alone_and_is_faster_then_adds_no_more_than_was_delivered() -> None:
    """A pipe of 100: half of it each for ten seconds, then all of it for one of them, for ten more."""
    together = overlap([lap("a", 0, 10, 50), lap("b", 0, 20, 75)])
    assert together
    assert together.rate == 100


def test_one_alone_is_no_fleet() -> None:
    assert overlap([lap("a", 0, 10)]) is None
    assert overlap([]) is None


def test_one_after_the_other_is_no_fleet() -> None:
    assert overlap([lap("a", 0, 10), lap("b", 10, 20)]) is None


def test_a_moment_together_is_not_enough() -> None:
    assert overlap([lap("a", 0, 10), lap("b", 9, 19)]) is None


def test_less_than_half_of_the_time_together_is_not_enough() -> None:
    assert overlap([lap("a", 0, 10), lap("b", 5.1, 15.1)]) is None


def test_who_ended_as_the_others_began_was_not_with_them() -> None:
    together = overlap([lap("a", 0, 10), lap("b", 10, 20), lap("c", 10, 20)])
    assert together
    assert together.instance_ids == ("b", "c")


def test_half_of_the_time_together_is_enough() -> None:
    assert overlap([lap("a", 0, 10), lap("b", 5, 15)])


def test_who_came_late_is_left_out_and_the_others_count() -> None:
    together = overlap([lap("a", 0, 10), lap("b", 0, 10), lap("late", 8, 30)])
    assert together
    assert together.instance_ids == ("a", "b")


def test_who_went_on_alone_for_most_of_its_time_is_left_out() -> None:
    together = overlap([lap("a", 0, 10, 100), lap("b", 0, 10, 100), lap("slow", 0, 21, 30)])
    assert together
    assert together.rate == 200


def test_two_pairs_are_not_four() -> None:
    together = overlap([lap("a", 0, 10), lap("b", 0, 10), lap("c", 20, 30), lap("d", 20, 30)])
    assert together
    assert together.instance_ids == ("a", "b")


# Whole milliseconds, as rounding errors of floats would decide ties.
laps = st.lists(st.tuples(st.integers(0, 30), st.integers(1, 20), st.integers(1, 1000)), min_size=2, max_size=12).map(
    lambda rows: [lap(f"i{n:02}", start, start + length, rate) for n, (start, length, rate) in enumerate(rows)]
)


@given(laps)
def test_everyone_in_it_spent_half_of_its_time_with_all_the_others(laps: list[Lap]) -> None:
    together = overlap(laps)
    if together is None:
        return
    common = min(one.ended for one in together.laps) - max(one.started for one in together.laps)
    assert all(common >= one.seconds / 2 for one in together.laps)
    assert together.rate <= sum(one.amount / one.seconds for one in together.laps) * (1 + 1e-9)


@given(laps, st.randoms())
def test_the_order_in_which_instances_are_read_changes_nothing(laps: list[Lap], random: Random) -> None:
    shuffled = list(laps)
    random.shuffle(shuffled)
    assert overlap(shuffled) == overlap(laps)


@given(laps, st.integers(-1000, 1000))
def test_only_differences_of_times_matter(laps: list[Lap], later: int) -> None:
    moved = [replace(one, started=one.started + later, ended=one.ended + later) for one in laps]
    before, after = overlap(laps), overlap(moved)
    assert (before and before.rate) == (after and after.rate)


@given(st.integers(2, 20), st.integers(1, 100))
def test_everybody_counts_who_began_and_ended_together(instances: int, seconds: int) -> None:
    together = overlap([lap(f"i{n}", 5, 5 + seconds, 10) for n in range(instances)])
    assert together
    assert together.rate == 10 * instances


wanted = st.lists(
    st.builds(BandwidthDemand, st.floats(0, 5), st.floats(10, 1000), st.floats(10, 200)), min_size=2, max_size=8
)


def through_the_pipe(wanted: list[BandwidthDemand]) -> list[Lap]:
    return [
        Lap(instance_id=f"i{n}", started=one.began, ended=ended, amount=one.amount)
        for n, (one, ended) in enumerate(zip(wanted, ends_through_the_pipe(wanted), strict=True))
    ]


@given(wanted)
def test_a_fleet_never_has_more_than_the_file_system_delivers(wanted: list[BandwidthDemand]) -> None:
    together = overlap(through_the_pipe(wanted))
    assert together is None or together.rate <= PIPE_RATE * (1 + 1e-6)


@given(wanted)
def test_a_fleet_that_keeps_the_file_system_busy_has_all_that_was_delivered(wanted: list[BandwidthDemand]) -> None:
    laps = through_the_pipe([BandwidthDemand(began=0.0, amount=one.amount, limit=PIPE_RATE) for one in wanted])
    together = overlap(laps)
    assert together is None or len(together.laps) < len(laps) or together.rate >= PIPE_RATE * (1 - 1e-6)
