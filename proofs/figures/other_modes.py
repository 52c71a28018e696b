"""What elastic or provisioned throughput has cost, and what the last day would have been on credits."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from proofs.figures.known import (
    MINUTE,
    STEP_MINUTES,
    Known,
    lowest_bytes,
)
from proofs.list_prices import HOURS_A_MONTH, PROVISIONED_DOLLARS_A_MIB_SECOND
from simulation.burst_credits import GIB, MIB, flow
from simulation.file_system import Elastic, Provisioned, ThroughputMode

A_DAY = timedelta(days=1)
# A run of every hour sees a change, up to a quarter of an hour late.
SEEN_WITHIN = timedelta(minutes=75)


@dataclass(frozen=True, kw_only=True)
class OnCredits:
    """When the credits would first have been gone, if at all; the least that would have been left, and when; what would
    have been left in the end; and in how many minutes, counted in whole steps of five, clients moved more than credits
    permit.
    """

    gone: datetime | None
    lowest_bytes: float
    lowest_time: datetime
    closing_bytes: float
    faster_minutes: int


def changed(known: Known) -> datetime:
    """When the mode of now began; more of what is provisioned is the same mode."""
    lived = [one for one in known.player.lived if known.player.time_of(one.minute) < known.time]
    changes = [later.minute for earlier, later in pairwise(lived) if not _goes_on(earlier.mode, later.mode)]
    return known.player.time_of(changes[-1] if changes else lived[0].minute)


def locked_since(known: Known) -> datetime:
    """When AWS's lock of a day last began: with the mode of now, or when another rate was provisioned, which may have
    been a raise.
    """
    lived = [one for one in known.player.lived if known.player.time_of(one.minute) < known.time]
    changes = [later.minute for earlier, later in pairwise(lived) if locks_the_mode(earlier.mode, later.mode)]
    return known.player.time_of(changes[-1] if changes else lived[0].minute)


def locks_the_mode(before: ThroughputMode, after: ThroughputMode) -> bool:
    """Whether AWS refuses another mode and a decrease for a day from then on."""
    if isinstance(before, Provisioned) and isinstance(after, Provisioned):
        return after.bytes_per_second != before.bytes_per_second
    return not isinstance(before, type(after))


def cost_dollars(known: Known, since: datetime) -> float:
    """Of the mode of now: by the work in elastic throughput, by the time under a provisioned rate."""
    if not isinstance(known.now.mode, Provisioned):
        return known.elastic_dollars(since)
    rates = [
        one.mode.bytes_per_second
        for one in known.player.lived
        if isinstance(one.mode, Provisioned) and since <= known.player.time_of(one.minute) < known.asked
    ]
    above_mib_minutes = sum(rate - known.earned_bytes_per_second for rate in rates) / MIB
    return above_mib_minutes * PROVISIONED_DOLLARS_A_MIB_SECOND / 60 / HOURS_A_MONTH


def _goes_on(earlier: ThroughputMode, later: ThroughputMode) -> bool:
    if isinstance(earlier, Provisioned) and isinstance(later, Provisioned):
        return earlier.bytes_per_second <= later.bytes_per_second
    return earlier == later


def busiest_step_bytes_per_second(known: Known) -> float:
    """The busiest five minutes of the clock of the last 24 hours, as far as the mode of now was on in them."""
    since = max(changed(known), known.asked - A_DAY)
    steps = known.steps(since) or known.last_day
    return max(sum(one.metered_bytes for one in step) for step in steps) / STEP_MINUTES / 60


def last_balance_bytes(known: Known) -> float:
    """The lowest of the newest five minutes of the clock that have a balance."""
    with_balance = [
        one
        for one in known.player.lived
        if not isinstance(one.mode, Elastic) and one.visible_at is not None and one.visible_at <= known.time
    ]
    newest = with_balance[-1]
    step = newest.minute - known.player.time_of(newest.minute).minute % STEP_MINUTES
    return min(lowest_bytes(one) for one in with_balance if one.minute >= step)


def held_down(known: Known) -> tuple[int, float, float]:
    """In how many minutes of the last 24 hours, in whole steps of five, clients took all that was provisioned, which is
    less than credits permit; and the lowest and the highest such rate.
    """
    rates = []
    for step in known.newest_whole_day:
        rate = max(one.mode.bytes_per_second if isinstance(one.mode, Provisioned) else 0.0 for one in step)
        taken = sum(one.metered_bytes for one in step) / STEP_MINUTES / 60
        if 0 < rate < known.reference_bytes_per_second and taken >= 0.95 * rate:
            rates.append(rate)
    return STEP_MINUTES * len(rates), min(rates, default=0.0), max(rates, default=0.0)


def on_credits(known: Known, opening_bytes: float) -> OnCredits:
    """The minutes of the last 24 hours once more, by the model of burst credits."""
    balance = lowest = opening_bytes
    gone = None
    faster = 0
    steps = known.newest_whole_day
    lowest_time = known.player.time_of(steps[0][0].minute)
    for step in steps:
        metered = sum(one.metered_bytes for one in step)
        faster += metered > 1.02 * known.reference_bytes_per_second * STEP_MINUTES * 60
        for one in step:
            size = known.now.metered_standard_bytes
            # What was moved faster than credits permit would have spent as much, only longer.
            balance = max(0.0, balance + known.earned_bytes_per_second * 60 - one.metered_bytes)
            balance = min(balance, flow(balance, size, 0.0, GIB).closing_bytes)
            if balance < lowest:
                lowest, lowest_time = balance, known.player.time_of(one.minute) + MINUTE
            if balance <= 0 and one.metered_bytes and gone is None:
                gone = known.player.time_of(one.minute)
    return OnCredits(
        gone=gone,
        lowest_bytes=lowest,
        lowest_time=lowest_time,
        closing_bytes=balance,
        faster_minutes=faster * STEP_MINUTES,
    )
