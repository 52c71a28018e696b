"""What a fixed rate would cost in place of elastic throughput, and where it is offered."""

from datetime import timedelta

import pytest
from efs_monitor.costs.mode_costs import far_cheaper_rate
from efs_monitor.efs.credits import MIB
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
