"""Whether the credits end within hours if what clients did a day ago comes again: told while there is time."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.situation import DAY

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
