"""Where the metrics of one file system contradict each other or its size: one of them is in another unit, or not whole.

Each rule says so in a sentence and changes nothing, for which of the two is wrong nobody can tell.
"""

from collections.abc import Iterator, Mapping, Sequence

from efs_monitor.efs.credits import (
    LOWEST_BURST_BYTES_PER_SECOND,
    MIB,
    SECONDS_PER_MINUTE,
    baseline_bytes_per_second,
    full_bucket_bytes,
)
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.mail.numbers import counted, size

from operate.history.credit_accounting import disagreements, entries_of
from operate.history.modes import bursts
from operate.history.recorded import BALANCE, METERED, PERMITTED
from operate.replay.replayed_metrics import Values

# Sizes are metered about hourly, and a bucket that has shrunk is full for a while.
FULLER_THAN_FULL = 1.25
# A rate that changes within a minute shows in the next ones; what is moved is kept to it only about.
NEAR_MINUTES, MUCH_MORE = 2, 1.5


def contradictions(
    values: Mapping[tuple[str, str], Values],
    file_systems: Sequence[tuple[int, FileSystem]],
    *,
    step_minutes: int,
    modes_are_told: bool,
    knows_size: bool,
    knows_sizes: bool,
    knows_metered: bool,
) -> Iterator[str]:
    """Each that there is, as a sentence without its end. `step_minutes` is the longest step of these metrics.

    `knows_size` where somebody tells how large the file system is, `knows_sizes` where it is known of each time.
    """
    balances, permitted, metered = values[BALANCE], values[PERMITTED], values[METERED]
    highest = max((one for one in balances if one is not None), default=0.0)
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
    if modes_are_told:
        yield from _other_rates(permitted, file_systems)
    near_minutes = step_minutes + NEAR_MINUTES
    beyond = _beyond_permitted(permitted, metered, near_minutes)
    if beyond:
        yield (
            f"In {counted(len(beyond))} MeteredIOBytes is more than was permitted, up to {max(beyond):,.1f} times: if "
            "it is in another unit or of longer periods, rates to provision and their prices are too high"
        )
    entries = entries_of(
        balances, metered, file_systems, near_minutes, knows_size=knows_sizes, knows_metered=knows_metered
    )
    yield from disagreements(entries, knows_metered=knows_metered)


def _other_rates(permitted: Values, file_systems: Sequence[tuple[int, FileSystem]]) -> Iterator[str]:
    """Each mode that is told, while for most of its time a rate was permitted that it does not show."""
    ends = [*(minute for minute, _ in file_systems[1:]), len(permitted)]
    told = {}
    for (begin, one), end in zip(file_systems, ends, strict=True):
        rates = sorted(rate for rate in permitted[begin:end] if rate is not None)
        if not rates:
            continue
        shown = rates[len(rates) // 2]
        # Below what its size earns a file system has the rates of bursting.
        least = max(one.provisioned_bytes_per_second, baseline_bytes_per_second(one.standard_bytes))
        if one.mode is ThroughputMode.PROVISIONED and not least / MUCH_MORE < shown:
            told[f"a provisioned rate of {one.provisioned_bytes_per_second / MIB:,.0f} MiB/s"] = shown
        if one.mode is ThroughputMode.BURSTING and not bursts(shown, one.standard_bytes):
            told[f"bursting mode at {size(one.standard_bytes)}"] = shown
    for what, shown in told.items():
        yield (
            f"Told is {what}, and PermittedThroughput is {shown / MIB:,.0f} MiB/s then: one of them is not so, and "
            "neither is what is made of it here"
        )


def _beyond_permitted(permitted: Values, metered: Values, near_minutes: int) -> list[float]:
    """How many times what was permitted nearby was moved, in each minute in which that is much.

    In a minute that was lost it may have been the highest rate of all.
    """
    found = []
    highest = max((one for one in permitted if one is not None), default=0.0)
    for minute, moved in enumerate(metered):
        rate = permitted[minute]
        if moved is None or rate is None or moved <= MUCH_MORE * rate * SECONDS_PER_MINUTE:
            continue
        near = permitted[max(minute - near_minutes, 0) : minute + near_minutes + 1]
        times = moved / (max(highest if one is None else one for one in near) * SECONDS_PER_MINUTE)
        if times > MUCH_MORE:
            found.append(times)
    return found
