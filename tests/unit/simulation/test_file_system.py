"""A simulated file system: sizes, modes, metering, and what it publishes."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulation.burst_credits import GIB, MIB, TIB, bucket_bytes
from simulation.file_system import (
    Bursting,
    Elastic,
    FileSystem,
    Load,
    Provisioned,
    SimulatedMinute,
    ThroughputMode,
    created,
    step,
)
from simulation.file_system_metrics import Datapoint

IDLE = Load()
FLAT_OUT = Load(write_bytes=60 * 5 * GIB)


def live(state: FileSystem, loads: Iterable[Load]) -> tuple[FileSystem, list[SimulatedMinute]]:
    minutes = []
    for load in loads:
        state, minute = step(state, load)
        minutes.append(minute)
    return state, minutes


def only(minute: SimulatedMinute, name: str, storage_class: str | None = None) -> Datapoint:
    (found,) = [point for point in minute.datapoints if (point.name, point.storage_class) == (name, storage_class)]
    return found


def names(minute: SimulatedMinute) -> set[str]:
    return {point.name for point in minute.datapoints}


def test_a_file_system_of_which_nothing_else_is_said_is_bursting_below_one_gib_a_second() -> None:
    said = FileSystem(standard_bytes=40 * TIB, metered_standard_bytes=40 * TIB, balance_bytes=1.0)
    assert (said.mode, said.infrequent_access_bytes, said.metering_minute, said.minute) == (Bursting(), 0, 0, 0)
    for one in (said, created(40 * TIB)):
        assert one.regional_cap_bytes_per_second == 1024 * MIB
        assert one.metering_minute == 0
        assert not one.balance_published_in_elastic


def test_elastic_throughput_ends_at_one_gib_a_second_where_nothing_else_is_said() -> None:
    assert created(1 * TIB, Elastic()).permitted_bytes_per_second(has_credits=False) == 1024 * MIB


def test_a_load_of_which_nothing_is_said_is_one_idle_client() -> None:
    assert (
        Load(read_bytes=0, write_bytes=0, metadata_operations=0, client_connections=1, data_operation_bytes=1024 * 1024)
        == IDLE
    )


def test_a_new_file_system_starts_with_a_full_bucket_and_keeps_it_while_idle() -> None:
    state, minutes = live(created(100 * GIB), [IDLE] * 3)
    assert state.balance_bytes == 2_308_974_418_330
    assert only(minutes[-1], "BurstCreditBalance").minimum == 2_308_974_418_330


def test_reads_cost_a_third_writes_all_and_metadata_4_kib_an_operation() -> None:
    assert Load(read_bytes=300, write_bytes=50, metadata_operations=2).metered_bytes == 100 + 50 + 8192


def test_a_load_above_the_earning_rate_spends_the_difference() -> None:
    state, minute = step(created(1 * TIB), Load(write_bytes=60 * 70 * MIB))
    assert state.balance_bytes == bucket_bytes(1 * TIB) - 60 * 20 * MIB
    assert (minute.credits.spent_bytes, minute.credits.earned_bytes) == (60 * 70 * MIB, 60 * 50 * MIB)


def test_permitted_throughput_falls_to_the_baseline_at_zero_and_is_back_after_an_idle_minute() -> None:
    state = replace(created(1 * TIB), balance_bytes=30 * 50 * MIB)
    _, minutes = live(state, [FLAT_OUT, FLAT_OUT, IDLE, IDLE])
    permitted = [only(minute, "PermittedThroughput") for minute in minutes]
    assert [(point.minimum / MIB, point.average / MIB, point.maximum / MIB) for point in permitted] == [
        (50, 75, 100),
        (50, 50, 50),
        (50, 100, 100),
        (100, 100, 100),
    ]


def test_at_zero_a_small_file_system_still_moves_1_mib_a_second() -> None:
    _, minute = step(replace(created(10 * GIB), balance_bytes=0), FLAT_OUT)
    assert only(minute, "PermittedThroughput").maximum == 1 * MIB
    assert only(minute, "MeteredIOBytes").sum == 60 * MIB


def test_growth_counts_from_the_next_metering_on() -> None:
    state = replace(created(1 * TIB, metering_minute=2), standard_bytes=2 * TIB)
    _, minutes = live(state, [IDLE] * 3)
    assert [only(minute, "PermittedThroughput").maximum / MIB for minute in minutes] == [100, 100, 200]


def test_metering_comes_round_once_an_hour() -> None:
    state, _ = live(created(1 * TIB, metering_minute=2), [IDLE] * 3)
    state, _ = live(replace(state, standard_bytes=2 * TIB), [IDLE] * 59)
    assert state.metered_standard_bytes == 1 * TIB
    state, _ = step(state, IDLE)
    assert state.metered_standard_bytes == 2 * TIB


def test_a_file_system_that_shrank_keeps_no_more_than_its_new_bucket() -> None:
    state, minute = step(replace(created(2 * TIB), standard_bytes=3 * TIB // 2), IDLE)
    assert state.balance_bytes == round(1.5 * 2.1 * TIB)
    assert only(minute, "BurstCreditBalance").maximum == round(1.5 * 2.1 * TIB)


def test_the_regional_cap_bounds_what_a_large_file_system_is_permitted() -> None:
    _, minute = step(created(40 * TIB, regional_cap_bytes_per_second=3 * GIB), IDLE)
    assert only(minute, "PermittedThroughput").maximum == 3 * GIB


def test_elastic_mode_moves_no_credits_and_permits_its_maximum() -> None:
    before = replace(created(1 * TIB, Elastic(2 * GIB)), balance_bytes=1e12)
    state, minute = step(before, FLAT_OUT)
    assert state.balance_bytes == 1e12
    assert (minute.credits.earned_bytes, minute.credits.spent_bytes) == (0, 0)
    assert only(minute, "PermittedThroughput").minimum == 2 * GIB
    assert only(minute, "MeteredIOBytes").sum == 60 * 2 * GIB


def test_elastic_mode_publishes_no_balance_unless_told_to() -> None:
    elastic = created(1 * TIB, Elastic())
    assert "BurstCreditBalance" not in names(step(elastic, IDLE)[1])
    assert "BurstCreditBalance" in names(step(replace(elastic, balance_published_in_elastic=True), IDLE)[1])


def test_back_from_elastic_the_balance_is_where_it_was() -> None:
    state, _ = live(replace(created(1 * TIB, Elastic()), balance_bytes=1e12), [FLAT_OUT] * 90)
    _, minute = step(replace(state, mode=Bursting()), IDLE)
    assert only(minute, "BurstCreditBalance").minimum == 1e12


def test_provisioned_above_what_the_size_earns_permits_its_rate_spends_nothing_and_earns_by_size() -> None:
    before = replace(created(1 * TIB, Provisioned(300 * MIB)), balance_bytes=1e12)
    state, minute = step(before, FLAT_OUT)
    assert only(minute, "PermittedThroughput").minimum == only(minute, "PermittedThroughput").maximum == 300 * MIB
    assert only(minute, "MeteredIOBytes").sum == 60 * 300 * MIB
    assert state.balance_bytes == 1e12 + 60 * 50 * MIB


def test_provisioned_at_exactly_what_the_size_earns_lives_on_credits() -> None:
    assert created(1 * TIB, Provisioned(50 * MIB)).lives_on_credits
    assert not created(1 * TIB, Provisioned(50 * MIB + 1)).lives_on_credits


def test_an_elastic_file_system_that_shrank_holds_no_more_than_its_new_bucket() -> None:
    state = replace(created(2 * TIB, Elastic()), standard_bytes=1 * TIB, balance_published_in_elastic=True)
    after, minute = step(state, IDLE)
    assert after.balance_bytes == bucket_bytes(1 * TIB)
    assert only(minute, "BurstCreditBalance").minimum == bucket_bytes(1 * TIB)


def test_provisioned_above_what_the_size_earns_keeps_its_rate_at_zero_credits() -> None:
    _, minute = step(replace(created(100 * GIB, Provisioned(20 * MIB)), balance_bytes=0), FLAT_OUT)
    assert only(minute, "PermittedThroughput").minimum == 20 * MIB


@given(rate_mib=st.floats(1, 50), balance=st.floats(0, 2e12), write_mib=st.floats(0, 60 * 200))
def test_provisioned_at_or_below_what_the_size_earns_is_exactly_bursting(
    rate_mib: float, balance: float, write_mib: float
) -> None:
    bursting = replace(created(1 * TIB), balance_bytes=balance)
    load = Load(write_bytes=write_mib * MIB)
    state, minute = step(replace(bursting, mode=Provisioned(rate_mib * MIB)), load)
    assert (replace(state, mode=Bursting()), minute) == step(bursting, load)


def test_every_byte_counter_has_its_sum_of_bytes_and_one_sample_an_operation() -> None:
    _, minute = step(created(1 * TIB), Load(read_bytes=30 * MIB, write_bytes=8 * MIB, metadata_operations=5))
    sums = {name: only(minute, f"{name}IOBytes") for name in ("Metered", "Total", "DataRead", "DataWrite", "Metadata")}
    assert {name: (point.sum, point.sample_count) for name, point in sums.items()} == {
        "Metered": (pytest.approx(18 * MIB + 5 * 4096), 43),
        "Total": (38 * MIB + 5 * 4096, 43),
        "DataRead": (30 * MIB, 30),
        "DataWrite": (8 * MIB, 8),
        "Metadata": (5 * 4096, 5),
    }
    assert (sums["Total"].minimum, sums["Total"].maximum) == (4096, 1 * MIB)
    assert sums["Metered"].maximum == 1 * MIB


def test_the_metered_average_is_a_third_of_the_size_of_a_read() -> None:
    _, minute = step(created(1 * TIB), Load(read_bytes=30 * MIB))
    assert only(minute, "MeteredIOBytes").average == pytest.approx(1 * MIB / 3)


def test_what_is_not_permitted_is_cut_from_each_kind_alike_and_lost() -> None:
    state = replace(created(1 * TIB), balance_bytes=0)
    state, minute = step(state, Load(read_bytes=60 * 150 * MIB, write_bytes=60 * 50 * MIB))
    assert minute.demanded_bytes == 60 * 100 * MIB
    assert only(minute, "DataReadIOBytes").sum == 60 * 75 * MIB
    assert only(minute, "DataWriteIOBytes").sum == 60 * 25 * MIB
    assert "MeteredIOBytes" not in names(step(state, IDLE)[1])


def test_an_idle_minute_publishes_gauges_and_no_byte_counter() -> None:
    _, minutes = live(created(1 * TIB), [IDLE, IDLE])
    assert names(minutes[1]) == {"BurstCreditBalance", "PermittedThroughput", "PercentIOLimit", "ClientConnections"}


def test_storage_is_published_by_class_every_15_minutes() -> None:
    _, minutes = live(replace(created(1 * TIB), infrequent_access_bytes=5 * GIB), [IDLE] * 31)
    assert [minute.minute for minute in minutes if "StorageBytes" in names(minute)] == [0, 15, 30]
    by_class = {name: only(minutes[15], "StorageBytes", name).maximum for name in ("Total", "Standard", "IA")}
    assert by_class == {"Total": 1 * TIB + 5 * GIB, "Standard": 1 * TIB, "IA": 5 * GIB}


def test_infrequent_access_bytes_earn_nothing() -> None:
    _, minute = step(replace(created(1 * TIB), infrequent_access_bytes=9 * TIB), IDLE)
    assert only(minute, "PermittedThroughput").maximum == 100 * MIB


def test_percent_io_limit_counts_a_write_as_five_of_35_000_operations_a_second() -> None:
    _, minute = step(created(1 * TIB), Load(write_bytes=60 * 700 * 4096, data_operation_bytes=4096))
    assert only(minute, "PercentIOLimit").average == pytest.approx(10)


def test_percent_io_limit_ends_at_100() -> None:
    _, minute = step(created(1 * TIB), Load(metadata_operations=60 * 1_000_000))
    operations = only(minute, "MetadataIOBytes").sample_count / 60
    assert operations < 35_000
    _, minute = step(created(40 * TIB, regional_cap_bytes_per_second=5 * GIB), Load(metadata_operations=60 * 1_000_000))
    assert only(minute, "PercentIOLimit").maximum == 100


def test_every_datapoint_has_the_unit_that_cloudwatch_gives_it() -> None:
    _, minute = step(created(1 * TIB), Load(read_bytes=MIB, write_bytes=MIB, metadata_operations=1))
    assert {point.name: point.unit for point in minute.datapoints} == {
        "BurstCreditBalance": "Bytes",
        "PermittedThroughput": "Bytes/Second",
        "ClientConnections": "Count",
        "PercentIOLimit": "Percent",
        "MeteredIOBytes": "Bytes",
        "TotalIOBytes": "Bytes",
        "DataReadIOBytes": "Bytes",
        "DataWriteIOBytes": "Bytes",
        "MetadataIOBytes": "Bytes",
        "StorageBytes": "Bytes",
    }


def test_client_connections_are_a_sum() -> None:
    _, minute = step(created(1 * TIB), Load(client_connections=3))
    assert only(minute, "ClientConnections").sum == 3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"standard_bytes": -1}, f"sizes must not be negative: -1 true, {TIB} metered"),
        ({"metered_standard_bytes": -1}, f"sizes must not be negative: {TIB} true, -1 metered"),
        ({"balance_bytes": -0.5}, "balance_bytes must not be negative, got -0.5"),
        ({"metering_minute": 60}, "metering_minute must be a minute of the hour, 0 to 59, got 60"),
        ({"metering_minute": -1}, "metering_minute must be a minute of the hour, 0 to 59, got -1"),
    ],
)
def test_an_impossible_file_system_is_refused_with_the_value(change: dict[str, int], sentence: str) -> None:
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        replace(created(1 * TIB), **change)  # type: ignore[arg-type] # fields by name


def test_nothing_stored_and_nothing_left_is_possible() -> None:
    empty = replace(created(0), balance_bytes=0)
    assert (empty.standard_bytes, empty.metered_standard_bytes, empty.balance_bytes) == (0, 0, 0)


modes = st.sampled_from([Bursting(), Provisioned(1 * MIB), Provisioned(400 * MIB), Elastic()])
loads = st.builds(
    Load,
    read_bytes=st.floats(0, 60 * 2 * GIB),
    write_bytes=st.floats(0, 60 * 2 * GIB),
    metadata_operations=st.integers(0, 100_000),
)
lives = st.lists(st.tuples(modes, st.integers(0, 8 * TIB), loads), min_size=1, max_size=40)


# Up to what the largest of these sizes may hold, far above the bucket of the size it begins with.
@given(lives, st.floats(0, 8 * 2.1 * TIB))
def test_through_any_life_the_balance_stays_within_its_bucket_and_the_books_balance(
    life: list[tuple[ThroughputMode, int, Load]], balance: float
) -> None:
    state = replace(created(1 * TIB), balance_bytes=balance)
    for mode, size, load in life:
        state, minute = step(replace(state, mode=mode, standard_bytes=size), load)
        flow = minute.credits
        assert 0 <= state.balance_bytes <= bucket_bytes(state.metered_standard_bytes)
        moved = flow.earned_bytes - flow.spent_bytes
        assert state.balance_bytes - flow.opening_bytes == pytest.approx(moved, abs=0.1)
        for point in minute.datapoints:
            assert 0 <= point.minimum <= point.average * (1 + 1e-9)
            assert point.average <= point.maximum * (1 + 1e-9)
        metered = sum(point.sum for point in minute.datapoints if point.name == "MeteredIOBytes")
        assert metered == pytest.approx(flow.served_bytes)
