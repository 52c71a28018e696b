"""A fall whose load rests for nearly all of the time: too few of its minutes fall fast for the alarm about a fall."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from efs_monitor.efs.observations import BalancePoint, balances_since
from efs_monitor.incidents.falls import PAUSE, SMALLEST_FALL_MINUTES, falls
from efs_monitor.incidents.recovering_balance import LATELY
from efs_monitor.incidents.situation import RECENT

# What fell for longer has set off Critical, or was told of since.
LOOK_BACK = timedelta(hours=6)


def falls_to_its_end(
    balances: Sequence[BalancePoint], minute_bytes: float, now: datetime, within: timedelta
) -> datetime | None:
    """When the balance began to fall, where that was half an hour ago or earlier, goes on over rests of less, and ends
    the credits within so long at the pace of the whole fall; else None.

    The `balances` are points of some minutes each, oldest first; `minute_bytes` last a minute at the permitted rate.
    """
    lately = balances_since(balances, now - LOOK_BACK)
    if not lately or now - lately[-1].time > RECENT:
        return None
    newest = lately[-1]
    smallest_minutes = min(SMALLEST_FALL_MINUTES, max(1.0, newest.balance_bytes / minute_bytes))
    *_, fall = [None, *falls(lately, minute_bytes, smallest_minutes)]
    if fall is None or fall.gone is not None or newest.time - fall.end.time >= PAUSE:
        return None
    lasted, lost_bytes = newest.time - fall.start.time, fall.start.balance_bytes - newest.balance_bytes
    if lost_bytes <= 0 or now - fall.began < LATELY:
        return None
    end = newest.time + lasted * (newest.balance_bytes / lost_bytes)
    return fall.began if end - now < within else None
