"""What the balance was doing when its datapoints stopped coming, or began to come late: whether it had ended, or was
about to.

The mail about that says of no such balance that there is nothing to worry about. It is known in steps of five minutes,
the lowest of each, and the newest may hold only its first minute. So the pace is that of the step before, or of the
newest where that fell faster, and what was left is counted from the end of the step before. Where the balance rose in
that, its lowest was at its beginning, and it ended as much higher as it had risen from one step to the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from efs_monitor.efs.credits import is_nothing
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.situation import STEP

# A load of minutes takes as much of a large balance as well, and ends nothing.
SOON = timedelta(hours=6)
# Of a balance that is low enough for an alarm people wait for the next mail; and a load of an hour is none of minutes.
HOUR, HALF_A_DAY = timedelta(hours=1), timedelta(hours=12)
# What ends later at the pace of five minutes nobody counts on.
DAYS = timedelta(days=2)


@dataclass(frozen=True, kw_only=True)
class LastSeen:
    """The newest balance that was known at `time`, how fast it fell, and when it was gone at that pace, or may be.
    `changed_seen` is when the monitor last saw that the throughput was changed, where it did.
    """

    time: datetime
    balance_bytes: float
    drain_bytes_per_second: float
    gone: datetime
    changed_seen: datetime | None = None

    @property
    def is_zero(self) -> bool:
        """Whether nothing was left already."""
        return self.drain_bytes_per_second == 0


@dataclass(frozen=True, kw_only=True)
class NewestSeen:
    """The newest balance that was known at `time`, of the five minutes from `since` on; and the `end` that has come, or
    comes within days at its pace, None where there is none.
    """

    time: datetime
    since: datetime
    balance_bytes: float
    end: LastSeen | None


def newest_seen(balances: Sequence[BalancePoint], minute_bytes: float, now: datetime) -> NewestSeen | None:
    """What the newest of the balances, in order, says; None where there is none. `minute_bytes` last for a minute at
    full speed.
    """
    if not balances:
        return None
    newest = balances[-1]
    end = _end(balances, minute_bytes, now, within=DAYS)
    return NewestSeen(time=now, since=newest.time, balance_bytes=newest.balance_bytes, end=end)


def last_seen_ending(
    balances: Sequence[BalancePoint], minute_bytes: float, now: datetime, *, alarm_is_on: bool
) -> LastSeen | None:
    """What the newest of the balances, in order, says of an end that has come or comes soon, or within half a day where
    an alarm is on, or it has fallen for an hour; None where it is neither. `minute_bytes` last for a minute at full
    speed.
    """
    if not balances:
        return None
    goes_on = alarm_is_on or _has_fallen_for_an_hour(balances)
    return _end(balances, minute_bytes, now, within=HALF_A_DAY if goes_on else SOON)


def _has_fallen_for_an_hour(balances: Sequence[BalancePoint]) -> bool:
    lately = balances[-1 - HOUR // STEP :]
    is_an_hour = lately[-1].time - lately[0].time == HOUR
    return is_an_hour and all(later.balance_bytes < one.balance_bytes for one, later in pairwise(lately))


def _end(balances: Sequence[BalancePoint], minute_bytes: float, now: datetime, within: timedelta) -> LastSeen | None:
    newest = balances[-1]
    if newest.balance_bytes <= 0 or is_nothing(newest.balance_bytes, minute_bytes):
        return LastSeen(time=now, balance_bytes=newest.balance_bytes, drain_bytes_per_second=0, gone=newest.time)
    in_a_row = [one for back, one in enumerate(reversed(balances[-3:])) if one.time == newest.time - back * STEP]
    drops = [before.balance_bytes - after.balance_bytes for after, before in pairwise(in_a_row)]
    if not drops or drops[0] <= 0:
        return None
    rose_bytes = max(0.0, -drops[-1])
    pace = max(drops[0] + rose_bytes, *drops) / STEP.total_seconds()
    # A fall by some bytes ends in no year that a date can tell.
    seconds = (in_a_row[1].balance_bytes + rose_bytes) / pace
    if seconds > (now + within - newest.time).total_seconds():
        return None
    gone = newest.time + timedelta(seconds=seconds)
    return LastSeen(time=now, balance_bytes=newest.balance_bytes, drain_bytes_per_second=pace, gone=gone)
