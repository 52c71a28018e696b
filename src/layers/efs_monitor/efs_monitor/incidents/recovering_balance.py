"""Whether a balance recovers: in a rest between two pulses of a load it rises, too, and does not."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise
from math import inf

from efs_monitor.efs.observations import BalancePoint, balances_since
from efs_monitor.incidents.pace import PACE
from efs_monitor.incidents.pulses import falls_each_lower
from efs_monitor.incidents.situation import DAY, RECENT
from efs_monitor.incidents.times_with_nothing import beginnings, may_be_gone_again

# A fall that is younger shows in the Draining alarm first, if it is fast.
LATELY = timedelta(minutes=30)
# What is older than an hour says nothing of now, unless it comes again: at least twice in so long, where it comes every
# two hours.
RECURS_IN = timedelta(hours=5)
# The share of a full bucket from which on a lead time is near all that fits: 275 minutes of 366. Who chose such a one
# has been told once, and with so much left there is nothing to do.
NEARLY_FULL = 0.75


def recovers(balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether the balance is above zero and does not fall, by points of some minutes each, oldest first.

    Not where the newest is an hour old, or stands alone: nobody knows what it does now. Nor where it was at zero again
    and again, or lost by more than one fall, in the last hour, or in the last five while the next may be due: between
    two pulses of a load it rises, too.
    """
    if not balances or now - balances[-1].time > RECENT:
        return False
    newest = balances[-1]
    lately = [one.balance_bytes for one in balances_since(balances, newest.time - RECENT)]
    if beginnings(one <= 0 for one in lately) > 1:
        return False
    falls = [after < before for before, after in pairwise(lately)]
    if lately[-1] < lately[0] and beginnings(falls) > 1:
        return False
    longer = balances_since(balances, newest.time - RECURS_IN)
    if may_be_gone_again(longer, 0.0):
        return False
    lower = falls_each_lower(longer)
    if lower and newest.time - lower[-1].time <= lower[-1].time - lower[-2].time:
        return False
    before = [one for one in balances_since(balances, newest.time - RECENT) if one.time <= newest.time - PACE]
    return bool(before) and newest.balance_bytes > 0 and newest.balance_bytes >= before[-1].balance_bytes


def stays_nearly_full(balances: Sequence[BalancePoint], bucket_bytes: float, now: datetime) -> bool:
    """Whether three quarters of a full bucket or more are left, and do not fall: the balance recovers, or is no lower
    than at the least a day before, as one that breathes with what clients do.
    """
    if not balances or now - balances[-1].time > RECENT:
        return False
    newest = balances[-1]
    if newest.balance_bytes < NEARLY_FULL * bucket_bytes:
        return False
    day_before = [one.balance_bytes for one in balances if DAY <= newest.time - one.time < 2 * DAY]
    return recovers(balances, now) or newest.balance_bytes >= min(day_before, default=inf)


def began_to_fall(balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether the balance still recovered half an hour ago, for one that does not any more."""
    then = now - LATELY
    return recovers([one for one in balances if one.time <= then], then)
