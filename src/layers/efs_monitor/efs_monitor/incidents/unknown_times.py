"""Between which two moments something began or ended while metrics were missing: the first five minutes that are known
again show that it has, and not when.
"""

from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import pairwise
from math import inf

from efs_monitor.efs.credits import earned_bytes_per_second, is_nothing
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.mode_steps import steps_of_another_mode
from efs_monitor.incidents.situation import DAY, STEP, Situation
from efs_monitor.incidents.times_at_zero import UNKNOWN


def unknown_before(
    moment: datetime, steps: Sequence[BalancePoint], other_mode: Collection[datetime] = ()
) -> datetime | None:
    """From when on nothing is known until a moment, by the `steps` of a day, in order, of five minutes each.

    None where those before them are known, or nothing before, or where there was no balance because of the `other_mode`
    of some of them.
    """
    earlier = [one.time for one in steps if one.time <= moment]
    if len(earlier) < 2 or earlier[-1] - earlier[-2] <= STEP or _any_between(earlier[-2], earlier[-1], other_mode):
        return None
    return earlier[-2] + STEP


def unknown_after(
    moment: datetime, steps: Sequence[BalancePoint], other_mode: Collection[datetime] = ()
) -> datetime | None:
    """Until when nothing is known from a moment on, with which one of the `steps` of five minutes ends.

    None where the next one is known, or none follows, or where there was no balance because of the `other_mode`.
    """
    later = next((one.time for one in steps if one.time >= moment), None)
    if later is None or later == moment or _any_between(moment - STEP, later, other_mode):
        return None
    return later


def unknown_before_in_the_last_day(moment: datetime, situation: Situation) -> datetime | None:
    """From when on nothing is known until a moment of the last 24 hours, whose last hour is known by the minute; None
    where what came right before it is known.
    """
    if any(moment - MINUTE <= one.time < moment for one in situation.balances):
        return None
    return unknown_before(moment, situation.balances_of_the_day, steps_of_another_mode(situation))


def unknown_after_in_the_last_day(moment: datetime, situation: Situation) -> datetime | None:
    """Until when nothing is known from a moment of the last 24 hours on, with which five minutes end; None where what
    followed is known.
    """
    return unknown_after(moment, situation.balances_of_the_day, steps_of_another_mode(situation))


def is_the_first_known(moment: datetime, situation: Situation) -> bool:
    """Whether a moment of the last 24 hours is that of the first balance that is known of them, so that what began with
    it may have begun before. Where another throughput mode had no balance right before, it did not.
    """
    first = situation.balances_of_the_day[0].time
    is_younger_than_a_day = situation.time - first < DAY
    return moment <= first and is_younger_than_a_day and first - STEP not in steps_of_another_mode(situation)


def may_have_ended_unseen(situation: Situation, steps: Sequence[BalancePoint]) -> bool:
    """Whether metrics are missing amid these `steps`, in order, for so long that the credits may have ended meanwhile
    and come back: taken as fast as they permit until nothing was left, and then earned by a file system at rest.
    """
    earned = earned_bytes_per_second(situation.file_system.standard_bytes)
    net, other_mode = situation.reference_bytes_per_second - earned, steps_of_another_mode(situation)
    if net <= 0:
        return False
    for before, after in pairwise(steps):
        if after.time - before.time <= STEP or _any_between(before.time, after.time, other_mode):
            continue
        seconds = (after.time - before.time).total_seconds() - before.balance_bytes / net
        if is_nothing(after.balance_bytes, situation.minute_bytes):
            # An end that goes on after them is seen; one before it is not, if a minute's worth came back meanwhile.
            again_bytes = situation.minute_bytes if after.time - before.time >= UNKNOWN else inf
            if (seconds - again_bytes / net) * earned >= again_bytes:
                return True
        elif seconds >= 0 and after.balance_bytes <= seconds * earned:
            return True
    return False


def _any_between(since: datetime, until: datetime, steps: Collection[datetime]) -> bool:
    return any(since < one < until for one in steps)
