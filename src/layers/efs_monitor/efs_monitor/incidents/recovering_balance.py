"""Whether a balance recovers: in a rest between two pulses of a load it rises, too, and does not."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.pace import PACE
from efs_monitor.incidents.pulses import falls_each_lower
from efs_monitor.incidents.situation import RECENT, beginnings, may_be_gone_again

# A fall that is younger shows in the Draining alarm first, if it is fast.
LATELY = timedelta(minutes=30)
# What is older than an hour says nothing of now, unless it comes again: at least twice in so long, where it comes every
# two hours.
RECURS_IN = timedelta(hours=5)


def recovers(balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether the balance is above zero and does not fall, by points of some minutes each.

    Not where the newest is an hour old, or stands alone: nobody knows what it does now. Nor where it was at zero again
    and again, or lost by more than one fall, in the last hour, or in the last five while the next may be due: between
    two pulses of a load it rises, too.
    """
    if not balances or now - balances[-1].time > RECENT:
        return False
    newest = balances[-1]
    lately = [one.balance_bytes for one in balances if newest.time - RECENT <= one.time]
    if beginnings(one <= 0 for one in lately) > 1:
        return False
    falls = [after < before for before, after in pairwise(lately)]
    if lately[-1] < lately[0] and beginnings(falls) > 1:
        return False
    longer = [one for one in balances if newest.time - RECURS_IN <= one.time]
    if may_be_gone_again(longer, 0.0):
        return False
    lower = falls_each_lower(longer)
    if lower and newest.time - lower[-1].time <= lower[-1].time - lower[-2].time:
        return False
    before = [one for one in balances if newest.time - RECENT <= one.time <= newest.time - PACE]
    return bool(before) and newest.balance_bytes > 0 and newest.balance_bytes >= before[-1].balance_bytes


def began_to_fall(balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether the balance still recovered half an hour ago, for one that does not any more."""
    then = now - LATELY
    return recovers([one for one in balances if one.time <= then], then)
