"""A metric in another unit is marked wherever the others contradict it, and none in its own unit is."""

from dataclasses import replace
from datetime import datetime
from functools import cache

import pytest
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.file_system import ThroughputMode
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from operate.history.file_system_history import history_of
from operate.history.recorded import (
    AVERAGE_BALANCE,
    BALANCE,
    METERED,
    PERMITTED,
    STANDARD_SIZE,
    HistoryRefused,
    ModeChange,
    Recorded,
)
from tests.quick import first_of
from tests.unit.operate.exported_lives import Life, Stretch, in_steps, lives
from tests.unit.operate.histories import NOW, START

KIB, KB, MB, GB = 2**10, 10**3, 10**6, 10**9
UNITS = {"KiB": KIB, "MB": MB, "bit": 1 / 8, "MiB": MIB, "GiB": GIB, "kB": KB, "GB": GB, "kbit": KB / 8, "Mbit": MB / 8}
METRICS = {
    "BurstCreditBalance": (BALANCE, AVERAGE_BALANCE),
    "PermittedThroughput": (PERMITTED,),
    "StorageBytes": (STANDARD_SIZE,),
    "MeteredIOBytes": (METERED,),
}
# What is said of a life of any mode and of lost hours, of which every metric is in its own unit.
USUAL = (
    "The throughput mode is not known",
    "MeteredIOBytes is not known",
    "At ",
    "Nothing is known of ",
    "Here and there ",
    "BurstCreditBalance is missing",
    "EFS tells ",
    "Until ",
)
TAKEN = "Taken for "


def two_days(size_gib: int) -> Life:
    """A full bucket, a load that ends the credits, calm, and a load that takes some of what has come back."""
    stretches = (
        Stretch(minutes=300, load=0.0),
        Stretch(minutes=1000, load=1.0),
        Stretch(minutes=1100, load=0.01),
        Stretch(minutes=60, load=0.8),
        Stretch(minutes=400, load=0.0),
    )
    return Life(size_gib=size_gib, cap_bytes_per_second=3 * GIB, opening=1.0, stretches=stretches)


SIZES_GIB = (100, 3072, 12_000)


@cache
def recorded_days(size_gib: int) -> Recorded:
    """What an export has of these two days; nobody changes it."""
    return two_days(size_gib).recorded()


def in_unit(recorded: Recorded, metric: str, unit: str) -> Recorded:
    """The same with one metric in another unit under its name."""
    points = {
        key: [one._replace(value=one.value / UNITS[unit]) for one in found] if key in METRICS[metric] else found
        for key, found in recorded.points.items()
    }
    return replace(recorded, points=points, remarks=[])


def remarks(recorded: Recorded) -> list[str]:
    """Which there are, also where nothing else is said."""
    try:
        return list(history_of(replace(recorded, remarks=[]), None, NOW).remarks)
    except HistoryRefused as refused:
        return [str(refused)]


@pytest.mark.whole
@pytest.mark.parametrize("unit", first_of(UNITS, 2, in_ci=4))
@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("size_gib", first_of(SIZES_GIB, in_ci=2))
def test_a_metric_in_another_unit_is_marked(size_gib: int, metric: str, unit: str) -> None:
    own = recorded_days(size_gib)
    usual = remarks(own)
    assert [one for one in usual if not one.startswith(USUAL)] == []
    found = [one for one in remarks(in_unit(own, metric, unit)) if one not in usual]
    assert any(metric in one and ("unit" in one or "bytes" in one or "jumps" in one) for one in found), found


@pytest.mark.whole
@pytest.mark.parametrize("unit", first_of(UNITS, 2))
def test_steps_of_five_minutes_tell_it_too(unit: str) -> None:
    own = in_steps(recorded_days(100), 5)
    assert [one for one in remarks(own) if not one.startswith(USUAL)] == []
    found = remarks(in_unit(own, "BurstCreditBalance", unit))
    assert any("BurstCreditBalance" in one for one in found if not one.startswith(USUAL)), found


