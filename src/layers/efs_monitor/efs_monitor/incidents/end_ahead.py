"""Whether the credits end within hours if what clients did a day ago comes again, which is told while there is time, or
last for more than a day, so that there is no hurry.
"""

from collections import deque
from collections.abc import Sequence
from datetime import datetime, timedelta

from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.pace import PACE
from efs_monitor.incidents.situation import DAY, RECENT

# Runs are hourly, so it is told three hours before the end at the latest.
LOOKS_AHEAD = timedelta(hours=4)


def ends_within_hours(balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether the changes of the balance in these hours of the last day would end what is left now. Where less was left
    then, what it lost until it was gone says nothing of more.
    """
    then = [one for one in balances if now - DAY <= one.time < now - DAY + LOOKS_AHEAD]
    if not then:
        return False
    left_bytes = balances[-1].balance_bytes
    return left_bytes <= then[0].balance_bytes - min(one.balance_bytes for one in then)


def lasts_a_day(balances: Sequence[BalancePoint], now: datetime) -> bool:
    """Whether what is left lasts for more than a day at the pace of now, and though any day of these balances come
    again: neither the last quarter of an hour nor the last hour, for a day, takes as much, nor did what clients did
    within any day. Not where less than a day is known: what comes once an hour shows in none of these, whose newest
    minutes are few. Not after an end: what was lost until then says nothing of more.
    """
    if not balances or now - balances[-1].time > RECENT:
        return False
    newest = balances[-1]
    left_bytes = newest.balance_bytes
    if newest.time - balances[0].time < DAY or any(one.balance_bytes <= 0 for one in balances):
        return False
    lately = [one for one in balances if newest.time - RECENT <= one.time <= newest.time - PACE]
    if not lately:
        return False
    for before in (lately[0], lately[-1]):
        if left_bytes <= (before.balance_bytes - left_bytes) * (DAY / (newest.time - before.time)):
            return False
    return left_bytes > _most_lost_in_a_day(balances)


def _most_lost_in_a_day(balances: Sequence[BalancePoint]) -> float:
    """The most by which a balance was below one of the day before it."""
    most = 0.0
    # The balances of the last day, of which none is below a later one: the first is the highest.
    highest: deque[BalancePoint] = deque()
    for point in balances:
        while highest and highest[-1].balance_bytes <= point.balance_bytes:
            highest.pop()
        highest.append(point)
        while point.time - highest[0].time > DAY:
            highest.popleft()
        most = max(most, highest[0].balance_bytes - point.balance_bytes)
    return most
