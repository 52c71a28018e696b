"""A throughput mode in which credits mean nothing: since when it is seen, and when somebody is told of the way back.

AWS does not tell when a mode was changed. The hourly run sees that it was, and PermittedThroughput of the last hour
when.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise

from efs_monitor.efs.file_system import FileSystem, ThroughputMode
from efs_monitor.efs.observations import BalancePoint
from efs_monitor.incidents.mode_lock import LOCK
from efs_monitor.incidents.situation import STEP
from efs_monitor.notify.repeats import NEAREST_RUN

# The run before saw another mode: a schedule starts a run up to a quarter of an hour late.
AN_HOUR_AND_A_QUARTER = timedelta(minutes=75)
A_WEEK = timedelta(days=7)
# The permitted rate moves by less as the size is metered anew.
ANOTHER_RATE = 0.02

# The highest PermittedThroughput of five minutes, by the time at which they begin.
type PermittedSteps = Sequence[tuple[datetime, float]]


@dataclass(frozen=True, kw_only=True)
class OtherMode:
    """Elastic throughput, or a provisioned rate above what the size earns, since `since` as far as it was seen.

    `balance_bytes` is the newest that was known then, None where nothing of the last week is: whoever never lived on
    credits has no way back to them. `told` is when that way was last mailed about.
    """

    mode: ThroughputMode
    provisioned_bytes_per_second: int
    since: datetime
    balance_bytes: float | None = None
    told: datetime | None = None

    @property
    def unlocked(self) -> datetime:
        """From when on AWS allows another change; an increase of what is provisioned does not put it off."""
        return self.since + LOCK


def other_mode(
    file_system: FileSystem,
    before: OtherMode | None,
    permitted: PermittedSteps,
    balances: Sequence[BalancePoint],
    now: datetime,
) -> OtherMode | None:
    """What to remember of the mode: None on credits, and a beginning where it is another than `before`."""
    if file_system.lives_on_credits:
        return None
    provisioned = file_system.provisioned_bytes_per_second
    known = balances[-1].balance_bytes if balances else None
    if before is None or before.mode is not file_system.mode or before.provisioned_bytes_per_second > provisioned:
        return OtherMode(
            mode=file_system.mode,
            provisioned_bytes_per_second=provisioned,
            since=_changed(permitted, now),
            balance_bytes=known if known is not None or before is None else before.balance_bytes,
        )
    balance_bytes = before.balance_bytes if before.balance_bytes is not None else known
    return replace(before, provisioned_bytes_per_second=provisioned, balance_bytes=balance_bytes)


def is_due(other: OtherMode, now: datetime, *, pays: bool) -> bool:
    """Whether the way back is mailed about: once the lock ends, and each week in which another mode pays."""
    if now < other.unlocked or other.balance_bytes is None:
        return False
    return other.told is None or (pays and now - other.told >= A_WEEK - NEAREST_RUN)


def _changed(permitted: PermittedSteps, now: datetime) -> datetime:
    """When what is permitted became what it is, if that was since the run before; or else now.

    The end of the first five minutes that are of it: never before the change.
    """
    recent = [(time, rate) for time, rate in permitted if now - AN_HOUR_AND_A_QUARTER <= time]
    for (_, earlier), (time, later) in reversed(list(pairwise(recent))):
        if abs(later - earlier) > ANOTHER_RATE * max(later, earlier):
            return min(now, time + STEP)
    return now
