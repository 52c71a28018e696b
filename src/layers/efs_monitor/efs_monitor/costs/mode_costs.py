"""What a throughput mode has cost so far, and what a fixed rate would cost instead, by AWS's list prices."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from efs_monitor.costs import prices
from efs_monitor.efs.credits import GIB, MIB, baseline_bytes_per_second, earned_bytes_per_second
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.metering import DATA_OPERATION_BYTES, OPERATION_BYTES
from efs_monitor.efs.observations import MINUTE
from efs_monitor.incidents.needed_throughput import covering_mib_per_second, highest_provisioned_mib_per_second
from efs_monitor.incidents.situation import DAY, STEP, Situation, Work, is_as_good_as_a_day, once

AN_HOUR = timedelta(hours=1)
DAYS_A_MONTH = prices.HOURS_PER_MONTH / 24
# Both work at once. Elastic needs no number that may be too low, so it stays first for a little more.
FAR_CHEAPER = 0.5


def elastic_dollars(work: Iterable[Work]) -> float:
    """What so much work costs at least in elastic mode, small operations billed as what they count as."""
    return sum(
        (
            (
                max(one.read_bytes, one.reads * DATA_OPERATION_BYTES)
                # Metadata counts as read, which is cheaper.
                + max(one.metadata_bytes, one.metadata_operations * OPERATION_BYTES)
            )
            * prices.ELASTIC_READ.dollars
            + max(one.written_bytes, one.writes * DATA_OPERATION_BYTES) * prices.ELASTIC_WRITTEN.dollars
        )
        / GIB
        for one in work
    )


@once
def elastic_dollars_of_the_day(situation: Situation) -> float:
    """What all that is known of the work of the last 24 hours costs at least in elastic mode."""
    return elastic_dollars(situation.last_day)


@once
def elastic_day_dollars(situation: Situation) -> float | None:
    """What the 24 hours of the lock cost at the average of what is known of the last 24; None where nothing is."""
    known_minutes = situation.known_minutes_of_the_day
    if not situation.last_day or not known_minutes:
        return None
    return elastic_dollars_of_the_day(situation) * (
        1 if is_as_good_as_a_day(known_minutes) else DAY / MINUTE / known_minutes
    )


def provisioned_month_dollars(file_system: FileSystem, mib_per_second: int) -> float:
    """What a provisioned rate costs in a month: what is above what the size earns."""
    earned_bytes = earned_bytes_per_second(file_system.standard_bytes)
    return (mib_per_second - earned_bytes / MIB) * prices.PROVISIONED.dollars


def mode_dollars(
    file_system: FileSystem,
    work: Sequence[Work],
    permitted: Sequence[tuple[datetime, float]],
    since: datetime,
    now: datetime,
) -> float:
    """What the mode cost from `since` to `now`: elastic throughput by the work, provisioned by what was permitted, on
    average, above what the size earns.
    """
    if file_system.mode is ThroughputMode.ELASTIC:
        return elastic_dollars(one for one in work if one.time >= since)
    rates = [rate for time, rate in permitted if time >= since] or [float(file_system.provisioned_bytes_per_second)]
    above_bytes = max(0.0, sum(rates) / len(rates) - earned_bytes_per_second(file_system.standard_bytes))
    return above_bytes / MIB * prices.PROVISIONED.dollars * ((now - since) / AN_HOUR) / prices.HOURS_PER_MONTH


class FixedRate(NamedTuple):
    """A provisioned rate that covers the busiest five minutes of a load, and what a month of it costs."""

    mib_per_second: int
    busiest_bytes_per_second: float
    month_dollars: float

    @property
    def day_dollars(self) -> float:
        """What it costs in 24 hours, whatever is moved."""
        return self.month_dollars / DAYS_A_MONTH


def far_cheaper_rate(file_system: FileSystem, work: Sequence[Work], region: str) -> FixedRate | None:
    """The rate that would do for the `work` of up to a day in elastic throughput, where it costs less than half of that
    a day. None where it does not, where AWS takes no rate as high in the region, or none while data is in Archive, or
    where what the size earns is enough.

    Nothing limited the work, so its peak is what the load wanted.
    """
    busiest_bytes = max((one.metered_bytes for one in work), default=0.0) / STEP.total_seconds()
    mib_per_second = covering_mib_per_second(busiest_bytes)
    rate = FixedRate(
        mib_per_second=mib_per_second,
        busiest_bytes_per_second=busiest_bytes,
        month_dollars=provisioned_month_dollars(file_system, mib_per_second),
    )
    highest = highest_provisioned_mib_per_second(file_system, region)
    if file_system.mode is not ThroughputMode.ELASTIC or file_system.archive_bytes or mib_per_second > highest:
        return None
    is_needed = busiest_bytes > baseline_bytes_per_second(file_system.standard_bytes)
    return rate if is_needed and rate.day_dollars < FAR_CHEAPER * elastic_dollars(work) else None
