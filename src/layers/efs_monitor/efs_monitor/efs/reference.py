"""The reference throughput: the highest rate at which a file system can be driven while it has credits."""

from enum import StrEnum
from typing import NamedTuple

from efs_monitor.efs.credits import (
    LOWEST_BURST_BYTES_PER_SECOND,
    LOWEST_REGIONAL_CAP_BYTES_PER_SECOND,
    baseline_bytes_per_second,
    burst_bytes_per_second,
    full_bucket_bytes,
)
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.efs.observations import Observations

# With less than this share of a full bucket, PermittedThroughput may already have fallen to the baseline, or
# may not have jumped back yet: 1 % is 3.7 minutes at the permitted rate.
COMFORTABLE_BUCKET_SHARE = 0.01
# Size and PermittedThroughput are metered about hourly and not in step. What twice the size would not earn is not
# growth between two meterings but the datapoint of another throughput mode; below 0.5 TiB no rise is growth.
HIGHEST_PLAUSIBLE_GROWTH = 2
# Datapoints are floating-point numbers, and the metered size moves a little.
ROUNDING = 0.01


class Source(StrEnum):
    """Where a reference comes from."""

    OBSERVED = "observed"
    SIZE = "size"


class Reference(NamedTuple):
    """The reference throughput and where it comes from. It `may_be_capped` where it is what the size gives, and no
    metric has shown yet whether the Region permits as much: then it is this at the most.
    """

    bytes_per_second: int
    source: Source
    may_be_capped: bool = False


def reference_throughput(
    file_system: FileSystem,
    observations: Observations,
    *,
    live_bytes_per_second: int | None = None,
    after_other_mode: bool = False,
) -> Reference:
    """The highest rate at which `file_system` can be driven while it has credits, derived afresh.

    It is PermittedThroughput of the newest minute whose own balance is comfortably above zero: at zero credits
    the metric falls to the baseline and jumps back later, and neither is a change of the file system. Failing
    such a minute, it is what the size earns.

    A file system that comes back from another throughput mode (`after_other_mode`) still shows that mode's
    datapoints for some minutes: it gets what its size earns. `live_bytes_per_second` is the reference that the
    alarms stand for now; it tells such a leftover from a change in the runs that follow.
    """
    from_size = _from_size(file_system, observations, live_bytes_per_second)
    rates = _rates_with_credits(file_system, observations)
    if rates and not after_other_mode and _is_bursting_rate(rates[-1], file_system):
        permitted = rates[-1]
        may_be_cap = LOWEST_REGIONAL_CAP_BYTES_PER_SECOND * (1 - ROUNDING) <= permitted <= from_size
        # The first minute on credits may have the rate of the mode before.
        capped = may_be_cap and len(rates) > 1
        changed_lately = any(not _agree(rate, permitted) for rate in rates)
        known = live_bytes_per_second is None or _agree(permitted, live_bytes_per_second)
        # A rate that has been the same for as long as one can see, but is neither what the size earns nor what the
        # alarms stand for, did not come by growth: it is the leftover of another mode.
        if known or capped or changed_lately or _agree(permitted, from_size):
            return Reference(bytes_per_second=permitted, source=Source.OBSERVED)
    may_be_capped = _may_be_capped(from_size, file_system, observations)
    return Reference(bytes_per_second=from_size, source=Source.SIZE, may_be_capped=may_be_capped)


def highest_by_now(
    file_system: FileSystem, reference: Reference, newest_permitted_bytes_per_second: float | None = None
) -> int:
    """How fast it may be driven at the moment: EFS describes a size that is metered anew minutes before a datapoint has
    its rate, and no Region caps what is below the lowest cap. Nor does one cap a size whose rate the newest minute has,
    while the reference is still that of another mode.
    """
    from_size, newest = burst_bytes_per_second(file_system.standard_bytes), newest_permitted_bytes_per_second
    if from_size <= LOWEST_REGIONAL_CAP_BYTES_PER_SECOND:
        return max(reference.bytes_per_second, from_size)
    is_uncut = newest is not None and _agree(newest, from_size)
    return from_size if is_uncut and not _agree(reference.bytes_per_second, from_size) else reference.bytes_per_second


