"""Where the metrics of one file system contradict each other or its size: one of them is in another unit, or not whole.

Each rule says so in a sentence and changes nothing, for which of the two is wrong nobody can tell.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from efs_monitor.efs.credits import (
    LOWEST_BURST_BYTES_PER_SECOND,
    MIB,
    SECONDS_PER_MINUTE,
    baseline_bytes_per_second,
    full_bucket_bytes,
)
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.mail.numbers import counted, size

from operate.history.recorded import BALANCE, METERED, PERMITTED
from operate.replay.metrics import Values

# Sizes are metered about hourly, and a bucket that has shrunk is full for a while.
FULLER_THAN_FULL = 1.25
# A rate that changes within a minute shows in the next ones; what is moved is kept to it only about.
NEAR_MINUTES, MUCH_MORE = 2, 1.5
# So long that a step of up to an hour at its edges makes no difference.
SPAN_MINUTES = 360
# Credits fall by what is moved less what is earned, so by much more than was moved is another unit, or some of it is
# missing. Less than so many minutes is no evidence.
MORE_THAN_MOVED, FEWEST_MINUTES_OF_CREDITS = 1.25, 10


def contradictions(
    values: Mapping[tuple[str, str], Values],
    file_systems: Sequence[tuple[int, FileSystem]],
    *,
    step_minutes: int,
    knows_size: bool,
    knows_metered: bool,
) -> Iterator[str]:
    """Each that there is, as a sentence without its end. `step_minutes` is the longest step of these metrics."""
    balances, permitted, metered = values[BALANCE], values[PERMITTED], values[METERED]
    highest = max((one for one in balances if one is not None), default=0.0)
    most = max([LOWEST_BURST_BYTES_PER_SECOND, *(one for one in permitted if one is not None)])
    if 0 < highest < LOWEST_BURST_BYTES_PER_SECOND * SECONDS_PER_MINUTE:
        yield (
            f"BurstCreditBalance is never above {highest:,.0f}, which is less than a minute's worth: if that is not in "
            "bytes, nothing that follows is right"
        )
    full = full_bucket_bytes(max(one.standard_bytes for _, one in file_systems))
    if knows_size and highest > FULLER_THAN_FULL * full:
        yield (
            f"BurstCreditBalance is up to {size(highest)}, and a full bucket of this size holds {size(full)}: if one "
            "of them (BurstCreditBalance, StorageBytes) is in another unit, nothing that follows is right"
        )
    yield from _other_rates(permitted, file_systems)
    if not knows_metered:
        return
    beyond = _beyond_permitted(permitted, metered, step_minutes + NEAR_MINUTES)
    if beyond:
        yield (
            f"In {counted(len(beyond))} MeteredIOBytes is more than was permitted, up to {max(beyond):,.1f} times: if "
            "it is in another unit or of longer periods, rates to provision and their prices are too high"
        )
    fallen, moved = _fallen_and_moved(balances, metered, file_systems, most)
    if fallen > MORE_THAN_MOVED * moved and fallen > FEWEST_MINUTES_OF_CREDITS * LOWEST_BURST_BYTES_PER_SECOND * 60:
        yield (
            f"The credits fell by {size(fallen)} while MeteredIOBytes tells of {size(moved)}: it is in another unit or "
            "not whole, and clients were slowed down more, and modes cost more, than is said here"
        )


def _other_rates(permitted: Values, file_systems: Sequence[tuple[int, FileSystem]]) -> Iterator[str]:
    """Each rate that is told to be provisioned while for most of its time another one was permitted."""
    ends = [*(minute for minute, _ in file_systems[1:]), len(permitted)]
    told = {}
    for (begin, one), end in zip(file_systems, ends, strict=True):
        rates = sorted(rate for rate in permitted[begin:end] if rate is not None)
        # Below what its size earns a file system has the rates of bursting.
        least = max(one.provisioned_bytes_per_second, baseline_bytes_per_second(one.standard_bytes))
        if one.mode is ThroughputMode.PROVISIONED and rates and not least / MUCH_MORE < rates[len(rates) // 2]:
            told[one.provisioned_bytes_per_second] = rates[len(rates) // 2]
    for rate, shown in told.items():
        yield (
            f"Told is a provisioned rate of {rate / MIB:,.0f} MiB/s, and PermittedThroughput is {shown / MIB:,.0f} "
            "MiB/s then: one of them is not so, and neither is what is made of that rate here"
        )


def _beyond_permitted(permitted: Values, metered: Values, near_minutes: int) -> list[float]:
    """How many times what was permitted nearby was moved, in each minute in which that is much."""
    found = []
    for minute, moved in enumerate(metered):
        rate = permitted[minute]
        if moved is None or rate is None or moved <= MUCH_MORE * rate * SECONDS_PER_MINUTE:
            continue
        near = permitted[max(minute - near_minutes, 0) : minute + near_minutes + 1]
        times = moved / (max(one for one in near if one is not None) * SECONDS_PER_MINUTE)
        if times > MUCH_MORE:
            found.append(times)
    return found


def _fallen_and_moved(
    balances: Values, metered: Values, file_systems: Sequence[tuple[int, FileSystem]], most: float
) -> tuple[float, float]:
    """By how much the balance fell over all spans in which it did, and what was moved in them.

    Left out are spans in which the size or mode changed, and falls that no client can have made.
    """
    changed = {minute // SPAN_MINUTES for minute, _ in file_systems[1:]}
    fallen = moved = 0.0
    for begin, end in pairwise(range(0, len(balances), SPAN_MINUTES)):
        before, after = balances[begin], balances[end]
        if before is None or after is None or {begin // SPAN_MINUTES, end // SPAN_MINUTES} & changed:
            continue
        if 0 < before - after <= MUCH_MORE * most * SPAN_MINUTES * SECONDS_PER_MINUTE:
            fallen += before - after
            moved += sum(one for one in metered[begin + 1 : end + 1] if one is not None)
    return fallen, moved
