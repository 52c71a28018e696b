"""What the credits did over hours, beside what the size earned and clients moved: one follows from the other two.

So a balance, a size or a counter in another unit shows, whichever of them it is. What is lost at a full bucket, and
what EFS gives away at zero, is left open.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import inf

from efs_monitor.efs.credits import (
    LOWEST_BURST_BYTES_PER_SECOND,
    SECONDS_PER_MINUTE,
    baseline_bytes_per_second,
    earned_bytes_per_second,
    full_bucket_bytes,
)
from efs_monitor.efs.file_system import FileSystem
from efs_monitor.mail.numbers import size

from operate.replay.replayed_metrics import Values

# So long that a lump of credits that were earned within an hour, at its edges, makes not much of a difference.
SPAN_MINUTES, HOUR_MINUTES = 360, 60
# With more minutes lost nobody knows what was moved.
MOST_LOST_MINUTES = 10
# A bucket is about full: it follows a size that is metered hourly.
NEARLY_FULL = 0.9
# A balance of less may have been at zero within a minute.
MINUTE_BYTES = float(LOWEST_BURST_BYTES_PER_SECOND * SECONDS_PER_MINUTE)
# Of what was earned and of what was moved so much is no fault of a unit: lumps, and sizes that are metered hourly.
OF_EARNED, OF_MOVED = 0.2, 0.25
# What moves by less than a quarter of what it must is no balance of bytes. A part of what flows is too little to tell.
MUCH_LESS, TOO_LITTLE = 0.25, 0.05
# By so much more than was moved nothing can fall; less than so many minutes is no evidence.
MORE_THAN_MOVED, FEWEST_MINUTES = 1.25, 10


@dataclass(frozen=True, kw_only=True)
class Entry:
    """Some hours of credits in bytes: by how much the balance changed, and between which bounds it can have.

    `earned` and `moved` are what the size earns and MeteredIOBytes tells of, `at_edges` is what may count to the hours
    beside these, where a load begins or ends in between.
    """

    change: float
    lowest: float
    highest: float
    earned: float
    moved: float
    at_edges: float
    was_full: bool

    @property
    def unsure(self) -> float:
        """How much the balance may differ from the sums, in bytes."""
        return OF_EARNED * self.earned + OF_MOVED * self.moved + self.at_edges

    @property
    def least_change(self) -> float:
        """How much the balance must rise or fall at the least, in bytes."""
        return max(0.0, self.lowest, -self.highest)


def entries_of(
    balances: Values,
    metered: Values,
    file_systems: Sequence[tuple[int, FileSystem]],
    near_minutes: int,
    *,
    knows_size: bool,
    knows_metered: bool,
) -> list[Entry]:
    """One for each SPAN_MINUTES of which all is known and in which credits decided about the throughput.

    A datapoint may be of what happened `near_minutes` before or after it. Without a size nobody knows what was earned,
    and without MeteredIOBytes what was spent.
    """
    minutes = _by_minute(file_systems, len(balances))
    found = []
    for begin, end in _hours_on_credits(minutes):
        before, after = balances[begin], balances[end]
        known = [one for one in balances[begin : end + 1] if one is not None]
        if before is None or after is None or len(known) <= SPAN_MINUTES - MOST_LOST_MINUTES:
            continue
        lived = minutes[begin : end + 1]
        rates = [earned_bytes_per_second(one.standard_bytes) * SECONDS_PER_MINUTE for one in lived[1:]]
        earned = float(sum(rates)) if knows_size else 0.0
        moved = _sum(metered[begin + 1 : end + 1])
        full = min(full_bucket_bytes(one.standard_bytes) for one in set(lived))
        was_full = max(known) >= NEARLY_FULL * full
        given = 0.0
        if min(known) < MINUTE_BYTES:
            given = sum(
                max(0.0, baseline_bytes_per_second(one.standard_bytes) * SECONDS_PER_MINUTE - rate)
                for one, rate in zip(lived[1:], rates, strict=True)
            )
        found.append(
            Entry(
                change=after - before,
                # What a bucket holds no more when a file system shrinks is cut off.
                lowest=(0.0 if was_full else earned) - moved - max(0.0, before - full) if knows_metered else -inf,
                highest=earned - moved + given if knows_size else inf,
                earned=earned,
                moved=moved,
                at_edges=near_minutes
                * sum(_range(metered[max(0, at - near_minutes) : at + near_minutes + 1]) for at in (begin, end)),
                was_full=was_full,
            )
        )
    return found


def disagreements(entries: Sequence[Entry], *, knows_metered: bool) -> Iterator[str]:
    """What of the balance does not follow, as sentences without their ends: of all falls, and of all rises.

    Hours in which the bucket was full tell of no rise.
    """
    by = "StorageBytes and MeteredIOBytes" if knows_metered else "StorageBytes"
    names = f"BurstCreditBalance, {by}" if knows_metered else f"BurstCreditBalance and {by}"
    conclusion = f"one of {names} is in another unit or not whole, and neither is what follows from it"
    judged = [one for one in entries if one.change < 0 or not one.was_full]
    found = []
    for some in ([one for one in judged if one.change < 0], [one for one in judged if one.change >= 0]):
        change, moved = sum(one.change for one in some), sum(one.moved for one in some)
        lowest, highest = sum(one.lowest for one in some), sum(one.highest for one in some)
        unsure = max(MINUTE_BYTES, sum(one.unsure for one in some))
        if -change > MORE_THAN_MOVED * moved and lowest - change > max(unsure, FEWEST_MINUTES * MINUTE_BYTES):
            found.append(
                f"The credits fell by {size(-change)} while MeteredIOBytes tells of {size(moved)}: one of the two is "
                "in another unit or not whole. If it is MeteredIOBytes, clients were slowed down more, and modes "
                "cost more, than is said here"
            )
        elif lowest - change > unsure or change - highest > unsure:
            bound = lowest if lowest > change else highest
            had_to = f"{'risen' if bound > 0 else 'fallen'} by {size(abs(bound))}"
            did = f"{'fell' if change < 0 else 'rose'} by {size(abs(change))}" if change else "stayed as they were"
            found.append(
                f"In {_hours(some)} hours the credits {did}, and by {by} they would have {had_to}: {conclusion}"
            )
    if not found and (changes := _hardly_changed(judged)):
        found.append(f"{changes} by {by}: {conclusion}")
    yield from found


def _hours(entries: Sequence[Entry]) -> str:
    return f"{len(entries) * SPAN_MINUTES // HOUR_MINUTES:,}"


def _hardly_changed(entries: Sequence[Entry]) -> str:
    """Where the balance rose and fell by much less in all than it had to, though rises and falls are small beside what
    flowed through it.
    """
    changed, had_to = sum(abs(one.change) for one in entries), sum(one.least_change for one in entries)
    too_little = MINUTE_BYTES + sum(TOO_LITTLE * (one.earned + one.moved) + one.at_edges for one in entries)
    if had_to <= too_little or changed >= MUCH_LESS * had_to:
        return ""
    did = f"rose and fell by {size(changed)} in all" if changed else "stayed as they were"
    return f"In {_hours(entries)} hours the credits {did}, and would have risen and fallen by {size(had_to)}"


def _hours_on_credits(minutes: Sequence[FileSystem]) -> Iterator[tuple[int, int]]:
    """The first and the last minute of each span in which the file system lived on credits."""
    begin = 0
    for lives_on_credits, run in groupby(minutes, key=lambda one: one.lives_on_credits):
        end = begin + sum(1 for _ in run)
        if lives_on_credits:
            yield from pairwise(range(begin, end, SPAN_MINUTES))
        begin = end


def _by_minute(file_systems: Sequence[tuple[int, FileSystem]], minutes: int) -> list[FileSystem]:
    ends = [*(minute for minute, _ in file_systems[1:]), minutes]
    return [one for (begin, one), end in zip(file_systems, ends, strict=True) for _ in range(begin, min(end, minutes))]


def _range(values: Values) -> float:
    known = [one or 0.0 for one in values]
    return max(known) - min(known)


def _sum(values: Values) -> float:
    return sum(one for one in values if one is not None)