def _rates_with_credits(file_system: FileSystem, observations: Observations) -> list[int]:
    comfortable_bytes = COMFORTABLE_BUCKET_SHARE * full_bucket_bytes(file_system.standard_bytes)
    return [
        round(minute.permitted_bytes_per_second)
        for minute in observations.minutes
        if minute.balance_bytes >= comfortable_bytes
    ]


def _is_bursting_rate(permitted_bytes_per_second: int, file_system: FileSystem) -> bool:
    """Whether bursting with credits can show this rate. The baseline is none, up to where a cap may be as low."""
    baseline = baseline_bytes_per_second(file_system.standard_bytes)
    if baseline < LOWEST_REGIONAL_CAP_BYTES_PER_SECOND * (1 - ROUNDING) and _agree(
        permitted_bytes_per_second, baseline
    ):
        return False
    lowest = LOWEST_BURST_BYTES_PER_SECOND * (1 - ROUNDING)
    highest = burst_bytes_per_second(file_system.standard_bytes * HIGHEST_PLAUSIBLE_GROWTH) * (1 + ROUNDING)
    return lowest <= permitted_bytes_per_second <= highest


def _from_size(file_system: FileSystem, observations: Observations, live_bytes_per_second: int | None) -> int:
    """The size formula, under the regional cap as far as the last 15 days, or the alarms themselves, show one.

    Only rates above the lowest published cap can have been cut by it. Where another mode permitted more than the size
    gives, alarms that stand at that cap still show it; below it they stand for a size that may have grown meanwhile.
    """
    from_size = burst_bytes_per_second(file_system.standard_bytes)
    uncut = [rate for rate in _rates_with_credits(file_system, observations) if _agree(rate, from_size)]
    if uncut and from_size > LOWEST_REGIONAL_CAP_BYTES_PER_SECOND:
        # Another mode may have permitted less for all of the last 15 days.
        return min(from_size, uncut[-1])
    highest = _highest_seen(file_system, observations)
    stands_at_cap = live_bytes_per_second is not None and _agree(
        live_bytes_per_second, LOWEST_REGIONAL_CAP_BYTES_PER_SECOND
    )
    if highest is None or (stands_at_cap and _is_of_another_mode(highest, from_size)):
        highest = live_bytes_per_second
    if highest is None:
        return from_size
    return min(from_size, max(round(highest), LOWEST_REGIONAL_CAP_BYTES_PER_SECOND))


def _highest_seen(file_system: FileSystem, observations: Observations) -> float | None:
    """The highest PermittedThroughput of the last 15 days; None of the baseline, which tells of a long exhaustion and
    not of a cap.
    """
    highest = observations.highest_permitted_bytes_per_second
    if highest is None or _agree(highest, baseline_bytes_per_second(file_system.standard_bytes)):
        return None
    return highest


def _may_be_capped(from_size: int, file_system: FileSystem, observations: Observations) -> bool:
    """Whether it is all that the size gives, and never was seen."""
    if not LOWEST_REGIONAL_CAP_BYTES_PER_SECOND < from_size == burst_bytes_per_second(file_system.standard_bytes):
        return False
    highest = _highest_seen(file_system, observations)
    return highest is None or _is_of_another_mode(highest, from_size)


def _is_of_another_mode(highest_bytes_per_second: float, from_size: int) -> bool:
    return highest_bytes_per_second > from_size * (1 + ROUNDING)


def _agree(one_bytes_per_second: float, other_bytes_per_second: float) -> bool:
    return abs(one_bytes_per_second - other_bytes_per_second) <= ROUNDING * other_bytes_per_second
