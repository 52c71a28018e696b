"""What the balance was doing when its datapoints stopped coming, or began to come late: whether it had ended, or was
about to.

The mail about that says of no such balance that there is nothing to worry about. Where its last minutes are known, the
pace is that of the newest in a row that fell. Else it is known in steps of five minutes, the lowest of each, and the
newest may hold only its first minute. So the pace is that of the step before, or of the newest where that fell faster,
and what was left is counted from the end of the step before. Where the balance rose in that, its lowest was at its
beginning, and it ended as much higher as it had risen from one step to the next.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from efs_monitor.efs.credits import is_nothing
from efs_monitor.efs.observations import MINUTE, BalancePoint
from efs_monitor.incidents.pace import PACE
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


def newest_seen(
    balances: Sequence[BalancePoint], minute_bytes: float, now: datetime, minutes: Sequence[BalancePoint] = ()
) -> NewestSeen | None:
    """What the newest of the balances, in order, says, and of its last `minutes` where they are known; None where there
    is none. `minute_bytes` last for a minute at full speed.
    """
    if not balances:
        return None
    newest = balances[-1]
    end = _end(balances, minute_bytes, now, minutes, within=DAYS)
    return NewestSeen(time=now, since=newest.time, balance_bytes=newest.balance_bytes, end=end)


def last_seen_ending(
    balances: Sequence[BalancePoint],
    minute_bytes: float,
    now: datetime,
    minutes: Sequence[BalancePoint] = (),
    *,
    alarm_is_on: bool,
) -> LastSeen | None:
    """What the newest of the balances, in order, says of an end that has come or comes soon, or within half a day where
    an alarm is on, or it has fallen for an hour; None where it is neither. With its last `minutes` where they are
    known. `minute_bytes` last for a minute at full speed.
    """
    if not balances:
        return None
    goes_on = alarm_is_on or _has_fallen_for_an_hour(balances)
    return _end(balances, minute_bytes, now, minutes, within=HALF_A_DAY if goes_on else SOON)


def _has_fallen_for_an_hour(balances: Sequence[BalancePoint]) -> bool:
    lately = balances[-1 - HOUR // STEP :]
    is_an_hour = lately[-1].time - lately[0].time == HOUR
    return is_an_hour and all(later.balance_bytes < one.balance_bytes for one, later in pairwise(lately))


def _end(
    balances: Sequence[BalancePoint],
    minute_bytes: float,
    now: datetime,
    minutes: Sequence[BalancePoint],
    *,
    within: timedelta,
) -> LastSeen | None:
    newest = balances[-1]
    if newest.balance_bytes <= 0 or is_nothing(newest.balance_bytes, minute_bytes):
        return LastSeen(time=now, balance_bytes=newest.balance_bytes, drain_bytes_per_second=0, gone=newest.time)
    by_then = [one for one in minutes if one.time < newest.time + STEP]
    found = _fall_of_the_minutes(by_then) or _fall_of_the_steps(balances)
    # A fall by some bytes ends in no year that a date can tell.
    if found is None or found.seconds > (now + within - found.since).total_seconds():
        return None
    gone = found.since + timedelta(seconds=found.seconds)
    return LastSeen(time=now, balance_bytes=found.balance_bytes, drain_bytes_per_second=found.pace, gone=gone)


class _Fall(NamedTuple):
    """What was left at last, how fast it fell, in bytes per second, and in how many seconds `since` a moment it has
    taken all.
    """

    balance_bytes: float
    pace: float
    since: datetime
    seconds: float


def _fall_of_the_minutes(minutes: Sequence[BalancePoint]) -> _Fall | None:
    """The fall of the newest minutes in a row, each of which has less than the one before; None where the last did not
    fall. A balance is that at the end of its minute while it falls, and at its beginning while it rises: of that from
    which it fell it is known how much was taken at the least, which counts where nothing else does.
    """
    falling = list(minutes[-1:])
    for one in reversed(minutes[-1 - PACE // MINUTE : -1]):
        if falling[-1].time - one.time != MINUTE or one.balance_bytes <= falling[-1].balance_bytes:
            break
        falling.append(one)
    if len(falling) < 2:
        return None
    last, first = falling[0], falling[-1] if len(falling) == 2 else falling[-2]
    pace = (first.balance_bytes - last.balance_bytes) / (last.time - first.time).total_seconds()
    return _Fall(last.balance_bytes, pace, last.time + MINUTE, last.balance_bytes / pace)


def _fall_of_the_steps(balances: Sequence[BalancePoint]) -> _Fall | None:
    newest = balances[-1]
    in_a_row = [one for back, one in enumerate(reversed(balances[-3:])) if one.time == newest.time - back * STEP]
    drops = [before.balance_bytes - after.balance_bytes for after, before in pairwise(in_a_row)]
    if not drops or drops[0] <= 0:
        return None
    rose_bytes = max(0.0, -drops[-1])
    pace = max(drops[0] + rose_bytes, *drops) / STEP.total_seconds()
    return _Fall(newest.balance_bytes, pace, newest.time, (in_a_row[1].balance_bytes + rose_bytes) / pace)
