"""What clients did, from the bytes of each minute that CloudWatch has."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest
from efs_monitor.efs.credits import GIB, MIB, TIB
from efs_monitor.efs.observations import (
    FASTER_THAN_ANY,
    Activity,
    BalancePoint,
    as_they_fit,
    clients_activity,
    last_cut,
    since_the_last_cut,
)
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.strategies import NOW

MINUTES_OF_AN_HOUR = [NOW - timedelta(minutes=age) for age in range(60)]
byte_counts = st.dictionaries(st.sampled_from(MINUTES_OF_AN_HOUR), st.integers(0, 10 * TIB).map(float))


def activity(
    read: float = 0, written: float = 0, metadata: float = 0, metered: float = 0, minutes: int = 60
) -> Activity:
    return Activity(
        read_bytes=read,
        written_bytes=written,
        metadata_bytes=metadata,
        metered_bytes=metered,
        busiest_bytes_per_second=0,
        observed_minutes=minutes,
    )


def test_shares_are_parts_of_all_bytes_moved() -> None:
    assert activity(read=60, written=30, metadata=10).shares() == (0.6, 0.3, 0.1)


def test_an_idle_file_system_has_no_shares() -> None:
    assert activity().shares() is None


def test_a_single_byte_has_shares() -> None:
    assert activity(read=1).shares() == (1, 0, 0)


def test_the_metered_rate_is_an_average_over_the_minutes_that_were_observed() -> None:
    assert activity(metered=6000, minutes=10).metered_bytes_per_second == 10
    assert activity(metered=6000, minutes=0).metered_bytes_per_second == 0


@given(byte_counts, byte_counts, byte_counts, byte_counts, st.sets(st.sampled_from(MINUTES_OF_AN_HOUR), min_size=1))
def test_rate_times_minutes_is_what_flowed_in_those_minutes(
    metered: dict[datetime, float],
    read: dict[datetime, float],
    written: dict[datetime, float],
    metadata: dict[datetime, float],
    gauged: set[datetime],
) -> None:
    """Whatever minutes CloudWatch has of anything: an idle one has gauges and no bytes, another mode no balance."""
    found = clients_activity(gauged, metered=metered, read=read, written=written, metadata=metadata)
    assert found is not None
    assert found.observed_minutes == len(gauged | metered.keys() | read.keys() | written.keys() | metadata.keys())
    flowed = found.metered_bytes_per_second * found.observed_minutes * 60
    assert flowed == pytest.approx(sum(metered.values()))
    assert found.busiest_bytes_per_second >= found.metered_bytes_per_second * (1 - 1e-9)
    assert found.busiest_bytes_per_second <= max(metered.values(), default=0) / 60 * (1 + 1e-9)
    moved = (found.read_bytes, found.written_bytes, found.metadata_bytes)
    assert moved == (sum(read.values()), sum(written.values()), sum(metadata.values()))


def test_what_was_done_lately_is_that_of_the_last_quarter_of_an_hour() -> None:
    read = {NOW - timedelta(minutes=age): 60.0 for age in range(14, 60)}
    written = {NOW - timedelta(minutes=age): 60.0 for age in range(14)}
    found = clients_activity(MINUTES_OF_AN_HOUR, metered=read | written, read=read, written=written, metadata={})
    assert found is not None
    assert found.lately is not None
    assert (found.lately.read_bytes, found.lately.written_bytes) == (60, 14 * 60)
    assert found.lately.observed_minutes == 15


def test_of_no_minute_nothing_is_known() -> None:
    assert clients_activity((), metered={}, read={}, written={}, metadata={}) is None


def test_the_busiest_minutes_are_five_in_a_row_wherever_they_are() -> None:
    batch = {NOW - timedelta(minutes=age): 60.0 * MIB * 100 for age in range(20, 25)}
    rush = {NOW - timedelta(minutes=40): 60.0 * MIB * 300}
    gauged = MINUTES_OF_AN_HOUR
    for metered, mib_per_second in ((batch, 100), (rush, 60), (batch | rush, 100)):
        found = clients_activity(gauged, metered=metered, read={}, written={}, metadata={})
        assert found is not None
        assert found.busiest_bytes_per_second == pytest.approx(mib_per_second * MIB)


def test_the_end_of_a_pulse_at_the_edge_of_the_hour_is_no_five_minutes() -> None:
    """What came before it is not known; averaged over a minute it would be five times as busy as any of the others."""
    pulses = {
        minute: 60.0 * MIB * 40 for minute in MINUTES_OF_AN_HOUR if (NOW - minute) // timedelta(minutes=1) % 10 == 9
    }
    assert min(MINUTES_OF_AN_HOUR) in pulses
    found = clients_activity(MINUTES_OF_AN_HOUR, metered=pulses, read={}, written={}, metadata={})
    assert found is not None
    assert found.busiest_bytes_per_second == pytest.approx(8 * MIB)


def test_minutes_that_cloudwatch_has_nothing_of_are_not_taken_for_idle() -> None:
    known = [NOW - timedelta(minutes=age) for age in range(0, 60, 10)]
    metered = dict.fromkeys(known, 60.0 * MIB * 100)
    found = clients_activity(known, metered=metered, read={}, written={}, metadata={})
    assert found is not None
    assert found.busiest_bytes_per_second == found.metered_bytes_per_second == pytest.approx(100 * MIB)


def balances(*gib: float, step: timedelta = timedelta(minutes=1)) -> tuple[BalancePoint, ...]:
    return tuple(BalancePoint(time=NOW + index * step, balance_bytes=one * GIB) for index, one in enumerate(gib))


# A load at 100 MiB/s takes 5.9 GiB a minute, and 6.4 with the tenth that metrics may be off.
FASTEST = 100 * MIB


def test_what_a_smaller_bucket_cuts_off_is_no_fall() -> None:
    shrunk = balances(900, 894, 300, 295, 289)
    assert since_the_last_cut(shrunk, FASTEST) == shrunk[2:]
    assert since_the_last_cut(shrunk[2:], FASTEST) == shrunk[2:]
    assert since_the_last_cut((), FASTEST) == ()
    twice = balances(900, 600, 599, 300)
    assert since_the_last_cut(twice, FASTEST) == twice[3:]


@pytest.mark.parametrize(("lost_gib", "is_cut"), [(6.4, False), (6.5, True)])
def test_a_fall_as_fast_as_it_may_be_driven_is_a_load(lost_gib: float, is_cut: bool) -> None:
    fallen = balances(900, 900 - lost_gib)
    assert (since_the_last_cut(fallen, FASTEST) != fallen) is is_cut


def test_where_points_are_missing_between_two_a_load_had_longer() -> None:
    first, _, _, last = balances(900, 895, 890, 882)
    assert since_the_last_cut((first, last), FASTEST) == (first, last)


def test_the_balances_before_a_cut_are_no_more_than_was_left_after_it() -> None:
    """The lowest of each five minutes: between two of them lie ten at the most, in which a load takes 64 GiB."""
    step = timedelta(minutes=5)
    lived = balances(200, 900, 850, 300, 270, step=step)
    assert as_they_fit(lived, FASTEST, step) == balances(200, 300, 300, 300, 270, step=step)
    calm = balances(900, 840, 780, 800, step=step)
    assert as_they_fit(calm, FASTEST, step) == calm
    assert as_they_fit((), FASTEST, step) == ()


def test_more_is_gone_than_the_fastest_load_takes_and_a_tenth_before_it_is_a_cut() -> None:
    """In a minute and a step of five: at a million bytes a second, 396 million."""
    most = FASTER_THAN_ANY * 1_000_000 * 360

    def cut(gone: float) -> bool:
        points = [
            BalancePoint(time=NOW + timedelta(minutes=minute), balance_bytes=left)
            for minute, left in enumerate((most + gone, most))
        ]
        return last_cut(points, 1_000_000, timedelta(minutes=5)) is not None

    assert [cut(most), cut(most + 1), cut(0), cut(-most)] == [False, True, False, False]


def test_before_a_cut_there_was_no_more_than_was_left_after_it() -> None:
    left = (9e9, 2e9, 4e9, 3e9, 3.1e9)
    points = [BalancePoint(time=NOW + timedelta(minutes=one), balance_bytes=left[one]) for one in range(5)]
    fitting = as_they_fit(points, 1_000_000, timedelta(0))
    assert [one.balance_bytes for one in fitting] == [2e9, 2e9, 3e9, 3e9, 3.1e9]
    assert as_they_fit(points, 1_000_000_000, timedelta(0)) == tuple(points)


@pytest.mark.parametrize(
    ("busy", "minutes", "busiest"),
    [
        # Five in a row at the beginning, amid and at the end, and fewer.
        (range(5), 6, 5 / 5),
        (range(3, 8), 10, 5 / 5),
        (range(5, 10), 10, 5 / 5),
        (range(2), 10, 2 / 5),
        ((0, 4), 10, 2 / 5),
        ((0, 5), 10, 1 / 5),
        # Of fewer minutes than five all that are known.
        (range(2), 3, 2 / 3),
        (range(3, 4), 4, 1 / 4),
    ],
)
def test_the_busiest_are_five_minutes_in_a_row(busy: Sequence[int], minutes: int, busiest: float) -> None:
    known = [NOW + timedelta(minutes=minute) for minute in range(minutes)]
    found = clients_activity(known, metered={known[one]: 60.0 for one in busy}, read={}, written={}, metadata={})
    assert found is not None
    assert found.busiest_bytes_per_second == pytest.approx(busiest)
