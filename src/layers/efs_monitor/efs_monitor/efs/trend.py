"""Where a week of balances is heading: the day on which Warning would go off.

A balance swings with every night's batch, so a line through all points leans with the hour at which the week is cut
off. The lowest balance of each day does not: each day holds one whole swing, whatever the hour, and the lowest point is
what sets off the alarm. The slope is the median of those between any two days (Theil and Sen): one unusual night moves
it hardly at all.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import combinations
from math import inf
from statistics import median

from efs_monitor.efs.observations import BalancePoint

DAY = timedelta(days=1)
DAYS = 7
# With fewer, two nights make a trend.
FEWEST_DAYS = 5


def warning_expected(balances: Sequence[BalancePoint], threshold_bytes: float, now: datetime) -> datetime | None:
    """When the lowest balance of a day reaches the threshold, if the days go on as the last seven did; None where
    that is more than a week away, the balance is not falling, or too few days are known. And where it was below in the
    last 24 hours: then Warning itself has told it, and its day is no news.
    """
    lowest = daily_lowest(balances, now)
    if len(lowest) < FEWEST_DAYS or lowest.get(0, inf) < threshold_bytes:
        return None
    pairs = combinations(lowest.items(), 2)
    slope_bytes_per_day = median((after - before) / (day - earlier) for (earlier, before), (day, after) in pairs)
    if slope_bytes_per_day >= 0:
        return None
    today_bytes = median(balance - slope_bytes_per_day * day for day, balance in lowest.items())
    days = max(0.0, (threshold_bytes - today_bytes) / slope_bytes_per_day)
    return now + days * DAY if days <= DAYS else None


def daily_lowest(balances: Sequence[BalancePoint], now: datetime) -> dict[int, float]:
    """The lowest balance in bytes of each of the last seven days that has one; day 0 ends now, -1 a day ago."""
    lowest: dict[int, float] = {}
    for point in balances:
        day = -((now - point.time) // DAY)
        if -DAYS < day <= 0:
            lowest[day] = min(point.balance_bytes, lowest.get(day, point.balance_bytes))
    return lowest
