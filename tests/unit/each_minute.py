"""Balances as CloudWatch has them, one a minute, of a few that tell the story."""

from itertools import pairwise

from efs_monitor.efs.observations import MINUTE, BalancePoint


def each_minute(*told: BalancePoint) -> tuple[BalancePoint, ...]:
    """These points, in order, and those on a line between each two of them."""
    found = list(told[:1])
    for one, later in pairwise(told):
        minutes = round((later.time - one.time) / MINUTE)
        a_minute_bytes = (later.balance_bytes - one.balance_bytes) / minutes
        found += [
            BalancePoint(time=one.time + minute * MINUTE, balance_bytes=one.balance_bytes + minute * a_minute_bytes)
            for minute in range(1, minutes)
        ]
        found.append(later)
    return tuple(found)
