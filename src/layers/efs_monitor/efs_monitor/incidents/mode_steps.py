"""When another throughput mode was on in the last day: AWS tells nobody, but PermittedThroughput and the balance do."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import groupby, pairwise

from efs_monitor.efs.credits import (
    LOWEST_BURST_BYTES_PER_SECOND,
    LOWEST_REGIONAL_CAP_BYTES_PER_SECOND,
    MIB,
    SAME_RATE,
    earned_bytes_per_second,
    full_bucket_bytes,
)
from efs_monitor.efs.file_system import ThroughputMode
from efs_monitor.efs.reference import COMFORTABLE_BUCKET_SHARE
from efs_monitor.incidents.situation import DAY, STEP, Situation, once

# More than the size gives by so much was permitted by another mode. A size that shrinks lowers it too, which is why a
# mail says only that it seems so.
ANOTHER_MODE = 1.1
# In the ten minutes from one lowest balance to the next no size earns more than a seventieth of its bucket: with less
# than this it was not full between them.
NOT_FULL = 0.98
# The lowest balances of the first and the last five minutes are of moments up to five minutes apart from theirs.
SAME_BOOKS = 0.05
# PermittedThroughput is in whole bytes a second.
NEARLY_WHOLE_MIB = 1e-4
# One that is lower may be another mode's; of several in a row each is a size that was metered anew.
SHRINKS_IN_STEPS = 3
# A datapoint or two may come late, or never.
LONGER_THAN_A_GAP = timedelta(minutes=15)


@once
def steps_of_another_mode(situation: Situation) -> frozenset[datetime]:
    """The five minutes of the last day in which clients did not live on credits, as far as it shows."""
    return frozenset(
        steps_above_the_size(situation)
        | set(steps_at_a_provisioned_rate(situation))
        | _quiet_steps_at_a_provisioned_rate(situation)
        | steps_without_a_balance(situation)
    )


def steps_without_a_balance(situation: Situation) -> set[datetime]:
    """The five minutes of the last day, a quarter of an hour of them or more, of which CloudWatch has what was
    permitted and no balance, before others of which it has both.

    Nothing is earned or spent in elastic throughput, where AWS does not say that a balance is published.
    """
    known = {one.time for one in situation.balances_of_the_day}
    found: set[datetime] = set()
    for is_missing, run in groupby(situation.permitted_of_the_day, key=lambda step: step[0] not in known):
        times = [time for time, _ in run]
        if is_missing and len(times) * STEP >= LONGER_THAN_A_GAP and any(time > times[-1] for time in known):
            found.update(times)
    return found


@once
def steps_above_the_size(situation: Situation) -> frozenset[datetime]:
    """The five minutes of the last day in which more was permitted than the size gives, without credits.

    Or the file system was larger, and has shrunk since. Then clients lived on credits, and the balance says so: it fell
    meanwhile, it rose faster than this size earns, or by what the larger one earned less what was moved; or at the end
    the bucket was too small for it. At zero it says nothing: there a rate that is not of whole MiB/s is that of a size
    without credits. And what is deleted or tiered over hours lowers the rate step by step, which no mode does.
    """
    balances = {one.time: one.balance_bytes for one in situation.balances_of_the_day}
    most_earned = ANOTHER_MODE * earned_bytes_per_second(situation.file_system.standard_bytes)
    cut = situation.bucket_was_cut_at
    found: set[datetime] = set()
    for is_above, run in groupby(
        situation.permitted_of_the_day, key=lambda step: is_above_the_size(step[1], situation)
    ):
        steps = list(run)
        times, rates = [time for time, _ in steps], [rate for _, rate in steps]
        known = [(time, balances[time]) for time in times if time in balances]
        # In the five minutes of the change back the highest rate is that of before, and the lowest balance of after.
        alone = known[:-1] if len(known) * STEP > LONGER_THAN_A_GAP else known
        was_larger = (cut is not None and times[0] < cut <= times[-1] + LONGER_THAN_A_GAP) or any(
            not 0 <= balance - before <= most_earned * (time - then).total_seconds()
            for (then, before), (time, balance) in pairwise(alone)
        )
        was_larger = was_larger or _shrank_gradually(rates) or _earned_by_a_larger_size(alone, dict(steps), situation)
        is_dry = bool(known) and all(balance < situation.minute_bytes for _, balance in known)
        was_larger = was_larger or (is_dry and not all(is_whole(rate) for rate in rates))
        if is_above and not was_larger:
            found.update(times)
    return frozenset(found)


def _earned_by_a_larger_size(
    balances: Sequence[tuple[datetime, float]], rates: Mapping[datetime, float], situation: Situation
) -> bool:
    """Whether a balance changed by what a size of these rates earns, half of each, less what was moved. In another mode
    it would have risen by all that the size earns: where both come to the same, a rate that is not whole decides.

    What a Region caps earns more than half of it, and a bucket that may have been full took in less.
    """
    if max(rates.values()) >= LOWEST_REGIONAL_CAP_BYTES_PER_SECOND or len(balances) * STEP <= LONGER_THAN_A_GAP:
        return False
    full_bytes = NOT_FULL * full_bucket_bytes(situation.file_system.standard_bytes)
    if max(balance for _, balance in balances) >= full_bytes:
        return False
    (first, before), (last, after) = balances[0], balances[-1]
    moved = {one.time: one.metered_bytes for one in situation.last_day}
    within = [time for time in rates if first <= time < last]
    by_size_bytes = sum(rates[time] / 2 * STEP.total_seconds() for time in within)
    on_credits_bytes = by_size_bytes - sum(moved.get(time, 0.0) for time in within)
    seconds = len(within) * STEP.total_seconds()
    in_other_mode_bytes = seconds * earned_bytes_per_second(situation.file_system.standard_bytes)
    tolerance_bytes = SAME_BOOKS * by_size_bytes
    if abs(after - before - on_credits_bytes) > tolerance_bytes:
        return False
    is_either = abs(on_credits_bytes - in_other_mode_bytes) <= 2 * tolerance_bytes
    return not is_either or not all(is_whole(rate) for rate in rates.values())


def _shrank_gradually(rates: Sequence[float]) -> bool:
    """Whether the rate became lower again and again, and never higher, as EFS meters a size that shrinks."""
    distinct = [rate for rate, _ in groupby(rates)]
    falls_only = all(after < before for before, after in pairwise(distinct))
    return falls_only and len(distinct) >= SHRINKS_IN_STEPS and not any(is_whole(rate) for rate in distinct[1:])


@once
def steps_at_a_provisioned_rate(situation: Situation) -> dict[datetime, float]:
    """The five minutes of the last day in which a provisioned rate let the load through, each with what was permitted.

    That is no more than the size gives, while clients moved more than is earned and took no credits.

    On credits the lowest balance of five minutes is, at the most, what was earned in ten above the lowest of the five
    before, less what was moved. Without a balance, or at zero, where no credits are left to be taken, a rate that the
    size gives neither with credits nor without tells it.

    A size that shrank since earned more, and its books look alike. But whoever provisions throughput cannot go back for
    24 hours: what came after a load that took credits took them too. Nor does a balance tell in whose place all
    stands that fits into a smaller bucket since.
    """
    took_credits, cut = _first_fall(situation), situation.bucket_was_cut_at
    work = {one.time: one.metered_bytes for one in situation.last_day}
    balances = {one.time: one.balance_bytes for one in situation.balances_of_the_day}
    earned_bytes = earned_bytes_per_second(situation.file_system.standard_bytes) * STEP.total_seconds()
    found: dict[datetime, float] = {}
    for time, rate in situation.permitted_of_the_day:
        moved_bytes = work.get(time, 0.0)
        if is_above_the_size(rate, situation) or moved_bytes <= ANOTHER_MODE * earned_bytes:
            continue
        if took_credits is not None and time >= took_credits:
            continue
        is_between = is_neither(rate, situation)
        match balances.get(time - STEP), balances.get(time):
            case _, None:
                took_none = is_between
            case None, _:
                took_none = False
            case before, after:
                # One that shrank since earned more then: where its balance fell, it was on credits all the same.
                is_known = before >= situation.minute_bytes or not is_of_another_size(rate, situation)
                may_tell = after >= before and is_known and (is_between or before >= situation.minute_bytes)
                may_tell = may_tell and not (cut is not None and time < cut and after == before)
                took_none = may_tell and after - before + moved_bytes > (1 + ANOTHER_MODE) * earned_bytes
        if took_none:
            found[time] = rate
    return found


def _quiet_steps_at_a_provisioned_rate(situation: Situation) -> set[datetime]:
    """The other five minutes at such a rate, before and after a load that it let through, or of a day without one: what
    little was moved in them took no credits either, and would take what is earned now.
    """
    taken, took_credits = steps_at_a_provisioned_rate(situation), _first_fall(situation)
    balances = {one.time: one.balance_bytes for one in situation.balances_of_the_day}
    found: set[datetime] = set()
    for rate, run in groupby(situation.permitted_of_the_day, key=lambda step: step[1]):
        times = [time for time, _ in run]
        is_provisioned = any(time in taken or is_of_no_size(rate, balances.get(time, 0.0), situation) for time in times)
        if is_provisioned and is_neither(rate, situation):
            found.update(time for time in times if took_credits is None or time < took_credits)
    return found


def is_of_no_size(bytes_per_second: float, balance_bytes: float, situation: Situation) -> bool:
    """Whether no size is permitted so little while it has so many credits: with few the metric may already have fallen
    to what is there without any, or not have come back.
    """
    comfortable_bytes = COMFORTABLE_BUCKET_SHARE * full_bucket_bytes(situation.file_system.standard_bytes)
    return bytes_per_second * SAME_RATE < LOWEST_BURST_BYTES_PER_SECOND and balance_bytes >= comfortable_bytes


def _first_fall(situation: Situation) -> datetime | None:
    """When a load of the last 24 hours first took credits; None where none did, or throughput is provisioned by now.

    What no longer fits into the bucket of a size that shrank was in a full one.
    """
    if situation.file_system.mode is ThroughputMode.PROVISIONED:
        return None
    full_bytes = NOT_FULL * full_bucket_bytes(situation.file_system.standard_bytes)
    of_the_day = (one for one in situation.balances_of_the_day if one.time >= situation.time - DAY)
    return next(
        (
            after.time
            for before, after in pairwise(of_the_day)
            if after.balance_bytes < before.balance_bytes < full_bytes
        ),
        None,
    )


@once
def end_of_another_mode(situation: Situation) -> datetime | None:
    """When the last of it ended, to five minutes, as far as the metrics show; None where they do not.

    A rate that the size gives neither with credits nor without is provisioned where clients took no credits at it: a
    size that changes has such a rate, too.
    """
    ends = {*steps_above_the_size(situation), *steps_without_a_balance(situation)}
    taken = steps_at_a_provisioned_rate(situation)
    for of_no_size, run in groupby(situation.permitted_of_the_day, key=lambda step: is_neither(step[1], situation)):
        times = [time for time, _ in run]
        if of_no_size and any(time in taken for time in times):
            ends.update(times)
    return max(ends) + STEP if ends else None


def is_above_the_size(bytes_per_second: float, situation: Situation) -> bool:
    """Whether a rate is more than the size gives: by a tenth, or by a hundredth where it is whole and no cap."""
    reference = situation.reference_bytes_per_second
    if bytes_per_second > ANOTHER_MODE * reference:
        return True
    is_more = SAME_RATE * reference < bytes_per_second < LOWEST_REGIONAL_CAP_BYTES_PER_SECOND
    return is_more and is_whole(bytes_per_second)


def is_of_another_size(bytes_per_second: float, situation: Situation) -> bool:
    """Whether the size gives this rate neither with credits nor without, and another size may have: it is not whole."""
    return is_neither(bytes_per_second, situation) and not is_whole(bytes_per_second)


def is_whole(bytes_per_second: float) -> bool:
    """Whether a rate is in whole MiB/s, which hardly any size comes to, and nearly all have that are provisioned: EFS
    takes fractions, the console and most people give none. One with a fraction is taken for that of a size, at zero.

    https://docs.aws.amazon.com/efs/latest/ug/API_UpdateFileSystem.html
    """
    return abs(bytes_per_second / MIB - round(bytes_per_second / MIB)) <= NEARLY_WHOLE_MIB


def is_neither(bytes_per_second: float, situation: Situation) -> bool:
    """Whether the size gives this rate neither with credits nor without."""
    lowest, highest = situation.baseline_bytes_per_second, situation.reference_bytes_per_second
    return lowest * ANOTHER_MODE < bytes_per_second < highest / ANOTHER_MODE
