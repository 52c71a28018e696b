"""Where a week of balances is heading: the day on which Warning would go off.

A balance swings with every night's batch, so a line through all points leans with the hour at which the week is cut
off. The lowest balance of each day does not: each day holds one whole swing, whatever the hour, and the lowest point is
what sets off the alarm. The slope is the median of those between any two days (Theil and Sen): one unusual night moves
it hardly at all.

A bucket forgets. Days that were followed by a whole day of a full bucket are over. So are those on which it held more
than fits in at the size of now: a file system above 1 TiB that shrinks has its bucket cut, and nobody spent what is
gone. Growth makes no fall of the balance. But it raises the threshold, of which only that of now is known.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from math import inf
from statistics import median

from efs_monitor.efs.observations import BalancePoint

DAY = timedelta(days=1)
DAYS = 7
# With fewer, two nights make a trend.
FEWEST_DAYS = 5
# Size and balance are metered about hourly and not in step: a bucket is full, or larger, only up to so much.
INEXACT = 0.01


def warning_expected(
    balances: Sequence[BalancePoint], threshold_bytes: float, bucket_bytes: float, now: datetime
) -> datetime | None:
    """When the lowest balance of a day reaches the threshold, if the days go on as the last seven did; None where
    that is more than a week away, the balance is not falling, or too few days are known of a bucket that holds
    `bucket_bytes` when it is full. And where it was below in the last 24 hours: then Warning itself has told it, and
    its day is no news.
    """
    lowest = daily_lowest(balances, now)
    if lowest.get(0, inf) < threshold_bytes:
        return None
    forgotten = _last_forgotten(balances, lowest, bucket_bytes, now)
    lowest = {day: balance for day, balance in lowest.items() if day > forgotten}
    if len(lowest) < FEWEST_DAYS:
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
        day = _day(point, now)
        if -DAYS < day <= 0:
            lowest[day] = min(point.balance_bytes, lowest.get(day, point.balance_bytes))
    return lowest


def _last_forgotten(
    balances: Sequence[BalancePoint], lowest: Mapping[int, float], bucket_bytes: float, now: datetime
) -> int:
    """The last day that was full from its beginning to its end, or in which more was held than fits."""
    full = [day for day, balance in lowest.items() if balance >= (1 - INEXACT) * bucket_bytes]
    larger = [_day(point, now) for point in balances if point.balance_bytes > (1 + INEXACT) * bucket_bytes]
    return max([-DAYS, *full, *larger])


def _day(point: BalancePoint, now: datetime) -> int:
    return -((now - point.time) // DAY)
