"""What a throughput mode costs, and where a fixed rate is offered in place of elastic throughput."""

from datetime import timedelta

import pytest
from efs_monitor.costs.mode_costs import elastic_dollars, far_cheaper_rate, mode_dollars
from efs_monitor.efs.credits import GIB, MIB
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.incidents.situation import Work

from tests.unit.mail.mail_cases import HERE, NEWEST, a_file_system

REGION = HERE.region
ELASTIC = a_file_system(mode=ThroughputMode.ELASTIC)


def written(mib_per_second: float, hours: float) -> list[Work]:
    """In writes of a MiB, in steps of five minutes until now."""
    bytes_of_a_step = mib_per_second * MIB * 300
    return [
        Work(
            time=NEWEST - age * timedelta(minutes=5),
            metered_bytes=bytes_of_a_step,
            written_bytes=bytes_of_a_step,
            writes=bytes_of_a_step / MIB,
        )
        for age in range(round(hours * 12), 0, -1)
    ]


@pytest.mark.parametrize(
    ("work", "dollars"),
    [
        ({"read_bytes": 10 * GIB}, 0.3),
        ({"written_bytes": 10 * GIB}, 0.6),
        ({"metadata_bytes": 10 * GIB}, 0.3),
        # 32 KiB an operation at the least, of data; 4 KiB of metadata.
        ({"read_bytes": 1.0, "reads": 32_768}, 0.03),
        ({"written_bytes": 1.0, "writes": 32_768}, 0.06),
        ({"metadata_bytes": 1.0, "metadata_operations": 262_144}, 0.03),
        ({"read_bytes": 2 * GIB, "reads": 32_768}, 0.06),
        ({}, 0.0),
    ],
)
def test_elastic_throughput_costs_its_bytes_or_more_for_small_operations(
    work: dict[str, float], dollars: float
) -> None:
    assert elastic_dollars([Work(time=NEWEST, metered_bytes=0.0, **work)]) == pytest.approx(dollars)


SINCE, NOW = NEWEST - timedelta(hours=73), NEWEST
AT_80 = a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=80 * MIB)
# 100 GiB earn 4.88 MiB/s, and 73 hours are a tenth of a month of 730.
EARNED_MIB = 100 * 50 / 1024


def test_elastic_throughput_has_cost_what_was_moved_since_it_was_chosen() -> None:
    gib_each = [Work(time=SINCE + by * timedelta(minutes=5), metered_bytes=0, read_bytes=GIB) for by in (-1, 0, 1)]
    assert mode_dollars(ELASTIC, gib_each, [], SINCE, NOW) == pytest.approx(0.06)


def test_a_provisioned_rate_has_cost_what_was_permitted_on_average_above_what_the_size_earns() -> None:
    step = timedelta(minutes=5)
    permitted = [(SINCE - step, 900.0 * MIB), (SINCE, 60.0 * MIB), (SINCE + step, 40.0 * MIB)]
    assert mode_dollars(AT_80, [], permitted, SINCE, NOW) == pytest.approx((50 - EARNED_MIB) * 6 / 10)


def test_a_provisioned_rate_of_which_no_metric_is_there_has_cost_what_is_provisioned_now() -> None:
    assert mode_dollars(AT_80, [], [], SINCE, NOW) == pytest.approx((80 - EARNED_MIB) * 6 / 10)


def test_a_rate_below_what_the_size_earns_costs_nothing() -> None:
    assert mode_dollars(AT_80, [], [(SINCE, 4.0 * MIB)], SINCE, NOW) == 0


def test_the_busiest_five_minutes_are_covered_and_not_the_calmest() -> None:
    calm = written(1, 1)
    rate = far_cheaper_rate(ELASTIC, [*written(59.5, 2), *calm], REGION)
    assert rate is not None
    assert rate.busiest_bytes_per_second == 59.5 * MIB


def test_a_rate_that_covers_the_busiest_five_minutes_is_offered_where_it_costs_less_than_half() -> None:
    """60 MiB/s less the 4.9 that are earned cost $10.87 a day; an hour of them in elastic throughput costs $12.66."""
    rate = far_cheaper_rate(ELASTIC, written(59.5, 2), REGION)
    assert rate is not None
    assert (rate.mib_per_second, rate.busiest_bytes_per_second) == (60, 59.5 * MIB)
    assert rate.month_dollars == pytest.approx((60 - 100 * 50 / 1024) * 6)
    assert rate.day_dollars == pytest.approx(10.87, abs=0.01)
    assert far_cheaper_rate(ELASTIC, written(59.5, 1.6), REGION) is None


@pytest.mark.parametrize(
    ("file_system", "work"),
    [
        (ELASTIC, []),
        # What the size earns is enough.
        (ELASTIC, written(4.8, 24)),
        # More than may be provisioned.
        (ELASTIC, written(3415, 24)),
        # Only elastic throughput has Archive.
        (a_file_system(mode=ThroughputMode.ELASTIC, archive_bytes=1), written(60, 24)),
        # Provisioned already.
        (a_file_system(mode=ThroughputMode.PROVISIONED, provisioned_bytes_per_second=80 * MIB), written(60, 24)),
    ],
)
def test_where_no_rate_fits_none_is_offered(file_system: FileSystem, work: list[Work]) -> None:
    assert far_cheaper_rate(file_system, work, REGION) is None


def test_as_much_as_may_be_provisioned_fits() -> None:
    assert far_cheaper_rate(ELASTIC, written(3414, 24), REGION) is not None
    assert far_cheaper_rate(ELASTIC, written(1024, 24), "eu-central-1") is not None
    assert far_cheaper_rate(ELASTIC, written(1025, 24), "eu-central-1") is None