# A shorter life that is doubted is not worth the minutes of finding it.
@pytest.mark.more
@settings(phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(
    life=lives(), is_described=st.booleans(), read_at=st.sampled_from([None, NOW]), step_minutes=st.sampled_from([1, 5])
)
def test_no_life_is_doubted_whose_metrics_are_in_their_own_units(
    life: Life, is_described: bool, read_at: datetime | None, step_minutes: int
) -> None:
    found = remarks(in_steps(life.recorded(described=is_described, read_at=read_at), step_minutes))
    doubted = [one for one in found if not one.startswith((*USUAL, "The metrics end at "))]
    assert [one for one in doubted if not one.startswith(TAKEN) or ", but " in one] == []


@pytest.mark.whole
def test_a_balance_that_hardly_changes_is_marked_though_rises_are_small_beside_what_flows() -> None:
    """A load of four fifths of what is earned leaves a fifth, which alone may be a fault of what is metered."""
    life = Life(size_gib=3072, cap_bytes_per_second=GIB, opening=0.3, stretches=(Stretch(minutes=2000, load=0.4),))
    own = life.recorded()
    assert [one for one in remarks(own) if not one.startswith(USUAL)] == []
    (remark,) = (one for one in remarks(in_unit(own, "BurstCreditBalance", "kbit")) if not one.startswith(USUAL))
    assert remark.startswith(
        "In 30 hours the credits rose and fell by 29 GiB in all, and would have risen and fallen by "
    )


def test_more_was_metered_than_so_many_operations_come_to_is_another_unit_in_any_mode() -> None:
    """Elastic throughput has no credits that could tell."""
    stretches = (Stretch(minutes=600, load=0.2, mode=ThroughputMode.ELASTIC),)
    own = Life(size_gib=100, cap_bytes_per_second=GIB, opening=1.0, stretches=stretches).recorded()
    assert not any("unit" in one for one in remarks(own))
    assert any(
        one.startswith("DataWriteIOBytes and a third of DataReadIOBytes come to ")
        and "one of them is in another" in one
        for one in remarks(in_unit(own, "MeteredIOBytes", "bit"))
    )


def test_rates_in_bits_are_no_provisioned_mode_without_a_mark() -> None:
    """Credits end in it, which only bursting knows: the nine times it is taken for another mode are one sentence."""
    (remark,) = (one for one in remarks(in_unit(recorded_days(100), "PermittedThroughput", "bit")) if TAKEN in one)
    assert remark.startswith("Taken for provisioned mode 3 times from 2030-01-07 00:00 to ")
    assert "another rate is permitted from the minute on in which the credits end, as in bursting mode" in remark
    assert "PermittedThroughput or StorageBytes is in another unit, and what is said of that time is not so" in remark


def test_credits_that_fall_are_those_of_no_provisioned_mode() -> None:
    stretches = (Stretch(minutes=300, load=1.0), Stretch(minutes=400, load=0.0))
    life = Life(size_gib=100, cap_bytes_per_second=3 * GIB, opening=1.0, stretches=stretches)
    (remark,) = (one for one in remarks(in_unit(life.recorded(), "PermittedThroughput", "bit")) if TAKEN in one)
    assert ", but the credits fell by 1,672 GiB then, as in bursting mode: " in remark


@pytest.mark.whole
@pytest.mark.parametrize(
    ("unit", "why"),
    [
        ("kB", "1 MiB/s is less than its size earns (586 MiB/s), below which EFS permits what bursting has"),
        ("bit", "9,375 MiB/s is more than EFS provisions (3,414 MiB/s)"),
    ],
)
def test_what_efs_does_not_provision_is_no_provisioned_rate(unit: str, why: str) -> None:
    (remark,) = (one for one in remarks(in_unit(recorded_days(12_000), "PermittedThroughput", unit)) if TAKEN in one)
    assert f" UTC, but {why}: " in remark


def test_what_nothing_contradicts_is_said_to_depend_on_the_unit_where_an_export_tells_it() -> None:
    """An idle file system that is full shows one rate, in whichever unit."""
    life = Life(size_gib=100, cap_bytes_per_second=GIB, opening=1.0, stretches=(Stretch(minutes=900, load=0.0),))
    exported = in_unit(life.recorded(), "PermittedThroughput", "bit")
    (remark,) = (one for one in remarks(exported) if TAKEN in one)
    assert remark.endswith(
        ". If PermittedThroughput or StorageBytes is in another unit (800 MiB/s are permitted then), it was bursting"
    )
    (remark,) = (one for one in remarks(replace(exported, read_at=NOW)) if TAKEN in one)
    assert "unit" not in remark


@pytest.mark.whole
def test_a_bursting_mode_that_is_told_is_doubted_where_other_rates_are_permitted() -> None:
    told = replace(recorded_days(100), modes=(ModeChange(time=START, mode=str(ThroughputMode.BURSTING)),))
    assert not any("Told is" in one for one in remarks(told))
    assert any(
        one.startswith(
            "Told is bursting mode at 100 GiB, and PermittedThroughput is 800 MiB/s then: one of them is not"
        )
        for one in remarks(in_unit(told, "PermittedThroughput", "bit"))
    )


@pytest.mark.whole
def test_what_is_given_away_at_zero_is_no_other_unit() -> None:
    """Less than 20 GiB earn less than the 1 MiB/s that EFS permits at the least."""
    life = Life(size_gib=5, cap_bytes_per_second=GIB, opening=0.01, stretches=(Stretch(minutes=2000, load=0.5),))
    assert [one for one in remarks(life.recorded()) if not one.startswith(USUAL)] == []


def test_without_metered_bytes_a_balance_that_rises_faster_than_a_size_earns_is_marked() -> None:
    own = recorded_days(100)
    points = {key: found for key, found in own.points.items() if key[0] != "MeteredIOBytes"}
    found = remarks(in_unit(replace(own, points=points), "StorageBytes", "MiB"))
    assert any("and by StorageBytes they would have risen by" in one for one in found), found
