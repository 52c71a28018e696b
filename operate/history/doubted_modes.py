"""What speaks against a provisioned mode that the metrics seem to show: rates and sizes in another unit look like it.

What is provisioned is permitted with credits and without them, spends none, and is within what EFS provisions.
"""

from collections.abc import Sequence
from itertools import pairwise

from efs_monitor.efs.credits import (
    MIB,
    SECONDS_PER_MINUTE,
    burst_bytes_per_second,
    earned_bytes_per_second,
    full_bucket_bytes,
    is_nothing,
)
from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.incidents.needed_throughput import HIGHEST_PROVISIONED_MIB_PER_SECOND
from efs_monitor.mail.numbers import size

from operate.history.credit_accounting import FEWEST_MINUTES, MINUTE_BYTES
from operate.history.modes import ModeSpan
from operate.replay.replayed_metrics import Values

MOST_MIB_PER_SECOND = max(HIGHEST_PROVISIONED_MIB_PER_SECOND.values())
# A rate of a minute in which it changes is either of the two; what differs by less may be a size that grows.
NEAR_MINUTES, OTHER_RATE = 2, 1.25


def why_it_was_bursting(
    spans: Sequence[ModeSpan], balances: Values, permitted: Values, sizes: Sequence[tuple[int, FileSystem]]
) -> str:
    """What speaks against the provisioned ones of these spans, as words after "because"; empty where nothing does."""
    provisioned = [one for one in spans if one.mode is ThroughputMode.PROVISIONED]
    for one in provisioned:
        if one.bytes_per_second > MOST_MIB_PER_SECOND * MIB:
            return (
                f"{one.bytes_per_second / MIB:,.0f} MiB/s is more than EFS provisions ({MOST_MIB_PER_SECOND:,} MiB/s)"
            )
        earned = min(earned_bytes_per_second(about.standard_bytes) for about in _sizes_in(one, sizes))
        if one.bytes_per_second * OTHER_RATE < earned:
            return (
                f"{one.bytes_per_second / MIB:,.0f} MiB/s is less than its size earns ({earned / MIB:,.0f} MiB/s), "
                "below which EFS permits what bursting has"
            )
    if provisioned and _follows_the_credits(provisioned, balances, permitted):
        return "another rate is permitted from the minute on in which the credits end, as in bursting mode"
    fallen = sum(_fallen(one, balances, sizes) for one in provisioned)
    if fallen > FEWEST_MINUTES * SECONDS_PER_MINUTE * max(
        burst_bytes_per_second(one.standard_bytes) for _, one in sizes
    ):
        return f"the credits fell by {size(fallen)} then, as in bursting mode"
    return ""


def _sizes_in(span: ModeSpan, sizes: Sequence[tuple[int, FileSystem]]) -> list[FileSystem]:
    """The file system as it was in a span, once for each size."""
    ends = [*(minute for minute, _ in sizes[1:]), span.end]
    return [one for (begin, one), end in zip(sizes, ends, strict=True) if begin < span.end and end > span.begin]


def _follows_the_credits(spans: Sequence[ModeSpan], balances: Values, permitted: Values) -> bool:
    """Whether a rate comes with the end of the credits and not with a change that somebody makes, or goes with it."""
    gone = [None if one is None else is_nothing(one, MINUTE_BYTES) for one in balances]
    taken = [False] * len(balances)
    for one in spans:
        taken[one.begin : one.end] = [True] * (one.end - one.begin)
    for minute in range(NEAR_MINUTES + 1, len(balances) - NEAR_MINUTES):
        if None in (gone[minute - 1], gone[minute]) or gone[minute - 1] == gone[minute]:
            continue
        around = minute - 1 - NEAR_MINUTES, minute + NEAR_MINUTES
        without, with_credits = around[:: 1 if gone[minute - 1] else -1]
        low, high = permitted[without], permitted[with_credits]
        # Credits may come back because a rate was provisioned: then what there was without them is bursting's.
        if low is None or high is None or not taken[without] or (gone[minute - 1] and not taken[with_credits]):
            continue
        if low * OTHER_RATE < high:
            return True
    return False


def _fallen(span: ModeSpan, balances: Values, sizes: Sequence[tuple[int, FileSystem]]) -> float:
    """By how much the balance fell within a span from one minute to the next, without what is cut off where a bucket
    shrinks. Whatever happened while nothing is known may have been another mode.
    """
    full = min(full_bucket_bytes(one.standard_bytes) for one in _sizes_in(span, sizes))
    return sum(
        before - after
        for before, after in pairwise(balances[span.begin : span.end])
        if before is not None and after is not None and after < before <= full
    )
